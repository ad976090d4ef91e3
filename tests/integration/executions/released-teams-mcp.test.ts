import { connect as openSocket } from 'node:net';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CreatedApiKey, KeyScope } from '../../../contract/api-key.ts';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import type { Project } from '../../../contract/project.ts';
import type { CallableTeam, TeamQuestion, TeamResult, TeamRun } from '../../../contract/released-team.ts';
import { socketLimits } from '../../../server/modules/realtime/socket-limits.ts';
import { setUpAccount, setUpModelServer, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';
import { timesSlower } from '../../support/times-slower.ts';

const models = setUpModelServer({ kind: 'text', text: 'Written.\n\n```md path=notes/План 1.md\n# Plan\n```\n' });
const { database, server } = setUpServerOnDatabase(() => ({ OPENAI_BASE_URL: models.url }), {
  ownProcess: 'The times after which it closes streams are measured.',
});
const ann = setUpAccount(server);

type Called = { isError?: boolean; content: { type: string; text?: string; uri?: string; resource?: { uri: string; text: string } }[] };
type Connected = {
  tools: () => Promise<string[]>;
  call: (name: string, args: Record<string, unknown>, onProgress?: (progress: number) => void) => Promise<Called>;
  read: (uri: string) => Promise<unknown>;
  close: () => Promise<void>;
};

const about = { name: 'a test', version: '1.0.0' };
const withKey = (key: string) => ({ requestInit: { headers: { authorization: `Bearer ${key}` } } });

/** The official client, in the protocol that both sides agree on, and that of 2025. */
async function connect(key: string, options: ClientOptions = {}): Promise<Connected> {
  const client = new Client(about, options);
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), withKey(key)));
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args, onProgress) =>
      (await client.callTool({ name, arguments: args }, onProgress && { onprogress: ({ progress }) => onProgress(progress) })) as Called,
    read: async (uri) => (await client.readResource({ uri })).contents,
    close: () => client.close(),
  };
}

async function connectEarlier(key: string): Promise<Connected> {
  const client = new EarlierClient(about);
  await client.connect(new EarlierTransport(new URL(`${server.url}/mcp`), withKey(key)));
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args, onProgress) =>
      (await client.callTool(
        { name, arguments: args },
        undefined,
        onProgress && { onprogress: ({ progress }) => onProgress(progress) },
      )) as Called,
    read: async (uri) => (await client.readResource({ uri })).contents,
    close: () => client.close(),
  };
}

function answerOf<T>({ isError, content }: Called): T {
  expect([isError ?? false, content[0]?.text]).toEqual([false, expect.any(String)]);
  return JSON.parse(content[0]?.text ?? '') as T;
}

async function keyOf(scopes: KeyScope[], more: object = {}): Promise<CreatedApiKey> {
  return (await ann.call<CreatedApiKey>('POST', '/api-keys', { name: 'Desk', scopes, ...more })).body;
}

beforeAll(async () => {
  const agent = ann.agent('assistant');
  await ann.call('PUT', `/nuroagent/${agent.id}/api-configuration`, {
    providerType: 'openai',
    model: 'gpt-4',
    apiKey: 'sk-x',
    baseUrl: models.url,
  });
  const asking = await ann.call<Pipeline>('POST', '/Pipeline', {
    ...{ name: 'Ask, then write', projectId: 'default', links: [{ id: 'a', from: 'ask', to: 'write' }] },
    steps: [
      { name: 'Ask', agentId: agent.id, nodeId: 'ask', settings: { person: { question: 'May I?' } } },
      { name: 'Write', agentId: agent.id, nodeId: 'write' },
    ],
  });
  const input = [{ kind: 'text', name: 'topic' }];
  const released = { pipelineId: asking.body.id, slug: 'writer', title: 'Writer', task: 'Write about {topic}', input };
  expect((await ann.call('POST', '/project/default/released-teams', released)).status).toBe(201);
  const costly = { pipelineId: asking.body.id, slug: 'costly', title: 'Costly', budget: { tokens: 1 } };
  expect((await ann.call('POST', '/project/default/released-teams', costly)).status).toBe(201);
  const writing = { name: 'Write', projectId: 'default', steps: [{ name: 'Write', agentId: agent.id }] };
  const { body: plan } = await ann.call<Pipeline>('POST', '/Pipeline', writing);
  const slow = { pipelineId: plan.id, slug: 'slow', title: 'Slow', atOnce: 10 };
  expect((await ann.call('POST', '/project/default/released-teams', slow)).status).toBe(201);
});

const clients: [string, (key: string) => Promise<Connected>][] = [
  ['the official client', connect],
  ['the official client in the protocol of 2026', (key) => connect(key, { versionNegotiation: { mode: 'auto' } })],
  ['the client of the earlier package', connectEarlier],
];

describe.each(clients)('%s', (_name, open) => {
  test('K5.01 starts a run, waits, answers the question of a person, waits again, and reads the result with its file', async () => {
    const { key } = await keyOf(['read', 'run', 'answer']);
    const client = await open(key);
    expect(await client.tools()).toEqual(['list_teams', 'start_run', 'wait_for_run', 'get_result', 'list_questions', 'answer_question']);
    const listed = answerOf<CallableTeam[]>(await client.call('list_teams', {}));
    expect(listed.map(({ slug, schema }) => [slug, schema])).toEqual([
      ['costly', expect.anything()],
      ['slow', expect.anything()],
      ['writer', expect.objectContaining({ required: ['topic'] })],
    ]);
    const started = answerOf<TeamRun>(await client.call('start_run', { team: 'writer', input: { topic: 'tea' } }));
    expect(started.status).toBe('queued');
    const shares: number[] = [];
    const waiting = answerOf<TeamRun>(await client.call('wait_for_run', { run: started.id, seconds: 30 }, (share) => shares.push(share)));
    expect(waiting).toMatchObject({ status: 'waiting', questions: [{ kind: 'person', byPrograms: true }] });
    const [question] = answerOf<TeamQuestion[]>(await client.call('list_questions', { run: started.id }));
    expect(question).toMatchObject({ text: 'May I?', state: 'open' });
    const answer = { run: started.id, question: question?.id, action: 'answer', text: 'Yes' };
    expect(answerOf<TeamQuestion>(await client.call('answer_question', answer))).toMatchObject({
      state: 'answered',
      answeredBy: 'Ann (Desk)',
    });
    const ended = answerOf<TeamRun>(await client.call('wait_for_run', { run: started.id }, (share) => shares.push(share)));
    expect(ended.status).toBe('completed');
    expect(shares.at(-1)).toBe(100);
    const result = await client.call('get_result', { run: started.id });
    expect(answerOf<TeamResult>(result)).toMatchObject({ status: 'completed', text: expect.stringContaining('Written.') });
    const uri = `artel://runs/${started.id}/files/notes/${encodeURIComponent('План 1.md')}`;
    expect(result.content.slice(1)).toMatchObject([{ type: 'resource', resource: { uri, text: '# Plan\n' } }]);
    expect(await client.read(uri)).toMatchObject([{ uri, text: '# Plan\n' }]);
    await client.close();
  });
});

test('K5.05 a start that is repeated with its key is one run, also at once and over HTTP, and another task with the key is refused', async () => {
  const { key } = await keyOf(['read', 'run']);
  const client = await connect(key);
  const once = (topic: string, idempotencyKey?: string) => ({
    team: 'writer',
    input: { topic },
    ...(idempotencyKey && { idempotencyKey }),
  });
  const start = async (topic: string, idempotencyKey?: string) =>
    answerOf<TeamRun>(await client.call('start_run', once(topic, idempotencyKey))).id;
  const ids = await Promise.all(Array.from({ length: 5 }, () => start('tea', 'ticket-1')));
  expect(new Set(ids).size).toBe(1);
  expect(await start('tea', 'ticket-1')).toBe(ids[0]);
  const again = await ann.call<TeamRun>('POST', '/team/writer/runs', { input: { topic: 'tea' } }, { 'idempotency-key': 'ticket-1' });
  expect([again.status, again.body.id]).toEqual([202, ids[0]]);
  const other = await client.call('start_run', once('coffee', 'ticket-1'));
  expect(other).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('(idempotency_mismatch)') }] });
  expect(await client.call('start_run', once('tea', 'x'.repeat(256)))).toMatchObject({ isError: true });
  const unkeyed = [await start('tea'), await start('tea'), await start('tea', 'ticket-2')];
  expect(new Set([...ids, ...unkeyed]).size).toBe(4);
  // A refused start leaves its key free.
  const wrong = await client.call('start_run', { team: 'writer', input: {}, idempotencyKey: 'ticket-3' });
  expect(wrong).toMatchObject({ isError: true });
  const last = await start('tea', 'ticket-3');
  for (const id of [ids[0] ?? '', ...unkeyed, last]) await ann.act(id, 'stop');
  await client.close();
});

test('K2.08 K5.02 a key with a budget answers no question of a run that it has not started, as by the API', async () => {
  const bounded = await connect((await keyOf(['read', 'run', 'answer'], { budget: { calls: 100 } })).key);
  const other = await connect((await keyOf(['read', 'run', 'answer'])).key);
  for (const [starter, isRefused] of [
    [other, true],
    [bounded, false],
  ] as const) {
    const { id: run } = answerOf<TeamRun>(await starter.call('start_run', { team: 'writer', input: { topic: 'tea' } }));
    const { questions } = answerOf<TeamRun>(await bounded.call('wait_for_run', { run, seconds: 30 }));
    const answer = { run, question: questions[0]?.id, action: 'answer', text: 'Yes' };
    const { isError, content } = await bounded.call('answer_question', answer);
    expect([isError ?? false, content[0]?.text?.includes('(key_not_allowed)')]).toEqual([isRefused, isRefused]);
    await ann.act(run, 'stop');
  }
  await Promise.all([bounded.close(), other.close()]);
});

test('K5.02 a key reaches what its scopes and its project allow, by the same limits as the API', async () => {
  const { body: other } = await ann.call<Project>('POST', '/project', { name: 'Another' });
  const [foreign, reader, all] = [
    await keyOf(['read', 'run'], { projectId: other.id }),
    await keyOf(['read']),
    await keyOf(['read', 'run', 'answer']),
  ];
  const stranger = await connect(foreign.key);
  expect(answerOf(await stranger.call('list_teams', {}))).toEqual([]);
  expect(await stranger.call('start_run', { team: 'writer', input: { topic: 'x' } })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/“writer”.*\(not_found\)/) }],
  });
  const reading = await connect(reader.key);
  expect(await reading.call('start_run', { team: 'writer', input: { topic: 'x' } })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('(key_not_allowed)') }],
  });
  const client = await connect(all.key);
  const wrong = await client.call('start_run', { team: 'writer', input: { extra: 1 } });
  expect(wrong).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/bad_request[\s\S]*input\.topic[\s\S]*extra/) }] });
  const started = answerOf<TeamRun>(await client.call('start_run', { team: 'costly' }));
  const first = answerOf<TeamRun>(await client.call('wait_for_run', { run: started.id }));
  const person = { run: started.id, question: first.questions[0]?.id, action: 'answer', text: 'Yes' };
  expect(answerOf<TeamQuestion>(await client.call('answer_question', person)).state).toBe('answered');
  const second = answerOf<TeamRun>(await client.call('wait_for_run', { run: started.id }));
  expect(second.questions).toMatchObject([{ kind: 'budget', byPrograms: false, page: expect.stringContaining('question=') }]);
  const money = await client.call('answer_question', { run: started.id, question: second.questions[0]?.id, action: 'asMuchAgain' });
  expect(money).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('(key_not_allowed)') }] });
  expect(await stranger.call('get_result', { run: started.id })).toMatchObject({ isError: true });
  await ann.act(started.id, 'stop');
  await Promise.all([stranger.close(), reading.close(), client.close()]);
});

test('K5.03 no session, no wrong key and no page of another origin opens it, and a revoked key is refused at the next call', async () => {
  const { id, key } = await keyOf(['read']);
  const send = (headers: Record<string, string>, body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}') =>
    fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body,
    });
  expect((await send({ authorization: `Bearer ${ann.accessToken}` })).status).toBe(401);
  expect((await send({ authorization: `Bearer art_${'0'.repeat(40)}` })).status).toBe(401);
  expect((await send({ authorization: `Bearer ${key}`, origin: 'https://elsewhere.example' })).status).toBe(403);
  expect((await send({ authorization: `Bearer ${key}` }, '{"broken')).status).toBe(400);
  const client = await connect(key);
  expect(answerOf(await client.call('list_teams', {}))).toHaveLength(3);
  await ann.call('DELETE', `/api-keys/${id}`);
  await expect(client.call('list_teams', {})).rejects.toThrow();
  await client.close();
});

test('K5.04 a wait ends at its time, and with its client', async () => {
  const { key } = await keyOf(['read', 'run']);
  const client = await connect(key);
  models.answer({ kind: 'hang' });
  const started = answerOf<TeamRun>(await client.call('start_run', { team: 'slow' }));
  expect(answerOf<TeamRun>(await client.call('wait_for_run', { run: started.id, seconds: 1 })).status).toMatch(/queued|running/);
  expect(await client.call('wait_for_run', { run: started.id, seconds: 51 })).toMatchObject({ isError: true });
  await ann.act(started.id, 'stop');
  models.answer({ kind: 'text', text: 'Done' });
  await client.close();
});

/** One message of the protocol of 2025, or of 2026 with its envelope, by a client of no package. */
function post(
  key: string,
  message: object | object[],
  { signal, headers = {} }: { signal?: AbortSignal; headers?: Record<string, string> } = {},
): Promise<Response> {
  return fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      ...headers,
    },
    body: JSON.stringify(message),
    ...(signal && { signal }),
  });
}

const waitFor = (run: string, seconds: number, token?: string) => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name: 'wait_for_run', arguments: { run, seconds }, ...(token !== undefined && { _meta: { progressToken: token } }) },
});

/** A run that waits for its model until it is stopped. */
async function hangingRun(key: string): Promise<TeamRun> {
  models.answer({ kind: 'hang' });
  const client = await connect(key);
  const run = answerOf<TeamRun>(await client.call('start_run', { team: 'slow' }));
  await ann.until(run.id, ({ status }) => status === 'running');
  await client.close();
  return run;
}

describe('connections of a key', () => {
  const { connectionsPerKey } = socketLimits;

  test('K5.06 a key has so many waits at a time, others of its account wait on, and one that ends makes room', async () => {
    const [busy, other] = [await keyOf(['read', 'run']), await keyOf(['read', 'run'])];
    const run = await hangingRun(busy.key);
    const gone = new AbortController();
    const first = post(busy.key, waitFor(run.id, 50), { signal: gone.signal }).catch(() => null);
    const rest = Array.from({ length: connectionsPerKey }, () => post(busy.key, waitFor(run.id, 50)).then((answer) => answer.text()));
    const refused = await Promise.race(rest);
    expect(refused).toContain('(too_many_requests)');
    expect(await (await post(other.key, waitFor(run.id, 0))).text()).toContain('running');
    gone.abort();
    await first;
    await expect.poll(async () => (await post(busy.key, waitFor(run.id, 0))).text()).toContain('running');
    await ann.act(run.id, 'stop');
    const answers = await Promise.all(rest);
    expect(answers.filter((text) => text.includes('(too_many_requests)'))).toEqual([refused]);
    expect(answers.filter((text) => text.includes('cancelled'))).toHaveLength(connectionsPerKey - 1);
  });

  test('K5.06 a wait and a stream of events end within a second when their key is revoked, and when it expires', async () => {
    const [revoked, expiring] = [await keyOf(['read', 'run']), await keyOf(['read', 'run'])];
    const run = await hangingRun(revoked.key);
    const open = async ({ key }: CreatedApiKey) => {
      const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' };
      // It is sent before the call of the stream: when that is answered, the server has let both in, or is so slow that it refuses the wait.
      const wait = post(key, waitFor(run.id, 50)).then((answer) => answer.text());
      const stream = await fetch(`${server.url}/api/team/slow/runs/${run.id}/events`, { headers });
      // Closed, or cut off: both end it.
      return [wait, stream.text().catch(() => 'cut')];
    };
    const ends = await open(revoked);
    const revokedAt = performance.now();
    expect((await ann.call('DELETE', `/api-keys/${revoked.id}`)).status).toBe(204);
    const [wait] = await Promise.all(ends);
    expect(wait).toMatch(/\(unauthorized\)|"code":"unauthorized"/);
    expect(performance.now() - revokedAt).toBeLessThan(1_500 * timesSlower());

    await database.pool.query(`UPDATE api_keys SET expires_at = now() + interval '3 seconds' WHERE id = $1`, [expiring.id]);
    const expiry = performance.now() + 3_000;
    const [expired] = await Promise.all(await open(expiring));
    expect(expired).toContain('(unauthorized)');
    expect(performance.now() - expiry).toBeLessThan(2_500 * timesSlower());
    await ann.act(run.id, 'stop');
  });

  test('K5.06 a client that listens for changes holds no connection: the tools never change', async () => {
    const { key } = await keyOf(['read']);
    const client = new Client(about, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), withKey(key)));
    expect(client.getServerCapabilities()).toMatchObject({ tools: { listChanged: false }, resources: { listChanged: false } });
    await client.close();
    const envelope = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': about,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const notifications = { toolsListChanged: true, resourcesListChanged: true };
    const listening = await post(
      key,
      { jsonrpc: '2.0', id: 7, method: 'subscriptions/listen', params: { _meta: envelope, notifications } },
      { headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' } },
    );
    // The answer ends: a stream that stayed open would hold the test until its time is up.
    expect(await listening.text()).toContain('"resultType":"complete"');
    const stream = await fetch(`${server.url}/mcp`, { headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' } });
    expect(stream.status).toBe(405);
  });

  test('K5.06 a client that never reads is refused once its unread answers fill what an account may have, and served when it has gone', async () => {
    const { key } = await keyOf(['read', 'run']);
    const client = await connect(key);
    const { id: run } = answerOf<TeamRun>(await client.call('start_run', { team: 'slow' }));
    await ann.until(run, ({ status }) => status === 'completed');
    await client.close();
    await database.pool.query('UPDATE execution_steps SET result = $2 WHERE execution_id = $1', [run, 'x'.repeat(4 * 1024 * 1024)]);
    const { port, host } = new URL(server.url);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_result', arguments: { run } } });
    const head = `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\nAccept: application/json, text/event-stream`;
    const request = `${head}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const sockets = Array.from({ length: 10 }, () => openSocket(Number(port), '127.0.0.1').pause());
    for (const socket of sockets) socket.on('error', () => {}).write(request.repeat(3));
    const status = async () => (await post(key, { jsonrpc: '2.0', id: 1, method: 'tools/list' })).status;
    await expect.poll(status).toBe(429);
    for (const socket of sockets) socket.destroy();
    await expect.poll(status).toBe(200);
  });

  test('K5.06 several messages in one call are refused, so that each counts', async () => {
    const { key } = await keyOf(['read']);
    const answer = await post(
      key,
      [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'tools/list' })),
    );
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: -32600 } }]);
  });
});
