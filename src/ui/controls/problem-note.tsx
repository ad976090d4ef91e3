import type { Problem } from '../../model/problem.ts';
import { useProblemText } from '../i18n/use-problem-text.ts';

/** The sentence of a problem alone. */
export function ProblemText({ problem }: { problem: Problem }) {
  return useProblemText()(problem);
}

/** The sentence of a problem, which screen readers read out when it comes; nothing without one. */
export function ProblemNote({ problem, className }: { problem: Problem | null; className?: string | undefined }) {
  const problemText = useProblemText();
  return (
    problem && (
      <p className={className} role="alert">
        {problemText(problem)}
      </p>
    )
  );
}
