import type { Execution } from '../../../../contract/executions/execution.ts';
import type { Question, QuestionAnswer } from '../../../../contract/executions/question.ts';
import { ApiError } from '../../../http/api-error.ts';
import type { Language } from '../../../http/call.ts';
import { failureSentence } from '../../../http/failure.ts';
import { translate } from '../../../http/language.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { OwnerId } from '../../../platform/owner-id.ts';
import { answersByMessage } from '../../telegram/index.ts';
import { LeaseLost } from '../lease-lost.ts';
import type { Command } from './commands.ts';
import type { ThreadRow } from './kept-comment.ts';
import type { ForgeThreads } from './threads.ts';

export type CommandDeps = {
  threads: ForgeThreads;
  readRun: (userId: OwnerId, id: string) => Promise<Execution>;
  stop: (userId: OwnerId, id: string) => Promise<unknown>;
  openQuestions: (userId: OwnerId, executionId: string) => Promise<Question[]>;
  /** Answers a question. `keep` writes in the same transaction. */
  answer: (
    by: { userId: OwnerId; name: string; language: Language },
    questionId: string,
    answer: QuestionAnswer,
    keep: (tx: Db) => Promise<void>,
  ) => Promise<unknown>;
  /** Sets the money that a run may spend. Returns the currency. */
  setBudget: (userId: OwnerId, executionId: string, micros: number, language: Language) => Promise<string>;
};
/** `see` notes the command as handled, in a transaction where one is given. */
type By = { userId: OwnerId; author: string; language: Language; see: (tx?: Db) => Promise<void> };

const longestNote = 1_000;

/** Carries out commands of comments. The kept comment says what each has done; a command that is carried out twice changes nothing more. */
export class CommandTaker {
  readonly #deps: CommandDeps;

  constructor(deps: CommandDeps) {
    this.#deps = deps;
  }

  async take(command: Command, thread: ThreadRow, by: By): Promise<void> {
    const { threads } = this.#deps;
    // The comment is written anew, also with the same words: its date shows that it was.
    if (command.name === 'status') {
      await threads.told(thread.id, { commentId: thread.commentId, commentSha: null, toldAt: null });
      return by.see();
    }
    let isSeen = false as boolean;
    const see = async (tx?: Db) => {
      await by.see(tx);
      isSeen = true;
    };
    const note = await this.#carryOut(command, thread, { ...by, see }).catch((error: unknown) => {
      isSeen = false;
      if (error instanceof ApiError && !(error instanceof LeaseLost)) return failureSentence(by.language, error);
      throw error;
    });
    await threads.change(thread.id, { note: note.slice(0, longestNote).toWellFormed() });
    if (!isSeen) await by.see();
  }

  /** Returns what was done. */
  async #carryOut(command: Command, thread: ThreadRow, by: By): Promise<string> {
    const { language, author, userId } = by;
    const { executionId, doneExecutionId } = thread;
    if (executionId === null || executionId === doneExecutionId) return translate(language, 'forge.noRun', { command: `/${command.name}` });
    if (command.name === 'answer') return this.#answer(command.text, { executionId, questionId: thread.questionId }, by);
    if (command.name !== 'budget') {
      await this.#deps.stop(userId, executionId);
      return translate(language, 'forge.stopped', { author });
    }
    if (command.micros === null) return translate(language, 'forge.budgetWrong');
    const currency = await this.#deps.setBudget(userId, executionId, command.micros, language);
    return translate(language, 'forge.budgetSet', { figure: (command.micros / 1_000_000).toFixed(2), currency, author });
  }

  /** Answers the question that the comment shows, and no other one. */
  async #answer(
    text: string,
    { executionId, questionId }: { executionId: string; questionId: string | null },
    { userId, author, language, see }: By,
  ): Promise<string> {
    const open = (await this.#deps.openQuestions(userId, executionId)).find(({ id }) => id === questionId);
    if (!open) return translate(language, 'forge.noQuestion');
    const made = answerOf(open, text, language);
    if (typeof made === 'string') return made;
    await this.#deps.answer({ userId, name: author, language }, open.id, made, (tx) => see(tx));
    return translate(language, 'forge.answered', { author });
  }
}

/** The answer that a text gives to a question; or why it gives none. */
function answerOf(question: Question, text: string, language: Language): QuestionAnswer | string {
  const written = answersByMessage(question);
  if (!written) return translate(language, 'telegram.decideInArtel');
  return text === '' ? translate(language, 'forge.emptyAnswer') : written.ofComment(question, text, language);
}
