import { expect } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { setUpScriptedTools } from '../../support/browser/scripted-tools.ts';
import { translate, translator } from '../../support/browser/translate.ts';
import { dialog, withCanvas } from '../../support/browser/with-canvas.ts';

const { models, server } = setUpScriptedTools();
const words = translator('ru', 'questions');

test('G3.03 G3.05 a call that asks shows on the card, its arguments are edited in the question, the run goes on with them, and the whole call can be read', async ({
  page,
}) => {
  models.answer(({ body }) => {
    const results = body.messages.filter(({ role }) => role === 'tool');
    if (results.length === 0) return { kind: 'calls', calls: [{ id: 'a', name: 'ask', arguments: '{"text":"черновик"}' }] };
    return { kind: 'text', text: 'Готово.' };
  });
  const { workspace } = await withCanvas(page, server.url, (card) => [dialog('task', 'Задача', 500), card(0, 'writer', 200)], [
    ['task', 'writer'],
  ]);
  await workspace.pressStart();

  const badge = page.locator('[data-question-badge]');
  await expect(badge).toBeVisible({ timeout: 20_000 });
  await expect(page.locator('[data-node-id="writer"]').first()).toContainText(translate('ru', 'canvas', 'tools.waiting'));
  await badge.click();
  const asked = page.getByRole('dialog');
  await expect(asked.getByTestId('asked-call')).toContainText('ask');
  const args = asked.getByLabel(words('callArguments'));
  await expect(args).toHaveValue('{\n  "text": "черновик"\n}');
  await args.fill('{"text":');
  await expect(asked.getByRole('button', { name: words('approveEdited') })).toBeDisabled();
  await args.fill('{"text":"чистовик"}');
  await asked.getByRole('button', { name: words('approveEdited') }).click();
  await expect(badge).toHaveCount(0);
  await expect(page.getByTestId('run-control').getByText(translate('ru', 'workspace', 'run.finished'), { exact: true })).toBeVisible({
    timeout: 20_000,
  });
  expect(models.calls.at(-1)?.body.messages.at(-1)?.content).toContain('Asked: чистовик');
  await workspace.openConsole();
  await expect(page.getByTestId('console')).toContainText('вызывает ask: черновик');

  // The whole call is read from the server when it is opened.
  await page.getByTestId('message').filter({ hasText: 'вызывает ask' }).first().click();
  const calls = page.getByTestId('message-details').getByTestId('calls-of-step');
  await calls.locator('summary').click();
  await expect(calls.getByRole('listitem')).toContainText('{"text":"чистовик"}');
  await expect(calls.getByRole('listitem')).toContainText('Asked: чистовик');
});
