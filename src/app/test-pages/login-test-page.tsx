import { useState } from 'react';
import { useSession } from '../../session/session-provider.tsx';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { failure, type Outcome, outcomeOf } from './outcome.ts';
import { ResultPanel } from './result-panel.tsx';
import { SignInTest } from './sign-in-test.tsx';
import { readStoredTokens, tryStorage } from './stored-tokens.ts';
import { TestPage } from './test-page.tsx';

/** P2.22 */
export function LoginTestPage() {
  const { t } = useTranslation('developer');
  const { loadProfile } = useSession();
  const [storage, setStorage] = useState<Outcome | null>(null);
  const [after, setAfter] = useState<Outcome | null>(null);
  const checkAfterSignIn = async () => {
    const profile = await loadProfile();
    setAfter(profile.ok ? outcomeOf(() => ({ profile: profile.value, ...readStoredTokens() })) : failure(profile.failure));
  };
  return (
    <TestPage name="login-test">
      <SignInTest>
        <Button onClick={() => setStorage(outcomeOf(() => ({ ...tryStorage(), ...readStoredTokens() })))}>{t('checkStorage')}</Button>
        <Button onClick={() => void checkAfterSignIn()}>{t('checkAfterSignIn')}</Button>
      </SignInTest>
      <ResultPanel title={t('checkStorage')} outcome={storage} />
      <ResultPanel title={t('checkAfterSignIn')} outcome={after} />
    </TestPage>
  );
}
