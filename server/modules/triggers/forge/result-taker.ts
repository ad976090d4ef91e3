import type { Execution } from '../../../../contract/executions/execution.ts';
import type { Publication } from '../../../../contract/executions/publishing.ts';
import type { Question } from '../../../../contract/executions/question.ts';
import { ApiError } from '../../../http/api-error.ts';
import type { Language } from '../../../http/call.ts';
import { failureSentence, toApiError } from '../../../http/failure.ts';
import { translate } from '../../../http/language.ts';
import { elapsedBetween } from '../../../platform/clock.ts';
import type { OwnerId } from '../../../platform/owner-id.ts';
import { answersByMessage, wordsOfButtons } from '../../telegram/index.ts';
import type { ThreadRow } from './kept-comment.ts';
import type { ReadingTask } from './reading.ts';
import type { ForgeThreads } from './threads.ts';

export type ResultDeps = {
  threads: ForgeThreads;
  now: () => Date;
  /** What has become of the fire of a run: `waiting` where the run is repeated; null while its end was not counted. */
  fireOf: (executionId: string) => Promise<{ outcome: string; isSettled: boolean } | null>;
  readRun: (userId: OwnerId, id: string) => Promise<Execution>;
  /** The open questions of a run, the oldest first. */
  openQuestions: (userId: OwnerId, executionId: string) => Promise<Question[]>;
  publish: (asked: {
    userId: OwnerId;
    executionId: string;
    automation: readonly string[];
    language: Language;
    signal: AbortSignal;
  }) => Promise<Publication>;
};

/** Tries of a result that could not be published now, and the pause between two (ms): ten minutes at least. */
const maxTries = 30;
const tryEveryMs = 20_000;
/** The run has nothing to publish: its text is the answer. */
const nothingToPublish: ReadonlySet<unknown> = new Set(['no_files', 'nothing']);
/** The far side was away, or slow. */
const passing: ReadonlySet<unknown> = new Set(['timeout', 'failed']);

/** Hands on what has become of a run: its branch with a draft pull request, its answer, or why there is neither. Publishing twice changes nothing. */
export class ResultTaker {
  readonly #deps: ResultDeps;

  constructor(deps: ResultDeps) {
    this.#deps = deps;
  }

  async take(thread: ThreadRow, asked: ReadingTask): Promise<void> {
    const { threads, readRun } = this.#deps;
    if (thread.executionId === null) {
      if (thread.state === 'started' || thread.state === 'asked') await threads.change(thread.id, { state: 'failed', detail: null });
      return;
    }
    const run = await readRun(asked.trigger.runAs, thread.executionId).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'not_found') return null;
      throw error;
    });
    if (run?.status === 'completed') return this.#publish(thread, run, asked);
    if (run && run.status !== 'failed' && run.status !== 'cancelled') return this.#follow(thread, run, asked);
    if (run?.status === 'failed') {
      const fire = await this.#deps.fireOf(run.id);
      // The model server was away: the same event runs again. Whether it does is said a moment after the end.
      if (fire && !fire.isSettled) return;
      if (fire?.outcome === 'waiting') return threads.change(thread.id, { state: 'waiting', detail: null, doneExecutionId: run.id });
    }
    const detail = run?.error?.message ?? null;
    await threads.change(thread.id, { state: 'failed', detail, doneExecutionId: thread.executionId });
  }

  /** Says whether a run that is under way asks. */
  async #follow(thread: ThreadRow, run: Execution, { trigger, language }: ReadingTask): Promise<void> {
    const [open] = run.openQuestions === undefined ? [] : await this.#deps.openQuestions(trigger.runAs, run.id);
    const state = open ? ('asked' as const) : ('started' as const);
    const detail = open ? questionText(open, language) : null;
    const questionId = open?.id ?? null;
    if (state !== thread.state || questionId !== thread.questionId)
      await this.#deps.threads.change(thread.id, { state, detail, questionId });
  }

  async #publish(thread: ThreadRow, run: Execution, { trigger, language, signal }: ReadingTask): Promise<void> {
    const { threads, publish, now } = this.#deps;
    if (thread.tries > 0 && elapsedBetween(thread.updatedAt, now()) < tryEveryMs) return;
    const done = { doneExecutionId: run.id, tries: 0 };
    try {
      const asked = { userId: trigger.runAs, executionId: run.id, automation: [], language, signal };
      const { branch, base, sha, pullRequest, problem } = await publish(asked);
      const pushed = {
        branch,
        base,
        headSha: sha,
        requestNumber: pullRequest?.number ?? null,
        requestUrl: pullRequest?.url ?? null,
        pushedAt: now(),
        checkedAt: null,
      };
      if (pullRequest) await threads.change(thread.id, { ...done, ...pushed, state: 'published', detail: problem });
      else if (thread.tries < maxTries) await threads.change(thread.id, { ...pushed, tries: thread.tries + 1, detail: problem });
      else await threads.change(thread.id, { ...done, ...pushed, state: 'refused', detail: problem });
    } catch (error) {
      const refusal = toApiError(error);
      const reason = refusal.options.details?.reason;
      if (refusal.code === 'internal' || refusal.code === 'unavailable') throw error;
      if ((refusal.passes || passing.has(reason)) && thread.tries < maxTries) return threads.change(thread.id, { tries: thread.tries + 1 });
      const isAnswer = nothingToPublish.has(reason);
      const detail = isAnswer ? run.result : failureSentence(language, refusal);
      await threads.change(thread.id, { ...done, state: isAnswer ? 'answered' : 'refused', detail });
    }
  }
}

/** A question as a comment shows it. What asks for fields, tools or money is answered in Artel. */
function questionText(question: Question, language: Language): string {
  const { title, text, buttons } = question;
  const labels = wordsOfButtons(buttons, language);
  const choices = labels.length === 0 ? '' : translate(language, 'forge.chooseOne', { buttons: labels.join(' · ') });
  const end = answersByMessage(question) ? choices : translate(language, 'telegram.decideInArtel');
  return [title, text, end].filter((part) => part !== '').join('\n\n');
}
