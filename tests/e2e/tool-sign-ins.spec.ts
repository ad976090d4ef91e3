import { expect, type Page } from 'playwright/test';
import { sampleOf } from '../support/amounts.ts';
import { test } from '../support/browser/browser-test.ts';
import { enterAs, signUp } from '../support/browser/enter-workspace.ts';
import { faults } from '../support/browser/faults.ts';
import { translate, translator } from '../support/browser/translate.ts';
import { watchErrors } from '../support/browser/watch-errors.ts';
import { startServer, type TestServer } from '../support/start-server.ts';
import { type AuthorizationServer, startAuthorizationServer } from '../support/tools/authorization-server.ts';
import { startToolServer, type ToolServer } from '../support/tools/tool-server.ts';

let gate: AuthorizationServer;
let tools: ToolServer;
let server: TestServer;
/** The server by the name that it gives itself: a sign-in leads back there. */
let site: string;
test.beforeAll(async () => {
  tools = await startToolServer();
  server = await startServer({ env: { ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on' } });
  site = server.url.replace('127.0.0.1', 'localhost');
});
test.beforeEach(async () => {
  gate = await startAuthorizationServer();
  tools.list([{ name: 'find', description: 'Finds tickets.', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }]);
  tools.documents.set('/.well-known/oauth-protected-resource/mcp', { resource: tools.url, authorization_servers: [gate.url] });
  tools.lie(({ headers, response }) => {
    const isSignedIn = /^Bearer access-\d+$/.test(headers.authorization ?? '');
    if (!isSignedIn) response.writeHead(401).end();
    return !isSignedIn;
  });
});
test.afterEach(() => gate.close());
test.afterAll(async () => {
  await server?.stop();
  await tools?.close();
});

const words = translator('ru', 'tool-servers');
const firstProject = translate('ru', 'content/seed', 'project.name');
const heading = (page: Page) => page.getByTestId('project-bar').locator('h1');
const toolsWindow = (page: Page) => page.getByRole('dialog', { name: translate('ru', 'projects', 'modelsAndTools') });

/** Opens a project of a new person, connects the tool server there, and begins the sign-in. `answer` gives what its page sends back. */
async function beginSignIn(page: Page, { other }: { other: string | null }, answer = (asked: string) => gate.approve(asked)) {
  const thrown = watchErrors(page);
  const { session } = await signUp(page, site);
  const headers = { Authorization: `Bearer ${session.accessToken}` };
  await page
    .context()
    .route(`${gate.url}/authorize?**`, (route) =>
      route.fulfill({ status: 302, headers: { location: answer(route.request().url()).href } }),
    );
  await enterAs(page, site, session);
  if (other !== null) {
    const made = await page.request.post(`${site}/api/project`, { data: { name: other, description: '' }, headers });
    const { id } = (await made.json()) as { id: string };
    await page.goto(`${site}/test-project?projectId=${id}`);
  }
  await expect(heading(page)).toHaveText(other ?? firstProject);
  await page.keyboard.press('Alt+t');
  const window = toolsWindow(page);
  await window.getByRole('button', { name: words('connect') }).click();
  const form = window.getByRole('form', { name: words('connect') });
  await form.getByLabel(words('words:name'), { exact: true }).fill('Задачи');
  await form.getByLabel(words('words:address'), { exact: true }).fill(tools.url);
  await form.getByLabel(words('auth')).click();
  await page.getByRole('option', { name: words('auths.account') }).click();
  await form.getByRole('button', { name: words('words:connect') }).click();
  await window.getByRole('button', { name: words('common:signIn'), exact: true }).click();
  await expect(window.getByTestId('sign-in')).toContainText(new URL(gate.url).host);
  const opened = page.context().waitForEvent('page');
  const openPage = async () => {
    await window.getByRole('link', { name: words('openSignIn') }).click();
    const returned = await opened;
    thrown.push(...watchErrors(returned));
    return returned;
  };
  return { thrown, openPage };
}

for (const other of sampleOf(['Второй проект', null], { some: 1 }))
  test(`G3.28 a person who signs in to a tool server of ${other === null ? 'the first' : 'another'} project comes back to it, and sees the tools at once`, {
    tag: '@rest',
  }, async ({ page }) => {
    const { thrown, openPage } = await beginSignIn(page, { other });
    const returned = await openPage();
    const window = toolsWindow(returned);
    await expect(window.getByTestId('sign-in')).toContainText(words('signedIn'));
    await expect(window.locator('[data-tool="find"]')).toBeVisible();
    await expect(window.getByRole('alert')).toHaveCount(0);
    await expect(heading(returned)).toHaveText(other ?? firstProject);
    expect(await faults(returned, '[data-testid="tools-window"]')).toEqual([]);
    // The code is not left in the address, and a reload opens the same project.
    expect(returned.url()).not.toMatch(/code|state/);
    await returned.reload();
    await expect(heading(returned)).toHaveText(other ?? firstProject);
    await expect(window).toHaveCount(0);
    expect(thrown).toEqual([]);
  });

test('G3.28 a refused sign-in to a tool server is reported in the project that started the sign-in, and nothing is stored', {
  tag: '@rest-nightly',
}, async ({ page }) => {
  const { openPage } = await beginSignIn(page, { other: 'Второй проект' }, (asked) => {
    const back = gate.approve(asked);
    back.searchParams.delete('code');
    back.searchParams.set('error', 'access_denied');
    return back;
  });
  const returned = await openPage();
  const window = toolsWindow(returned);
  await expect(window.getByRole('alert')).toHaveText(translate('ru', 'errors', 'tools.signInRefused'));
  await expect(window.getByTestId('sign-in')).toContainText(words('notSignedIn'));
  await expect(heading(returned)).toHaveText('Второй проект');
  expect(gate.asked.filter(({ path }) => path === '/token')).toEqual([]);
});

test('G3.28 a reload before the sign-in has ended goes on with it', { tag: '@rest' }, async ({ page }) => {
  const { openPage } = await beginSignIn(page, { other: 'Второй проект' });
  // The first try to end it never leaves the browser.
  let tries = 0;
  await page.context().route('**/sign-in', (route) => {
    if (route.request().method() !== 'PUT') return route.continue();
    tries++;
    return tries === 1 ? undefined : route.continue();
  });
  const returned = await openPage();
  await expect.poll(() => tries).toBe(1);
  await returned.reload();
  const window = toolsWindow(returned);
  await expect(window.locator('[data-tool="find"]')).toBeVisible();
  await expect(window.getByTestId('sign-in')).toContainText(words('signedIn'));
  await expect(heading(returned)).toHaveText('Второй проект');
});

test('G3.28 a test that fails after the sign-in is told, with the server', { tag: '@rest-nightly' }, async ({ page }) => {
  const { openPage } = await beginSignIn(page, { other: 'Второй проект' });
  await page.context().route('**/tool-servers/*/test', (route) => route.fulfill({ status: 500, json: { code: 'internal', message: '' } }));
  const returned = await openPage();
  const window = toolsWindow(returned);
  await expect(window.getByRole('alert')).not.toBeEmpty();
  await expect(window.getByTestId('sign-in')).toContainText(words('signedIn'));
});
