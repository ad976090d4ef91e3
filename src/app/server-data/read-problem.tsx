import type { Problem } from '../../model/problem.ts';
import { ProblemNote } from '../../ui/controls/problem-note.tsx';
import { useProblemText } from '../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { LoadProblem } from '../../ui/loading/remote-state.tsx';
import type { RemoteData } from './use-read.ts';

type ReadProblemProps = {
  remote: Pick<RemoteData<unknown>, 'value' | 'problem' | 'again'>;
  /** The problem of a change, which comes first. */
  problem?: Problem | null;
  className: string | undefined;
};

/** Why a call has failed; with a button that reads again where nothing could be read. */
export function ReadProblem({ remote, problem = null, className }: ReadProblemProps) {
  const { t } = useTranslation('words');
  const problemText = useProblemText();
  if (remote.value !== null || !remote.problem) return <ProblemNote problem={problem ?? remote.problem} className={className} />;
  return <LoadProblem text={problemText(remote.problem)} retry={t('repeat')} onRetry={remote.again} className={className} />;
}
