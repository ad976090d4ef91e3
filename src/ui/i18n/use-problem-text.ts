import { useCallback } from 'react';
import type { Problem } from '../../model/problem.ts';
import { useTranslation } from './use-translation.ts';

type Say = (key: string, params?: Problem['params']) => string;

/** Returns the sentence for a problem or a console event, in the user's language. */
export function useProblemText(): (problem: Problem) => string {
  const { t } = useTranslation('errors');
  return useCallback(
    ({ code, params }) => {
      // Codes come from the engine and the server at run time, so the compiler cannot know the key.
      const say = t as unknown as Say;
      return say(code, params && withRepetition(params, say));
    },
    [t],
  );
}

/** Adds to the name of an agent the round and the item that a sentence is about. */
function withRepetition(params: NonNullable<Problem['params']>, say: Say): NonNullable<Problem['params']> {
  const { agent, round, item } = params;
  if (agent === undefined || (round === undefined && item === undefined)) return params;
  const words = [item === undefined ? '' : say('step.item', { item }), round === undefined ? '' : say('step.round', { round })];
  return { ...params, agent: `${agent} (${words.filter(Boolean).join(', ')})` };
}
