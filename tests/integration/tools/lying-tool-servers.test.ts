import { beforeEach, expect, test } from 'vitest';
import type { ToolServer, ToolServerProblem } from '../../../contract/tool-server.ts';
import { createEgress } from '../../../server/platform/egress/egress.ts';
import { createHttpChannel } from '../../../server/platform/mcp/http-channel.ts';
import type { McpFailed } from '../../../server/platform/mcp/mcp-failed.ts';
import { openMcpSession } from '../../../server/platform/mcp/mcp-session.ts';
import { setUp, setUpAccount, setUpModelServer, setUpServer } from '../../support/set-up/for-vitest.ts';
import { type Asked, startToolServer, textResult } from '../../support/tools/tool-server.ts';
import { callTools, resultsIn, turnOf, withTools } from '../../support/tools/with-tools.ts';

const models = setUpModelServer();
const tools = setUp(startToolServer, ({ close }) => close());
const server = setUpServer(
  () => ({
    OPENAI_API_KEY: 'sk-server-wide',
    OPENAI_BASE_URL: models.url,
    ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on',
  }),
  { ownProcess: 'Large answers of tool servers load it.' },
);
const ann = setUpAccount(server);
const person = setUp(async () => withTools(ann));

beforeEach(() => {
  tools.lie(null);
  tools.list([find]);
  tools.requests.length = 0;
});

const find = { name: 'find', description: 'Finds.', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } };
const mebibyte = 1024 * 1024;
const json = ({ response }: Asked, text: string) => Boolean(response.writeHead(200, { 'content-type': 'application/json' }).end(text));
const result = (asked: Asked, value: unknown) => json(asked, JSON.stringify({ jsonrpc: '2.0', id: asked.id, result: value }));
const events = ({ response }: Asked) => response.writeHead(200, { 'content-type': 'text/event-stream' });

/** Every way to answer the list of tools, and the problem that a person is told. */
const lies: [string, (asked: Asked) => boolean, ToolServerProblem | null][] = [
  [
    'a redirect to the metadata service',
    ({ response }) => Boolean(response.writeHead(307, { location: 'http://169.254.169.254/latest' }).end()),
    'redirect',
  ],
  ['a redirect on the same host', ({ response }) => Boolean(response.writeHead(308, { location: '/elsewhere' }).end()), 'redirect'],
  ['an answer above 1 MiB', (asked) => json(asked, `{"a":"${'x'.repeat(2 * mebibyte)}"}`), 'too_large'],
  ['a stream above 1 MiB', (asked) => Boolean(events(asked).end(`data: ${'x'.repeat(2 * mebibyte)}\n\n`)), 'too_large'],
  [
    'a stream of notes without an answer',
    (asked) => Boolean(events(asked).end('data: {"jsonrpc":"2.0","method":"notifications/x"}\n\n'.repeat(5_000))),
    'protocol',
  ],
  ['a stream that asks to be resumed', (asked) => Boolean(events(asked).end('retry: 1\nid: 1\ndata:\n\n')), 'protocol'],
  [
    'a stream of questions back',
    (asked) =>
      Boolean(
        events(asked).end(Array.from({ length: 5_000 }, (_, id) => `data: {"jsonrpc":"2.0","id":${id},"method":"ping"}\n\n`).join('')),
      ),
    'protocol',
  ],
  [
    'arrays in arrays',
    (asked) => json(asked, `{"jsonrpc":"2.0","id":${asked.id},"result":{"tools":${'['.repeat(400_000)}${']'.repeat(400_000)}}}`),
    'too_large',
  ],
  ['a list of messages', (asked) => json(asked, `[${'{"jsonrpc":"2.0","method":"x"},'.repeat(20_000)}{}]`), 'protocol'],
  ['no JSON', (asked) => json(asked, '<html>'), 'protocol'],
  ['another answer', (asked) => json(asked, '{"jsonrpc":"2.0","id":9999,"result":{}}'), 'timeout'],
  ['no result', (asked) => result(asked, { tools: 'many' }), 'protocol'],
  [
    'an error of the protocol',
    (asked) => json(asked, JSON.stringify({ jsonrpc: '2.0', id: asked.id, error: { code: -1, message: 'x'.repeat(100_000) } })),
    'protocol',
  ],
  ['the same page for ever', (asked) => result(asked, { tools: [find], nextCursor: 'again' }), null],
  ['a status of no protocol', ({ response }) => Boolean(response.writeHead(599).end()), 'status'],
  ['a refused key', ({ response }) => Boolean(response.writeHead(403).end()), 'unauthorized'],
  ['a hostile session', ({ response }) => Boolean(response.writeHead(200, { 'mcp-session-id': 'x'.repeat(2_000) }).end()), 'protocol'],
  ['a closed connection', ({ response }) => Boolean(response.destroy()), 'unreachable'],
  [
    'half an answer',
    ({ response }) =>
      Boolean(response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{')) &&
      Boolean(setTimeout(() => response.destroy(), 20)),
    'unreachable',
  ],
  ['silence', () => true, 'timeout'],
];

test.each(lies)(
  'G3.32 a tool server that answers with %s is named as faulty, and no stream or process stays',
  async (_title, lie, problem) => {
    tools.lie((asked) => asked.method === 'tools/list' && lie(asked));
    // Only silence waits for a limit.
    const maxMs = problem === 'timeout' ? 1_000 : 20_000;
    const egress = createEgress({ allowPrivate: true, proxies: null, idleTimeoutMs: maxMs, totalTimeoutMs: maxMs });
    const signal = AbortSignal.timeout(50_000);
    const session = await openMcpSession(createHttpChannel({ url: tools.url, headers: {}, egress }), signal, { maxMs });
    const listed = await session.listTools(1_000, signal).then(
      () => null,
      (error: McpFailed) => error.reason,
    );
    expect(listed).toBe(problem);
    await session.close();
  },
);

test('G3.32 thousands of notes and questions before an answer cost neither time nor requests', async () => {
  tools.lie((asked) => {
    if (asked.method !== 'tools/list') return false;
    const note = 'data: {"jsonrpc":"2.0","id":1,"method":"ping"}\n\n';
    const answer = `data: ${JSON.stringify({ jsonrpc: '2.0', id: asked.id, result: { tools: [find] } })}\n\n`;
    return Boolean(events(asked).end(`id: 1\ndata:\n\n${note.repeat(10_000)}${answer}`));
  });
  const { server: one, tools: found } = await person.connect(tools.url, 'Loud');
  expect([one.problem, found.length]).toEqual([null, 1]);
  expect(tools.requests.filter((method) => method === 'POST').length).toBeLessThan(6);
  // The session ends after the answer: its request would count in the next test.
  await expect.poll(() => tools.requests).toContain('DELETE');
});

test('G8.16 a key that a tool server repeats is removed from its name, its tools, its results and its errors', async () => {
  const key = 'key-of-the-tool-server';
  const escaped = [...key].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
  tools.lie((asked) => {
    if (asked.method === 'initialize')
      return result(asked, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: key, version: '1' } });
    if (asked.method === 'tools/list') return result(asked, { tools: [{ ...find, description: `Finds with ${asked.headers['x-key']}.` }] });
    const text = `{"jsonrpc":"2.0","id":${asked.id},"result":{"content":[{"type":"text","text":"The key ${escaped} is right."}]}}`;
    return asked.method === 'tools/call' && Boolean(events(asked).end(`data: ${text}\n\n`));
  });
  const { body: created } = await ann.call<ToolServer>('POST', '/project/default/tool-servers', {
    ...{ name: 'Repeats', url: tools.url, auth: { kind: 'key', header: 'X-Key', key } },
  });
  const tested = await person.test(created.id);
  expect(tested.server).toMatchObject({ problem: null, about: { name: '***' } });
  expect(tested.tools).toMatchObject([{ definition: { description: 'Finds with ***.' } }]);
  await person.tick('developer', tested.tools);
  callTools(models, [[tested.tools[0]?.callName ?? '', {}]]);
  const { id } = await ann.start(await ann.pipeline('developer'), 'Find it');
  await person.ended(id);
  const [called] = await person.calls(id);
  expect(called).toMatchObject({ state: 'done', result: 'The key *** is right.' });
  expect(JSON.stringify(models.calls)).not.toContain(key);
  await ann.call('DELETE', `/project/default/tool-servers/${created.id}`);
});

test('G3.28 an address that leads to a private host is refused again when it is called', async () => {
  const egress = createEgress({ allowPrivate: false, proxies: null });
  for (const url of [tools.url, tools.url.replace('127.0.0.1', 'localhost')]) {
    const opened = openMcpSession(createHttpChannel({ url, headers: { authorization: 'Bearer key' }, egress }), AbortSignal.timeout(5_000));
    await expect(opened).rejects.toMatchObject({ reason: 'host' });
  }
  expect(tools.requests).toEqual([]);
});

test('G3.32 lies are told by a test of the server as its problem, with status 200, and tools that were pinned stay', async () => {
  const { server: one } = await person.connect(tools.url);
  for (const [, lie, problem] of lies.filter(([, , reason]) => reason === 'redirect' || reason === 'too_large' || reason === 'protocol')) {
    tools.lie((asked) => asked.method === 'tools/list' && lie(asked));
    const found = await person.test(one.id);
    expect(found.server.problem?.reason).toBe(problem);
    expect(found.tools).toMatchObject([{ name: 'find', state: 'pinned' }]);
  }
  expect((await fetch(`${server.url}/ready`)).status).toBe(200);
});

test('G3.32 two hundred of 10,000 tools are taken, and invalid, duplicate and excess tools are listed', async () => {
  tools.list([
    ...[{ ...find, name: '__proto__' }, { ...find, name: 'constructor' }, find, { ...find, description: 'Another.' }, null, 7],
    ...[{ name: 'hostile', inputSchema: { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } } }],
    ...[{ name: 'wrong', inputSchema: { type: 'object', properties: { a: { type: 'banana' } } } }],
    ...Array.from({ length: 10_000 }, (_, at) => ({ name: `t${at}`, inputSchema: { type: 'object' } })),
  ]);
  const found = await person.connect(tools.url, 'Many');
  expect(found.server).toMatchObject({ problem: null, tools: { pinned: 200 }, refusedCount: 801 });
  expect(found.server.refused.slice(0, 5)).toEqual([
    ...[
      { name: 'find', reason: 'duplicate' },
      { name: '', reason: 'name' },
      { name: '', reason: 'name' },
    ],
    ...[
      { name: 'wrong', reason: 'schema' },
      { name: 't196', reason: 'too_many' },
    ],
  ]);
  expect(found.tools.map(({ callName }) => callName)).toEqual(
    expect.arrayContaining(['many_proto', 'many_constructor', 'many_find', 'many_hostile']),
  );
  expect(new Set(found.tools.map(({ callName }) => callName)).size).toBe(200);
});

test('G3.32 in a run a lying tool costs its call alone, and others work beside it', async () => {
  const { tools: known } = await person.connect(tools.url, 'Lying');
  await person.tick('developer', known);
  callTools(models, [[known[0]?.callName ?? '', { a: 1 }]]);
  const run = async () => (await ann.start(await ann.pipeline('developer'), 'Ask it')).id;
  const told = () => resultsIn(models.calls.findLast((call) => turnOf(call) === 1) as (typeof models.calls)[0])[0];
  for (const answer of [
    { content: 'x' },
    { content: [{ type: 'text' }, null, 7] },
    { content: [], structuredContent: { a: 1 } },
    { isError: true, content: textResult('No.').content },
  ]) {
    tools.answer(() => answer);
    expect(await person.ended(await run())).toMatchObject({ status: 'completed' });
  }
  expect(told()).toContain('No.');
  tools.lie((asked) => asked.method === 'tools/call' && json(asked, `{"a":"${'x'.repeat(2 * mebibyte)}"}`));
  expect(await person.ended(await run())).toMatchObject({ status: 'completed' });
  expect(told()).toContain("The tool server's answer is longer than 1 MB.");
  tools.lie(({ method }) => method === 'tools/call');
  const stuck = await run();
  await ann.until(stuck, ({ steps }) => steps[0]?.toolUse?.current?.tool !== undefined);
  expect(await (await fetch(`${server.url}/ready`)).status).toBe(200);
  await ann.act(stuck, 'stop');
  expect(await person.ended(stuck)).toMatchObject({ status: 'cancelled' });
});

/** Opens a session with a short limit. Requests of the server are answered by POSTs, which `replies` collects. */
async function openShort(maxMs: number, maxAllMs: number) {
  const egress = createEgress({ allowPrivate: true, proxies: null });
  return openMcpSession(createHttpChannel({ url: tools.url, headers: {}, egress }), AbortSignal.timeout(30_000), { maxMs, maxAllMs });
}

test('G3.32 a ping of a server is answered, and each other request of it with the error that it is not known', async () => {
  const replies: unknown[] = [];
  tools.hear((reply) => replies.push(reply));
  tools.lie((asked) => {
    if (asked.method !== 'tools/call') return false;
    const stream = events(asked);
    const ask = (id: string, method: string) => stream.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, method, params: {} })}\n\n`);
    ask('p1', 'ping');
    ask('e1', 'elicitation/create');
    const end = () => {
      // Both questions are answered before the call is.
      if (replies.length < 2) return setTimeout(end, 10);
      return stream.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: asked.id, result: textResult('Done.') })}\n\n`);
    };
    end();
    return true;
  });
  const session = await openShort(10_000, 20_000);
  expect(await session.callTool('find', {}, AbortSignal.timeout(20_000))).toMatchObject({ isError: false });
  expect(replies).toMatchObject([
    { id: 'p1', result: {} },
    { id: 'e1', error: { code: -32_601 } },
  ]);
  await session.close();
});

test('G3.32 progress of a call extends its wait, up to a limit of its own; a silent call ends at the usual one', async () => {
  let token: unknown;
  let notes = 0;
  const slow = (asked: Asked, count: number) => {
    token = (asked.params._meta as { progressToken?: unknown } | undefined)?.progressToken;
    const stream = events(asked);
    const note = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: token, progress: 1 } });
    const timer = setInterval(() => {
      notes += 1;
      stream.write(`data: ${note}\n\n`);
      if (notes < count) return;
      clearInterval(timer);
      stream.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: asked.id, result: textResult('Done.') })}\n\n`);
    }, 200);
    stream.on('close', () => clearInterval(timer));
    return true;
  };
  const call = async (count: number, maxMs: number, maxAllMs: number) => {
    notes = 0;
    tools.lie((asked) => asked.method === 'tools/call' && slow(asked, count));
    const session = await openShort(maxMs, maxAllMs);
    return session.callTool('find', {}, AbortSignal.timeout(30_000)).finally(() => session.close());
  };
  expect(await call(10, 1_000, 20_000)).toMatchObject({ isError: false });
  expect(token).toBe(1);
  await expect(call(1_000, 1_000, 1_500)).rejects.toMatchObject({ reason: 'timeout' });
  tools.lie(({ method }) => method === 'tools/call');
  const silent = await openShort(300, 20_000);
  await expect(silent.callTool('find', {}, AbortSignal.timeout(10_000))).rejects.toMatchObject({ reason: 'timeout' });
  await silent.close();
});
