import type { BackendModule } from 'i18next';

/** The page's areas; the server keeps texts of its own in the same folders. */
const files = import.meta.glob<{ default: Record<string, unknown> }>(
  '../../../locales/{ru,en}/{common,auth,landing,offer,privacy,workspace,console,canvas,actions,errors,modals,performance,projects,account,leads,tests}.json',
);

/** Loads one area of one language as its own chunk. */
export const lazyAreas: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read(language, area, done) {
    const load = files[`../../../locales/${language}/${area}.json`];
    if (!load) {
      done(new Error(`No texts for ${language}/${area}`), null);
      return;
    }
    load().then(
      (file) => done(null, file.default),
      (problem: Error) => done(problem, null),
    );
  },
};
