import { expect } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { faultsInBothThemes } from '../../support/browser/faults.ts';
import { signUp } from '../../support/run-account.ts';
import { startServer, type TestServer } from '../../support/start-server.ts';

/** The part of the page for one call. */
const address = 'tag/execution/POST/PipelineExecution/start';

let server: TestServer;
test.beforeAll(async () => {
  server = await startServer({ env: { ARTEL_CLIENT: 'off' } });
});
test.afterAll(() => server.stop());

test('R10.01 the page of the API is accessible in both themes, fits a phone, and loads nothing from elsewhere', {
  tag: '@rest-nightly',
}, async ({ page }) => {
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

test('K2.09 the page of the API takes a key and tries calls: what is wrong is said at its field, and the answer or refusal is shown', async ({
  page,
}) => {
  const ann = await signUp(server.url);
  const { key } = (await ann.call<{ key: string }>('POST', '/api-keys', { name: 'n', scopes: ['read'] })).body;
  await page.goto(`${server.url}/api/docs#${address}`);
  // Scalar draws every call of the API before the page takes a click: seconds of a processor, minutes beside other tests.
  await page.getByRole('button', { name: 'Try a call' }).click({ timeout: 120_000 });
  const form = page.getByRole('dialog', { name: 'Try a call' });
  const call = form.getByLabel('Call');
  await expect(call).toHaveValue('execution.start');
  await expect(call.locator('option[value="apiKey.list"]')).toHaveCount(0);
  const send = form.getByRole('button', { name: 'Send' });
  const status = form.getByRole('status');
  await send.press('Enter');
  await expect(form.getByLabel('API key')).toBeFocused();
  await form.getByLabel('API key').fill(key);
  await form.getByLabel('Body (JSON)').fill('{');
  await send.click();
  await expect(form.getByLabel('Body (JSON)')).toBeFocused();
  await form.getByLabel('Body (JSON)').fill('{}');
  await send.click();
  await expect(status).toContainText('403');
  await expect(form.getByRole('region', { name: 'Answer' })).toContainText('key_not_allowed');
  await call.selectOption('project.get');
  await form.getByLabel('id (path)').fill('default');
  await send.click();
  await expect(status).toContainText('200');
  await expect(form.getByRole('region', { name: 'Answer' })).toContainText('"id":');
  expect(await faultsInBothThemes(page, '#try-dialog')).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  const { width, x } = (await form.boundingBox()) ?? { width: 0, x: -1 };
  expect(x).toBeGreaterThanOrEqual(0);
  expect(x + width).toBeLessThanOrEqual(360);
  await page.keyboard.press('Escape');
  await expect(form).toBeHidden();
  await expect(page.getByRole('button', { name: 'Try a call' })).toBeFocused();
});
