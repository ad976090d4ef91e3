import { expect } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { setUpScriptedTools } from '../../support/browser/scripted-tools.ts';
import { translate, translator } from '../../support/browser/translate.ts';
import { dialog, withCanvas } from '../../support/browser/with-canvas.ts';

const { models, server } = setUpScriptedTools();
const asking = translator('ru', 'questions');
const projects = translator('ru', 'projects');
const agentWords = translator('ru', 'connections', 'agent.');

test('C3.03 C3.12 turns are set for a project and an agent, and the question at the last one is answered with the keyboard', {
  tag: '@rest-nightly',
}, async ({ page }) => {
  models.answer(({ body }) => {
    const turns = body.messages.filter(({ role }) => role === 'assistant').length;
    if (turns < 3)
      return { kind: 'calls', text: `Шаг ${turns + 1} из трёх.`, calls: [{ id: 'a', name: 'count', arguments: '{"text":"x"}' }] };
    return { kind: 'text', text: 'Готово.' };
  });
  const { thrown, agents, workspace } = await withCanvas(
    page,
    server.url,
    (card) => [dialog('task', 'Задача', 500), card(0, 'writer', 200)],
    [['task', 'writer']],
  );
  await page.getByTestId('project-switcher').click();
  const name = await page.getByTestId('project-bar').getByRole('heading', { level: 1 }).textContent();
  await page.getByRole('button', { name: projects('more', { name: name ?? '' }), exact: true }).click();
  await page.getByRole('menuitem', { name: projects('rename') }).click();
  const form = page.getByRole('dialog').filter({ hasText: projects('form.room') });
  const turns = form.getByLabel(projects('form.turns'));
  await expect(turns).toHaveAttribute('placeholder', '40');
  await turns.fill('201');
  await turns.press('Enter');
  await expect(form.getByText(projects('words:fromOneOrEmpty', { max: '200' }))).toBeVisible();
  await turns.fill('5');
  await turns.press('Enter');
  await expect(form).toHaveCount(0);
  await page.keyboard.press('Escape');

  const settingsButton = translate('ru', 'workspace', 'sidebar.settings', { title: agents[0]?.title ?? '' });
  await page.getByTestId('sidebar').getByRole('button', { name: settingsButton }).click();
  const settings = page.getByRole('dialog').filter({ has: page.getByTestId('agent-settings') });
  await settings.getByTestId('agent-more').locator('summary').first().click();
  const own = settings.getByTestId('agent-work').getByLabel(agentWords('work.turns'));
  await expect(own).toHaveAttribute('placeholder', '5');
  await own.fill('2');
  await settings.getByRole('button', { name: agentWords('words:save') }).click();
  await expect(settings).toHaveCount(0);

  await workspace.pressStart();
  const badge = page.locator('[data-question-badge]');
  await expect(badge).toBeVisible({ timeout: 20_000 });
  await badge.click();
  const question = page.getByRole('dialog').filter({ has: page.getByTestId('question') });
  await expect(question).toContainText(asking('reason.turns', { used: '2' }));
  await expect(question).toContainText('Шаг 1 из трёх.');
  await question.getByRole('button', { name: asking('all') }).click();
  const row = page.getByTestId('question-row');
  await expect(row).toContainText(asking('reason.turns', { used: '2' }));
  await row.click();
  await question.getByRole('button', { name: asking('asMuchAgain') }).press('Enter');
  await expect(page.getByTestId('run-control').getByText(translate('ru', 'workspace', 'run.finished'), { exact: true })).toBeVisible({
    timeout: 20_000,
  });
  expect(models.calls).toHaveLength(4);
  expect(thrown).toEqual([]);
});
