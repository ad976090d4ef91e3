/** The languages of the interface. */
export const languages = ['ru', 'en'] as const;
export type Language = (typeof languages)[number];

/** Returns the language for a tag such as `en-US`: Russian for Russian or no tag, else English. */
export function resolveLanguage(tag: string | null | undefined): Language {
  const base = (tag ?? '').trim().toLowerCase().split('-')[0];
  return !base || base === 'ru' ? 'ru' : 'en';
}
