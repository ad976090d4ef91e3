import { useCallback } from 'react';
import type { Problem } from '../../model/problem.ts';
import { useTranslation } from './use-translation.ts';

export type Translate = (key: string, params?: Problem['params']) => string;

/** Returns the sentence for a problem or a console event, in the user's language. */
export function useProblemText(): (problem: Problem) => string {
  const { t } = useTranslation('errors');
  return useCallback(
    // Codes come from the engine and the server at run time, so the compiler cannot know the key.
    (problem) => problemSentence(problem, t as unknown as Translate),
    [t],
  );
}

/** The sentence for a problem, by the texts of the area `errors`. */
export function problemSentence({ code, params }: Problem, translate: Translate): string {
  return translate(code, params && withRepetition(params, translate));
}

/** Adds to the name of an agent the round and the item that a sentence is about. */
function withRepetition(params: NonNullable<Problem['params']>, translate: Translate): NonNullable<Problem['params']> {
  const { agent, round, item } = params;
  if (agent === undefined || (round === undefined && item === undefined)) return params;
  const words = [item === undefined ? '' : translate('step.item', { item }), round === undefined ? '' : translate('step.round', { round })];
  return { ...params, agent: `${agent} (${words.filter(Boolean).join(', ')})` };
}
