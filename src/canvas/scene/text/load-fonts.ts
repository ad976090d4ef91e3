import { cssFont, type TextStyle } from './text-style.ts';

const styles: readonly TextStyle[] = ['title', 'model', 'state'];
/** Letters of the page's language: faces of others are fetched when a card has letters of theirs. */
const samples = { ru: 'AaБб0…·', en: 'Aa0…·' } as const;

/** Loads the page's typeface. Resolves when the letters of the page's language can be drawn, at once if they are loaded. Never rejects: text falls back to the system's font. */
export async function loadFonts(): Promise<void> {
  const sample = document.documentElement.lang === 'en' ? samples.en : samples.ru;
  await Promise.allSettled(styles.map((style) => document.fonts.load(cssFont(style), sample)));
}
