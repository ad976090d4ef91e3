import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { routes } from '../../../../contract/routes.ts';
import type { Handlers } from '../../../../server/http/call.ts';
import { noteAddresses } from '../../../../server/http/client-address.ts';
import { sendFailure } from '../../../../server/http/failure.ts';
import { createRequestLimits, requestLimits } from '../../../../server/http/limits/request-limits.ts';
import { mountRoutes } from '../../../../server/http/mount.ts';

const someone = (id: string) => ({ id, sessionId: 's', tokenGoodUntil: 0, email: 'a@example.com', name: 'A', isStaff: true });

/** Every route of the contract, with handlers that fail at once, under these limits. */
function mounted(limits: Parameters<typeof createRequestLimits>[0]) {
  const app = Fastify();
  app.setErrorHandler(sendFailure);
  noteAddresses(app);
  mountRoutes(app, {
    handlers: new Proxy({}, { get: () => () => Promise.reject(new Error('not called')) }) as Handlers,
    authenticate: async (token, _isLocal, count) => {
      await count(token);
      return someone(token);
    },
    keys: { authenticate: () => Promise.reject(new Error('not called')), checkReach: async () => {} },
    isLocal: () => false,
    idempotency: { once: () => Promise.reject(new Error('not called')) },
    rateLimits: { count: () => Promise.reject(new Error('not called')) },
    requestLimits: createRequestLimits(limits),
    storage: { storing: (_write, work) => work(), freed: () => {} },
    checksAnswers: false,
  });
  return app;
}

const loose = { points: 1_000, seconds: 60 };
const spent = { points: 1, seconds: 60 };

test('P6.01 every route counts its callers by address, also the public ones, and a refusal has the time to wait', async () => {
  const app = mounted({ account: loose, address: spent });
  for (const [at, { method, path }] of Object.values(routes).entries()) {
    const remoteAddress = `203.0.${at >> 8}.${at & 255}`;
    const ask = () => app.inject({ method, url: `/api${path}`, remoteAddress, headers: { 'accept-language': 'en' } });
    expect((await ask()).statusCode, path).not.toBe(429);
    const refused = await ask();
    expect([refused.statusCode, refused.json().code], path).toEqual([429, 'too_many_requests']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  }
});

test('P6.01 every route that needs an account counts by account, from any address', async () => {
  const app = mounted({ account: spent, address: loose });
  const guarded = Object.values(routes).filter(({ auth }) => auth !== 'public');
  for (const [at, { method, path }] of guarded.entries()) {
    const ask = (token: string, remoteAddress: string) =>
      app.inject({ method, url: `/api${path}`, remoteAddress, headers: { authorization: `Bearer ${token}` } });
    expect((await ask(`a.b.${at}`, '203.0.113.1')).statusCode, path).not.toBe(429);
    expect((await ask(`a.b.${at}`, '203.0.113.2')).statusCode, path).toBe(429);
    expect((await ask(`d.e.${at}`, '203.0.113.1')).statusCode, path).not.toBe(429);
  }
});

test('P6.01 ten tabs that ask five times every two seconds use a hundredth of what an account may', () => {
  const { account, address } = requestLimits;
  const perMinute = (10 * 5 * 60) / 2;
  expect(perMinute).toBeLessThan((account.points / account.seconds) * 60 * 0.06);
  expect(address.points / address.seconds).toBeGreaterThan(account.points / account.seconds);
});
