const areas = ['common', 'workspace', 'canvas', 'actions', 'errors', 'console'];

/** What the page of the public demonstration is made of, one after the other as each asks for the next. */
export const demoParts: readonly string[] = ['router', 'routes/page-loading', 'routes/with-tooltips', 'routes/demo-route'].map(
  (name) => `src/app/${name}.tsx`,
);

/** The texts that it is drawn with. */
export function demoTexts(language: string): string[] {
  return areas.map((area) => `locales/${language}/${area}.json`);
}
