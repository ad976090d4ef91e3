import type { ToolUse } from '../../../../contract/executions/tool-call.ts';
import type { Language } from '../../../http/call.ts';
import { maxAnswerBytes } from '../../../platform/llm/answer-text.ts';
import type { ModelAnswer } from '../../../platform/llm/language-model.ts';
import { leftOutArguments, leftOutTogether, maxArgumentBytes } from '../../../platform/llm/tool-calls.ts';
import { FileRepository } from '../../files/index.ts';
import type { RunTool } from '../../tools/index.ts';
import type { StepRow } from '../store/rows.ts';
import type { StoredRoom } from '../store/tables.ts';
import { storingTestLog } from '../store/test-run-rows.ts';
import { argumentsOf, changingCall, storingCalls, storingTurn, type ToolCallRow, toShownCall } from '../store/tool-call-rows.ts';
import { toolText } from '../store/tool-texts.ts';
import { noteWords } from '../store/word-sources.ts';
import { storeFiles, storeSpend } from '../transitions/change-steps.ts';
import type { Claim, StepEnds } from '../transitions/claim.ts';
import type { Paid } from '../transitions/end-run.ts';
import type { Transition } from '../transitions/transition.ts';
import { asksAfterOutside, type CallEnd } from './carry-out-call.ts';
import { writtenText } from './continued-answer.ts';
import type { SealTurn } from './opaque-turns.ts';
import { type Room, roomOfStep } from './step-room.ts';
import { isEnded, type StoredTurn } from './stored-turns.ts';
import { withReads } from './with-reads.ts';

/** What storing a step's turns needs. */
export type TurnStore = {
  ends: Pick<StepEnds, 'progress'>;
  tools: readonly RunTool[];
  /** Returns what the step has used and cost so far, and its calls that are not stored yet. */
  paid: (step: StepRow) => Paid;
  seal: SealTurn;
};

/** What is left of the room after a turn, where the model is told of it; and the longest answer that was asked for (tokens). */
type AfterTurn = { left: Room | null; maxTokens: number | null };

/** Stores a turn with its calls; one without calls was cut or paused. Null when another attempt owns the step. */
export async function storeTurn(
  { ends, tools, paid, seal }: TurnStore,
  from: Claim,
  answer: ModelAnswer,
  { left, maxTokens }: AfterTurn,
): Promise<{ claim: Claim; turn: StoredTurn } | null> {
  const { executionId, stepId, turns: number } = from.step;
  const { usage, opaque } = answer;
  const text = writtenText(answer);
  const { spend, ...used } = paid(from.step);
  let turn: StoredTurn | null = null;
  const after = await ends.progress(from, async (it, step) => {
    const rows = rowsOfCalls(it, from, answer, { tools, maxTokens });
    turn = { executionId, stepId, turn: number, text, usage, opaque: opaque ?? null, summary: null, createdAt: it.now, calls: rows };
    const { calls: _calls, ...stored } = turn;
    it.addWrite(storingTurn({ ...stored, opaque: seal(from.step, opaque) }));
    storeSpend(it, spend);
    if (rows.length === 0) {
      it.record('step.continued', { step: await it.setStep(step, { turns: number + 1, ...used }) });
      return;
    }
    it.addWrite(storingCalls(rows));
    const uses = toolUseOf(step);
    const next = rows.find((one) => !isEnded(one));
    const current = next ? { tool: next.tool, state: next.state } : null;
    const toolUse = { ...uses, calls: uses.calls + rows.length, current };
    const room = left ? { room: withTold(step, { turn: number, ...left }) } : {};
    const changed = await it.setStep(step, { turns: number + 1, toolUse, ...room, ...used });
    for (const one of rows) it.record(isEnded(one) ? 'tool.ended' : 'tool.called', { step: changed, call: toShownCall(one) });
  });
  return after && turn ? { claim: after, turn } : null;
}

/** Tells the model after its last turn what it has left. Null when another attempt owns the step. */
export async function tellRoom({ ends }: Pick<TurnStore, 'ends'>, from: Claim, told: ToldRoom): Promise<Claim | null> {
  return ends.progress(from, async (it, step) => {
    await it.setStep(step, { room: withTold(step, told) });
  });
}

type ToldRoom = StoredRoom['told'][number];

function withTold(step: StepRow, told: ToldRoom): StoredRoom {
  const room = roomOfStep(step);
  return { ...room, told: [...room.told.filter(({ turn }) => turn !== told.turn), told], isTold: true };
}

function rowsOfCalls(
  it: Transition,
  { step, row }: Claim,
  { calls = [], finish, usage }: ModelAnswer,
  { tools, maxTokens }: { tools: readonly RunTool[]; maxTokens: number | null },
): ToolCallRow[] {
  const { executionId, stepId, turns: turn } = step;
  return calls.map(({ id, name, arguments: args }, position): ToolCallRow => {
    const tool = tools.find((one) => one.name === name);
    const isCut = finish === 'length' && isCutCall(args, position === calls.length - 1);
    const cut = isCut ? cutOffText(row.language, usage?.completionTokens ?? maxTokens) : null;
    const refused = tooLongText(row.language, args) ?? cut;
    return {
      executionId,
      stepId,
      turn,
      callId: id,
      position,
      tool: name,
      args,
      source: tool?.source ?? null,
      effect: tool?.effect ?? 'read',
      approved: false,
      images: null,
      toolKey: null,
      ms: null,
      createdAt: it.now,
      state: refused === null ? 'pending' : 'failed',
      result: refused,
      endedAt: refused === null ? null : it.now,
    };
  });
}

/** Tells a model that arguments were left out, and how much room there is; null for other ones. */
function tooLongText(language: Language, args: string): string | null {
  if (args === leftOutArguments) return toolText(language, 'argumentsTooLong', { limit: maxArgumentBytes / 1024 });
  return args === leftOutTogether ? toolText(language, 'argumentsTogether', { limit: maxAnswerBytes / 1024 }) : null;
}

/** Tells a model that its limit has cut a call off, and how much room it had (tokens); null where that is not known. */
function cutOffText(language: Language, tokens: number | null): string {
  return tokens ? toolText(language, 'cutOff', { tokens }) : toolText(language, 'cutOffSomewhere');
}

/** Whether the limit has cut a call off: its arguments do not parse, or it is the last one and has none. */
function isCutCall(args: string, isLast: boolean): boolean {
  const parsed = argumentsOf({ args });
  return parsed === undefined || (isLast && Object.keys(parsed).length === 0);
}

type Started = { claim: Claim; row: ToolCallRow };

/**
 * Marks a call before it is carried out, if it leaves the run or may not be repeated. Returns `ask` when a step beside this one has brought words
 * from outside into the run meanwhile.
 */
export async function storeStart(
  { ends }: TurnStore,
  from: Claim,
  row: ToolCallRow,
  { tool, isApproved }: { tool: RunTool; isApproved: boolean },
): Promise<Started | 'ask' | null> {
  let mustAsk = false;
  // The definition may have changed since the turn. The effect decides what happens after a crash.
  const begins = { state: 'running', effect: tool.effect, toolKey: tool.key } as const;
  const running: ToolCallRow = { ...row, ...begins };
  const after = await ends.progress(from, async (it, step) => {
    mustAsk = it.row.hasOutside && !isApproved && asksAfterOutside(tool, argumentsOf(row) ?? {});
    if (mustAsk) return;
    it.addWrite(changingCall(row, begins));
    const toolUse = { ...toolUseOf(step), current: { tool: row.tool, state: running.state } };
    const testRun = tool.testRunOf?.(argumentsOf(row) ?? {}, it.now);
    it.record('tool.called', { step: await it.setStep(step, { toolUse, ...(testRun && { testRun }) }), call: toShownCall(running) });
  });
  if (mustAsk) return 'ask';
  return after && { claim: after, row: running };
}

/** The call that ends, its tool if there is one, and the call of its turn that is next. */
type Ending = { row: ToolCallRow; tool: RunTool | null; next: ToolCallRow | undefined };

/** Stores the end of a call that has only a text. Null when another attempt owns the step. */
export async function storeText(
  store: TurnStore,
  from: Claim,
  ending: Ending,
  text: Pick<CallEnd, 'state' | 'result'>,
): Promise<Started | null> {
  const stored = await storeEnd(store, from, ending, { ...text, images: null, ms: null, writes: null, reads: null });
  if (stored && 'isStale' in stored) throw new Error('A call without changes of files was made for an earlier state of them.');
  return stored;
}

/**
 * Stores the end of a call with what it has written and read. Null when another attempt owns the step. `isStale`: nothing is stored, since another step
 * has changed a file of the run after the call read them. The state is compared under the lock of the run's row.
 */
export async function storeEnd(
  { ends }: TurnStore,
  from: Claim,
  { row, tool, next }: Ending,
  { writes, reads, tests, stamp, isUnknown: _isUnknown, isOwn, ...values }: CallEnd,
): Promise<Started | { claim: Claim; isStale: true } | null> {
  let ended: ToolCallRow = row;
  let isStale = false;
  const after = await ends.progress(from, async (it, step) => {
    isStale = stamp !== undefined && (await new FileRepository(it.tx()).stamp(it.row.id)) !== stamp;
    if (isStale) return;
    ended = { ...row, ...values, endedAt: it.now };
    it.addWrite(changingCall(row, { ...values, endedAt: it.now }));
    if (tool && !isOwn) noteWords(it, tool.source);
    if (writes && writes.length > 0) storeFiles(it, step, writes);
    if (tests) it.addWrite(storingTestLog(step, tests.log));
    // A call that has executed nothing leaves nothing under way.
    const testRun =
      tests?.run ?? (tool?.testRunOf && step.testRun?.state === 'running' ? { ...step.testRun, state: 'stopped' as const } : null);
    const readFiles = withReads(step.readFiles, reads ?? []);
    const used = toolUseOf(step);
    const toolUse = {
      ...used,
      read: new Set(readFiles.map(({ path }) => path)).size,
      written: used.written + (writes?.length ?? 0),
      current: next ? { tool: next.tool, state: next.state } : null,
    };
    const changed = await it.setStep(step, { toolUse, ...(testRun && { testRun }), ...(reads && reads.length > 0 && { readFiles }) });
    it.record('tool.ended', { step: changed, call: toShownCall(ended) });
  });
  if (after && isStale) return { claim: after, isStale };
  return after && { claim: after, row: ended };
}

function toolUseOf({ toolUse }: StepRow): ToolUse {
  return toolUse ?? { calls: 0, read: 0, written: 0, current: null };
}
