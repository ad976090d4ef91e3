import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../../src/api/api-error.ts';
import { callUrl } from '../../../src/api/call-url.ts';
import { createApi } from '../../../src/api/create-api.ts';
import { searchRuns } from '../../../src/app/workspace/history/use-history-search.ts';
import type { Call } from '../../../src/model/call.ts';
import { everyPage } from '../../../src/model/every-page.ts';
import { createHttpBackend } from '../../../src/workers/engine/backends/http.ts';
import { agentOf } from '../../support/engine/samples.ts';

type Seen = { method: string; url: string; headers: IncomingMessage['headers']; body: string };

let server: Server | null = null;
const seen: Seen[] = [];

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = null;
  seen.length = 0;
});

/** Starts a server that records each request and answers with `answer`; returns the base URL of its API. */
async function answering(answer: (request: Seen, response: ServerResponse) => void): Promise<string> {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
    seen.push(one);
    answer(one, response);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (_: Seen, response: ServerResponse) => {
    response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', ...headers });
    response.end(JSON.stringify(body));
  };

const health = { status: 'ok', version: '1', uptimeSeconds: 1, database: 'up', bus: { mode: 'embedded', connected: true } };
const failure = async (call: Promise<unknown>): Promise<ApiError> => {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError)) throw new Error('No ApiError was thrown');
  return error;
};

test('P7.01 a query leaves out null and undefined, parameters are encoded', () => {
  expect(callUrl('http://h/api/', '/a/{id}/b', { id: 'x/y z' }, { limit: 5, offset: null, q: undefined, tag: 'а б' })).toBe(
    'http://h/api/a/x%2Fy%20z/b?limit=5&tag=%D0%B0+%D0%B1',
  );
  expect(() => callUrl('http://h', '/a/{id}', {})).toThrow('"id"');
});

test('P7.01 a call carries JSON, the token, the language, the tab and the idempotency key', async () => {
  const base = await answering(json(201, {}));
  const api = createApi({ base, getToken: () => 'abc', language: () => 'ru', clientId: () => 'tab-1' });
  await failure(api.call('agent.create', { body: { name: 'n', title: 't', role: 'QA' }, idempotencyKey: 'once' }));
  expect(seen[0]).toMatchObject({
    method: 'POST',
    url: '/api/nuroagent',
    headers: {
      authorization: 'Bearer abc',
      'accept-language': 'ru',
      'x-client-id': 'tab-1',
      'idempotency-key': 'once',
      'content-type': 'application/json',
    },
    body: '{"name":"n","title":"t","role":"QA"}',
  });
});

test('P6.01 without a token no authorization is sent', async () => {
  const base = await answering(json(200, health));
  expect(await createApi({ base, getToken: () => null }).call('health.get')).toEqual(health);
  expect(seen[0]?.headers.authorization).toBeUndefined();
});

test('P7.01 an empty answer is null, and one that does not match the contract is refused', async () => {
  const base = await answering((request, response) => {
    if (request.method !== 'DELETE') return json(200, { status: 'fine' })(request, response);
    response.writeHead(204);
    response.end();
  });
  const api = createApi({ base });
  expect(await api.call('pipeline.remove', { params: { id: 'p' } })).toBeUndefined();
  expect(await failure(api.call('health.get'))).toMatchObject({ code: 'bad_answer', status: 200 });
});

test('P8.01 a failed call carries the server’s message, code, field errors, request and wait', async () => {
  const body = {
    message: 'Слишком много',
    code: 'too_many_requests',
    errors: [{ path: 'a', message: 'b' }],
    requestId: 'r1',
    details: { status: 'paused' },
  };
  const base = await answering(json(429, body, { 'Retry-After': '7' }));
  expect(await failure(createApi({ base }).call('health.get'))).toMatchObject({ status: 429, retryAfterMs: 7_000, ...body });
});

test('R31.01 a pause that a server asks for is kept to, as far as half a minute', async () => {
  for (const [asked, kept] of [
    ['7', 7_000],
    ['86400', 30_000],
  ] as const) {
    const base = await answering(json(503, { code: 'unavailable', message: 'Later' }, { 'Retry-After': asked }));
    const backend = createHttpBackend(createApi({ base }));
    expect(await backend.call('project.get', { params: { id: 'default' } })).toMatchObject({
      ok: false,
      fault: { kind: 'unreachable', retryAfterMs: kept },
    });
  }
});

test('P8.01 without a readable message it is "HTTP {status}: {statusText}"', async () => {
  const base = await answering((_, response) => {
    response.writeHead(502, 'Bad Gateway', { 'Content-Type': 'text/html' });
    response.end('<h1>oops</h1>');
  });
  expect(await failure(createApi({ base }).call('health.get'))).toMatchObject({
    status: 502,
    code: 'http',
    message: 'HTTP 502: Bad Gateway',
  });
});

test('P8.01 a body that says it is JSON and is not does not hide the failure', async () => {
  const base = await answering((_, response) => {
    response.writeHead(500, 'Internal Server Error', { 'Content-Type': 'application/json' });
    response.end('{"mess');
  });
  expect(await failure(createApi({ base }).call('health.get'))).toMatchObject({ status: 500, message: 'HTTP 500: Internal Server Error' });
});

test('P8.01 no server, no answer in time, half an answer and giving up are four different failures', async () => {
  expect(await failure(createApi({ base: 'http://127.0.0.1:1/api' }).call('health.get'))).toMatchObject({ status: 0, code: 'network' });
  const silent = await answering(() => {});
  expect(await failure(createApi({ base: silent, timeoutMs: 60 }).call('health.get'))).toMatchObject({ status: 0, code: 'timeout' });
  const controller = new AbortController();
  const given = failure(createApi({ base: silent }).call('health.get', { signal: controller.signal }));
  controller.abort();
  expect(await given).toMatchObject({ status: 0, code: 'aborted' });
  server?.closeAllConnections();
  server?.close();
  const halting = await answering((_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
    response.write('{"status":');
  });
  expect(await failure(createApi({ base: halting, timeoutMs: 60 }).call('health.get'))).toMatchObject({ status: 0, code: 'timeout' });
});

test('P7.01 W9.03 an answer is waited for 30 s', async () => {
  vi.useFakeTimers();
  try {
    const fetch = () => new Promise<Response>(() => {});
    let error: ApiError | null = null;
    void failure(createApi({ base: 'http://127.0.0.1/api', fetch }).call('health.get')).then((thrown) => {
      error = thrown;
    });
    await vi.advanceTimersByTimeAsync(29_999);
    expect(error).toBeNull();
    await vi.advanceTimersByTimeAsync(1);
    expect(error).toMatchObject({ code: 'timeout', details: { timeoutMs: 30_000 } });
  } finally {
    vi.useRealTimers();
  }
});

test('P7.01 the limit of a call counts its head and its body together, and ends the request', async () => {
  const arrived = Promise.withResolvers<ServerResponse>();
  const hasHead = Promise.withResolvers<void>();
  const base = await answering((_, response) => arrived.resolve(response));
  let signal: AbortSignal | undefined;
  const noted: typeof fetch = async (input, init) => {
    signal = input instanceof Request ? input.signal : undefined;
    const response = await fetch(input, init);
    hasHead.resolve();
    return response;
  };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const failed = failure(createApi({ base, timeoutMs: 200, fetch: noted }).call('health.get'));
    const response = await arrived.promise;
    const closed = new Promise((resolve) => response.on('close', resolve));
    vi.advanceTimersByTime(120);
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
    response.write('{"status":');
    await hasHead.promise;
    vi.advanceTimersByTime(79);
    expect(signal?.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(signal?.aborted).toBe(true);
    expect(await failed).toMatchObject({ code: 'timeout' });
    await closed;
  } finally {
    vi.useRealTimers();
  }
});

test('W7.02 all agents are read, however many there are, also from a server that gives no pages', async () => {
  const all = Array.from({ length: 450 }, (_, number) => agentOf(number, `agent-${number}`, 'QA'));
  const page = ({ url }: Seen) => {
    const { searchParams } = new URL(url, 'http://h');
    const offset = Number(searchParams.get('offset'));
    return all.slice(offset, offset + Number(searchParams.get('limit')));
  };
  for (const given of [page, () => all]) {
    const base = await answering((request, response) => json(200, given(request))(request, response));
    const listed = await everyPage((query) => createHttpBackend(createApi({ base })).call('agent.list', { query }));
    server?.closeAllConnections();
    server?.close();
    expect(listed).toMatchObject({ ok: true });
    expect(listed.ok && listed.value.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  }
});

test('W7.07 W2.18 a search of the history sends the text, cut to the server’s limit, and the project, and uses the server’s count', async () => {
  let url = '';
  let headers: Record<string, string> = { 'X-Total-Count': '500' };
  const base = await answering((request, response) => {
    url = request.url;
    json(200, [], headers)(request, response);
  });
  const call = createHttpBackend(createApi({ base })).call as unknown as Call;
  const search = () => searchRuns(call, 'p-1', { text: `50% & ${'x'.repeat(300)}`, triggerId: null });
  expect(await search()).toEqual({ ok: true, value: { items: [], total: 500 } });
  headers = {};
  expect(await search()).toEqual({ ok: true, value: { items: [], total: 0 } });
  const asked = new URL(url, 'http://h');
  expect(asked.pathname).toMatch(/\/ProjectResultHistory\/project\/p-1\/search$/);
  expect(Object.fromEntries(asked.searchParams)).toEqual({ q: `50% & ${'x'.repeat(194)}`, limit: '200' });
});

test('R19.01 a known code takes precedence over the server’s message, an unknown one does not', async () => {
  const problem = async (status: number, body: unknown) => {
    const base = await answering(json(status, body));
    const answer = await createHttpBackend(createApi({ base })).call('agent.list');
    server?.close();
    return answer;
  };
  expect(await problem(409, { message: 'Paused', code: 'illegal_state', requestId: 'r', details: { status: 'paused' } })).toMatchObject({
    ok: false,
    fault: { kind: 'refused', problem: { code: 'illegal_state', params: { status: 'paused' } } },
  });
  expect(await problem(418, { message: 'I am a teapot' })).toMatchObject({
    ok: false,
    fault: { kind: 'refused', problem: { code: 'api.message', params: { message: 'I am a teapot' } } },
  });
  expect(await problem(401, { message: 'x', code: 'token_expired', requestId: 'r' })).toMatchObject({
    ok: false,
    fault: { kind: 'unauthenticated' },
  });
  expect(await problem(409, { message: 'x', code: 'canvas_stale', requestId: 'r' })).toMatchObject({ ok: false, fault: { kind: 'stale' } });
  expect(await problem(200, '<h1>Sign in to this network</h1>')).toMatchObject({
    ok: false,
    fault: { kind: 'unreachable', problem: { code: 'bad_answer' } },
  });
  expect(await problem(200, [{ id: 'a' }])).toMatchObject({ fault: { problem: { code: 'bad_answer', params: { field: '0' } } } });
  const silent = createHttpBackend(createApi({ base: await answering(() => {}), timeoutMs: 40 }));
  expect(await silent.call('agent.list')).toMatchObject({
    fault: { kind: 'unreachable', problem: { code: 'api.timeout', params: { ms: 40 } } },
  });
  server?.closeAllConnections();
  server?.close();
  const odd = createHttpBackend(createApi({ base: await answering(json(200, { id: '[object Object]', result: 7 })) }));
  expect(await odd.call('command.status', { params: { id: 'c' } })).toMatchObject({
    fault: { problem: { code: 'bad_answer', params: { field: 'id' } } },
  });
  server?.closeAllConnections();
  server?.close();
  expect(await problem(503, { message: 'x', code: 'unavailable', requestId: 'r' })).toMatchObject({
    ok: false,
    fault: { kind: 'unreachable' },
  });
});
