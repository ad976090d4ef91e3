import { expect, test } from 'playwright/test';
import { faultsInBothThemes } from '../../support/browser/faults.ts';
import { startServer, type TestServer } from '../../support/start-server.ts';

/** The part of the page for one call. */
const address = 'tag/execution/POST/PipelineExecution/start';

let server: TestServer;
test.beforeAll(async () => {
  server = await startServer({ env: { ARTEL_CLIENT: 'off' } });
});
test.afterAll(() => server.stop());

test('R10.01 the page of the API is accessible in both themes, fits a phone, and loads nothing from elsewhere', { tag: '@rest' }, async ({
  page,
}) => {
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => request.url().startsWith(server.url) || complaints.push(`asked for ${request.url()}`));
  await page.goto(`${server.url}/api/docs#${address}`);
  const call = page.getByRole('region', { name: 'Start an execution' });
  await expect(call).toBeInViewport();
  await call.getByRole('tab', { name: '409' }).click();
  await expect(call.getByText('illegal_state').first()).toBeVisible();
  // Lines of code end beyond their box, where the pixels are those of the page.
  await page.addStyleTag({ content: '.hljs, .hljs * { white-space: pre-wrap !important; overflow-wrap: anywhere; }' });
  expect(await faultsInBothThemes(page, `[id="api-1/${address}"]`)).toEqual([]);
  // Scrolling to a text of the page moves the list of calls, so pixels are only compared in the call.
  expect((await faultsInBothThemes(page)).filter((fault) => !fault.includes('on pixels'))).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  expect(complaints.filter((text) => !text.includes('icon.svg') && !text.includes('404'))).toEqual([]);
});
