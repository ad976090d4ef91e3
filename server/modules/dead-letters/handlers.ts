import { type Handlers, paged } from '../../http/call.ts';
import type { DeadLetters } from './service.ts';

export function deadLetterHandlers(deadLetters: DeadLetters): Pick<Handlers, Extract<keyof Handlers, `deadLetter.${string}`>> {
  return {
    'deadLetter.list': ({ query }) => paged(deadLetters.list(query)),
    'deadLetter.retry': ({ params }) => deadLetters.retry(params.id),
    'deadLetter.remove': ({ params }) => deadLetters.remove(params.id),
  };
}
