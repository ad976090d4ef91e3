import type { AnswerAction, Question } from '../../../../contract/executions/question.ts';
import type { StepRow } from '../store/rows.ts';
import { changingCall, type ToolCallRow, toShownCall } from '../tools/tool-call-rows.ts';
import type { Transition } from '../work/transition.ts';
import { openQuestion } from './ask-person.ts';

/** Why a person is asked about a call: its tool's policy, results from outside in the run, or an outcome that is not known. */
export type ToolReason = 'policy' | 'outside' | 'unknown';

const actions: Record<ToolReason, AnswerAction[]> = {
  policy: ['approve', 'refuse', 'stop'],
  outside: ['approve', 'refuse', 'stop'],
  unknown: ['repeat', 'skipCall', 'enterResult', 'stop'],
};

/** Opens the question about a call of a step. The step waits until it is answered, and then continues from its stored turns. */
export async function askTool(change: Transition, step: StepRow, call: ToolCallRow, why: ToolReason): Promise<void> {
  const state = why === 'unknown' ? 'running' : 'waiting';
  if (state !== call.state) {
    change.addWrite(changingCall(call, { state }));
    change.record('tool.called', { step, call: toShownCall({ ...call, state }) });
  }
  const toolUse = { ...(step.toolUse ?? { calls: 1, read: 0, written: 0 }), current: { tool: call.tool, state: 'waiting' as const } };
  const waiting = await change.setStep(step, { status: 'waiting', completedAt: null, toolUse });
  change.record('step.waiting', { step: waiting });
  const kind: Question['kind'] = why === 'unknown' ? 'unknown_outcome' : 'tool';
  const reason: Question['reason'] = why === 'policy' ? 'tool' : why;
  await openQuestion(change, waiting, {
    ...{ kind, reason, actions: actions[why], linkIds: [], buttons: [], waiting: [], whenDue: 'fail' },
    call: { turn: call.turn, callId: call.callId, tool: call.tool, source: call.source, effect: call.effect, args: call.args },
  });
}
