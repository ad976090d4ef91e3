import PQueue from 'p-queue';
import type { ToolSource } from '../../../../contract/executions/tool-call.ts';
import { argumentsOf, type ToolCallRow } from '../store/tool-call-rows.ts';
import type { Claim } from '../transitions/claim.ts';
import { asksAfterOutside, type CallEnd, type CallPlan, carryOutCall, planCall } from './carry-out-call.ts';
import { type CallDeps, contextOf, type EndedCalls, faultOf } from './end-call.ts';
import { storeEnd, storeStart } from './store-turn.ts';

/** Calls of each source that one step carries out together. Those of tool servers share a session, which ends with one that fails. */
const maxAtOnce = { files: 4, fetch: 4, server: 1, tests: 1 } as const satisfies Record<ToolSource, number>;

/** A call that changes nothing, with how it is carried out. */
type PlannedRead = { row: ToolCallRow; plan: Extract<CallPlan, { kind: 'carryOut' }> };

/**
 * Returns the first calls that can be carried out together: those that only read, and that no result of the others makes ask. The first call that
 * asks, writes or is refused ends them.
 */
export function readsTogether({ tools }: Pick<CallDeps, 'tools'>, { row: run }: Claim, calls: readonly ToolCallRow[]): PlannedRead[] {
  const reads: PlannedRead[] = [];
  for (const row of calls) {
    const plan = planCall(row, tools, run);
    if (plan.kind !== 'carryOut' || plan.tool.effect !== 'read') break;
    if (!plan.isApproved && asksAfterOutside(plan.tool, argumentsOf(row) ?? {})) break;
    reads.push({ row, plan });
  }
  return reads;
}

/**
 * Carries calls out together, and stores the end of each as it comes: after a crash only those are repeated that have not ended. `next`: the call of
 * their turn that is next.
 */
export async function endReads(
  deps: CallDeps,
  from: Claim,
  { reads, next }: { reads: readonly PlannedRead[]; next: ToolCallRow | undefined },
): Promise<EndedCalls> {
  const started = await startAll(deps, from, reads);
  if (!started) return 'left';
  let { claim } = started;
  const ended = new Map<string, ToolCallRow>();
  let line: Promise<boolean> = Promise.resolve(true);
  const store = async ({ row, plan: { tool } }: PlannedRead, end: CallEnd): Promise<boolean> => {
    const open = started.reads.find((one) => one.row.callId !== row.callId && !ended.has(one.row.callId));
    const stored = await storeEnd(deps, claim, { row, next: open?.row ?? next, tool }, end);
    // A call that only reads is compared with nothing.
    if (!stored || 'isStale' in stored) return false;
    claim = stored.claim;
    ended.set(row.callId, stored.row);
    return true;
  };
  const queues = { files: queueOf('files'), fetch: queueOf('fetch'), server: queueOf('server'), tests: queueOf('tests') };
  const carryOut = async (read: PlannedRead): Promise<boolean> => {
    const { row, plan } = read;
    const end = await carryOutCall(
      row,
      plan.tool,
      contextOf(from, { signal: deps.signal, leftMs: deps.leftMs, isApproved: plan.isApproved }),
      faultOf(deps, from, row),
    );
    line = line.then(async (isOurs) => isOurs && (await store(read, end)));
    return line;
  };
  const done = await Promise.allSettled(started.reads.map((read) => queues[read.plan.tool.source].add(() => carryOut(read))));
  const failed = done.find((one) => one.status === 'rejected');
  if (failed && deps.signal.aborted) return 'aborted';
  if (failed) throw failed.reason;
  return done.every((one) => one.status === 'fulfilled' && one.value) ? { claim, rows: [...ended.values()] } : 'left';
}

/** Marks the calls that leave the run before they are carried out. Null when another attempt owns the step. */
async function startAll(
  deps: CallDeps,
  from: Claim,
  reads: readonly PlannedRead[],
): Promise<{ claim: Claim; reads: PlannedRead[] } | null> {
  let claim = from;
  const started: PlannedRead[] = [];
  for (const read of reads) {
    if (read.plan.tool.source === 'files') {
      started.push(read);
      continue;
    }
    const running = await storeStart(deps, claim, read.row, read.plan);
    if (!running) return null;
    if (running === 'ask') throw new Error('A call that never asks would ask.');
    claim = running.claim;
    started.push({ ...read, row: running.row });
  }
  return { claim, reads: started };
}

function queueOf(source: ToolSource): PQueue {
  return new PQueue({ concurrency: maxAtOnce[source] });
}
