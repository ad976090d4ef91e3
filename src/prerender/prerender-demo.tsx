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

const files = import.meta.glob<Record<string, unknown>>(
  '../../locales/{ru,en}/{common,words,workspace,canvas,actions,errors,console}.json',
  {
    eager: true,
    import: 'default',
  },
);
/** The attributes that page and tests use to find elements. They are renamed in the picture, so that each exists only once. */
const finderAttributes = ['testid', 'dialog-id', 'workspace', 'panel'];

/**
 * The controls, which do nothing without a script. In the picture they are inert, so that a press counts for the picture. Links stay
 * active.
 */
const controls = /<(?:button|input|label) [^<>]*>/g;

/** A stand-in for browser classes that components construct while rendering. It never observes anything. */
class NoObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

/** Renders the picture of the demonstration in each language from the engine's initial state. Runs during the client build. */
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
    const renamed = finderAttributes.reduce((rest, name) => rest.replaceAll(` data-${name}=`, ` data-still-${name}=`), markup);
    pages.push({ language, markup: renamed.replaceAll(controls, makeInert) });
  }
  return pages;
}

/** Returns the engine's state after it has opened the demonstration. */
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

/** Makes a control inert, except the button that starts the demonstration. */
function makeInert(tag: string): string {
  return tag.includes(' class="still-start') ? tag : tag.replace(' ', ' inert ');
}
