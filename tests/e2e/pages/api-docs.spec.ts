import { expect, test } from 'playwright/test';
import { faultsInBothThemes } from '../../support/browser/faults.ts';
import { startServer, type TestServer } from '../../support/start-server.ts';

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
  page.on('request', (request) => request.url().startsWith(server.url) || complaints.push(`asked for ${request.url()}`));
  await page.goto(`${server.url}/api/docs`);
  await page
    .getByRole('navigation')
    .getByRole('link', { name: /POST\s*\/PipelineExecution\/start/ })
    .click();
  const call = page.getByRole('article', { name: 'POST /PipelineExecution/start' });
  await expect(call).toBeInViewport();
  await call.getByText('Failures').click();
  await expect(call.getByText('illegal_state')).toBeVisible();

  // All calls have the same markup; axe would take a minute for all of them.
  await page.evaluate(() => {
    const kept = document.getElementById('execution.start');
    for (const part of document.querySelectorAll('section[id]:not(#tag-execution), article')) if (part !== kept) part.remove();
  });
  expect(await faultsInBothThemes(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  expect(complaints.filter((text) => !text.includes('icon.svg') && !text.includes('404'))).toEqual([]);
});
