import type { Question } from '../../../../contract/executions/question.ts';
import { and, eq } from '../../../platform/database/drizzle.ts';
import type { StepRow } from '../store/rows.ts';
import { toolCalls } from '../store/tables.ts';
import { consentKey, type ToolCallRow, toShownCall } from '../store/tool-call-rows.ts';
import { cutResult, toolText } from '../store/tool-texts.ts';
import type { Transition } from '../transitions/transition.ts';
import type { CheckedAnswer } from './check-answer.ts';

/**
 * Stores what a person has decided about a call of a step. The step goes on from its stored turns: it carries the call out, or tells the model
 * what became of it. Returns the step.
 */
export async function answerCall(
  it: Transition,
  step: StepRow,
  { turn, callId, host }: NonNullable<Question['call']>,
  checked: CheckedAnswer,
): Promise<StepRow> {
  const key = and(
    ...[eq(toolCalls.executionId, it.row.id), eq(toolCalls.stepId, step.stepId), eq(toolCalls.turn, turn), eq(toolCalls.callId, callId)],
  );
  const values = changeOf(it, checked);
  const [row] = await it.tx().update(toolCalls).set(values).where(key).returning();
  if (!row) throw new Error('The call of a question does not exist.');
  const approved = it.row.approvedTools ?? [];
  const consent = row.toolKey === null ? null : consentKey(row.toolKey, host);
  if (checked.action === 'approveInRun' && consent !== null && !approved.includes(consent))
    it.set({ approvedTools: [...approved, consent] });
  const toolUse = step.toolUse && { ...step.toolUse, current: { tool: row.tool, state: row.state } };
  const next = await it.setStep(step, { status: 'pending', toolUse });
  if (values.endedAt) it.record('tool.ended', { step: next, call: toShownCall(row) });
  return next;
}

function changeOf({ now, row: { language } }: Transition, { action, text, given }: CheckedAnswer): Partial<ToolCallRow> {
  switch (action) {
    case 'approve':
    case 'approveInRun':
    case 'repeat':
      return { state: 'pending', approved: true, ...(given.args !== undefined && { args: given.args }) };
    case 'enterResult':
      return { state: 'done', result: cutResult(text, language), endedAt: now };
    case 'skipCall':
      return { state: 'unknown', result: toolText(language, 'notKnown'), endedAt: now };
    case 'refuse': {
      const note = text.trim() === '' ? '' : ` ${toolText(language, 'withNote', { note: text.trim() })}`;
      return { state: 'refused', result: `${toolText(language, 'refusedByPerson')}${note}`, endedAt: now };
    }
    default:
      throw new Error(`A call cannot be answered with ${action}.`);
  }
}
