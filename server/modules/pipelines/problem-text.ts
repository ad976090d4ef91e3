import en from '../../../locales/en/errors.json' with { type: 'json' };
import ru from '../../../locales/ru/errors.json' with { type: 'json' };
import type { Language } from '../../http/call.ts';

const words: Record<Language, unknown> = { ru, en };

/** Returns the sentence of a problem by its code, the same as in the page; the code itself if there is none. */
export function problemText(language: Language, code: string, params: Record<string, string | number> = {}): string {
  let found = words[language];
  for (const part of code.split('.')) {
    found =
      typeof found === 'object' && found !== null && Object.hasOwn(found, part) ? (found as Record<string, unknown>)[part] : undefined;
  }
  return typeof found === 'string' ? found.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(params[name] ?? '')) : code;
}
