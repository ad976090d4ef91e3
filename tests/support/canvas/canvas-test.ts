import { type Browser, type BrowserContext, test as base, type Page } from 'playwright/test';

/** The page that tests of one file with the same screen share. */
class KeptPage {
  readonly #browser: Browser;
  #kept: { of: string; context: BrowserContext; page: Page } | null = null;

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** Returns the page of the file and screen that `of` names. A page of another one is closed. */
  async open(of: string): Promise<Page> {
    if (this.#kept?.of === of) return this.#kept.page;
    await this.close();
    const context = await this.#browser.newContext();
    this.#kept = { of, context, page: await context.newPage() };
    return this.#kept.page;
  }

  async close(): Promise<void> {
    await this.#kept?.context.close();
    this.#kept = null;
  }
}

/**
 * `test` for files whose tests begin with `BenchPage.show`: those with the same screen share a page. To load the canvas takes most of the time
 * of a short test. The page of a failed test is not used again.
 */
export const test = base.extend<object, { kept: KeptPage }>({
  kept: [
    async ({ browser }, use) => {
      const kept = new KeptPage(browser);
      await use(kept);
      await kept.close();
    },
    { scope: 'worker' },
  ],
  page: async ({ kept, viewport, deviceScaleFactor, hasTouch, isMobile, permissions, colorScheme }, use, info) => {
    const { file } = info;
    await use(await kept.open(JSON.stringify({ file, viewport, deviceScaleFactor, hasTouch, isMobile, permissions, colorScheme })));
    if (info.status !== info.expectedStatus) await kept.close();
  },
});
