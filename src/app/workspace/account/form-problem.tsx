import type { CallFailure } from '../../../session/auth-calls.ts';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import styles from './account.module.css';
import { callProblem } from './call-problem.ts';

/** The problem of a whole form. A problem of one field is shown under that field. */
export function FormProblem({ failure }: { failure: CallFailure | null }) {
  const problemText = useProblemText();
  const problem = failure && callProblem(failure);
  if (problem?.kind !== 'whole') return null;
  return (
    <p className={styles.problem} role="alert">
      {problemText(problem)}
    </p>
  );
}
