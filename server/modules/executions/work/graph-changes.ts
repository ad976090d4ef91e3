import type { CompiledGraph } from '../../../../rules/run-graph/run-graph.ts';
import { RunState } from '../../../../rules/run-graph/run-state.ts';
import type { Db } from '../../../platform/database/database.ts';
import { type FilesInAnswer, storingFiles } from '../../files/index.ts';
import type { Recorder } from '../../results/index.ts';
import { pathsInRun } from '../files/paths-in-run.ts';
import { askChoice, askHandOff, heldLinks } from '../questions/ask-person.ts';
import { finalAnswer, type StepRow } from '../store/rows.ts';
import type { StepAnswer } from '../store/step-answer.ts';
import { storingTestLog } from '../test-runs/test-run-rows.ts';
import { closeCalls, completeRun, endLimited, failRun, pauseRun, type StepFailure, storeSpend } from './end-run.ts';
import { failureFor } from './failure-texts.ts';
import { type BegunStep, beginStep, choiceOf, compiledOf, failureEndsRun, followLinks, inputsOfStep } from './graph-outcomes.ts';
import type { AboutAnswer, Claim } from './step-ends.ts';
import { recordThinking } from './step-outcomes.ts';
import { originOf, toStepState } from './step-states.ts';
import type { Snapshot, Transition } from './transition.ts';

export type GraphChangesDeps = {
  recorder: Recorder;
  filesInAnswer: FilesInAnswer;
  /** Reads the paths of files for tests of data. */
  db: Db;
  newId: () => string;
};

/** The steps that an attempt starts with, the wait before the next ones if any (ms), and the execution after their start. */
export type GraphStart = { known: Snapshot; begun: BegunStep[]; waitMs: number | null; isOver: boolean };

/** The next action of a graph: steps to start, a wait before the next start, or the end of the attempt. */
export type GraphNext = { begun: BegunStep[]; waitMs: number | null; isOver: boolean };

type Following = { takesNext: boolean; afterEnd: boolean; mayBegin?: boolean };

export const runEnded: GraphNext = { begun: [], waitMs: null, isOver: true };

/** The changes of an execution whose steps follow links: its start, the ends of its steps, and what follows from them. */
export function createGraphChanges({ recorder, filesInAnswer, db, newId }: GraphChangesDeps) {
  /** Begins an attempt: restarts steps that were cut off, and starts others up to the maximum. */
  async function begin(change: Transition): Promise<GraphStart> {
    const { row, now } = change;
    if (row.status === 'pending') {
      change.set({ status: 'running', startedAt: now });
      change.record('execution.started');
    }
    const cutOff = (await change.steps()).filter(({ status }) => status === 'running');
    const again: BegunStep[] = [];
    // A run that ends at its budget begins no step again.
    if (row.limited)
      await change.setSteps(
        cutOff.map(({ stepId }) => stepId),
        { status: 'pending' },
      );
    if (row.graph && !row.limited && !isOutOfTime(change)) {
      for (const step of cutOff) {
        const inputs = inputsOfStep(row.graph, step, await change.steps());
        again.push({ step: await beginStep(change, step), inputs, isCutOff: true });
      }
    }
    const next = await follow(change, { takesNext: true, afterEnd: false });
    return { known: await snapshotOf(change), ...next, begun: next.isOver ? [] : [...again, ...next.begun] };
  }

  /** Writes what follows from the current steps, and starts as many as possible; none if not `mayBegin`. */
  async function follow(change: Transition, { takesNext, afterEnd, mayBegin = true }: Following): Promise<GraphNext> {
    const { row } = change;
    if (!row.graph) throw new Error('The execution has no graph.');
    if (isOutOfTime(change)) {
      const failure = failureFor({ code: 'execution_timeout' }, row.language, { agent: '', seconds: row.timeoutSeconds });
      await failRun(change, null, { failure, durationMs: 0 }, recorder);
      return runEnded;
    }
    const running = (await change.steps()).filter(({ status }) => status === 'running').length;
    if (row.limited) {
      if (running > 0) return { begun: [], waitMs: null, isOver: false };
      await endLimited(change, recorder);
      return runEnded;
    }
    const pauses = row.pauseRequested || (row.singleStep && afterEnd);
    const waits = takesNext && !pauses && afterEnd && row.pauseBetweenStepsMs > 0;
    const mayStart = takesNext && mayBegin && !pauses && !waits && row.budgetHold === null;
    const agents = mayStart ? (row.singleStep ? 1 : row.graph.maxParallel) - running : 0;
    const followed = await followLinks(change, row.graph, { agents, persons: mayStart, isSingle: row.singleStep });
    if (followed.failed) {
      await failRun(change, null, { failure: followed.failed.failure, durationMs: 0 }, recorder);
      return runEnded;
    }
    if (followed.isDone) {
      await completeRun(change, finalAnswer({ status: 'completed' }, await change.steps()) ?? '', recorder);
      return runEnded;
    }
    const { begun } = followed;
    if (waits) return { begun, waitMs: row.pauseBetweenStepsMs, isOver: false };
    const left = (await change.steps()).some(({ status }) => status === 'running');
    if (left || !takesNext) return { begun, waitMs: null, isOver: false };
    if (pauses) pauseRun(change);
    else if (change.row.openQuestions === 0) throw new Error('No step of the run can begin, and none has to be waited for.');
    // Only people are waited for: the run has no job until one of them answers.
    else change.set({ jobId: null });
    return runEnded;
  }

  async function storeAnswer(it: Transition, claim: Claim, answer: StepAnswer, about: AboutAnswer): Promise<GraphNext> {
    const { thoughts, testLog, takesNext } = about;
    const step = await runningStep(it, claim);
    if (!step || !it.row.graph) return follow(it, { takesNext, afterEnd: false });
    const { files, refused } = await filesInAnswer(it.row.id, answer.result);
    const { label, isUndecided, spend, ...stored } = answer;
    storeSpend(it, spend);
    const held = () => pathsInRun(db, it.row);
    const choice = await choiceOf(it.row.graph, step, { result: answer.result, label: label ?? null, files, held });
    const done = await it.setStep(step, {
      ...{ ...stored, choice, refusedFiles: refused.length === 0 ? null : refused, revision: null },
      ...{ status: isUndecided ? 'waiting' : 'completed', completedAt: isUndecided ? null : it.now, error: null },
    });
    // The newest version of a file is that of the step that ended last.
    if (files.length > 0) {
      it.addWrite(storingFiles({ stepId: step.stepId, orderIndex: it.row.lastSeq }, files));
      it.set({ hasFiles: true });
    }
    if (thoughts !== null) recordThinking(it, step, thoughts, newId());
    if (testLog !== undefined) it.addWrite(storingTestLog(step, testLog));
    const compiled = compiledOf(it.row.graph);
    if (isUndecided) await askChoice(it, compiled, done);
    else await recordAnswer(it, compiled, done);
    return follow(it, { takesNext, afterEnd: true });
  }

  async function storeFailure(it: Transition, claim: Claim, failed: StepFailure, takesNext: boolean): Promise<GraphNext> {
    const step = await runningStep(it, claim);
    if (!step || !it.row.graph) return follow(it, { takesNext, afterEnd: false });
    if (failed.failure.code === 'execution_timeout' || failureEndsRun(it.row.graph, step)) {
      await failRun(it, step, failed, recorder);
      return runEnded;
    }
    const { failure, spend, ...facts } = failed;
    storeSpend(it, spend);
    closeCalls(it, step);
    const ended = await it.setStep(step, { ...facts, status: 'failed', error: failure, completedAt: it.now });
    it.record('step.failed', { step: ended, error: failure });
    // Only the step has failed; the run continues.
    return follow(it, { takesNext, afterEnd: true });
  }

  /** Stores the answer of a step of a run that has got a graph meanwhile, and continues along the links. */
  async function continueChain(change: Transition, claim: Claim, answer: StepAnswer, about: AboutAnswer): Promise<GraphStart> {
    const next = await storeAnswer(change, claim, answer, about);
    return { known: await snapshotOf(change), ...next };
  }

  /**
   * Writes what follows after a step was left before its end: it waits for a person, or begins again. A run of single steps stays with the step, and
   * does not pause before its end.
   */
  async function followSuspended(change: Transition, { step: { stepId } }: Claim, takesNext: boolean): Promise<GraphNext> {
    const { singleStep } = change.row;
    const isWaiting = (await change.steps()).some((row) => row.stepId === stepId && row.status === 'waiting');
    return follow(change, { takesNext, afterEnd: !singleStep, mayBegin: !(singleStep && isWaiting) });
  }

  /** Continues a run with a step that was left before its end. */
  async function continueSuspended(change: Transition, claim: Claim): Promise<GraphStart> {
    const next = await followSuspended(change, claim, true);
    return { known: await snapshotOf(change), ...next };
  }

  return { begin, follow, followSuspended, storeAnswer, storeFailure, continueChain, continueSuspended };
}

export type GraphChanges = ReturnType<typeof createGraphChanges>;

/** Records the end of a step with an answer, and asks a person if a link holds it. */
async function recordAnswer(it: Transition, compiled: CompiledGraph, step: StepRow): Promise<void> {
  const steps = await it.steps();
  const ofStep = steps.filter((row) => originOf(row) === originOf(step) && row.stepId !== step.stepId);
  const held = heldLinks(it, new RunState(compiled, steps.map(toStepState)), step, ofStep);
  if (!held) {
    it.record('step.completed', { step });
    return;
  }
  const waiting = await it.setStep(step, { handOff: { state: 'open', linkIds: held.links.map(({ id }) => id) } });
  it.record('step.completed', { step: waiting });
  await askHandOff(it, waiting, held);
}

/** Returns the step of a claim while it is running. */
export async function runningStep(it: Transition, claim: Claim): Promise<StepRow | null> {
  const step = (await it.steps()).find(({ stepId }) => stepId === claim.step.stepId);
  return step?.status === 'running' ? step : null;
}

function isOutOfTime({ row }: Transition): boolean {
  return row.activeMs >= row.timeoutSeconds * 1_000;
}

export async function snapshotOf(it: Transition): Promise<Snapshot> {
  return { row: it.row, steps: await it.steps(), contexts: await it.contexts() };
}
