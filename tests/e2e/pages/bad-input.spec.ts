import { expect, type Page } from 'playwright/test';
import { sampleOf } from '../../support/amounts.ts';
import { test } from '../../support/browser/browser-test.ts';
import { enterWorkspace } from '../../support/browser/enter-workspace.ts';
import { LandingSignIn, newPerson } from '../../support/browser/landing-sign-in.ts';
import { type Language, translate } from '../../support/browser/translate.ts';
import { WorkspacePage } from '../../support/browser/workspace-page.ts';
import { BreakableProxy } from '../../support/faults/breakable-proxy.ts';
import { type ModelServer, type Reply, startModelServer } from '../../support/services/model-server.ts';
import { startServer, type TestServer } from '../../support/start-server.ts';

let server: TestServer;
let model: ModelServer;
let proxy: BreakableProxy;
test.beforeAll(async () => {
  model = await startModelServer();
  proxy = await BreakableProxy.open(() => server.url);
  server = await startServer({ env: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'sk-test', ALLOWED_ORIGINS: proxy.url } });
});
test.afterAll(async () => {
  await proxy.close();
  await server.stop();
  await model.close();
});

const languages: Language[] = ['ru', 'en'];

test.describe('signing in and up', () => {
  for (const language of sampleOf(languages, { some: 1 })) {
    test(`P8.03 a wrong password is called wrong, and what was typed stays (${language})`, { tag: '@rest' }, async ({ page }) => {
      const signIn = await (await new LandingSignIn(page, server.url, language).open()).openSignIn();
      await signIn.fillSignIn({ email: 'unknown@example.org', password: 'not the password' });
      await expect(signIn.problem).toContainText(translate(language, 'auth', 'error.invalidCredentials'));
      await expect(signIn.dialog.locator('input[type="email"]')).toHaveValue('unknown@example.org');
      expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull();
    });

    test(`R12.01 a sign-up with the email of another account names the email (${language})`, { tag: '@rest' }, async ({
      page,
      browser,
    }) => {
      const person = newPerson();
      await (await new LandingSignIn(page, server.url, language).open()).signUp(person);
      const another = await (await browser.newContext()).newPage();
      const signIn = await (await new LandingSignIn(another, server.url, language).open()).openSignUp();
      await signIn.fillSignUp(person);
      await expect(signIn.problem).toContainText(translate(language, 'auth', 'error.emailTaken'));
      await another.context().close();
    });

    test(`R12.01 a short password is refused before anything is sent (${language})`, { tag: '@rest' }, async ({ page }) => {
      const signIn = await (await new LandingSignIn(page, server.url, language).open()).openSignUp();
      const sent: string[] = [];
      page.on('request', (request) => sent.push(request.url()));
      await signIn.fillSignUp({ ...newPerson(), password: 'короткий' });
      await expect(signIn.dialog).toContainText(language === 'ru' ? /Пароль слишком короткий/ : /Too short/);
      expect(sent.filter((url) => url.includes('/auth/register'))).toEqual([]);
    });
  }
});

test.describe('a provider that fails', () => {
  // The integration tests cover the other provider failures. A 401 is covered below, in the other language.
  const failures: [name: string, reply: Reply, sentence: RegExp][] = [
    ['429', { kind: 'status', status: 429, retryAfter: '0' }, /ограничил число запросов/],
    ['garbage', { kind: 'garbage' }, /не удалось разобрать/],
  ];
  for (const [name, reply, sentence] of sampleOf(failures, { some: 1 })) {
    test(`W8.04 a provider answers ${name} in the second step: the run ends with the reason, and the first result is kept`, {
      tag: '@rest',
    }, async ({ page }) => {
      const before = model.calls.length;
      model.answer(({ number }) => (number === before + 1 ? { kind: 'text', text: 'Первый результат цел.' } : reply));
      const workspace = await enter(page, 'ru');
      await workspace.write('Добавьте экспорт заказов в CSV');
      await workspace.send();
      await workspace.runEnds('failed');
      await expect(workspace.card('Ассистент')).toHaveAttribute('data-state', 'done');
      await expect(workspace.card('Менеджер продукта')).toHaveAttribute('data-state', 'failed');
      await workspace.openConsole();
      await expect(workspace.saidBy('Ассистент')).toContainText('Первый результат цел.');
      await expect(workspace.messages().filter({ hasText: sentence })).not.toHaveCount(0);
      await expect(workspace.cards()).toHaveCount(7);
    });
  }

  test('W8.04 the reason is shown in the language of the page', async ({ page }) => {
    model.answer({ kind: 'status', status: 401 });
    const workspace = await enter(page, 'en');
    await workspace.write('Add an export of orders to CSV');
    await workspace.send();
    await workspace.runEnds('failed');
    await workspace.openConsole();
    await expect(workspace.messages().filter({ hasText: /did not accept|refused the key|rejected the key/i })).not.toHaveCount(0);
  });
});

test('R31.01 a canvas that was changed elsewhere is not overwritten: both versions are offered, and none is lost', {
  tag: '@rest',
}, async ({ page, context }) => {
  const workspace = await enter(page, 'ru', proxy.url);
  await workspace.saved();
  // The same account on another device: its calls go directly to the server, not through the proxy.
  const tokens = await page.evaluate(() => ({
    accessToken: localStorage.getItem('accessToken') ?? '',
    refreshToken: localStorage.getItem('refreshToken') ?? '',
  }));
  const elsewhere = await context.newPage();
  await elsewhere.goto(`${server.url}/landing`);
  await elsewhere.evaluate(({ accessToken, refreshToken }) => {
    localStorage.setItem('accessToken', accessToken);
    localStorage.setItem('refreshToken', refreshToken);
  }, tokens);
  await elsewhere.goto(`${server.url}/test-project`);
  const other = await new WorkspacePage(elsewhere).opened();

  proxy.cutAll();
  await workspace.removeCard('Тестировщик');
  await expect(page.getByTestId('save-status')).toHaveAttribute('data-status', 'offline');
  await other.removeCard('Разработчик');
  await other.saved();
  proxy.mend();

  await expect(workspace.banners()).toContainText([translate('ru', 'workspace', 'conflict.title')]);
  await expect(workspace.card('Разработчик')).toHaveCount(1);
  await page.getByRole('button', { name: translate('ru', 'workspace', 'conflict.mine') }).click();
  await workspace.saved();
  await page.reload();
  await workspace.opened();
  await expect(workspace.card('Тестировщик')).toHaveCount(0);
  await expect(workspace.card('Разработчик')).toHaveCount(1);
});

/** Signs up a new user and opens the workspace. */
async function enter(page: Page, language: Language, url = server.url): Promise<WorkspacePage> {
  await enterWorkspace(page, url, language);
  const workspace = await new WorkspacePage(page, language).opened();
  await expect(workspace.cards()).toHaveCount(7);
  return workspace;
}
