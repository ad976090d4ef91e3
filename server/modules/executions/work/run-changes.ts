import { RunState } from '../../../../rules/run-graph/run-state.ts';
import type { WorkQueue } from '../../../platform/work-queue/work-queue.ts';
import { selectStepSettings } from '../../budgets/index.ts';
import type { FileBlocks, FilesInAnswer } from '../../files/index.ts';
import { pathsInRun } from '../files/paths-in-run.ts';
import { choiceOf, compiledOf, failureEndsRun, settleSteps } from '../graph/compiled-graph.ts';
import { originOf, toStepState } from '../graph/step-states.ts';
import { askChoice, askHandOff, heldLinks } from '../questions/ask-person.ts';
import { failureFor } from '../store/failure-texts.ts';
import { chainGraphOf } from '../store/held-links.ts';
import { finalAnswer, type StepRow } from '../store/rows.ts';
import type { StepAnswer } from '../store/step-answer.ts';
import { storingTestLog } from '../store/test-run-rows.ts';
import { versionOfRun } from '../store/version-of-run.ts';
import { noteWords } from '../store/word-sources.ts';
import { beginStep, countSteps, recordThinking, storeFiles, storeSpend } from '../transitions/change-steps.ts';
import type { AboutAnswer, Claim, StepWork } from '../transitions/claim.ts';
import { firstUnfinished, pauseRun, type RunEnds, type StepFailure, stoppedAt, storeFailedStep } from '../transitions/end-run.ts';
import type { Transition } from '../transitions/transition.ts';
import { followLinks } from './follow-links.ts';
import { refuseUnseenFiles } from './refuse-unseen-files.ts';
import { marksOf } from './step-marks.ts';

type RunChangesDeps = {
  runEnds: RunEnds;
  filesInAnswer: FilesInAnswer;
  queue: Pick<WorkQueue, 'removeJob'>;
  newId: () => string;
};

/**
 * What an attempt does after a change of its run: it carries out the steps that run now, continues after a wait (ms), or is over. `readsOf`: the
 * step whose settings the change reads. `isSettled`: the change has removed the job.
 */
export type Following = { waitMs: number | null; isOver: boolean; readsOf?: string; isSettled?: true };

/** What an attempt may do next. `takesNext`: steps may begin. `afterEnd`: a step has just ended, so that pauses apply. */
type Pace = { takesNext: boolean; afterEnd: boolean; mayBegin?: boolean };

export const attemptOver: Following = { waitMs: null, isOver: true };
export const attemptGoesOn: Following = { waitMs: null, isOver: false };

/**
 * The changes of an execution by its attempts: the begin of an attempt, the ends of its steps, and what follows from them. A chain is the graph
 * in which one step runs at a time.
 */
export class RunChanges {
  readonly #deps: RunChangesDeps;

  /** Files of answers: a change that is repeated under the lock of its row must not wait for another connection. */
  readonly #files = new WeakMap<StepAnswer, Awaited<ReturnType<FilesInAnswer>>>();

  constructor(deps: RunChangesDeps) {
    this.#deps = deps;
  }

  /** Begins an attempt: restarts the steps `cutOff`, and starts others up to the maximum. */
  async begin(change: Transition, cutOff: readonly StepRow[]): Promise<Following> {
    const { row, now } = change;
    if (row.status === 'pending') {
      change.set({ status: 'running', startedAt: now });
      change.record('execution.started');
    }
    // A run that ends at its budget begins no step again.
    const again = row.limited || isOutOfTime(change) ? [] : cutOff;
    if (row.limited)
      await change.setSteps(
        cutOff.map(({ stepId }) => stepId),
        { status: 'pending' },
      );
    for (const step of again) await beginStep(change, step);
    const next = await this.follow(change, { takesNext: true, afterEnd: false });
    return again.length === 1 && again[0] && !next.isOver && next.readsOf === undefined ? this.#reading(change, again[0], next) : next;
  }

  /** Writes what follows from the current steps, and starts as many as possible; none if not `mayBegin`. */
  async follow(change: Transition, { takesNext, afterEnd, mayBegin = true }: Pace): Promise<Following> {
    const { row } = change;
    if (isOutOfTime(change) && !settleSteps(row, await change.steps()).isDone) {
      const step = await firstUnfinished(change);
      const about = { agent: stoppedAt(await change.steps()), seconds: row.timeoutSeconds };
      const failure = failureFor({ code: 'execution_timeout' }, row.language, about);
      // A step beside others that is under way is cancelled, with what it has cost.
      const isUnderWay = row.graph !== null && step?.status === 'running';
      return this.#fail(change, isUnderWay ? null : step, { failure, durationMs: 0 });
    }
    const running = (await change.steps()).filter(({ status }) => status === 'running').length;
    if (row.limited) {
      if (running > 0) return attemptGoesOn;
      await this.#deps.runEnds.endLimited(change);
      return this.#ended(change);
    }
    const pauses = row.pauseRequested || (row.singleStep && afterEnd);
    const waits = takesNext && !pauses && afterEnd && row.pauseBetweenStepsMs > 0;
    const mayStart = takesNext && mayBegin && !pauses && !waits && row.budgetHold === null;
    const places = row.singleStep ? 1 : (row.graph?.maxParallel ?? 1);
    const { begun, failure, isDone } = await followLinks(change, {
      agents: mayStart ? places - running : 0,
      persons: mayStart,
      isSingle: row.singleStep,
    });
    if (failure) return this.#fail(change, null, { failure, durationMs: 0 });
    if (isDone) {
      await this.#deps.runEnds.complete(change, finalAnswer({ status: 'completed' }, await change.steps()) ?? '');
      return this.#ended(change);
    }
    if (waits) return { waitMs: row.pauseBetweenStepsMs, isOver: false };
    if (begun.length === 1 && begun[0]) return this.#reading(change, begun[0], attemptGoesOn);
    if (begun.length > 0 || (await change.steps()).some(({ status }) => status === 'running')) return attemptGoesOn;
    if (!pauses && !takesNext) return attemptGoesOn;
    if (pauses) pauseRun(change);
    else if (change.row.openQuestions === 0) throw new Error('No step of the run can begin, and none has to be waited for.');
    // Only people are waited for: the run has no job until one of them answers.
    else change.set({ jobId: null });
    return attemptOver;
  }

  /** Stores the answer of a step. One that was stored before is not stored again: only what follows from it is returned. */
  async storeAnswer(
    it: Transition,
    claim: Claim,
    answer: StepAnswer,
    { thoughts, testLog }: AboutAnswer,
    takesNext: boolean,
  ): Promise<Following> {
    const step = await runningStep(it, claim);
    if (!step) return this.#followStored(it, claim, takesNext);
    const { files, refused } = await refuseUnseenFiles(it, step, answer, await this.#filesOf(it.row.id, answer));
    const { label, isUndecided, spend, lastWrite: _lastWrite, mayNotWrite: _mayNotWrite, ...stored } = answer;
    const { choices = [], isList = false } = claim.inputs?.inGraph ?? {};
    const counts = { admitted: files.length, refused: refused.length, isCut: refused.some(({ reason }) => reason === 'unclosed') };
    storeSpend(it, spend);
    const held = () => pathsInRun(it.tx(), it.row);
    const testRun = answer.testRun ?? null;
    const choice = await choiceOf(it.row.graph, step, { result: answer.result, label: label ?? null, files, testRun, held });
    // Executed tests may have chosen where the agent named no label.
    const mustAsk = isUndecided && choice === null;
    if (testRun?.hasLog && !testRun.simulated) noteWords(it, 'tests');
    const done = await it.setStep(step, {
      ...stored,
      choice,
      marks: marksOf({ row: it.row, step, answer, files: counts, isChoiceOrList: choices.length > 0 || isList }),
      refusedFiles: refused.length === 0 ? null : refused,
      revision: null,
      status: mustAsk ? 'waiting' : 'completed',
      completedAt: mustAsk ? null : it.now,
      error: null,
    });
    if (files.length > 0) storeFiles(it, step, files);
    if (thoughts !== null) recordThinking(it, step, thoughts, this.#deps.newId());
    if (testLog !== undefined) it.addWrite(storingTestLog(step, testLog));
    await countSteps(it);
    if (mustAsk && it.row.graph) await askChoice(it, compiledOf(it.row.graph), done);
    else await recordAnswer(it, done);
    return this.follow(it, { takesNext, afterEnd: true });
  }

  /** Stores the failure of a step, and ends the run unless the graph goes on without it. */
  async storeFailure(it: Transition, claim: Claim, failed: StepFailure, takesNext: boolean): Promise<Following> {
    const step = await runningStep(it, claim);
    if (!step) return this.#followStored(it, claim, takesNext);
    if (failed.failure.code === 'execution_timeout' || failureEndsRun(it.row.graph, step)) return this.#fail(it, step, failed);
    await storeFailedStep(it, step, failed);
    return this.follow(it, { takesNext, afterEnd: true });
  }

  /**
   * Leaves a step that waits for a person, or begins again. A chain follows stored links from then on. A run of single steps stays with the step, and does
   * not pause before its end. `attempts`: those of the step when it is left, so that one which has begun again is not left a second time.
   */
  async suspend(
    it: Transition,
    claim: Claim,
    work: StepWork,
    { takesNext, attempts }: { takesNext: boolean; attempts: number },
  ): Promise<Following> {
    const running = await runningStep(it, claim);
    const step = running?.attempts === attempts ? running : null;
    if (step && it.row.graph === null) {
      // The links of the canvas are in the input of the run, which only the stored row has.
      it.tx();
      it.set({ graph: chainGraphOf(await it.steps(), it.row.input) });
    }
    if (step) await work(it, step);
    const { singleStep } = it.row;
    const isWaiting = (await it.steps()).some(({ stepId, status }) => stepId === claim.step.stepId && status === 'waiting');
    return this.follow(it, { takesNext, afterEnd: !singleStep, mayBegin: !(singleStep && isWaiting) });
  }

  async #filesOf(executionId: string, answer: StepAnswer): Promise<Awaited<ReturnType<FilesInAnswer>>> {
    const known = this.#files.get(answer);
    if (known) return known;
    const given = await this.#deps.filesInAnswer(executionId, answer.result);
    const files = answer.mayNotWrite ? withoutAccess(given) : given;
    this.#files.set(answer, files);
    return files;
  }

  /** The end of the step was stored, and the reply was lost with the connection; or another step has cut it off. */
  async #followStored(it: Transition, { step: { stepId } }: Claim, takesNext: boolean): Promise<Following> {
    const stored = (await it.steps()).find((row) => row.stepId === stepId);
    return this.follow(it, { takesNext, afterEnd: stored?.status !== 'cancelled' });
  }

  async #fail(change: Transition, step: StepRow | null, failed: StepFailure): Promise<Following> {
    await this.#deps.runEnds.fail(change, step, failed);
    return this.#ended(change);
  }

  /** Removes the job with the statement that ends the run. */
  #ended(change: Transition): Following {
    const { jobId } = change.row;
    if (jobId === null) return attemptOver;
    change.addWrite((source, place) => this.#deps.queue.removeJob('execution', jobId, { source, place }));
    return { ...attemptOver, isSettled: true };
  }

  /** Reads the settings of a step that begins with the statement that begins it. */
  #reading(change: Transition, { stepId, agentId }: StepRow, next: Following): Following {
    const { userId, projectId, id: executionId } = change.row;
    const teamVersionId = versionOfRun(change.row);
    change.read((place) => selectStepSettings({ userId, projectId, executionId, agentId, teamVersionId }, place));
    return { ...next, readsOf: stepId };
  }
}

function withoutAccess({ files, refused }: FileBlocks): FileBlocks {
  return { files: [], refused: [...refused, ...files.map(({ path }) => ({ path, reason: 'no_access' as const }))] };
}

/** Records the end of a step with an answer, and asks a person if a link holds it. */
async function recordAnswer(it: Transition, step: StepRow): Promise<void> {
  const { graph } = it.row;
  const held =
    graph && heldLinks(it, new RunState(compiledOf(graph), (await it.steps()).map(toStepState)), step, await otherRuns(it, step));
  if (!held) {
    it.record('step.completed', { step });
    return;
  }
  const waiting = await it.setStep(step, { handOff: { state: 'open', linkIds: held.links.map(({ id }) => id) } });
  it.record('step.completed', { step: waiting });
  await askHandOff(it, waiting, held);
}

async function otherRuns(it: Transition, step: StepRow): Promise<StepRow[]> {
  return (await it.steps()).filter((row) => originOf(row) === originOf(step) && row.stepId !== step.stepId);
}

/** Returns the step of a claim while it is running. */
export async function runningStep(it: Transition, { step: { stepId } }: Claim): Promise<StepRow | null> {
  const step = (await it.steps()).find((row) => row.stepId === stepId);
  return step?.status === 'running' ? step : null;
}

function isOutOfTime({ row }: Transition): boolean {
  return row.activeMs >= row.timeoutSeconds * 1_000;
}
