import { type Fit, fitPrompt, type Window } from '../../../platform/llm/fit/fit-prompt.ts';
import { type LeftOut, nothingLeftOut, shortenedOf, withoutLeftOut } from '../../../platform/llm/fit/left-out.ts';
import { shortSummary, summaryConversation } from '../../../platform/llm/fit/summarise-turns.ts';
import { windowOf } from '../../../platform/llm/fit/window-of.ts';
import type {
  Conversation,
  LanguageModel,
  ModelFailure,
  ModelOutcome,
  ModelRequest,
  ToolDefinition,
} from '../../../platform/llm/language-model.ts';
import type { StepRow } from '../store/rows.ts';
import { storingSummary } from '../store/tool-call-rows.ts';
import { storeSpend } from '../transitions/change-steps.ts';
import type { Claim, StepEnds } from '../transitions/claim.ts';
import type { Paid } from '../transitions/end-run.ts';
import type { StoredTurn } from './stored-turns.ts';

/** How a step's prompts are fitted: to the window of its model, with calls that are paid by the step. */
export type Fitting = {
  model: Pick<LanguageModel, 'contextWindow'>;
  /** The window is smaller than the model's own: a person may load it with a larger one. */
  isLoaded?: boolean;
  /** What its server has told by a refusal. */
  told: Window | null;
  ends: Pick<StepEnds, 'progress'>;
  paid: (step: StepRow) => Paid;
  /** Calls the model beside the turns of the step, with retries. */
  converse: (conversation: Conversation) => Promise<ModelOutcome>;
  readTool: ToolDefinition;
};

/** The next prompt of a step, with all of its turns. */
type Prompting = { claim: Claim; request: ModelRequest; turns: StoredTurn[] };

type FittedTurn =
  | { kind: 'fits'; claim: Claim; request: ModelRequest }
  | { kind: 'failed'; claim: Claim; error: ModelFailure }
  | { kind: 'left' };

/**
 * Returns the prompt as its model can read it: shortened where it is longer than the window, which the step then says. The model summarises its
 * earlier turns where nothing else is enough. The summary is stored, so that a step which begins again after a crash does not pay it twice.
 */
export async function fitTurn(fitting: Fitting, { claim, request, turns }: Prompting): Promise<FittedTurn> {
  const { told } = fitting;
  const { isLoaded = false } = fitting;
  const contextWindow = told?.tokens ?? fitting.model.contextWindow;
  if (!contextWindow) return { kind: 'fits', claim, request };
  const { readTool } = fitting;
  const before = leftOutOf(claim.step);
  const how = (left: LeftOut) => ({ summary: turns[left.turns - 1]?.summary ?? null, readTool });
  const usage = turns.at(-1)?.usage ?? null;
  const earlier = { ...request, turns: (request.turns ?? []).slice(0, -1) };
  const counted = windowOf(contextWindow, { sent: () => withoutLeftOut(earlier, before, how(before)), usage });
  const window = told && (told.isGuessed || told.scale > counted.scale) ? told : counted;

  let now = claim;
  let fit = fitPrompt(request, before, how(before), window);
  if (fit.kind === 'summarise') {
    const summarised = await summarise(fitting, { claim, request, turns }, fit, { window, before: how(before).summary });
    if (summarised.kind !== 'stored') return summarised;
    now = summarised.claim;
    fit = fitPrompt(request, fit.left, how(fit.left), window);
  }
  if (fit.kind === 'over') return overWindow(now, { needed: fit.needed, window: contextWindow, isLoaded });
  if (fit.kind === 'summarise') throw new Error('A prompt with a summary asks for the same summary.');
  if (isSame(fit.left, leftOutOf(now.step))) return { kind: 'fits', claim: now, request: fit.request };
  const { left } = fit;
  const after = await fitting.ends.progress(now, async (it, step) => {
    const shortened = { from: step.turnsFrom, left, parts: shortenedOf(request, left) };
    it.record('prompt.shortened', { step: await it.setStep(step, { shortened }) });
  });
  return after ? { kind: 'fits', claim: after, request: fit.request } : { kind: 'left' };
}

type Summarising = { window: Parameters<typeof summaryConversation>[3]; before: string | null };
type Summarised = { kind: 'stored'; claim: Claim } | Exclude<FittedTurn, { kind: 'fits' }>;

/** Has the model summarise turns, and stores what it wrote and cost. A failure says that the window is too small. */
async function summarise(
  { paid, ends, converse, isLoaded = false }: Fitting,
  { claim, request, turns }: Prompting,
  { left, needed }: Extract<Fit, { kind: 'summarise' }>,
  { window, before }: Summarising,
): Promise<Summarised> {
  const from = leftOutOf(claim.step).turns;
  const asked = summaryConversation(request, (request.turns ?? []).slice(from, left.turns), before, window);
  const key = `${asked.idempotencyKey}:${claim.step.turnsFrom + left.turns}`;
  const outcome = await converse({ ...asked, idempotencyKey: key });
  // A budget asks its person, and an aborted step ends as it does anywhere.
  if (!outcome.ok && (outcome.error.code === 'aborted' || outcome.error.limit)) return { kind: 'failed', claim, error: outcome.error };
  const last = turns[left.turns - 1];
  const tokens = { needed, window: window.tokens, isLoaded };
  if (!outcome.ok || !last) return overWindow(claim, tokens, outcome.ok ? undefined : outcome.error.detail);
  const summary = shortSummary(outcome.value.text, window);
  const { spend, ...used } = paid(claim.step);
  const stored = await ends.progress(claim, async (it, step) => {
    it.addWrite(storingSummary(last, summary));
    storeSpend(it, spend);
    const shortened = { from: step.turnsFrom, left, parts: shortenedOf(request, left) };
    it.record('prompt.shortened', { step: await it.setStep(step, { shortened, ...used }) });
  });
  if (!stored) return { kind: 'left' };
  last.summary = summary;
  return { kind: 'stored', claim: stored };
}

/** Whether the prompts of the step leave anything out. */
export function isShortened(step: StepRow): boolean {
  return !isSame(leftOutOf(step), nothingLeftOut);
}

/** What the prompts of the step leave out since it began to work on its answer. */
function leftOutOf({ shortened, turnsFrom }: StepRow): LeftOut {
  return shortened?.from === turnsFrom ? shortened.left : nothingLeftOut;
}

function isSame(one: LeftOut, other: LeftOut): boolean {
  return one.calls === other.calls && one.texts === other.texts && one.turns === other.turns && one.earlier === other.earlier;
}

function overWindow(claim: Claim, tokens: NonNullable<ModelFailure['tokens']>, detail?: string): FittedTurn & { kind: 'failed' } {
  const error: ModelFailure = { code: 'prompt_over_window', transient: false, tokens };
  return { kind: 'failed', claim, error: detail === undefined ? error : { ...error, detail } };
}
