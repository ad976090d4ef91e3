import { execFileSync } from 'node:child_process';
import { expect, type Page } from 'playwright/test';
import type { Agent } from '../../contract/agent.ts';
import { act } from '../support/browser/act.ts';
import { setUpSharedServer, test } from '../support/browser/browser-test.ts';
import { enterAs, signUp } from '../support/browser/enter-workspace.ts';
import { faultsInBothThemes } from '../support/browser/faults.ts';
import { translator } from '../support/browser/translate.ts';
import { WorkspacePage } from '../support/browser/workspace-page.ts';

const server = setUpSharedServer();

const words = translator('ru', 'triggers');
const ofConnect = translator('ru', 'connect');
const onStart = translator('ru', 'start-triggers');
const actions = translator('ru', 'actions');

/** Opens the workspace of a new account with a released team that has the field `title`. */
async function enter(page: Page): Promise<void> {
  const { session } = await signUp(page, server.url);
  const headers = { authorization: `Bearer ${session.accessToken}` };
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
  await enterAs(page, server.url, session);
  await new WorkspacePage(page).opened();
}

test('L4.05 L4.06 L4.08 L4.09 a webhook is made, tried and called by its ready command: its run stands in the window, on the start card and in the history', async ({
  page,
}) => {
  await enter(page);
  await act(page, actions('name.addStart'));
  await page.getByRole('button', { name: onStart('offer') }).press('Enter');
  const dialog = page.getByRole('dialog', { name: ofConnect('words:connect') });
  await dialog.getByRole('button', { name: words('kind.webhook.title') }).press('Enter');
  const form = dialog.getByRole('form', { name: words('kind.webhook.title') });
  await form.getByLabel(words('words:name')).fill('Заявки');
  // The field of the team is found in the example of the sender.
  await expect(form.getByLabel('Заголовок')).toHaveValue('data.title');
  await form.getByRole('button', { name: words('filter.add') }).press('Enter');
  await form.getByLabel(words('filter.path')).fill('data.priority');
  await form.getByLabel(words('words:value')).fill('high');
  await form.getByRole('button', { name: words('form.create') }).press('Enter');
  await expect(dialog.getByTestId('trigger-secret')).toContainText('whsec_');
  const example = dialog.getByLabel(words('try.title')).and(dialog.getByRole('textbox'));
  await dialog.getByRole('button', { name: words('try.title') }).press('Enter');
  await expect(dialog.getByTestId('tried')).toContainText(`Разберись: ${words('example.title')}`);
  const whole = await example.inputValue();
  await example.fill(whole.replace('high', 'low'));
  await dialog.getByRole('button', { name: words('try.title') }).press('Enter');
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
