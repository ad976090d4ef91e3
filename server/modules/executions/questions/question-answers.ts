import type { Question } from '../../../../contract/executions/question.ts';
import { ApiError, orNotFound } from '../../../http/api-error.ts';
import type { Language } from '../../../http/call.ts';
import { eq } from '../../../platform/database/drizzle.ts';
import type { WorkQueue } from '../../../platform/work-queue/work-queue.ts';
import type { FilesInAnswer } from '../../files/index.ts';
import { type QuestionRow, toQuestion } from '../store/question-rows.ts';
import type { StepRow } from '../store/rows.ts';
import { questions } from '../store/tables.ts';
import { noteWords, type WordSource } from '../store/word-sources.ts';
import { readPartialAnswer } from '../tools/partial-answer.ts';
import type { RunEnds } from '../transitions/end-run.ts';
import { cancelJob, continueRun } from '../transitions/execution-jobs.ts';
import type { Transition } from '../transitions/transition.ts';
import type { RunTransition } from '../transitions/transitions.ts';
import { answerKinds, isEdit } from './answer-kinds.ts';
import type { CheckedAnswer } from './check-answer.ts';

type AnswerDeps = {
  transition: RunTransition;
  runEnds: Pick<RunEnds, 'cancel' | 'endLimited' | 'failStep'>;
  queue: Pick<WorkQueue, 'insertJob' | 'cancel' | 'wake'>;
  filesInAnswer: FilesInAnswer;
  newId: () => string;
};

type Answering = {
  question: Pick<QuestionRow, 'id' | 'executionId'>;
  by: string;
  /** Who writes the words of the answer. */
  words: WordSource;
  language: Language;
  /** Checks the answer against the question as it is under the lock. */
  check: (question: QuestionRow) => CheckedAnswer;
  /** Called with the answered question, in the same transaction. */
  keep?: (tx: ReturnType<Transition['tx']>, question: Question) => Promise<void>;
};

/** Answers questions, once each, and ends those that are due. */
export class QuestionAnswers {
  readonly #deps: AnswerDeps;

  constructor(deps: AnswerDeps) {
    this.#deps = deps;
  }

  /**
   * Stores an answer with what follows from it. The run continues at once: with a new job, or in its attempt at work. Throws `not_found`,
   * `question_answered` with the question as it was answered first, or `question_withdrawn`.
   */
  async answer({ question: { id, executionId }, by, words, language, check, keep }: Answering): Promise<Question> {
    const done = await this.#deps.transition({ id: executionId }, async (it) => {
      const open = await findOpen(it, id);
      const checked = check(open);
      const step = await stepOf(it, open);
      const answered = { ...open, state: 'answered' as const, answer: checked.given, answeredBy: by, answeredAt: it.now };
      const draft = await draftOf(it, open, checked, step);
      await it
        .tx()
        .update(questions)
        .set({ state: 'answered', answer: checked.given, answeredBy: by, answeredAt: it.now, draft })
        .where(eq(questions.id, id));
      it.set({ openQuestions: it.row.openQuestions - 1 });
      if (hasWords(checked)) noteWords(it, words);
      const question = toQuestion({ ...answered, draft });
      if (checked.action === 'stop') {
        it.record('question.answered', { question });
        await this.#deps.runEnds.cancel(it);
        await cancelJob(this.#deps.queue, it);
      } else {
        await answerKinds[open.kind].apply({ it, step, question, checked, language, filesInAnswer: this.#deps.filesInAnswer });
        await this.#goOn(it);
      }
      await keep?.(it.tx(), question);
      return question;
    });
    if (!done) throw new ApiError('not_found');
    this.#deps.queue.wake('execution');
    return done.value;
  }

  /** Ends a question that is due. Returns false when it is answered, withdrawn, or not due any more. */
  async expire({ id, executionId }: Pick<QuestionRow, 'id' | 'executionId'>, now: Date): Promise<boolean> {
    const done = await this.#deps.transition({ id: executionId }, async (it) => {
      const open = await findQuestion(it, id);
      if (open?.state !== 'open' || open.dueAt > now) return false;
      const step = await stepOf(it, open);
      await it.tx().update(questions).set({ state: 'expired', answeredAt: it.now }).where(eq(questions.id, id));
      it.set({ openQuestions: it.row.openQuestions - 1 });
      const question = toQuestion({ ...open, state: 'expired', answeredAt: it.now });
      if (await answerKinds[open.kind].expire({ it, step, question, runEnds: this.#deps.runEnds })) return true;
      await this.#goOn(it);
      return true;
    });
    if (done?.value) this.#deps.queue.wake('execution');
    return done?.value ?? false;
  }

  /** Continues the run. One that ends at its budget while it is paused has nothing under way, and ends at once. */
  async #goOn(it: Transition): Promise<void> {
    if (it.row.limited && it.row.status === 'paused') await this.#deps.runEnds.endLimited(it);
    else continueRun(this.#deps, it);
  }
}

/** Returns the agent's text that an answer replaces, for its question; null where it stays. */
async function draftOf(it: Transition, { asked }: QuestionRow, checked: CheckedAnswer, step: StepRow): Promise<string | null> {
  if (checked.action !== 'askAgain' && !isEdit(checked, step)) return null;
  return asked.room ? readPartialAnswer(it.tx(), step, it.row.language) : step.result;
}

/** Whether an answer has more than a button: the account has named those itself. */
function hasWords({ text, given }: CheckedAnswer): boolean {
  return text.trim() !== '' || Object.keys(given.values ?? {}).length > 0;
}

/** Returns a question. The execution is locked, so that no other caller can answer it meanwhile. */
async function findQuestion(it: Transition, id: string): Promise<QuestionRow | null> {
  const [row] = await it.tx().select().from(questions).where(eq(questions.id, id));
  return row ?? null;
}

/** The same of one that is open. Throws `not_found`, `question_answered` or `question_withdrawn`. */
async function findOpen(it: Transition, id: string): Promise<QuestionRow> {
  const row = orNotFound(await findQuestion(it, id));
  if (row.state === 'open') return row;
  throw new ApiError(row.state === 'withdrawn' ? 'question_withdrawn' : 'question_answered', { details: { question: toQuestion(row) } });
}

async function stepOf(it: Transition, { stepId }: QuestionRow): Promise<StepRow> {
  const step = (await it.steps()).find((row) => row.stepId === stepId);
  if (!step) throw new Error('The step of a question does not exist.');
  return step;
}
