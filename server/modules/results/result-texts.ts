import en from '../../../locales/en/content/result.json' with { type: 'json' };
import ru from '../../../locales/ru/content/result.json' with { type: 'json' };
import type { Language } from '../../http/call.ts';

const words = { ru, en };
const plurals = { ru: new Intl.PluralRules('ru'), en: new Intl.PluralRules('en') };

/** The history's own phrases in the language of the run. */
export function resultTexts(language: Language) {
  const texts = words[language];
  return {
    dialogWith: (agent: string) => texts.dialogWith.replace('{agent}', () => agent),
    runOf: (agents: number) => {
      const form = plurals[language].select(agents) as keyof typeof texts.runOf;
      return (texts.runOf[form] ?? texts.runOf.other).replace('{count}', String(agents));
    },
    stopped: (done: number, total: number) => texts.stopped.replace('{done}', String(done)).replace('{total}', String(total)),
  };
}
