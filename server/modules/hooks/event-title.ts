import type { Question } from '../../../contract/executions/question.ts';
import type { HookEvent } from '../../../contract/hook.ts';
import type { Language } from '../../http/call.ts';
import { isServerText, translate } from '../../http/language.ts';
import type { EventAbout } from './tables.ts';

type TitledEvent = { event: HookEvent; about: EventAbout; question: Pick<Question, 'title'> | null };

/** What people are told of an event in one line. A question is named by its card. */
export function eventTitle({ event, about: { status, branch }, question }: TitledEvent, language: Language): string {
  if (question) return translate(language, event === 'budget.reached' ? 'told.budget' : 'told.question', { title: question.title });
  if (event === 'run.ended') {
    const name = `told.ended.${String(status)}`;
    return isServerText(name) ? translate(language, name) : String(status);
  }
  return event === 'published' ? translate(language, 'told.published', { branch: String(branch) }) : translate(language, 'told.limit');
}
