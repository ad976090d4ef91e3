import type { Failure } from '../../../../contract/errors.ts';
import type { Place } from '../../../platform/database/statement.ts';
import type { JobClaim, WorkQueue } from '../../../platform/work-queue/work-queue.ts';
import type { AgentModelConfig, AgentService } from '../../agents/index.ts';
import { type ProjectSettings, selectStepSettings, toStepSettings } from '../../budgets/index.ts';
import { type FilesInAnswer, storingFiles } from '../../files/index.ts';
import type { Recorder } from '../../results/index.ts';
import { recordThought, thoughtMessage } from '../../thoughts/index.ts';
import { chainGraphOf } from '../store/held-links.ts';
import type { StepRow } from '../store/rows.ts';
import type { StepAnswer } from '../store/step-answer.ts';
import { storingTestLog } from '../test-runs/test-run-rows.ts';
import { cancelRun, closeCalls, completeRun, endLimited, failChain, failRun, pauseRun, type StepFailure, storeSpend } from './end-run.ts';
import { failureFor } from './failure-texts.ts';
import type { GraphStart } from './graph-changes.ts';
import { beginStep, failureEndsRun } from './graph-outcomes.ts';
import type { GraphRuns } from './graph-runs.ts';
import type { AboutAnswer, Claim, NextAction, StepWork } from './step-ends.ts';
import type { Snapshot, Transition } from './transition.ts';
import type { PlanFirstChange, TransitionFromSnapshot, TransitionOfJob } from './transitions.ts';

type StepOutcomesDeps = {
  transitionFromSnapshot: TransitionFromSnapshot;
  transitionOfJob: TransitionOfJob;
  planFirstChange: PlanFirstChange;
  queue: Pick<WorkQueue, 'removeJob' | 'holdsJob'>;
  recorder: Recorder;
  filesInAnswer: FilesInAnswer;
  agents: Pick<AgentService, 'modelConfigFrom'>;
  graphs: Pick<GraphRuns, 'begin' | 'continueChain' | 'continueSuspended'>;
  newId: () => string;
};

/**
 * Stores starts and ends of steps. A change is made only while the execution is running and has the epoch of the attempt: a late
 * attempt changes nothing.
 */
export function createStepOutcomes({
  transitionFromSnapshot,
  transitionOfJob,
  planFirstChange,
  queue,
  recorder,
  filesInAnswer,
  agents,
  graphs,
  newId,
}: StepOutcomesDeps) {
  const attemptEnded: NextAction = { kind: 'end' };

  const fenced = async (
    claim: Claim,
    work: (change: Transition, step: StepRow) => Promise<NextAction>,
    takesNext = true,
  ): Promise<NextAction> => {
    const done = await transitionFromSnapshot(claim, async (change) => {
      const step = (await change.steps()).find((known) => known.stepId === claim.step.stepId);
      if (!step || change.row.leaseEpoch !== claim.row.leaseEpoch || change.row.status !== 'running') return attemptEnded;
      if (step.status === 'completed') return continueRun(change, takesNext);
      return step.status === 'running' ? work(change, step) : attemptEnded;
    });
    if (done?.value.kind === 'graph') return graphStart(done.value.start, done.row);
    if (done?.value.kind !== 'next') return done?.value ?? attemptEnded;
    return { kind: 'next', claim: withStepSettings(done.value.claim, done.found) };
  };

  const withStepSettings = (claim: Claim, found: unknown): Claim =>
    found === undefined ? claim : { ...claim, settings: toStepSettings(found, agents) };

  /** The step was stored before, and the reply was lost with the connection. Returns the step that was started then. */
  const continueRun = async (change: Transition, takesNext: boolean): Promise<NextAction> => {
    const running = (await change.steps()).find(({ status }) => status === 'running');
    if (running && takesNext) return { kind: 'next', claim: await claimOf(change, running) };
    return { kind: 'pause', pauseMs: change.row.pauseBetweenStepsMs, known: await snapshotOf(change) };
  };

  const outcomes = {
    /**
     * Begins an attempt at the execution of a job, if it still has the job: no earlier attempt can change it afterwards. The time of an
     * interrupted attempt is charged as active time, at most the step's own limit.
     */
    async begin(job: JobClaim, known: Snapshot | null): Promise<NextAction> {
      const holdsJob = (place: Place) => queue.holdsJob('execution', job, place);
      const taken = await transitionOfJob({ jobId: job.id, holdsJob }, known, async (change) => {
        const { row, now } = change;
        if ((row.status !== 'pending' && row.status !== 'running') || row.notStarted) return null;
        const cutOff = (await change.steps()).find(({ status }) => status === 'running');
        const spentMs = cutOff ? Math.min(Math.max(0, now.getTime() - row.updatedAt.getTime()), cutOff.timeoutSeconds * 1_000) : 0;
        change.set({ leaseEpoch: row.leaseEpoch + 1, activeMs: row.activeMs + spentMs });
        return row.graph ? { start: await graphs.begin(change) } : outcomes.claim(change, change.row.leaseEpoch);
      });
      if (!taken?.value) return attemptEnded;
      if ('start' in taken.value) return graphStart(taken.value.start, taken.row);
      return { kind: 'next', claim: withStepSettings(taken.value, taken.found) };
    },

    /**
     * Begins the first attempt at an execution without a graph that is not stored yet. Returns its rows and events as they are to be stored,
     * and the claim of the first step with the settings of its agent.
     */
    async beginFirst(known: Snapshot, { agents, ...ofProject }: { agents: readonly AgentModelConfig[] } & ProjectSettings) {
      const { value: claim, ...planned } = await planFirstChange(known, (change) => {
        change.set({ leaseEpoch: change.row.leaseEpoch + 1 });
        return outcomes.claim(change, change.row.leaseEpoch);
      });
      if (!claim) throw new Error('A new execution has no step to begin.');
      const modelConfig = agents.find(({ id }) => id === claim.step.agentId) ?? null;
      return { ...planned, claim: { ...claim, row: planned.row, settings: { modelConfig, ...ofProject } } };
    },

    /** Takes the first unfinished step of an execution, if any. */
    async take(known: Snapshot): Promise<NextAction> {
      const taken = await transitionFromSnapshot(known, async (change) => {
        const { leaseEpoch, status, graph } = change.row;
        // Links of the run hold since the last step: it follows them from now on.
        if (graph && leaseEpoch === known.row.leaseEpoch && status === 'running') return { start: await graphs.begin(change) };
        return outcomes.claim(change, known.row.leaseEpoch);
      });
      if (!taken?.value) return attemptEnded;
      const { value, row, found } = taken;
      return 'start' in value ? graphStart(value.start, row) : { kind: 'next', claim: withStepSettings(value, found) };
    },

    /** Takes the first unfinished step for the attempt of this epoch and marks it as running. Returns null when nothing is left to do. */
    async claim(change: Transition, leaseEpoch: number): Promise<Claim | null> {
      const { row, now } = change;
      if (row.leaseEpoch !== leaseEpoch || (row.status !== 'pending' && row.status !== 'running') || row.notStarted) return null;
      const step = (await change.steps()).find(({ status }) => status === 'pending' || status === 'running');
      if (!step) return null;
      if (row.status === 'pending') {
        change.set({ status: 'running', startedAt: now });
        change.record('execution.started');
      }
      if (change.row.pauseRequested && step.status === 'pending') {
        pauseRun(change);
        return null;
      }
      if (row.activeMs >= row.timeoutSeconds * 1_000) {
        const failure = failureFor({ code: 'execution_timeout' }, row.language, { agent: step.agentTitle, seconds: row.timeoutSeconds });
        await failChain(change, step, { failure, durationMs: 0 }, recorder);
        return null;
      }
      const cutOff = step.status === 'running';
      const running = await beginStep(change, step);
      const { userId, projectId, id: executionId } = row;
      change.read((place) => selectStepSettings({ userId, projectId, executionId, agentId: running.agentId }, place));
      return { ...(await claimOf(change, running)), ...(cutOff && { isCutOff: true }) };
    },

    /** Records a retry of the model call, and its reason. */
    async retrying(claim: Claim, failure: Failure): Promise<void> {
      await fenced(claim, async (change, step) => {
        const again = await change.setStep(step, { attempts: step.attempts + 1 });
        change.record('step.retrying', { step: again, error: failure });
        return attemptEnded;
      });
    },

    /** Stores an answer with its files and thoughts. Without a pause and with `takesNext`, the same statement takes the next step. */
    async completed(claim: Claim, answer: StepAnswer, about: AboutAnswer): Promise<NextAction> {
      const { thoughts, testLog, takesNext } = about;
      const { files, refused } = await filesInAnswer(claim.row.id, answer.result);
      return fenced(
        claim,
        async (change, step) => {
          if (change.row.graph) {
            change.set({ activeMs: change.row.activeMs + answer.durationMs });
            return { kind: 'graph', start: await graphs.continueChain(change, claim, answer, about) };
          }
          const refusedFiles = refused.length === 0 ? null : refused;
          const { spend, ...stored } = answer;
          storeSpend(change, spend);
          const done = await change.setStep(step, { ...stored, refusedFiles, status: 'completed', completedAt: change.now, error: null });
          if (files.length > 0) {
            change.addWrite(storingFiles(step, files));
            change.set({ hasFiles: true });
          }
          if (thoughts !== null) recordThinking(change, step, thoughts, newId());
          if (testLog !== undefined) change.addWrite(storingTestLog(step, testLog));
          change.set({ stepsDone: change.row.stepsDone + 1, activeMs: change.row.activeMs + answer.durationMs });
          change.record('step.completed', { step: done });
          if (change.row.stepsDone === change.row.stepsTotal) {
            await completeRun(change, answer.result, recorder);
            const { jobId } = change.row;
            if (jobId === null) return attemptEnded;
            change.addWrite((source, place) => queue.removeJob('execution', jobId, { source, place }));
            return { kind: 'end', isSettled: true };
          }
          if (change.row.pauseRequested || change.row.singleStep) {
            pauseRun(change);
            return attemptEnded;
          }
          const pauseMs = change.row.pauseBetweenStepsMs;
          if (pauseMs === 0 && takesNext) {
            const next = await outcomes.claim(change, change.row.leaseEpoch);
            return next ? { kind: 'next', claim: next } : attemptEnded;
          }
          change.set({ activeMs: change.row.activeMs + pauseMs });
          return { kind: 'pause', pauseMs, known: await snapshotOf(change) };
        },
        takesNext,
      );
    },

    /** Stores turns and calls of a step. */
    async progress(claim: Claim, work: StepWork): Promise<Claim | null> {
      const done = await transitionFromSnapshot(claim, async (change) => {
        const step = (await change.steps()).find(({ stepId }) => stepId === claim.step.stepId);
        if (change.row.leaseEpoch !== claim.row.leaseEpoch || change.row.status !== 'running' || step?.status !== 'running') return null;
        return { step: await storeProgress(change, claim, step, work), known: await snapshotOf(change) };
      });
      return done?.value ? { ...claim, ...done.value.known, row: done.row, step: done.value.step } : null;
    },

    /** Leaves a step that waits for a person. The run follows links from then on, like one whose links hold. */
    suspended(claim: Claim, work: StepWork): Promise<NextAction> {
      return fenced(claim, async (change, step) => {
        if (!change.row.graph) {
          // The links of the canvas are in the input of the run, which only the stored row has.
          change.tx();
          change.set({ graph: chainGraphOf(await change.steps(), change.row.input) });
        }
        change.set({ activeMs: change.row.activeMs + Math.max(0, change.now.getTime() - claim.row.updatedAt.getTime()) });
        await work(change, step);
        return { kind: 'graph', start: await graphs.continueSuspended(change, claim) };
      });
    },

    failed(claim: Claim, failed: StepFailure): Promise<NextAction> {
      return fenced(claim, async (change, step) => {
        await (change.row.graph ? failRun : failChain)(change, step, failed, recorder);
        return attemptEnded;
      });
    },

    /** Fails an execution whose attempts are used up. Returns false when it has already ended. */
    async failExhausted(change: Transition): Promise<boolean> {
      const { row } = change;
      if (row.status !== 'pending' && row.status !== 'running') return false;
      const step = (await change.steps()).find(({ status }) => status === 'pending' || status === 'running') ?? null;
      const failure = failureFor({ code: 'attempts_exhausted' }, row.language, { agent: step?.agentTitle ?? '' });
      change.set({ leaseEpoch: row.leaseEpoch + 1 });
      if (step && !row.graph) await failChain(change, step, { failure, durationMs: 0 }, recorder);
      else await failRun(change, step, { failure, durationMs: 0 }, recorder);
      return true;
    },

    /** Fails a step, and its execution unless the graph continues without the step. Returns true when the execution has ended. */
    async failStep(change: Transition, step: StepRow, failure: Failure): Promise<boolean> {
      if (!change.row.graph || failureEndsRun(change.row.graph, step)) {
        change.set({ leaseEpoch: change.row.leaseEpoch + 1 });
        await failRun(change, step, { failure, durationMs: 0 }, recorder);
        return true;
      }
      closeCalls(change, step);
      const failed = await change.setStep(step, { status: 'failed', error: failure, completedAt: change.now });
      change.record('step.failed', { step: failed, error: failure });
      return false;
    },

    cancel: (change: Transition) => cancelRun(change, recorder),
    endLimited: (change: Transition) => endLimited(change, recorder),
  };
  return outcomes;
}

export type StepOutcomes = ReturnType<typeof createStepOutcomes>;

function graphStart(start: GraphStart, row: Snapshot['row']): NextAction {
  return { kind: 'graph', start: { ...start, known: { ...start.known, row } } };
}

async function claimOf(change: Transition, step: StepRow): Promise<Claim> {
  return { ...(await snapshotOf(change)), step };
}

/** Does the work of a step's progress, unless it was stored before. Returns the step after it. */
export async function storeProgress(change: Transition, claim: Claim, step: StepRow, work: StepWork): Promise<StepRow> {
  if (step.toolSeq !== claim.step.toolSeq) return step;
  await work(change, await change.setStep(step, { toolSeq: step.toolSeq + 1 }));
  return (await change.steps()).find(({ stepId }) => stepId === step.stepId) ?? step;
}

/** Returns the execution as it will be after the change: `row` keeps changing until then. */
async function snapshotOf(change: Transition): Promise<Snapshot> {
  return { row: change.row, steps: await change.steps(), contexts: await change.contexts() };
}

/** Stores the provider's thoughts before an answer, and sends them to the owner. */
export function recordThinking(change: Transition, { stepId, agentId }: StepRow, content: string, id: string): void {
  const { userId, projectId, id: executionId } = change.row;
  const thought = { id, userId, agentId, projectId, executionId, stepId, content, createdAt: change.now };
  change.addWrite(recordThought(thought));
  change.notifyOwner(thoughtMessage(thought));
}
