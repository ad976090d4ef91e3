import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Language = 'ru' | 'en';

const locales = join(import.meta.dirname, '../../../locales');

/**
 * Returns a sentence of the page in its final form: `translate('ru', 'workspace', 'run.step', { number: 1, total: 5 })`. Throws for a key
 * that the language does not have, so that a test never searches for a text that is never shown. A key may name its area, as in the page:
 * `words:save`.
 */
export function translate(language: Language, area: string, key: string, values: Record<string, string | number> = {}): string {
  if (key.includes(':')) return translate(language, ...(key.split(':', 2) as [string, string]), values);
  const sentences: Record<string, unknown> = JSON.parse(readFileSync(join(locales, language, `${area}.json`), 'utf8'));
  let found = sentences[key];
  // The sentences of the server have dots in their keys, those of the page are nested.
  if (found === undefined) {
    found = sentences;
    for (const part of key.split('.')) found = (found as Record<string, unknown> | undefined)?.[part];
  }
  if (typeof found !== 'string') throw new Error(`locales/${language}/${area}.json has no ${key}`);
  return found.replace(/{{(\w+)}}/g, (_, name) => String(values[name] ?? ''));
}

/** Returns `translate` for the texts of one area, or of one group of it: `translator('ru', 'workspace', 'run.')`. */
export function translator(language: Language, area: string, group = '') {
  return (key: string, values?: Record<string, string | number>) =>
    translate(language, area, key.includes(':') ? key : `${group}${key}`, values);
}
