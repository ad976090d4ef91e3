import type { ToolSource } from '../../../../contract/executions/tool-call.ts';
import type { CallerKey } from '../../../http/call.ts';
import type { ExecutionRow } from './rows.ts';

/** Where words come from that the models of a run read. */
export type WordSource =
  | ToolSource
  | 'account'
  | 'program'
  | 'givenFile'
  | 'ownRepository'
  | 'foreignRepository'
  | 'signedLink'
  | 'review'
  | 'webhook'
  | 'earlierRun'
  | 'outsideRun';

/**
 * Whether others than the account and its agents write the words of a source. A new source does not compile before it says so here. Words from
 * outside may tell a model to carry out what it knows, so that each call that leaves the run asks from then on. G3.06
 */
const isOutside = {
  /** What the account writes: tasks, texts during the run, answers, edits. */
  account: false,
  /** What a program hands on with an API key: often the words of its own users. */
  program: true,
  /** A file that the account has put into the run by itself. */
  givenFile: false,
  /** The repository to which the project is published. */
  ownRepository: false,
  /** Any other repository, with the files that it brings. */
  foreignRepository: true,
  /** What a person without an account has written into an answer. */
  signedLink: true,
  /** Comments of a pull request. */
  review: true,
  /** What another program has sent by a webhook, or people have written in an issue: the values of fields, and the rest. */
  webhook: true,
  /** Results of another run: without words from outside, and with them. */
  earlierRun: false,
  outsideRun: true,
  /** Results of tools: files of the run itself, pages, tool servers, and what a runner has executed. */
  files: false,
  fetch: true,
  server: true,
  /** The log of executed tests: their programs come from registries, and print what they like. */
  tests: true,
} as const satisfies Record<WordSource, boolean>;

/** Whether words of the source are from outside. */
export function isFromOutside(source: WordSource): boolean {
  return isOutside[source];
}

/** Returns where the words of a call come from: only a release can say that the people of the account have written those of a program. */
export function wordsOfCaller(key: CallerKey | undefined): WordSource {
  return key ? 'program' : 'account';
}

type Noting = { row: Pick<ExecutionRow, 'hasOutside'>; set: (change: { hasOutside: boolean }) => void };

/** Notes that words of a source are in the run. Every port by which words come in calls it. */
export function noteWords(it: Noting, source: WordSource): void {
  if (isOutside[source] && !it.row.hasOutside) it.set({ hasOutside: true });
}

/** The same of words that become the task of the run. */
export function noteTask(it: { row: ExecutionRow; set: (change: Partial<ExecutionRow>) => void }, source: WordSource): void {
  noteWords(it, source);
  if (isOutside[source]) it.set({ hasOutsideTask: true });
}
