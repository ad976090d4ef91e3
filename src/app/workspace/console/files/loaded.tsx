import type { ReactNode } from 'react';
import { Button } from '../../../../ui/controls/buttons/button.tsx';
import { Spinner } from '../../../../ui/controls/spinner.tsx';
import { useProblemText } from '../../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import type { RemoteData } from '../../lists/use-remote-data.ts';
import styles from './files.module.css';

/** The state of a request: loading, failed or loaded. */
export function Loaded<T>({ remote, children }: { remote: RemoteData<T>; children: (value: T) => ReactNode }) {
  const { t } = useTranslation('console');
  const problemText = useProblemText();
  if (remote.value !== null) return children(remote.value);
  if (remote.problem) {
    return (
      <div className={styles.problem} role="alert">
        <p>{problemText(remote.problem)}</p>
        <Button size="s" onClick={remote.again}>
          {t('files.retry')}
        </Button>
      </div>
    );
  }
  return (
    <p className={styles.loading} role="status">
      <Spinner size={16} /> {t('files.loading')}
    </p>
  );
}
