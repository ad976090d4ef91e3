import { expect } from 'playwright/test';
import type { Pipeline } from '../../contract/executions/pipeline.ts';
import type { PushState } from '../../contract/push.ts';
import { test } from '../support/browser/browser-test.ts';
import { enterAs } from '../support/browser/enter-workspace.ts';
import { PushWorker, subscribeBrowser } from '../support/browser/push-browser.ts';
import { translator } from '../support/browser/translate.ts';
import { WorkspacePage } from '../support/browser/workspace-page.ts';
import { signUp } from '../support/run-account.ts';
import { type PushService, startPushService } from '../support/services/push-service.ts';
import { startServer, type TestServer } from '../support/start-server.ts';

let service: PushService;
let server: TestServer;
test.beforeAll(async () => {
  service = await startPushService();
  server = await startServer({ env: { ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on' } });
});
test.afterAll(async () => {
  await server?.stop();
  await service?.close();
});
// Its service worker stays after the page.
test.use({ ownContext: true });

const words = translator('ru', 'connect');

test('K8.06 K8.07 a browser is switched on by the keyboard, is told of a question while no tab is in view, and leads to it', async ({
  page,
}) => {
  const ann = await signUp(server.url, 'ru');
  const { path, ...phone } = service.subscribe();
  await ann.call('POST', '/push', { ...service.subscribe('Safari 18, iOS'), path: undefined });
  await subscribeBrowser(page, phone);
  await enterAs(page, server.url, ann);
  await new WorkspacePage(page).opened();
  await page.keyboard.press('Alt+KeyK');
  const dialog = page.getByRole('dialog', { name: words('words:connect') });
  await dialog.getByRole('tab', { name: words('door.tells') }).press('Enter');
  const toggle = dialog.getByRole('switch', { name: words('device.on') });
  await expect(toggle).not.toBeChecked();
  await toggle.press('Space');
  await expect(toggle).toBeChecked();
  await dialog.getByRole('checkbox', { name: 'Запуск завершён' }).press('Space');
  await expect(dialog.getByRole('checkbox', { name: 'Запуск завершён' })).not.toBeChecked();
  await dialog.getByRole('button', { name: words('device.removeOf', { name: 'Safari 18, iOS' }) }).press('Enter');
  await expect(dialog.getByText(words('device.others'))).toBeHidden();
  const { devices } = (await ann.call<PushState>('GET', '/push')).body;
  expect(devices).toMatchObject([{ name: expect.stringContaining('Chrome'), events: ['question.opened', 'budget.reached', 'published'] }]);
  await page.keyboard.press('Escape');

  const steps = [{ name: 'Выбор', agentId: ann.agent('assistant').id, nodeId: 'ask', settings: { person: { question: 'Какой?' } } }];
  const { body: asking } = await ann.call<Pipeline>('POST', '/Pipeline', { name: 'Ask', projectId: 'default', steps });
  await ann.start(asking, 'Спросить');
  const { message } = await service.until((push) => push.path === path);
  expect(message.title).toBe('Вопрос: Выбор');

  const worker = await PushWorker.of(page);
  await worker.deliver(message);
  const form = page.getByRole('dialog', { name: 'Выбор' });
  // The tab in view has said it. Messages are told in their order: this one is shown because no project is in view then.
  await page.goto(`${server.url}/privacy-policy`);
  await worker.deliver({ ...message, tag: 'second' });
  await expect.poll(async () => (await worker.shown()).map(({ options }) => options.tag)).toEqual(['second']);
  const [shown] = await worker.shown();
  expect(shown).toMatchObject({ title: 'Вопрос: Выбор', options: { body: expect.any(String), data: { path: message.path } } });
  if (!shown) return;
  expect(await worker.press(shown)).toEqual([message.path]);

  await page.goto(`${server.url}/test-project`);
  await new WorkspacePage(page).opened();
  await expect(form).toBeHidden();
  expect(await worker.press(shown)).toEqual([]);
  await expect(form.getByText('Какой?')).toBeVisible();
});
