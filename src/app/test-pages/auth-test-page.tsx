import { useState } from 'react';
import { useSession } from '../../session/session-provider.tsx';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { ResultPanel } from './result-panel.tsx';
import { SignInTest } from './sign-in-test.tsx';
import { readStoredTokens } from './stored-tokens.ts';
import { TestPage } from './test-page.tsx';

/** P2.20 */
export function AuthTestPage() {
  const { t } = useTranslation('developer');
  const { auth } = useSession();
  const [status, setStatus] = useState<Outcome | null>(null);
  const { isLoggedIn, user } = auth;
  return (
    <TestPage name="test-auth">
      <SignInTest>
        <Button onClick={() => setStatus(outcomeOf(() => ({ isLoggedIn, user, ...readStoredTokens() })))}>{t('checkStatus')}</Button>
      </SignInTest>
      <ResultPanel title={t('words:status')} outcome={status} />
    </TestPage>
  );
}
