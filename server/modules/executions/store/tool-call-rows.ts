import { type ToolCall, toolCall } from '../../../../contract/executions/tool-call.ts';
import { assignments, insertion, insertions, type SqlFragment } from '../../../platform/database/statement.ts';
import { distinct } from '../../../platform/database/unique-rows.ts';
import { viewOf } from '../../../platform/database/view-of.ts';
import { parseSmallJson } from '../../../platform/llm/bounded-json.ts';
import { modelTurns, toolCalls } from './tables.ts';

export type ModelTurnRow = typeof modelTurns.$inferSelect;
export type ToolCallRow = typeof toolCalls.$inferSelect;

/** The most characters of arguments and result in an event: it goes to every open page. */
const shownLength = 500;
/** The most characters of one text in the arguments. */
const shownText = 150;

const showCall = viewOf(toolCall);

/** Converts a row to the API's call. */
export function toToolCall(row: ToolCallRow): ToolCall {
  return showCall(row);
}

/** The same for an event: with the beginnings of its texts. */
export function toShownCall(row: ToolCallRow): ToolCall {
  const call = toToolCall(row);
  return { ...call, args: shortArguments(call.args), result: call.result === null ? null : beginningOf(call.result) };
}

/** Cuts the texts in the arguments, so that short ones beside a long one are shown. */
function shortArguments(args: string): string {
  if (args.length <= shownLength) return args;
  const value = argumentsOf({ args });
  if (!value) return beginningOf(args);
  const short = JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? beginningOf(part, shownText) : part));
  return beginningOf(short);
}

function beginningOf(text: string, length = shownLength): string {
  return text.length <= length ? text : `${text.slice(0, length).toWellFormed()}…`;
}

/** Stores a turn with its calls. */
export function storingTurn(turn: ModelTurnRow): SqlFragment {
  return (changed, place) => insertion(modelTurns, turn, { source: changed, place });
}

/** Stores what the model wrote about the turns up to this one. */
export function storingSummary({ stepId, turn }: Pick<ModelTurnRow, 'stepId' | 'turn'>, summary: string): SqlFragment {
  return (changed, place) =>
    `UPDATE model_turns SET summary = ${place(summary)} WHERE model_turns.execution_id = (SELECT id FROM ${changed})
      AND model_turns.step_id = ${place(stepId)}::uuid AND model_turns.turn = ${place(turn)}::integer`;
}

export function storingCalls(calls: readonly ToolCallRow[]): SqlFragment {
  return (changed, place) => insertions(toolCalls, distinct(calls, keyOfCall), { source: changed, place });
}

const keyOfCall = ({ stepId, turn, callId }: ToolCallRow) => `${stepId} ${turn} ${callId}`;

type CallKey = Pick<ToolCallRow, 'stepId' | 'turn' | 'callId'>;

export function changingCall({ stepId, turn, callId }: CallKey, values: Partial<ToolCallRow>): SqlFragment {
  return (changed, place) =>
    `UPDATE tool_calls SET ${assignments(toolCalls, values, place)} WHERE tool_calls.execution_id = (SELECT id FROM ${changed})
      AND tool_calls.step_id = ${place(stepId)}::uuid AND tool_calls.turn = ${place(turn)}::integer AND tool_calls.call_id = ${place(callId)}`;
}

/** Opens again what `closingCalls` has closed: the steps go on. A call that was under way is so again, so that a person is asked. */
export function reopeningCalls(stepIds: readonly string[]): SqlFragment {
  return (changed, place) =>
    `UPDATE tool_calls SET state = CASE WHEN tool_calls.state = 'unknown' THEN 'running' ELSE 'pending' END, ended_at = NULL
      WHERE tool_calls.execution_id = (SELECT id FROM ${changed}) AND tool_calls.step_id = ANY (${place(stepIds)}::uuid[])
      AND tool_calls.state IN ('unknown', 'refused') AND tool_calls.result IS NULL`;
}

/** Closes the calls of a step that has ended without them: one that was under way may have been carried out, the others were not. */
export function closingCalls(stepId: string, now: Date): SqlFragment {
  return (changed, place) =>
    `UPDATE tool_calls SET state = CASE WHEN tool_calls.state = 'running' THEN 'unknown' ELSE 'refused' END, ended_at = ${place(now)}::timestamptz
      WHERE tool_calls.execution_id = (SELECT id FROM ${changed}) AND tool_calls.step_id = ${place(stepId)}::uuid
      AND tool_calls.state IN ('pending', 'running', 'waiting')`;
}

/** The limits of arguments: values and depth. */
const argumentLimits = { values: 100_000, depth: 100 };

/** Returns the arguments of a call as an object; undefined for text that is none. */
export function argumentsOf({ args }: { args: string }): object | undefined {
  const value = parseSmallJson(args, argumentLimits);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}

/**
 * Names what a consent for the run covers: the tool as it is defined now. Of a tool whose arguments choose the host it covers that host alone, so
 * that the consent to one does not open all others.
 */
export function consentKey(toolKey: string, host: string | null | undefined): string {
  return host ? `${toolKey} ${host}` : toolKey;
}
