import type { ModelErrorCode } from '../../../../contract/errors.ts';
import type { ToolUse } from '../../../../contract/executions/tool-call.ts';
import type { Db } from '../../../platform/database/database.ts';
import type {
  LanguageModel,
  ModelAnswer,
  ModelOutcome,
  ModelRequest,
  ModelToolCall,
  ToolDefinition,
} from '../../../platform/llm/language-model.ts';
import type { RunTool, ToolProvider, ToolStep } from '../../tools/index.ts';
import { askTool } from '../questions/ask-tool.ts';
import { argumentsOf } from '../store/arguments-of.ts';
import type { StepRow } from '../store/rows.ts';
import { sumUsage } from '../store/sum-usage.ts';
import { changingCall, storingCalls, storingTurn, type ToolCallRow, toShownCall } from '../store/tool-call-rows.ts';
import { noteWords } from '../store/word-sources.ts';
import { storeFiles, storeSpend } from '../transitions/change-steps.ts';
import type { Claim, StepEnds } from '../transitions/claim.ts';
import type { Paid } from '../transitions/end-run.ts';
import { asksAfterOutside, type CallEnd, carryOutCall, planCall } from './carry-out-call.ts';
import { keepShownImages, toModelTurns } from './model-turns.ts';
import { readTurns, type StoredTurn } from './stored-turns.ts';
import { withReads } from './with-reads.ts';

/** The most turns of a model in one step, with its answer, and the most calls of them together. */
export const maxTurns = 8;
export const maxCalls = 32;

export type ToolLoopDeps = {
  providers: readonly ToolProvider[];
  db: Db;
  log: { error: (about: object, line: string) => void };
};

/** The step whose turns are run, and how it calls and stores. */
export type ToolLoopInput = {
  claim: Claim;
  model: LanguageModel;
  request: ModelRequest;
  tools: readonly RunTool[];
  ends: StepEnds;
  /** Aborts with the time or the stop of the step. */
  signal: AbortSignal;
  /** Returns what the step has used and cost so far, and its calls that are not stored yet. */
  paid: (step: StepRow) => Paid;
  /** Calls the model once, with retries. */
  call: (request: ModelRequest) => Promise<ModelOutcome>;
  /** Repeats a write while the database is down. */
  lasting: <T>(work: () => Promise<T>) => Promise<T>;
};

/**
 * How the turns of a step ended: with an answer or a failure, and the tokens of all turns. Or with a question to a person, or because
 * another attempt owns the step.
 */
export type ToolLoopOutcome = { kind: 'answered'; outcome: ModelOutcome; claim: Claim } | { kind: 'left' };

/** Runs the turns of a step: the model calls tools and gets their results, until it answers. */
export function createToolLoop({ providers, db, log }: ToolLoopDeps) {
  /** Returns the tools that an agent has in a step; none for a model that cannot call them. */
  async function toolsFor(
    { row, step }: Pick<Claim, 'row' | 'step'>,
    model: LanguageModel,
    settings: Pick<ToolStep, 'hasServerTools' | 'fetchHosts'>,
  ): Promise<RunTool[]> {
    if (!model.callsTools) return [];
    const { userId, projectId, id: executionId, language, inputSetId } = row;
    const hasFiles = row.hasFiles || inputSetId !== null;
    const tools = new Map<string, RunTool>();
    const about = { userId, projectId, agentId: step.agentId, executionId, language, hasFiles, ...settings };
    for (const provider of providers) {
      const given = await provider.toolsFor(about);
      for (const tool of given) if (!tools.has(tool.name)) tools.set(tool.name, tool);
    }
    return [...tools.values()];
  }

  async function runTurns({ claim, model, request, tools, ends, signal, paid, call, lasting }: ToolLoopInput): Promise<ToolLoopOutcome> {
    const { language } = claim.row;
    const turns = await lasting(() => readTurns(db, claim.step));
    keepShownImages(turns, model.sees);
    let current = claim;
    let offered: readonly ToolDefinition[] = tools.filter(({ isOff }) => !isOff).map(toDefinition);

    for (;;) {
      for (const [at, row] of (turns.at(-1)?.calls ?? []).entries()) {
        if (isEnded(row)) continue;
        const ended = await endCall(current, row);
        if ('left' in ended) return { kind: 'left' };
        if ('aborted' in ended) return { kind: 'answered', outcome: aborted, claim: current };
        current = ended.claim;
        (turns.at(-1) as StoredTurn).calls[at] = ended.row;
        keepShownImages(turns, model.sees);
      }
      const asked: ModelRequest = {
        ...request,
        ...(offered.length > 0 && { tools: offered, hasBaseTree: claim.row.inputSetId !== null }),
        ...(turns.length > 0 && {
          turns: toModelTurns(turns, { language, isLast: turns.length === maxTurns - 1, sees: model.sees }),
          idempotencyKey: `${request.idempotencyKey}:${current.step.turns}`,
        }),
      };
      const outcome = await call(asked);
      // A server at an address of its own may not know tools. Its model answers without them.
      if (offered.length > 0 && turns.length === 0 && refusesTools(outcome)) {
        offered = [];
        const told = await ends.progress(current, async (it, step) => it.record('tools.refused', { step }));
        if (!told) return { kind: 'left' };
        current = told;
        continue;
      }
      if (!outcome.ok || !outcome.value.calls) return { kind: 'answered', outcome: withUsageOf(turns, outcome), claim: current };
      const count = outcome.value.calls.length + turns.reduce((sum, { calls }) => sum + calls.length, 0);
      if (turns.length + 1 >= maxTurns) return { kind: 'answered', outcome: failed('tool_turns_exceeded'), claim: current };
      if (count > maxCalls) return { kind: 'answered', outcome: failed('tool_calls_exceeded'), claim: current };
      const { text, usage, calls, opaque } = outcome.value;
      const stored = await storeTurn(current, { text, usage, calls, ...(opaque !== undefined && { opaque }) });
      if (!stored) return { kind: 'left' };
      current = stored.claim;
      turns.push(stored.turn);
    }

    async function storeTurn(
      from: Claim,
      { text, usage, calls, opaque }: Pick<ModelAnswer, 'text' | 'usage' | 'opaque'> & { calls: readonly ModelToolCall[] },
    ): Promise<{ claim: Claim; turn: StoredTurn } | null> {
      const { executionId, stepId, turns: number } = from.step;
      const { spend, ...used } = paid(from.step);
      let turn: StoredTurn | null = null;
      const after = await ends.progress(from, async (it, step) => {
        const rows = calls.map((one, position): ToolCallRow => {
          const tool = tools.find(({ name }) => name === one.name);
          return {
            ...{ executionId, stepId, turn: number, callId: one.id, position, tool: one.name, args: one.arguments },
            ...{
              source: tool?.source ?? null,
              effect: tool?.effect ?? 'read',
              approved: false,
              state: 'pending',
              result: null,
              images: null,
              toolKey: null,
            },
            ...{ ms: null, createdAt: it.now, endedAt: null },
          };
        });
        turn = { executionId, stepId, turn: number, text, usage, opaque: opaque ?? null, summary: null, createdAt: it.now, calls: rows };
        const { calls: _calls, ...row } = turn;
        it.addWrite(storingTurn(row));
        it.addWrite(storingCalls(rows));
        storeSpend(it, spend);
        const uses = toolUseOf(step);
        const first = rows[0];
        const current = first ? { tool: first.tool, state: first.state } : null;
        const toolUse = { ...uses, calls: uses.calls + rows.length, current };
        const changed = await it.setStep(step, { turns: number + 1, toolUse, ...used });
        for (const one of rows) it.record('tool.called', { step: changed, call: toShownCall(one) });
      });
      return after && turn ? { claim: after, turn } : null;
    }

    async function endCall(
      from: Claim,
      row: ToolCallRow,
    ): Promise<{ claim: Claim; row: ToolCallRow } | { left: true } | { aborted: true }> {
      const plan = planCall(row, tools, from.row);
      switch (plan.kind) {
        case 'ask':
          return ask(from, { call: row, why: plan.approval, tool: plan.tool });
        case 'askUnknown':
          return ask(from, { call: row, why: 'unknown' });
        case 'refuse':
          return storeEnd(from, row, { state: plan.state, result: plan.text, images: null, ms: null, writes: null, reads: null }, null);
        case 'carryOut': {
          const { tool } = plan;
          let started = { claim: from, row };
          if (tool.effect === 'write' || tool.source !== 'files') {
            const running = await storeStart(from, row, plan);
            if (!running) return { left: true };
            // A step beside this one has brought a result from outside into the run meanwhile.
            if (running === 'ask') return ask(from, { call: row, why: 'outside', tool });
            started = running;
          }
          const { id: executionId, userId, projectId } = from.row;
          const context = { executionId, userId, projectId, stepId: from.step.stepId, signal, language, isApproved: plan.isApproved };
          try {
            const end = await carryOutCall(started.row, tool, context, (error) =>
              log.error({ err: error, executionId, tool: row.tool }, 'A tool failed by a fault of the server.'),
            );
            // Its answer was lost, as by a crash. A repeated call is harmless, or a person decides.
            if (end.isUnknown && tool.effect === 'write') return await ask(started.claim, { call: started.row, why: 'lost' });
            return await storeEnd(started.claim, started.row, end, tool);
          } catch (error) {
            if (signal.aborted) return { aborted: true };
            throw error;
          }
        }
        default:
          return plan satisfies never;
      }
    }

    /** Leaves the step with a question about a call. */
    async function ask(from: Claim, about: Parameters<typeof askTool>[2]): Promise<{ left: true }> {
      await ends.suspended(from, (it, step) => askTool(it, step, about));
      return { left: true };
    }

    /** A call that leaves the run, or that may not be repeated, is marked before it is carried out. */
    async function storeStart(
      from: Claim,
      row: ToolCallRow,
      { tool, isApproved }: { tool: RunTool; isApproved: boolean },
    ): Promise<{ claim: Claim; row: ToolCallRow } | 'ask' | null> {
      let mustAsk = false;
      // The definition may have changed since the turn. The effect decides what happens after a crash.
      const begins = { state: 'running', effect: tool.effect, toolKey: tool.key } as const;
      const running: ToolCallRow = { ...row, ...begins };
      const after = await ends.progress(from, async (it, step) => {
        mustAsk = it.row.hasOutside && !isApproved && asksAfterOutside(tool, argumentsOf(row) ?? {});
        if (mustAsk) return;
        it.addWrite(changingCall(row, begins));
        const toolUse = { ...toolUseOf(step), current: { tool: row.tool, state: running.state } };
        it.record('tool.called', { step: await it.setStep(step, { toolUse }), call: toShownCall(running) });
      });
      if (mustAsk) return 'ask';
      return after && { claim: after, row: running };
    }

    async function storeEnd(
      from: Claim,
      row: ToolCallRow,
      { writes, reads, isUnknown: _isUnknown, isOwn, ...values }: CallEnd,
      tool: RunTool | null,
    ): Promise<{ claim: Claim; row: ToolCallRow } | { left: true }> {
      let ended: ToolCallRow = row;
      const after = await ends.progress(from, async (it, step) => {
        ended = { ...row, ...values, endedAt: it.now };
        it.addWrite(changingCall(row, { ...values, endedAt: it.now }));
        if (tool && !isOwn) noteWords(it, tool.source);
        if (writes && writes.length > 0) storeFiles(it, step, writes);
        const readFiles = withReads(step.readFiles, reads ?? []);
        const used = toolUseOf(step);
        const next = turns.at(-1)?.calls.find((other) => other.callId !== row.callId && !isEnded(other));
        const toolUse = {
          ...{ ...used, read: new Set(readFiles.map(({ path }) => path)).size, written: used.written + (writes?.length ?? 0) },
          current: next ? { tool: next.tool, state: next.state } : null,
        };
        const changed = await it.setStep(step, { toolUse, ...(reads && reads.length > 0 && { readFiles }) });
        it.record('tool.ended', { step: changed, call: toShownCall(ended) });
      });
      return after ? { claim: after, row: ended } : { left: true };
    }
  }

  return { toolsFor, runTurns };
}

export type ToolLoop = ReturnType<typeof createToolLoop>;

const aborted: ModelOutcome = failed('aborted');

function failed(code: ModelErrorCode): ModelOutcome {
  return { ok: false, error: { code, transient: false } };
}

function toDefinition({ name, description, parameters, source, effect }: RunTool): ToolDefinition {
  return { name, description, parameters, ...(source === 'server' && effect === 'read' && { isServerRead: true }) };
}

function isEnded({ state }: ToolCallRow): boolean {
  return state === 'done' || state === 'failed' || state === 'refused' || state === 'unknown';
}

function refusesTools(outcome: ModelOutcome): boolean {
  if (outcome.ok || outcome.error.code !== 'model_rejected') return false;
  return /tool|function/i.test(outcome.error.detail ?? '');
}

/** An answer counts the tokens of all turns before it. */
function withUsageOf(turns: readonly StoredTurn[], outcome: ModelOutcome): ModelOutcome {
  if (!outcome.ok || turns.length === 0) return outcome;
  const parts = [...turns, outcome.value];
  return { ok: true, value: { ...outcome.value, usage: parts.some(({ usage }) => usage !== null) ? sumUsage(parts) : null } };
}

function toolUseOf({ toolUse }: StepRow): ToolUse {
  return toolUse ?? { calls: 0, read: 0, written: 0, current: null };
}
