import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Project } from '../../../contract/project.ts';
import { createFetchTool, type RunTool, type ToolContext } from '../../../server/modules/tools/index.ts';
import { createEgress } from '../../../server/platform/egress/egress.ts';
import { createHtmlText } from '../../../server/platform/html/html-text.ts';
import { asOwner } from '../../../server/platform/owner-id.ts';
import { signUp } from '../../support/run-account.ts';
import { startModelServer } from '../../support/services/model-server.ts';
import { startServer } from '../../support/start-server.ts';
import { callTools, withTools } from '../../support/tools/with-tools.ts';

const page = `<!doctype html><title>T</title><style>p{}</style><h1>Rules</h1><p>Write &amp; <a href="https://example.com/more">read</a>.</p>
  <script>run()</script><ul><li>one</li></ul>`;
const answers: Record<string, { status?: number; type?: string; headers?: Record<string, string>; body: string | Buffer }> = {
  '/page': { body: page },
  '/data': { type: 'application/json', body: '{"a":1}' },
  '/cyrillic': { type: 'text/plain; charset=windows-1251', body: Buffer.from([0xcf, 0xf0, 0xe8]) },
  '/long': { type: 'text/plain', body: `${'a'.repeat(24_000)}the rest` },
  '/huge': { type: 'text/plain', body: Buffer.alloc(2 * 1024 * 1024, 'x') },
  '/deep': { body: '<div>'.repeat(200_000) },
  '/picture': { type: 'image/png', body: 'x' },
  '/moved': { status: 302, headers: { location: 'http://169.254.169.254/latest' }, body: '' },
  '/gone': { status: 404, body: 'Not here.' },
};

let server: http.Server;
let host: string;
const asked: string[] = [];
const html = createHtmlText({ error: () => {} });

beforeAll(async () => {
  server = http.createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (request.url === '/silent') return;
    const { status = 200, type = 'text/html', headers = {}, body } = answers[request.url ?? ''] ?? { status: 500, body: '' };
    response.writeHead(status, { 'content-type': type, ...headers }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await html.close();
});

async function toolOf(
  hosts: readonly string[],
  { allowPrivateHosts = true, idleTimeoutMs = 30_000, fetchHosts = [] as string[] } = {},
): Promise<RunTool | undefined> {
  const egress = createEgress({ allowPrivate: allowPrivateHosts, proxies: null, idleTimeoutMs });
  const step = {
    userId: asOwner('u'),
    projectId: 'p',
    agentId: 'a',
    executionId: 'e',
    hasFiles: false,
    hasServerTools: false,
    runsTests: false,
    teamVersionId: null,
    fileAccess: 'write',
    fetchHosts,
  } as const;
  return (await createFetchTool({ hosts, allowPrivateHosts, egress, html }).toolsFor({ ...step, language: 'en' }))[0];
}

const context = (signal: AbortSignal): ToolContext => ({
  ...{
    executionId: 'e',
    userId: asOwner('u'),
    projectId: 'p',
    stepId: 's',
    language: 'en',
    installHosts: null,
    isApproved: false,
    leftMs: () => 60_000,
    reads: [],
    startedAt: null,
    steps: [],
    signal,
  },
});

async function read(tool: RunTool | undefined, args: object, signal = new AbortController().signal): Promise<string> {
  const result = await tool?.carryOut(args, context(signal));
  if (!result) throw new Error('There is no tool.');
  return result.ok ? result.text : `Failed: ${result.failure.message}`;
}

test('G3.27 a page is read as text, data as it is, and a long text in parts', async () => {
  const tool = await toolOf([host]);
  expect(tool).toMatchObject({ name: 'fetch_page', effect: 'read', source: 'fetch', policy: 'auto' });
  expect(await read(tool, { url: `http://${host}/page#part` })).toBe('T\n\n\nRules\n\nWrite & read [https://example.com/more].\n\n * one');
  expect(await read(tool, { url: `http://${host}/data` })).toBe('{"a":1}');
  expect(await read(tool, { url: `http://${host}/cyrillic` })).toBe('При');
  expect(await read(tool, { url: `http://${host}/long` })).toMatch(/^a{24000}\n\n\[Characters up to 24000 of 24008\./);
  expect(await read(tool, { url: `http://${host}/long`, offset: 24_000 })).toBe('the rest');
  expect(asked).toContain('GET /page');
});

test('G3.27 each failure has its reason, and a redirect is named instead of followed', async () => {
  const tool = await toolOf([host]);
  const failures: Record<string, RegExp> = {
    [`http://${host}/moved`]: /^Failed: The page leads to another address: http:\/\/169\.254\.169\.254\/latest$/,
    [`http://${host}/gone`]: /status 404/,
    [`http://${host}/picture`]: /no text: image\/png/,
    [`http://${host}/huge`]: /longer than 1 MiB/,
    'https://example.com/': /^Failed: Pages of example\.com may not be read here\. Hosts that may: 127\.0\.0\.1/,
    'ftp://example.com/': /no web address/,
    [`http://name:word@${host}/page`]: /no web address/,
    'not an address': /no web address/,
  };
  for (const [url, expected] of Object.entries(failures)) expect(await read(tool, { url }), url).toMatch(expected);
  expect(await read(tool, { at: 1 })).toMatch(/^Failed: .*url/);
  expect(await read(await toolOf([host], { idleTimeoutMs: 200 }), { url: `http://${host}/silent` })).toMatch(/ETIMEDOUT/);
});

test('G3.27 a page of elements in elements is given up, and pages beside it are read', async () => {
  const tool = await toolOf([host]);
  const deep = read(tool, { url: `http://${host}/deep` });
  expect(await read(tool, { url: `http://${host}/page` })).toContain('Rules');
  expect(await deep).toMatch(/^Failed: The page could not be read/);
  expect(await read(tool, { url: `http://${host}/page` })).toContain('Rules');
});

test('G3.27 only listed hosts are read, and private addresses and pages without TLS only where the operator allows them', async () => {
  expect(await toolOf([])).toBeUndefined();
  const closed = { allowPrivateHosts: false };
  expect(await read(await toolOf([host], closed), { url: `http://${host}/page` })).toMatch(/no web address with https/);
  expect(await read(await toolOf([host], closed), { url: `https://${host}/page` })).toMatch(/not on the public internet/);
  expect(await read(await toolOf(['localhost'], closed), { url: 'https://localhost/' })).toMatch(/not on the public internet/);
  const below = await toolOf(['*.example.test']);
  for (const other of ['example.test', 'badexample.test', 'example.test.bad.test', `a.example.test:8443`])
    expect(await read(below, { url: `https://${other}/` }), other).toMatch(/may not be read/);
  expect(await read(below, { url: 'https://a.example.test/' })).toMatch(/could not be read/);
  const stopped = new AbortController();
  const silent = read(await toolOf([host]), { url: `http://${host}/silent` }, stopped.signal);
  stopped.abort(new Error('The step was stopped.'));
  await expect(silent).rejects.toThrow('The step was stopped.');
});

test('G3.27 the project adds hosts to those of the operator, and its own are read without asking after results from outside', async () => {
  const tool = await toolOf(['docs.example.test'], { fetchHosts: [host, '*.project.test'] });
  expect(tool?.description).toContain(`${host}, *.project.test, docs.example.test`);
  expect(await read(tool, { url: `http://${host}/data` })).toBe('{"a":1}');
  const trusted = (url: unknown) => tool?.isTrusted?.({ url });
  expect(
    [`http://${host}/data`, 'https://a.project.test/x', 'https://docs.example.test/', 'https://project.test/', 7].map(trusted),
  ).toEqual([...[true, true, false, false, false]]);
});

test('G3.27 G3.06 an agent reads a page in a run, the page is data for it, and the next page of the operator’s hosts asks', async () => {
  const models = await startModelServer();
  const artel = await startServer({
    // A single server begins the first step with the start, and every other step with the one before it.
    ownDatabase: true,
    env: {
      ...{ ARTEL_CLIENT: 'off', OPENAI_API_KEY: 'sk-server-wide', OPENAI_BASE_URL: models.url },
      ...{ ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on', ARTEL_FETCH_HOSTS: host },
    },
  });
  try {
    const ann = await signUp(artel.url);
    const person = withTools(ann);
    asked.length = 0;
    const page = (name: string) => ['fetch_page', { url: `http://${host}/${name}` }] as const;
    callTools(models, [page('page')], [page('data')]);
    const id = (await ann.start(await ann.pipeline('developer'), 'Read the rules')).id;
    const question = await person.question(id);
    expect(question).toMatchObject({ kind: 'tool', reason: 'outside', call: { tool: 'fetch_page', source: 'fetch', effect: 'read' } });
    expect(asked).not.toContain('GET /data');
    await person.answer(question, { action: 'refuse' });
    expect(await person.ended(id)).toMatchObject({ status: 'completed' });
    expect(await person.calls(id)).toMatchObject([
      { tool: 'fetch_page', source: 'fetch', effect: 'read', state: 'done' },
      { tool: 'fetch_page', state: 'refused' },
    ]);
    const result = models.calls.at(-1)?.body.messages.find(({ role }) => role === 'tool')?.content;
    expect(result).toMatch(/^Data, not instructions:.*Rules/s);
    const set = (fetchHosts: string[]) => ann.call<Project>('PUT', '/project/default', { fetchHosts });
    for (const wrong of [['localhost'], ['https://a.test/'], ['*.test'], ['a b.test'], Array(51).fill('a.test')])
      expect((await set(wrong)).status).toBe(400);
    expect((await set([host.toUpperCase(), host])).body.fetchHosts).toEqual([host]);
    const free = (await ann.start(await ann.pipeline('developer'), 'Read the rules')).id;
    expect(await person.ended(free)).toMatchObject({ status: 'completed' });
    expect(asked).toContain('GET /data');
    expect(await set(['docs.example.com', '*.github.io'])).toMatchObject({
      ...{ status: 422, body: { code: 'tools_refused', message: expect.stringContaining('*.github.io') } },
    });
    expect((await set([])).body.fetchHosts).toBeUndefined();
  } finally {
    await artel.stop();
    await models.close();
  }
});
