import type { Language } from './languages.ts';

const yearSeconds = 365 * 24 * 60 * 60;

/** The cookie that keeps the visitor's choice; a cookie, so that the server can answer in it too. `public/boot.js` reads it. */
export function languageCookie(language: Language): string {
  return `language=${language}; Path=/; Max-Age=${yearSeconds}; SameSite=Lax`;
}
