import { expect, test } from 'vitest';
import type { ExecutionRow, StepRow } from '../../../../server/modules/executions/store/rows.ts';
import { ExecutionChange, type Snapshot } from '../../../../server/modules/executions/transitions/transition.ts';
import type { TransitionOfJob } from '../../../../server/modules/executions/transitions/transitions.ts';
import { countAttempt, createBeginAttempt } from '../../../../server/modules/executions/work/begin-attempt.ts';
import { attemptGoesOn, type RunChanges } from '../../../../server/modules/executions/work/run-changes.ts';
import type { Job, JobMemo } from '../../../../server/platform/work-queue/work-queue.ts';

const now = new Date('2026-11-25T12:00:00Z');
const step = (stepId: string, status: StepRow['status'], turns = 0) => ({ stepId, status, turns, toolSeq: 9 }) as StepRow;
const snapshot = (leaseEpoch: number, steps: StepRow[]): Snapshot => ({
  row: { id: 'run', status: 'running', notStarted: false, leaseEpoch, activeMs: 5_000, lastSeq: 3, graph: null } as ExecutionRow,
  steps,
  contexts: [],
});
const job = (claim: number, memo: JobMemo | null = null) => ({ id: 'job', claim, memo }) as Job;

/** Begins with `stored` as the database has it; `attempt` says what becomes of each try. */
function attempts(stored: () => Snapshot, attempt: (tries: number) => 'replies' | 'reply is lost') {
  const written: string[] = [];
  let tries = 0;
  const changeOf = ({ row, steps }: Snapshot) =>
    new ExecutionChange(row, { tx: () => ({}) as never, steps: async () => steps, contexts: async () => [] }, now);
  const transitionOfJob: TransitionOfJob = async (_about, known, work) => {
    tries += 1;
    // From memory first: another process has changed the row since, so nothing is written.
    if (known && known.row.leaseEpoch !== stored().row.leaseEpoch) await work(changeOf(known));
    const change = changeOf(stored());
    const value = await work(change);
    const { row } = change.finish();
    if (attempt(tries) === 'reply is lost') throw new Error('Connection terminated unexpectedly');
    return { value, row, found: undefined };
  };
  const queue = {
    holdsJob: () => 'true',
    rememberProgress: (_queue: string, _claim: object, about: object) => {
      written.push(JSON.stringify(about));
      return '';
    },
  };
  const changes = { begin: async () => attemptGoesOn } as unknown as RunChanges;
  return createBeginAttempt({
    transitionOfJob,
    planFirstChange: async () => null,
    queue,
    changes,
    agents: { modelConfigFrom: () => null },
  });
}

test('R23.01 an attempt takes a new epoch and counts the step of another process as cut off, also if it remembers the execution', async () => {
  const stored = snapshot(1, [step('first', 'running')]);
  for (const claim of [0, 1]) {
    const begun = await attempts(
      () => stored,
      () => 'replies',
    ).begin(job(claim), { known: snapshot(0, [step('first', 'pending')]) })();
    expect(begun?.known.row.leaseEpoch).toBe(2);
    expect([...(begun?.cutOff ?? [])]).toEqual(['first']);
  }
});

test('R23.01 an attempt that got no reply to its begin finds it by the epoch, and does not begin a second time', async () => {
  let stored = snapshot(4, [step('first', 'running')]);
  const begin = attempts(
    () => stored,
    (tries) => (tries === 1 ? 'reply is lost' : 'replies'),
  ).begin(job(0), null);
  await expect(begin()).rejects.toThrow('terminated');
  stored = snapshot(5, stored.steps);
  const begun = await begin();
  expect(begun?.known.row.leaseEpoch).toBe(5);
  expect([...(begun?.cutOff ?? [])]).toEqual(['first']);
});

test('W9.03 the next begin charges the time that heartbeats have proved, and never less than was charged before', async () => {
  const begun = async (memo: JobMemo | null) =>
    attempts(
      () => snapshot(1, []),
      () => 'replies',
    ).begin(job(1, memo), null)();
  expect((await begun(null))?.known.row.activeMs).toBe(5_000);
  expect((await begun({ activeMs: 7_500 }))?.known.row.activeMs).toBe(7_500);
  expect((await begun({ activeMs: 1_000 }))?.known.row.activeMs).toBe(5_000);
});

test('R23.01 a job gets all of its attempts again after stored progress, and a call that has only begun is no progress', () => {
  const remembered: object[] = [];
  const queue = {
    rememberProgress: (_queue: string, _claim: object, about: object) => {
      remembered.push(about);
      return '';
    },
  };
  const change = new ExecutionChange(
    snapshot(1, []).row,
    { tx: () => ({}) as never, steps: async () => [], contexts: async () => [] },
    now,
  );
  const add = change.addWrite.bind(change);
  change.addWrite = (write) => {
    write('changed', () => '$1');
    add(write);
  };
  const counts = (memo: JobMemo | null, steps: StepRow[]) => countAttempt(queue, change, job(2, memo), steps);
  expect(counts(null, [step('first', 'running')])).toBe(false);
  expect(counts({ progress: 0 }, [step('first', 'running')])).toBe(false);
  expect(counts({ progress: 0 }, [step('first', 'completed'), step('second', 'running')])).toBe(true);
  expect(counts({ progress: 1 }, [step('first', 'completed'), step('second', 'running', 2)])).toBe(true);
  expect(remembered).toEqual([
    { progress: 0, grantsAttempts: false },
    { progress: 1, grantsAttempts: true },
    { progress: 3, grantsAttempts: true },
  ]);
});
