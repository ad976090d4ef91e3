import type { CallFailure } from '../../../session/auth-calls.ts';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import styles from './account.module.css';
import { callProblem } from './call-problem.ts';

/** Why a form as a whole was not taken; what is wrong with one field stands under that field. */
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
