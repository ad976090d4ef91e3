import { useEffect, useState } from 'react';
import { accessTokenKey } from '../../session/token-store.ts';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { ResultPanel } from './result-panel.tsx';
import { readStoredTokens, tryStorage } from './stored-tokens.ts';
import styles from './test-page.module.css';
import { TestPage } from './test-page.tsx';

/** A well-formed token without a user and long expired: every server refuses it. */
const fakeToken = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJzdG9yYWdlLXRlc3QiLCJleHAiOjF9.';
/** The stored value before the reload of the page. */
const beforeReload = 'storage-test.before';

/** P2.23 */
export function StorageTestPage() {
  const { t } = useTranslation('developer');
  const [direct, setDirect] = useState<Outcome | null>(null);
  const [saved, setSaved] = useState<Outcome | null>(null);
  const [read, setRead] = useState<Outcome>(() => outcomeOf(readStoredTokens));
  const [reloaded, setReloaded] = useState(compareWithBefore);
  // Not in the initial state: React may compute that again while a part of the page loads.
  useEffect(forgetBefore, []);
  const saveFake = () =>
    outcomeOf(() => {
      localStorage.setItem(accessTokenKey, fakeToken);
      const stored = localStorage.getItem(accessTokenKey);
      if (stored !== fakeToken) throw new Error('the token that was read is not the one that was written');
      return readStoredTokens();
    });
  const reload = () => {
    const left = outcomeOf(() => {
      sessionStorage.setItem(beforeReload, localStorage.getItem(accessTokenKey) ?? '');
      return {};
    });
    if (left.ok) location.reload();
    else setReloaded(left);
  };
  return (
    <TestPage name="storage-test">
      <ol className={styles.tests}>
        <li>
          <Button onClick={() => setDirect(outcomeOf(tryStorage))}>{t('tryStorage')}</Button>
          <ResultPanel title={t('tryStorage')} outcome={direct} />
        </li>
        <li>
          <Button onClick={() => setSaved(saveFake())}>{t('saveFake')}</Button>
          <p>{t('saveFakeHint')}</p>
          <ResultPanel title={t('saveFake')} outcome={saved} />
        </li>
        <li>
          <Button onClick={() => setRead(outcomeOf(readStoredTokens))}>{t('readTokens')}</Button>
          <ResultPanel title={t('readTokens')} outcome={read} />
        </li>
        <li>
          <Button onClick={reload}>{t('checkAfterReload')}</Button>
          <ResultPanel title={t('checkAfterReload')} outcome={reloaded} />
        </li>
      </ol>
    </TestPage>
  );
}

/** Null when the page was not reloaded by its own button. */
function compareWithBefore(): Outcome | null {
  try {
    const before = sessionStorage.getItem(beforeReload);
    if (before === null) return null;
    const kept = (localStorage.getItem(accessTokenKey) ?? '') === before;
    return { ...outcomeOf(() => ({ kept, ...readStoredTokens() })), ok: kept };
  } catch {
    return null; // Storage is denied: the other tests say so.
  }
}

function forgetBefore(): void {
  try {
    sessionStorage.removeItem(beforeReload);
  } catch {
    // Storage is denied: nothing was stored.
  }
}
