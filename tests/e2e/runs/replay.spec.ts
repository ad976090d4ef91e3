import { expect, type Page } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { enterWorkspace } from '../../support/browser/enter-workspace.ts';
import { translate, translator } from '../../support/browser/translate.ts';
import { WorkspacePage } from '../../support/browser/workspace-page.ts';
import { startServer, type TestServer } from '../../support/start-server.ts';

let server: TestServer;
test.beforeAll(async () => {
  server = await startServer({ env: { ARTEL_SIMULATED_ANSWER_MS: '300' } });
});
test.afterAll(async () => {
  await server.stop();
});

const words = translator('ru', 'replay');
const states = async (page: Page) =>
  (await new WorkspacePage(page).readCards()).filter(({ type }) => type === 'agent').map(({ state }) => state);

test('G7.01 G7.02 G7.04 a run is looked back at while it goes on, and played again from its first event', { tag: '@rest' }, async ({
  page,
}) => {
  await enterWorkspace(page, server.url);
  const workspace = await new WorkspacePage(page).opened();
  await workspace.startWith('Испечь хлеб');
  const bar = page.getByTestId('replay');
  const track = page.getByTestId('replay-track');

  await test.step('while the run is under way', async () => {
    await expect.poll(async () => (await states(page)).includes('done')).toBe(true);
    await workspace.ofRun('lookBack');
    await expect(bar).toHaveAttribute('data-status', 'ready');
    await page.keyboard.press('Home');
    await expect(page.getByTestId('replay-event')).toHaveText(words('beforeStart'));
    await expect.poll(async () => new Set(await states(page))).toEqual(new Set(['waiting']));
    // The run goes on meanwhile.
    await expect(bar.getByRole('button', { name: words('present'), exact: true })).toHaveCount(0, { timeout: 60_000 });
    await bar.getByRole('button', { name: words('close'), exact: true }).click();
    await expect(page.getByTestId('run-control')).toContainText(translate('ru', 'workspace', 'run.finished'));
  });

  await test.step('the finished run', async () => {
    await workspace.ofRun('replay');
    await expect(bar).toHaveAttribute('data-status', 'ready');
    await expect.poll(async () => new Set(await states(page))).toEqual(new Set(['done']));
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => states(page)).toEqual(['active', ...Array((await states(page)).length - 1).fill('waiting')]);
    await expect(track).toHaveAttribute('aria-valuetext', /из/);
    await page.keyboard.press('l');
    await page.keyboard.press('l');
    await expect(bar.getByRole('button', { name: words('common:pause'), exact: true })).toBeVisible();
    await page.keyboard.press('l');
    await expect(bar.getByRole('button', { name: words('play'), exact: true })).toBeVisible({ timeout: 30_000 });
    await expect.poll(async () => new Set(await states(page))).toEqual(new Set(['done']));
  });

  await test.step('by the pointer, with the console', async () => {
    await page.keyboard.press('Control+j');
    const box = await track.boundingBox();
    if (!box) throw new Error('No track');
    await page.mouse.click(box.x + box.width * 0.4, box.y + box.height / 2);
    await expect.poll(() => states(page)).toEqual(expect.arrayContaining(['done', 'waiting']));
    const finished = page.getByTestId('console').getByText(translate('ru', 'errors', 'run.completed'));
    await expect(finished).toHaveCount(0);
    await page.mouse.click(box.x + box.width - 1, box.y + box.height / 2);
    await expect(finished.first()).toBeVisible();
  });
});
