import { expect, test } from 'vitest';
import { createFindLocal } from '../../../../server/modules/connections/find-local.ts';
import { createEgress, type Egress, HostRefused } from '../../../../server/platform/egress/egress.ts';
import { startListServer } from '../../../support/model-lists/list-server.ts';

test('M3.17 a server at a usual port is found with the number of its models, and a port that is closed is not', async () => {
  const asked: string[] = [];
  const egress = (async (address: string) => {
    asked.push(address);
    if (!address.includes(':11434')) throw Object.assign(new Error('closed'), { code: 'ECONNREFUSED' });
    const text = JSON.stringify({ models: [{ name: 'qwen3' }, { name: 'gemma' }] });
    return { status: 200, ok: true, headers: {}, text: async () => text };
  }) as unknown as Egress;
  expect(await createFindLocal(egress)()).toEqual([{ provider: 'ollama', address: 'http://127.0.0.1:11434/v1', models: 2 }]);
  expect(new Set(asked.map((address) => new URL(address).host))).toEqual(new Set(['127.0.0.1:11434', '127.0.0.1:1234']));
});

test('M3.17 an open origin is called on a private network, and its neighbours are not', async () => {
  const server = await startListServer();
  server.answer({ '/v1/models': { json: { data: [] } } });
  const call = createEgress({ allowPrivate: false, proxies: null, openOrigins: [server.url] });
  expect((await call(`${server.url}/v1/models`)).status).toBe(200);
  await expect(call('http://127.0.0.1:9/v1/models')).rejects.toThrow(HostRefused);
  await expect(call(server.url.replace('127.0.0.1', 'localhost'))).rejects.toThrow(HostRefused);
  await server.close();
});
