import type { Language } from './languages.ts';

const yearSeconds = 365 * 24 * 60 * 60;

/** The cookie with the visitor's choice, so that the server knows it too. `public/boot.js` reads it. */
export function languageCookie(language: Language): string {
  return `language=${language}; Path=/; Max-Age=${yearSeconds}; SameSite=Lax`;
}
