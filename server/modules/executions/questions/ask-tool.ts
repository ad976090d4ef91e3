import type { AnswerAction, Question } from '../../../../contract/executions/question.ts';
import type { RunTool } from '../../tools/index.ts';
import type { StepRow } from '../store/rows.ts';
import { argumentsOf, changingCall, type ToolCallRow, toShownCall } from '../store/tool-call-rows.ts';
import type { Transition } from '../transitions/transition.ts';
import { openQuestion } from './ask-person.ts';

/**
 * Why a person is asked about a call: its tool's policy, words from outside in the run, or an outcome that is not known. The server stopped
 * during the call (`unknown`), or its answer was lost (`lost`). An approval is stored with the key of `tool`.
 */
type AskedCall = { call: ToolCallRow } & ({ why: 'policy' | 'outside'; tool: RunTool } | { why: 'unknown' | 'lost' });

/** Opens the question about a call of a step. The step waits until it is answered, and then continues from its stored turns. */
export async function askTool(change: Transition, step: StepRow, asked: AskedCall): Promise<void> {
  const { call, why } = asked;
  // An earlier approval was of another definition.
  const values = 'tool' in asked ? { state: 'waiting' as const, toolKey: asked.tool.key, approved: false } : { state: 'running' as const };
  if (values.state !== call.state) {
    change.addWrite(changingCall(call, values));
    change.record('tool.called', { step, call: toShownCall({ ...call, ...values }) });
  }
  const toolUse = { ...(step.toolUse ?? { calls: 1, read: 0, written: 0 }), current: { tool: call.tool, state: 'waiting' as const } };
  const waiting = await change.setStep(step, { status: 'waiting', completedAt: null, toolUse });
  change.record('step.waiting', { step: waiting });
  const kind: Question['kind'] = 'tool' in asked ? 'tool' : 'unknown_outcome';
  const reason: Question['reason'] = why === 'policy' ? 'tool' : why;
  await openQuestion(change, waiting, {
    kind,
    reason,
    actions: actionsFor(asked),
    linkIds: [],
    buttons: [],
    waiting: [],
    whenDue: 'fail',
    call: {
      turn: call.turn,
      callId: call.callId,
      tool: call.tool,
      source: call.source,
      effect: call.effect,
      args: call.args,
      ...hostIn(asked),
      ...('tool' in asked && isChangedSinceApproval(call, asked.tool, change.row.approvedTools) && { isChanged: true }),
    },
  });
}

/** The host that a call goes to, where its arguments choose it. */
function hostIn(asked: AskedCall): { host?: string } {
  const host = 'tool' in asked ? asked.tool.hostOf?.(argumentsOf(asked.call) ?? {}) : null;
  return host ? { host } : {};
}

/** Whether a person has approved this call, or all of its tool in the run, for an earlier definition of the tool. */
function isChangedSinceApproval(
  { approved, toolKey }: ToolCallRow,
  { key, source }: RunTool,
  approvedTools: readonly string[] | null,
): boolean {
  if (source !== 'server') return false;
  if (approved && toolKey !== null && toolKey !== key) return true;
  return (approvedTools ?? []).some((one) => one !== key && toolIdIn(one) === toolIdIn(key));
}

/** A key holds the id of its tool and the hash of the definition. */
function toolIdIn(key: string): string {
  return key.slice(0, key.indexOf(':'));
}

function actionsFor(asked: AskedCall): AnswerAction[] {
  if (!('tool' in asked)) return ['repeat', 'skipCall', 'enterResult', 'stop'];
  // As for the policy `always`: what writes asks each time.
  return asked.tool.effect === 'read' ? ['approve', 'approveInRun', 'refuse', 'stop'] : ['approve', 'refuse', 'stop'];
}
