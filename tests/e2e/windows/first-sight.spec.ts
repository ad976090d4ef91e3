import { expect, type Page } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { enterPlayed } from '../../support/browser/played-api/enter-played.ts';
import { translate } from '../../support/browser/translate.ts';
import { chooseInView, expectInView } from '../../support/browser/view-menu.ts';
import { WorkspacePage } from '../../support/browser/workspace-page.ts';

/** The most controls that a newly opened project shows, and the most of them that are an icon without a word. */
const most = { controls: 40, icons: 8 };

/** Returns the controls that are seen: those within the window that are neither hidden nor quiet until they are meant. */
function shownControls(page: Page): Promise<{ name: string; isIcon: boolean }[]> {
  return page.evaluate(() => {
    const controls = 'button, a[href], input, textarea, select, [role="switch"], [role="combobox"], [role="slider"]';
    const isSeen = (element: Element) => {
      const { width, height, left, top } = element.getBoundingClientRect();
      if (width < 2 || height < 2) return false;
      const at = document.elementFromPoint(left + width / 2, top + height / 2);
      const isOnTop = at !== null && (element.contains(at) || at.contains(element));
      return isOnTop && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    };
    const wordsOf = (element: Element) => {
      const copy = element.cloneNode(true) as Element;
      for (const unseen of copy.querySelectorAll('.visually-hidden, svg, kbd')) unseen.remove();
      return copy.textContent?.trim() ?? '';
    };
    return [...document.querySelectorAll(controls)].filter(isSeen).map((element) => {
      const words = wordsOf(element);
      return {
        name: element.getAttribute('aria-label') ?? words,
        isIcon: element.matches('button, a') && words === '',
      };
    });
  });
}

test('W2.01 W2.09 a newly opened project shows few controls, and few of them are icons without a word', async ({ page, playedApi }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await enterPlayed(page, playedApi);
  const workspace = await new WorkspacePage(page).opened();
  await workspace.saved();
  await page.mouse.move(700, 880);
  // The parts that load late are there.
  await expect(page.getByTestId('account-menu')).toBeVisible();
  const late = [page.locator('[data-dialog-id]'), page.getByTestId('run-control')];
  for (const part of late) await expect(part.getByRole('button', { name: translate('ru', 'inputs', 'add') })).toBeVisible();
  const shown = await shownControls(page);
  const icons = shown.filter(({ isIcon }) => isIcon);
  expect(shown.length, shown.map(({ name }) => name).join('\n')).toBeLessThanOrEqual(most.controls);
  expect(icons.length, icons.map(({ name }) => name).join('\n')).toBeLessThanOrEqual(most.icons);
});

test('W2.05 the menu of the view is used by the keyboard alone, and gives the focus back to the zoom', async ({ page, playedApi }) => {
  await enterPlayed(page, playedApi);
  await new WorkspacePage(page).opened();
  const opener = page.getByTestId('view-menu');
  const menu = page.getByRole('menu');
  const press = async (...keys: string[]) => {
    await opener.focus();
    await page.keyboard.press('Enter');
    // The first entry takes the focus when the menu is placed: a key before that would be lost to it.
    await expect(menu.locator('[role^="menuitem"]').first()).toBeFocused();
    for (const key of keys) await page.keyboard.press(key);
    await expect(menu).toHaveCount(0);
    await expect(opener).toBeFocused();
  };
  await expect(page.getByTestId('minimap')).toBeVisible();
  await press('Escape');
  await press('ArrowDown', 'ArrowDown', 'Enter');
  await expectInView(page, 'select', 'on');
  await press('ArrowUp', 'Enter');
  await expect(page.getByTestId('minimap')).toHaveCount(0);
  await expectInView(page, 'map', 'off');
  await press('ArrowUp', 'ArrowUp', 'Space');
  await expectInView(page, 'snap', 'on');
  await chooseInView(page, 'hand');
  await expectInView(page, 'select', 'off');
});

test('W2.14 the whole line of the closed console is one button', async ({ page, playedApi }) => {
  await enterPlayed(page, playedApi);
  await new WorkspacePage(page).opened();
  const line = page.getByTestId('console-bar');
  await expect(line.getByRole('button')).toHaveCount(1);
  const box = await line.boundingBox();
  if (!box) throw new Error('The line of the console has no box');
  await page.mouse.click(box.x + box.width - 20, box.y + box.height / 2);
  await expect(page.getByTestId('console')).toBeVisible();
});
