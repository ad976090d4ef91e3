import { useCallback } from 'react';
import type { Problem } from '../../model/problem.ts';
import { useTranslation } from './use-translation.ts';

/** Returns the sentence for a problem or a console event, in the user's language. */
export function useProblemText(): (problem: Problem) => string {
  const { t } = useTranslation('errors');
  // Codes come from the engine and the server at run time, so the compiler cannot know the key.
  return useCallback((problem) => (t as unknown as (key: string, params?: object) => string)(problem.code, problem.params), [t]);
}
