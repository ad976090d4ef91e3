import { expect, test } from 'vitest';
import type { ErrorBody } from '../../../contract/errors.ts';
import { hookEvents } from '../../../contract/hook.ts';
import type { InputSet } from '../../../contract/input.ts';
import { startCountingProxy } from '../../support/services/counting-proxy.ts';
import { startPushService } from '../../support/services/push-service.ts';
import { botToken, startTelegramServer } from '../../support/services/telegram-server.ts';
import { setUp, setUpAccount, setUpModelServer, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';

const password = 'hush-hush-of-the-proxy';
/** Addresses without a way to them: what reaches their servers has gone through the proxy. */
const [modelHost, telegramHost, pushHost, gitHost, hookHost, closedHost] = [
  '10.99.0.1',
  '10.99.0.2',
  '10.99.0.3',
  '10.99.0.4',
  '10.99.0.5',
  '10.98.0.1',
];

const models = setUpModelServer();
const telegram = setUp(startTelegramServer, ({ close }) => close());
const push = setUp(startPushService, ({ close }) => close());
const portOf = ({ url }: { url: string }) => Number(new URL(url).port);
const proxy = setUp(
  () =>
    startCountingProxy((asked) => {
      const served = [
        [modelHost, models],
        [telegramHost, telegram],
        [pushHost, push],
      ] as const;
      const found = served.find(([host]) => asked.startsWith(`${host}:`));
      return found ? { port: portOf(found[1]) } : { status: 407 };
    }),
  ({ close }) => close(),
);
const { server } = setUpServerOnDatabase(() => ({
  HTTP_PROXY: `http://artel:${password}@${proxy.host}`,
  ARTEL_ALLOW_PRIVATE_HOSTS: '10.99.0.0/16',
  OPENAI_BASE_URL: `http://${modelHost}`,
  ARTEL_TELEGRAM_TOKEN: botToken,
  ARTEL_TELEGRAM_URL: `http://${telegramHost}`,
}));
const ann = setUpAccount(server);

const isAsked = (host: string) => proxy.asked.some((asked) => asked === `${host}:80`);

test('R25.01 models, Telegram, push and hooks go through the proxy, with its password', async () => {
  const { path: _, ...device } = push.subscribe();
  const endpoint = `http://${pushHost}${new URL(device.endpoint).pathname}`;
  expect((await ann.call('POST', '/push', { ...device, endpoint })).status).toBe(201);
  const hook = { url: `http://${hookHost}/told`, events: [...hookEvents] };
  expect((await ann.call('POST', '/project/default/hooks', hook)).status).toBe(201);
  const { id } = await ann.start(await ann.pipeline('assistant'), 'Write');
  await ann.until(id, ({ status }) => status === 'completed');
  await push.until(() => true);
  await expect.poll(() => [modelHost, telegramHost, pushHost, hookHost].map(isAsked)).toEqual([true, true, true, true]);
  const sent = Buffer.from(`artel:${password}`).toString('base64');
  expect(new Set(proxy.credentials)).toEqual(new Set([`Basic ${sent}`]));
  expect(proxy.plain).toEqual([]);
});

test('R25.01 a repository is read through the proxy, its refusal fails the call without the password, and a host beside the list is not asked for', async () => {
  const { id } = (await ann.call<InputSet>('POST', '/inputSet', { projectId: 'default' })).body;
  const add = (host: string) => ann.call<ErrorBody>('POST', `/inputSet/${id}/repository`, { url: `http://${host}/ann/shop` });
  const refused = await add(gitHost);
  expect(isAsked(gitHost)).toBe(true);
  expect(refused).toMatchObject({ status: 422, body: { details: { reason: 'git_failed' } } });
  expect(JSON.stringify(refused.body)).not.toContain(password);
  const hook = (host: string) =>
    ann.call<ErrorBody>('POST', '/project/default/hooks', { url: `http://${host}/told`, events: [...hookEvents] });
  expect(await hook(closedHost)).toMatchObject({ status: 422, body: { code: 'hook_refused' } });
  expect((await add(closedHost)).status).toBe(422);
  expect(proxy.asked.filter((asked) => asked.startsWith(closedHost))).toEqual([]);
});
