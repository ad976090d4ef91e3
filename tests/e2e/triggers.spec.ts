import { execFileSync } from 'node:child_process';
import { expect, type Page } from 'playwright/test';
import type { Agent } from '../../contract/agent.ts';
import { setUpSharedServer, test } from '../support/browser/browser-test.ts';
import { enterAs, signUp } from '../support/browser/enter-workspace.ts';
import { faultsInBothThemes } from '../support/browser/faults.ts';
import { translator } from '../support/browser/translate.ts';
import { WorkspacePage } from '../support/browser/workspace-page.ts';

const server = setUpSharedServer();

const words = translator('ru', 'triggers');
const onStart = translator('ru', 'start-triggers');
const actions = translator('ru', 'actions');
const ofConnect = translator('ru', 'connect');
const ofPublishing = translator('ru', 'publishing');

/** Opens the workspace of a new account; with a released team that has the field `title`, if it is asked for. */
async function enter(page: Page, { withTeam }: { withTeam: boolean }): Promise<void> {
  const { session } = await signUp(page, server.url);
  const headers = { authorization: `Bearer ${session.accessToken}` };
  if (withTeam) {
    const [agent] = (await (await page.request.get(`${server.url}/api/nuroagent`, { headers })).json()) as Agent[];
    const steps = [{ name: 'Ответ', agentId: agent?.id, nodeId: 'answer' }];
    const pipeline = await page.request.post(`${server.url}/api/Pipeline`, {
      headers,
      data: { name: 'Ответ', projectId: 'default', steps },
    });
    const team = { pipelineId: (await pipeline.json()).id, slug: `team-${Date.now()}`, title: 'Дежурные', task: 'Разберись: {title}' };
    const data = { ...team, input: [{ kind: 'text', name: 'title', title: 'Заголовок' }] };
    const made = await page.request.post(`${server.url}/api/project/default/released-teams`, { headers, data });
    expect(made.status()).toBe(201);
  }
  await enterAs(page, server.url, session);
  await new WorkspacePage(page).opened();
}

async function act(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(name);
  await page.getByRole('option', { name }).first().waitFor();
  await page.keyboard.press('Enter');
}

test('L4.01 the start card offers triggers, which need a released team: the window leads to its release', async ({ page }) => {
  await enter(page, { withTeam: false });
  await act(page, actions('name.addStart'));
  await page.getByRole('button', { name: onStart('offer') }).press('Enter');
  const dialog = page.getByRole('dialog', { name: words('title') });
  await expect(dialog.getByText(words('noTeams'))).toBeVisible();
  await dialog.getByRole('button', { name: words('release') }).press('Enter');
  await expect(page.getByRole('dialog', { name: ofConnect('title') })).toBeVisible();
});

test('L4.02 L4.04 a schedule is made by the keyboard: plain words write five fields, and the next five times stand beside them', async ({
  page,
}) => {
  await enter(page, { withTeam: true });
  await act(page, actions('name.triggers'));
  const dialog = page.getByRole('dialog', { name: words('title') });
  await dialog.getByRole('button', { name: words('kind.schedule.title') }).press('Enter');
  const form = dialog.getByRole('form', { name: words('kind.schedule.title') });
  await expect(form.getByLabel(words('form.name'))).toBeFocused();
  await form.getByLabel(words('form.name')).fill('Каждое утро');
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
  await dialog.getByRole('button', { name: words('remove.action') }).press('Enter');
  await expect(dialog.getByRole('button', { name: words('remove.keep') })).toBeFocused();
  await dialog.getByRole('button', { name: words('remove.forGood', { name: 'Каждое утро' }) }).press('Enter');
  await expect(list).toBeHidden();
});

test('L4.05 L4.06 L4.08 L4.09 a webhook is made, tried and called by its ready command: its run stands in the window, on the start card and in the history', async ({
  page,
}) => {
  await enter(page, { withTeam: true });
  await act(page, actions('name.addStart'));
  await page.getByRole('button', { name: onStart('offer') }).press('Enter');
  const dialog = page.getByRole('dialog', { name: words('title') });
  await dialog.getByRole('button', { name: words('kind.webhook.title') }).press('Enter');
  const form = dialog.getByRole('form', { name: words('kind.webhook.title') });
  await form.getByLabel(words('form.name')).fill('Заявки');
  // The field of the team is found in the example of the sender.
  await expect(form.getByLabel('Заголовок')).toHaveValue('data.title');
  await form.getByRole('button', { name: words('filter.add') }).press('Enter');
  await form.getByLabel(words('filter.path')).fill('data.priority');
  await form.getByLabel(words('filter.value')).fill('high');
  await form.getByRole('button', { name: words('form.create') }).press('Enter');
  await expect(dialog.getByTestId('trigger-secret')).toContainText('whsec_');
  const example = dialog.getByLabel(words('try.title')).and(dialog.getByRole('textbox'));
  await dialog.getByRole('button', { name: words('try.action') }).press('Enter');
  await expect(dialog.getByTestId('tried')).toContainText(`Разберись: ${words('example.title')}`);
  const whole = await example.inputValue();
  await example.fill(whole.replace('high', 'low'));
  await dialog.getByRole('button', { name: words('try.action') }).press('Enter');
  await expect(dialog.getByTestId('tried')).toContainText(words('reason.filter', { detail: 'data.priority' }));
  await example.fill(whole);
  const command = await dialog.getByTestId('trigger-command').innerText();
  expect(command).toContain(await dialog.getByTestId('trigger-secret').innerText());
  const receipt = JSON.parse(execFileSync('bash', ['-c', command], { encoding: 'utf8' }));
  expect(receipt).toMatchObject({ outcome: 'started', run: { id: expect.any(String) } });
  const fires = dialog.getByTestId('fires').getByRole('listitem');
  await expect(fires).toHaveCount(1);
  await expect(fires.first()).toContainText(words('run.completed'));
  await fires
    .first()
    .getByRole('button', { name: words('fires.again') })
    .press('Enter');
  await expect(fires).toHaveCount(2);
  await expect(fires.first()).toContainText(words('fires.wasAgain'));
  expect(await faultsInBothThemes(page, '[role="dialog"]')).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.keyboard.press('Escape');
  const onCard = page.getByTestId('start-triggers').getByRole('button', { name: /Заявки/ });
  await expect(onCard).toContainText(onStart('outcome.started'));
  await onCard.press('Enter');
  await expect(dialog.getByRole('heading', { name: 'Заявки' })).toBeVisible();
  await dialog.getByRole('button', { name: words('view.history') }).press('Enter');
  const history = page.getByTestId('history');
  const filter = history.getByRole('combobox', { name: onStart('history.label') });
  await expect(filter).toHaveText(onStart('history.by', { name: 'Заявки' }));
  await expect(history.getByTestId('history-item')).toHaveCount(2);
  await expect(history.getByTestId('history-item').first()).toContainText(onStart('history.by', { name: 'Заявки' }));
  expect(await faultsInBothThemes(page, '[data-testid="history"]')).toEqual([]);
  await filter.press('Enter');
  await page.getByRole('option', { name: onStart('history.all') }).click();
  await expect(filter).toHaveText(onStart('history.all'));
});

test('L4.07 issues of a repository need the repository of the project, which is set there; the window says how it is read and whose words count', async ({
  page,
}) => {
  await enter(page, { withTeam: true });
  await act(page, actions('name.triggers'));
  const dialog = page.getByRole('dialog', { name: words('title') });
  await dialog.getByRole('button', { name: words('kind.forge.title') }).press('Enter');
  const repository = dialog.getByTestId('trigger-repository');
  await expect(repository).toContainText(words('repository.needs.none'));
  await repository.getByRole('button', { name: words('repository.set') }).press('Enter');
  await repository.getByLabel(ofPublishing('address')).fill('https://gitea.com/acme/shop');
  await repository.getByRole('button', { name: ofPublishing('save') }).press('Enter');
  await expect(repository).toContainText(words('repository.needs.token'));
  await repository.getByRole('button', { name: words('repository.change') }).press('Enter');
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
