import type { ToolSource } from '../../../../contract/executions/tool-call.ts';
import { elapsed } from '../../../platform/clock.ts';
import { isStorable } from '../../../platform/database/storable-text.ts';
import type { RunTool, ToolContext, ToolResult, ToolTests } from '../../tools/index.ts';
import type { ExecutionRow } from '../store/rows.ts';
import { argumentsOf, consentKey, type ToolCallRow } from '../store/tool-call-rows.ts';
import { cutResult, toolText } from '../store/tool-texts.ts';

/** The longest answer of a tool (bytes of UTF-8). */
const maxAnswerBytes = 1024 * 1024;

/** How a call ended: its part of the row, and what its end stores besides. */
export type CallEnd = Pick<ToolCallRow, 'state' | 'result' | 'images' | 'ms'> & {
  writes: ToolResultParts['writes'];
  reads: ToolResultParts['reads'];
  tests?: ToolTests;
  /** The state of the run's files that `writes` were made for. */
  stamp?: string;
  /** The call may have been carried out although it failed. */
  isUnknown?: boolean;
  /** Nothing of it comes from outside. */
  isOwn?: boolean;
};
type ToolResultParts = {
  writes: Extract<ToolResult, { ok: true }>['writes'] | null;
  reads: Extract<ToolResult, { ok: true }>['reads'] | null;
  images?: Extract<ToolResult, { ok: true }>['images'];
  stamp?: string | undefined;
};

/** Why a call needs a person: the policy of its tool, or words from outside in the run. */
export type Approval = 'policy' | 'outside';

/** The next thing to do with a call that has not ended. */
export type CallPlan =
  | { kind: 'refuse'; text: string; state: 'refused' | 'failed' }
  | { kind: 'ask'; tool: RunTool; approval: Approval }
  /** It was under way when the attempt before this one ended. */
  | { kind: 'askUnknown' }
  | { kind: 'carryOut'; tool: RunTool; isApproved: boolean };

/** What the run says about its calls. */
export type CallsOfRun = Pick<ExecutionRow, 'hasOutside' | 'approvedTools' | 'language'>;

/** Whether the calls of a tool carry their arguments out of the run. */
const leavesRun = { files: false, fetch: true, server: true, tests: true } as const satisfies Record<ToolSource, boolean>;

/**
 * Whether a call asks because of words from outside: they may have told the model to carry out what it knows. Each call that leaves the run
 * carries its arguments with it, one of a tool that only reads, too. Files of the run stay in it: a person sees them before they leave.
 */
export function asksAfterOutside({ source, policy, isTrusted }: RunTool, args: object): boolean {
  return leavesRun[source] && policy !== 'always' && !isTrusted?.(args);
}

/** Decides what happens with a call. `before`: the calls of its tool that the step has made before it. */
export function planCall(
  call: ToolCallRow,
  tools: readonly RunTool[],
  { hasOutside, approvedTools, language }: CallsOfRun,
  before = 0,
): CallPlan {
  if (call.state === 'running' && call.effect === 'write') return { kind: 'askUnknown' };
  const tool = tools.find(({ name }) => name === call.tool);
  if (!tool) return { kind: 'refuse', state: 'failed', text: toolText(language, 'noSuchTool') };
  if (tool.policy === 'never') return { kind: 'refuse', state: 'refused', text: toolText(language, 'neverAllowed') };
  if (tool.maxCalls !== undefined && before >= tool.maxCalls)
    return { kind: 'refuse', state: 'failed', text: toolText(language, 'callsUsedUp', { most: tool.maxCalls }) };
  const args = argumentsOf(call);
  if (args === undefined) return { kind: 'refuse', state: 'failed', text: toolText(language, 'notJson') };
  if (!isStorable(args)) return { kind: 'refuse', state: 'failed', text: toolText(language, 'notStorable') };
  if (isApproved(call, tool, { args, approvedTools })) return { kind: 'carryOut', tool, isApproved: true };
  if (tool.policy === 'ask') return { kind: 'ask', tool, approval: 'policy' };
  if (hasOutside && asksAfterOutside(tool, args)) return { kind: 'ask', tool, approval: 'outside' };
  return { kind: 'carryOut', tool, isApproved: false };
}

/** Whether a person has approved the call of the tool as it is defined now: by itself, or with all that its consent for the run covers. */
function isApproved(
  { approved, toolKey }: ToolCallRow,
  tool: RunTool,
  { args, approvedTools }: { args: object; approvedTools: readonly string[] | null },
): boolean {
  const { key, effect, hostOf } = tool;
  if (approved && toolKey === key) return true;
  return effect === 'read' && (approvedTools?.includes(consentKey(key, hostOf?.(args))) ?? false);
}

/** Carries a call out. Rejects only when the signal aborts. */
export async function carryOutCall(
  call: ToolCallRow,
  tool: RunTool,
  context: ToolContext,
  onFault: (error: unknown) => void,
): Promise<CallEnd> {
  const begun = elapsed();
  const end = (state: 'done' | 'failed', text: string, parts: Partial<ToolResultParts> = {}): CallEnd => ({
    state,
    result: cutResult(text, context.language),
    images: parts.images?.slice() ?? null,
    ms: Math.round(elapsed() - begun),
    writes: parts.writes ?? null,
    reads: parts.reads ?? null,
    ...(parts.stamp !== undefined && { stamp: parts.stamp }),
  });
  try {
    const result = await tool.carryOut(argumentsOf(call), context);
    context.signal.throwIfAborted();
    if (!result.ok)
      return {
        ...end('failed', result.failure.message, { reads: result.reads ?? null }),
        ...(result.isUnknown && { isUnknown: true }),
        ...(result.isOwn && { isOwn: true }),
      };
    if (Buffer.byteLength(result.text) > maxAnswerBytes) return end('failed', toolText(context.language, 'tooLong'));
    return { ...end('done', result.text, result), ...(result.tests && { tests: result.tests }) };
  } catch (error) {
    context.signal.throwIfAborted();
    onFault(error);
    return end('failed', toolText(context.language, 'internal'));
  }
}
