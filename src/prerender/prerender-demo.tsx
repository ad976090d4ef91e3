import i18next from 'i18next';
import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { initReactI18next } from 'react-i18next';
import { StaticRouter } from 'react-router-dom';
import { Providers } from '../app/providers.tsx';
import type { WorkspaceState } from '../model/workspace-state.ts';
import { type Language, languages } from '../ui/i18n/languages.ts';
import { textOptions } from '../ui/i18n/text-options.ts';
import { createDemoBackend } from '../workers/engine/backends/demo/demo-backend.ts';
import { demoEnvironment } from '../workers/engine/backends/demo/demo-environment.ts';
import { createEngine } from '../workers/engine/create-engine.ts';
import { DemoStill } from './demo-still.tsx';

export type PrerenderedDemo = { language: Language; markup: string };

const files = import.meta.glob<Record<string, unknown>>('../../locales/{ru,en}/{common,workspace,canvas,actions,errors,console}.json', {
  eager: true,
  import: 'default',
});
/** The page has others of the same name as soon as it is alive, by which it and its tests find them. */
const foundBy = ['testid', 'dialog-id', 'workspace', 'panel'];

/** What only a script brings to life: in a picture it is to be looked at, and a press on it is a press on the picture. Links lead on all the same. */
const pictured = /<(?:button|input|label) [^<>]*>/g;

/** Named as they are drawn, and never used: nothing is laid out here. */
class NoObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

/** The picture of the demonstration in each language, drawn by the workspace's own parts from what its engine opens with. Runs while the client is built. */
export async function prerenderDemo(): Promise<PrerenderedDemo[]> {
  globalThis.ResizeObserver ??= NoObserver;
  const resources: Record<string, Record<string, Record<string, unknown>>> = {};
  for (const [path, texts] of Object.entries(files)) {
    const [language = '', file = ''] = path.split('/').slice(-2);
    resources[language] = { ...resources[language], [file.replace('.json', '')]: texts };
  }
  await i18next.use(initReactI18next).init({ ...textOptions, resources });
  const pages: PrerenderedDemo[] = [];
  for (const language of languages) {
    await i18next.changeLanguage(language);
    const state = await openedState(language);
    const markup = renderToString(
      <StrictMode>
        <Providers>
          <StaticRouter location="/public-test">
            <DemoStill state={state} />
          </StaticRouter>
        </Providers>
      </StrictMode>,
      { identifierPrefix: 'still' },
    );
    const renamed = foundBy.reduce((rest, name) => rest.replaceAll(` data-${name}=`, ` data-still-${name}=`), markup);
    pages.push({ language, markup: renamed.replaceAll(pictured, inert) });
  }
  return pages;
}

/** What the page's engine has once the demonstration is open. */
async function openedState(language: Language): Promise<WorkspaceState> {
  const environment = demoEnvironment();
  const engine = createEngine({ environment, createBackend: (parts) => createDemoBackend(parts, environment) });
  const { promise, resolve, reject } = Promise.withResolvers<WorkspaceState>();
  const read = () =>
    void engine.snapshot().then(({ state }) => {
      if (state.status === 'ready') resolve(state);
    }, reject);
  await engine.open({ source: { kind: 'demo', projectId: 'public-demo', language }, tabId: 'prerendered' }, read);
  const state = await promise;
  await engine.close();
  return state;
}

/** The button that starts the demonstration is the one that a script of the picture's own brings to life. */
function inert(tag: string): string {
  return tag.includes(' class="still-start') ? tag : tag.replace(' ', ' inert ');
}
