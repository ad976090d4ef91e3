import { expect } from 'playwright/test';
import { act } from '../../support/browser/act.ts';
import { afterFrames } from '../../support/browser/after-frames.ts';
import { test } from '../../support/browser/browser-test.ts';
import { faultsInBothThemes } from '../../support/browser/faults.ts';
import { enterPlayed } from '../../support/browser/played-api/enter-played.ts';
import { answersOfTriggers } from '../../support/browser/played-api/triggers.ts';
import { translator } from '../../support/browser/translate.ts';
import { WorkspacePage } from '../../support/browser/workspace-page.ts';

const words = translator('ru', 'triggers');
const ofConnect = translator('ru', 'connect');
const actions = translator('ru', 'actions');
const ofPublishing = translator('ru', 'publishing');

test('L4.02 L4.04 a schedule is made by the keyboard: plain words write five fields, and the next five times stand beside them', async ({
  page,
  playedApi,
}) => {
  await enterPlayed(page, playedApi);
  playedApi.answer(answersOfTriggers());
  await new WorkspacePage(page).opened();
  await act(page, actions('name.triggers'));
  const dialog = page.getByRole('dialog', { name: ofConnect('words:connect') });
  await dialog.getByRole('button', { name: words('kind.schedule.title') }).press('Enter');
  const form = dialog.getByRole('form', { name: words('kind.schedule.title') });
  await expect(form.getByLabel(words('words:name'))).toBeFocused();
  await form.getByLabel(words('words:name')).fill('Каждое утро');
  await form.getByLabel(words('schedule.at')).fill('07:15');
  await expect(form.getByLabel(words('schedule.fields'))).toHaveValue('15 7 * * 1-5');
  await form.getByLabel(words('schedule.zone')).fill('Asia/Tokyo');
  await expect(form.getByTestId('next-instants').getByRole('listitem')).toHaveCount(5);
  for (const instant of await form.getByTestId('next-instants').getByRole('listitem').allTextContents()) expect(instant).toContain('07:15');
  await form.getByLabel(words('schedule.fields')).fill('0 0 30 2 *');
  await expect(form.getByText(words('schedule.wrong'))).toBeVisible();
  await form.getByLabel(words('schedule.fields')).fill('30 8 * * *');
  await expect(form.getByLabel(words('schedule.at'))).toHaveValue('08:30');
  await expect(form.getByTestId('next-instants').getByRole('listitem').first()).toContainText('08:30');
  // A required field is missing.
  await form.getByRole('button', { name: words('form.create') }).press('Enter');
  await expect(form.getByText(words('values.wrong.text'))).toBeVisible();
  await expect(form.getByLabel('Заголовок')).toBeFocused();
  await form.getByLabel('Заголовок').fill('Новости');
  expect(await faultsInBothThemes(page, '[role="dialog"]')).toEqual([]);
  await form.getByRole('button', { name: words('form.create') }).press('Enter');
  await expect(dialog.getByRole('heading', { name: 'Каждое утро' })).toBeFocused();
  await expect(dialog.getByTestId('next-instants').getByRole('listitem')).toHaveCount(5);
  await dialog.getByRole('button', { name: words('all') }).press('Enter');
  const list = dialog.getByRole('list', { name: words('list') });
  await expect(list.getByRole('button', { name: 'Каждое утро' })).toBeFocused();
  await list.getByRole('switch', { name: words('row.on', { name: 'Каждое утро' }) }).press('Space');
  await expect(list).toContainText(words('paused.short.owner'));
  await list.getByRole('button', { name: 'Каждое утро' }).press('Enter');
  await dialog.getByRole('button', { name: words('paused.switchOnOf', { name: 'Каждое утро' }) }).press('Enter');
  await expect(dialog.getByTestId('next-instants').getByRole('listitem')).toHaveCount(5);
  // The window takes the focus of the button that has gone, and once more with its next frame.
  await expect(dialog).toBeFocused();
  await afterFrames(page);
  await dialog.getByRole('button', { name: words('words:removeForGood') }).press('Enter');
  await expect(dialog.getByRole('button', { name: words('words:keep') })).toBeFocused();
  await dialog.getByRole('button', { name: words('remove.forGood', { name: 'Каждое утро' }) }).press('Enter');
  await expect(list).toBeHidden();
});

test('L4.07 issues of a repository need the repository of the project, which is set there; the window says how it is read and whose words count', async ({
  page,
  playedApi,
}) => {
  await enterPlayed(page, playedApi);
  playedApi.answer(answersOfTriggers());
  await new WorkspacePage(page).opened();
  await act(page, actions('name.triggers'));
  const dialog = page.getByRole('dialog', { name: ofConnect('words:connect') });
  await dialog.getByRole('button', { name: words('kind.forge.title') }).press('Enter');
  const repository = dialog.getByTestId('trigger-repository');
  await expect(repository).toContainText(words('repository.needs.none'));
  await repository.getByRole('button', { name: words('repository.set') }).press('Enter');
  await repository.getByLabel(ofPublishing('address')).fill('https://gitea.com/acme/shop');
  await repository.getByRole('button', { name: ofPublishing('save') }).press('Enter');
  await expect(repository).toContainText(words('repository.needs.token'));
  await repository.getByRole('button', { name: words('common:change') }).press('Enter');
  await repository.getByLabel(ofPublishing('token'), { exact: true }).fill('a-token-of-a-bot');
  await repository.getByRole('button', { name: ofPublishing('save') }).press('Enter');
  await expect(repository).toContainText(words('repository.hint'));
  const form = dialog.getByRole('form', { name: words('kind.forge.title') });
  // The event has a part of the same name.
  await expect(form.getByLabel('Заголовок')).toHaveValue('title');
  await form.getByLabel(words('forge.label')).fill('');
  await form.getByRole('button', { name: words('form.create') }).press('Enter');
  await expect(form.getByLabel(words('forge.label'))).toBeFocused();
  await form.getByLabel(words('forge.label')).fill('bug');
  await form.getByLabel(words('forge.repairs')).check();
  await form.getByRole('button', { name: words('form.create') }).press('Enter');
  const state = dialog.getByTestId('forge-state');
  await expect(state).toContainText('https://gitea.com/acme/shop');
  await expect(state).toContainText(words('forge.whoMay'));
  await expect(dialog.getByText(words('threads.none', { label: 'bug' }))).toBeVisible();
  await dialog.getByText(words('hook.title')).click();
  await expect(dialog.getByTestId('trigger-secret')).not.toBeEmpty();
  await expect(dialog.getByText(words('hook.gitea.second'))).toBeVisible();
  expect(await faultsInBothThemes(page, '[role="dialog"]')).toEqual([]);
});
