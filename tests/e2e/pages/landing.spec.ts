import { expect, type Page } from 'playwright/test';
import { sampleOf } from '../../support/amounts.ts';
import { test } from '../../support/browser/browser-test.ts';
import { faults, faultsInBothThemes } from '../../support/browser/faults.ts';
import { type Language, translate } from '../../support/browser/translate.ts';
import { startServer } from '../../support/start-server.ts';

/** A string that PixiJS leaves in every bundle that contains it. */
const pixiMark = '__PIXI_APP_INIT__';

// Tests read the loaded scripts, and set the clock.
test.use({ ownContext: true });

test('P2.01 R01.01 the landing page is light and can be found and read without script, which takes it over as it is; the canvas comes elsewhere', {
  tag: '@rest',
}, async ({ page, browser }) => {
  const loaded = collectScripts(page);
  const complaints = collectComplaints(page);
  await page.addInitScript(() => {
    const shown = window as unknown as { prerendered: (Element | null)[] };
    document.addEventListener('DOMContentLoaded', () => {
      shown.prerendered = ['h1', '#faq', 'footer'].map((part) => document.querySelector(part));
    });
  });
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.waitForLoadState('networkidle');
  await expect(page.getByRole('button', { name: translate('ru', 'common', 'signIn'), exact: true }).first()).toBeEnabled();
  await page.locator('#faq button').last().click();
  await expect(page.locator('#faq button').last()).toHaveAttribute('aria-expanded', 'true');
  const kept = await page.evaluate(() => {
    const { prerendered } = window as unknown as { prerendered: (Element | null)[] };
    return ['h1', '#faq', 'footer'].map((part, place) => prerendered[place] === document.querySelector(part));
  });
  expect(kept).toEqual([true, true, true]);
  expect(complaints).toEqual([]);
  const light = await loaded();
  expect(light.length).toBeGreaterThan(0);
  expect(light.filter((source) => source.includes(pixiMark))).toEqual([]);
  await expect(page.locator('link[rel=canonical]')).toHaveJSProperty('href', new URL('/', page.url()).href);
  expect(await page.locator('link[rel=alternate]').evaluateAll((links) => links.map((link) => link.getAttribute('hreflang')))).toEqual([
    ...['ru', 'en', 'x-default'],
  ]);
  await expect(page.locator('meta[name=description]')).toHaveAttribute('content', translate('ru', 'landing', 'hero.lead'));
  const { icons } = await (await page.request.get('/manifest.webmanifest')).json();
  const named = icons.map((icon: { src: string }) => icon.src);
  expect(named).toHaveLength(4);
  for (const file of [...named, '/share.png', '/apple-touch-icon.png']) expect((await page.request.get(file)).status()).toBe(200);

  const reader = await browser.newContext({ javaScriptEnabled: false, baseURL: new URL(page.url()).origin });
  const plain = await reader.newPage();
  const letters = plain.waitForRequest(/\.woff2$/);
  for (const language of ['ru', 'en'] as Language[]) {
    await plain.goto(`/?lang=${language}`);
    await expect(plain.locator('html')).toHaveAttribute('lang', language);
    await expect(plain).toHaveTitle(`${translate(language, 'landing', 'hero.motto')} · ${translate(language, 'common', 'product')}`);
    await expect(plain.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(plain.getByText(translate(language, 'offer', 'faq.security.answer'))).toBeVisible();
  }
  await letters;
  await plain.goto('/public-test?lang=ru');
  await expect(plain.getByRole('heading', { level: 1 })).toHaveText(translate('ru', 'content/demo', 'project.name'));
  await reader.close();

  await page.goto('/bench?n=50');
  await expect(page.locator('canvas').first()).toBeVisible();
  expect((await loaded()).some((source) => source.includes(pixiMark))).toBe(true);
});

test('P2.06 P4.08 W9.06 the header switches language and theme, and remembers the language without a flash of the other one', async ({
  page,
}) => {
  let bring = () => {};
  const brought = new Promise<void>((resolve) => (bring = resolve));
  await page.route('**/assets/landing-app-*.js', async (route) => {
    await brought;
    await route.continue();
  });
  await page.goto('/');
  await expect(page.locator('html')).toHaveAttribute('lang', 'ru');
  await page.getByRole('radio', { name: 'RU', exact: true }).focus();
  await page.keyboard.press('ArrowRight');
  // Chosen before the page's script had run.
  bring();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(page.getByRole('radio', { name: 'EN', exact: true })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: translate('en', 'common', 'darkTheme') })).toBeFocused();
  await expect(page.getByRole('banner').getByRole('button', { name: translate('en', 'common', 'signIn') })).toBeVisible();
  const ripples = await watchRipples(page);
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.locator('meta[name=theme-color]')).toHaveAttribute('content', '#0f172a');
  await expect.poll(ripples).toEqual([600]);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.getByRole('button', { name: translate('en', 'common', 'lightTheme') }).click();
  await expect(page.locator('meta[name=theme-color]')).toHaveAttribute('content', '#ffffff');
  expect(await ripples()).toEqual([600]);

  const languages: string[] = [];
  await page.exposeFunction('noteLanguage', (language: string) => languages.push(language));
  await page.addInitScript(() => {
    const note = (window as unknown as { noteLanguage: (language: string) => void }).noteLanguage;
    document.addEventListener('DOMContentLoaded', () => {
      note(document.documentElement.lang);
      new MutationObserver(() => note(document.documentElement.lang)).observe(document.documentElement, { attributeFilter: ['lang'] });
    });
  });
  await page.reload();
  await expect(page.getByRole('banner').getByRole('button', { name: translate('en', 'common', 'signIn') })).toBeVisible();
  expect(languages.length).toBeGreaterThan(0);
  expect(new Set(languages)).toEqual(new Set(['en']));
});

test('P2.03 a visitor who is not signed in is redirected from the workspace to the landing page', async ({ page }) => {
  await page.goto('/test-project');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(new URL(page.url()).pathname).not.toBe('/test-project');
});

/** The pages that need neither a session nor a canvas. */
const plainPages = [
  '/forbidden',
  '/reset-password?token=x',
  '/privacy-policy',
  '/simple-test',
  '/login-test',
  '/test-auth',
  '/storage-test',
];

for (const language of ['ru', 'en'] as Language[]) {
  test(`P2.02 W9.06 R08.01 an address that does not exist and a page that fails say so and lead home, and everyone can read them and the plain pages (${language})`, async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const path of [...plainPages, '/no-such-page']) {
      await page.goto(`${path}${path.includes('?') ? '&' : '?'}lang=${language}`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      expect(await faultsInBothThemes(page), path).toEqual([]);
      expect(page.url()).toContain(path);
    }
    await expect(page.locator('body')).toContainText(translate(language, 'common', 'fault.notFoundTitle'));
    await page.getByRole('link', { name: translate(language, 'common', 'fault.home') }).click();
    await expect(page).toHaveURL(/\/(\?.*)?$/);

    // A page that throws while it renders.
    const failing = "export function PrivacyRoute() { throw new Error('planted'); }";
    await page.route('**/assets/privacy-route-*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: failing }));
    await page.goto(`/privacy-policy?lang=${language}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(translate(language, 'common', 'fault.title'));
    await expect(page.getByText(translate(language, 'common', 'fault.text'))).toBeVisible();
    expect(await faults(page)).toEqual([]);
    await page.getByRole('link', { name: translate(language, 'common', 'fault.home') }).click();
    await expect(page.locator('#request-demo-form')).toBeAttached();
  });
}

for (const language of sampleOf<Language>(['en', 'ru'], { some: 1 })) {
  test(`P2.07 W9.06 the landing page and its sign-in window can be read and used by everyone, in both themes (${language})`, {
    tag: '@rest',
  }, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(`/?lang=${language}`);
    await expect(page.locator('#request-demo-form')).toBeAttached();
    // With reduced motion no beam moves: every step is reached.
    await expect(page.locator('#how-it-works li[data-reached]')).toHaveCount(4);
    expect(await faultsInBothThemes(page)).toEqual([]);
    await page
      .getByRole('banner')
      .getByRole('button', { name: translate(language, 'common', 'signIn') })
      .click();
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(await faultsInBothThemes(page)).toEqual([]);
  });
}

test('P1.01 P2.05 P2.08 P2.09 P2.10 P2.11 P2.12 P2.26 P9.01 R45.01 the landing page tells everything in its order, and its cards, questions and plans answer', async ({
  page,
}) => {
  const noted: string[] = [];
  page.on('console', (message) => noted.push(message.text()));
  await page.goto('/?lang=ru');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('#request-demo-form')).toBeAttached();
  const ids = await page.locator('main section[id]').evaluateAll((sections) => sections.map((section) => section.id).filter(Boolean));
  expect(ids).toEqual([
    ...['how-it-works', 'agents', 'features', 'audience', 'public-demo-flow', 'advantages'],
    ...['competitor-comparison', 'pricing', 'testimonials', 'faq', 'request-demo-form'],
  ]);
  const links = await page.locator('a').evaluateAll((all) => [...new Set(all.map((link) => link.getAttribute('href') ?? ''))].toSorted());
  expect(links).toEqual([
    ...[
      '#agents',
      '#content',
      '#faq',
      '#features',
      '#how-it-works',
      '#pricing',
      '#request-demo-form',
      '/',
      '/privacy-policy',
      '/public-test',
    ],
  ]);
  for (const anchor of links.filter((href) => href.startsWith('#'))) await expect(page.locator(anchor)).toBeAttached();
  for (const [section, words] of [
    ['how-it-works', 'howItWorks.demo'],
    ['request-demo-form', 'finalCTA.demo'],
  ] as const) {
    await expect(page.locator(`#${section}`).getByRole('link', { name: translate('ru', 'landing', words) })).toHaveAttribute(
      'href',
      '/public-test',
    );
  }
  const opens = async (words: string, title: string) => {
    await page
      .locator('main')
      .getByRole('button', { name: translate('ru', 'landing', words), exact: true })
      .click();
    await expect(page.getByRole('dialog').getByRole('heading', { name: translate('ru', 'auth', title) })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  };
  await opens('hero.start', 'signUp.title');
  await opens('common:createAccount', 'signUp.title');
  await opens('common:signIn', 'signIn.title');
  const developer = page
    .locator('#agents li')
    .filter({ has: page.getByRole('heading', { name: translate('ru', 'landing', 'agents.developer.name') }) });
  for (const word of ['active', 'developer.title', 'developer.specialization']) {
    await expect(developer.getByText(translate('ru', 'landing', `agents.${word}`), { exact: true })).toBeVisible();
  }
  const prompt = page.locator('#agents').getByText(translate('ru', 'landing', 'agents.developer.systemPrompt'));
  await expect(prompt).toBeHidden();
  await developer.getByText(translate('ru', 'landing', 'agents.instruction'), { exact: true }).click();
  await expect(prompt).toBeVisible();
  await expect(page.locator('#advantages')).toContainText(/70\s%.*25\s%.*100\s%/);
  const planned = page.locator('#features').getByText(translate('ru', 'offer', 'features.integrations.planned'), { exact: true });
  await expect(planned).toHaveCount(2);
  const ready = page.locator('#features').getByText(translate('ru', 'offer', 'features.integrations.ready'), { exact: true });
  await expect(ready).toHaveCount(5);
  await expect(page.locator('#testimonials').getByText(translate('ru', 'offer', 'testimonials.label'), { exact: true })).toHaveCount(3);
  await expect(page.locator('#competitor-comparison h3')).toHaveCount(6);

  const highlighted = page.locator('#audience li[data-highlighted] h3');
  await expect(highlighted).toHaveText(translate('ru', 'offer', 'audience.startups.name'));
  await page.getByRole('heading', { name: translate('ru', 'offer', 'audience.smb.name') }).hover();
  await expect(highlighted).toHaveText(translate('ru', 'offer', 'audience.smb.name'));
  await page.getByRole('heading', { name: translate('ru', 'offer', 'audience.title') }).hover();
  await expect(highlighted).toHaveText(translate('ru', 'offer', 'audience.startups.name'));

  const answer = (key: string) => page.getByText(translate('ru', 'offer', `faq.${key}.answer`));
  const ask = (key: string) => page.getByRole('button', { name: translate('ru', 'offer', `faq.${key}.question`) }).click();
  await expect(page.locator('#faq button')).toHaveCount(5);
  await ask('zapier');
  await expect(answer('zapier')).toBeVisible();
  await expect(answer('security')).toBeHidden();
  await ask('zapier');
  await expect(page.locator('#faq button[aria-expanded=true]')).toHaveCount(0);

  const pricing = page.locator('#pricing');
  await expect(pricing).toContainText(/24\s067\s₽.*51\s827\s₽.*72\s361\s₽.*201\s225\s₽/);
  const team = pricing.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Team' }) });
  await expect(team).toContainText(translate('ru', 'offer', 'pricing.recommended'));
  await team.getByRole('button').click();
  expect(noted).toContainEqual('[pricing] plan chosen: team');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const comment = page.locator('#request-demo-form textarea');
  await expect(comment).toHaveValue(translate('ru', 'landing', 'finalCTA.form.planComment', { plan: 'Team' }));

  await page.getByRole('radio', { name: 'EN', exact: true }).first().click();
  await expect(pricing).toContainText(/\$299.*\$499.*\$899.*\$2,499/);
  await expect(comment).toHaveValue(translate('en', 'landing', 'finalCTA.form.planComment', { plan: 'Team' }));
});

test('P2.07 P4.09 the timeline travels only in view, and the demo on the landing page takes a task from ticket to pull request, 1.5 s a step and without the network', async ({
  page,
}) => {
  await page.clock.install();
  await page.goto('/?lang=en');
  const demo = page.locator('#public-demo-flow');
  const example = demo.getByRole('button', { name: translate('en', 'offer', 'demo.examples.reset.title') });
  await demo.getByRole('button', { name: translate('en', 'offer', 'demo.run') }).click();
  await expect(example).toBeVisible();
  await page.waitForLoadState('networkidle');
  // From here on time passes only where the test says so.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
  const reached = page.locator('#how-it-works li[data-reached]');
  const beam = async () => Number(await page.locator('#how-it-works ol').evaluate((list) => list.style.getPropertyValue('--beam')));
  // Outside the view the beam waits at its first stop; in view it moves.
  await page.clock.runFor(9_000);
  await expect(reached).toHaveCount(1);
  await page.locator('#how-it-works ol').scrollIntoViewIfNeeded();
  await expect
    .poll(async () => {
      await page.clock.runFor(250);
      return reached.count();
    })
    .toBe(2);
  await demo.scrollIntoViewIfNeeded();
  await expect
    .poll(async () => {
      const before = await beam();
      await page.clock.runFor(250);
      return (await beam()) - before;
    })
    .toBe(0);
  const left = await beam();
  expect(left).toBeGreaterThanOrEqual(1);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));

  await example.click();
  await expect(demo.getByRole('button', { name: translate('en', 'offer', 'demo.running') })).toBeVisible();
  await expect(example).toHaveCount(0);
  const steps = demo.getByRole('list', { name: translate('en', 'offer', 'demo.output') }).locator('li[data-step]');
  const task = translate('en', 'offer', 'demo.examples.reset.input');
  for (const [place, text] of [task, `Work plan: “${task}”`, 'hash(password, 10)', 'Not executed'].entries()) {
    await expect(steps.nth(place).getByText(text)).toBeHidden();
    await page.clock.runFor(1_500);
    await expect(steps.nth(place).getByText(text)).toBeVisible();
  }
  await expect(demo.getByRole('button', { name: translate('en', 'offer', 'demo.run') })).toBeVisible();
  await expect(example).toHaveCount(0);

  // The visitor's own text goes through the generator of the simulated team.
  await demo.getByRole('textbox', { name: translate('en', 'offer', 'demo.input') }).fill('Weather forecast for picnics');
  await demo.getByRole('button', { name: translate('en', 'offer', 'demo.run') }).click();
  for (const [place, text] of ['Weather forecast for picnics', 'forecast', 'src/weather/rules.ts', 'src/weather/http.ts'].entries()) {
    await page.clock.runFor(1_500);
    await expect(steps.nth(place).getByText(text).first()).toBeVisible();
  }
  await demo.getByRole('button', { name: translate('en', 'offer', 'demo.again') }).click();
  await expect(example).toBeVisible();
  expect(requests).toEqual([]);
  expect(await beam()).toBe(left);
});

test('P2.13 P2.14 P2.25 P4.10 P5.03 P8.04 a demo request is kept in the form until the server has it, and its consent leads to the privacy policy', async ({
  page,
}) => {
  const server = await startServer();
  const form = page.getByRole('form', { name: translate('ru', 'landing', 'finalCTA.form.title') });
  const field = (name: string) => form.getByLabel(translate('ru', 'landing', `finalCTA.form.${name}`), { exact: true });
  const send = form.getByRole('button', { name: translate('ru', 'landing', 'requestDemo') });
  const outcome = form.locator('[data-outcome]');
  try {
    await page.goto(`${server.url}/?lang=ru#request-demo-form`);
    await expect(send).toBeDisabled();
    await field('name').fill('Анна');
    await field('email').fill('anna');
    await expect(form.getByText(translate('ru', 'landing', 'finalCTA.form.emailInvalid'))).toHaveCount(0);
    await form.getByRole('checkbox').click();
    await expect(form.getByRole('checkbox')).toBeChecked();
    await form.getByRole('checkbox').uncheck();
    await expect(form.getByText(translate('ru', 'landing', 'finalCTA.form.emailInvalid'))).toBeVisible();
    await field('email').fill('anna@example.org');
    await expect(form.getByText(translate('ru', 'landing', 'finalCTA.form.emailInvalid'))).toHaveCount(0);
    await expect(send).toBeDisabled();
    await page
      .getByRole('banner')
      .getByRole('link', { name: translate('ru', 'common', 'product') })
      .click();
    await expect(page.getByRole('heading', { level: 1 })).toBeInViewport();
    await expect(field('email')).toHaveValue('anna@example.org');
    await form.getByRole('checkbox').check();
    await field('comment').fill('а'.repeat(230));
    await expect(field('comment')).toHaveValue('а'.repeat(200));

    await page.route('**/api/leads', (route) => route.abort());
    await send.click();
    await expect(outcome).toHaveText(translate('ru', 'landing', 'finalCTA.alert.error'));
    await expect(field('name')).toHaveValue('Анна');
    await page.unroute('**/api/leads');
    for (const [wait, told] of [
      ['42', translate('ru', 'landing', 'finalCTA.alert.seconds_few', { count: 42 })],
      ['600', translate('ru', 'landing', 'finalCTA.alert.minutes_many', { count: 10 })],
    ] as const) {
      const refusal = { status: 429, headers: { 'retry-after': wait }, json: { code: 'too_many_requests', message: 'Too many' } };
      await page.route('**/api/leads', (route) => route.fulfill(refusal));
      await send.click();
      await expect(outcome).toHaveText(told);
      await expect(field('name')).toHaveValue('Анна');
      await page.unroute('**/api/leads');
    }
    await send.click();
    await expect(outcome).toHaveText(translate('ru', 'landing', 'finalCTA.alert.success'));
    for (const name of ['name', 'email', 'company', 'role', 'comment']) await expect(field(name)).toHaveValue('');
    await expect(form.getByRole('checkbox')).not.toBeChecked();

    const demo = await (await page.request.get(`${server.url}/public-test?lang=en`)).text();
    expect(demo).toMatch(/<html lang="en"/);
    expect(demo).toContain(`<title>${translate('en', 'workspace', 'demo.pageTitle')} · ${translate('en', 'common', 'product')}</title>`);
    expect(demo).toMatch(/<link rel="canonical" href="[^"]*\/public-test\?lang=en" \/>/);
    const lost = await page.request.get(`${server.url}/no-such-page`, { headers: { accept: 'text/html' } });
    expect([lost.status(), await lost.text()]).toEqual([404, expect.stringContaining(translate('ru', 'common', 'fault.notFoundTitle'))]);

    const staff = await page.request.post(`${server.url}/api/auth/register`, {
      data: { name: 'Олег', email: 'oleg@example.org', password: 'семь раз отмерь' },
    });
    const { accessToken } = await staff.json();
    const leads = await page.request.get(`${server.url}/api/leads`, { headers: { Authorization: `Bearer ${accessToken}` } });
    expect(await leads.json()).toEqual([expect.objectContaining({ name: 'Анна', email: 'anna@example.org', consent: true })]);

    await expect(page.getByRole('contentinfo').getByRole('link', { name: translate('ru', 'landing', 'footer.privacy') })).toBeVisible();
    await expect(page.getByRole('contentinfo').getByRole('link', { name: translate('ru', 'landing', 'footer.terms') })).toHaveCount(0);
    const policyOpens = page.waitForEvent('popup');
    await form.getByRole('link').click();
    const policy = await policyOpens;
    await expect(policy.getByRole('heading', { level: 1 })).toHaveText(translate('ru', 'privacy', 'title'));
    await expect(policy.getByRole('heading', { level: 2 })).toHaveCount(5);
    await expect(policy.getByText('25 июля 2024')).toBeVisible();
    await expect(policy.locator('link[rel=canonical]')).toHaveAttribute('href', /\/privacy-policy$/);
    await policy.getByRole('link', { name: translate('ru', 'common', 'home') }).click();
    await expect(policy.locator('#request-demo-form')).toBeAttached();
    await expect(policy.locator('link[rel=canonical]')).toHaveCount(0);
  } finally {
    await server.stop();
  }
});

/** Returns the durations (ms) of the circle animations that reveal another theme. */
async function watchRipples(page: Page): Promise<() => Promise<unknown[]>> {
  await page.evaluate(() => {
    const noted: unknown[] = [];
    (window as unknown as { __ripples: unknown[] }).__ripples = noted;
    const { animate } = Element.prototype;
    Element.prototype.animate = function (...asked) {
      const options = asked[1];
      if (typeof options === 'object' && options.pseudoElement?.startsWith('::view-transition')) noted.push(options.duration);
      return animate.apply(this, asked);
    };
  });
  return () => page.evaluate(() => (window as unknown as { __ripples: unknown[] }).__ripples);
}

function collectScripts(page: Page): () => Promise<string[]> {
  const sources: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') sources.push(response.text().catch(() => ''));
  });
  return () => Promise.all(sources);
}

/** Collects the page's uncaught and console errors, such as failed hydration. */
function collectComplaints(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  return complaints;
}

test('P2.05 P2.06 the header stays, a phone has a menu of the sections, and the first screen leads to the demo', async ({ page }) => {
  // The page is at rest only after its menu was used.
  await page.addInitScript(() => {
    const { requestIdleCallback } = window;
    const held: IdleRequestCallback[] = [];
    window.requestIdleCallback = (task) => held.push(task);
    document.addEventListener('let-rest', () => {
      window.requestIdleCallback = requestIdleCallback;
      for (const task of held) requestIdleCallback(task);
    });
  });
  await page.goto('/?lang=en');
  await expect(page.getByRole('main').getByRole('link', { name: translate('en', 'landing', 'hero.demo') })).toHaveAttribute(
    'href',
    '/public-test',
  );
  await page.locator('#pricing').scrollIntoViewIfNeeded();
  const header = page.getByRole('banner');
  await expect(header).toBeInViewport();
  await expect(header.getByRole('button', { name: translate('en', 'landing', 'header.nav') })).toBeHidden();

  await page.setViewportSize({ width: 390, height: 844 });
  const menu = header.getByRole('button', { name: translate('en', 'landing', 'header.nav') });
  const pricing = page.locator('#section-menu').getByRole('link', { name: translate('en', 'landing', 'header.links.pricing') });
  await expect(pricing).toBeHidden();
  await menu.click();
  await pricing.click();
  await expect(pricing).toBeHidden();
  const title = page.locator('#pricing h2');
  await expect(title).toBeInViewport();
  await expect(page.locator('[data-waiting]')).toHaveCount(0);
  await expect(page.locator('[data-at-rest]')).toHaveCount(0);
  const letRest = async () => {
    await page.evaluate(() => document.dispatchEvent(new Event('let-rest')));
    await expect(page.locator('[data-at-rest]')).toBeAttached();
  };
  await letRest();
  await expect(title).toBeInViewport();
  await menu.press('Enter');
  await expect(pricing).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(pricing).toBeHidden();
  await page.reload();
  await expect(title).toBeInViewport();
  await expect(page.locator('[data-waiting]')).toHaveCount(0);
  await letRest();
  await expect(title).toBeInViewport();
});

test('P4.08 P2.05 the page prints in light colours with every section and every answer, and a picture of the whole page has them too', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/?lang=en');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  const sections = page.locator('main section[id]');
  await expect(page.locator('[data-at-rest]')).toBeAttached();
  const isLaidOut = (element: Element) => element.checkVisibility({ contentVisibilityAuto: true });
  for (const section of await sections.all()) expect(await section.locator('h2').evaluate(isLaidOut)).toBe(true);

  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const colours = await page.locator('#pricing').evaluate((section) => {
    const { backgroundColor, color } = getComputedStyle(section);
    return { backgroundColor, color };
  });
  expect(colours).toEqual({ backgroundColor: 'rgb(248, 250, 252)', color: 'rgb(15, 23, 42)' });
  for (const key of ['security', 'customization'] as const) {
    await expect(page.getByText(translate('en', 'offer', `faq.${key}.answer`))).toBeVisible();
  }
});
