import { expect, type Page } from 'playwright/test';
import { test } from '../support/browser/browser-test.ts';
import { type Language, translate } from '../support/browser/translate.ts';
import { BenchPage } from '../support/canvas/bench-page.ts';

test.use({ deviceScaleFactor: 1 });

type Look = { colorScheme: 'light' | 'dark'; language: Language; width: number; height: number };

const light: Look = { colorScheme: 'light', language: 'ru', width: 1200, height: 760 };
const dark: Look = { colorScheme: 'dark', language: 'en', width: 1200, height: 760 };
const phone: Look = { colorScheme: 'light', language: 'ru', width: 390, height: 780 };

test('P2.05 P2.15 P2.18 P2.25 the first screens of the public pages match their reference pictures', async ({ page }) => {
  await open(page, '/', light);
  await expect(page).toHaveScreenshot('landing-light-ru.png');
  await page
    .getByRole('banner')
    .getByRole('button', { name: translate('ru', 'common', 'signIn') })
    .click();
  await expect(page.getByRole('dialog')).toHaveScreenshot('sign-in-light-ru.png');
  await open(page, '/', dark);
  await expect(page).toHaveScreenshot('landing-dark-en.png');
  await open(page, '/', phone);
  await expect(page).toHaveScreenshot('landing-phone-ru.png');
  await open(page, '/privacy-policy', light);
  await expect(page).toHaveScreenshot('privacy-light-ru.png');
  await open(page, '/forbidden', dark);
  await expect(page.getByText(translate('en', 'common', 'forbidden.absent'))).toBeVisible();
  await expect(page).toHaveScreenshot('forbidden-dark-en.png');
});

test('P2.19 W9.05 the canvas of the demonstration matches its reference picture', { tag: '@rest' }, async ({ page }) => {
  await open(page, '/public-test', { ...light, width: 1440, height: 900 });
  const control = page.getByTestId('run-control');
  await control.getByRole('button', { name: translate('ru', 'workspace', 'run.stop') }).click();
  await control.getByRole('button', { name: translate('ru', 'workspace', 'run.clear') }).click();
  await expect(control).toContainText(translate('ru', 'workspace', 'run.ready'));
  // The console below shows the time of day.
  await expect(page).toHaveScreenshot('demo-light-ru.png', { clip: { x: 0, y: 0, width: 1440, height: 600 } });
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`W2.05 cards that are selected, under the pointer, at work, done or failed look at every zoom as they were drawn, ${colorScheme}`, {
    tag: '@rest',
  }, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const canvas = await new BenchPage(page).open({
      free: { x: 0, y: 0, title: 'Разработчик интерфейсов', desc: 'Пишет код и объясняет, что изменилось' },
      picked: { x: 320, y: 0 },
      under: { x: 640, y: 0 },
      working: { x: 0, y: 196, status: 1 },
      done: { x: 320, y: 196, status: 2 },
      failed: { x: 640, y: 196, status: 3 },
      frame: { x: -16, y: 400, kind: 'group' },
      flow: { x: 16, y: 440, kind: 'flow', desc: 'Вся команда' },
      start: { x: 320, y: 480, kind: 'trigger' },
      slip: { x: 640, y: 400, kind: 'note', desc: 'Заметка' },
    });
    await page.evaluate(() => window.__bench?.select([1]));
    for (const zoom of [1, 0.5, 0.25, 0.15]) {
      await canvas.look({ x: 340, y: 110, zoom });
      await canvas.atRest();
      const { x, y } = await canvas.middleOf('under');
      await page.mouse.move(x, y);
      const clip = { x: 320, y: 90, width: Math.round(960 * zoom) + 20, height: Math.round(570 * zoom) + 20 };
      // One missing sign changes 1/500 of the pixels of such a picture.
      await expect(page).toHaveScreenshot(`cards-${zoom * 100}-${colorScheme}.png`, { clip, maxDiffPixelRatio: 0.002 });
    }
  });
}

async function open(page: Page, path: string, { colorScheme, language, width, height }: Look): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.goto(`${path}?lang=${language}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.evaluate(() => document.fonts.ready);
}
