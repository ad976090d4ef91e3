import type { TokenUsage } from '../../../contract/common.ts';
import type { Failure } from '../../../contract/errors.ts';
import type { ExecutionEvent } from '../../../contract/execution.ts';
import { type AgentService, type AgentVoice, speakingAgents } from '../agents/index.ts';
import { type LeftFiles, storingFiles } from '../files/index.ts';
import type { Recorder } from '../results/index.ts';
import { recordThought, thoughtMessage } from '../thoughts/index.ts';
import { failureFor } from './failure-words.ts';
import type { MadeExecution } from './new-execution.ts';
import { recordedOutcome, recordedRun } from './recorded-run.ts';
import type { ExecutionRow, StepRow } from './rows.ts';
import type { FirstTransition, Snapshot, Transition, TransitionFrom } from './transition.ts';

/** An execution whose leg has taken a step. */
export type Claim = Snapshot & {
  step: StepRow;
  /** Who speaks in it, as read when it was taken; null when the agent is gone, undefined when nobody has looked. */
  voice?: AgentVoice | null;
};

/** What a leg does after a step: the one that it was handed, the next one after a pause, or nothing more. */
export type After = { kind: 'next'; claim: Claim } | { kind: 'pause'; pauseMs: number; known: Snapshot } | { kind: 'end' };

export type StepAnswer = {
  result: string;
  usage: TokenUsage | null;
  provider: string;
  model: string;
  simulated: boolean;
  durationMs: number;
};
export type StepFailure = { failure: Failure; durationMs: number; provider?: string; model?: string };

export type Begun = { row: ExecutionRow; steps: StepRow[]; events: ExecutionEvent[]; announce: () => void; claim: Claim };

type StepOutcomesDeps = {
  firstTransition: FirstTransition;
  transitionFrom: TransitionFrom;
  recorder: Recorder;
  leftFiles: LeftFiles;
  agents: Pick<AgentService, 'voiceFrom'>;
  newId: () => string;
};

/**
 * How a step's beginning and end change its execution. Each change is made only while the execution is running and still
 * in the hands of the leg that asks: whoever comes late changes nothing.
 */
export function createStepOutcomes({ firstTransition, transitionFrom, recorder, leftFiles, agents, newId }: StepOutcomesDeps) {
  const over: After = { kind: 'end' };

  const held = async (claim: Claim, work: (change: Transition, step: StepRow) => Promise<After>): Promise<After> => {
    const done = await transitionFrom(claim, async (change) => {
      const step = (await change.steps()).find((known) => known.stepId === claim.step.stepId);
      if (!step || change.row.leg !== claim.row.leg || change.row.status !== 'running') return over;
      if (step.status === 'completed') return goOn(change);
      return step.status === 'running' ? work(change, step) : over;
    });
    if (done?.value.kind !== 'next') return done?.value ?? over;
    return { kind: 'next', claim: withVoice(done.value.claim, done.found) };
  };

  const withVoice = (claim: Claim, found: unknown): Claim => (found === undefined ? claim : { ...claim, voice: agents.voiceFrom(found) });

  /** The step was stored before, and the word of it was lost with the connection: what was begun then is handed on now. */
  const goOn = async (change: Transition): Promise<After> => {
    const running = (await change.steps()).find(({ status }) => status === 'running');
    if (running) return { kind: 'next', claim: await claimOf(change, running) };
    return { kind: 'pause', pauseMs: change.row.pauseBetweenStepsMs, known: await snapshotOf(change) };
  };

  const think = (change: Transition, { stepId, agentId }: StepRow, content: string) => {
    const { userId, projectId, id: executionId } = change.row;
    const thought = { id: newId(), userId, agentId, projectId, executionId, stepId, content, createdAt: change.now };
    change.also(recordThought(thought));
    change.tell(thoughtMessage(thought));
  };

  const outcomes = {
    /** Takes the first step of an execution that is not stored yet, and is stored as it is then. Null when there is none. */
    async begin({ row, steps, agents: voices }: MadeExecution): Promise<Begun | null> {
      const { value, ...begun } = await firstTransition({ row, steps, contexts: [] }, (change) => outcomes.claim(change, row.leg));
      if (value === null) return null;
      return { ...begun, claim: { ...value, voice: voices.find(({ id }) => id === value.step.agentId) ?? null } };
    },

    /** Goes to work on an execution: takes its first unfinished step, where there is one. */
    async take(known: Snapshot): Promise<After> {
      const taken = await transitionFrom(known, (change) => outcomes.claim(change, known.row.leg));
      return taken?.value ? { kind: 'next', claim: withVoice(taken.value, taken.found) } : over;
    },

    /** Takes the first unfinished step for a leg and marks it as running, or null when the leg has nothing left to do. */
    async claim(change: Transition, leg: number): Promise<Claim | null> {
      const { row, now } = change;
      if (row.leg !== leg || (row.status !== 'pending' && row.status !== 'running')) return null;
      const step = (await change.steps()).find(({ status }) => status === 'pending' || status === 'running');
      if (!step) return null;
      if (row.status === 'pending') {
        change.set({ status: 'running', startedAt: now });
        change.record('execution.started');
      }
      if (change.row.pauseRequested && step.status === 'pending') {
        pause(change);
        return null;
      }
      if (row.activeMs >= row.timeoutSeconds * 1_000) {
        const failure = failureFor({ code: 'execution_timeout' }, row.language, { agent: step.agentTitle, seconds: row.timeoutSeconds });
        await fail(change, step, { failure, durationMs: 0 }, recorder);
        return null;
      }
      const cutOff = step.status === 'running';
      const running = await change.setStep(step, {
        status: 'running',
        startedAt: step.startedAt ?? now,
        attempts: step.attempts + 1,
        error: null,
      });
      change.record(cutOff ? 'step.retrying' : 'step.started', { step: running });
      change.read((place) => speakingAgents(row.userId, place(running.agentId), place));
      return claimOf(change, running);
    },

    /** Notes that the same call is made again, and why. */
    async retrying(claim: Claim, failure: Failure): Promise<void> {
      await held(claim, async (change, step) => {
        const again = await change.setStep(step, { attempts: step.attempts + 1 });
        change.record('step.retrying', { step: again, error: failure });
        return over;
      });
    },

    /** Stores an answer with the files in it, and what the agent thought before it. Where nothing comes between, the next step is taken in the same transaction. */
    async completed(claim: Claim, answer: StepAnswer, thoughts: string | null): Promise<After> {
      const { files, refused } = await leftFiles(claim.row.id, answer.result);
      return held(claim, async (change, step) => {
        const refusedFiles = refused.length === 0 ? null : refused;
        const done = await change.setStep(step, { ...answer, refusedFiles, status: 'completed', completedAt: change.now, error: null });
        if (files.length > 0) change.also(storingFiles(step, files));
        if (thoughts !== null) think(change, step, thoughts);
        change.set({ stepsDone: change.row.stepsDone + 1, activeMs: change.row.activeMs + answer.durationMs });
        change.record('step.completed', { step: done });
        if (change.row.stepsDone === change.row.stepsTotal) {
          await complete(change, answer.result, recorder);
          return over;
        }
        if (change.row.pauseRequested || change.row.singleStep) {
          pause(change);
          return over;
        }
        const pauseMs = change.row.pauseBetweenStepsMs;
        if (pauseMs === 0) {
          const next = await outcomes.claim(change, change.row.leg);
          return next ? { kind: 'next', claim: next } : over;
        }
        change.set({ activeMs: change.row.activeMs + pauseMs });
        return { kind: 'pause', pauseMs, known: await snapshotOf(change) };
      });
    },

    failed(claim: Claim, failed: StepFailure): Promise<After> {
      return held(claim, async (change, step) => {
        await fail(change, step, failed, recorder);
        return over;
      });
    },

    /** Ends an execution on a person's word, whatever it is doing. */
    async cancel(change: Transition): Promise<void> {
      const running = (await change.steps()).find(({ status }) => status === 'running');
      if (running) {
        const step = await change.setStep(running, { status: 'cancelled', completedAt: change.now });
        change.record('step.cancelled', { step });
      }
      change.set({ status: 'cancelled', pauseRequested: false, singleStep: false, leg: change.row.leg + 1, completedAt: change.now });
      change.record('execution.cancelled');
      await recordEnd(change, recorder);
    },
  };
  return outcomes;
}

export type StepOutcomes = ReturnType<typeof createStepOutcomes>;

async function claimOf(change: Transition, step: StepRow): Promise<Claim> {
  return { ...(await snapshotOf(change)), step };
}

/** The execution as it will be when the change is done: `row` is changed on to its end. */
async function snapshotOf(change: Transition): Promise<Snapshot> {
  return { row: change.row, steps: await change.steps(), contexts: await change.contexts() };
}

function pause(change: Transition): void {
  change.set({ status: 'paused', pauseRequested: false, singleStep: false });
  change.record('execution.paused');
}

async function complete(change: Transition, result: string, recorder: Recorder): Promise<void> {
  change.set({ status: 'completed', result, pauseRequested: false, singleStep: false, completedAt: change.now });
  change.record('execution.completed', { text: result });
  await recordEnd(change, recorder);
}

async function fail(change: Transition, step: StepRow, { failure, ...facts }: StepFailure, recorder: Recorder): Promise<void> {
  const failed = await change.setStep(step, { ...facts, status: 'failed', error: failure, completedAt: change.now });
  change.record('step.failed', { step: failed, error: failure });
  const activeMs = change.row.activeMs + facts.durationMs;
  change.set({ status: 'failed', error: failure, failedAt: change.now, activeMs, pauseRequested: false, singleStep: false });
  change.record('execution.failed', { error: failure });
  await recordEnd(change, recorder);
}

async function recordEnd(change: Transition, recorder: Recorder): Promise<void> {
  const steps = await change.steps();
  const outcome = recordedOutcome(change.row, steps);
  if (!outcome) throw new Error('A run is recorded as ended that has not.');
  change.also(recorder.ended(recordedRun(change.row, steps), outcome));
}
