import en from '../../../../locales/en/content/tools.json' with { type: 'json' };
import ru from '../../../../locales/ru/content/tools.json' with { type: 'json' };
import type { Language } from '../../../http/call.ts';
import { storableText } from '../../../platform/database/storable-text.ts';

const words = { ru, en };

type ToolText = keyof typeof en;

/** Returns a sentence about a call, for the model and for the log. */
export function toolText(language: Language, text: ToolText, values: Record<string, string | number> = {}): string {
  return words[language][text].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The longest text of a result that the model gets (UTF-16 units). A longer one is cut. */
const maxShownResult = 32 * 1024;

/** Cuts a result to what the model gets. The result can be stored: NUL characters and half surrogate pairs are removed. */
export function cutResult(text: string, language: Language): string {
  const plain = storableText(text);
  if (plain.length <= maxShownResult) return plain;
  return `${plain.slice(0, maxShownResult).toWellFormed()}\n${toolText(language, 'cut', { length: plain.length })}`;
}
