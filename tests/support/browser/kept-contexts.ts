import type { Browser, BrowserContext, Page } from 'playwright/test';

/** The options of a test's context. Those of `permissions` and `offline` are set anew for each test, all others need a context of their own. */
export type ContextSettings = { permissions?: string[] | undefined; offline?: boolean | undefined } & Record<string, unknown>;

/** `origins`: those of the pages since it was emptied. `isSpent`: something of a test stays in it. */
export type KeptContext = { key: string; context: BrowserContext; origins: Set<string>; isSpent: boolean };

/** What the pages of an origin store beside cookies. The HTTP cache stays: a context is kept because of it. */
const storageTypes = 'local_storage,indexeddb,cache_storage,service_workers,file_systems';

/** What cannot be taken back from a context, and from its clock. */
const lastingCalls = [
  ...['addInitScript', 'exposeBinding', 'exposeFunction', 'on', 'routeFromHAR', 'routeWebSocket', 'setExtraHTTPHeaders'],
  ...['setDefaultNavigationTimeout', 'setDefaultTimeout', 'setGeolocation', 'setHTTPCredentials', 'setStorageState'],
];
const lastingClockCalls = ['install', 'pauseAt', 'setFixedTime', 'setSystemTime'];

/**
 * The contexts that tests of one worker have one after another. Each test gets an empty one: what an earlier test stored, allowed, routed or
 * switched off is gone. Only the loaded files of the site are still there, as in the browser of a person who comes again.
 */
export class KeptContexts {
  readonly #browser: Browser;
  readonly #kept = new Map<string, KeptContext>();
  #shared: { by: string; kept: KeptContext; page: Page } | null = null;

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** Returns an empty context with these settings and one blank page. Of each kind one is in use at a time. */
  async take(settings: ContextSettings): Promise<KeptContext> {
    await this.closePages();
    const { permissions, offline, ...kind } = settings;
    const key = JSON.stringify(kind);
    const kept = this.#kept.get(key);
    if (!kept) return this.#open(key);
    await empty(kept, settings);
    return kept;
  }

  /** Ends the use of a context by a test. It is not used again where something of the test stays in it. */
  async leave(kept: KeptContext, { hasFailed }: { hasFailed: boolean }): Promise<void> {
    if (!hasFailed && !kept.isSpent) return closePages(kept.context);
    this.#kept.delete(kept.key);
    if (this.#shared?.kept === kept) this.#shared = null;
    await kept.context.close();
  }

  /** Returns the page that the tests which `by` names share. It stays as they leave it, until another test takes a context. */
  async sharedPage(by: string, settings: ContextSettings): Promise<{ kept: KeptContext; page: Page }> {
    const name = `${by} ${JSON.stringify(settings)}`;
    if (this.#shared?.by === name && !this.#shared.page.isClosed()) return this.#shared;
    const kept = await this.take(settings);
    const [page = await kept.context.newPage()] = kept.context.pages();
    this.#shared = { by: name, kept, page };
    return this.#shared;
  }

  /** Closes the page that tests of a file have shared, where there is one. */
  async closePages(): Promise<void> {
    this.#shared = null;
    for (const { context } of this.#kept.values()) await closePages(context);
  }

  async close(): Promise<void> {
    for (const { context } of this.#kept.values()) await context.close();
    this.#kept.clear();
  }

  /** Playwright gives the context the settings of the test that runs. */
  async #open(key: string): Promise<KeptContext> {
    const context = await this.#browser.newContext();
    const kept: KeptContext = { key, context, origins: new Set(), isSpent: false };
    const spend = () => {
      kept.isSpent = true;
    };
    context.on('page', (page) => {
      noteOrigin(kept, page.url());
      page.on('framenavigated', (frame) => noteOrigin(kept, frame.url()));
    });
    watchCalls(context, lastingCalls, spend);
    watchCalls(context.clock, lastingClockCalls, spend);
    this.#kept.set(key, kept);
    await context.newPage();
    return kept;
  }
}

async function closePages(context: BrowserContext): Promise<void> {
  await Promise.all(context.pages().map((page) => page.close({ reason: 'Test ended.' })));
}

async function empty({ context, origins }: KeptContext, { permissions = [], offline = false }: ContextSettings): Promise<void> {
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await context.clearCookies();
  await context.clearPermissions();
  await context.setOffline(offline);
  const session = await context.newCDPSession(await context.newPage());
  for (const origin of origins) await session.send('Storage.clearDataForOrigin', { origin, storageTypes });
  await session.detach();
  origins.clear();
  // An empty list would refuse all permissions.
  if (permissions.length > 0) await context.grantPermissions(permissions);
}

function noteOrigin({ origins }: KeptContext, url: string): void {
  if (url.startsWith('http')) origins.add(new URL(url).origin);
}

/** Tells of each call of these methods, before it is made. */
function watchCalls(owner: object, names: readonly string[], tell: () => void): void {
  const methods = owner as Record<string, (...given: unknown[]) => unknown>;
  for (const name of names) {
    const method = methods[name]?.bind(owner);
    if (!method) throw new Error(`There is no method ${name}`);
    methods[name] = (...given) => {
      tell();
      return method(...given);
    };
  }
}
