import type { HandOff } from '../../../../contract/executions/execution.ts';
import type { Question } from '../../../../contract/executions/question.ts';
import { ApiError } from '../../../http/api-error.ts';
import type { Language } from '../../../http/call.ts';
import { translate } from '../../../http/language.ts';
import { elapsedBetween } from '../../../platform/clock.ts';
import { eq } from '../../../platform/database/drizzle.ts';
import type { WorkQueue } from '../../../platform/work-queue/work-queue.ts';
import { admitFiles, type FileBlock, FileRepository, type FilesInAnswer } from '../../files/index.ts';
import { InputFiles } from '../../inputs/index.ts';
import { pathsInRun } from '../files/paths-in-run.ts';
import { choiceOf } from '../graph/compiled-graph.ts';
import { failureFor } from '../store/failure-texts.ts';
import { type QuestionRow, toQuestion } from '../store/question-rows.ts';
import type { StepRow } from '../store/rows.ts';
import { questions } from '../store/tables.ts';
import { noteWords, type WordSource } from '../store/word-sources.ts';
import { readSaidSoFar } from '../tools/said-so-far.ts';
import { skipSteps, storeFiles } from '../transitions/change-steps.ts';
import type { RunEnds } from '../transitions/end-run.ts';
import { cancelJob, continueRun } from '../transitions/execution-jobs.ts';
import type { Transition } from '../transitions/transition.ts';
import type { RunTransition } from '../transitions/transitions.ts';
import { answerBudget, expireBudget } from './answer-budget.ts';
import { answerCall } from './answer-call.ts';
import { decideHosts } from './ask-hosts.ts';
import { answerRoom, endAtRoom } from './ask-room.ts';
import type { CheckedAnswer } from './check-answer.ts';
import { changedByPerson, demandSeen } from './demand-seen.ts';

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
      const about = { it, step, question: toQuestion({ ...answered, draft }), checked, language };
      if (checked.action === 'stop') {
        it.record('question.answered', { question: about.question });
        await this.#deps.runEnds.cancel(it);
        await cancelJob(this.#deps.queue, it);
      } else {
        await this.#apply(about);
        await this.#goOn(it);
      }
      await keep?.(it.tx(), about.question);
      return about.question;
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
      const { whenDue } = open;
      if (question.budget) {
        it.record('question.expired', { question, step: await expireBudget(it, step, question.budget) });
      } else if (question.room) {
        it.record('question.expired', { question, step: await endAtRoom(it, step) });
      } else if (question.install) {
        it.record('question.expired', { question, step: await decideHosts(it, step, null) });
      } else if (open.kind === 'hand_off') {
        const handOff = step.handOff && { ...step.handOff, state: 'sent' as const };
        it.record('question.expired', { question, step: await it.setStep(step, { handOff }) });
      } else {
        it.record('question.expired', { question });
        if (whenDue === 'skip') await skipSteps(it, [step]);
        else if (typeof whenDue === 'object')
          await completeCard(it, step, { result: whenDue.choose ? `**${whenDue.choose}**` : '', label: whenDue.choose, files: [] });
        else {
          const failure = failureFor({ code: 'question_expired' }, it.row.language, { agent: step.name });
          if (await this.#deps.runEnds.failStep(it, step, failure)) return true;
        }
      }
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

  async #apply({ it, step, question, checked, language }: Applying): Promise<void> {
    const answered = (after?: StepRow) => it.record('question.answered', { question, ...(after && { step: after }) });
    const { action } = checked;
    if (question.budget) {
      answered(await answerBudget(it, step, question.budget, checked.given, language));
    } else if (question.room) {
      answered(await answerRoom(it, step, question.room, checked));
    } else if (question.install) {
      answered(await decideHosts(it, step, action));
    } else if (question.call) {
      answered(await answerCall(it, step, question.call, checked));
    } else if (action === 'askAgain') {
      const revision = { draft: step.result ?? '', note: checked.text };
      answered(
        await it.setStep(step, { ...notDone, status: 'pending', result: null, choice: null, handOff: null, revision, ...newTurns(step) }),
      );
    } else if (question.kind === 'hand_off') {
      const state: HandOff['state'] = action === 'skip' ? 'skipped' : action === 'anotherRound' ? 'again' : 'sent';
      const handOff = step.handOff && { ...step.handOff, state, ...(isEdit(checked, step) && { isEdited: true as const }) };
      if (isEdit(checked, step)) await this.#storeEdited(it, step, checked, language);
      answered(await it.setStep(step, { handOff, ...(isEdit(checked, step) && { result: checked.text }) }));
    } else if (action === 'skip') {
      answered();
      await skipSteps(it, [step]);
    } else if (question.reason === 'choice') {
      answered();
      it.record('step.completed', { step: await it.setStep(step, { status: 'completed', completedAt: it.now, choice: checked.label }) });
    } else {
      const files = await admitted(it, checked, language);
      const since = { ...step, startedAt: step.startedAt ?? new Date(question.openedAt) };
      await demandSeen(it, { step: since, files, overwrites: checked.overwrites, language });
      storeFiles(it, step, files);
      answered();
      await completeCard(it, step, { ...checked, files });
    }
  }

  /** Stores the files of an edited answer that the person has changed. */
  async #storeEdited(it: Transition, step: StepRow, { text, overwrites }: CheckedAnswer, language: Language): Promise<void> {
    const { files } = await this.#deps.filesInAnswer(it.row.id, text);
    const changed = changedByPerson(files, text, step.result);
    await demandSeen(it, { step, files: changed, overwrites, language });
    if (changed.length > 0) storeFiles(it, step, changed);
  }
}

async function completeCard(
  it: Transition,
  step: StepRow,
  { result, label, files }: Pick<CheckedAnswer, 'result' | 'label' | 'files'>,
): Promise<void> {
  const held = () => pathsInRun(it.tx(), it.row);
  const choice = await choiceOf(it.row.graph, step, { result, label, files, testRun: null, held });
  const completed = await it.setStep(step, {
    status: 'completed',
    completedAt: it.now,
    result,
    choice,
    error: null,
    durationMs: elapsedBetween(step.startedAt ?? it.now, it.now),
  });
  it.record('step.completed', { step: completed });
}

type Applying = { it: Transition; step: StepRow; question: Question; checked: CheckedAnswer; language: Language };

/** The next answer of the agent begins without the turns of the last one. */
const newTurns = ({ turns }: StepRow) => ({ turnsFrom: turns, toolUse: null, testRun: null, shortened: null, room: null, marks: null });

const notDone = { completedAt: null, durationMs: null, provider: null, model: null, usage: null, simulated: false, error: null };

/** Returns the agent's text that an answer replaces, for its question; null where it stays. */
async function draftOf(it: Transition, { asked }: QuestionRow, checked: CheckedAnswer, step: StepRow): Promise<string | null> {
  if (checked.action !== 'askAgain' && !isEdit(checked, step)) return null;
  return asked.room ? readSaidSoFar(it.tx(), step, it.row.language) : step.result;
}

/** Whether an answer has more than a button: the account has named those itself. */
function hasWords({ text, given }: CheckedAnswer): boolean {
  return text.trim() !== '' || Object.keys(given.values ?? {}).length > 0;
}

function isEdit({ action, text }: CheckedAnswer, step: StepRow): boolean {
  return action === 'handOn' && text.trim() !== '' && text !== step.result;
}

/** Returns a question. The execution is locked, so that no other caller can answer it meanwhile. */
async function findQuestion(it: Transition, id: string): Promise<QuestionRow | null> {
  const [row] = await it.tx().select().from(questions).where(eq(questions.id, id));
  return row ?? null;
}

/** The same of one that is open. Throws `not_found`, `question_answered` or `question_withdrawn`. */
async function findOpen(it: Transition, id: string): Promise<QuestionRow> {
  const row = await findQuestion(it, id);
  if (!row) throw new ApiError('not_found');
  if (row.state === 'open') return row;
  throw new ApiError(row.state === 'withdrawn' ? 'question_withdrawn' : 'question_answered', { details: { question: toQuestion(row) } });
}

async function stepOf(it: Transition, { stepId }: QuestionRow): Promise<StepRow> {
  const step = (await it.steps()).find((row) => row.stepId === stepId);
  if (!step) throw new Error('The step of a question does not exist.');
  return step;
}

/** Returns the files of an answer. Throws `bad_request` for those that do not fit into the run. */
async function admitted(it: Transition, { files }: CheckedAnswer, language: Language): Promise<FileBlock[]> {
  if (files.length === 0) return [];
  const held = await new FileRepository(it.tx()).held(it.row.id);
  const { files: fitting, refused } = admitFiles({ files, refused: [] }, held, await new InputFiles(it.tx()).paths(it.row.id, files));
  if (refused.length > 0) {
    const errors = refused.map(({ path, reason }) => ({ path: 'values', message: `${path}: ${translate(language, `file.${reason}`)}` }));
    throw new ApiError('bad_request', { errors });
  }
  return fitting;
}
