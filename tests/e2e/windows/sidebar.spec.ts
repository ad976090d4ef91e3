import { expect } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { enterPlayed } from '../../support/browser/played-api/enter-played.ts';
import { translate, translator } from '../../support/browser/translate.ts';
import { WorkspacePage } from '../../support/browser/workspace-page.ts';
import { agentOf } from '../../support/engine/samples.ts';

const sidebarWords = translator('ru', 'workspace', 'sidebar.');

test('W2.09 W2.10 W2.11 W4.13 W4.15 three agents stand in until the list comes; the sidebar folds, searches and counts who is left', async ({
  page,
  playedApi,
}) => {
  const agents = /\/api\/nuroagent(\?|$)/;
  await page.route(agents, (route) => route.abort());
  await enterPlayed(page, playedApi);
  const workspace = new WorkspacePage(page);
  // The notice goes by itself.
  await expect(workspace.banners().filter({ hasText: translate('ru', 'errors', 'agent.fallbackShown') })).toBeVisible();
  await workspace.opened();
  const sidebar = page.getByTestId('sidebar');
  const row = (title: string) => sidebar.getByRole('listitem').filter({ hasText: title });
  const place = (title: string) => row(title).getByRole('button').first();
  await expect(row('Владелец продукта')).toHaveCount(1);
  const problem = sidebar.getByRole('alert').filter({ hasText: translate('ru', 'errors', 'network') });
  await expect(problem).toBeVisible();
  await page.unroute(agents);
  await problem.getByRole('button', { name: sidebarWords('words:retry') }).click();
  await expect(row('Владелец продукта')).toHaveCount(0);
  await expect(problem).toHaveCount(0);

  await expect(place('Аналитик')).toHaveAccessibleName(/ 1$/);
  await place('Аналитик').click();
  await expect(workspace.card('Аналитик')).toHaveCount(1);
  await expect(row('Аналитик')).toHaveAttribute('data-spent');
  await expect(place('Аналитик')).toHaveAccessibleName(`${sidebarWords('show')} Аналитик`);
  await workspace.removeCard('Аналитик');
  await expect(place('Аналитик')).toHaveAccessibleName(/ 1$/);
  await expect(row('Аналитик')).toHaveAttribute('data-hue', 'teal');
  await workspace.openSection('users');
  for (const [title, count] of [
    ['tester', '1'],
    ['developer', '1'],
    ['project-manager', '1'],
    ['assistant', '1'],
  ] as const) {
    await expect(
      sidebar.getByRole('button', { name: `${sidebarWords('place')} ${translate('ru', 'workspace', `user.${title}`)} ${count}` }),
    ).toHaveCount(1);
  }

  const rows = sidebar.getByRole('listitem');
  const all = await rows.count();
  for (const [key, isOpen] of [
    ['agents', true],
    ['users', true],
    ['beginnings', false],
    ['insert', false],
  ] as const) {
    const fold = sidebar.getByRole('button', { name: sidebarWords(key), exact: true });
    await expect(fold).toHaveAttribute('aria-expanded', String(isOpen));
    await fold.click();
    await expect(fold).toHaveAttribute('aria-expanded', String(!isOpen));
    await expect(rows).not.toHaveCount(all);
    await fold.click();
    await expect(rows).toHaveCount(all);
  }
  const search = sidebar.getByRole('textbox', { name: sidebarWords('search') });
  await search.fill('ТИМ');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('Тимлид');
  // What is found is seen, though its section is closed.
  await search.fill('диалог');
  await expect(rows).toHaveText([/Диалог/]);
  await search.fill('водолаз');
  await expect(sidebar).toContainText(sidebarWords('nothingFound', { query: 'водолаз' }));
  await search.press('Escape');
  await expect(rows).toHaveCount(all);
  await sidebar.getByRole('button', { name: sidebarWords('collapse') }).click();
  await expect(sidebar).toHaveCount(0);
  await page.getByRole('button', { name: sidebarWords('expand') }).click();
  await expect(rows).toHaveCount(all);
});

test('W2.09 W2.11 names are not cut in Russian, and a section stays as a person left it', async ({ page, playedApi }) => {
  await enterPlayed(page, playedApi);
  await new WorkspacePage(page).opened();
  const sidebar = page.getByTestId('sidebar');
  const insert = sidebar.getByRole('button', { name: sidebarWords('insert'), exact: true });
  const words = sidebar.locator('li button > span:not(.visually-hidden)');
  const cut = () => words.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent));
  await insert.click();
  await expect(sidebar.getByText(translate('ru', 'workspace', 'flow.parallelResearch'))).toBeVisible();
  expect(await cut()).toEqual([]);
  await page.reload();
  await expect(insert).toHaveAttribute('aria-expanded', 'true');
});

test('D1.08 where no agent of a role is left, its row makes a copy and places it, and offers to buy one last', async ({
  page,
  playedApi,
}) => {
  const account = await enterPlayed(page, playedApi);
  const workspace = await new WorkspacePage(page).opened();
  const title = account.agents.find(({ role }) => role === 'QA')?.title ?? '';
  playedApi.answer({
    'agent.createMany': ({ body }) => {
      const made = body.agents.map((given) => agentOf(account.agents.length + 1, 'qa-2', 'QA', { title: given.title }));
      account.agents.push(...made);
      return made;
    },
  });
  const row = page.getByTestId('sidebar').getByRole('listitem').filter({ hasText: title });
  await expect(row).toHaveAttribute('data-spent');
  await row.hover();
  const copy = row.getByRole('button', { name: sidebarWords('duplicate', { title }) });
  const buy = row.getByRole('button', { name: sidebarWords('buy', { title }) });
  await expect(row.getByRole('button').nth(1)).toHaveAccessibleName(sidebarWords('duplicate', { title }));
  await expect(row.getByRole('button').last()).toHaveAccessibleName(sidebarWords('buy', { title }));
  await expect(buy).toBeVisible();
  await copy.click();
  await expect(workspace.card(`${title} 2`)).toHaveCount(1);
  await expect(row).toHaveAttribute('data-spent');
});

test('D9.02 the first stop of the Tab key leads to Start in the run control, which at most 25 stops come before', async ({
  page,
  playedApi,
}) => {
  await enterPlayed(page, playedApi);
  await new WorkspacePage(page).opened();
  const start = page.getByTestId('run-control').getByRole('button').first();
  await expect(start).toBeEnabled();
  const hasFocus = () => page.evaluate(() => document.activeElement?.closest('[data-foot]') != null);
  const skip = page.getByRole('button', { name: translate('ru', 'workspace', 'skip') });
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.press('Tab');
  await expect(skip).toBeFocused();
  // It is seen over the bars.
  const isOnTop = await skip.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return document.elementFromPoint(left + width / 2, top + height / 2) === element;
  });
  expect(isOnTop).toBe(true);
  let stops = 1;
  while (stops < 60) {
    await page.keyboard.press('Tab');
    if (await hasFocus()) break;
    stops += 1;
  }
  expect(stops).toBeLessThanOrEqual(25);
  await skip.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('run-control').getByRole('button', { name: translate('ru', 'workspace', 'run.start') })).toBeFocused();
  // A console that fills the screen covers the run control.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+j');
  const full = page.getByTestId('console');
  await full.getByRole('button', { name: translate('ru', 'console', 'fullscreen'), exact: true }).click();
  await skip.focus();
  await page.keyboard.press('Enter');
  await expect(full.locator(':focus')).toHaveCount(1);
});
