import en from '../../../../../locales/en/content/demo.json' with { type: 'json' };
import ru from '../../../../../locales/ru/content/demo.json' with { type: 'json' };

/** Every text of the demonstration's data and script. */
export type DemoTexts = typeof ru;

/** The texts in a language: English, else Russian. */
export function demoTexts(language: string): DemoTexts {
  return language.toLowerCase().startsWith('en') ? en : ru;
}
