import { languages } from './languages.ts';

/** How texts are looked up, in the browser and where a page is prerendered. */
export const textOptions = {
  supportedLngs: [...languages],
  // Both languages carry the same keys, which a test demands: a second download per area would buy nothing.
  fallbackLng: false,
  load: 'languageOnly',
  defaultNS: 'common',
  interpolation: { escapeValue: false },
  returnNull: false,
  react: { useSuspense: true },
} as const;
