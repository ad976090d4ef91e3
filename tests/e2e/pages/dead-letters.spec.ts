import { expect, type Page } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { enterAs, enterWorkspace } from '../../support/browser/enter-workspace.ts';
import { faults, faultsInBothThemes } from '../../support/browser/faults.ts';
import { translate, translator } from '../../support/browser/translate.ts';
import { WorkspacePage } from '../../support/browser/workspace-page.ts';
import { exhaustAttempts } from '../../support/database/exhaust-attempts.ts';
import type { TestDatabase } from '../../support/open-test-database.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { startServerOnDatabase } from '../../support/server-on-database.ts';
import { type ModelServer, startModelServer } from '../../support/services/model-server.ts';
import type { TestServer } from '../../support/start-server.ts';

const words = translator('ru', 'dead-letters');

let models: ModelServer;
let database: TestDatabase;
let server: TestServer;
/** The first account, which is staff for requests from this machine. */
let chief: RunAccount;
test.beforeAll(async () => {
  models = await startModelServer();
  ({ database, server } = await startServerOnDatabase({ OPENAI_BASE_URL: models.url, ARTEL_CLIENT: 'on' }));
  chief = await signUp(server.url);
});
test.afterAll(async () => {
  await server?.stop();
  await Promise.all([database?.remove(), models?.close()]);
});

/** A run that has used all its attempts in its first step. */
async function failedRun(ann: RunAccount): Promise<string> {
  models.answer({ kind: 'hang' });
  const run = await ann.start(await ann.pipeline('assistant', 'qa'), 'Try me');
  await ann.until(run.id, ({ steps }) => steps[0]?.status === 'running');
  await exhaustAttempts(database.pool);
  await ann.until(run.id, ({ status }) => status === 'failed');
  return run.id;
}

/** Opens the list from the account menu. */
async function openList(page: Page): Promise<void> {
  await enterAs(page, server.url, chief);
  await new WorkspacePage(page).opened();
  await page.getByTestId('account-menu').click();
  await page.getByRole('menuitem', { name: translate('ru', 'workspace', 'bar.deadLetters') }).click();
  await expect(page).toHaveURL(/\/dead-letters$/);
}

test('R23.01 R13.01 staff sees work that failed every attempt, retries it and sees the outcome, and no other account can see it', {
  tag: '@rest-nightly',
}, async ({ page, browser }) => {
  await openList(page);
  await expect(page.getByText(words('empty.title'))).toBeVisible();
  const ann = await signUp(server.url);
  const [first, second, third] = [await failedRun(ann), await failedRun(ann), await failedRun(ann)];
  await page.reload();
  const rows = page.getByTestId('dead-letter');
  await expect(rows).toHaveCount(3);
  await expect(rows.first()).toContainText(third);
  await expect(rows.first()).toContainText(ann.email);
  expect(await faults(page)).toEqual([]);

  models.answer({ kind: 'text', text: 'Done' });
  const rowOf = (id: string) => rows.filter({ hasText: id });
  const retry = (id: string) => rowOf(id).getByRole('button', { name: new RegExp(`^${words('words:retry')}`) });
  await retry(first).click();
  await expect(page.getByRole('status').filter({ hasText: words('outcome.retried.execution') })).toBeVisible();
  await expect(rowOf(first)).toHaveCount(0);
  await ann.until(first, ({ status }) => status === 'completed');

  // Another member of staff has already handled it.
  await database.pool.query('DELETE FROM dead_letters WHERE job_id = (SELECT job_id FROM executions WHERE id = $1)', [second]);
  await retry(second).click();
  await expect(page.getByRole('alert')).toContainText(translate('ru', 'errors', 'not_found'));
  await expect(rowOf(second)).toHaveCount(0);

  await database.pool.query('DELETE FROM executions WHERE id = $1', [third]);
  await retry(third).click();
  await expect(page.getByRole('alert')).toContainText(translate('ru', 'errors', 'work_gone'));
  expect(await faults(page)).toEqual([]);
  await page.getByRole('button', { name: words('removeOf', { name: words('kind.execution') }) }).click();
  await expect(page.getByText(words('empty.title'))).toBeVisible();

  await failedRun(ann);
  await page.reload();
  await expect(rows).toHaveCount(1);
  for (const size of [
    { width: 390, height: 844 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(size);
    expect(await faultsInBothThemes(page)).toEqual([]);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(overflow).toBe(0);
  }

  const stranger = await (await browser.newContext({ locale: 'ru-RU' })).newPage();
  await enterWorkspace(stranger, server.url);
  await new WorkspacePage(stranger).opened();
  await stranger.getByTestId('account-menu').click();
  await expect(stranger.getByRole('menuitem', { name: translate('ru', 'workspace', 'bar.accountWindow') })).toBeVisible();
  await expect(stranger.getByRole('menuitem', { name: translate('ru', 'workspace', 'bar.deadLetters') })).toHaveCount(0);
  await stranger.goto(`${server.url}/dead-letters`);
  await expect(stranger).toHaveURL(/\/forbidden$/);
});
