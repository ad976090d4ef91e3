import en from '../../../../../locales/en/demo.json' with { type: 'json' };
import ru from '../../../../../locales/ru/demo.json' with { type: 'json' };

/** Every word of the demonstration's data and script. */
export type DemoTexts = typeof ru;

/** The words in a language; Russian unless it is English. */
export function demoTexts(language: string): DemoTexts {
  return language.toLowerCase().startsWith('en') ? en : ru;
}
