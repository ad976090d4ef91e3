import type { Question } from '../../../contract/executions/question.ts';
import type { HookEvent } from '../../../contract/hook.ts';
import { plainMarkdown } from '../../../rules/text/plain-markdown.ts';
import type { Language } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import type { Button } from '../../platform/telegram/bot-api.ts';
import { type EventAbout, eventTitle } from '../hooks/index.ts';
import { answersByMessage } from './written-answers.ts';

/** The parts of an event that a message shows. */
export type ShownEvent = {
  event: HookEvent;
  project: string;
  about: EventAbout;
  question: Question | null;
  /** The task of the run that the event is about, and why it has failed. */
  run: { task: string; problem: string | null } | null;
  draft: string | null;
  link: string;
};
type ShownMessage = { text: string; buttons: Button[][] };

/** The longest message of Telegram (UTF-16 units). */
const maxMessage = 4_096;
/** What of it its longest part may take, and each name beside it: together less than a message, with its link. */
const maxPart = 2_600;
const maxName = 200;
/** The beginning of a task or a failure that tells one run from another (UTF-16 units). */
const maxAbout = 500;

/** The message about an event: with the question, its buttons, and whole arguments of a call or none. Its last words are the link. */
export function messageOf({ event, about, question, run, draft, link, ...named }: ShownEvent, language: Language): ShownMessage {
  const project = shortened(named.project, maxName);
  const tail = `\n\n${link}`;
  if (!question) {
    const texts = [run?.problem, run?.task].map((text) => shortened(plainMarkdown(text ?? ''), maxAbout)).filter((text) => text !== '');
    return {
      text: `${[`${eventTitle({ event, about, question: null }, language)}\n${project}`, ...texts].join('\n\n')}${tail}`,
      buttons: [],
    };
  }
  const head = eventTitle({ event, about, question: { ...question, title: shortened(question.title, maxName) } }, language);
  const parts = [`${head}\n${project}`, bodyOf(question, draft, language)].filter((part) => part !== '');
  const text = `${parts
    .join('\n\n')
    .slice(0, maxMessage - tail.length)
    .toWellFormed()}${tail}`;
  return { text, buttons: answersByMessage(question)?.buttons(question, language) ?? [] };
}

/** Returns the question that a message of the bot asks: that of the link at its end. Null for none. */
export function questionIn(text: string): string | null {
  return /[?&]question=([0-9a-f-]{36})$/.exec(text)?.[1] ?? null;
}

function bodyOf(question: Question, draft: string | null, language: Language): string {
  const { call, install, task } = question;
  const decided = translate(language, 'telegram.decideInArtel');
  if (call) {
    // Half of the arguments would hide what the other half does.
    const args = call.args.length <= maxPart ? call.args : translate(language, 'telegram.argsInArtel');
    const tool = [call.tool, call.host].filter((name) => name !== undefined).map((name) => shortened(name, maxName));
    return `${tool.join(' → ')}\n${args}\n\n${decided}`;
  }
  if (install) {
    const hosts = install.hosts.map(({ host, wantedBy }) => shortened([host, ...wantedBy].join(' ← '), maxName));
    return [translate(language, 'telegram.asksHosts'), ...hosts, '', decided].join('\n');
  }
  const here = answersByMessage(question);
  const words = plainMarkdown(question.text || (here ? draft || task : ''));
  const shown = words.length <= maxPart ? words : `${shortened(words, maxPart)} ${translate(language, 'telegram.restInArtel')}`;
  const hint = here?.hint(question);
  const next = here ? hint && translate(language, hint) : decided;
  return [shown, next].filter(Boolean).join('\n\n');
}

function shortened(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max).toWellFormed()}…`;
}
