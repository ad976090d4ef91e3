import { expect } from 'playwright/test';
import { setUpSharedServer, test } from '../../support/browser/browser-test.ts';
import { translate, translator } from '../../support/browser/translate.ts';
import { dialog, withCanvas } from '../../support/browser/with-canvas.ts';

const server = setUpSharedServer();

const words = translator('ru', 'rerun');
const shots = process.env.ARTEL_SHOTS;

test('G5.08 G5.10 a run runs again from a card, with a preview, an edited result, other models, and a comparison', {
  tag: '@rest',
}, async ({ page }) => {
  test.setTimeout(120_000);
  const { workspace, thrown } = await withCanvas(
    page,
    server.url,
    (agent) => [
      dialog('task', 'Задача', 200),
      agent(0, 'writer', 200),
      { ...agent(1, 'reviewer', 200), x: 720 },
      { ...agent(2, 'editor', 200), x: 1_080 },
    ],
    [
      ['task', 'writer'],
      ['writer', 'reviewer'],
      ['reviewer', 'editor'],
    ],
  );
  const shoot = async (name: string) => shots && page.screenshot({ path: `${shots}/${name}.png` });
  const openMenu = async (node: string) => {
    await page.locator(`[data-testid="canvas-outline"] [data-node-id="${node}"]`).focus();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: words('words:runAgain'), exact: true }).press('Enter');
  };
  const bar = page.getByTestId('rerun');
  // The camera, which keeps clear of panels, goes back at once: a moving one would close the next menu.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await workspace.write('Напиши тост');
  await workspace.send();
  await workspace.runEnds('finished');

  await openMenu('reviewer');
  await page.getByRole('menuitem', { name: words('fromHere') }).click();
  await expect(page.getByTestId('rerun-summary')).toContainText(words('summary.again_few', { count: 2 }));
  await expect(page.getByTestId('rerun-summary')).toContainText(words('summary.kept_one', { count: 1 }));
  await shoot('preview');
  await expect(bar).toBeFocused();
  // The canvas as it is now is stored for the preview; it is the same.
  await bar.getByText(words('graph.now')).click();
  await expect(page.getByTestId('rerun-summary')).toContainText(words('summary.again_few', { count: 2 }));
  await page.keyboard.press('Escape');
  await expect(bar).toHaveCount(0);

  await openMenu('writer');
  await page.getByRole('menuitem', { name: words('editHere') }).click();
  await bar.getByLabel(words('words:result'), { exact: true }).fill('Короткий тост');
  await shoot('edit');
  await bar.getByRole('button', { name: words('start') }).click();
  await expect(bar).toHaveCount(0);
  await workspace.runEnds('finished');

  await workspace.openHistory();
  const fork = workspace.historyItems().filter({ hasText: words('forkOf') });
  await expect(fork).toHaveAttribute('data-depth', '1');
  await expect(fork).toContainText(translate('ru', 'workspace', 'history.status.completed'));
  await fork.getByRole('button').first().click();
  // A run of the history runs again with what has changed, or from any of its steps.
  await fork.getByRole('button', { name: words('words:runAgain'), exact: true }).click();
  await bar.getByLabel(words('beginWith')).click();
  await page.getByRole('option').nth(3).click();
  await expect(page.getByTestId('rerun-summary')).toContainText(words('summary.again_one', { count: 1 }));
  await expect(page.getByTestId('rerun-summary')).toContainText(words('summary.kept_few', { count: 2 }));
  await bar.getByRole('button', { name: words('common:cancel') }).click();
  await fork.getByRole('button', { name: words('compareWith') }).click();
  await workspace
    .historyItems()
    .getByRole('button', { name: words('compareThis') })
    .click();
  const panel = page.getByTestId('compare');
  await expect(panel.getByTestId('compared-step')).toHaveCount(3);
  await panel.getByText(words('words')).first().click();
  await expect(panel.getByTestId('words').locator('ins').first()).toBeVisible();
  await shoot('compare');
  await panel.getByRole('button', { name: words('common:close') }).click();

  await openMenu('reviewer');
  await page.getByRole('menuitem', { name: words('tryHere') }).click();
  for (const at of [0, 1]) await bar.getByRole('checkbox').nth(at).check();
  await shoot('try');
  await bar.getByRole('button', { name: words('startTry') }).click();
  const tried = panel.getByTestId('tried-run');
  await expect(tried).toHaveCount(2);
  await expect(tried.first().getByRole('button', { name: words('choose') })).toBeEnabled({ timeout: 30_000 });
  await shoot('tried');
  // The runs wait for a choice: a page that was reloaded offers it again, and one without a choice stops them.
  await page.reload();
  await workspace.opened();
  await expect(tried).toHaveCount(2);
  await tried
    .first()
    .getByRole('button', { name: words('choose') })
    .click();
  await expect(panel).toHaveCount(0);
  expect(thrown).toEqual([]);
});

test('G5.07 G5.08 an edit that chooses another branch previews that branch; a step behind a skipped branch is tried, with a result in each column', {
  tag: '@rest-nightly',
}, async ({ page }) => {
  test.setTimeout(120_000);
  const never = 'Ни один ответ этого не содержит';
  const shoot = async (name: string) => shots && page.screenshot({ path: `${shots}/${name}.png` });
  const { workspace, thrown, agents } = await withCanvas(
    page,
    server.url,
    (agent) => [
      dialog('task', 'Задача', 200),
      agent(0, 'writer', 200),
      { ...agent(1, 'refuser', 40), x: 720 },
      { ...agent(2, 'reviewer', 360), x: 720 },
    ],
    [
      ['task', 'writer'],
      ['writer', 'refuser', { test: { is: 'contains', value: never } }],
      ['writer', 'reviewer'],
    ],
  );
  // The camera, which keeps clear of panels, goes back at once: a moving one would close the next menu.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await workspace.write('Напиши тост');
  await workspace.send();
  await workspace.runEnds('finished');
  const openMenu = async (node: string) => {
    await page.locator(`[data-testid="canvas-outline"] [data-node-id="${node}"]`).focus();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: words('words:runAgain'), exact: true }).press('Enter');
  };
  const bar = page.getByTestId('rerun');
  const summary = page.getByTestId('rerun-summary');
  await openMenu('writer');
  await page.getByRole('menuitem', { name: words('editHere') }).click();
  await bar.getByText(words('words:steps'), { exact: true }).click();
  const step = (at: number) => bar.getByRole('listitem').filter({ hasText: agents[at]?.title ?? '' });
  await expect(step(2)).toHaveAttribute('data-tint', 'again');
  await expect(step(1)).toHaveAttribute('data-tint', 'kept');
  await bar.getByLabel(words('words:result'), { exact: true }).fill(`Теперь иначе. ${never}.`);
  await expect(step(1)).toHaveAttribute('data-tint', 'again');
  await expect(step(2)).toHaveAttribute('data-tint', 'kept');
  await expect(summary).toContainText(words('unknownTokens'));
  await shoot('edit-branch');
  await bar.getByRole('button', { name: words('common:cancel') }).click();

  await openMenu('reviewer');
  await page.getByRole('menuitem', { name: words('tryHere') }).click();
  for (const at of [0, 1]) await bar.getByRole('checkbox').nth(at).check();
  await expect(summary).toContainText(words('summary.tried_few', { count: 2 }));
  await shoot('try-two');
  await bar.getByRole('button', { name: words('startTry') }).click();
  const tried = page.getByTestId('tried-run');
  for (const at of [0, 1]) {
    const column = tried.nth(at);
    await expect(column.getByRole('button', { name: words('choose') })).toBeEnabled({ timeout: 30_000 });
    await expect(column).not.toContainText(words('noResult'));
    await expect(column.getByTestId('tried-result')).toHaveText(/\S/);
  }
  await page.getByRole('button', { name: words('stopAll'), exact: true }).click();
  await expect(page.getByTestId('compare')).toHaveCount(0);
  expect(thrown).toEqual([]);
});

test('D4.27 a card runs alone on a task where no run has results, and with the last results afterwards', { tag: '@rest-nightly' }, async ({
  page,
}) => {
  test.setTimeout(90_000);
  const { workspace, thrown } = await withCanvas(
    page,
    server.url,
    (agent) => [agent(0, 'writer', 200), { ...agent(1, 'reviewer', 200), x: 720 }],
    [['writer', 'reviewer']],
  );
  const runCard = async () => {
    await page.locator('[data-testid="canvas-outline"] [data-node-id="writer"]').focus();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: translate('ru', 'actions', 'name.runCard') }).click();
  };
  await runCard();
  const question = page.getByRole('dialog', { name: translate('ru', 'workspace', 'task.title') });
  await question.getByRole('textbox').fill('Напиши тост');
  await question.getByRole('button', { name: translate('ru', 'words', 'start') }).click();
  await workspace.runEnds('finished');
  const states = async () => (await workspace.readCards()).map(({ id, state }) => [id, state]);
  expect(await states()).toContainEqual(['writer', 'done']);
  await runCard();
  await workspace.openHistory();
  await expect(workspace.historyItems()).toHaveCount(2);
  await workspace.runEnds('finished');
  // The first run began with the card alone, and so does its repetition: the other card is no part of either.
  expect(await states()).toEqual([
    ['writer', 'done'],
    ['reviewer', 'idle'],
  ]);
  expect(thrown).toEqual([]);
});
