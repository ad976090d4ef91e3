import { type Handlers, paged } from '../../http/call.ts';
import type { DeadLetters } from './service.ts';

export function deadLetterHandlers(deadLetters: DeadLetters): Pick<Handlers, Extract<keyof Handlers, `deadLetter.${string}`>> {
  return {
    'deadLetter.list': async ({ query }) => {
      const { items, total } = await deadLetters.list(query);
      return paged(items, total);
    },
    'deadLetter.retry': ({ params }) => deadLetters.retry(params.id),
    'deadLetter.remove': async ({ params }) => {
      await deadLetters.remove(params.id);
      return undefined;
    },
  };
}
