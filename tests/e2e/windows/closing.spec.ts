import { expect } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { enterPlayed } from '../../support/browser/played-api/enter-played.ts';
import { translate } from '../../support/browser/translate.ts';
import { WorkspacePage } from '../../support/browser/workspace-page.ts';

test('W2.05 a key that is pressed while a window fades goes to the field below, and a plain one never to the canvas', async ({
  page,
  playedApi,
}) => {
  await enterPlayed(page, playedApi, 'en');
  const workspace = await new WorkspacePage(page, 'en').opened();
  // In the page: the window fades for a fifth of a second.
  await page.evaluate(() => {
    const keys = { pressed: 0, focused: '' };
    Object.assign(window, { keys });
    new MutationObserver(() => {
      if (!document.querySelector('[data-window][data-closed]')) return;
      const target = document.activeElement ?? document.body;
      keys.focused = target.tagName;
      keys.pressed += 1;
      target.dispatchEvent(new KeyboardEvent('keydown', { key: 'Delete', code: 'Delete', bubbles: true, cancelable: true }));
    }).observe(document.body, {
      subtree: true,
      attributes: true,
      childList: true,
      attributeFilter: ['data-closed', 'aria-hidden', 'inert'],
    });
  });
  const seen = () => page.evaluate(() => (window as never as { keys: { pressed: number; focused: string } }).keys);
  const picture = page.getByRole('dialog', { name: translate('en', 'actions', 'picture.title') });
  const cards = await workspace.cards().count();
  await page.getByRole('application').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+Shift+E');
  // One that has hardly begun to appear has nothing to fade.
  await expect(picture).toHaveCSS('opacity', '1');
  await page.keyboard.press('Escape');
  await expect(picture).toHaveCount(0);
  expect((await seen()).pressed).toBeGreaterThan(0);
  await expect(workspace.cards()).toHaveCount(cards);

  const search = page.getByTestId('sidebar').getByRole('textbox', { name: translate('en', 'workspace', 'sidebar.search') });
  await search.focus();
  await page.keyboard.press('Control+Shift+E');
  await expect(picture).toHaveCSS('opacity', '1');
  await page.keyboard.press('Escape');
  await page.keyboard.type('ana');
  await expect(search).toHaveValue('ana');
  expect((await seen()).focused).toBe('INPUT');
});
