import { expect, type Page } from 'playwright/test';
import type { CanvasNode } from '../../../contract/canvas.ts';
import { setUpSharedServer, test } from '../../support/browser/browser-test.ts';
import { enterAs } from '../../support/browser/enter-workspace.ts';
import { dialog, withCanvas } from '../../support/browser/with-canvas.ts';
import { WorkspacePage } from '../../support/browser/workspace-page.ts';

const server = setUpSharedServer();

const group: CanvasNode = { id: 'team', type: 'group', title: 'Team', x: 320, y: 160, width: 360, height: 560 };
const line = (page: Page, id: string) => page.locator(`[data-testid="canvas-outline"] [data-node-id="${id}"]`);

test('D4.32 a folded group is folded after a reload of the page, and open for another viewer of the same canvas', {
  tag: '@rest-nightly',
}, async ({ page, browser }) => {
  // The part of the page that remembers folds loads after the first fold.
  const folded = Promise.withResolvers<void>();
  await page.route('**/edited-canvas-*.js', async (route) => {
    await folded.promise;
    await route.continue();
  });
  const { workspace, thrown } = await withCanvas(
    page,
    server.url,
    (card) => [dialog('task', 'Task', 200), group, card(0, 'writer', 200), card(1, 'editor', 500)],
    [['task', 'writer']],
  );
  await expect(line(page, 'team')).toHaveAttribute('aria-expanded', 'true');
  await line(page, 'writer').focus();
  await page.keyboard.press('f');
  await expect(line(page, 'team')).toHaveAttribute('aria-expanded', 'false');
  folded.resolve();
  await expect
    .poll(() => page.evaluate(() => Object.entries(localStorage).some(([key, ids]) => /folds:/.test(key) && ids === '["team"]')))
    .toBe(true);
  await expect(line(page, 'writer')).toHaveCount(0);

  await page.reload();
  await workspace.opened();
  await expect(line(page, 'team')).toHaveAttribute('aria-expanded', 'false');
  await expect(line(page, 'writer')).toHaveCount(0);

  const [accessToken = '', refreshToken = ''] = await page.evaluate(() =>
    ['accessToken', 'refreshToken'].map((key) => localStorage.getItem(key) ?? ''),
  );
  const another = await (await browser.newContext()).newPage();
  await enterAs(another, server.url, { accessToken, refreshToken });
  await new WorkspacePage(another).opened();
  await expect(line(another, 'team')).toHaveAttribute('aria-expanded', 'true');
  await expect(line(another, 'writer')).toHaveCount(1);
  await another.context().close();

  await line(page, 'team').focus();
  await page.keyboard.press('f');
  await page.reload();
  await workspace.opened();
  await expect(line(page, 'writer')).toHaveCount(1);
  expect(thrown).toEqual([]);
});
