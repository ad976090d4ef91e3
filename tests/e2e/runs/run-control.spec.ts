import { expect, type Locator, type Page } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { enterWorkspace } from '../../support/browser/enter-workspace.ts';
import { faults } from '../../support/browser/faults.ts';
import { translate, translator } from '../../support/browser/translate.ts';
import { watchErrors } from '../../support/browser/watch-errors.ts';
import { WorkspacePage } from '../../support/browser/workspace-page.ts';
import { type ModelServer, startModelServer } from '../../support/services/model-server.ts';
import { startServer, type TestServer } from '../../support/start-server.ts';

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

const words = translator('ru', 'workspace', 'run.');
const labels = translator('ru', 'console');

/** Opens a new account's workspace with the last three agents of its team. The model answers only when it is released. */
async function withThree(page: Page): Promise<{ workspace: WorkspacePage; thrown: string[] }> {
  const thrown = watchErrors(page);
  model.calls.length = 0;
  model.answer({ kind: 'hang' });
  await enterWorkspace(page, server.url);
  const workspace = await new WorkspacePage(page).opened();
  for (const title of ['Ассистент', 'Менеджер продукта', 'Менеджер проекта']) await workspace.removeCard(title);
  await workspace.saved();
  return { workspace, thrown };
}

/** The parts of the run summary. */
function summaryOf(page: Page): { all: Locator; rows: Locator; bars: Locator } {
  const all = page.getByTestId('summary');
  const table = all.getByRole('table', { name: labels('summary.timeline') });
  return { all, rows: table.getByRole('row'), bars: table.locator('td [data-status]') };
}

test('W2.03 W2.12 W2.13 W2.14 W4.01 W4.08 W4.14 W4.18 W7.05 W7.06 R44.01 buttons start, pause, step, resume, stop and restart a run; the console takes any height, and its summary shows the outcome', async ({
  page,
}) => {
  const { workspace, thrown } = await withThree(page);
  const { runControl } = workspace;
  const press = (key: string) => runControl.getByRole('button', { name: words(key), exact: true }).click();
  const phase = (name: string) => expect(runControl).toHaveAttribute('data-phase', name);
  const ofDialog = (key: string) =>
    page
      .locator('[data-dialog-id]')
      .first()
      .getByRole('button', { name: translator('ru', 'canvas', 'dialog.')(key), exact: true });

  await expect(runControl).toContainText(words('ready'));
  await workspace.write('Экспорт заказов');
  await press('start');
  await expect(workspace.messageBox).toHaveValue('');
  const first = await model.call(1);
  expect(JSON.stringify(first.body)).toContain('Экспорт заказов');
  await phase('running');
  await expect(runControl).toContainText(words('step', { number: 1, total: 3 }));
  await expect(workspace.card('Тимлид')).toHaveAttribute('data-state', 'active');
  await workspace.openHistory();
  await expect(workspace.historyItems()).toContainText([translate('ru', 'workspace', 'history.status.processing')]);
  await page.keyboard.press('Alt+h');

  await press('pause');
  await phase('pausing');
  await expect(runControl).toContainText(words('pausingHint'));
  await expect(ofDialog('pausing')).toBeDisabled();
  model.release('Первое готово.');
  await phase('paused');
  await expect(runControl).toContainText(words('nextIs', { title: 'Разработчик' }));
  await expect(runControl).toContainText(words('pausedHint'));
  await expect(workspace.card('Тимлид')).toHaveAttribute('data-state', 'done');
  await expect(workspace.card('Разработчик')).toHaveAttribute('data-state', 'paused');
  expect(model.calls).toHaveLength(1);

  await press('next');
  await model.call(2);
  model.release('Второе готово.');
  await expect(workspace.card('Разработчик')).toHaveAttribute('data-state', 'done');
  await phase('paused');
  await expect(runControl).toContainText(words('nextIs', { title: 'Тестировщик' }));
  expect(model.calls).toHaveLength(2);
  // It still belongs to this run.
  await workspace.removeCard('Тестировщик');

  await press('resume');
  await model.call(3);
  await phase('running');
  await expect(runControl.getByRole('button', { name: words('next') })).toHaveCount(0);
  await ofDialog('common:pause').click();
  await phase('pausing');
  await press('stop');
  await model.aborted(3);
  await workspace.runEnds('cancelled');
  await phase('stopped');
  // The execution has ended on the server, and its pipeline is removed.
  const token = await page.evaluate(() => localStorage.getItem('accessToken'));
  const listed = async (path: string) => {
    const answer = await fetch(`${server.url}/api${path}`, { headers: { Authorization: `Bearer ${token}` } });
    return ((await answer.json()) as { status: string }[]).map(({ status }) => status);
  };
  await expect.poll(() => listed('/Pipeline')).toEqual([]);
  expect(await listed('/PipelineExecution')).toEqual(['cancelled']);
  await workspace.openHistory();
  await expect(workspace.historyItems()).toContainText([translate('ru', 'workspace', 'history.status.cancelled')]);
  await page.keyboard.press('Alt+h');
  await expect(page.getByTestId('history')).toHaveCount(0);

  await page
    .getByTestId('console-bar')
    .getByRole('button', { name: labels('bar.summary'), exact: true })
    .click();
  const summary = summaryOf(page);
  await expect(summary.all).toContainText(labels('summary.cancelled'));
  await expect(summary.all.getByRole('heading')).toHaveText('Экспорт заказов');
  await expect(summary.all.locator('dl')).toContainText('2/3');
  await expect(summary.rows).toHaveCount(5);
  await expect(summary.rows.nth(1)).toContainText(/Тимлид.*Первое готово\..*30/);
  await expect(summary.rows.nth(2)).toContainText(/Разработчик.*Второе готово\..*30/);
  await expect(summary.rows.nth(4)).toContainText(labels('summary.noRetries'));
  // The two answers, and the estimate of the call that was stopped.
  await expect(summary.rows.nth(4)).toContainText(/[1-9]\d\d/);
  await expect(summary.bars).toHaveCount(3);
  const bars = await summary.bars.evaluateAll((all) =>
    all.map((bar) => [(bar as HTMLElement).dataset.status, bar.getBoundingClientRect()] as const),
  );
  expect(bars.map(([status]) => status)).toEqual(['completed', 'completed', 'cancelled']);
  // Each bar begins at the end of the previous one, or later, on the same axis.
  for (const [index, [, { left }]] of bars.entries()) expect(left).toBeGreaterThanOrEqual(bars[index - 1]?.[1].right ?? 0);
  expect(await faults(page, '[data-testid="console"]')).toEqual([]);
  await expectAnyHeight(page);

  // The last task runs again.
  await workspace.ofRun('again');
  const fourth = await model.call(4);
  expect(JSON.stringify(fourth.body)).toContain('Экспорт заказов');
  await expect(summary.rows).toHaveCount(4);
  await expect(summary.rows.nth(1)).toContainText(labels('summary.working'));
  await expect(summary.rows.nth(2)).toContainText(labels('summary.waiting'));
  // Beside the high console the whole team is too small for forms.
  const larger = page.getByTestId('zoom').getByRole('button', { name: translate('ru', 'workspace', 'zoom.in'), exact: true });
  for (let presses = 0; presses < 2; presses++) await larger.click();
  await workspace.card('Диалог').focus();
  await ofDialog('common:pause').click();
  await phase('pausing');
  model.release('Третье готово.');
  await phase('paused');
  await ofDialog('resume').click();
  await model.call(5);
  model.release('## Итог\n\nВсё сделано.');
  await workspace.runEnds('finished');
  await expect(summary.all).toContainText(labels('summary.completed'));
  await expect(summary.all.locator('dl')).toContainText('2/2');
  await summary.all.getByRole('button', { name: labels('words:readResult') }).click();
  await expect(page.getByRole('dialog')).toContainText('Всё сделано.');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await workspace.ofRun('clear');
  await expect(runControl).toContainText(words('ready'));
  await expect(workspace.card('Тимлид')).toHaveAttribute('data-state', 'idle');
  await expect(page.getByTestId('console')).toContainText(labels('summary.emptyTitle'));
  expect(thrown).toEqual([]);
});

/** The console by its top edge and its buttons, in a window of 1,440 x 900. */
async function expectAnyHeight(page: Page): Promise<void> {
  const panel = page.getByTestId('console');
  const measures = async () => {
    const { x, y, height } = (await panel.boundingBox()) ?? { x: 0, y: 0, height: 0 };
    return { left: Math.round(x), top: Math.round(y), height: Math.round(height) };
  };
  const { left } = await measures();
  const stands = (height: number) => expect.poll(measures).toEqual({ left, top: 900 - 12 - height, height });
  const grip = page.getByTestId('console-grip');
  /** Drags the edge down by this many px, and releases it unless `held`. */
  const drag = async (by: number, { held = false } = {}) => {
    const { x, y, width, height } = (await grip.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const from = { x: x + width / 2, y: y + height / 2 };
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x, from.y + by, { steps: 3 });
    if (!held) await page.mouse.up();
  };
  await stands(400);
  await drag(-150);
  await stands(550);
  await drag(500);
  await stands(100);
  await drag(-800);
  await stands(860);
  await grip.press('ArrowDown');
  await stands(836);
  await grip.dblclick();
  await stands(400);
  const press = (key: string) => panel.getByRole('button', { name: labels(key), exact: true }).click();
  await press('fullscreen');
  await expect.poll(measures).toEqual({ left: 12, top: 28, height: 860 });
  await press('exitFullscreen');
  await stands(400);
  await press('fullscreen');
  await expect.poll(measures).toEqual({ left: 12, top: 28, height: 860 });
  await drag(360, { held: true });
  await stands(500);
  await page.mouse.up();
  await grip.dblclick();
  await stands(400);
  await press('close');
  await expect(panel).toHaveCount(0);
  await page.getByTestId('console-bar').getByRole('button').first().click();
  await page.getByRole('tab', { name: labels('tabs.communication') }).click();
  const lines = page.getByTestId('message');
  for (const key of ['console.closed', 'console.opened'])
    await expect(lines.filter({ hasText: translate('ru', 'errors', key) }).last()).toBeVisible();
  await page.getByRole('tab', { name: labels('tabs.summary') }).click();
}

test('W2.03 W2.18 with the sidebar and the history open the texts of the run control do not overlap at any width', {
  tag: '@rest-nightly',
}, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const { workspace } = await withThree(page);
  const { runControl } = workspace;
  model.answer({ kind: 'text', text: 'Готово.' });
  await workspace.write('Экспорт заказов за любой срок, со всеми их строками');
  await runControl.getByRole('button', { name: words('start'), exact: true }).click();
  await workspace.runEnds('finished');
  await workspace.openHistory();
  for (const width of [1_025, 1_180, 1_280, 1_440]) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => runControl.evaluate(textsThatMeet), `${width} px`).toEqual([]);
  }
});

/** Runs in the page. Returns the pairs of visible texts that overlap, and the texts that overflow the element. */
function textsThatMeet(element: Element): string[] {
  const texts: { text: string; left: number; right: number; top: number; bottom: number }[] = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(node);
    let { left, right, top, bottom } = range.getBoundingClientRect();
    for (let at = node.parentElement; at && at !== element; at = at.parentElement) {
      if (getComputedStyle(at).overflow === 'visible') continue;
      const clip = at.getBoundingClientRect();
      [left, right, top, bottom] = [
        Math.max(left, clip.left),
        Math.min(right, clip.right),
        Math.max(top, clip.top),
        Math.min(bottom, clip.bottom),
      ];
    }
    if (right > left && bottom > top) texts.push({ text: node.textContent ?? '', left, right, top, bottom });
  }
  const whole = element.getBoundingClientRect();
  const out = texts.filter(({ left, right }) => left < whole.left || right > whole.right).map(({ text }) => text);
  const meet = texts.flatMap((one, at) =>
    texts
      .slice(at + 1)
      .filter((other) => one.left < other.right && other.left < one.right && one.top + 3 < other.bottom && other.top + 3 < one.bottom)
      .map((other) => `${one.text} / ${other.text}`),
  );
  return [...out, ...meet];
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('W2.03 W2.04 W2.13 W4.05 D9.04 a whole run with a finger: the task is sent, the team works, the tabs are in a menu, one press shows the result, and the run is found in the history', {
    tag: '@rest',
  }, async ({ page }) => {
    const { workspace, thrown } = await withThree(page);
    const { runControl } = workspace;
    // Removing cards has moved the view.
    await workspace.card('Диалог').press('Enter');
    await workspace.messageBox.tap();
    await page.keyboard.type('Экспорт заказов');
    await page
      .locator('[data-dialog-id]')
      .first()
      .getByRole('button', { name: translate('ru', 'common', 'send') })
      .tap();
    await model.call(1);
    const pause = runControl.getByRole('button', { name: words('pause'), exact: true });
    for (const part of [runControl, pause]) await expect(part).toBeInViewport({ ratio: 1 });
    await pause.tap();
    await expect(runControl).toHaveAttribute('data-phase', 'pausing');
    model.release('Первое готово.');
    const resume = runControl.getByRole('button', { name: words('resume'), exact: true });
    for (const key of ['resume', 'next', 'stop']) {
      await expect(runControl.getByRole('button', { name: words(key), exact: true })).toBeInViewport({ ratio: 1 });
    }
    expect(await faults(page)).toEqual([]);
    await resume.tap();
    await model.call(2);
    await expect(workspace.card('Разработчик')).toHaveAttribute('data-state', 'active');

    await page.getByTestId('console-bar').getByRole('button').first().tap();
    const panel = page.getByTestId('console');
    // The information that the sheet covers is shown above it.
    await expect(page.getByTestId('project-bar')).toContainText(words('step', { number: 2, total: 3 }));
    model.answer({ kind: 'text', text: '## Итог\n\nВсё сделано.' });
    model.release('Второе готово.');
    await workspace.runEnds('finished');
    await expect(workspace.saidBy('Тестировщик')).toContainText('Всё сделано.');
    await expect(panel.getByRole('tab')).toHaveCount(0);
    const choose = async (tab: string) => {
      await panel.getByRole('button', { name: labels('tabs.label') }).tap();
      await page.getByRole('menuitem', { name: labels(`tabs.${tab}`) }).tap();
    };
    await choose('summary');
    await expect(summaryOf(page).rows).toHaveCount(5);
    await expect(summaryOf(page).all.locator('dl')).toContainText('3/3');
    const bars = await page.getByTestId('lane').first().locator('td').first().boundingBox();
    expect(bars?.width).toBeGreaterThan(120);
    expect(await faults(page, '[data-testid="console"]')).toEqual([]);
    await choose('live');
    await expect(panel).toContainText(labels('live.connected'));
    await panel.getByRole('button', { name: labels('close') }).tap();
    // The line of the console is the result, and leads to the whole of it.
    await expect(page.getByTestId('console-bar')).toContainText('Всё сделано.');
    await page.getByTestId('console-bar').getByRole('button').first().tap();
    await expect(panel.getByRole('heading', { name: 'Итог' })).toBeVisible();
    await panel.getByRole('button', { name: labels('close'), exact: true }).tap();
    await page
      .getByTestId('project-bar')
      .getByRole('button', { name: translate('ru', 'workspace', 'bar.history'), exact: true })
      .tap();
    await expect(workspace.historyItems()).toHaveCount(1);
    await workspace.historyItems().getByRole('button').first().tap();
    await workspace
      .historyItems()
      .getByRole('button', { name: translate('ru', 'workspace', 'history.showResult') })
      .tap();
    await expect(page.getByRole('dialog')).toContainText('Всё сделано.');
    await expect(page.getByRole('dialog')).toBeInViewport({ ratio: 0.99 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(thrown).toEqual([]);
  });
});
