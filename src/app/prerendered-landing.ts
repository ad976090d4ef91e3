import type { Language } from '../ui/i18n/languages.ts';

/** The landing page in one language: its markup and the contents of its head. */
export type PrerenderedLanding = {
  language: Language;
  title: string;
  description: string;
  /** The product's name. */
  site: string;
  markup: string;
};
