import type { StepMark } from '../../../../contract/executions/step-mark.ts';
import type { Window } from '../../../platform/llm/fit/fit-prompt.ts';
import { isPartlyRead, readWindow, windowOfRefusal, windowOfUntold } from '../../../platform/llm/fit/window-of.ts';
import type { ModelAnswer, ModelFailure, ModelOutcome, ModelRequest, ToolDefinition } from '../../../platform/llm/language-model.ts';
import type { RunTool } from '../../tools/index.ts';
import { askRoom } from '../questions/ask-room.ts';
import { sumUsage } from '../store/sum-usage.ts';
import type { ToolCallRow } from '../store/tool-call-rows.ts';
import type { Claim } from '../transitions/claim.ts';
import { canContinue, joinAnswer, partsOfAnswer } from './continued-answer.ts';
import { type CallDeps, endCall } from './end-call.ts';
import { endReads, readsTogether } from './end-reads.ts';
import { fitTurn, isShortened } from './fit-turn.ts';
import { keepShownImages, toModelTurns } from './model-turns.ts';
import { buildPartialAnswer } from './partial-answer.ts';
import { readEarlierResult } from './read-earlier-result.ts';
import { isNearlyUsed, leftOf, type Room, reachedBy, roomOfStep } from './step-room.ts';
import { storeTurn, tellRoom } from './store-turn.ts';
import { isEnded, lastWriteOf, reachedOutside, type StoredTurn } from './stored-turns.ts';
import type { ToolLoopInput, ToolLoopOutcome } from './tool-loop.ts';

/** The most times that a prompt is shortened for a server that does not tell its window: to two fifths of its length. */
const maxGuesses = 3;

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
  /** That of the model before its last call (tokens); null where it is not known. */
  #window: number | null = null;
  /** How often a prompt was shortened because its server refused it without telling its window. */
  #guesses = 0;
  /** Its limits, as they were when the turn began. */
  #room: Room = { turns: 1, calls: 1 };
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
      if (roomOfStep(this.#claim.step).handsOn) return this.#handOn();
      this.#room = await this.#input.room();
      const stopped = await this.#endCalls();
      if (stopped) return stopped;
      if (await this.#asksForRoom()) return { kind: 'left' };
      if (!(await this.#tellAddedRoom())) return { kind: 'left' };
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
    const earlier = this.#turns.slice(0, -1).reduce((sum, turn) => sum + turn.calls.length, 0);
    for (;;) {
      const waiting = calls.filter((row) => !isEnded(row));
      const [row] = waiting;
      if (!row) return null;
      if (await this.#asksForRoom()) return { kind: 'left' };
      const mayEnd = this.#room.calls + roomOfStep(this.#claim.step).calls - earlier - (calls.length - waiting.length);
      const together = readsTogether(this.#deps, this.#claim, waiting.slice(0, mayEnd));
      const ended =
        together.length > 1
          ? await endReads(this.#deps, this.#claim, { reads: together, next: waiting[together.length] })
          : await endCall(this.#deps, this.#claim, { row, next: waiting[1], before: this.#callsBefore(row) });
      if (ended === 'left') return { kind: 'left' };
      if (ended === 'aborted') return this.#failed({ code: 'aborted', transient: false });
      this.#claim = ended.claim;
      for (const done of ended.rows) calls[done.position] = done;
      keepShownImages(this.#turns, this.#input.model.sees);
    }
  }

  /** Asks a person where the next turn or call would be one too many. */
  async #asksForRoom(): Promise<boolean> {
    const reached = reachedBy(this.#turns, this.#room, roomOfStep(this.#claim.step));
    if (reached) await this.#input.ends.suspended(this.#claim, (it, step) => askRoom(it, step, reached));
    return reached !== null;
  }

  /** Tells the model after its last turn what it has left, once a person has added to it. Returns false when another attempt owns the step. */
  async #tellAddedRoom(): Promise<boolean> {
    const added = roomOfStep(this.#claim.step);
    const last = this.#turns.at(-1);
    if (added.isTold || added.turns + added.calls === 0 || !last) return true;
    const told = await tellRoom(this.#deps, this.#claim, { turn: last.turn, ...this.#left(this.#turns) });
    this.#claim = told ?? this.#claim;
    return told !== null;
  }

  /** Returns what is left after turns. */
  #left(turns: readonly { calls: readonly unknown[] }[]): Room {
    const calls = turns.reduce((sum, turn) => sum + turn.calls.length, 0);
    return leftOf(this.#room, roomOfStep(this.#claim.step), { turns: turns.length, calls });
  }

  /** Ends the step with what it has said, as a person has decided. The model is not asked. */
  #handOn(): ToolLoopOutcome {
    const text = roomOfStep(this.#claim.step).text ?? buildPartialAnswer(this.#turns, this.#claim.row.language);
    const usage = this.#turns.some((turn) => turn.usage !== null) ? sumUsage(this.#turns) : null;
    this.#marks.add('cut');
    return this.#ended({ ok: true, value: { text, thoughts: null, finish: 'length', usage } });
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
    const told = { language: row.language, told: roomOfStep(step).told, sees: model.sees, opaqueFrom };
    const asked: ModelRequest = {
      ...request,
      ...(this.#offered.length > 0 && { tools: this.#offered, hasBaseTree: row.inputSetId !== null }),
      ...(this.#turns.length > 0 && {
        turns: toModelTurns(this.#turns, told),
        idempotencyKey: `${request.idempotencyKey}:${step.turns}`,
      }),
    };
    const { tokens, isLoaded } = await readWindow(model, this.#input.signal);
    this.#window = tokens;
    const fitting = {
      ...this.#input,
      model: { contextWindow: tokens },
      isLoaded,
      told: this.#told,
      readTool: toDefinition(this.#readTool),
    };
    const fitted = await fitTurn(fitting, { claim: this.#claim, request: asked, turns: this.#turns });
    if (fitted.kind === 'left') return 'left';
    this.#claim = fitted.claim;
    if (fitted.kind === 'failed') return { ok: false, error: fitted.error };
    if (isShortened(this.#claim.step)) this.#marks.add('shortened');
    const outcome = await call(fitted.request);
    if (outcome.ok) this.#noteWhatIsMissing(outcome.value, fitted.request);
    if (outcome.ok || outcome.error.code !== 'prompt_over_window') return outcome;
    return this.#askShorter(outcome, fitted.request);
  }

  #noteWhatIsMissing({ isWithoutEffort, usage }: ModelAnswer, request: ModelRequest): void {
    if (isWithoutEffort) this.#marks.add('withoutEffort');
    if (isPartlyRead(request, usage)) this.#marks.add('partlyRead');
  }

  /** Asks with a shorter prompt after a refusal by the window: once where the server tells it, a few times where it does not. */
  async #askShorter(refused: Extract<ModelOutcome, { ok: false }>, request: ModelRequest): Promise<ModelOutcome | 'left'> {
    const { tokens } = refused.error;
    if (tokens ? this.#told && this.#guesses === 0 : this.#guesses === maxGuesses) return refused;
    this.#guesses = tokens ? 0 : this.#guesses + 1;
    this.#told = tokens ? windowOfRefusal(tokens, request) : windowOfUntold(request);
    const outcome = await this.#ask();
    // A window that was guessed says nothing to a person: the server's own words do.
    const isGuessed = !tokens && outcome !== 'left' && !outcome.ok && outcome.error.code === 'prompt_over_window';
    return isGuessed ? refused : outcome;
  }

  /** Returns how the turns end with an answer; null where they go on after it. */
  #endOf(answer: ModelAnswer): ToolLoopOutcome | null {
    if (answer.calls) return null;
    const isLast = this.#left(this.#turns).turns <= 1;
    const window = this.#told?.tokens ?? this.#window;
    if (!isLast && canContinue(partsOfAnswer(this.#turns), answer, window)) return null;
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
    const added = roomOfStep(this.#claim.step);
    const left = this.#left([...this.#turns, { calls: answer.calls ?? [] }]);
    const isTold = answer.calls !== undefined && !added.isTold && isNearlyUsed(left, this.#room, added);
    const stored = await storeTurn(this.#deps, this.#claim, answer, {
      left: isTold ? left : null,
      maxTokens: this.#input.request.maxTokens,
    });
    if (!stored) return false;
    this.#claim = stored.claim;
    this.#turns.push(stored.turn);
    this.#reasoning = answer.calls ? [] : [...this.#reasoning, answer.written?.thoughts ?? ''];
    return true;
  }
}

function toDefinition({ name, description, parameters, source, effect }: RunTool): ToolDefinition {
  return { name, description, parameters, ...(source === 'server' && effect === 'read' && { isServerRead: true }) };
}
