import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { ErrorBody } from '../../../contract/errors.ts';
import { type HookDelivery, hookEvents } from '../../../contract/hook.ts';
import type { InputSet } from '../../../contract/input.ts';
import { sandboxes } from '../../support/runner/start-runner.ts';
import { startCountingProxy } from '../../support/services/counting-proxy.ts';
import { startPushService } from '../../support/services/push-service.ts';
import { botToken, startTelegramServer } from '../../support/services/telegram-server.ts';
import { setUp, setUpAccount, setUpModelServer, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';

const password = 'hush-hush-of-the-proxy';
/** Addresses without a way to them: what reaches their servers has gone through the proxy. */
const [modelHost, telegramHost, pushHost, gitHost, hookHost, toolHost, listHost, closedHost] = [
  '10.99.0.1',
  '10.99.0.2',
  '10.99.0.3',
  '10.99.0.4',
  '10.99.0.5',
  '10.99.0.6',
  '10.99.0.7',
  '10.98.0.1',
];

/** Whether this process has a network of its own, which leads to this machine only. */
const isWithoutRoute = process.env.ARTEL_TEST_WITHOUT_ROUTE === 'on';
const canBeWithoutRoute = !isWithoutRoute && sandboxes.includes('bubblewrap');

test.runIf(canBeWithoutRoute)(
  'R25.01 everything here happens in a network without a route',
  async () => {
    const root = join(import.meta.dirname, '../../..');
    const run = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'integration', 'tests/integration/operation/behind-a-proxy.test.ts'];
    const inside = ['--dev-bind', '/', '/', '--unshare-net', '--die-with-parent', '--setenv', 'ARTEL_TEST_WITHOUT_ROUTE', 'on'];
    const { stdout } = await promisify(execFile)('bwrap', [...inside, process.execPath, ...run], { cwd: root });
    expect(stdout).toMatch(/Tests .*3 passed/);
  },
  300_000,
);

describe.skipIf(canBeWithoutRoute)('behind a proxy', () => {
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

  test('R25.01 models and their lists, tool servers, Telegram, push and hooks go through the proxy, with its password', async () => {
    const { path: _, ...device } = push.subscribe();
    const endpoint = `http://${pushHost}${new URL(device.endpoint).pathname}`;
    expect((await ann.call('POST', '/push', { ...device, endpoint })).status).toBe(201);
    const hook = { url: `http://${hookHost}/told`, events: [...hookEvents] };
    const told = await ann.call<{ id: string }>('POST', '/project/default/hooks', hook);
    expect(told.status).toBe(201);
    const tools = await ann.call<{ id: string }>('POST', '/project/default/tool-servers', {
      name: 'Tickets',
      url: `http://${toolHost}/mcp`,
    });
    await ann.call('POST', `/project/default/tool-servers/${tools.body.id}/test`);
    const connection = { provider: 'compatible', address: `http://${listHost}/v1` };
    const { body: connected } = await ann.call<{ id: string }>('POST', '/model-connections', connection);
    await ann.call('GET', `/model-connections/${connected.id}/models`);
    const { id } = await ann.start(await ann.pipeline('assistant'), 'Write');
    await ann.until(id, ({ status }) => status === 'completed');
    await push.until(() => true);
    const hosts = [modelHost, telegramHost, pushHost, hookHost, toolHost, listHost];
    await expect.poll(() => hosts.filter((host) => !isAsked(host))).toEqual([]);
    const tries = async () => (await ann.call<HookDelivery[]>('GET', `/project/default/hooks/${told.body.id}/deliveries`)).body;
    await expect.poll(async () => (await tries()).map(({ problem }) => problem)).toContain('proxy');
    const sent = Buffer.from(`artel:${password}`).toString('base64');
    expect(new Set(proxy.credentials)).toEqual(new Set([`Basic ${sent}`]));
    expect(proxy.plain).toEqual([]);
  });

  test('R25.01 a repository is read through the proxy, its refusal fails the call without the password, and a host beside the list is not asked for', async () => {
    const { id } = (await ann.call<InputSet>('POST', '/inputSet', { projectId: 'default' })).body;
    const add = (host: string) => ann.call<ErrorBody>('POST', `/inputSet/${id}/repository`, { url: `http://${host}/ann/shop` });
    const refused = await add(gitHost);
    expect(isAsked(gitHost)).toBe(true);
    expect(refused).toMatchObject({
      status: 422,
      body: {
        details: { reason: 'git_proxy' },
        message: expect.stringContaining('does not accept the name and password of HTTP_PROXY (407)'),
      },
    });
    expect(JSON.stringify(refused.body)).not.toContain(password);
    const hook = (host: string) =>
      ann.call<ErrorBody>('POST', '/project/default/hooks', { url: `http://${host}/told`, events: [...hookEvents] });
    expect(await hook(closedHost)).toMatchObject({ status: 422, body: { code: 'hook_refused' } });
    expect((await add(closedHost)).status).toBe(422);
    expect(proxy.asked.filter((asked) => asked.startsWith(closedHost))).toEqual([]);
    expect(server.logs()).toContain('"url":"/api/inputSet');
    expect(server.logs()).not.toContain(password);
  });

  test.runIf(isWithoutRoute)('R25.01 no call was tried beside the proxy', async () => {
    const [names = [], counts = []] = (await readFile('/proc/net/snmp', 'utf8'))
      .split('\n')
      .filter((line) => line.startsWith('Ip:'))
      .map((line) => line.split(' '));
    expect(counts[names.indexOf('OutNoRoutes')]).toBe('0');
  });
});
