import type { Question } from '../../../contract/executions/question.ts';
import type { HookEvent } from '../../../contract/hook.ts';
import { plainMarkdown } from '../../../rules/text/plain-markdown.ts';
import type { Language } from '../../http/call.ts';
import { isServerText, translate } from '../../http/language.ts';
import type { Button } from '../../platform/telegram/bot-api.ts';
import type { EventAbout } from '../hooks/index.ts';

/** The parts of an event that a message shows. */
export type ShownEvent = {
  event: HookEvent;
  project: string;
  about: EventAbout;
  question: Question | null;
  draft: string | null;
  link: string;
};
export type ShownMessage = { text: string; buttons: Button[][] };

/** The longest message of Telegram (UTF-16 units). */
const maxMessage = 4_096;
/** What of it the parts may take, with room for the rest. */
const maxPart = 2_600;
/** A question by its buttons can be answered here. What asks for fields, tools or money is answered in Artel. */
const answeredHere: ReadonlySet<Question['kind']> = new Set(['person', 'hand_off']);

export function isAnsweredHere({ kind, inputs, actions }: Pick<Question, 'kind' | 'inputs' | 'actions'>): boolean {
  return answeredHere.has(kind) && inputs.length === 0 && (actions.includes('answer') || actions.includes('handOn'));
}

/** The message about an event: with the question, its buttons, and whole arguments of a call or none. Its last words are the link. */
export function messageOf({ event, project, about, question, draft, link }: ShownEvent, language: Language): ShownMessage {
  const tail = `\n\n${link}`;
  if (!question) return { text: `${headOf(event, about, language)}\n${project}${tail}`, buttons: [] };
  const head = translate(language, event === 'budget.reached' ? 'telegram.budget' : 'telegram.question', { title: question.title });
  const parts = [`${head}\n${project}`, bodyOf(question, draft, language)].filter((part) => part !== '');
  const text = `${parts
    .join('\n\n')
    .slice(0, maxMessage - tail.length)
    .toWellFormed()}${tail}`;
  return { text, buttons: buttonsOf(question, language) };
}

/** Returns the question that a message of the bot asks: that of the link at its end. Null for none. */
export function questionIn(text: string): string | null {
  return /[?&]question=([0-9a-f-]{36})$/.exec(text)?.[1] ?? null;
}

function headOf(event: HookEvent, { status, branch }: EventAbout, language: Language): string {
  if (event === 'run.ended') {
    const name = `telegram.ended.${String(status)}`;
    return isServerText(name) ? translate(language, name) : String(status);
  }
  return event === 'published'
    ? translate(language, 'telegram.published', { branch: String(branch) })
    : translate(language, 'telegram.limit');
}

function bodyOf(question: Question, draft: string | null, language: Language): string {
  const { call, task } = question;
  if (call) {
    // Half of the arguments would hide what the other half does.
    const args = call.args.length <= maxPart ? call.args : translate(language, 'telegram.argsInArtel');
    return `${call.tool}${call.host === undefined ? '' : ` → ${call.host}`}\n${args}\n\n${translate(language, 'telegram.decideInArtel')}`;
  }
  if (!isAnsweredHere(question))
    return [plainMarkdown(question.text).slice(0, maxPart), translate(language, 'telegram.decideInArtel')].join('\n\n').trim();
  const words = plainMarkdown(question.text || draft || task);
  const shown =
    words.length <= maxPart ? words : `${words.slice(0, maxPart).toWellFormed()}… ${translate(language, 'telegram.restInArtel')}`;
  const hint = hintOf(question);
  return hint === null ? shown : `${shown}\n\n${translate(language, hint)}`;
}

/** What a reply to the message does; null where only buttons answer. */
function hintOf({ kind, buttons, actions }: Question): 'telegram.replyAnswers' | 'telegram.replyReturns' | null {
  if (kind === 'hand_off') return actions.includes('askAgain') ? 'telegram.replyReturns' : null;
  return buttons.length === 0 ? 'telegram.replyAnswers' : null;
}

/** The buttons that answer, one a row. Their data name the question and the place of the button. */
function buttonsOf(question: Question, language: Language): Button[][] {
  if (!isAnsweredHere(question)) return [];
  const { id, kind, buttons } = question;
  if (kind === 'hand_off') return [[{ text: translate(language, 'telegram.handOn'), callback_data: `${id}:h` }]];
  return buttons.map((label, index) => [{ text: label ?? translate(language, 'telegram.otherwise'), callback_data: `${id}:${index}` }]);
}
