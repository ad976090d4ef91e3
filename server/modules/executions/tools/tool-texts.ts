import en from '../../../../locales/en/content/tools.json' with { type: 'json' };
import ru from '../../../../locales/ru/content/tools.json' with { type: 'json' };
import type { Language } from '../../../http/call.ts';
import type { ModelTurn } from '../../../platform/llm/language-model.ts';
import type { StoredTurn } from './stored-turns.ts';
import type { ToolCallRow } from './tool-call-rows.ts';

const words = { ru, en };

type ToolText = keyof typeof en;

/** Returns a sentence about a call, for the model and for the log. */
export function toolText(language: Language, text: ToolText, values: Record<string, string | number> = {}): string {
  return words[language][text].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The longest text of a result that the model gets (UTF-16 units). A longer one is cut. */
export const maxShownResult = 32 * 1024;

/** Cuts a result to what the model gets. The result can be stored: NUL characters and half surrogate pairs are removed. */
export function cutResult(text: string, language: Language): string {
  const plain = text.replaceAll('\0', '').toWellFormed();
  if (plain.length <= maxShownResult) return plain;
  return `${plain.slice(0, maxShownResult).toWellFormed()}\n${toolText(language, 'cut', { length: plain.length })}`;
}

/** Converts stored turns to those of a request. The last results say when no further call will be carried out. */
export function toModelTurns(turns: readonly StoredTurn[], language: Language, isLast: boolean): ModelTurn[] {
  return turns.map(({ text, calls }, at) => ({
    text,
    calls: calls.map((call, position) => {
      const { callId, tool, args, state } = call;
      const isNoted = isLast && at === turns.length - 1 && position === calls.length - 1;
      const result = `${resultOf(call, language)}${isNoted ? `\n\n${toolText(language, 'lastTurn')}` : ''}`;
      return { id: callId, name: tool, arguments: args, result, isError: state !== 'done' };
    }),
  }));
}

function resultOf({ tool, state, result, source }: ToolCallRow, language: Language): string {
  // The message of a failure may come from outside as well.
  const isFromOutside = state === 'failed' && source !== null && source !== 'files';
  if (state === 'done' || isFromOutside) return asData(tool, result ?? '', language);
  return result ?? toolText(language, state === 'unknown' ? 'notKnown' : 'notCarriedOut');
}

/** Encloses a result in fences that it cannot close. */
function asData(tool: string, text: string, language: Language): string {
  let fence = '~~~';
  while (text.includes(fence)) fence += '~';
  return `${toolText(language, 'data', { tool })}\n\n${fence}\n${text}\n${fence}`;
}
