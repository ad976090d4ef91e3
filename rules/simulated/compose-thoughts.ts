import { fill } from './fill.ts';
import type { SimulatedRequest, TextsByLanguage } from './simulated-request.ts';
import { plainText } from './task-words.ts';
import { wordsOf } from './words-of.ts';

/** The thoughts of a simulated agent: what it reads from the task and from earlier agents, and that it is a simulation. */
export function composeThoughts(request: SimulatedRequest, languages: TextsByLanguage): string {
  const { texts, words } = wordsOf(request, languages);
  const [a, b, c] = words.terms;
  const last = request.earlier.at(-1);
  const parts = [fill(texts.thoughts.task, { a, b, c, title: plainText(request.agentTitle) })];
  if (last) parts.push(fill(texts.thoughts.earlier, { agent: plainText(last.title) }));
  if (request.contexts.length > 0) parts.push(texts.thoughts.contexts);
  return parts.join(' ');
}
