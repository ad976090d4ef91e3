import { cssFont, type TextStyle } from './text-style.ts';

const styles: readonly TextStyle[] = ['title', 'model', 'state'];
/** The letters of the page's language. Fonts of other scripts are loaded when a card needs them. */
const samples = { ru: 'AaБб0…·', en: 'Aa0…·' } as const;

/**
 * Loads the page's typeface. Resolves when the letters of the page's language can be drawn. Never rejects: text falls back to the system's
 * font.
 */
export async function loadFonts(): Promise<void> {
  const sample = document.documentElement.lang === 'en' ? samples.en : samples.ru;
  await Promise.allSettled(styles.map((style) => document.fonts.load(cssFont(style), sample)));
}
