import en from '../../../../../locales/en/content/demo.json' with { type: 'json' };
import ru from '../../../../../locales/ru/content/demo.json' with { type: 'json' };

/** Every text of the team, and of what both canvases share. */
export type DemoTexts = typeof ru;

export function demoTexts(language: string): DemoTexts {
  return textsIn(language, { ru, en });
}

/** Returns the texts in a language: English, else Russian. */
export function textsIn<Texts>(language: string, { ru, en }: { ru: Texts; en: Texts }): Texts {
  return language.toLowerCase().startsWith('en') ? en : ru;
}
