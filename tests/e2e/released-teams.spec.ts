import { expect } from 'playwright/test';
import { setUpSharedServer, test } from '../support/browser/browser-test.ts';
import { enterWorkspace } from '../support/browser/enter-workspace.ts';
import { translator } from '../support/browser/translate.ts';
import { WorkspacePage } from '../support/browser/workspace-page.ts';

const server = setUpSharedServer();

const words = translator('ru', 'released-teams');
const ofConnect = translator('ru', 'connect');
const ofVersions = translator('ru', 'versions');
const ofBudgets = translator('ru', 'budgets');

test('K4.14 a person releases the team beside its versions by the keyboard, copies its lines, tries its form, goes back and withdraws it', {
  tag: '@rest',
}, async ({ page }) => {
  await enterWorkspace(page, server.url);
  await new WorkspacePage(page).opened();
  await page.keyboard.press('Alt+v');
  const versions = page.getByTestId('versions');
  await versions.getByRole('button', { name: ofVersions('words:release'), exact: true }).press('Enter');
  const dialog = page.getByRole('dialog', { name: ofConnect('words:connect') });
  await dialog.getByRole('button', { name: words('words:release'), exact: true }).press('Enter');
  const form = dialog.getByRole('form', { name: words('words:release') });
  await form.getByLabel(words('form.slug')).fill('Не имя');
  await form.getByLabel(words('form.title')).fill('Заметки о выпуске');
  await form.getByLabel(words('form.task')).fill('Напиши о {topic}');
  // A new team asks for its task.
  await expect(form.getByLabel(words('words:givenName'), { exact: true })).toHaveValue('task');
  await form.getByRole('button', { name: words('form.removeField', { number: 1 }) }).press('Enter');
  await form.getByRole('button', { name: words('form.addField') }).press('Enter');
  await form.getByLabel(words('words:givenName'), { exact: true }).fill('topic');
  await page.keyboard.press('Enter');
  await expect(form.getByText(words('form.wrong.slug'))).toBeVisible();
  await expect(form.getByLabel(words('form.slug'))).toBeFocused();
  await form.getByLabel(words('form.slug')).fill('notes');
  await form.getByText(words('form.limits')).focus();
  await page.keyboard.press('Enter');
  await form.getByLabel(ofBudgets('tokens')).fill('много');
  await page.keyboard.press('Enter');
  await expect(form.getByText(ofBudgets('wrong'))).toBeVisible();
  await expect(form.getByLabel(ofBudgets('tokens'))).toBeFocused();
  await form.getByLabel(ofBudgets('tokens')).fill('900000');
  await page.keyboard.press('Enter');
  const team = dialog
    .getByRole('list', { name: words('list') })
    .getByRole('listitem')
    .first();
  await expect(team).toContainText('Заметки о выпуске');
  await expect(team.locator('code').first()).toHaveText(/\/api\/team\/notes$/);
  await expect(team.locator('code').nth(1)).toContainText('"topic"');
  await expect(team.locator('code').nth(2)).toContainText('/mcp');

  await team.getByRole('button', { name: words('try.of', { title: 'Заметки о выпуске' }) }).press('Enter');
  const tried = dialog.getByRole('form', { name: words('try.of', { title: 'Заметки о выпуске' }) });
  await tried.getByRole('button', { name: words('try.start') }).press('Enter');
  await expect(tried.getByText(words('try.wrong.text'))).toBeVisible();
  await expect(tried.locator('[aria-invalid="true"]').first()).toBeFocused();
  await tried.getByLabel('topic').fill('чае');
  await tried.getByRole('button', { name: words('try.start') }).press('Enter');
  await expect(tried.getByText(words('try.started'))).toBeVisible();

  await team.getByRole('button', { name: words('historyOf', { title: 'Заметки о выпуске' }) }).press('Enter');
  const calls = team.getByRole('list', { name: words('callsOf', { title: 'Заметки о выпуске' }) });
  await expect(calls.getByRole('listitem')).toHaveCount(1);
  await team.getByRole('button', { name: words('releasePresent') }).press('Enter');
  const releases = team.getByRole('list', { name: words('releasesOf', { title: 'Заметки о выпуске' }) });
  await expect(releases.getByRole('listitem')).toHaveCount(2);
  await releases.getByRole('button', { name: words('againOf', { number: '1' }) }).press('Enter');
  await expect(releases.getByRole('listitem')).toHaveCount(3);
  await expect(releases.getByRole('listitem').first()).toHaveAttribute('aria-current', 'true');

  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(versions.getByText(ofVersions('live', { teams: 'Заметки о выпуске' }))).toBeVisible();

  await page.keyboard.press('Alt+k');
  const history = team.getByRole('button', { name: words('historyOf', { title: 'Заметки о выпуске' }) });
  const shown = calls.getByRole('button').first();
  // The list is read when it opens, and a run is shown once it has ended.
  await expect(async () => {
    if ((await history.getAttribute('aria-expanded')) === 'true') await history.press('Enter');
    await history.press('Enter');
    await expect(shown).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await shown.press('Enter');
  await expect(dialog).toBeHidden();
  // The bar that waits for the events has buttons of its own.
  await expect(page.getByTestId('replay')).toHaveAttribute('data-status', 'ready');
  await page.getByRole('button', { name: translator('ru', 'replay')('close') }).press('Enter');
  await expect(page.getByTestId('replay')).toBeHidden();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.keyboard.press('Alt+k');
  await expect(team.locator('code').first()).toBeVisible();
  const widths = await dialog.evaluate((element) => [element.scrollWidth, element.clientWidth]);
  expect(widths[0]).toBeLessThanOrEqual(widths[1] ?? 0);
  await team.getByRole('button', { name: words('changeOf', { title: 'Заметки о выпуске' }) }).press('Enter');
  const changing = team.getByRole('form', { name: words('words:save') });
  await expect(changing.getByLabel(ofBudgets('tokens'))).toHaveValue('900000');
  const author = changing.getByLabel(words('form.filledBy'));
  await expect(author).toContainText(words('form.author.outsiders'));
  // Its long words are cut, and do not widen it. Both are measured at one moment, while the window may still come up.
  const atOnce = await changing.getByLabel(words('form.atOnce')).elementHandle();
  const ends = await author.evaluate((element, other) => [element, other].map((of) => of?.getBoundingClientRect().right), atOnce);
  expect(ends[0]).toBe(ends[1]);
  // The form is longer than the window: nothing of it is seen below its buttons.
  const below = await changing.getByRole('button', { name: words('words:save') }).evaluate((button) => {
    const foot = button.parentElement as Element;
    const { left, bottom } = foot.getBoundingClientRect();
    const under = document.elementFromPoint(left + 4, bottom + 4);
    return foot.closest('form')?.contains(under);
  });
  expect(below).toBe(false);
  await author.press('Enter');
  await page.getByRole('option', { name: words('form.author.account') }).press('Enter');
  await changing.getByLabel(ofBudgets('tokens')).fill('');
  await changing.getByLabel(ofBudgets('calls')).fill('7');
  expect(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
  await page.keyboard.press('Enter');
  await expect(changing).toBeHidden();
  await team.getByRole('button', { name: words('changeOf', { title: 'Заметки о выпуске' }) }).press('Enter');
  await expect(changing.getByLabel(ofBudgets('calls'))).toHaveValue('7');
  await expect(changing.getByLabel(ofBudgets('tokens'))).toHaveValue('');
  await expect(author).toContainText(words('form.author.account'));
  await team.getByRole('button', { name: words('withdrawOf', { title: 'Заметки о выпуске' }) }).press('Enter');
  await team.getByRole('button', { name: words('withdrawForGood', { slug: 'notes' }) }).press('Enter');
  await expect(dialog.getByText('Заметки о выпуске')).toBeHidden();
});
