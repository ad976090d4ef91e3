import type { ToolContext } from '../../tools/index.ts';
import { askHosts, asksForHosts } from '../questions/ask-hosts.ts';
import { askTool } from '../questions/ask-tool.ts';
import type { ToolCallRow } from '../store/tool-call-rows.ts';
import { toolText } from '../store/tool-texts.ts';
import type { Claim, StepEnds } from '../transitions/claim.ts';
import { type CallPlan, carryOutCall, planCall } from './carry-out-call.ts';
import { storeEnd, storeStart, storeText, type TurnStore } from './store-turn.ts';

export type CallDeps = TurnStore & {
  ends: Pick<StepEnds, 'progress' | 'suspended'>;
  /** Aborts with the time or the stop of the step. */
  signal: AbortSignal;
  /** What the step and its run have left (ms). */
  leftMs: () => number;
  log: { error: (about: object, line: string) => void };
};

/** How calls ended: the claim with their rows, or why the step does not go on. */
export type EndedCalls = { claim: Claim; rows: ToolCallRow[] } | 'left' | 'aborted';

/**
 * Ends a call of a step: refuses it, asks a person, or carries it out. `next`: the call of its turn that is next. `before`: the calls of the same tool
 * that the step has made before it.
 */
export async function endCall(
  deps: CallDeps,
  from: Claim,
  { row, next, before }: { row: ToolCallRow; next: ToolCallRow | undefined; before: number },
): Promise<EndedCalls> {
  const plan = planCall(row, deps.tools, from.row, before);
  switch (plan.kind) {
    case 'ask':
      return ask(deps, from, { call: row, why: plan.approval, tool: plan.tool });
    case 'askUnknown':
      return ask(deps, from, { call: row, why: 'unknown' });
    case 'refuse': {
      return endedOf(await storeText(deps, from, { row, next, tool: null }, { state: plan.state, result: plan.text }));
    }
    case 'carryOut':
      return carryOut(deps, from, { row, next, plan });
    default:
      return plan satisfies never;
  }
}

/** How often a call that changes files is carried out when other steps change files at the same moment. */
const maxTries = 20;

type Planned = { row: ToolCallRow; next: ToolCallRow | undefined; plan: Extract<CallPlan, { kind: 'carryOut' }> };

async function carryOut(deps: CallDeps, from: Claim, { row, next, plan }: Planned): Promise<EndedCalls> {
  const { tool, isApproved } = plan;
  const { signal, leftMs } = deps;
  let started = { claim: from, row };
  if (tool.effect === 'write' || tool.source !== 'files') {
    const running = await storeStart(deps, from, row, plan);
    if (!running) return 'left';
    // A step beside this one has brought a result from outside into the run meanwhile.
    if (running === 'ask') return ask(deps, from, { call: row, why: 'outside', tool });
    started = running;
  }
  const { language } = from.row;
  try {
    for (let tried = 1; ; tried += 1) {
      const context = contextOf(started.claim, { signal, leftMs, isApproved });
      const end = await carryOutCall(started.row, tool, context, faultOf(deps, from, row));
      // Its answer was lost, as by a crash. A repeated call is harmless, or a person decides.
      if (end.isUnknown && tool.effect === 'write') return await ask(deps, started.claim, { call: started.row, why: 'lost' });
      const needs = end.tests?.needs;
      // The call goes on as after a crash once the question is answered: its tests are executed again.
      if (needs && asksForHosts(started.claim.row)) {
        await deps.ends.suspended(started.claim, (it, step) => askHosts(it, step, needs));
        return 'left';
      }
      const ending = { row: started.row, next, tool };
      const stored = await storeEnd(deps, started.claim, ending, end);
      if (!stored || !('isStale' in stored)) return endedOf(stored);
      if (tried === maxTries) {
        const result = toolText(language, 'changedMeanwhile');
        return endedOf(await storeText(deps, stored.claim, ending, { state: 'failed', result }));
      }
      started = { ...started, claim: stored.claim };
    }
  } catch (error) {
    if (signal.aborted) return 'aborted';
    throw error;
  }
}

type OfCall = Pick<ToolContext, 'signal' | 'leftMs' | 'isApproved'>;

/** What a tool is told of the step that calls it. */
export function contextOf({ row, step, steps }: Claim, ofCall: OfCall): ToolContext {
  const { id: executionId, userId, projectId, language, installHosts } = row;
  const { stepId, startedAt, readFiles } = step;
  return { executionId, userId, projectId, stepId, language, installHosts, reads: readFiles ?? [], startedAt, steps, ...ofCall };
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
