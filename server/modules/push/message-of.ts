import type { Question } from '../../../contract/executions/question.ts';
import type { HookEvent } from '../../../contract/hook.ts';
import type { Language } from '../../http/call.ts';
import { type EventAbout, eventTitle } from '../hooks/index.ts';

type ShownEvent = { eventId: string; event: HookEvent; projectId: string; project: string; about: EventAbout; question: Question | null };

/** What the service worker of the page shows (`public/push-worker.js`). A message with the `tag` of an earlier one replaces it. */
export type PushMessage = { tag: string; title: string; body: string; path: string; questionId: string | null };

/** The longest name that is shown (characters): a message has at most 4,096 bytes, and names can be long. */
const maxName = 200;

/** The message about an event: names of card and project and a link, and no other words of users. */
export function messageOf({ eventId, event, projectId, project, about, question }: ShownEvent, language: Language): PushMessage {
  const questionId = question?.id ?? null;
  return {
    // The page itself tells of a question with this tag while it is hidden.
    tag: questionId ?? eventId,
    title: shortened(eventTitle({ event, about, question }, language)),
    body: shortened(project),
    path: `/test-project?projectId=${projectId}${questionId === null ? '' : `&question=${questionId}`}`,
    questionId,
  };
}

function shortened(text: string): string {
  return text.length <= maxName ? text : `${text.slice(0, maxName - 1).toWellFormed()}…`;
}
