/** The languages of the interface. */
export const languages = ['ru', 'en'] as const;
export type Language = (typeof languages)[number];

/** The language for a tag such as `en-US`: Russian for Russian, English for any other, Russian for none at all. */
export function resolveLanguage(tag: string | null | undefined): Language {
  const base = (tag ?? '').trim().toLowerCase().split('-')[0];
  return !base || base === 'ru' ? 'ru' : 'en';
}
