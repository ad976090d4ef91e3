import i18next from 'i18next';
import type { Language } from './languages.ts';
import { addLanguage } from './lazy-areas.ts';

/** Switches the language and stores the choice in this browser. If its texts do not load, nothing changes. */
export async function changeLanguage(language: Language): Promise<void> {
  try {
    await addLanguage(language);
  } catch (problem) {
    reportError(problem);
    return;
  }
  // biome-ignore lint/suspicious/noDocumentCookie: the server reads this cookie, and the Cookie Store API is not everywhere
  document.cookie = languageCookie(language);
  forgetAddressLanguage();
  await i18next.changeLanguage(language);
}

/** A `?lang=` in the URL would override the new choice at the next reload. */
function forgetAddressLanguage(): void {
  const address = new URL(location.href);
  if (!address.searchParams.has('lang')) return;
  address.searchParams.delete('lang');
  history.replaceState(history.state, '', address);
}

const yearSeconds = 365 * 24 * 60 * 60;

/** The cookie with the visitor's choice, so that the server knows it too. `public/boot.js` reads it. */
export function languageCookie(language: Language): string {
  return `language=${language}; Path=/; Max-Age=${yearSeconds}; SameSite=Lax`;
}
