import en from '../../../../locales/en/content/prompt.json' with { type: 'json' };
import ru from '../../../../locales/ru/content/prompt.json' with { type: 'json' };
import type { ModelRequest, ModelTurn, PromptFiles, ToolDefinition } from '../language-model.ts';
import { noteOfCut } from '../prompt.ts';
import { cutResults } from '../prompt-length.ts';
import { countResult } from './count-prompt.ts';

const words = { ru, en };

/**
 * What a step's prompts leave out, from its beginning. It only grows, so that prompts of later turns begin with the same text. `calls`: the results
 * of so many first calls. `texts`: the user's files but for their names. `turns`: so many first turns, in whose place a summary stands.
 * `earlier`: the length to which results of earlier agents are cut (UTF-16 units), null for none.
 */
export type LeftOut = { calls: number; texts: boolean; turns: number; earlier: number | null };

export const nothingLeftOut: LeftOut = { calls: 0, texts: false, turns: 0, earlier: null };

/** How many parts a prompt leaves out: results of tools, texts of files, summarised turns, and cut results of earlier agents. */
export type Shortened = { results: number; texts: number; summarised: number; earlier: number };

/** How parts are left out: the summary of the turns that are left out, and the tool that reads results again. */
export type LeavingOut = { summary: string | null; readTool: ToolDefinition };

/** Returns the request without what is left out. Its turns are all turns of the step. */
export function withoutLeftOut(request: ModelRequest, left: LeftOut, { summary, readTool }: LeavingOut): ModelRequest {
  const { inputs, turns = [], tools = [], language } = request;
  const shortTurns = withoutResults(turns, left.calls, language).slice(left.turns);
  const summarised = callsBefore(turns, left.turns);
  const short: ModelRequest = {
    ...request,
    ...(left.texts && inputs && { inputs: withoutTexts(inputs) }),
    ...(turns.length > 0 && { turns: shortTurns }),
    ...(left.turns > 0 && summary !== null && { summary: { text: summary, results: summarised } }),
    ...((left.calls > 0 || summarised > 0) && { tools: [...tools, readTool] }),
  };
  return left.earlier === null ? short : cutResults(short, left.earlier, (length) => noteOfCut(language, length));
}

/** Counts what is left out of a request. */
export function shortenedOf({ inputs, turns = [], earlier, language }: ModelRequest, left: LeftOut): Shortened {
  const calls = turns.flatMap((turn) => turn.calls);
  const kept = left.earlier;
  return {
    results: calls.slice(0, left.calls).filter((call, at) => isWorthLeavingOut(call, at, language)).length,
    texts: left.texts && inputs ? inputs.texts.length + (inputs.images?.length ?? 0) : 0,
    summarised: left.turns,
    earlier: kept === null ? 0 : earlier.filter(({ text }) => text.length > kept).length,
  };
}

/** Returns how many calls the first turns have. */
export function callsBefore(turns: readonly ModelTurn[], count: number): number {
  return turns.slice(0, count).reduce((sum, { calls }) => sum + calls.length, 0);
}

/** Returns the tokens that a prompt saves without the result of a call; 0 for a short one, which stays. `at`: its place among all calls, from 0. */
export function savedBy(call: ModelTurn['calls'][number], at: number, language: ModelRequest['language']): number {
  return Math.max(0, countResult(call) - countResult({ ...withoutResult(call, at, language) }));
}

function withoutResults(turns: readonly ModelTurn[], count: number, language: ModelRequest['language']): ModelTurn[] {
  let at = -1;
  return turns.map((turn) => ({
    ...turn,
    calls: turn.calls.map((call) => {
      at += 1;
      return at < count && isWorthLeavingOut(call, at, language) ? withoutResult(call, at, language) : call;
    }),
  }));
}

function isWorthLeavingOut(call: ModelTurn['calls'][number], at: number, language: ModelRequest['language']): boolean {
  return savedBy(call, at, language) > 0;
}

/** The characters of a call's arguments that are named in place of its result. */
const maxNamed = 120;

function withoutResult(call: ModelTurn['calls'][number], at: number, language: ModelRequest['language']): ModelTurn['calls'][number] {
  const { images: _images, ...rest } = call;
  const { name: tool, arguments: written, result, note } = rest;
  const args = written.length > maxNamed ? `${written.slice(0, maxNamed).toWellFormed()}…` : written;
  const values: Record<string, string | number> = { tool, args, length: result.length, number: at + 1 };
  const line = words[language].resultLeftOut.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
  return { ...rest, result: note === undefined ? line : `${line}\n\n${note}` };
}

function withoutTexts({ images: _images, ...inputs }: PromptFiles): PromptFiles {
  return { ...inputs, texts: [], ...(inputs.texts.length > 0 && { textsLeftOut: inputs.texts.length }) };
}
