import { expect } from 'playwright/test';
import { setUpSharedServer, test } from '../../support/browser/browser-test.ts';
import { enterWorkspace } from '../../support/browser/enter-workspace.ts';
import { enterPlayed } from '../../support/browser/played-api/enter-played.ts';
import { addProject } from '../../support/browser/played-api/new-account.ts';
import { translate, translator } from '../../support/browser/translate.ts';
import { WorkspacePage } from '../../support/browser/workspace-page.ts';
import { BenchPage } from '../../support/canvas/bench-page.ts';

const words = translator('ru', 'participation', 'empty.');

test('W3.02 an empty canvas offers a whole team, one agent or a small team, by pointer and by digit, and comes back with undo', async ({
  page,
  playedApi,
}) => {
  const account = await enterPlayed(page, playedApi);
  await new WorkspacePage(page).opened();
  const second = addProject(account, { name: 'Второй магазин', description: '' });
  await page.goto(`${playedApi.url}/test-project?projectId=${second.id}`);
  const workspace = new WorkspacePage(page);
  const offer = page.getByTestId('empty-canvas');
  await expect(offer.getByRole('heading')).toHaveText(words('title'));

  await page.keyboard.press('1');
  await expect(workspace.cards()).toHaveCount(7);
  await expect(workspace.links()).toHaveCount(6);
  await expect(offer).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await expect(workspace.cards()).toHaveCount(0);

  await offer.getByRole('button', { name: words('quick') }).click();
  await expect(workspace.cards()).toHaveCount(4);
  await expect(workspace.links()).toHaveCount(3);
  await page.keyboard.press('Control+z');

  // Also a section that a person has folded is led to.
  const agents = page.getByTestId('sidebar').getByRole('button', { name: translate('ru', 'workspace', 'sidebar.agents'), exact: true });
  await agents.click();
  await expect(agents).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press('Control+b');
  await expect(page.getByTestId('sidebar')).toHaveCount(0);
  await expect(offer).toBeVisible();
  await page.keyboard.press('2');
  const row = page.getByTestId('sidebar').locator('button:focus');
  await expect(row).toBeVisible();
  const title = (await row.textContent()) ?? '';
  await page.keyboard.press('Enter');
  await expect(workspace.cards()).toHaveCount(1);
  expect(title).toContain((await workspace.readCards())[0]?.title ?? '?');
  await workspace.saved();
});

test.describe('in a project', () => {
  const server = setUpSharedServer();

  test('D1.20 D4.07 Start says which card is skipped, and how many take part; a press mends the rest, an undo beside it takes it back, and a placed flow is the next', {
    tag: '@rest',
  }, async ({ page }) => {
    await enterWorkspace(page, server.url);
    const workspace = await new WorkspacePage(page).opened();
    const control = page.getByTestId('run-control');
    const sidebar = page.getByTestId('sidebar');
    // Seven and ten cards take the plural of many.
    const taking = (count: number, of: number) => translate('ru', 'participation', 'taking_many', { taking: count, count: of });
    await sidebar.getByText('Аналитик', { exact: true }).click();
    await page.getByTestId('taking-part').click();
    const skipped = translate('ru', 'participation', 'matter.noWayIn', { card: 'Аналитик' });
    await expect(page.getByTestId('taking-part')).toHaveText(skipped);
    await page.locator('[data-cure="linkIt"]').click();
    await expect(control).not.toContainText(skipped);
    await expect(workspace.links()).toHaveCount(7);

    await workspace.openSection('insert');
    await sidebar.getByText(translate('ru', 'workspace', 'flow.quickFix'), { exact: true }).click();
    await expect(page.getByTestId('taking-part')).toHaveText(taking(3, 10));
    await page.getByTestId('taking-part').click();
    await page.locator('[data-report="otherStart"] [data-cure="runThis"]').first().click();
    await expect(page.getByTestId('taking-part')).toHaveText(taking(7, 10));

    // The list lies beside the canvas: its keys stay those of the canvas.
    await expect(page.locator('[data-report]').first()).toBeVisible();
    await page.keyboard.press('Control+z');
    await expect(workspace.cards()).toHaveCount(8);
  });
});

test('W2.05 the offer of an empty canvas is covered by no panel, with any of them open, and says where the other agents are', {
  tag: '@rest-nightly',
}, async ({ page }) => {
  await new BenchPage(page).open({});
  const offer = page.getByTestId('empty-canvas');
  const choices = offer
    .getByRole('button')
    .filter({ hasText: new RegExp(['template', 'agent', 'quick'].map((key) => words(key)).join('|')) });
  const clear = async () => {
    await expect(choices).toHaveCount(3);
    for (const choice of await choices.all()) {
      await expect(choice).toBeInViewport({ ratio: 1 });
      // Nothing overlaps it.
      await choice.click({ trial: true });
    }
  };
  await clear();
  await page.keyboard.press('Control+j');
  await expect(page.getByTestId('console')).toBeVisible();
  await clear();
  await page.keyboard.press('Control+j');
  await page.keyboard.press('Control+b');
  await clear();
  await page.setViewportSize({ width: 1_100, height: 600 });
  await clear();
  await page.setViewportSize({ width: 1_440, height: 900 });
  await offer.getByRole('button', { name: words('find') }).click();
  await expect(page.getByRole('combobox')).toBeFocused();
  await page.keyboard.press('Escape');
  await offer.getByRole('button', { name: words('keys') }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('W2.04 the offer fits a phone, and opens the list of agents there', async ({ page }) => {
    await new BenchPage(page).open({});
    const offer = page.getByTestId('empty-canvas');
    // On a phone no link is drawn and nothing is dragged from a list: the text mentions neither.
    for (const key of ['textPhone', 'agentTextPhone']) await expect(offer).toContainText(words(key));
    for (const choice of await offer.getByRole('button').all()) await expect(choice).toBeInViewport({ ratio: 1 });
    await offer.getByRole('button', { name: words('agent') }).tap();
    await expect(page.getByTestId('sidebar')).toBeVisible();
  });
});
