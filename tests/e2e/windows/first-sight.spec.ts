import { expect, type Page } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { enterPlayed } from '../../support/browser/played-api/enter-played.ts';
import { translate } from '../../support/browser/translate.ts';
import { WorkspacePage } from '../../support/browser/workspace-page.ts';

/** The most controls that a newly opened project shows, and the most of them that are an icon without a word. */
const most = { controls: 56, icons: 20 };

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
