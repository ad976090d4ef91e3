import { readFileSync } from 'node:fs';
import { unzipSync } from 'fflate';
import { expect, test } from 'playwright/test';
import { textStyles } from '../../src/canvas/scene/text/text-style.ts';
import { faults } from '../support/browser/faults.ts';
import { type Language, say } from '../support/browser/words.ts';

const words = (language: Language) => (area: string, key: string, values?: Record<string, string | number>) =>
  say(language, area, key, values);

/** CSS px of the smallest words on a card at its own size. */
const smallestCardText = Math.min(...Object.values(textStyles).map(({ size }) => size));

test('P2.19 W4.16 W9.05 a visitor watches a team at work, changes nothing, and no server is asked for anything', async ({ page }) => {
  const t = words('ru');
  const asked: string[] = [];
  // The page's own scripts, styles, texts and fonts are files with a name; everything else would be a call.
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname !== '/public-test' && !/\.(?:js|css|woff2|svg|json)$/.test(pathname)) asked.push(`${request.method()} ${pathname}`);
  });
  page.on('websocket', (socket) => asked.push(socket.url()));
  await page.addInitScript(() => localStorage.setItem('refreshToken', 'left by an earlier visit'));
  await page.goto('/public-test');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('demo', 'project.name'));

  const control = page.getByTestId('run-control');
  await expect(control).toHaveAttribute('data-phase', 'running');
  const messages = page.getByTestId('messages');
  await expect(messages).toContainText(t('demo', 'agents.assistant.title'));
  await expect(page.getByTestId('sidebar')).toContainText(t('workspace', 'sidebar.readOnly'));
  await page.getByTestId('demo-note').click();
  const note = page.getByRole('dialog');
  await expect(note.locator('[data-figure="commands"]')).toContainText('150');
  for (const [figure, value] of Object.entries({ agents: 6, flows: 2, pipelines: 2, runs: 25, successful: 142, failed: 8 })) {
    await expect(note.locator(`[data-figure="${figure}"] dd`)).toHaveText(String(value));
  }
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: t('workspace', 'sidebar.settings', { title: t('demo', 'agents.lead.title') }) }).click();
  const settings = page.getByRole('dialog');
  const prompt = settings.getByRole('textbox', { name: t('workspace', 'agent.prompt') });
  await expect(prompt).toContainText(t('demo', 'agents.lead.prompt'));
  await expect(prompt).toHaveAttribute('aria-readonly', 'true');
  await expect(settings.getByRole('button', { name: t('workspace', 'agent.save') })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: '/analyze' }).click();
  await expect(messages).toContainText(t('errors', 'console.announce.analyze'));

  await expect(control).toContainText(t('workspace', 'run.finished'));
  const onward = messages.getByRole('link', { name: t('workspace', 'demo.try') });
  await expect(onward).toHaveAttribute('href', '/landing');
  await expect(page.getByRole('tab', { name: t('console', 'tabs.files') })).toContainText('6');
  await page.getByRole('tab', { name: t('console', 'tabs.files') }).click();
  await expect(page.getByTestId('file-viewer')).toContainText('orders-export.yaml');
  const [archive] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: t('console', 'files.archive') }).click(),
  ]);
  expect(Object.keys(unzipSync(readFileSync(await archive.path())))).toHaveLength(6);
  await page.getByRole('tab', { name: t('console', 'tabs.test') }).click();
  const tests = page.getByTestId('tests');
  await expect(tests).toContainText(t('console', 'test.notExecuted'));
  await expect(tests.locator('[data-verdict="notExecuted"] dd')).toHaveText('4');
  await page.getByRole('tab', { name: t('console', 'tabs.thinking') }).click();
  await expect(page.getByRole('tabpanel')).toContainText(t('demo', 'script.backend.thought'));
  expect(await faults(page)).toEqual([]);

  // On a phone, where the console is closed, the way on stands beside the run's control.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByTestId('demo-ending').getByRole('link', { name: t('workspace', 'demo.try') })).toHaveAttribute('href', '/landing');
  await page.setViewportSize({ width: 1440, height: 900 });

  // In another language everything is told anew.
  const en = words('en');
  await page.getByRole('radio', { name: 'EN', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(en('demo', 'project.name'));
  await expect(control).toHaveAttribute('data-phase', 'running');
  expect(asked).toEqual([]);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'dark', reducedMotion: 'reduce' });

  test('P2.19 the demonstration fits a phone, can be stopped there, and leads on', async ({ page }) => {
    const t = words('ru');
    await page.goto('/public-test?projectId=another');
    const control = page.getByTestId('run-control');
    await expect(control).toHaveAttribute('data-phase', 'running');
    await control.getByRole('button', { name: t('workspace', 'run.stop') }).tap();
    await expect(control).toHaveAttribute('data-phase', 'stopped');
    await expect(page.getByTestId('project-bar')).toContainText(t('workspace', 'demo.badge'));
    expect(await faults(page)).toEqual([]);
    await page.getByRole('link', { name: t('workspace', 'demo.tryShort') }).tap();
    await expect(page).toHaveURL(/\/landing$/);
  });
});

for (const [screen, viewport] of Object.entries({
  'a wide screen': { width: 1440, height: 900 },
  'a phone': { width: 390, height: 844 },
})) {
  test.describe(`on ${screen}`, () => {
    test.use({ viewport, reducedMotion: 'reduce' });

    test(`P2.19 W9.05 the demonstration opens on ${screen} at its first cards, which can be read, with the typefaces that it needs`, async ({
      page,
    }) => {
      const faces: string[] = [];
      page.on('request', (request) => {
        const face = /inter-([a-z-]+)-opsz/.exec(request.url())?.[1];
        if (face) faces.push(face);
      });
      await page.goto('/public-test?lang=en');
      const form = page.locator('[data-dialog-id]');
      // The form has the size of the world and is drawn as large as the cards are.
      const zoom = await form.evaluate((element) => element.getBoundingClientRect().width / (element as HTMLElement).offsetWidth);
      expect(zoom * smallestCardText).toBeGreaterThanOrEqual(11);
      if (viewport.width > 1024) await expect(form).toBeInViewport({ ratio: 1 });
      await expect(page.getByTestId('run-control')).toHaveAttribute('data-phase', 'running');
      expect(new Set(faces)).toEqual(new Set(['latin']));
    });
  });
}

test('P2.19 W2.13 the console of the demonstration shows what the team says', async ({ page }) => {
  const t = words('ru');
  await page.goto('/public-test');
  const messages = page.getByTestId('messages');
  await expect(messages).toContainText(t('demo', 'dialog.task').slice(0, 30));
  await expect(messages.locator('[data-kind="message"]')).not.toHaveCount(0);
  await expect(messages.locator('[data-kind="event"]')).toHaveCount(0);
  await page.getByRole('radio', { name: t('console', 'communication.all') }).click();
  await expect(messages.locator('[data-kind="event"]')).not.toHaveCount(0);
});

for (const language of ['ru', 'en'] as const) {
  test.describe(`without scripts (${language})`, () => {
    test.use({ viewport: { width: 390, height: 844 } });

    test(`P2.19 the demonstration shows its team though no script arrives (${language})`, async ({ page }) => {
      const t = words(language);
      await page.route(/\.js$/, (route) => route.abort());
      await page.goto(`/public-test?lang=${language}`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('demo', 'project.name'));
      await expect(page.getByRole('link', { name: t('workspace', 'demo.tryShort') })).toHaveAttribute('href', '/landing');
      const still = page.locator('#still');
      for (const agent of ['assistant', 'product', 'project', 'lead', 'frontend', 'backend']) {
        const title = still.locator('.still-narrow .still-title', { hasText: t('demo', `agents.${agent}.title`) });
        await expect(title).toHaveCount(1);
        expect(await title.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize))).toBeGreaterThanOrEqual(11);
      }
      await expect(still.getByRole('textbox').filter({ visible: true })).toHaveValue(t('demo', 'dialog.task'));
      await expect(still.locator('.still-narrow .still-card').first()).toBeInViewport({ ratio: 1 });
      // The wide screen's picture is there too, and seen on one.
      await page.setViewportSize({ width: 1440, height: 900 });
      await expect(still.locator('.still-wide .still-card').nth(5)).toBeInViewport({ ratio: 1 });
    });
  });
}

for (const [screen, viewport] of Object.entries({
  'a wide screen': { width: 1440, height: 900 },
  'a phone': { width: 390, height: 844 },
})) {
  test.describe(`as it comes alive on ${screen}`, () => {
    test.use({ viewport });

    test(`P2.19 W2.05 the canvas takes the picture's place on ${screen} where it stood, and nothing moves until the first step`, async ({
      page,
    }) => {
      await page.addInitScript(() => {
        const shifts: number[] = [];
        Object.assign(window, { shifts });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
        }).observe({ type: 'layout-shift', buffered: true });
      });
      // Held up, so that the picture can be measured before the canvas is there.
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route(/demo\.worker.*\.js$/, async (route) => {
        await held;
        await route.continue();
      });
      await page.goto('/public-test?lang=en');
      const wide = viewport.width > 1024;
      const pictured = await page
        .locator(`#still .still-${wide ? 'wide' : 'narrow'} .still-card`)
        .first()
        .boundingBox();
      release();
      await expect(page.locator('#still')).toHaveCount(0);
      const drawn = await page.locator('[data-dialog-id]').boundingBox();
      expect(drawn).toEqual(pictured);
      await expect(page.getByTestId('run-control')).toHaveAttribute('data-phase', 'running');
      const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
      // A letter's width, when the page's own typeface comes.
      expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.001);
    });
  });
}
