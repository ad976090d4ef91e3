import { expect } from 'playwright/test';
import { afterFrames } from '../../support/browser/after-frames.ts';
import { test } from '../../support/browser/browser-test.ts';
import { enterWorkspace } from '../../support/browser/enter-workspace.ts';
import { translate } from '../../support/browser/translate.ts';
import { WorkspacePage } from '../../support/browser/workspace-page.ts';
import { type ModelServer, startModelServer } from '../../support/services/model-server.ts';
import { startServer, type TestServer } from '../../support/start-server.ts';

let server: TestServer;
let model: ModelServer;

test.beforeAll(async () => {
  model = await startModelServer();
  // The first agent works during the whole test.
  model.answer({ kind: 'hang' });
  server = await startServer({ env: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'sk-test' } });
});
test.afterAll(async () => {
  await server.stop();
  await model.close();
});

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

test('W4.02 W4.06 a message starts a run only where its card says so; during the run cards and links stay locked, and the view still moves', {
  tag: '@rest',
}, async ({ page }) => {
  await enterWorkspace(page, server.url);
  const workspace = await new WorkspacePage(page).opened();
  await expect(workspace.links()).toHaveCount(6);
  const form = page.locator('[data-dialog-id]');
  const place = async () => {
    const box = await form.boundingBox();
    if (!box) throw new Error('The dialog is out of view');
    return box;
  };
  /** A point of the team on the screen, by its distance (world px) from the dialog's top-left corner. */
  const at = async (x: number, y: number) => {
    const { x: left, y: top, width } = await place();
    return { x: left + (x * width) / 280, y: top + (y * width) / 280 };
  };
  const drag = async (from: { x: number; y: number }, to: { x: number; y: number }) => {
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2);
    await page.mouse.move(to.x, to.y);
    await page.mouse.up();
  };
  // The view of the opened project comes to rest.
  const isAtRest = async () => {
    const before = await place();
    await afterFrames(page);
    return JSON.stringify(before) === JSON.stringify(await place());
  };
  await expect.poll(isAtRest).toBe(true);
  const onFirstLink = await at(300, 118);
  const remove = page.locator('[data-remove-link]');
  await page.mouse.move(onFirstLink.x, onFirstLink.y);
  await expect(remove).toBeVisible();
  await page.mouse.move(onFirstLink.x, onFirstLink.y - 90);
  await expect(remove).toHaveCount(0);

  const autoStart = form.getByRole('switch', { name: translate('ru', 'common', 'autoStart') });
  await autoStart.click();
  await workspace.write('Добавьте экспорт заказов в CSV');
  await workspace.send();
  await expect(workspace.messageProblem).toContainText(translate('ru', 'errors', 'dialog.autoStartOff'));
  await expect(workspace.messageBox).toHaveValue('Добавьте экспорт заказов в CSV');
  await expect(workspace.runControl).toHaveAttribute('data-phase', 'stopped');
  await autoStart.click();
  await workspace.send();
  await expect(workspace.card('Ассистент')).toHaveAttribute('data-state', 'active');
  const step = translate('ru', 'workspace', 'announce.step', { number: 1, total: 6, title: 'Ассистент' });
  await expect(page.getByRole('status').filter({ hasText: step })).toHaveAttribute('aria-live', 'polite');

  await page.mouse.move(onFirstLink.x, onFirstLink.y);
  // From the out port of the assistant to the in port of the team lead.
  await drag(await at(630, 118), await at(350, 398));
  const before = await place();
  const assistant = await at(490, 150);
  await drag(assistant, { x: assistant.x + 60, y: assistant.y + 40 });
  const moved = async () => {
    const after = await place();
    return { x: Math.round(after.x - before.x), y: Math.round(after.y - before.y) };
  };
  await expect.poll(moved).toEqual({ x: 60, y: 40 });
  await page.keyboard.press('Delete');
  await expect(workspace.banners()).toContainText('холст закрыт для правок');
  await expect(remove).toHaveCount(0);
  await expect(workspace.links()).toHaveCount(6);
  await expect(workspace.cards()).toHaveCount(7);

  // Editing by key and by drop has no effect either.
  const cards = await workspace.readCards();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+c');
  for (const key of ['Control+v', 'Control+d', 'Control+x', 'ArrowRight', 'Control+z']) {
    const told = workspace.banners().filter({ hasText: 'холст закрыт для правок' });
    await expect(told).toHaveCount(0);
    await page.keyboard.press(key);
    await expect(told).toBeVisible();
  }
  await workspace.openSection('beginnings');
  const row = await page.getByTestId('sidebar').getByRole('button', { name: 'Старт' }).boundingBox();
  if (!row) throw new Error('No row to drag');
  await drag({ x: row.x + 40, y: row.y + 10 }, { x: 640, y: 560 });
  expect(await workspace.readCards()).toEqual(cards);
});
