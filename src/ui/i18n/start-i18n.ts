import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { languages, resolveLanguage } from './languages.ts';
import { lazyAreas } from './lazy-areas.ts';

/**
 * Starts the texts in the language that `public/boot.js` wrote into `<html lang>` before the first paint.
 * Resolves when the common area is there, so that the first paint has its words.
 */
export async function startI18n(): Promise<void> {
  i18next.on('languageChanged', (language) => {
    document.documentElement.lang = language;
  });
  await i18next
    .use(lazyAreas)
    .use(initReactI18next)
    .init({
      lng: resolveLanguage(document.documentElement.lang),
      supportedLngs: [...languages],
      // Both languages carry the same keys, which a test demands: a second download per area would buy nothing.
      fallbackLng: false,
      load: 'languageOnly',
      ns: ['common'],
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      returnNull: false,
      react: { useSuspense: true },
    });
}
