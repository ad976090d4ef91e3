import { test as base } from '../browser/browser-test.ts';

/**
 * `test` for files whose tests begin with `BenchPage.show`: those with the same screen share a page. To load the canvas takes most of the time
 * of a short test. The page of a failed test is not used again.
 */
export const test = base.extend({
  page: async ({ keptContexts, contextSettings }, use, info) => {
    const { kept, page } = await keptContexts.sharedPage(info.file, contextSettings);
    await use(page);
    if (info.status !== info.expectedStatus) await keptContexts.leave(kept, { hasFailed: true });
  },
  context: async ({ page }, use) => use(page.context()),
});
