import { isEnded } from '../../../../rules/run-graph/run-state.ts';
import type { BindValue } from '../../../platform/database/statement.ts';
import type { Job, WorkQueue } from '../../../platform/work-queue/work-queue.ts';
import type { AgentModelConfig, AgentService } from '../../agents/index.ts';
import { type ProjectSettings, type StepSettings, toStepSettings } from '../../budgets/index.ts';
import type { StepRow } from '../store/rows.ts';
import type { Snapshot, Transition } from '../transitions/transition.ts';
import type { PlanFirstChange, TransitionOfJob } from '../transitions/transitions.ts';
import type { Following, RunChanges } from './run-changes.ts';

type BeginAttemptDeps = {
  transitionOfJob: TransitionOfJob;
  planFirstChange: PlanFirstChange;
  queue: Pick<WorkQueue, 'holdsJob' | 'rememberProgress'>;
  changes: RunChanges;
  agents: Pick<AgentService, 'modelConfigFrom'>;
};

/** The execution after the begin of an attempt. Its running steps are to be carried out; `cutOff` are those that an earlier attempt has begun. */
export type AttemptStart = {
  known: Snapshot;
  next: Following;
  cutOff: ReadonlySet<string>;
  /** Settings of steps that were read with the change. */
  settings: ReadonlyMap<string, StepSettings>;
};

/** An execution that this process has stored. `begun`: its first attempt may have begun with it, since the reply was lost. */
export type RememberedRun = { known: Snapshot; begun?: AttemptStart };

/** A begin that may have been stored. */
type Tried = { executionId: string; leaseEpoch: number; cutOff: StepRow[]; next: Following };

/** Begins attempts at executions: no earlier attempt can change the execution afterwards. */
export function createBeginAttempt({ transitionOfJob, planFirstChange, queue, changes, agents }: BeginAttemptDeps) {
  /**
   * Begins an attempt at the execution of a job, if it still has the job. The time of an interrupted attempt is charged as far as its last heartbeat
   * has proved it. Repeated after a lost reply, it finds its own write by the epoch. Returns null when nothing is to be done.
   */
  function begin(job: Job, remembered: RememberedRun | null): () => Promise<AttemptStart | null> {
    const holdsJob = (place: BindValue) => queue.holdsJob('execution', job, place);
    const { known: stored = null, begun = null } = remembered ?? {};
    let tried: Tried | null = begun && {
      executionId: begun.known.row.id,
      leaseEpoch: begun.known.row.leaseEpoch,
      cutOff: [],
      next: begun.next,
    };

    /** `lost`: a begin whose reply was lost, if any. */
    const beginOnce = async (change: Transition, lost: Tried | null): Promise<Tried | null> => {
      const { row } = change;
      if ((row.status !== 'pending' && row.status !== 'running') || row.notStarted) return null;
      if (lost?.executionId === row.id && lost.leaseEpoch === row.leaseEpoch) {
        // The write makes the change depend on `holdsJob`.
        change.set({ leaseEpoch: row.leaseEpoch });
        return lost;
      }
      const steps = await change.steps();
      const cutOff = steps.filter(({ status }) => status === 'running');
      if (job.claim > 0) countAttempt(queue, change, job, steps);
      change.set({ leaseEpoch: row.leaseEpoch + 1, activeMs: Math.max(row.activeMs, job.memo?.activeMs ?? 0) });
      const { leaseEpoch } = change.row;
      tried = { executionId: row.id, leaseEpoch, cutOff, next: await changes.begin(change, cutOff) };
      return tried;
    };

    return async () => {
      const lost = tried;
      // Another process may have begun an attempt since this one stored the execution, unless no attempt has been made.
      const known = lost === null && job.claim === 0 ? stored : null;
      let after: Snapshot | null = null;
      const taken = await transitionOfJob({ jobId: job.id, holdsJob }, known, async (change) => {
        const begun = await beginOnce(change, lost);
        after = await snapshotOf(change);
        return begun;
      });
      if (!taken?.value || after === null) return null;
      const { next, cutOff } = taken.value;
      const settings = new Map<string, StepSettings>();
      if (next.readsOf !== undefined && taken.found !== undefined) settings.set(next.readsOf, toStepSettings(taken.found, agents));
      return { known: { ...(after as Snapshot), row: taken.row }, next, cutOff: new Set(cutOff.map(({ stepId }) => stepId)), settings };
    };
  }

  /**
   * Begins the first attempt at an execution that is not stored yet. Returns its rows and events as they are to be stored, and the start of the
   * attempt; null when the begin writes more than these.
   */
  async function beginFirst(known: Snapshot, { agents, ...ofProject }: { agents: readonly AgentModelConfig[] } & ProjectSettings) {
    const planned = await planFirstChange(known, (change) => {
      change.set({ leaseEpoch: change.row.leaseEpoch + 1 });
      return changes.begin(change, []);
    });
    if (!planned) return null;
    const { value: next, row, steps, events, publish } = planned;
    const settings = new Map<string, StepSettings>();
    for (const { stepId, agentId, status } of steps)
      if (status === 'running') settings.set(stepId, { modelConfig: agents.find(({ id }) => id === agentId) ?? null, ...ofProject });
    const start: AttemptStart = { known: { row, steps, contexts: known.contexts }, next, cutOff: new Set(), settings };
    return { row, steps, events, publish, start };
  }

  return { begin, beginFirst };
}

export type BeginAttempt = ReturnType<typeof createBeginAttempt>;

/**
 * Remembers how far a run has come. An attempt counts only when the one before it has stored no progress: else the job has all its attempts again.
 * Returns whether it has.
 */
export function countAttempt(
  queue: Pick<WorkQueue, 'rememberProgress'>,
  change: Transition,
  job: Pick<Job, 'id' | 'claim' | 'memo'>,
  steps: readonly StepRow[],
): boolean {
  const progress = progressOfSteps(steps);
  const before = job.memo?.progress;
  if (before === progress) return false;
  const grantsAttempts = before !== undefined;
  change.addWrite((source, place) => queue.rememberProgress('execution', job, { progress, grantsAttempts }, { source, place }));
  return grantsAttempts;
}

/** Counts what a run has stored: steps that have ended, and turns of a model. Calls that have only begun are none: they may end the process. */
function progressOfSteps(steps: readonly StepRow[]): number {
  return steps.reduce((sum, { status, turns }) => sum + turns + (isEnded(status) ? 1 : 0), 0);
}

/** Returns the execution as it will be after the change: `row` keeps changing until then. */
export async function snapshotOf(change: Transition): Promise<Snapshot> {
  return { row: change.row, steps: await change.steps(), contexts: await change.contexts() };
}
