import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { resolveLanguage } from './languages.ts';
import { lazyAreas } from './lazy-areas.ts';
import { textOptions } from './text-options.ts';
import type { Area } from './use-translation.ts';

/**
 * Starts the translations in the language that `public/boot.js` wrote into `<html lang>` before the first paint.
 * Resolves when these areas are loaded, so that the first paint has its texts.
 */
export async function startI18n(areas: readonly Area[]): Promise<void> {
  i18next.on('languageChanged', (language) => {
    document.documentElement.lang = language;
  });
  await i18next
    .use(lazyAreas)
    .use(initReactI18next)
    .init({ ...textOptions, lng: resolveLanguage(document.documentElement.lang), ns: areas });
}
