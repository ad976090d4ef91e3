import { useState } from 'react';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { ResultPanel } from './result-panel.tsx';
import { SignInTest } from './sign-in-test.tsx';
import { readStoredTokens, tryStorage } from './stored-tokens.ts';
import styles from './test-page.module.css';
import { TestPage } from './test-page.tsx';

/** P2.21 */
export function SimpleTestPage() {
  const { t } = useTranslation('developer');
  const [storage, setStorage] = useState<Outcome | null>(null);
  const [access, setAccess] = useState<Outcome | null>(null);
  const [refresh, setRefresh] = useState<Outcome | null>(null);
  const checkTokens = () => {
    setAccess(
      outcomeOf(() => {
        const { hasAccessToken, accessToken, accessTokenState, expiresAt } = readStoredTokens();
        return { hasAccessToken, accessToken, accessTokenState, expiresAt };
      }),
    );
    setRefresh(
      outcomeOf(() => {
        const { hasRefreshToken, refreshToken } = readStoredTokens();
        return { hasRefreshToken, refreshToken };
      }),
    );
  };
  return (
    <TestPage name="simple-test">
      <h2>{t('direct')}</h2>
      <div className={styles.buttons}>
        <Button onClick={() => setStorage(outcomeOf(tryStorage))}>{t('tryStorage')}</Button>
        <Button onClick={checkTokens}>{t('checkTokens')}</Button>
      </div>
      <ResultPanel title={t('tryStorage')} outcome={storage} />
      <ResultPanel title={t('accessToken')} outcome={access} />
      <ResultPanel title={t('refreshToken')} outcome={refresh} />
      <h2>{t('throughSession')}</h2>
      <SignInTest />
    </TestPage>
  );
}
