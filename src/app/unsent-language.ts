import { type Language, languages } from '../ui/i18n/languages.ts';
import { readStored, writeStored } from '../ui/stored-preference.ts';

const key = 'unsentLanguage';

/** Stores the language that the user has chosen and that the server has not stored yet; null removes it. R01.01 */
export function noteUnsentLanguage(userId: string, language: Language | null): void {
  if (language !== null) writeStored(key, `${userId} ${language}`);
  else if (unsentLanguage(userId) !== null) writeStored(key, '');
}

/** Returns the account's chosen language that is not sent yet, or null. */
export function unsentLanguage(userId: string): Language | null {
  const [ofUser, language] = (readStored(key) ?? '').split(' ');
  return ofUser === userId ? (languages.find((known) => known === language) ?? null) : null;
}
