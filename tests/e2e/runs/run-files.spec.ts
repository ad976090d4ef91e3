import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { expect, type Locator, type Page } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { faults } from '../../support/browser/faults.ts';
import { translate, translator } from '../../support/browser/translate.ts';
import { dialog, withCanvas } from '../../support/browser/with-canvas.ts';
import { type GitServer, startGitServer } from '../../support/services/git-server.ts';
import { type ModelServer, startModelServer } from '../../support/services/model-server.ts';
import { sampleDocx } from '../../support/services/sample-documents.ts';
import { samplePdf } from '../../support/services/sample-pdf.ts';
import { startServer, type TestServer } from '../../support/start-server.ts';

let server: TestServer;
let model: ModelServer;
let git: GitServer;
test.beforeAll(async () => {
  [model, git] = await Promise.all([startModelServer(), startGitServer()]);
  server = await startServer({ env: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'sk-test', ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on' } });
});
test.afterAll(async () => {
  await server.stop();
  await model.close();
  await git.close();
});

const words = translator('ru', 'inputs');

/** Drags files over the page and drops them on a card, as a file manager does. */
async function drop(page: Page, target: Locator, files: Record<string, string>): Promise<void> {
  const dragged = await page.evaluateHandle((contents) => {
    const transfer = new DataTransfer();
    for (const [name, text] of Object.entries(contents)) transfer.items.add(new File([text], name));
    return transfer;
  }, files);
  await page.locator('body').dispatchEvent('dragover', { dataTransfer: dragged });
  await target.getByTestId('drop-files').dispatchEvent('drop', { dataTransfer: dragged });
}

test('G3.17 G3.19 G3.21 G3.22 G3.25 C7.05 files and a repository of a dialog are listed, kept over a reload, read by the agents of the run, published and continued', {
  tag: '@rest',
}, async ({ page }) => {
  model.answer({ kind: 'text', text: 'Готово.\n\n```txt path=notes.txt\nНовая строка\n```\n' });
  await withCanvas(page, server.url, (card) => [dialog('d', 'Магазин', 0), card(0, 'a', 0)], [['d', 'a']]);
  const form = page.locator('[data-dialog-id="d"]');
  const files = form.getByTestId('dialog-files');
  await expect(form.getByTestId('add-files')).toBeVisible();

  await drop(page, form, { 'notes.txt': 'Старая строка\n', 'price.csv': 'a;1\n' });
  await expect(files).toContainText('notes.txt');
  await expect(files).toContainText('price.csv');
  await form.getByTestId('files-of-d').setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('ffd8ffe0', 'hex') });
  await expect(files.getByRole('alert').filter({ hasText: 'Такой вид изображений не поддерживается' })).toBeVisible();
  await files.getByRole('button', { name: words('dismiss', { name: 'photo.jpg' }) }).click();

  await page.reload();
  await expect(files).toContainText('price.csv');
  await files.getByRole('button', { name: words('words:removeNamed', { name: 'price.csv' }) }).click();
  await expect(files).not.toContainText('price.csv');
  await expect(files).toContainText('notes.txt');

  await git.git('shop', 'status');
  await writeFile(join(git.folderOf('shop'), 'shop.txt'), 'Магазин\n');
  await git.git('shop', 'add', '.');
  await git.git('shop', 'commit', '-qm', 'Begin');
  await git.publish('shop');
  for (const name of ['nothing', 'shop']) {
    await form.getByTestId('add-files').click();
    const address = page.getByRole('form', { name: words('git.title') });
    await address.getByLabel(words('git.address')).fill(git.urlOf(name));
    await address.getByRole('button', { name: words('git.add') }).click();
    await expect(address).toHaveCount(0);
  }
  await expect(files.getByRole('alert').filter({ hasText: 'Репозиторий не найден' })).toBeVisible();
  await expect(files).toContainText('shop.txt');
  await expect(files.getByTestId('dialog-git')).toContainText('shop, main');

  await form.locator('textarea').fill('Исправь файл');
  await form.getByRole('button', { name: translate('ru', 'common', 'send'), exact: true }).click();
  const call = await model.call(1);
  expect(call.body.messages.at(-1)?.content).toContain('## notes.txt\n\n```\nСтарая строка\n```');
  await expect(page.getByTestId('run-control').getByText(translate('ru', 'workspace', 'run.finished'), { exact: true })).toBeVisible();

  await expect(files).toContainText(words('sealed'));
  await expect(files.getByRole('button', { name: words('words:removeNamed', { name: 'notes.txt' }) })).toHaveCount(0);
  await page.keyboard.press('Control+j');
  await page.getByRole('tab', { name: translate('ru', 'console', 'tabs.files') }).click();
  await expect(page.getByTestId('file-changes')).toContainText(translate('ru', 'console', 'files.againstBase'));
  await expect(page.getByTestId('file-changes')).toContainText('Старая строка');
  await page.getByText(translate('ru', 'console', 'files.given'), { exact: true }).click();
  await expect(page.getByTestId('base-file')).toContainText('Старая строка');

  await page.getByText(translate('ru', 'console', 'files.changes'), { exact: true }).click();
  await page.getByRole('button', { name: translate('ru', 'console', 'pullRequest.open') }).click();
  const panel = page.getByTestId('publish');
  const publish = translator('ru', 'publishing');
  // The difference is first; the form comes when it is asked for.
  await expect(page.getByTestId('pull-request')).toBeVisible();
  await expect(panel).toHaveCount(0);
  await page.getByRole('button', { name: publish('publish'), exact: true }).click();
  await panel.getByLabel(publish('address')).fill('http://169.254.169.254/shop');
  await panel.getByLabel(publish('token')).fill('a-secret-token');
  await panel.getByRole('button', { name: publish('save') }).click();
  await expect(panel.getByText('Этот сервер не обращается по такому адресу.')).toBeVisible();
  await panel.getByLabel(publish('address')).fill(git.urlOf('shop'));
  await panel.getByRole('button', { name: publish('save') }).click();
  await expect(panel).toContainText('→ main');
  expect(await faults(page, '[role="dialog"]')).toEqual([]);
  await expect(panel.getByRole('group', { name: publish('unlisted') })).toContainText('notes.txt');
  await expect(panel.getByRole('button', { name: publish('publish'), exact: true })).toBeDisabled();
  await panel.getByRole('checkbox', { name: 'notes.txt' }).check();
  await panel.getByRole('button', { name: publish('publish'), exact: true }).click();
  await expect(panel.getByRole('button', { name: publish('again') })).toBeVisible();
  const branch = (await git.git('shop', 'ls-remote', git.urlOf('shop'), 'refs/heads/artel/*')).split('refs/heads/')[1] ?? '';
  expect(branch).toMatch(/^artel\/исправь-файл-/);
  await expect(panel).toContainText(branch);
  await expect(page.getByText('Ничего никуда не отправлено', { exact: false })).toHaveCount(0);
  await git.git('shop', 'fetch', '-q', git.urlOf('shop'), branch);
  expect(await git.git('shop', 'show', 'FETCH_HEAD:notes.txt')).toBe('Новая строка');
  // A stranger's commit on the branch is named, and stays.
  await git.git('shop', 'checkout', '-q', 'FETCH_HEAD');
  await git.git('shop', 'commit', '-q', '--allow-empty', '-m', 'Mine');
  await git.git('shop', 'push', '-q', git.urlOf('shop'), `HEAD:refs/heads/${branch}`);
  await panel.getByRole('button', { name: publish('again') }).click();
  await expect(panel.getByText('В ветке есть коммиты не из этого запуска', { exact: false })).toBeVisible();
  const bundle = page.waitForEvent('download');
  await page.getByRole('button', { name: translate('ru', 'console', 'pullRequest.bundle') }).click();
  expect((await bundle).suggestedFilename()).toMatch(/\.bundle$/);

  await panel.getByRole('button', { name: publish('followUp') }).click();
  const next = page.getByRole('dialog', { name: publish('followUpTitle', { branch }) });
  await expect(next.getByText(publish('noComments'))).toBeVisible();
  expect(await faults(page, '[role="dialog"]')).toEqual([]);
  model.answer({ kind: 'text', text: 'Ничего менять не нужно.' });
  await next.getByLabel(publish('words:task')).fill('Добавь цену');
  await next.getByRole('button', { name: publish('words:start') }).press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // Of a repository the prompt shows names and sizes: this one is that of the published text.
  expect((await model.call(2)).body.messages.at(-1)?.content).toContain('notes.txt (24)');
  await expect(page.getByTestId('run-control').getByText(translate('ru', 'workspace', 'run.finished'), { exact: true })).toBeVisible();
  await page.keyboard.press('Alt+h');
  await expect(page.getByTestId('history-item').first()).toContainText(translate('ru', 'rerun', 'followUpOf'));
});

test('G8.41 G8.44 the list of files says in which encoding a text was read, and what could not be', { tag: '@rest-nightly' }, async ({
  page,
}) => {
  await withCanvas(page, server.url, (card) => [dialog('d', 'Цены', 0), card(0, 'a', 0)], [['d', 'a']]);
  const form = page.locator('[data-dialog-id="d"]');
  const files = form.getByTestId('dialog-files');
  const log = Buffer.concat([Buffer.from('строка журнала\nплохой '), Buffer.from('ff', 'hex'), Buffer.from(' байт\n')]);
  await form.getByTestId('files-of-d').setInputFiles([
    { name: 'price.csv', mimeType: 'text/csv', buffer: iconv.encode('Товар;Цена\nЁлка;1 250,50\n', 'Windows-1251') },
    { name: 'app.log', mimeType: 'text/plain', buffer: log },
    { name: 'letter.docx', mimeType: 'application/octet-stream', buffer: Buffer.from(sampleDocx('Договор')) },
    { name: 'scan.pdf', mimeType: 'application/pdf', buffer: samplePdf('') },
  ]);
  const row = (name: string) => files.getByRole('listitem').filter({ hasText: name });
  await expect(row('price.csv').getByTestId('read-as')).toHaveText(words('readAs', { encoding: 'Windows-1251' }));
  const said = `${words('readAs', { encoding: 'UTF-8' })}; 1 байт не читается и показан как \ufffd`;
  await expect(row('app.log').getByTestId('read-as')).toHaveText(said);
  await expect(row('letter.docx')).toBeVisible();
  await expect(row('letter.docx').getByTestId('read-as')).toHaveCount(0);
  await expect(row('scan.pdf').getByRole('alert')).toContainText('В PDF нет текста');
});

test('G3.17 a dropped folder gives what can be read of it, and the rest is named', async ({ page }) => {
  const { thrown } = await withCanvas(page, server.url, (card) => [dialog('d', 'Магазин', 0), card(0, 'a', 0)], [['d', 'a']]);
  const form = page.locator('[data-dialog-id="d"]');
  await expect(form.getByTestId('add-files')).toBeVisible();
  // A script cannot put a folder into what is dragged.
  await page.evaluate(() => {
    const file = (name: string, isReadable: boolean) => ({
      ...{ name, isDirectory: false, isFile: true },
      file: (give: (file: File) => void, refuse: (why: Error) => void) =>
        isReadable ? give(new File(['text'], name)) : refuse(new DOMException('', 'NotReadableError')),
    });
    const parts = [[file('a.ts', true), file('b.ts', false), file('c.ts', true)], []];
    const readEntries = (give: (part: object[]) => void) => give(parts.shift() ?? []);
    const folder = { name: 'shop', isDirectory: true, isFile: false, createReader: () => ({ readEntries }) };
    DataTransferItem.prototype.webkitGetAsEntry = () => folder as unknown as FileSystemEntry;
  });
  await drop(page, form, { shop: '' });
  const files = form.getByTestId('dialog-files');
  await expect(files).toContainText('shop/a.ts');
  await expect(files).toContainText('shop/c.ts');
  await expect(files.locator('[data-refused]')).toContainText(['shop/b.ts']);
  await expect(files.getByRole('alert')).toHaveText(translate('ru', 'errors', 'dialog.fileUnreadable'));
  expect(thrown).toEqual([]);
});

test('G3.02 files name before a run the agents that call no tools, and the console says so, and when a provider refuses tools', async ({
  page,
}) => {
  model.answer(({ body }) =>
    body.tools ? { kind: 'status', status: 400, message: 'This model does not support tools' } : { kind: 'text', text: 'Готово.' },
  );
  const { agents, workspace } = await withCanvas(
    page,
    server.url,
    (card) => [dialog('d', 'Магазин', 0), card(0, 'a', 0), card(1, 'b', 300)],
    [
      ['d', 'a'],
      ['a', 'b'],
    ],
  );
  const token = await page.evaluate(() => localStorage.getItem('accessToken'));
  const configure = async (data: object) => {
    const headers = { Authorization: `Bearer ${token}` };
    const set = await page.request.post(`${server.url}/api/nuroagent/api-configuration`, { data, headers });
    expect(set.ok()).toBe(true);
  };
  await configure({ agentId: agents[0]?.id, providerType: 'openai', model: 'o1-mini', mayGoWithoutTools: true });
  await configure({ agentId: agents[1]?.id, mayGoWithoutTools: true });
  await page.reload();
  const form = page.locator('[data-dialog-id="d"]');
  await expect(form.getByTestId('add-files')).toBeVisible();
  await expect(form.getByTestId('without-tools')).toHaveCount(0);
  await drop(page, form, { 'notes.txt': 'Строка\n' });
  await expect(form.getByTestId('dialog-files')).toContainText('1 файл, ');
  const warning = translate('ru', 'errors', 'agent.noTools', { name: agents[0]?.title ?? '', model: 'o1-mini' });
  await expect(form.getByTestId('without-tools').getByRole('listitem')).toHaveText([warning]);
  await workspace.write('Исправь файл');
  await workspace.send();
  await workspace.runEnds('finished');
  await workspace.openConsole();
  const told = page.getByTestId('console');
  await expect(told).toContainText(warning);
  await expect(told).toContainText(translate('ru', 'errors', 'tools.refused', { agent: agents[1]?.title ?? '' }));
});
