import type { ReactNode } from 'react';
import { useProblemText } from '../../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { Loading, LoadProblem } from '../../../../ui/loading/remote-state.tsx';
import type { RemoteData } from '../../../server-data/use-read.ts';
import styles from './files.module.css';

/** The state of a request: loading, failed or loaded. */
export function Loaded<T>({ remote, children }: { remote: RemoteData<T>; children: (value: T) => ReactNode }) {
  const { t } = useTranslation('console');
  const problemText = useProblemText();
  if (remote.value !== null) return children(remote.value);
  if (remote.problem)
    return <LoadProblem className={styles.problem} text={problemText(remote.problem)} retry={t('words:repeat')} onRetry={remote.again} />;
  return <Loading className={styles.loading} text={t('common:loading')} />;
}
