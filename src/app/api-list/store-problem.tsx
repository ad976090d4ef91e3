import { ProblemNote } from '../../ui/controls/problem-note.tsx';
import { useProblemText } from '../../ui/i18n/use-problem-text.ts';
import { LoadProblem } from '../../ui/loading/remote-state.tsx';
import type { ApiState } from './api-store.ts';

type StoreProblemProps = Pick<ApiState, 'status' | 'problem'> & {
  /** The words of the button. */
  retry: string;
  onRetry: () => void;
  className: string | undefined;
};

/** Why a call of a store has failed; with a button that reads again where nothing could be read. */
export function StoreProblem({ status, problem, retry, onRetry, className }: StoreProblemProps) {
  const problemText = useProblemText();
  if (status !== 'failed' || !problem) return <ProblemNote problem={problem} className={className} />;
  return <LoadProblem text={problemText(problem)} retry={retry} onRetry={onRetry} className={className} />;
}
