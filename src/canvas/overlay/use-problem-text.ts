import type { Problem } from '../../model/problem.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';

/** Gives the sentence for a problem, in the user's language. */
export function useProblemText(): (problem: Problem) => string {
  const { t } = useTranslation('errors');
  // The code comes from the engine or the server at run time, so the compiler cannot know the key.
  return (problem) => (t as unknown as (key: string, params?: object) => string)(problem.code, problem.params);
}
