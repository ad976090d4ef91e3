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

/** Why a call has failed. After a read there is a button that reads again, also beside what was read before: a change may have made that untrue. */
export function ReadProblem({ remote, problem = null, className }: ReadProblemProps) {
  const { t } = useTranslation('words');
  const problemText = useProblemText();
  if (problem || !remote.problem) return <ProblemNote problem={problem} className={className} />;
  const text = problemText(remote.problem);
  const told = remote.value === null ? text : `${text} · ${problemText({ code: 'read.before' })}`;
  return <LoadProblem text={told} retry={t('repeat')} onRetry={remote.again} className={className} />;
}
