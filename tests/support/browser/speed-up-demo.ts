import type { Page } from 'playwright/test';

/** How many times as fast the demonstration works. Each of its states still lasts longer than a page needs to show it. */
const times = 3;

/** Makes the team of the demonstration work faster, from the next load of the page on. Its clock is in a worker, which no test can reach. */
export async function speedUpDemo(page: Page): Promise<void> {
  await page.route(/demo\.worker.*\.js$/, async (route) => {
    const response = await route.fetch();
    const faster = `{ const after = self.setTimeout; self.setTimeout = (run, ms, ...given) => after(run, ms / ${times}, ...given); }`;
    await route.fulfill({ response, body: `${faster}\n${await response.text()}` });
  });
}
