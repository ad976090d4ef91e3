import { readFile } from 'node:fs/promises';
import { expect } from 'playwright/test';
import type { Recording } from '../../../src/app/workspace/performance/recording.ts';
import { test } from '../../support/browser/browser-test.ts';
import { translate } from '../../support/browser/translate.ts';
import { BenchPage } from '../../support/canvas/bench-page.ts';

test.use({ deviceScaleFactor: 1 });

const empty = { x: 700, y: 640 };

test('W2.05 Alt P opens and closes the figures of the canvas', { tag: '@rest' }, async ({ page }) => {
  await new BenchPage(page).openOwn(50);
  const panel = page.getByTestId('performance');
  await expect(page.getByTestId('canvas')).toBeVisible();
  await expect(panel).toHaveCount(0);
  await page.keyboard.press('Alt+p');
  const figure = async (name: string) =>
    Number.parseFloat(
      (
        await panel
          .locator('dl > div')
          .filter({ hasText: translate('ru', 'developer', `performance.${name}`) })
          .locator('dd')
          .innerText()
      ).replace(',', '.'),
    );
  await expect(panel).toContainText('из 50');
  // Text that is laid out later changes what is drawn.
  const isShown = async () => {
    const { nodesDrawn, drawCalls } = await page.evaluate(() => window.__bench?.stats() ?? { nodesDrawn: 0, drawCalls: 0 });
    return nodesDrawn > 0 && (await figure('nodes')) === nodesDrawn && (await figure('drawCalls')) === drawCalls;
  };
  await expect.poll(isShown).toBe(true);
  await expect.poll(() => figure('rate')).toBeGreaterThan(0);
  await expect.poll(() => figure('roundTrip')).toBeGreaterThan(0);
  await page.keyboard.press('Alt+p');
  await expect(panel).toHaveCount(0);
});

test('W2.05 with ?perf the figures are shown from the start, a recording is saved as JSON, and no server is called', {
  tag: '@rest-nightly',
}, async ({ page }) => {
  const asked: string[] = [];
  // The page's own files have an extension; every other request would be a call of the API.
  page.on('request', (request) => {
    const { protocol, pathname } = new URL(request.url());
    const isFile = pathname === '/bench' || /\.(?:js|css|woff2|svg|json)$/.test(pathname);
    if (protocol.startsWith('http') && (!isFile || pathname.startsWith('/api'))) asked.push(`${request.method()} ${pathname}`);
  });
  page.on('websocket', (socket) => asked.push(socket.url()));
  const canvas = await new BenchPage(page).openOwn(50, '&perf');
  const panel = page.getByTestId('performance');
  await expect(panel).toContainText('Вызовов отрисовки');
  await panel.getByRole('button', { name: 'Начать запись' }).click();
  await canvas.look({ x: 320, y: 120, zoom: 1 });
  await page.mouse.move(empty.x, empty.y);
  await page.mouse.down();
  for (let i = 1; i <= 20; i++) await page.mouse.move(empty.x - i * 6, empty.y - i * 3);
  await page.mouse.up();
  await canvas.drag(await canvas.middleOf('n1'), { x: 800, y: 500 });
  await expect(panel).toContainText(/1 правка, \d/);
  await expect(panel).toContainText(/Идёт запись: [1-9]/);
  const saved = page.waitForEvent('download');
  await panel.getByRole('button', { name: 'Закончить запись' }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toMatch(/^artel-canvas-[\dT-]+\.json$/);
  const recording = JSON.parse(await readFile(await file.path(), 'utf8')) as Recording;
  expect(recording).toMatchObject({ kind: 'artel.canvas-recording', version: 1, surroundings: { nodes: 50, zoom: 1, pixelRatio: 1 } });
  expect(recording.frames.length).toBe(recording.summary.frames);
  expect(recording.frames.length).toBeGreaterThan(3);
  for (const frame of recording.frames) {
    expect(frame.gapMs).toBeGreaterThan(0);
    expect(frame.scriptMs).toBeGreaterThan(0);
    expect(frame.mainMs).toBeGreaterThanOrEqual(frame.scriptMs);
    expect(frame.drawCalls).toBeGreaterThan(0);
  }
  expect(recording.roundTrips.length).toBeGreaterThan(0);
  expect(recording.updates.some(({ patches, bytes }) => patches === 1 && (bytes ?? 0) > 50)).toBe(true);
  expect(asked).toEqual([]);
});
