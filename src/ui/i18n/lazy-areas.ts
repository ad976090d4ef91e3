import i18next, { type BackendModule } from 'i18next';
import { importPart, PartLoadError } from '../loading/import-part.ts';
import { failedAreas } from './failed-areas.ts';
import type { Language } from './languages.ts';

type Texts = Record<string, unknown>;

/** The page's areas; the server's texts are in the same folders. */
const files = import.meta.glob<{ default: Texts }>(
  '../../../locales/{ru,en}/{common,words,auth,landing,offer,privacy,workspace,console,canvas,actions,errors,modals,projects,account,leads,dead-letters,answers,question-link,questions,versions,inputs,budgets,storage,replay,rerun,links,developer,tool-servers,connections,account-data,api-keys,connect,released-teams,publishing,runner,participation,selection,folding,triggers,start-triggers}.json',
);

/** Loads one area of one language as its own chunk. A component that needs a failed area gets its `PartLoadError`. */
export const lazyAreas: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read(language, area, done) {
    fetchArea(language, area).then(
      (texts) => done(null, texts),
      (problem: Error) => {
        failedAreas.set(`${language}/${area}`, new PartLoadError(() => addArea(language, area), problem));
        done(problem, null);
      },
    );
  },
};

/** Loads all shown areas in another language. Throws a `PartLoadError`. */
export async function addLanguage(language: Language): Promise<void> {
  const shown = Object.keys(i18next.store.data[i18next.language] ?? {});
  await Promise.all(shown.filter((area) => !i18next.hasResourceBundle(language, area)).map((area) => addArea(language, area)));
}

/** Loads one area and adds it to the texts. Throws a `PartLoadError`. */
export async function addArea(language: string, area: string): Promise<void> {
  i18next.addResourceBundle(language, area, await fetchArea(language, area));
  failedAreas.delete(`${language}/${area}`);
}

async function fetchArea(language: string, area: string): Promise<Texts> {
  const load = files[`../../../locales/${language}/${area}.json`];
  if (!load) throw new Error(`No texts for ${language}/${area}`);
  return (await importPart(load)).default;
}
