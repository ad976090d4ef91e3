import { readFileSync } from 'node:fs';
import { unzipSync } from 'fflate';
import { expect, type Page } from 'playwright/test';
import { textStyles } from '../../../src/canvas/scene/text/text-style.ts';
import { sampleOf } from '../../support/amounts.ts';
import { test } from '../../support/browser/browser-test.ts';
import { faults } from '../../support/browser/faults.ts';
import { speedUpDemo } from '../../support/browser/speed-up-demo.ts';
import { type Language, translate } from '../../support/browser/translate.ts';

const words = (language: Language) => (area: string, key: string, values?: Record<string, string | number>) =>
  translate(language, area, key, values);

/** The control that starts the demonstration on a phone. */
const startButton = (page: Page, language: Language) =>
  page.getByRole('button', { name: translate(language, 'workspace', 'demo.start.waiting'), exact: true });

/** The smallest text on a card at zoom 1 (CSS px). */
const smallestCardText = Math.min(...Object.values(textStyles).map(({ size }) => size));

test('P2.19 W4.16 W9.05 a visitor watches a team at work, changes nothing, and no server is called', { tag: '@rest' }, async ({ page }) => {
  const t = words('ru');
  const asked: string[] = [];
  // The page's own scripts, styles, texts and fonts are files with an extension; every other request would be a call of the API.
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname !== '/public-test' && !/\.(?:js|css|woff2|svg|json)$/.test(pathname)) asked.push(`${request.method()} ${pathname}`);
  });
  page.on('websocket', (socket) => asked.push(socket.url()));
  await page.addInitScript(() => localStorage.setItem('refreshToken', 'left by an earlier visit'));
  await speedUpDemo(page);
  await page.goto('/public-test');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('content/demo', 'project.name'));

  const control = page.getByTestId('run-control');
  await expect(control).toHaveAttribute('data-phase', 'running');
  const messages = page.getByTestId('messages');
  await expect(messages).toContainText(t('content/demo', 'agents.assistant.title'));
  await expect(page.getByTestId('sidebar')).toContainText(t('workspace', 'sidebar.readOnly'));
  await page.getByTestId('demo-note').click();
  const note = page.getByRole('dialog');
  await expect(note.locator('[data-figure="commands"]')).toContainText('150');
  for (const [figure, value] of Object.entries({ agents: 6, flows: 2, pipelines: 2, runs: 25, successful: 142, failed: 8 })) {
    await expect(note.locator(`[data-figure="${figure}"] dd`)).toHaveText(String(value));
  }
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: t('workspace', 'sidebar.settings', { title: t('content/demo', 'agents.lead.title') }) }).click();
  const settings = page.getByRole('dialog');
  const prompt = settings.getByRole('textbox', { name: t('connections', 'agent.prompt') });
  await expect(prompt).toContainText(t('content/demo', 'agents.lead.prompt'));
  await expect(prompt).toHaveAttribute('aria-readonly', 'true');
  await expect(settings.getByRole('button', { name: t('words', 'save') })).toHaveCount(0);
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
  await expect(tests).toContainText(t('console', 'test.simulatedRun'));
  await expect(tests.locator('[data-verdict="passed"] dd')).toHaveText('4');
  await page.getByRole('tab', { name: t('console', 'tabs.thinking') }).click();
  await expect(page.getByRole('tabpanel')).toContainText(t('content/demo', 'script.backend.thought'));
  expect(await faults(page)).toEqual([]);

  // On a phone the console is closed, so the link to the product is next to the run control.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByTestId('demo-ending').getByRole('link', { name: t('workspace', 'demo.try') })).toHaveAttribute('href', '/landing');
  await page.setViewportSize({ width: 1440, height: 900 });

  // In another language every text is translated.
  const en = words('en');
  await page.getByRole('radio', { name: 'EN', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(en('content/demo', 'project.name'));
  await expect(control).toHaveAttribute('data-phase', 'running');
  expect(asked).toEqual([]);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'dark', reducedMotion: 'reduce' });

  test('P2.19 the demonstration fits a phone, can be stopped there, and links to the product', { tag: '@rest-nightly' }, async ({
    page,
  }) => {
    const t = words('ru');
    await page.goto('/public-test?projectId=another');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('another');
    await page.getByRole('button', { name: t('workspace', 'demo.start.waiting') }).tap();
    const control = page.getByTestId('run-control');
    await expect(control).toHaveAttribute('data-phase', 'running');
    await control.getByRole('button', { name: t('workspace', 'run.stop') }).tap();
    await expect(control).toHaveAttribute('data-phase', 'stopped');
    await expect(page.getByTestId('project-bar')).toContainText(t('workspace', 'demo.badge'));
    expect(await faults(page)).toEqual([]);
    await page.getByRole('link', { name: t('words', 'tryIt') }).tap();
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
        const face = /inter-([a-z-]+)-wght/.exec(request.url())?.[1];
        if (face) faces.push(face);
      });
      await page.goto('/public-test?lang=en');
      if (viewport.width <= 1024) await startButton(page, 'en').click();
      const form = page.locator('[data-dialog-id]');
      // The form has its size in world px and is drawn at the same scale as the cards.
      const zoom = () => form.evaluate((element) => element.getBoundingClientRect().width / (element as HTMLElement).offsetWidth);
      await expect.poll(async () => (await zoom()) * smallestCardText).toBeGreaterThanOrEqual(11);
      if (viewport.width > 1024) await expect(form).toBeInViewport({ ratio: 1 });
      await expect(page.getByTestId('run-control')).toHaveAttribute('data-phase', 'running');
      expect(new Set(faces)).toEqual(new Set(['latin']));
    });
  });
}

test('P2.19 G1.03 G2.01 a second canvas of the demonstration shows a review loop and a question that is answered, without a server', {
  tag: '@rest',
}, async ({ page }) => {
  const t = words('ru');
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname !== '/public-test' && !/\.(?:js|css|woff2|svg|json)$/.test(pathname)) asked.push(`${request.method()} ${pathname}`);
  });
  // The question is answered soon: a busy machine looks for it too late.
  await page.addInitScript(() => {
    const watch = new MutationObserver(() => {
      if (document.querySelector('[data-testid="run-asks"]')) Object.assign(window, { hasAsked: true });
    });
    watch.observe(document, { childList: true, subtree: true, attributes: true });
  });
  await speedUpDemo(page);
  await page.goto('/public-test');
  await page
    .getByTestId('project-bar')
    .getByRole('link', { name: t('workspace', 'demo.review') })
    .click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('content/demo-review', 'name'));
  const badge = page.locator('[data-link-badge="conn-demo-product-demo-backend"]');
  await expect(badge).toContainText(t('canvas', 'card.roundOf', { amount: 2, total: 3 }));
  await page.waitForFunction(() => 'hasAsked' in window);
  await expect(page.getByTestId('run-control')).toContainText(t('workspace', 'run.finished'));
  await expect(page.getByTestId('messages')).toContainText(t('content/demo-review', 'answer'));
  await expect(page.getByRole('link', { name: t('workspace', 'demo.team') })).toHaveAttribute('href', '/public-test');
  expect([asked, await faults(page)]).toEqual([[], []]);
});

for (const language of ['ru', 'en'] as const) {
  test(`P2.19 W2.16 the sentences of problems and announcements come with the first step, none untranslated (${language})`, async ({
    page,
  }) => {
    const t = words(language);
    const running = page.getByTestId('run-control').and(page.locator('[data-phase="running"]'));
    const messages = page.getByTestId('messages');
    /** Whether the run had begun at each request of the sentences. */
    const hadBegun: boolean[] = [];
    let isLost = true;
    await page.route(/\/assets\/errors-[^/]*\.js$/, async (route) => {
      // On a slow machine the run has ended before the last request.
      hadBegun.push((await running.or(messages.getByTestId('message')).count()) > 0);
      if (isLost) await route.abort();
      else await route.continue();
    });
    await page.goto(`/public-test?lang=${language}`);
    await expect(running).toBeVisible();
    await page.getByRole('button', { name: '/analyze' }).click();
    const announcement = messages.getByTestId('message').filter({ hasText: t('common', 'part.notLoaded') });
    await expect(announcement.first()).toBeVisible();
    await expect(messages).not.toContainText('console.announce');
    isLost = false;
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await expect(messages).toContainText(t('errors', 'console.announce.analyze'));
    await expect(announcement).toHaveCount(0);
    expect(hadBegun.length).toBeGreaterThan(1);
    expect(hadBegun).not.toContain(false);
  });
}

test('P2.19 W2.13 the console of the demonstration shows the messages of the team', { tag: '@rest' }, async ({ page }) => {
  const t = words('ru');
  await page.goto('/public-test');
  const messages = page.getByTestId('messages');
  await expect(messages).toContainText(t('content/demo', 'dialog.task').slice(0, 30));
  await expect(messages.locator('[data-kind="message"]')).not.toHaveCount(0);
  await expect(messages.locator('[data-kind="event"]')).toHaveCount(0);
  await page.getByRole('radio', { name: t('words', 'all') }).click();
  await expect(messages.locator('[data-kind="event"]')).not.toHaveCount(0);
});

for (const language of ['ru', 'en'] as const) {
  test.describe(`without scripts (${language})`, () => {
    test.use({ viewport: { width: 390, height: 844 } });

    test(`P2.19 the demonstration shows its team without any script (${language})`, async ({ page }) => {
      const t = words(language);
      await page.route(/\.js$/, (route) => route.abort());
      await page.goto(`/public-test?lang=${language}`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('content/demo', 'project.name'));
      await expect(page.getByRole('link', { name: t('words', 'tryIt') })).toHaveAttribute('href', '/landing');
      const still = page.locator('#still');
      for (const agent of ['assistant', 'product', 'project', 'lead', 'frontend', 'backend']) {
        const title = still.locator('.still-narrow .still-title', { hasText: t('content/demo', `agents.${agent}.title`) });
        await expect(title).toHaveCount(1);
        expect(await title.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize))).toBeGreaterThanOrEqual(11);
      }
      await expect(still.getByRole('textbox').filter({ visible: true })).toHaveValue(t('content/demo', 'dialog.task'));
      await expect(still.locator('.still-narrow .still-card').first()).toBeInViewport({ ratio: 1 });
      // The picture for wide screens is in the page too, and is visible on a wide screen.
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

    test(`P2.19 W2.05 the canvas takes the picture's place on ${screen} where it stood, and nothing moves until the first step`, {
      tag: '@rest',
    }, async ({ page }) => {
      await page.addInitScript(() => {
        const shifts: { at: number; by: number }[] = [];
        Object.assign(window, { shifts });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries())
            shifts.push({ at: entry.startTime, by: (entry as PerformanceEntry & { value: number }).value });
        }).observe({ type: 'layout-shift', buffered: true });
        // On a slow machine the first steps are written before the test reads what has moved: theirs do not count.
        new MutationObserver((_, observer) => {
          if (!document.querySelector('[data-testid="run-control"][data-phase="running"]')) return;
          observer.disconnect();
          Object.assign(window, { begunAt: performance.now() });
        }).observe(document, { childList: true, subtree: true, attributeFilter: ['data-phase'] });
        // The camera follows the team once it works, so the position is read at the moment when the picture is removed.
        new MutationObserver((_, observer) => {
          const card = document.querySelector('[data-dialog-id]')?.getBoundingClientRect();
          if (!card || document.getElementById('still')) return;
          observer.disconnect();
          Object.assign(window, { drawn: { x: card.x, y: card.y, width: card.width, height: card.height } });
        }).observe(document, { childList: true, subtree: true });
      });
      // Delayed, so that the picture can be measured before the canvas is drawn.
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
      if (!wide) await startButton(page, 'en').click();
      // Loading the page's typeface may shift the width of one letter.
      await page.evaluate(async () => void (await document.fonts.ready));
      release();
      await expect(page.locator('#still')).toHaveCount(0);
      expect(await page.evaluate(() => (window as unknown as { drawn: object }).drawn)).toEqual(pictured);
      await expect(page.getByTestId('run-control')).toHaveAttribute('data-phase', 'running');
      const moved = await page.evaluate(() => {
        const { shifts, begunAt } = window as unknown as { shifts: { at: number; by: number }[]; begunAt: number };
        return shifts.filter(({ at }) => at <= begunAt).reduce((sum, { by }) => sum + by, 0);
      });
      expect(moved).toBeLessThan(0.001);
    });
  });
}

test.describe('before a visitor with a phone asks for it', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  /** Collects the path of each file of the build and each call that a page requests. */
  function collectRequests(page: Page): string[] {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    return asked;
  }

  /** Makes the page record the commands that it sends to its engine. */
  async function noteCommands(page: Page): Promise<() => Promise<string[]>> {
    await page.addInitScript(() => {
      const told: string[] = [];
      Object.assign(window, { told });
      const { postMessage } = Worker.prototype;
      Worker.prototype.postMessage = function (this: Worker, ...given: unknown[]) {
        const [message] = given as [{ path?: string[]; argumentList?: { value?: { type?: string } }[] }];
        if (message.path?.[0] === 'dispatch') told.push(message.argumentList?.[0]?.value?.type ?? '');
        return Reflect.apply(postMessage, this, given);
      } as typeof postMessage;
    });
    return () => page.evaluate(() => (window as unknown as { told: string[] }).told);
  }

  for (const language of ['ru', 'en'] as const) {
    test(`P2.19 W4.16 only the picture is loaded; the button loads the canvas, and the team starts at once (${language})`, async ({
      page,
    }) => {
      const t = words(language);
      const asked = collectRequests(page);
      const commands = await noteCommands(page);
      await page.goto(`/public-test?lang=${language}`);
      const start = startButton(page, language);
      await expect(start).toBeInViewport({ ratio: 1 });
      await expect(page.getByRole('main', { name: t('workspace', 'demo.start.picture') })).toBeVisible();
      expect(await faults(page)).toEqual([]);
      await page.waitForLoadState('networkidle');
      expect(asked.filter((path) => path !== '/icon.svg')).toEqual(['/public-test']);
      await page.keyboard.press('Tab');
      await expect(start).toBeFocused();
      // Then the other canvas, the readable task and the links; nothing that waits for a script.
      await page.keyboard.press('Tab');
      await expect(
        page
          .locator('#still')
          .getByRole('link', { name: t('workspace', 'demo.review') })
          .first(),
      ).toBeFocused();
      await page.keyboard.press('Tab');
      await expect(page.locator('#still').getByRole('textbox')).toBeFocused();
      await page.keyboard.press('Tab');
      await expect(page.getByRole('link', { name: t('workspace', 'homePage') })).toBeFocused();

      await start.focus();
      await page.keyboard.press('Enter');
      await expect(page.locator('#still')).toHaveCount(0);
      await expect(page.getByTestId('run-control')).toHaveAttribute('data-phase', 'running');
      expect(await commands()).toEqual(['run.start']);
      await expect(page.getByTestId('run-control').getByRole('button').first()).toBeFocused();
      expect(asked.filter((path) => path !== '/public-test' && !/\.(?:js|css|woff2|svg|json)$/.test(path))).toEqual([]);
    });
  }

  test('P2.19 G2.01 the second canvas is never shown as the picture of the first; it begins without a press, and a question fits the screen', {
    tag: '@rest',
  }, async ({ page }) => {
    const t = words('ru');
    await page.goto('/public-test?projectId=public-review', { waitUntil: 'commit' });
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('content/demo-review', 'name'));
    await expect(page.locator('#still')).toHaveCount(0);
    await page.getByTestId('run-asks').click();
    await expect(page.getByRole('dialog')).toBeInViewport({ ratio: 0.9 });
    expect(await faults(page)).toEqual([]);
  });

  test('P2.19 elements that look like buttons start it, and links keep their targets', { tag: '@rest-nightly' }, async ({ page }) => {
    const isAsked = page.locator('html[data-demo-start="loading"]');
    // Nothing arrives: the picture stays.
    await page.route(/\.js$/, () => {});
    const phone = page.locator('#still .still-narrow');
    for (const dead of ['[data-still-testid="mobile-menu"]', '[data-still-testid="demo-note"]', 'textarea', '.still-card:nth-of-type(4)']) {
      await page.goto('/public-test?lang=ru');
      const box = await phone.locator(dead).boundingBox();
      await page.touchscreen.tap((box?.x ?? 0) + 8, (box?.y ?? 0) + 8);
      await expect(isAsked).toHaveCount(1);
      await expect(page.locator('.still-start button')).toHaveAttribute('aria-busy', 'true');
      await expect(page.locator('.still-start button')).toHaveText(translate('ru', 'workspace', 'demo.start.loading'));
    }
    for (const act of [() => page.keyboard.press('ArrowDown'), () => page.mouse.wheel(0, 40)]) {
      await page.goto('/public-test?lang=ru');
      await page.mouse.move(200, 500);
      await expect(isAsked).toHaveCount(0);
      await act();
      await expect(isAsked).toHaveCount(1);
    }
    await page.unrouteAll();
    // The delayed scripts go to the previous page; the new page has requested nothing yet.
    await page.goto('about:blank');
    const asked = collectRequests(page);
    await page.goto('/public-test?lang=ru');
    await page.getByRole('link', { name: translate('ru', 'words', 'tryIt') }).tap();
    await expect(page).toHaveURL(/\/landing$/);
    expect(asked.filter((path) => /worker/.test(path))).toEqual([]);
  });

  for (const [lost, missing] of sampleOf(
    Object.entries({
      'no script arrives': /\/assets\/.*\.js$/,
      'a part of it does not arrive': /\/assets\/demo-route-.*\.js$/,
      'its texts do not arrive': /\/assets\/workspace-[^/]*\.js$/,
    }),
    { some: 1 },
  )) {
    test(`P2.19 where ${lost} the button shows the failure, and loads the demo when it is pressed again`, { tag: '@rest' }, async ({
      page,
    }) => {
      const t = words('en');
      await page.route(missing, (route) => route.abort());
      await page.goto('/public-test?lang=en');
      await startButton(page, 'en').tap();
      await expect(page.getByRole('alert')).toHaveText(t('workspace', 'demo.start.problem'));
      const again = page.getByRole('button', { name: t('common', 'tryAgain') });
      await expect(again).toHaveAttribute('aria-busy', 'false');
      expect(await faults(page)).toEqual([]);
      await page.unrouteAll();
      await again.tap();
      await expect(page.getByTestId('run-control')).toHaveAttribute('data-phase', 'running');
      await expect(page.locator('#still')).toHaveCount(0);
    });
  }

  test('P2.19 a visitor from the link of the landing page sees the demonstration start by itself', { tag: '@rest-nightly' }, async ({
    page,
  }) => {
    await page.goto('/?lang=en');
    await page
      .getByRole('main')
      .getByRole('link', { name: translate('en', 'landing', 'hero.demo') })
      .tap();
    await expect(page.getByTestId('run-control')).toHaveAttribute('data-phase', 'running');
  });

  test('P2.19 without scripts there is no start button', { tag: '@rest' }, async ({ browser, baseURL }) => {
    const reader = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? '', viewport: { width: 390, height: 844 } });
    const page = await reader.newPage();
    await page.goto('/public-test?lang=en');
    await expect(page.locator('.still-start')).toBeHidden();
    await expect(page.locator('.still-narrow .still-notice')).toHaveText(translate('en', 'workspace', 'demo.noScript'));
    await reader.close();
  });
});

test('P2.19 on a wide screen it waits only for a visitor who saves data', { tag: '@rest-nightly' }, async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
  await page.goto('/public-test?lang=en');
  await expect(startButton(page, 'en')).toBeInViewport({ ratio: 1 });
  expect(await faults(page)).toEqual([]);
  await startButton(page, 'en').click();
  await expect(page.getByTestId('run-control')).toHaveAttribute('data-phase', 'running');
});

test('P2.19 a failure to load the engine is shown, and not hidden by the picture', { tag: '@rest' }, async ({ page }) => {
  await page.route(/demo\.worker.*\.js$/, (route) => route.abort());
  await page.goto('/public-test?lang=en');
  await expect(page.getByTestId('workspace-failure')).toBeVisible();
  await expect(page.locator('#still')).toHaveCount(0);
});
