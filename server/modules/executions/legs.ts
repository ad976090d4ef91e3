import { setTimeout as wait } from 'node:timers/promises';
import type { Nodes } from '../../platform/nodes/nodes.ts';
import type { ExecutionRepository } from './repository.ts';
import type { ExecutionRow } from './rows.ts';
import type { After, Claim } from './step-outcomes.ts';
import type { StepRunner } from './step-runner.ts';
import type { Snapshot } from './transition.ts';

/** Executions that one process works on at the same time, and as many that may wait for their turn, before it takes no more. */
const mostAtOnce = 5_000;
const mostWaiting = 5_000;
/** How long the end of what is under way is waited for when the process ends (ms). */
const closeMs = 2_000;

export type LegsDeps = {
  runner: StepRunner;
  repository: Pick<ExecutionRepository, 'takeUp' | 'release' | 'legsOf'>;
  nodes: Nodes;
  log: { error: (about: object, line: string) => void };
};

/**
 * The stretches of work of all executions on this node, each from a start or a resume to the next pause or end. Nothing waits in one
 * while an execution is paused. A node that dies leaves rows that name it; another raises their `leg` and goes on, and whoever
 * still holds the older leg can change nothing.
 */
export function createLegs({ runner, repository, nodes, log }: LegsDeps) {
  const waiting: (Snapshot | Claim)[] = [];
  const underWay = new Map<Snapshot, Promise<void>>();
  const closing = new AbortController();

  /** Puts an execution to work that its row gives to this node, and whose first step may be taken already, else is taken `afterMs` later. */
  const start = (known: Snapshot | Claim, afterMs = 0): void => {
    if (closing.signal.aborted) return;
    if (underWay.size >= mostAtOnce) waiting.push(known);
    else begin(known, afterMs);
  };

  const begin = (known: Snapshot | Claim, afterMs = 0): void => {
    const done = work(known, afterMs)
      .catch((error: unknown) => failed(known.row, error))
      .then(() => {
        underWay.delete(known);
        const next = takeMostUrgent(waiting);
        if (next && !closing.signal.aborted) begin(next);
      });
    underWay.set(known, done);
  };

  const work = async (known: Snapshot | Claim, afterMs: number): Promise<void> => {
    let after: After;
    if ('step' in known) after = { kind: 'next', claim: known };
    else after = afterMs > 0 ? { kind: 'pause', pauseMs: afterMs, known } : await runner.take(known);
    while (after.kind !== 'end' && !closing.signal.aborted) {
      if (after.kind === 'next') after = await runner.carryOut(after.claim);
      else {
        await wait(after.pauseMs, undefined, { signal: closing.signal }).catch(() => {});
        if (!closing.signal.aborted) after = await runner.take(after.known);
      }
    }
  };

  /** A fault of the server between two steps: the row is let go, and a later look for work takes it up. */
  const failed = async (row: ExecutionRow, error: unknown): Promise<void> => {
    if (closing.signal.aborted) return;
    log.error({ err: error, executionId: row.id }, 'A run was interrupted by a fault of the server.');
    await repository.release(row.id, row.leg).catch(() => {});
  };

  /** Rows that name this node and that it did not work on when it last looked. */
  let strays: ReadonlyMap<string, number> = new Map();

  /**
   * Lets go of rows that this node was given and never heard of: the answer to the write was lost with the connection. Only what was
   * so at two looks in a row, since a row may just be on its way here.
   */
  const letStraysGo = async (nodeId: string): Promise<void> => {
    const known = new Set([...underWay.keys(), ...waiting].map(({ row }) => row.id));
    const now = (await repository.legsOf(nodeId)).filter(({ id }) => !known.has(id));
    for (const { id, leg } of now) if (strays.get(id) === leg) await repository.release(id, leg);
    strays = new Map(now.map(({ id, leg }) => [id, leg]));
  };

  nodes.onTakeUp(async (nodeId) => {
    const room = mostAtOnce * 2 - underWay.size - waiting.length;
    if (room <= 0 || closing.signal.aborted) return;
    await letStraysGo(nodeId);
    for (const known of await repository.takeUp(nodeId, room)) start(known);
  });
  nodes.onLost(() => {
    waiting.length = 0;
    runner.abandon();
  });

  return {
    start,
    /** Whether one more would be begun at once. */
    isFree: () => underWay.size < mostAtOnce && !closing.signal.aborted,
    /** Whether this node can take one more. */
    hasRoom: () => waiting.length < mostWaiting,
    queue: () => ({ underWay: underWay.size, waiting: waiting.length }),
    /** Lets go of everything; what is under way stays for the next process. */
    async close() {
      closing.abort();
      runner.close();
      await Promise.race([Promise.allSettled(underWay.values()), wait(closeMs, undefined, { ref: false })]);
    },
  };
}

export type Legs = ReturnType<typeof createLegs>;

/** Takes the waiting execution of the highest priority, of those the one that has waited longest. */
function takeMostUrgent<T extends Snapshot>(waiting: T[]): T | undefined {
  let best = 0;
  for (const [index, { row }] of waiting.entries()) if (row.priority > (waiting[best]?.row.priority ?? 0)) best = index;
  return waiting.splice(best, 1)[0];
}
