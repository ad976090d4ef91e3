import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { toApiError } from '../../../../server/http/failure.ts';
import { type MetricsRule, serveMetrics } from '../../../../server/http/monitoring/serve-metrics.ts';

const token = 'a token of some length';

/** The status of `/metrics` under a rule, for a request from this address. */
async function statusOf(rule: Partial<MetricsRule>, remoteAddress: string, headers: Record<string, string> = {}): Promise<number> {
  const app = Fastify();
  app.setErrorHandler((error, _request, reply) => reply.status(toApiError(error).status).send());
  serveMetrics(
    app,
    { read: async () => ({ type: 'text/plain', text: 'up 1\n' }) },
    {
      ...{ metrics: 'loopback', metricsToken: null, publicUrl: null },
      ...rule,
    },
  );
  return (await app.inject({ url: '/metrics', remoteAddress, headers: { host: 'localhost:5001', ...headers } })).statusCode;
}

test.each(['127.0.0.1', '127.0.0.2', '::1', '::ffff:127.0.0.1'])('R10.01 metrics are for programs on this machine: %s', async (address) => {
  expect(await statusOf({}, address)).toBe(200);
});

test.each(['10.0.0.5', '192.168.1.127', '::ffff:10.127.0.1', '2001:db8::1', 'fe80::1'])(
  'R10.01 metrics are not for others: %s',
  async (address) => {
    expect(await statusOf({}, address)).toBe(404);
  },
);

test('R10.01 metrics are not for what a proxy on this machine brings, with a header of its own or with the Host of another name', async () => {
  expect(await statusOf({}, '127.0.0.1', { 'x-forwarded-for': '127.0.0.1' })).toBe(404);
  expect(await statusOf({}, '127.0.0.1', { host: 'artel.example' })).toBe(404);
  expect(await statusOf({ publicUrl: 'https://artel.example' }, '127.0.0.1')).toBe(404);
});

test('R10.01 with a token set, metrics need it, from any machine', async () => {
  const rule = { metricsToken: token };
  expect(await statusOf(rule, '127.0.0.1')).toBe(404);
  expect(await statusOf(rule, '127.0.0.1', { authorization: `Bearer ${token}x` })).toBe(404);
  expect(await statusOf(rule, '127.0.0.1', { authorization: token })).toBe(404);
  expect(await statusOf({ ...rule, metrics: 'on' }, '10.0.0.5')).toBe(404);
  expect(await statusOf(rule, '10.0.0.5', { authorization: `Bearer ${token}`, 'x-forwarded-for': '203.0.113.7' })).toBe(200);
});

test('R10.01 metrics are for all callers with "on", and for none with "off"', async () => {
  expect(await statusOf({ metrics: 'on' }, '10.0.0.5')).toBe(200);
  expect(await statusOf({ metrics: 'off', metricsToken: token }, '127.0.0.1', { authorization: `Bearer ${token}` })).toBe(404);
});
