import { languages } from './languages.ts';

/** The options of i18next, in the browser and for prerendering. */
export const textOptions = {
  supportedLngs: [...languages],
  // Both languages have the same keys (a test checks it): loading a second language would add nothing.
  fallbackLng: false,
  load: 'languageOnly',
  defaultNS: 'common',
  interpolation: { escapeValue: false },
  returnNull: false,
  react: { useSuspense: true },
} as const;
