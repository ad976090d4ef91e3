import { expect, type Page } from 'playwright/test';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import { setUpSharedServer, test } from '../../support/browser/browser-test.ts';
import { translate, translator } from '../../support/browser/translate.ts';
import { dialog, withCanvas } from '../../support/browser/with-canvas.ts';

const server = setUpSharedServer();

const words = translator('ru', 'canvas');
const ofLinks = translator('ru', 'links');
const ofSettings = (key: string, values?: Record<string, string | number>) => translate('ru', 'participation', `settings.${key}`, values);

/** A dialog, a writer, a reviewer who leads back to the writer, and an editor. */
const review = (page: Page) =>
  withCanvas(
    page,
    server.url,
    (card) => [
      dialog('task', 'Задача', 200),
      card(0, 'writer', 200),
      { ...card(1, 'reviewer', 200), x: 720 },
      { ...card(2, 'editor', 520), x: 720 },
    ],
    [
      ['task', 'writer'],
      ['writer', 'reviewer'],
      ['reviewer', 'writer'],
      ['reviewer', 'editor'],
    ],
  );

const badge = (page: Page, link: string) => page.locator(`[data-link-badge="conn-${link}"]`);

/** Selects a link in the list for keyboards and opens its settings. */
async function openSettings(page: Page, link: string) {
  await page.locator(`[data-link-id="conn-${link}"]`).focus();
  await badge(page, link).click();
  await expect(page.getByText(ofLinks('settings'), { exact: true })).toBeVisible();
}

test('G2.02 H holds the selected link, in the list and on the canvas, and its menu and settings say so', { tag: '@rest-nightly' }, async ({
  page,
}) => {
  const { workspace, thrown } = await review(page);
  const line = page.locator('[data-link-id="conn-writer-reviewer"]');
  await line.focus();
  await page.keyboard.press('h');
  await expect(badge(page, 'writer-reviewer')).toContainText(words('link.held.always'));
  await expect(line).toContainText(words('link.held.always'));
  await page.keyboard.press('h');
  await expect(badge(page, 'writer-reviewer')).toContainText(words('link.held.once'));
  await page.keyboard.press('h');
  await expect(badge(page, 'writer-reviewer')).toHaveText('');
  await page.keyboard.press('Control+z');
  await expect(badge(page, 'writer-reviewer')).toContainText(words('link.held.once'));
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menuitemradio', { name: words('link.hold.once'), exact: true })).toBeChecked();
  await page.getByRole('menuitemradio', { name: words('link.hold.always'), exact: true }).click();
  await expect(badge(page, 'writer-reviewer')).toContainText(words('link.held.always'));
  await badge(page, 'writer-reviewer').click();
  await expect(page.getByLabel(words('link.hold.title'))).toContainText(words('link.hold.always'));
  await page.keyboard.press('Escape');
  await workspace.saved();
  await page.reload();
  await workspace.opened();
  await expect(badge(page, 'writer-reviewer')).toContainText(words('link.held.always'));
  expect(thrown).toEqual([]);
});

test('G2.02 every hand-off is held by the run control, before a run and during it, and the run asks', { tag: '@rest' }, async ({
  page,
}) => {
  const { workspace, thrown } = await review(page);
  const all = page.getByTestId('hold-switch');
  const settings = page.getByTestId('run-settings');
  await settings.click();
  await expect(all).toHaveAttribute('aria-pressed', 'false');
  await all.click();
  await expect(all).toHaveAttribute('aria-pressed', 'true');
  await page.reload();
  await workspace.opened();
  await expect(settings).toContainText(ofSettings('heldWord'));
  await workspace.write('Напиши стихи');
  await workspace.send();
  await expect(page.getByTestId('run-asks')).toBeVisible({ timeout: 20_000 });
  await settings.click();
  await all.click();
  await expect(all).toHaveAttribute('aria-pressed', 'false');
  await all.click();
  await expect(all).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('Escape');
  await page.locator('[data-link-id="conn-reviewer-editor"]').focus();
  await page.keyboard.press('h');
  await expect(badge(page, 'reviewer-editor')).toContainText(words('link.held.always'));
  await page.reload();
  await workspace.opened();
  await expect(settings).toContainText(ofSettings('heldWord'));
  expect(thrown).toEqual([]);
});

test('G1.01 the switch lets branches run together, is kept with the project, and the pipeline of a run gets the links', {
  tag: '@rest-nightly',
}, async ({ page }) => {
  const { workspace } = await review(page);
  await openSettings(page, 'reviewer-writer');
  await page.getByLabel(ofLinks('loop')).check();
  await page.getByRole('button', { name: words('words:save') }).click();
  await workspace.saved();
  const together = page.getByTestId('parallel-switch');
  const settings = page.getByTestId('run-settings');
  await expect(settings).toContainText(ofSettings('inTurnWord'));
  await settings.click();
  await expect(together).toHaveText(ofSettings('inTurn'));
  await together.click();
  await page.getByRole('menuitem', { name: ofSettings('atOnce_few', { count: 4 }), exact: true }).click();
  await expect(together).toHaveText(ofSettings('together', { limit: 4 }));
  await page.reload();
  await workspace.opened();
  await expect(settings).toContainText(ofSettings('togetherWord'));
  const made = page.waitForResponse((answer) => answer.request().method() === 'POST' && answer.url().endsWith('/api/Pipeline'));
  await workspace.write('Напиши стихи');
  await page
    .getByRole('button', { name: words('common:send') })
    .first()
    .click();
  const pipeline = (await (await made).json()) as Pipeline;
  expect(pipeline.maxParallel).toBe(4);
  expect(pipeline.links?.map(({ from, to, maxRounds }) => [from, to, maxRounds])).toEqual(
    expect.arrayContaining([
      ['writer', 'reviewer', undefined],
      ['reviewer', 'writer', 3],
      ['reviewer', 'editor', undefined],
    ]),
  );
});

test('G1.01 a flow with branches, placed on a canvas without agents, lets branches run together', async ({ page }) => {
  await withCanvas(page, server.url, () => [dialog('task', 'Задача', 900)], []);
  await page
    .getByTestId('sidebar')
    .getByRole('button', { name: translate('ru', 'workspace', 'flow.parallelResearch') })
    .click();
  await expect(page.getByTestId('run-settings')).toContainText(ofSettings('togetherWord'));
});

test('C4.02 a link that leads back follows failing tests, with a label for runs without them', { tag: '@rest-nightly' }, async ({
  page,
}) => {
  const { workspace } = await review(page);
  await openSettings(page, 'reviewer-writer');
  await page.getByLabel(ofLinks('taken')).click();
  await page.getByRole('option', { name: ofLinks('when.test') }).click();
  await page.getByLabel(ofLinks('test'), { exact: true }).click();
  await page.getByRole('option', { name: words('link.is.testsFail') }).click();
  await expect(page.getByLabel(ofLinks('words:value'), { exact: true })).toHaveCount(0);
  await page.getByLabel(ofLinks('loop')).check();
  await page.getByRole('button', { name: words('words:save') }).click();
  await expect(badge(page, 'reviewer-writer')).toContainText(words('link.is.testsFail'));
  await workspace.saved();
  await badge(page, 'reviewer-writer').click();
  await page.getByLabel(ofLinks('testLabel')).fill('доработать');
  await page.getByRole('button', { name: words('words:save') }).click();
  await expect(badge(page, 'reviewer-writer')).toContainText('доработать');
  await expect(badge(page, 'reviewer-writer')).toHaveAccessibleName(new RegExp(words('link.is.testsFail')));
});
