import { cssFont, type TextStyle } from './text-style.ts';

const styles: readonly TextStyle[] = ['title', 'model', 'state'];
const sample = 'AaБбẞ0…·';

/** The page brings the typeface itself. Resolves when the letters of both languages can be drawn; at once for those that are there already. Never rejects: text falls back to the system's font. */
export async function loadFonts(): Promise<void> {
  await Promise.allSettled(styles.map((style) => document.fonts.load(cssFont(style), sample)));
}
