import { expect, type Page } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { translate, translator } from '../../support/browser/translate.ts';
import { dialog, withPlayedCanvas } from '../../support/browser/with-canvas.ts';

const words = translator('ru', 'canvas');
const ofLinks = translator('ru', 'links');

type Canvas = Parameters<typeof withPlayedCanvas>;

/** A dialog, a writer, a reviewer who leads back to the writer, and an editor. */
const reviewTeam: Canvas[2] = (card) => [
  dialog('task', 'Задача', 200),
  card(0, 'writer', 200),
  { ...card(1, 'reviewer', 200), x: 720 },
  { ...card(2, 'editor', 520), x: 720 },
];
const reviewLinks: Canvas[3] = [
  ['task', 'writer'],
  ['writer', 'reviewer'],
  ['reviewer', 'writer'],
  ['reviewer', 'editor'],
];

const badge = (page: Page, link: string) => page.locator(`[data-link-badge="conn-${link}"]`);
const link = (page: Page, id: string) => page.locator(`[data-link-id="conn-${id}"]`);

/** Selects a link in the list for keyboards and opens its settings. */
async function openSettings(page: Page, link: string) {
  await page.locator(`[data-link-id="conn-${link}"]`).focus();
  await badge(page, link).click();
  await expect(page.getByText(ofLinks('settings'), { exact: true })).toBeVisible();
}

test('G1.03 a link’s label and its review loop are set on the canvas, undone, and kept over a reload', async ({ page, playedApi }) => {
  const { workspace, thrown } = await withPlayedCanvas(page, playedApi, reviewTeam, reviewLinks);
  await openSettings(page, 'reviewer-writer');
  await page.getByLabel(ofLinks('taken')).click();
  await page.getByRole('option', { name: ofLinks('when.label') }).click();
  await page.getByLabel(ofLinks('words:label'), { exact: true }).fill('доработать');
  await page.getByLabel(ofLinks('loop')).check();
  await page.getByLabel(ofLinks('maxRounds')).fill('21');
  await expect(page.getByRole('button', { name: words('words:save') })).toBeDisabled();
  await page.getByLabel(ofLinks('maxRounds')).fill('2');
  await page.getByRole('button', { name: words('words:save') }).click();
  await expect(badge(page, 'reviewer-writer')).toContainText('доработать');
  await expect(page.getByText(ofLinks('settings'), { exact: true })).toHaveCount(0);
  await workspace.saved();
  await page.keyboard.press('Control+z');
  await expect(badge(page, 'reviewer-writer')).not.toContainText('доработать');
  await page.keyboard.press('Control+Shift+z');
  await workspace.saved();
  await page.reload();
  await workspace.opened();
  await expect(badge(page, 'reviewer-writer')).toContainText('доработать');
  expect(thrown).toEqual([]);
});

test('G1.02 the menu of a link and the key E open its settings, also when its badge cannot be seen', async ({ page, playedApi }) => {
  const { thrown } = await withPlayedCanvas(page, playedApi, reviewTeam, [
    ['task', 'writer'],
    ['writer', 'reviewer'],
    ['reviewer', 'writer', { label: 'доработать', maxRounds: 3 }],
    ['reviewer', 'editor', { label: 'принято' }],
  ]);
  const settings = page.getByText(ofLinks('settings'), { exact: true });
  await link(page, 'writer-reviewer').focus();
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: translate('ru', 'actions', 'name.linkSettings') }).click();
  await expect(settings).toBeInViewport();
  await page.keyboard.press('Escape');
  await expect(settings).toHaveCount(0);
  for (let step = 0; step < 12; step += 1) await page.keyboard.press('Minus');
  await link(page, 'reviewer-editor').focus();
  await page.keyboard.press('e');
  await expect(settings).toBeInViewport();
  await expect(page.getByLabel(ofLinks('words:label'), { exact: true })).toHaveValue('принято');
  await page.getByLabel(ofLinks('words:label'), { exact: true }).fill('готово');
  await page.getByRole('button', { name: words('words:save') }).click();
  await expect(settings).toHaveCount(0);
  await expect(link(page, 'reviewer-editor')).toContainText('готово');
  expect(thrown).toEqual([]);
});
