import i18next from 'i18next';
import { languageCookie } from './language-cookie.ts';
import type { Language } from './languages.ts';
import { addLanguage } from './lazy-areas.ts';

/** Switches the language and remembers the visitor's choice for this browser. Where its texts do not arrive all stays as it is. */
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

/** A `?lang=` in the address would win over the new choice at the next reload. */
function forgetAddressLanguage(): void {
  const address = new URL(location.href);
  if (!address.searchParams.has('lang')) return;
  address.searchParams.delete('lang');
  history.replaceState(history.state, '', address);
}
