import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { errorBody } from '../../../contract/errors.ts';
import type { Route } from '../../../contract/route.ts';
import { type RouteName, routes } from '../../../contract/routes.ts';
import { amountOf } from '../../support/amounts.ts';
import { anyJson, hostileValues } from '../../support/hostile/hostile-values.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { setUpModelServer, setUpServer } from '../../support/set-up/for-vitest.ts';

/**
 * The number of cases for one route, of which equal ones are sent once; `inFlight` of them are sent at a time. The seed generates the
 * same cases again. A route without a body has a few dozen different values, not endlessly many.
 */
const casesOfRoute = { withBody: amountOf({ some: 60, whole: 500 }), withoutBody: amountOf({ some: 20, whole: 150 }) };
const inFlight = 8;
const seed = 20_261_122;

const models = setUpModelServer();
// Most of the calls are refused, and a line about each would be as much work as the call.
const server = setUpServer(() => ({ LOG_LEVEL: 'warn', OPENAI_BASE_URL: models.url }), { ownProcess: 'Hostile bodies load it.' });
let ann: RunAccount;
let ids: string[];
/** The number of accounts: one account may not make that many calls in a minute. */
const accountCount = 4;
const callers: Caller[] = [];

beforeAll(async () => {
  for (let count = 0; count < accountCount; count += 1) callers.push(await prepareCaller(count));
  ({ account: ann, ids } = callers[0] as Caller);
});

type Caller = { account: RunAccount; ids: string[] };

/** Creates an account with a record of each kind, and collects the ids of these records. */
async function prepareCaller(earlier: number): Promise<Caller> {
  const account = await signUp(server.url);
  const pipeline = await account.pipeline('assistant');
  const execution = await account.start(pipeline, 'Stand fast');
  await account.until(execution.id, ({ status }) => status === 'completed');
  // A run that does not end prevents the removal of the project during the later calls.
  models.answer({ kind: 'hang' });
  await account.start(pipeline, 'Stay');
  await models.call(2 * (earlier + 1));
  models.answer((call) => ({ kind: 'text', text: `Answer ${call.number}` }));
  const item = (await account.history()).find(({ pipelineExecutionId }) => pipelineExecutionId === execution.id);
  const team = account.agents.map(({ id }) => id);
  const nil = '00000000-0000-0000-0000-000000000000';
  return { account, ids: ['default', pipeline.projectId, pipeline.id, execution.id, item?.id ?? '', nil, ...team] };
}

const json = { 'content-type': 'application/json' };

/** Sends a case and returns what is wrong with the answer; null for a correct one. */
async function faultOf({ account }: Caller, { method, path, body }: Case): Promise<string | null> {
  const response = await fetch(`${server.url}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${account.accessToken}`, ...(body !== undefined && json) },
    ...(body !== undefined && { body }),
  });
  const answer = await response.text();
  // For a generated model server that does not answer this is the correct error.
  const isModelAway = response.status === 503 && answer.includes('"model_unavailable"');
  if (response.status >= 500 && !isModelAway) return `status ${response.status}: ${answer.slice(0, 500)}`;
  if (response.headers.get('cache-control') !== 'no-store') return 'the answer may be stored';
  if (response.status < 400) return null;
  if (/node_modules|\.ts:\d|\bat \w+ \(/.test(answer)) return `the answer tells of the code: ${answer.slice(0, 500)}`;
  const { success } = errorBody.safeParse(JSON.parse(answer));
  return success ? null : `another error body: ${answer.slice(0, 500)}`;
}

type Case = { method: string; path: string; body: string | undefined };

/** Sends the cases, several at a time, and returns the first failed one. */
async function firstFault(caller: Caller, cases: readonly Case[]): Promise<(Case & { fault: string }) | null> {
  const waiting = [...cases];
  let found: (Case & { fault: string }) | null = null;
  const send = async () => {
    for (let next = waiting.pop(); next !== undefined && found === null; next = waiting.pop()) {
      const fault = await faultOf(caller, next);
      if (fault !== null) found ??= { ...next, fault };
    }
  };
  await Promise.all(Array.from({ length: inFlight }, send));
  return found;
}

const names = Object.keys(routes) as RouteName[];
// The call that would end the session of all calls is left out.
const told = names.filter((name) => name !== 'auth.logout');

describe('generated calls', () => {
  test.each(told)('R19.01 %s answers generated calls correctly', async (name) => {
    const route: Route = routes[name];
    const caller = callers[told.indexOf(name) % accountCount] as Caller;
    const { ids } = caller;
    const params = fc.record(Object.fromEntries([...route.path.matchAll(/\{(\w+)\}/g)].map(([, key = '']) => [key, someId(ids)])));
    const query = route.query ? queriesOf(route.query, ids) : fc.constant('');
    const body = route.body
      ? fc.oneof({ weight: 6, arbitrary: hostileValues(route.body, ids) }, { weight: 1, arbitrary: anyJson })
      : fc.constant(undefined);
    const cases = fc.record({ some: params, search: query, content: body }).map(({ some, search, content }) => ({
      method: route.method,
      path: `${route.path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(some[key] ?? ''))}${search}`,
      body: content === undefined ? undefined : JSON.stringify(content),
    }));
    const made = fc.sample(cases, { numRuns: route.body ? casesOfRoute.withBody : casesOfRoute.withoutBody, seed });
    const different = new Map(made.map((one) => [`${one.path} ${one.body}`, one]));
    expect(await firstFault(caller, [...different.values()])).toBeNull();
  });

  function someId(ids: string[]): fc.Arbitrary<string> {
    return fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...ids) },
      { weight: 1, arbitrary: fc.constantFrom('\u0000', '%', '..', 'ü', 'null') },
    );
  }

  function queriesOf(schema: z.ZodObject, ids: string[]): fc.Arbitrary<string> {
    const value = fc.oneof(
      fc.constantFrom('0', '1', '200', '-1', '', '1e9', '2147483648', '9007199254740991', 'x', '\u0000'),
      fc.constantFrom(...ids),
    );
    const pair = fc.tuple(fc.constantFrom(...Object.keys(schema.shape), '__proto__'), value);
    return fc.array(pair, { maxLength: 3 }).map((pairs) => `?${new URLSearchParams(pairs)}`);
  }
});

test.each([
  ['an array within an array, a hundred thousand times', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ['an object within an object, fifty thousand times', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`],
  ['what is only just too deep', `${'['.repeat(65)}${']'.repeat(65)}`],
])('R19.01 %s is refused, also where any content is allowed', async (_, deep) => {
  const pipelineId = ids[2];
  for (const [path, body] of [
    ['/PipelineExecution/start', `{"pipelineId":"${pipelineId}","inputData":{"task":"x","free":${deep}}}`],
    ['/PipelineExecution/start', `{"pipelineId":"${pipelineId}","inputData":{"task":"x","connections":[${deep}]}}`],
    ['/auth/login', deep],
  ]) {
    const response = await fetch(`${server.url}/api${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ann.accessToken}`, 'content-type': 'application/json', 'idempotency-key': 'deep' },
      body: body as string,
    });
    expect([path, response.status, await response.json()]).toEqual([path, 400, expect.objectContaining({ code: 'bad_request' })]);
  }
});

test('R19.01 brackets within texts do not count as nesting', async () => {
  const text = '[{'.repeat(100);
  const { status } = await ann.call('PUT', '/auth/profile', { name: `"\\${text}`.slice(0, 120) });
  expect(status).toBe(200);
});

test('R31.01 a text that was cut in the middle of an emoji is kept, with a replacement for its half', async () => {
  const { body: canvas } = await ann.call<{ version: number }>('GET', '/project/default/canvas');
  const value = { id: 'cut', type: 'start', title: 'rocket 🚀', description: 'cut \ud83d', x: 0, y: 0 };
  const patches = [{ op: 'set', collection: 'nodes', id: 'cut', value }];
  const { status } = await ann.call('PATCH', '/project/default/canvas', { baseVersion: canvas.version, patches });
  expect(status).toBe(200);
  const { body: after } = await ann.call<{ nodes: Record<string, unknown> }>('GET', '/project/default/canvas');
  expect(after.nodes.cut).toMatchObject({ title: 'rocket 🚀', description: 'cut \ufffd' });
});

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('R31.01 no record is called %s', async (id) => {
  const { body: canvas } = await ann.call<{ version: number }>('GET', '/project/default/canvas');
  const value = { id, type: 'start', title: 'x', x: 0, y: 0 };
  const patches = [{ op: 'set', collection: 'nodes', id, value }];
  expect(await ann.call('PATCH', '/project/default/canvas', { baseVersion: canvas.version, patches })).toMatchObject({ status: 400 });
});

test('R15.01 ids are case-insensitive', async () => {
  // An account that the generated calls have not changed.
  const bob = await signUp(server.url);
  const [project] = (await bob.call<{ id: string }[]>('GET', '/project')).body;
  const agentId = bob.agent('assistant').id.toUpperCase();
  const answer = await bob.call<{ steps: unknown[] }>('POST', '/Pipeline', {
    name: 'Capitals',
    projectId: project?.id.toUpperCase(),
    steps: [{ name: 'One', agentId }],
  });
  expect(answer).toMatchObject({ status: 201, body: { projectId: project?.id, steps: [{ agentId: agentId.toLowerCase() }] } });
});

test('R19.01 none of these calls has caused a server error', () => {
  const failed = server
    .logs()
    .split('\n')
    .filter((line) => line.includes('A call failed unexpectedly'));
  expect(failed).toEqual([]);
});
