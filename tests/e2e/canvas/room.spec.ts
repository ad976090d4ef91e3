import { expect, type Page } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { enterPlayed } from '../../support/browser/played-api/enter-played.ts';
import { boxesOf, freeShare, overlapsIn } from '../../support/browser/room.ts';
import { translate, translator } from '../../support/browser/translate.ts';
import { WorkspacePage } from '../../support/browser/workspace-page.ts';

const words = translator('ru', 'workspace');

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

test('W2.04 a window that gets another size shows the cards as a newly opened one; once a person has moved them, their zoom and the middle stay', async ({
  page,
  playedApi,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await enterPlayed(page, playedApi);
  const workspace = await new WorkspacePage(page).opened();
  const form = page.locator('[data-dialog-id]');
  const place = async () => {
    const { x, y, width } = (await form.boundingBox()) ?? { x: 0, y: 0, width: 0 };
    return [x, y, width].map(Math.round);
  };
  const isWhole = async () => {
    const [card, bar, project] = await Promise.all([
      form.boundingBox(),
      workspace.runControl.boundingBox(),
      page.getByTestId('project-bar').boundingBox(),
    ]);
    if (!card || !bar || !project) return false;
    const isBetween = card.y >= project.y + project.height && card.y + card.height <= bar.y;
    return isBetween && card.x >= 0 && card.x + card.width <= (page.viewportSize()?.width ?? 0);
  };
  await expect(form).toBeVisible();
  const opened = await place();
  for (const [width, height] of [
    [640, 360],
    [390, 844],
    [844, 390],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect.poll(isWhole, `${width} x ${height}`).toBe(true);
  }
  await page.setViewportSize({ width: 1_440, height: 900 });
  await expect.poll(place).toEqual(opened);

  await page.mouse.move(700, 720);
  await page.mouse.down();
  await page.mouse.move(730, 710);
  await page.mouse.move(760, 700);
  await page.mouse.up();
  const [x = 0, y = 0, size] = opened;
  await expect.poll(place).toEqual([x + 60, y - 20, size]);
  await page.setViewportSize({ width: 1_240, height: 700 });
  await expect.poll(place).toEqual([x + 60 - 100, y - 20 - 100, size]);
  await page.setViewportSize({ width: 1_440, height: 900 });
  await expect.poll(place).toEqual([x + 60, y - 20, size]);
});
