import { expect } from 'playwright/test';
import { test } from '../support/browser/browser-test.ts';
import { enterWorkspace } from '../support/browser/enter-workspace.ts';
import { faults, faultsInBothThemes } from '../support/browser/faults.ts';
import { Projects } from '../support/browser/projects.ts';
import { translate, translator } from '../support/browser/translate.ts';
import { dialog, withCanvas } from '../support/browser/with-canvas.ts';
import { WorkspacePage } from '../support/browser/workspace-page.ts';
import { type ModelServer, startModelServer } from '../support/services/model-server.ts';
import { startServer, type TestServer } from '../support/start-server.ts';

const words = translator('ru', 'projects');
const first = translate('ru', 'content/seed', 'project.name');

let server: TestServer;
let model: ModelServer;
test.beforeAll(async () => {
  model = await startModelServer();
  server = await startServer({ env: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'sk-test' } });
});
test.afterAll(async () => {
  await server.stop();
  await model.close();
});

test('W2.01 W7.01 W3.08 R31.01 projects are created, switched without data loss, renamed, archived and deleted, while a run continues', {
  tag: '@rest',
}, async ({ page }) => {
  await enterWorkspace(page, server.url);
  const workspace = await new WorkspacePage(page).opened();
  const projects = new Projects(page);
  const dialog = page.getByRole('dialog');
  expect(page.url()).not.toContain('projectId');
  await expect(projects.heading).toHaveText(first);
  await projects.open();
  await expect(projects.panel.getByRole('definition').first()).toContainText('6');
  await projects.panel.getByRole('button', { name: words('new') }).click();
  await dialog.getByRole('button', { name: words('form.create') }).click();
  await expect(dialog.getByRole('alert')).toHaveText(words('form.nameRequired'));
  await dialog.getByLabel(words('words:name'), { exact: true }).fill('Магазин «Полка»');
  expect(await faults(page, '[role="dialog"]')).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(projects.heading).toHaveText('Магазин «Полка»');
  await expect(page).toHaveURL(/projectId=/);
  await expect(workspace.cards()).toHaveCount(0);

  // An edit, and directly after it a switch to another project, by the keyboard alone.
  await workspace.openSection('beginnings');
  await page
    .getByTestId('sidebar')
    .getByRole('button', { name: translate('ru', 'workspace', 'trigger.start') })
    .click();
  await expect(workspace.cards()).toHaveCount(1);
  await page.keyboard.press('Alt+O');
  await expect(projects.panel.getByLabel(words('search'))).toBeFocused();
  await page.keyboard.type('первый');
  await expect(projects.row(first)).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(projects.heading).toHaveText(first);
  await workspace.opened();
  // The run lasts until it was looked at from another project.
  model.answer({ kind: 'hang' });
  await workspace.write('Собери отчёт');
  await workspace.send();
  await model.call(1);
  await projects.switchTo('Магазин «Полка»');
  await expect(workspace.cards()).toHaveCount(1);

  await projects.open();
  await expect(projects.row(first)).toContainText(words('running'));
  await projects.choose(first, 'remove');
  await expect(dialog.getByRole('alert')).toHaveText(words('removal.running'));
  await expect(dialog.getByRole('button', { name: words('removal.action') })).toBeDisabled();
  await page.keyboard.press('Escape');
  await projects.open();
  expect(await faultsInBothThemes(page, '[data-testid="projects"]')).toEqual([]);
  await page.keyboard.press('Escape');
  model.answer({ kind: 'text', text: 'Готово.' });
  model.release('Готово.');
  await projects.switchTo(first);
  await workspace.runEnds('finished');
  await projects.open();
  await expect(projects.panel.getByRole('definition').nth(1)).toContainText(words('figures.runsOf', { successful: 1, failed: 0 }));
  await page.keyboard.press('Escape');
  await expect(projects.panel).toHaveCount(0);
  const settings = translate('ru', 'workspace', 'sidebar.settings', { title: 'Ассистент' });
  await page.getByTestId('sidebar').getByRole('button', { name: settings }).click();
  await expect(dialog).toContainText(translate('ru', 'connections', 'agent.figures.loadOf', { current: 0, most: 20, percent: 0 }));
  await expect(dialog).toContainText(translate('ru', 'connections', 'agent.figures.free'));
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);

  await projects.open();
  await projects.choose('Магазин «Полка»', 'rename');
  await dialog.getByLabel(words('words:name'), { exact: true }).fill('Полка');
  await dialog.getByRole('button', { name: words('words:save') }).click();
  await expect(dialog).toHaveCount(0);
  await projects.open();
  await projects.choose('Полка', 'archive');
  await expect(projects.row('Полка')).toHaveCount(0);
  await projects.panel.getByRole('button', { name: words('archived') }).click();
  await projects.choose('Полка', 'restore');
  await expect(projects.panel.getByRole('button', { name: words('archived') })).toHaveCount(0);
  await projects.choose(first, 'remove');
  await expect(dialog.getByRole('listitem')).toHaveCount(4);
  await expect(dialog).toContainText('холст с 6 агентами');
  expect(await faults(page, '[role="dialog"]')).toEqual([]);
  await dialog.getByRole('button', { name: words('removal.action') }).click();
  await expect(projects.heading).toHaveText('Полка');
  await expect(workspace.cards()).toHaveCount(1);
  await projects.open();
  await projects.choose('Полка', 'remove');
  await expect(dialog.getByRole('alert')).toHaveText(words('removal.last'));
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await page
    .getByTestId('project-bar')
    .getByRole('link', { name: translate('ru', 'workspace', 'homePage') })
    .click();
  await expect(page).toHaveURL(/^[^?]*\/(\?lang=ru)?$/);
});

test('R31.01 W7.01 the next project keeps the name of its tab, and so its own unsent edits, though the last save of the project before takes seconds', {
  tag: '@rest-nightly',
}, async ({ page }) => {
  await enterWorkspace(page, server.url);
  const workspace = await new WorkspacePage(page).opened();
  const projects = new Projects(page);
  await projects.make('Second');
  await workspace.saved();
  await projects.switchTo(first);
  await workspace.opened();
  await workspace.saved();
  const name = await page.evaluate(() => sessionStorage.getItem('tabId'));
  await page.context().route('**/api/project/*/canvas', async (route) => {
    if (route.request().method() === 'PATCH') await new Promise((resolve) => setTimeout(resolve, 2_500));
    await route.continue();
  });
  await workspace.removeCard('Тимлид');
  await projects.switchTo('Second');
  await workspace.saved();
  expect(await page.evaluate(() => sessionStorage.getItem('tabId'))).toBe(name);
  const held = await page.evaluate(async () => (await navigator.locks.query()).held?.map((lock) => lock.name ?? '') ?? []);
  expect(held.filter((lock) => lock.endsWith(name ?? '?'))).toHaveLength(1);
  await projects.switchTo(first);
  await workspace.opened();
  await expect(workspace.card('Тимлид')).toHaveCount(0);
});

test('R31.01 R08.01 when another tab deletes a project the page says so and keeps its canvas, and an unknown address offers the user’s projects', {
  tag: '@rest-nightly',
}, async ({ page, context }) => {
  await enterWorkspace(page, server.url);
  const workspace = await new WorkspacePage(page).opened();
  const projects = new Projects(page);
  const cards = await workspace.cards().count();
  const other = await context.newPage();
  const elsewhere = new Projects(other);
  await other.goto(`${server.url}/test-project`);
  await new WorkspacePage(other).opened();
  await elsewhere.make('Второй');
  await elsewhere.open();
  await elsewhere.choose(first, 'rename');
  await other.getByLabel(words('words:name'), { exact: true }).fill('Первая лавка');
  await other.getByRole('button', { name: words('words:save') }).click();
  await expect(projects.heading).toHaveText('Первая лавка');
  await elsewhere.open();
  await elsewhere.choose('Первая лавка', 'remove');
  await other.getByRole('button', { name: words('removal.action') }).click();

  const failure = page.getByTestId('workspace-failure');
  await expect(failure).toContainText(translate('ru', 'workspace', 'failure.goneTitle'));
  await expect(projects.row('Второй')).toHaveCount(1);
  expect(await faults(page, '[data-testid="workspace-failure"]')).toEqual([]);
  await failure.getByRole('button', { name: words('gone.keep') }).click();
  await expect(projects.heading).toHaveText(words('gone.keptName', { name: 'Первая лавка' }));
  await expect(workspace.cards()).toHaveCount(cards);

  await page.goto(`${server.url}/test-project?projectId=019e5f4d-0000-7000-8000-00000000dead`);
  await expect(failure).toContainText(translate('ru', 'workspace', 'failure.unknownTitle'));
  await expect(workspace.banners().filter({ hasText: 'API' })).toBeVisible();
  await projects.row('Второй').locator('[data-project]').click();
  await expect(projects.heading).toHaveText('Второй');
});

test('W2.12 W8.01 a message that is refused after a switch of projects is reported in the other project', { tag: '@rest-nightly' }, async ({
  page,
}) => {
  const { workspace, thrown } = await withCanvas(page, server.url, (card) => [dialog('d', 'Полка', 0), card(0, 'a', 0)], [['d', 'a']]);
  const projects = new Projects(page);
  await projects.make('Пекарня');
  await projects.switchTo(first);
  const { promise: sent, resolve: called } = Promise.withResolvers<() => Promise<void>>();
  await page
    .context()
    .route('**/api/Pipeline', (route) =>
      called(() => route.fulfill({ status: 403, json: { code: 'forbidden', message: '' } }).catch(() => {})),
    );
  await workspace.write('Построй магазин');
  await workspace.send();
  const refuse = await sent;
  await projects.switchTo('Пекарня');
  await refuse();
  await expect(workspace.banners().filter({ hasText: 'Полка' })).toHaveCount(1);
  expect(thrown).toEqual([]);
});
