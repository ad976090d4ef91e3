import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from 'playwright/test';
import { type Language, say } from '../support/browser/words.ts';

/** What PixiJS leaves in every bundle that holds it. */
const pixiMark = '__PIXI_APP_INIT__';

test('P2.01 the landing page is light: it loads neither Pixi nor the canvas, and the workspace does', async ({ page }) => {
  const loaded = collectScripts(page);
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.waitForLoadState('networkidle');
  const light = await loaded();
  expect(light.length).toBeGreaterThan(0);
  expect(light.filter((source) => source.includes(pixiMark))).toEqual([]);

  await page.goto('/bench?n=50');
  await expect(page.locator('canvas').first()).toBeVisible();
  expect((await loaded()).some((source) => source.includes(pixiMark))).toBe(true);
});

test('P2.06 W9.06 the header switches the language and remembers it, without a flash of the other one', async ({ page }) => {
  await page.goto('/');
  await expect(page.locator('html')).toHaveAttribute('lang', 'ru');
  await page.getByRole('button', { name: 'EN', exact: true }).first().click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(page.getByRole('banner').getByRole('button', { name: say('en', 'landing', 'header.signIn') })).toBeVisible();
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
  await expect(page.getByRole('banner').getByRole('button', { name: say('en', 'landing', 'header.signIn') })).toBeVisible();
  expect(languages.length).toBeGreaterThan(0);
  expect(new Set(languages)).toEqual(new Set(['en']));
});

test('P2.03 somebody who is not signed in is led from the workspace to the landing page', async ({ page }) => {
  await page.goto('/test-project');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(new URL(page.url()).pathname).not.toBe('/test-project');
});

for (const language of ['ru', 'en'] as Language[]) {
  test(`P2.02 R08.01 an address that does not exist says so and leads home (${language})`, async ({ page }) => {
    await page.goto(`/no-such-page?lang=${language}`);
    await expect(page.locator('body')).toContainText(say(language, 'common', 'fault.notFoundTitle'));
    await page.getByRole('link', { name: say(language, 'common', 'fault.home') }).click();
    await expect(page).toHaveURL(/\/(\?.*)?$/);
  });
}

for (const scheme of ['light', 'dark'] as const) {
  for (const language of ['ru', 'en'] as Language[]) {
    test(`W9.06 the landing page and its sign-in window can be read and used by everyone (${scheme}, ${language})`, async ({ page }) => {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      await page.goto(`/?lang=${language}`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      expect(await faults(page)).toEqual([]);
      await page
        .getByRole('banner')
        .getByRole('button', { name: say(language, 'landing', 'header.signIn') })
        .click();
      await expect(page.getByRole('dialog')).toBeVisible();
      expect(await faults(page)).toEqual([]);
    });
  }
}

/** What axe finds against WCAG 2.2 AA, in short. */
async function faults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

function collectScripts(page: Page): () => Promise<string[]> {
  const sources: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') sources.push(response.text().catch(() => ''));
  });
  return () => Promise.all(sources);
}
