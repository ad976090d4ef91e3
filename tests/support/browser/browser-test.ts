import { test as base, expect } from 'playwright/test';
import { startServer, type TestServer } from '../start-server.ts';
import { type ContextSettings, KeptContexts } from './kept-contexts.ts';
import type { PlayedApi } from './played-api/played-api.ts';
import { PlayedSite } from './played-api/played-site.ts';

/** A server that many tests use one after another: none may end it. */
type SharedServer = Pick<TestServer, 'url' | 'dataDir' | 'logs'>;

type OfTest = {
  /** True gives each test a new context: for tests that count or lose loaded files, and where a service worker stays. */
  ownContext: boolean;
  contextSettings: ContextSettings;
  /** The API of a page without a server. What a test calls without an answer, or against the contract, fails it. */
  playedApi: PlayedApi;
};
type OfWorker = { keptContexts: KeptContexts; sharedServer: SharedServer; playedSite: PlayedSite };

/**
 * `test` of the browser tests. A page in a new context loads all of its files again, and a new server has another origin. So the tests of a
 * worker get the same contexts, emptied, and those without settings of their own the same server.
 */
export const test = base.extend<OfTest, OfWorker>({
  ownContext: [false, { option: true }],

  keptContexts: [
    async ({ browser }, use) => {
      const kept = new KeptContexts(browser);
      await use(kept);
      await kept.close();
    },
    { scope: 'worker' },
  ],

  sharedServer: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the parts that a fixture uses.
    async ({}, use) => {
      const server = await startServer();
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],

  playedSite: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the parts that a fixture uses.
    async ({}, use) => {
      const site = await PlayedSite.open();
      await use(site);
      await site.close();
    },
    { scope: 'worker' },
  ],

  contextSettings: async (
    {
      acceptDownloads,
      baseURL,
      bypassCSP,
      clientCertificates,
      colorScheme,
      contextOptions,
      contrast,
      deviceScaleFactor,
      extraHTTPHeaders,
      forcedColors,
      geolocation,
      hasTouch,
      httpCredentials,
      ignoreHTTPSErrors,
      isMobile,
      javaScriptEnabled,
      locale,
      offline,
      permissions,
      proxy,
      reducedMotion,
      screen,
      serviceWorkers,
      timezoneId,
      userAgent,
      viewport,
    },
    use,
  ) =>
    use({
      acceptDownloads,
      baseURL,
      bypassCSP,
      clientCertificates,
      colorScheme,
      contextOptions,
      contrast,
      deviceScaleFactor,
      extraHTTPHeaders,
      forcedColors,
      geolocation,
      hasTouch,
      httpCredentials,
      ignoreHTTPSErrors,
      isMobile,
      javaScriptEnabled,
      locale,
      offline,
      permissions,
      proxy,
      reducedMotion,
      screen,
      serviceWorkers,
      timezoneId,
      userAgent,
      viewport,
    }),

  context: async ({ browser, keptContexts, contextSettings, ownContext, storageState, video }, use, info) => {
    if (!ownContext && storageState === undefined && video === 'off') {
      const kept = await keptContexts.take(contextSettings);
      await use(kept.context);
      await keptContexts.leave(kept, { hasFailed: info.status !== info.expectedStatus });
      return;
    }
    await keptContexts.closePages();
    const context = await browser.newContext(video === 'off' ? {} : { recordVideo: { dir: info.outputPath('video') } });
    await use(context);
    await context.close();
  },

  page: async ({ context }, use) => {
    const [page = await context.newPage()] = context.pages();
    await use(page);
  },

  playedApi: async ({ playedSite }, use) => {
    const api = playedSite.play();
    await use(api);
    playedSite.rest();
    expect(api.faults).toEqual([]);
  },
});

/** The server that tests of other files use too. The returned object has its properties when the first test begins. */
export function setUpSharedServer(): SharedServer {
  const server = {} as SharedServer;
  test.beforeAll(async ({ sharedServer }) => void Object.assign(server, sharedServer));
  return server;
}
