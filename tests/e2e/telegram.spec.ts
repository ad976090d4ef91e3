import { expect } from 'playwright/test';
import type { Pipeline } from '../../contract/executions/pipeline.ts';
import { test } from '../support/browser/browser-test.ts';
import { enterAs } from '../support/browser/enter-workspace.ts';
import { translator } from '../support/browser/translate.ts';
import { WorkspacePage } from '../support/browser/workspace-page.ts';
import { signUp } from '../support/run-account.ts';
import { botToken, startTelegramServer, type TelegramServer } from '../support/services/telegram-server.ts';
import { startServer, type TestServer } from '../support/start-server.ts';

let telegram: TelegramServer;
let server: TestServer;
test.beforeAll(async () => {
  telegram = await startTelegramServer();
  server = await startServer({ env: { ARTEL_TELEGRAM_TOKEN: botToken, ARTEL_TELEGRAM_URL: telegram.url } });
});
test.afterAll(async () => {
  await server?.stop();
  await telegram?.close();
});

const words = translator('ru', 'connect');
const said = translator('ru', 'connect', 'telegram.');
const annsChat = 7_001;

test('K7.10 a person connects a chat, answers a question there, chooses by the keyboard what it is told and when, and disconnects', async ({
  page,
}) => {
  const ann = await signUp(server.url, 'ru');
  const open = async () => {
    await enterAs(page, server.url, ann);
    await new WorkspacePage(page).opened();
    await page.keyboard.press('Alt+KeyK');
    await page.getByRole('tab', { name: words('door.tells') }).press('Enter');
    await page.getByRole('button', { name: words('section.telegram.title') }).press('Enter');
  };
  const section = page.getByTestId('telegram');
  await open();
  await section.getByRole('button', { name: said('connect') }).press('Enter');
  const link = new URL((await section.getByTestId('telegram-link').textContent()) ?? '');
  telegram.write(annsChat, `/start ${link.searchParams.get('start')}`);
  await expect(section.getByText('@ann')).toBeVisible();
  await expect(section.getByTestId('telegram-link')).toBeHidden();

  const steps = [{ name: 'Цвет', agentId: ann.agent('assistant').id, nodeId: 'ask', settings: { person: { question: 'Какой цвет?' } } }];
  const { body: pipeline } = await ann.call<Pipeline>('POST', '/Pipeline', { name: 'Ask', projectId: 'default', steps });
  const run = await ann.start(pipeline, 'Спросить');
  telegram.write(annsChat, 'Зелёный', { replyTo: await telegram.until(({ text }) => text.includes('Какой цвет?')) });
  await ann.until(run.id, ({ status }) => status === 'completed');
  await telegram.until(({ text }) => text.startsWith('Запуск завершён.') && text.includes('Спросить'));

  const told = section.getByRole('group', { name: said('events') });
  const urgent = section.getByRole('group', { name: said('urgent') });
  const [ended, asked] = ['Запуск завершён', 'Задан вопрос'];
  await told.getByLabel(ended).focus();
  await page.keyboard.press('Space');
  await expect(told.getByLabel(ended)).not.toBeChecked();
  // The focus stays where it was.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect(told.getByLabel(asked)).not.toBeChecked();
  await page.keyboard.press('Space');
  await expect(told.getByLabel(asked)).toBeChecked();
  await section.getByRole('switch', { name: said('quiet') }).press('Space');
  await expect(urgent.getByRole('checkbox')).toHaveCount(3);
  await urgent.getByLabel(asked).press('Space');
  await expect(urgent.getByLabel(asked)).toBeChecked();
  await section.getByLabel(said('to')).press('Enter');
  await page.getByRole('option', { name: '07:00' }).click();
  await expect(section.getByLabel(said('to'))).toHaveText('07:00');

  await open();
  await expect(told.getByLabel(ended)).not.toBeChecked();
  await expect(section.getByLabel(said('to'))).toHaveText('07:00');
  await expect(urgent.getByRole('checkbox', { checked: true })).toHaveCount(1);

  await section.getByRole('button', { name: said('words:disconnect') }).press('Enter');
  await expect(section.getByRole('button', { name: said('connect') })).toBeFocused();
  await expect(told).toBeHidden();
  telegram.write(annsChat, 'Ещё здесь?');
  await telegram.until(({ text }) => text.includes('not bound to an account'));
});
