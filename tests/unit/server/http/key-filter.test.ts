import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import type { Route } from '../../../../contract/route.ts';
import { routes } from '../../../../contract/routes.ts';
import { type Handlers, paged } from '../../../../server/http/call.ts';
import { noteAddresses } from '../../../../server/http/client-address.ts';
import { sendFailure } from '../../../../server/http/failure.ts';
import { compileKeyFilter } from '../../../../server/http/key-filter.ts';
import { mountRoutes } from '../../../../server/http/mount.ts';
import { planted, samplesOf, secret } from '../../../support/hostile/planted-keys.ts';

const id = '01934567-89ab-7cde-8f01-23456789abcd';
const at = '2026-11-20T12:00:00.000Z';
const user = { id, email: 'ann@example.com', name: 'Ann' };

let app: FastifyInstance;
afterEach(() => app.close());

/** The server's response to a call whose handler returns `answer`, and its log. */
async function answerOf(
  path: { method: 'GET' | 'POST' | 'PUT'; url: string; payload?: object },
  answer: unknown,
  { checksAnswers = false, stored = false } = {},
) {
  const lines: string[] = [];
  app = Fastify({ loggerInstance: undefined, logger: { stream: { write: (line: string) => void lines.push(line) } } });
  app.setErrorHandler(sendFailure);
  app.decorateRequest('bodyLease', null);
  noteAddresses(app);
  mountRoutes(app, {
    handlers: new Proxy({}, { get: () => async () => answer }) as Handlers,
    authenticate: async () => ({ ...user, sessionId: id, tokenGoodUntil: Date.now() + 60_000, isStaff: true }),
    keys: { authenticate: () => Promise.reject(new Error('not called')), checkReach: async () => {} },
    isLocal: () => false,
    idempotency: { once: async (_user, _key, _request, work) => (stored ? { status: 201, answer } : work(async () => {})) },
    rateLimits: { count: async () => ({ turn: '', wasRight: async () => {} }) },
    requestLimits: { countAddress: async () => {}, countAccount: async () => {} },
    storage: { storing: (_write, work) => work(), freed: () => {} },
    checksAnswers,
  });
  const headers = { authorization: 'Bearer a.b.c', 'idempotency-key': 'key' };
  const { statusCode, body } = await app.inject({ ...path, headers });
  return { status: statusCode, body, lines: lines.join('') };
}

const project = {
  ...{ id, name: 'One', description: '', status: 'active', isDemo: false, userId: id, createdAt: at, updatedAt: at },
};
const node = { id: 'n', type: 'agent', title: 'QA', x: 0, y: 0, color: { background: '#fff', border: '#000' } };

test.each([
  ['an object', { method: 'GET', url: '/api/auth/profile' }, { ...user, ...secret }, { ...user }],
  [
    'a nested object',
    { method: 'POST', url: '/api/auth/refresh', payload: { refreshToken: 'x' } },
    { accessToken: 'a', user: { ...user, ...secret } },
    { accessToken: 'a', user },
  ],
  ['a list', { method: 'GET', url: '/api/project' }, [{ ...project, ...secret }, project], [project, project]],
  [
    'a page of a list',
    { method: 'GET', url: '/api/project' },
    await paged(Promise.resolve({ items: [{ ...project, ...secret }], total: 1 })),
    [project],
  ],
  [
    'a record',
    { method: 'GET', url: `/api/project/${id}/canvas` },
    { version: 1, nodes: { n: { ...node, ...secret, color: { ...node.color, ...secret } } }, connections: {}, ...secret },
    { version: 1, nodes: { n: node }, connections: {} },
  ],
] as const)('R15.01 a key that the schema does not name is not sent: %s', async (_what, call, answer, expected) => {
  const { body } = await answerOf(call, answer);
  expect(JSON.parse(body)).toEqual(expected);
});

test('R15.01 nothing is sent where the schema has nothing, and a stored answer is filtered too', async () => {
  const forgotten = await answerOf({ method: 'POST', url: '/api/auth/forgot-password', payload: { email: user.email } }, secret);
  expect([forgotten.status, forgotten.body]).toEqual([202, '']);
  await app.close();
  const stored = await answerOf(
    { method: 'POST', url: '/api/project', payload: { name: 'One' } },
    { ...project, ...secret },
    { stored: true },
  );
  expect([stored.status, JSON.parse(stored.body)]).toEqual([201, project]);
});

test('R19.01 an answer that does not match is a 500 in development, with the fault in the log and no value of it', async () => {
  const wrong = { ...project, name: 7, description: { text: 'private words' } };
  const { status, body, lines } = await answerOf({ method: 'GET', url: `/api/project/${id}` }, wrong, { checksAnswers: true });
  expect([status, JSON.parse(body).code]).toEqual([500, 'internal']);
  expect(lines).toContain('answers what its schema does not allow: name (invalid_type), description (invalid_type)');
  expect(lines + body).not.toContain('private words');
  await app.close();
  const right = await answerOf({ method: 'GET', url: `/api/project/${id}` }, { ...project, ...secret }, { checksAnswers: true });
  expect([right.status, JSON.parse(right.body)]).toEqual([200, project]);
});

test.each(Object.entries<Route>(routes))(
  'R15.01 %s has a response schema, and it lets nothing else through at any depth',
  (_name, { response }) => {
    app = Fastify();
    for (const value of samplesOf(response)) {
      const { keep } = compileKeyFilter(response);
      const leaking = planted(response, value);
      const sent = JSON.stringify(keep === null ? leaking : keep(leaking)) ?? '';
      expect(sent).not.toContain('passwordHash');
      expect(sent).toBe(JSON.stringify(value) ?? '');
    }
  },
);
