import { expect, type Page } from 'playwright/test';
import { sampleOf } from '../../support/amounts.ts';
import { test } from '../../support/browser/browser-test.ts';
import { enterWorkspace } from '../../support/browser/enter-workspace.ts';
import { boxesOf, cutWords, freeShare, overlapsIn } from '../../support/browser/room.ts';
import { setUpScriptedTools } from '../../support/browser/scripted-tools.ts';
import { translator } from '../../support/browser/translate.ts';
import { WorkspacePage } from '../../support/browser/workspace-page.ts';

const { models, server } = setUpScriptedTools();

/** Laptops, a page that is zoomed to 200 % there, a phone held sideways and upright, and a tablet; the largest last. */
const sizes = [
  { width: 640, height: 360 },
  { width: 844, height: 390 },
  { width: 390, height: 844 },
  { width: 820, height: 1_180 },
  { width: 1_280, height: 720 },
  { width: 1_366, height: 768 },
  { width: 1_440, height: 900 },
];

/** What is wrong with the room of the bars as the window is now. */
async function faultsOf(page: Page, size: { width: number; height: number }): Promise<string[]> {
  const boxes = await boxesOf(page);
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  const control = boxes['run-control'];
  const isWhole = control !== undefined && control.bottom <= size.height && control.right <= size.width;
  // A low window keeps one row of the bar.
  const isOneRow = size.height >= 600 || (control !== undefined && control.bottom - control.top < 64);
  return [
    ...overlapsIn(boxes).map((pair) => `overlap: ${pair}`),
    ...(await cutWords(page)).map((word) => `cut: ${word}`),
    ...(sideways > 0 ? ['the page scrolls sideways'] : []),
    ...(isWhole ? [] : ['the run bar is not whole']),
    ...(isOneRow ? [] : ['the run bar has two rows']),
    ...(freeShare(boxes, size) > 0.25 ? [] : ['the canvas has less than a quarter']),
  ];
}

/** What a button of the bar opens leaves the bar uncovered, and what is to be known before Start makes the bar no higher. */
async function coversNoBar(page: Page): Promise<void> {
  const size = page.viewportSize() ?? { width: 1_440, height: 900 };
  const control = page.getByTestId('run-control');
  const popup = page.locator('[data-beside-canvas]');
  for (const width of [1_440, 1_026]) {
    await page.setViewportSize({ width, height: 720 });
    await control.getByTestId('run-settings').click();
    await expect(popup.getByRole('button').first()).toBeVisible();
    const gap = async () => {
      const [panel, bar] = await Promise.all([popup.boundingBox(), control.boundingBox()]);
      return (bar?.y ?? 0) - ((panel?.y ?? 0) + (panel?.height ?? 0));
    };
    await expect.poll(gap, `${width} px`).toBeGreaterThanOrEqual(0);
    expect((await control.boundingBox())?.height).toBe(56);
    await page.keyboard.press('Escape');
    await expect(popup).toHaveCount(0);
  }
  await page.setViewportSize(size);
}

for (const language of sampleOf(['en', 'ru'] as const, { some: 1 })) {
  test(`W2.04 D4.05 in ${language}, at seven sizes and in both themes, no bar covers another and no word is cut in any state of a run`, {
    tag: '@rest',
  }, async ({ page }) => {
    const words = translator(language, 'workspace', 'run.');
    models.answer({ kind: 'hang' });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 1_440, height: 900 });
    await enterWorkspace(page, server.url, language);
    const workspace = await new WorkspacePage(page, language).opened();
    const { runControl } = workspace;
    const press = (key: string) => runControl.getByRole('button', { name: words(key), exact: true }).click();
    const phase = (name: string) => expect(runControl).toHaveAttribute('data-phase', name);
    const hasRoom = async (state: string) => {
      for (const size of sizes)
        for (const colorScheme of ['dark', 'light'] as const) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize(size);
          await expect.poll(() => faultsOf(page, size), `${state}, ${size.width} x ${size.height}, ${colorScheme}`).toEqual([]);
        }
    };
    await coversNoBar(page);
    await hasRoom('ready');
    await workspace.startWith(language === 'ru' ? 'Экспорт заказов в файл CSV' : 'Export of orders as a CSV file');
    await phase('running');
    await models.call(1);
    await hasRoom('working');
    await press('pause');
    models.release('Done.');
    await phase('paused');
    await hasRoom('paused');
    models.answer({ kind: 'status', status: 400, message: 'no such model' });
    await press('resume');
    await workspace.runEnds('failed');
    await hasRoom('failed');
    models.answer({ kind: 'text', text: 'Done.' });
    await workspace.ofRun('again');
    await workspace.runEnds('finished');
    await hasRoom('finished');
  });
}
