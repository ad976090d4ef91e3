import { readFile } from 'node:fs/promises';
import { strFromU8, unzipSync } from 'fflate';
import { expect, type Page } from 'playwright/test';
import { test } from '../support/browser/browser-test.ts';
import { enterWorkspace } from '../support/browser/enter-workspace.ts';
import { faultsInBothThemes } from '../support/browser/faults.ts';
import { translate, translator } from '../support/browser/translate.ts';
import { WorkspacePage } from '../support/browser/workspace-page.ts';
import { type ModelServer, startModelServer } from '../support/services/model-server.ts';
import { startServer, type TestServer } from '../support/start-server.ts';

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

const labels = translator('ru', 'console');
const block = (path: string, text: string) => `\`\`\`ts path=${path}\n${text}\n\`\`\``;

const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
const long = Array.from({ length: 6_000 }, (_, index) => `export const line${index + 1} = ${index + 1};`).join('\n');

/** The answers of the lead, the developer and the tester. */
const answers = [
  `Решение.\n\n${block('src/orders/orders.service.ts', 'export const limit = 10;\n// прежнее')}`,
  [
    'Готово.',
    block('src/orders/orders.service.ts', 'export const limit = 50;\n// прежнее'),
    block('src/orders/export.ts', 'export {};'),
    block('public/page.html', hostile),
    block('src/long.ts', long),
    block('../secret.ts', 'export {};'),
  ].join('\n\n'),
  '## Проверка\n\n| № | Шаги | Ожидание | Состояние |\n| --- | --- | --- | --- |\n| 1 | отправить | запись | пройдена |\n| 2 | повторить | одна запись | не выполнялся |\n\n## Замечания\n\n- Нет проверки типа.',
];

/** Signs up, leaves three agents on the canvas, sends a task and waits for the end of the run. */
async function runWithThree(page: Page): Promise<WorkspacePage> {
  model.calls.length = 0;
  model.answer(({ number }) => ({ kind: 'text', text: answers[number - 1] ?? '', thoughts: `Думаю, шаг ${number}.` }));
  await enterWorkspace(page, server.url);
  const workspace = await new WorkspacePage(page).opened();
  for (const title of ['Ассистент', 'Менеджер продукта', 'Менеджер проекта']) await workspace.removeCard(title);
  await workspace.saved();
  await workspace.write('Экспорт заказов');
  await workspace.send();
  await workspace.runEnds('finished');
  await workspace.openConsole();
  return workspace;
}

test('W2.13 R42.01 a person walks the files of a run by keyboard, reads, compares and downloads them; no file is executed', async ({
  page,
}) => {
  await runWithThree(page);
  await page.getByRole('tab', { name: labels('tabs.files') }).click();
  const tree = page.getByRole('tree', { name: labels('words:filesOfRun') });
  const line = (name: string) => tree.getByRole('treeitem', { name });
  await expect(tree.getByRole('treeitem')).toHaveCount(7);
  await expect(page.getByText(labels('files.refused_one', { count: 1 }))).toBeVisible();

  // The file with an earlier version is open already and shows its changes.
  const viewer = page.getByTestId('file-viewer');
  await expect(viewer).toContainText('orders.service.ts');
  await expect(page.getByTestId('file-text')).toContainText('export const limit = 50;');
  await expect(page.getByTestId('file-text').locator('[class*=_keyword]').first()).toHaveText('export');
  const changes = page.getByTestId('file-changes');
  await expect(changes).toContainText('Тимлид');
  await expect(changes).toContainText('export const limit = 10;');

  await tree.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowLeft');
  await expect(line('public')).toHaveAttribute('aria-expanded', 'false');
  await expect(tree.getByRole('treeitem')).toHaveCount(6);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(line('page.html')).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByTestId('file-text')).toContainText(hostile);
  await expect(viewer.locator('img')).toHaveCount(0);
  expect(await page.title()).not.toMatch(/^[12]$/);

  await page.keyboard.press('l');
  await page.keyboard.press('Enter');
  const text = page.getByTestId('file-text');
  await expect(text).toContainText('export const line1 = 1;');
  expect(await text.locator('.cm-line').count()).toBeLessThan(200);
  await text.evaluate((box) => box.scrollTo({ top: box.scrollHeight }));
  await expect(text).toContainText('export const line6000 = 6000;');
  // The text is read by the keyboard, selected whole, and never changed.
  const read = viewer.getByRole('textbox', { name: 'src/long.ts' });
  await read.press('Control+Home');
  await expect(text).toContainText('export const line1 = 1;');
  await read.press('x');
  await read.press('Control+a');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await read.press('Control+c');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(long);
  expect(await faultsInBothThemes(page, '[data-testid="files"]')).toEqual([]);

  await page.getByRole('textbox', { name: labels('files.search') }).fill('EXPORT.TS');
  await expect(tree.getByRole('treeitem')).toHaveCount(2);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: labels('files.archive'), exact: true }).click();
  const unpacked = unzipSync(new Uint8Array(await readFile(await (await download).path())));
  expect(Object.keys(unpacked)).toEqual(['public/page.html', 'src/long.ts', 'src/orders/export.ts', 'src/orders/orders.service.ts']);
  expect(strFromU8(unpacked['public/page.html'] as Uint8Array)).toBe(`${hostile}\n`);
  const patch = page.waitForEvent('download');
  await page.getByRole('button', { name: labels('pullRequest.open') }).click();
  const request = page.getByRole('dialog');
  await expect(request).toHaveAccessibleName('Экспорт заказов');
  await expect(request.getByTestId('pull-request')).toContainText('export const limit = 50;');
  await expect(request.locator('summary')).toHaveCount(4);
  await request.getByRole('button', { name: labels('pullRequest.patch') }).click();
  expect((await patch).suggestedFilename()).toMatch(/^artel-[0-9a-f]{12}\.patch$/);
  await page.keyboard.press('Escape');
  await expect(request).toHaveCount(0);

  await page.getByRole('tab', { name: labels('tabs.test') }).click();
  const tests = page.getByTestId('tests');
  await expect(tests).toContainText(labels('test.notExecuted'));
  await expect(page.getByTestId('test-counts').locator('dd')).toHaveText(['1', '0', '1']);
  await expect(tests.getByRole('row')).toHaveCount(3);
  await expect(tests).toContainText('Нет проверки типа.');
});

test('W2.03 W2.13 W2.14 W2.18 W5.09 W7.04 W7.09 W8.05 R46.01 the console pauses, searches, counts and clears the conversation, keeps thoughts, shows raw events and keeps the focus', {
  tag: '@rest-nightly',
}, async ({ page }) => {
  const workspace = await runWithThree(page);
  await expect(workspace.messages().last()).toContainText(translate('ru', 'errors', 'console.opened'));
  await page.getByRole('button', { name: labels('hold') }).click();
  const line = page.getByRole('combobox', { name: labels('line.label') });
  await line.fill('/help');
  await line.press('Enter');
  await page.getByRole('button', { name: labels('communication.held_few', { count: 2 }) }).click();
  await expect(workspace.messages().last()).toContainText(translate('ru', 'errors', 'console.help'));

  await workspace.readMessageOf('Тимлид');
  await workspace.openMessage.getByRole('button', { name: labels('details.showLink') }).click();
  const remove = translate('ru', 'canvas', 'hint.removeLinkOf', { from: 'Тимлид', to: 'Разработчик' });
  await expect(page.getByRole('button', { name: remove })).toBeVisible();

  await page.getByRole('tab', { name: labels('tabs.thinking') }).click();
  await expect(page.getByTestId('thought')).toHaveCount(3);
  await expect(page.getByTestId('thought').first()).toContainText('Думаю, шаг 1.');

  await page.getByRole('tab', { name: labels('tabs.live') }).click();
  await page.getByRole('radio', { name: labels('live.raw') }).click();
  const event = page.getByTestId('raw-events').getByRole('listitem').filter({ hasText: 'execution.completed' });
  await event.locator('summary').click();
  await expect(event.locator('pre')).toContainText('"status": "completed"');
  await page.getByRole('button', { name: labels('diagnostic.open') }).click();
  const found = page.getByTestId('diagnostic').locator('[data-check]');
  await expect(found.and(page.locator('[data-state="good"]'))).toHaveCount(5);
  await page.keyboard.press('Escape');

  await page.getByRole('tab', { name: labels('tabs.history') }).click();
  const items = page.getByTestId('history-item');
  await expect(items).toHaveCount(1);
  const problem = page.getByRole('alert').filter({ hasText: 'Не удалось загрузить историю чата' });
  await page.route('**/ProjectResultHistory/project/**', (route) => route.fulfill({ status: 500, body: '' }));
  await page
    .getByRole('button', { name: translate('ru', 'workspace', 'history.reload') })
    .last()
    .click();
  await expect(problem).toBeVisible();
  await expect(items).toHaveCount(1);
  await page.unroute('**/ProjectResultHistory/project/**');
  await problem.getByRole('button', { name: translate('ru', 'words', 'retry') }).click();
  await expect(problem).toHaveCount(0);

  const [known] = await page.evaluate(async () => {
    const headers = { authorization: `Bearer ${localStorage.getItem('accessToken')}` };
    return (await fetch('/api/ProjectResultHistory/project/default', { headers })).json();
  });
  const another = (number: number) => ({
    ...known,
    // No item of the server has such an id.
    id: `00000000${known.id.slice(8, -3)}${number}`,
    pipelineExecutionId: known.id,
    tags: `no-${number}`,
  });
  let held = Array.from({ length: 200 }, (_, number) => 100 + number);
  let searches = 0;
  let answers = Promise.resolve();
  await page.route('**/ProjectResultHistory/**', async (route) => {
    const { pathname, searchParams } = new URL(route.request().url());
    if (route.request().method() === 'DELETE') {
      held = held.filter((number) => !pathname.endsWith(`${number}`));
      return route.fulfill({ status: 204 });
    }
    await answers;
    const query = searchParams.get('q');
    if (query === null) return route.fulfill({ json: held.map(another) });
    searches += 1;
    const [found, total] = query === 'NO-777' ? [[777], 1] : [held, held.length + 300];
    return route.fulfill({ json: found.map(another), headers: { 'x-total-count': `${total}` } });
  });
  await page
    .getByRole('button', { name: translate('ru', 'workspace', 'history.reload') })
    .last()
    .click();
  await expect(page.getByText(translate('ru', 'workspace', 'history.shown', { found: 10, total: '200+' }))).toBeVisible();
  await page.getByRole('button', { name: translate('ru', 'workspace', 'history.searchToggle'), exact: true }).click();
  const search = page.getByRole('textbox', { name: translate('ru', 'workspace', 'history.search') });
  await expect(search).toBeFocused();
  await search.fill('NO-777');
  await expect(items).toHaveCount(1);
  await expect(page.getByText(translate('ru', 'workspace', 'history.foundCount', { count: 1 }))).toBeVisible();
  await search.fill('no-');
  await expect(page.getByText(translate('ru', 'workspace', 'history.foundCount', { count: 500 }))).toBeVisible();

  const searchesBefore = searches;
  const clear = page.getByRole('button', { name: translate('ru', 'workspace', 'history.clear'), exact: true });
  const question = page.getByRole('dialog');
  await clear.last().click();
  await question.getByRole('button', { name: translate('ru', 'workspace', 'history.clearYes'), exact: true }).click();
  // Two hundred items are removed one by one.
  await expect(items).toHaveCount(0, { timeout: 120_000 });
  expect(searches - searchesBefore).toBeLessThan(10);
  // The next character reopens the search and keeps the cursor.
  const answered = Promise.withResolvers<void>();
  held = [300];
  answers = answered.promise;
  await page.getByRole('button', { name: translate('ru', 'words', 'refresh'), exact: true }).click();
  await workspace.write('Ещё задача');
  answered.resolve();
  await expect(items).toHaveCount(1);
  await expect(search).toHaveValue('no-');
  await expect(workspace.messageBox).toBeFocused();
  await page.unroute('**/ProjectResultHistory/**');
  await page.getByRole('button', { name: translate('ru', 'workspace', 'history.searchToggle'), exact: true }).click();
  await page
    .getByRole('button', { name: translate('ru', 'workspace', 'history.reload') })
    .last()
    .click();
  await expect(items).toHaveCount(1);

  await workspace.ofRun('clear');
  await expect(clear).toHaveCount(1);
  await clear.click();
  await expect(question).toContainText(translate('ru', 'workspace', 'history.clearText'));
  await question.getByRole('button', { name: translate('ru', 'common', 'cancel') }).click();
  await expect(items).toHaveCount(1);
  await clear.first().click();
  await question.getByRole('button', { name: translate('ru', 'workspace', 'history.clearYes'), exact: true }).click();
  await expect(items).toHaveCount(0);
  await expect(clear).toHaveCount(0);
  const readAgain = page.waitForResponse('**/ProjectResultHistory/project/**');
  await page.getByRole('button', { name: translate('ru', 'words', 'refresh'), exact: true }).click();
  expect((await readAgain).status()).toBe(200);
});
