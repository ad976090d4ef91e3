import { type Language, languages } from '../ui/i18n/languages.ts';
import { readStored, writeStored } from '../ui/stored-preference.ts';

const key = 'unsentLanguage';

/** Notes the language that a person chose and that the server has not stored yet for the account `userId`; null when it has. R01.01 */
export function noteUnsentLanguage(userId: string, language: Language | null): void {
  if (language !== null) writeStored(key, `${userId} ${language}`);
  else if (unsentLanguage(userId) !== null) writeStored(key, '');
}

/** The language that this browser still owes the account, or null. */
export function unsentLanguage(userId: string): Language | null {
  const [ofUser, language] = (readStored(key) ?? '').split(' ');
  return ofUser === userId ? (languages.find((known) => known === language) ?? null) : null;
}
