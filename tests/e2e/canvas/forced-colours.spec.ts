import { expect, type Page } from 'playwright/test';
import { BenchPage } from '../../support/canvas/bench-page.ts';
import { test } from '../../support/canvas/canvas-test.ts';

/** A chosen thing, and one beside it that is not chosen. */
const pairs = {
  language: ['[role="radiogroup"] label:has(:checked)', '[role="radiogroup"] label:not(:has(:checked))'],
  tab: ['[role="tab"][aria-selected="true"]', '[role="tab"][aria-selected="false"]'],
  row: ['[role="option"][aria-selected="true"]', '[role="option"][aria-selected="false"]'],
} as const;

const background = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => getComputedStyle(element).backgroundColor);

test('D9.01 in forced colours the chosen tab, language, row and switch are told apart, and a switch is 24 px high', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  const canvas = await new BenchPage(page).open({ a: { x: 0, y: 0, kind: 'dialog' }, b: { x: 500, y: 0 } });
  const differs = async (name: keyof typeof pairs) => {
    const [chosen, other] = pairs[name];
    await expect.poll(async () => (await background(page, chosen)) !== (await background(page, other)), { message: name }).toBe(true);
  };
  await differs('language');
  const toggle = canvas.page.getByRole('switch').first();
  const off = await toggle.evaluate((element) => getComputedStyle(element).backgroundColor);
  const isOn = await toggle.getAttribute('aria-checked');
  await toggle.click();
  await expect(toggle).not.toHaveAttribute('aria-checked', isOn ?? '');
  await expect.poll(() => toggle.evaluate((element) => getComputedStyle(element).backgroundColor)).not.toBe(off);
  const box = await toggle.evaluate((element) => ({
    width: (element as HTMLElement).offsetWidth,
    height: (element as HTMLElement).offsetHeight,
  }));
  expect(box.width).toBeGreaterThanOrEqual(24);
  expect(box.height).toBeGreaterThanOrEqual(24);
  await page.keyboard.press('Control+j');
  await differs('tab');
  await page.keyboard.press('Control+j');
  await page.keyboard.press('Control+k');
  await differs('row');
});
