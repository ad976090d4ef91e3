import { isEnded } from '../../../../rules/run-graph/run-state.ts';
import type { Place } from '../../../platform/database/statement.ts';
import type { Job, WorkQueue } from '../../../platform/work-queue/work-queue.ts';
import type { AgentModelConfig, AgentService } from '../../agents/index.ts';
import { type ProjectSettings, type StepSettings, toStepSettings } from '../../budgets/index.ts';
import type { StepRow } from '../store/rows.ts';
import type { Snapshot, Transition } from '../transitions/transition.ts';
import type { PlanFirstChange, TransitionOfJob } from '../transitions/transitions.ts';
import type { Following, RunChanges } from './run-changes.ts';

export type BeginAttemptDeps = {
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
type Tried = { leaseEpoch: number; cutOff: StepRow[]; next: Following };

/** Begins attempts at executions: no earlier attempt can change the execution afterwards. */
export function createBeginAttempt({ transitionOfJob, planFirstChange, queue, changes, agents }: BeginAttemptDeps) {
  /**
   * Begins an attempt at the execution of a job, if it still has the job. The time of an interrupted attempt is charged as far as its last heartbeat
   * has proved it. Repeated after a lost reply, it finds its own write by the epoch. Returns null when nothing is to be done.
   */
  function begin(job: Job, remembered: RememberedRun | null): () => Promise<AttemptStart | null> {
    const holdsJob = (place: Place) => queue.holdsJob('execution', job, place);
    const { known: stored = null, begun = null } = remembered ?? {};
    let tried: Tried | null = begun && { leaseEpoch: begun.known.row.leaseEpoch, cutOff: [], next: begun.next };

    const beginOnce = async (change: Transition): Promise<Tried | null> => {
      const { row } = change;
      if ((row.status !== 'pending' && row.status !== 'running') || row.notStarted) return null;
      if (tried?.leaseEpoch === row.leaseEpoch) {
        // The write makes the change depend on `holdsJob`.
        change.set({ leaseEpoch: row.leaseEpoch });
        return tried;
      }
      const steps = await change.steps();
      const cutOff = steps.filter(({ status }) => status === 'running');
      if (job.claim > 0) countAttempt(change, job, steps);
      change.set({ leaseEpoch: row.leaseEpoch + 1, activeMs: Math.max(row.activeMs, job.memo?.activeMs ?? 0) });
      const { leaseEpoch } = change.row;
      tried = { leaseEpoch, cutOff, next: await changes.begin(change, cutOff) };
      return tried;
    };

    return async () => {
      const known = tried === null ? stored : null;
      let after: Snapshot | null = null;
      const taken = await transitionOfJob({ jobId: job.id, holdsJob }, known, async (change) => {
        const begun = await beginOnce(change);
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

  /** Remembers how far the run has come. An attempt counts only when the one before it has stored no progress. */
  function countAttempt(change: Transition, job: Job, steps: readonly StepRow[]): void {
    const progress = progressOfSteps(steps);
    const before = job.memo?.progress;
    if (before === progress) return;
    const grantsAttempts = before !== undefined;
    change.addWrite((source, place) => queue.rememberProgress('execution', job, { progress, grantsAttempts }, { source, place }));
  }

  return { begin, beginFirst };
}

export type BeginAttempt = ReturnType<typeof createBeginAttempt>;

/** Whether an execution has stored progress since the attempt before this one began. */
export async function hasProgressed(change: Transition, { memo }: Pick<Job, 'memo'>): Promise<boolean> {
  return memo?.progress !== undefined && memo.progress !== progressOfSteps(await change.steps());
}

/** Counts what a run has stored: steps that have ended, and turns and calls of all. */
function progressOfSteps(steps: readonly StepRow[]): number {
  return steps.reduce((sum, { status, toolSeq }) => sum + toolSeq + (isEnded(status) ? 1 : 0), 0);
}

/** Returns the execution as it will be after the change: `row` keeps changing until then. */
export async function snapshotOf(change: Transition): Promise<Snapshot> {
  return { row: change.row, steps: await change.steps(), contexts: await change.contexts() };
}
