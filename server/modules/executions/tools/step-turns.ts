import type { ModelErrorCode } from '../../../../contract/errors.ts';
import type { StepMark } from '../../../../contract/executions/step-mark.ts';
import type { Window } from '../../../platform/llm/fit/fit-prompt.ts';
import { windowOfRefusal } from '../../../platform/llm/fit/window-of.ts';
import type { ModelAnswer, ModelFailure, ModelOutcome, ModelRequest, ToolDefinition } from '../../../platform/llm/language-model.ts';
import type { RunTool } from '../../tools/index.ts';
import type { ToolCallRow } from '../store/tool-call-rows.ts';
import type { Claim } from '../transitions/claim.ts';
import { canContinue, joinAnswer, partsOfAnswer } from './continued-answer.ts';
import { type CallDeps, endCall } from './end-call.ts';
import { fitTurn, isShortened } from './fit-turn.ts';
import { keepShownImages, toModelTurns } from './model-turns.ts';
import { readEarlierResult } from './read-earlier-result.ts';
import { storeTurn } from './store-turn.ts';
import { isEnded, lastWriteOf, reachedOutside, type StoredTurn } from './stored-turns.ts';
import type { ToolLoopInput, ToolLoopOutcome } from './tool-loop.ts';

/** The most turns of a model in one step, with its answer, and the most calls of them together. */
export const maxTurns = 8;
export const maxCalls = 32;

type StepTurnsInput = Omit<ToolLoopInput, 'lasting'> & { turns: StoredTurn[]; deps: CallDeps };

/**
 * The turns of one step: the model calls tools and gets their results, and goes on with an answer that was cut, until it has answered. A step that
 * begins again after a crash continues from its stored turns.
 */
export class StepTurns {
  readonly #input: StepTurnsInput;
  readonly #turns: StoredTurn[];
  /** Offered once a prompt leaves something out. */
  readonly #readTool: RunTool;
  readonly #deps: CallDeps;
  readonly #marks: Set<StepMark>;
  /** What the model reported of its thoughts in the parts of its answer. */
  #reasoning: string[] = [];
  /** The window, once the model's server has refused a prompt by it. */
  #told: Window | null = null;
  #claim: Claim;
  #offered: readonly ToolDefinition[];

  constructor(input: StepTurnsInput) {
    this.#input = input;
    this.#turns = input.turns;
    this.#claim = input.claim;
    this.#readTool = readEarlierResult(input.turns, input.claim.row.language);
    this.#deps = { ...input.deps, tools: [...input.deps.tools, this.#readTool] };
    this.#marks = new Set(input.claim.step.marks?.filter((mark) => mark === 'withoutTools'));
    this.#offered = this.#marks.has('withoutTools') ? [] : input.tools.filter(({ isOff }) => !isOff).map(toDefinition);
    keepShownImages(this.#turns, input.model.sees);
  }

  async run(): Promise<ToolLoopOutcome> {
    for (;;) {
      const stopped = await this.#endCalls();
      if (stopped) return stopped;
      const outcome = await this.#ask();
      if (outcome === 'left') return { kind: 'left' };
      if (!outcome.ok && outcome.error.code === 'model_refuses_tools' && this.#input.mayGoWithoutTools && this.#offered.length > 0) {
        if (!(await this.#goWithoutTools())) return { kind: 'left' };
        continue;
      }
      if (!outcome.ok) return this.#failed(outcome.error);
      const ended = this.#endOf(outcome.value);
      if (ended) return ended;
      if (!(await this.#store(outcome.value))) return { kind: 'left' };
    }
  }

  /** Ends the calls of the last turn that have not ended. */
  async #endCalls(): Promise<ToolLoopOutcome | null> {
    const calls = this.#turns.at(-1)?.calls ?? [];
    for (const [at, row] of calls.entries()) {
      if (isEnded(row)) continue;
      const next = calls.find((other) => other.callId !== row.callId && !isEnded(other));
      const ended = await endCall(this.#deps, this.#claim, { row, next, before: this.#callsBefore(row) });
      if (ended === 'left') return { kind: 'left' };
      if (ended === 'aborted') return this.#failed({ code: 'aborted', transient: false });
      this.#claim = ended.claim;
      calls[at] = ended.row;
      keepShownImages(this.#turns, this.#input.model.sees);
    }
    return null;
  }

  /** The calls of the same tool that the step has made before this one, also in an earlier attempt. */
  #callsBefore(row: ToolCallRow): number {
    const same = this.#turns.flatMap(({ calls }) => calls).filter(({ tool }) => tool === row.tool);
    return same.findIndex(({ turn, callId }) => turn === row.turn && callId === row.callId);
  }

  async #ask(): Promise<ModelOutcome | 'left'> {
    const { model, request, call, opaqueFrom = 0 } = this.#input;
    const { row, step } = this.#claim;
    // Known before the call: the model is not asked, as if it had refused.
    if (this.#offered.length > 0 && !model.callsTools) return { ok: false, error: { code: 'model_refuses_tools', transient: false } };
    const isLast = this.#turns.length === maxTurns - 1;
    const told = { language: row.language, isLast, sees: model.sees, opaqueFrom };
    const asked: ModelRequest = {
      ...request,
      ...(this.#offered.length > 0 && { tools: this.#offered, hasBaseTree: row.inputSetId !== null }),
      ...(this.#turns.length > 0 && {
        turns: toModelTurns(this.#turns, told),
        idempotencyKey: `${request.idempotencyKey}:${step.turns}`,
      }),
    };
    const fitting = { ...this.#input, told: this.#told, readTool: toDefinition(this.#readTool) };
    const fitted = await fitTurn(fitting, { claim: this.#claim, request: asked, turns: this.#turns });
    if (fitted.kind === 'left') return 'left';
    this.#claim = fitted.claim;
    if (fitted.kind === 'failed') return { ok: false, error: fitted.error };
    if (isShortened(this.#claim.step)) this.#marks.add('shortened');
    const outcome = await call(fitted.request);
    const tokens = outcome.ok || outcome.error.code !== 'prompt_over_window' ? undefined : outcome.error.tokens;
    if (!tokens || this.#told) return outcome;
    this.#told = windowOfRefusal(tokens, fitted.request);
    return this.#ask();
  }

  /** Returns how the turns end with an answer; null where they go on after it. */
  #endOf(answer: ModelAnswer): ToolLoopOutcome | null {
    const isLast = this.#turns.length + 1 >= maxTurns;
    if (answer.calls) {
      const count = this.#turns.reduce((sum, { calls }) => sum + calls.length, answer.calls.length);
      if (isLast) return this.#failed(failureOf('tool_turns_exceeded'));
      return count > maxCalls ? this.#failed(failureOf('tool_calls_exceeded')) : null;
    }
    if (!isLast && canContinue(partsOfAnswer(this.#turns), answer)) return null;
    if (answer.finish !== 'stop') this.#marks.add('cut');
    return this.#ended({ ok: true, value: joinAnswer(this.#turns, answer, this.#reasoning) });
  }

  /** A failure after a part of the answer leaves that part. */
  #failed(error: ModelFailure): ToolLoopOutcome {
    const hasParts = partsOfAnswer(this.#turns).length > 0;
    const unfinished = hasParts ? joinAnswer(this.#turns, null, this.#reasoning) : null;
    return this.#ended({ ok: false, error }, unfinished);
  }

  #ended(outcome: ModelOutcome, unfinished: ModelAnswer | null = null): ToolLoopOutcome {
    const about = { marks: [...this.#marks], lastWrite: lastWriteOf(this.#turns), hasEffect: reachedOutside(this.#turns), unfinished };
    return { kind: 'answered', outcome, claim: this.#claim, about };
  }

  async #goWithoutTools(): Promise<boolean> {
    this.#offered = [];
    this.#marks.add('withoutTools');
    const told = await this.#input.ends.progress(this.#claim, async (it, step) =>
      it.record('tools.refused', { step: await it.setStep(step, { marks: ['withoutTools'] }) }),
    );
    this.#claim = told ?? this.#claim;
    return told !== null;
  }

  async #store(answer: ModelAnswer): Promise<boolean> {
    const stored = await storeTurn(this.#deps, this.#claim, answer);
    if (!stored) return false;
    this.#claim = stored.claim;
    this.#turns.push(stored.turn);
    this.#reasoning = answer.calls ? [] : [...this.#reasoning, answer.written?.thoughts ?? ''];
    return true;
  }
}

function failureOf(code: ModelErrorCode): ModelFailure {
  return { code, transient: false };
}

function toDefinition({ name, description, parameters, source, effect }: RunTool): ToolDefinition {
  return { name, description, parameters, ...(source === 'server' && effect === 'read' && { isServerRead: true }) };
}
