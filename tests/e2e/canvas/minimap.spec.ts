import { expect } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { BenchPage } from '../../support/canvas/bench-page.ts';

const wide = { a: { x: 0, y: 0 }, b: { x: 8_000, y: 4_000 } };

test('W2.05 a drag in the map pans, a press moves the view there, and a hidden map stays hidden after a reload', { tag: '@rest' }, async ({
  page,
}) => {
  const canvas = await new BenchPage(page).open(wide);
  await canvas.atRest();
  const map = page.getByTestId('minimap');
  const box = await map.boundingBox();
  if (!box) throw new Error('No map');
  await canvas.click({ x: box.x + box.width - 14, y: box.y + box.height - 14 });
  const { x, y, zoom } = await canvas.camera();
  expect(zoom).toBe(1);
  // The middle of the view is now near the last card.
  expect(Math.abs(720 - x - 8_140)).toBeLessThan(900);
  expect(Math.abs(450 - y - 4_078)).toBeLessThan(900);
  await canvas.drag({ x: box.x + box.width - 14, y: box.y + box.height - 14 }, { x: box.x + box.width - 34, y: box.y + box.height - 14 });
  const after = await canvas.camera();
  expect(after.x).toBeGreaterThan(x + 500);
  expect(after.y).toBeCloseTo(y);
  await canvas.click({ x: 600, y: 640 });
  await page.keyboard.press('m');
  await expect(map).toHaveCount(0);
  await page.reload();
  await page.waitForFunction(() => window.__bench !== undefined);
  await expect(page.getByTestId('zoom')).toBeVisible();
  await expect(map).toHaveCount(0);
});

test.describe('on a narrow window', () => {
  test.use({ viewport: { width: 390, height: 844 } });
  test('W2.07 phones have no map', async ({ page }) => {
    await new BenchPage(page).open(wide);
    await expect(page.getByTestId('minimap')).toHaveCount(0);
  });
});
