import type { ToolContext } from '../../tools/index.ts';
import { askTool } from '../questions/ask-tool.ts';
import type { ToolCallRow } from '../store/tool-call-rows.ts';
import type { Claim, StepEnds } from '../transitions/claim.ts';
import { type CallEnd, type CallPlan, carryOutCall, planCall } from './carry-out-call.ts';
import { storeEnd, storeStart, type TurnStore } from './store-turn.ts';

export type CallDeps = TurnStore & {
  ends: Pick<StepEnds, 'progress' | 'suspended'>;
  /** Aborts with the time or the stop of the step. */
  signal: AbortSignal;
  log: { error: (about: object, line: string) => void };
};

/** How calls ended: the claim with their rows, or why the step does not go on. */
export type EndedCalls = { claim: Claim; rows: ToolCallRow[] } | 'left' | 'aborted';

/** Ends a call of a step: refuses it, asks a person, or carries it out. `next`: the call of its turn that is next. */
export async function endCall(
  deps: CallDeps,
  from: Claim,
  { row, next }: { row: ToolCallRow; next: ToolCallRow | undefined },
): Promise<EndedCalls> {
  const plan = planCall(row, deps.tools, from.row);
  switch (plan.kind) {
    case 'ask':
      return ask(deps, from, { call: row, why: plan.approval, tool: plan.tool });
    case 'askUnknown':
      return ask(deps, from, { call: row, why: 'unknown' });
    case 'refuse': {
      const end: CallEnd = { state: plan.state, result: plan.text, images: null, ms: null, writes: null, reads: null };
      return endedOf(await storeEnd(deps, from, { row, next, tool: null }, end));
    }
    case 'carryOut':
      return carryOut(deps, from, { row, next, plan });
    default:
      return plan satisfies never;
  }
}

type Planned = { row: ToolCallRow; next: ToolCallRow | undefined; plan: Extract<CallPlan, { kind: 'carryOut' }> };

async function carryOut(deps: CallDeps, from: Claim, { row, next, plan }: Planned): Promise<EndedCalls> {
  const { tool, isApproved } = plan;
  const { signal } = deps;
  let started = { claim: from, row };
  if (tool.effect === 'write' || tool.source !== 'files') {
    const running = await storeStart(deps, from, row, plan);
    if (!running) return 'left';
    // A step beside this one has brought a result from outside into the run meanwhile.
    if (running === 'ask') return ask(deps, from, { call: row, why: 'outside', tool });
    started = running;
  }
  try {
    const end = await carryOutCall(started.row, tool, contextOf(from, signal, isApproved), faultOf(deps, from, row));
    // Its answer was lost, as by a crash. A repeated call is harmless, or a person decides.
    if (end.isUnknown && tool.effect === 'write') return await ask(deps, started.claim, { call: started.row, why: 'lost' });
    return endedOf(await storeEnd(deps, started.claim, { row: started.row, next, tool }, end));
  } catch (error) {
    if (signal.aborted) return 'aborted';
    throw error;
  }
}

/** What a tool is told of the step that calls it. */
export function contextOf({ row, step }: Claim, signal: AbortSignal, isApproved: boolean): ToolContext {
  const { id: executionId, userId, projectId, language } = row;
  return { executionId, userId, projectId, stepId: step.stepId, signal, language, isApproved };
}

/** Logs a fault of a tool. */
export function faultOf({ log }: Pick<CallDeps, 'log'>, { row: { id: executionId } }: Claim, { tool }: ToolCallRow) {
  return (error: unknown) => log.error({ err: error, executionId, tool }, 'A tool failed by a fault of the server.');
}

function endedOf(stored: { claim: Claim; row: ToolCallRow } | null): EndedCalls {
  return stored ? { claim: stored.claim, rows: [stored.row] } : 'left';
}

/** Leaves the step with a question about a call. */
async function ask({ ends }: CallDeps, from: Claim, about: Parameters<typeof askTool>[2]): Promise<'left'> {
  await ends.suspended(from, (it, step) => askTool(it, step, about));
  return 'left';
}
