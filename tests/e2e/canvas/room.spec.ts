import { expect, type Page } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { enterPlayed } from '../../support/browser/played-api/enter-played.ts';
import { translate, translator } from '../../support/browser/translate.ts';
import { WorkspacePage } from '../../support/browser/workspace-page.ts';

const words = translator('ru', 'workspace');

type Box = { left: number; top: number; right: number; bottom: number };

/** The boxes of the bars and panels that are seen. */
async function boxesOf(page: Page): Promise<Record<string, Box>> {
  const found = await page
    .locator('[data-workspace] > [data-panel], [data-testid="run-control"], [data-testid="banner"]:not([inert])')
    .evaluateAll((all) =>
      all.map((element) => {
        const { left, top, right, bottom, width } = element.getBoundingClientRect();
        const isSeen = width > 0 && getComputedStyle(element).visibility === 'visible' && element.id !== 'banners';
        return [(element as HTMLElement).dataset.testid ?? '', isSeen ? { left, top, right, bottom } : null] as const;
      }),
    );
  return Object.fromEntries(found.filter((entry): entry is [string, Box] => entry[1] !== null && entry[0] !== ''));
}

const meet = (a: Box, b: Box) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;

/** Which bars overlap. A banner takes the place of the closed console's line, and is the first line of an open one. */
function overlapsIn(boxes: Record<string, Box>): string[] {
  const names = Object.keys(boxes);
  return names.flatMap((one, at) =>
    names
      .slice(at + 1)
      .filter((other) => meet(boxes[one] as Box, boxes[other] as Box))
      .map((other) => [one, other].sort().join(' '))
      .filter((pair) => pair !== 'banner console' && pair !== 'banner console-bar'),
  );
}

/** The share of the window that no bar covers, between the sidebar and the right edge. */
function freeShare(boxes: Record<string, Box>, { width, height }: { width: number; height: number }): number {
  const { sidebar, 'run-control': control, 'project-bar': bar } = boxes;
  return ((width - (sidebar?.right ?? 0)) * ((control?.top ?? 0) - (bar?.bottom ?? 0))) / (width * height);
}

/** No text box is under a banner. */
async function coveredFields(page: Page): Promise<number> {
  return page.locator('textarea:visible, input:visible, [role="combobox"]:visible').evaluateAll((fields) => {
    const banner = document.querySelector('[data-testid="banner"]')?.getBoundingClientRect();
    return fields.filter((field) => {
      const box = field.getBoundingClientRect();
      return banner && box.left < banner.right && banner.left < box.right && box.top < banner.bottom && banner.top < box.bottom;
    }).length;
  });
}

/** Has the project's canvas not load, which shows a banner that stays. */
async function showBanner(page: Page, workspace: WorkspacePage): Promise<void> {
  await page.route('**/api/project/*/canvas', (route) => route.abort());
  await workspace.ofProject(words('bar.reload'));
  await expect(workspace.banners()).toHaveCount(1);
}

test('W2.04 D4.05 with the console open and a banner shown a team stays at 30 % at least, no bar covers another one or a field, and the camera comes back', async ({
  page,
  playedApi,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 1_280, height: 720 });
  await enterPlayed(page, playedApi);
  const workspace = await new WorkspacePage(page).opened();
  const figure = page.getByTestId('zoom').getByRole('button').nth(1);
  const zoom = async () => Number.parseInt((await figure.textContent()) ?? '', 10);
  await showBanner(page, workspace);
  let before = '';
  for (const size of [
    { width: 1_280, height: 720 },
    { width: 1_366, height: 768 },
    { width: 1_440, height: 900 },
  ]) {
    await page.setViewportSize(size);
    // A larger window shows the team larger, once the canvas has its size.
    await expect(async () => {
      await page.getByTestId('canvas').press('Shift+1');
      await expect(figure).not.toHaveText(before, { timeout: 500 });
    }).toPass();
    expect(await zoom()).toBeGreaterThan(30);
    await expect.poll(async () => overlapsIn(await boxesOf(page)), `${size.width} px, closed`).toEqual([]);
    before = (await figure.textContent()) ?? '';
    await page.keyboard.press('Control+j');
    const panel = page.getByTestId('console');
    await expect(panel).toBeVisible();
    expect((await panel.boundingBox())?.height).toBeLessThanOrEqual(Math.max(400, size.height * 0.45));
    await expect.poll(async () => overlapsIn(await boxesOf(page)), `${size.width} px, open`).toEqual([]);
    expect(freeShare(await boxesOf(page), size)).toBeGreaterThan(0.25);
    expect(await coveredFields(page)).toBe(0);
    expect(await zoom()).toBeGreaterThanOrEqual(30);
    await page.keyboard.press('Control+j');
    await expect(figure).toHaveText(before);
  }
  // What a person chose for the console is kept, with its share of a lower window.
  await page.keyboard.press('Control+j');
  for (let presses = 0; presses < 3; presses += 1) await page.getByTestId('console-grip').press('ArrowDown');
  await page.unrouteAll();
  await page.reload();
  await workspace.opened();
  await page.keyboard.press('Control+j');
  await expect.poll(async () => (await page.getByTestId('console').boundingBox())?.height).toBe(400 - 3 * 24);
});

for (const [width, height] of [
  [640, 360],
  [844, 390],
  [820, 1_180],
  [390, 844],
] as const) {
  test(`W2.04 D4.05 in a window of ${width} x ${height} a card is read and a task is typed, with a banner too`, async ({
    page,
    playedApi,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height });
    await enterPlayed(page, playedApi);
    const workspace = await new WorkspacePage(page).opened();
    const control = workspace.runControl;
    await expect(control).toBeInViewport({ ratio: 1 });
    const field = control.getByRole('textbox');
    await field.fill('Экспорт заказов');
    await expect(control.getByRole('button', { name: words('run.start'), exact: true })).toBeInViewport({ ratio: 1 });
    // One row in a low window.
    if (height < 600) expect((await control.boundingBox())?.height).toBeLessThan(64);
    // The opened card is whole between the bars; a tablet shows the whole team instead, too small for forms.
    const form = page.locator('[data-dialog-id]');
    if (width === 820) await expect(form).toHaveCount(0);
    else {
      await expect(form.locator('textarea')).toHaveValue('Экспорт заказов');
      const [card, bar] = [await form.boundingBox(), await control.boundingBox()];
      expect((card?.y ?? 0) + (card?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
      expect(card?.y).toBeGreaterThanOrEqual(64);
    }
    expect(overlapsIn(await boxesOf(page))).toEqual([]);
    await page.route('**/api/project/*/canvas', (route) => route.abort());
    await page.getByTestId('mobile-menu').click();
    await page.getByRole('menuitem', { name: translate('ru', 'actions', 'name.palette') }).click();
    await page
      .getByTestId('palette')
      .getByRole('combobox')
      .fill(translate('ru', 'actions', 'name.reload'));
    await page.keyboard.press('Enter');
    await expect(workspace.banners()).toHaveCount(1);
    await expect.poll(async () => overlapsIn(await boxesOf(page)), 'with a banner').toEqual([]);
    expect(await coveredFields(page)).toBe(0);
  });
}
