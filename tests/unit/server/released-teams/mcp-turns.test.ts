import Fastify from 'fastify';
import { expect, test } from 'vitest';
import type { CallableTeam, TeamRun } from '../../../../contract/released-team.ts';
import type { SignedIn } from '../../../../server/http/call.ts';
import { noteAddresses } from '../../../../server/http/client-address.ts';
import { serveMcp } from '../../../../server/modules/released-teams/mcp/serve-mcp.ts';

type Deps = Parameters<typeof serveMcp>[1];

const userOf = (id: string) => ({ id, language: 'en', key: { scopes: ['read'] } }) as unknown as SignedIn;
const runId = '01a1fab3-094b-73bf-a485-a91fccff0c5d';

/** The MCP server over an account's calls, which tell when they begin, and end when they are told to. */
function served() {
  const begun: string[] = [];
  const mayEnd = Promise.withResolvers<CallableTeam[]>();
  const calls = {
    list: ({ id }: SignedIn) => {
      begun.push(id);
      return mayEnd.promise;
    },
    slugOf: async () => 'team',
    run: async () => ({ id: runId, status: 'running', progress: 0 }) as TeamRun,
  };
  const app = Fastify();
  noteAddresses(app);
  app.decorateRequest('signedIn', null);
  serveMcp(app, {
    ...({ calls, idempotency: {}, version: '1', onFailed: () => {}, originAllowed: () => true } as unknown as Deps),
    bus: { subscribe: () => () => {} },
    connections: { add: () => () => {}, checkLimits: () => {}, endSession: () => {} } as unknown as Deps['connections'],
    keys: { authenticate: async ({ key }) => userOf(key), checkReach: async () => {} },
    requestLimits: { countAddress: async () => {}, countAccount: async () => {} } as unknown as Deps['requestLimits'],
  });
  const keyOf = (name: string) => `art_${name.padEnd(40, '0')}`;
  const call = (name: string, tool: string, args: object = {}) =>
    app.inject({
      ...{ method: 'POST', url: '/mcp' },
      headers: {
        ...{ authorization: `Bearer ${keyOf(name)}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      },
      payload: { ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' }, params: { name: tool, arguments: args } },
    });
  return { app, begun, mayEnd, call, countOf: (name: string) => begun.filter((id) => id === keyOf(name)).length };
}

test('K5.06 two calls of an account are worked on at a time, and the first of another account at once', async () => {
  const { app, mayEnd, call, countOf } = served();
  const many = Array.from({ length: 30 }, () => call('ann', 'list_teams'));
  await expect.poll(() => countOf('ann')).toBe(2);
  const others = ['bob', 'carol', 'dave', 'eve', 'frank', 'grace', 'heidi'].map((name) => [name, call(name, 'list_teams')] as const);
  for (const [name] of others) await expect.poll(() => countOf(name)).toBe(1);
  expect(countOf('ann')).toBe(2);
  mayEnd.resolve([]);
  for (const { statusCode } of await Promise.all([...many, ...others.map(([, answer]) => answer)])) expect(statusCode).toBe(200);
  expect(countOf('ann')).toBe(30);
  await app.close();
});

test('K5.06 calls that wait for a run hold back no other call of their account', async () => {
  const { app, mayEnd, call } = served();
  mayEnd.resolve([]);
  const waits = Array.from({ length: 10 }, () => call('ann', 'wait_for_run', { run: runId, seconds: 2 }));
  expect((await call('ann', 'list_teams')).statusCode).toBe(200);
  expect((await Promise.all(waits)).map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(200));
  await app.close();
});
