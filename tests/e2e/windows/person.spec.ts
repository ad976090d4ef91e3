import { expect } from 'playwright/test';
import { test } from '../../support/browser/browser-test.ts';
import { firstCanvas } from '../../support/browser/played-api/new-account.ts';
import { translator } from '../../support/browser/translate.ts';
import { withPlayedCanvas } from '../../support/browser/with-canvas.ts';

const words = translator('ru', 'questions');

test('G2.01 G1.05 a user’s card asks a person only if its window says so; its question is saved with the canvas, and errors are named', async ({
  page,
  playedApi,
}) => {
  const id = 'user-card';
  const { account } = await withPlayedCanvas(
    page,
    playedApi,
    (card) => [
      card(0, 'writer', 200),
      { ...card(1, 'reviewer', 200), id, title: 'Анна', role: 'user', isUser: true, serverAgentId: id, x: 720 },
    ],
    [['writer', id]],
  );
  const row = page.locator(`[data-node-id="${id}"]`).first();
  await row.dispatchEvent('dblclick');
  const form = page.getByTestId('person-settings');
  await expect(form).toBeVisible();
  await form.getByText(words('words:asksPerson')).click();
  await form.getByLabel(words('card.question')).fill('Какая печь?');
  await form.getByRole('button', { name: words('card.addInput') }).click();
  const save = page.getByRole('dialog').getByRole('button', { name: words('words:save') });
  await form.getByLabel(words('card.days')).fill('0');
  await save.click();
  await expect(form.getByLabel(words('words:name'))).toBeFocused();
  await expect(form.getByText(words('card.wrong.name'))).toBeVisible();
  await expect(form.getByText(words('card.wrong.days', { most: 366 }))).toBeVisible();
  await form.getByLabel(words('words:name')).fill('Бюджет');
  await form.getByLabel(words('card.days')).fill('2');
  await form.getByText(words('card.firstWins')).click();
  await save.click();
  await expect(form).toHaveCount(0);
  await expect
    .poll(() => firstCanvas(account).nodes[id]?.step)
    .toEqual({
      firstWins: true,
      person: { question: 'Какая печь?', inputs: [{ id: 'input1', label: 'Бюджет', type: 'text' }], dueMinutes: 2_880 },
    });
});
