import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ErrorBody } from '../../../contract/errors.ts';
import type { ServerTool, ToolServer } from '../../../contract/tool-server.ts';
import { freePort } from '../../../server/platform/database/embedded/free-port.ts';
import { openMcpSession } from '../../../server/platform/mcp/mcp-session.ts';
import { createProcessChannel } from '../../../server/platform/mcp/process-channel.ts';
import { isAlive } from '../../../server/platform/processes/is-alive.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { type ModelCall, type ModelServer, startModelServer } from '../../support/services/model-server.ts';
import { startServer, startServerThatExits, type TestServer } from '../../support/start-server.ts';
import { callTools, resultsIn, turnOf, withTools } from '../../support/tools/with-tools.ts';

let models: ModelServer;
let server: TestServer;
let ann: RunAccount;
let person: ReturnType<typeof withTools>;
let folder: string;
const program = (name: string) => fileURLToPath(import.meta.resolve(`@modelcontextprotocol/${name}/dist/index.js`));
const noisy = join(import.meta.dirname, '../../support/tools/noisy-tool-process.ts');

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'artel-operator-')));
  await mkdir(join(folder, 'docs'));
  await writeFile(join(folder, 'docs', 'rules.txt'), 'Be brief.');
  const node = { command: process.execPath };
  const servers = {
    everything: { ...node, args: [program('server-everything'), 'stdio'] },
    files: { ...node, args: [program('server-filesystem'), join(folder, 'docs')] },
    memory: { ...node, args: [program('server-memory')], variables: ['MEMORY_FILE_PATH'] },
    noisy: { ...node, args: [noisy, join(folder, 'pids')], variables: ['NAMED'] },
    broken: { command: '/bin/false' },
  };
  await writeFile(join(folder, 'servers.json'), JSON.stringify({ servers }));
  models = await startModelServer();
  server = await startServer({
    env: {
      ...{ ARTEL_CLIENT: 'off', OPENAI_API_KEY: 'sk-server-wide', OPENAI_BASE_URL: models.url, ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on' },
      ...{ ARTEL_TOOL_SERVERS_FILE: join(folder, 'servers.json'), NAMED: 'yes', MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
    },
  });
});
afterAll(async () => {
  await server?.stop();
  await models?.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  models.calls.length = 0;
  ann = await signUp(server.url);
  person = withTools(ann);
});

async function tested(name: string): Promise<{ one: ToolServer; tools: ServerTool[] }> {
  const one = (await person.servers()).find((each) => each.name === name) as ToolServer;
  const { server: after, tools } = await person.test(one.id);
  return { one: after, tools };
}
const named = (tools: readonly ServerTool[], name: string) => tools.find((tool) => tool.name === name) as ServerTool;
const start = async () => (await ann.start(await ann.pipeline('developer'), 'Use the tools')).id;
const told = () => resultsIn(models.calls.findLast((call) => turnOf(call) > 0) as ModelCall);
const pids = async () => (await readFile(join(folder, 'pids'), 'utf8')).split(' ').map(Number);
const gone = () => expect.poll(async () => (await pids()).filter(isAlive)).toEqual([]);

/** Starts a run whose call does not return, and waits until the process is at work. */
async function stuckCall(): Promise<string> {
  callTools(models, [['noisy_hang', {}]]);
  await rm(join(folder, 'pids'), { force: true });
  const id = await start();
  await expect.poll(async () => (await pids().catch(() => [])).filter(isAlive).length).toBe(2);
  return id;
}

test("G3.33 the operator's servers are in every project, without their commands, and only the policies of their tools can be changed", async () => {
  const listed = await person.servers();
  expect(listed.map(({ name, kind, url }) => [name, kind, url])).toEqual(
    ['everything', 'files', 'memory', 'noisy', 'broken'].map((name) => [name, 'operator', null]),
  );
  const { one, tools } = await tested('files');
  expect(one).toMatchObject({ problem: null, about: { name: 'secure-filesystem-server' } });
  expect(JSON.stringify([listed, one, tools])).not.toMatch(/dist\/index\.js|docs/);
  const path = `/project/default/tool-servers/${one.id}`;
  for (const refused of [await ann.call<ErrorBody>('PUT', path, { name: 'Mine' }), await ann.call<ErrorBody>('DELETE', path)])
    expect(refused).toMatchObject({ status: 422, body: { details: { reason: 'operator' } } });
  expect((await person.setPolicy(named(tools, 'read_text_file'), 'ask')).status).toBe(200);
  const bob = withTools(await signUp(server.url));
  expect((await bob.servers()).map(({ id }) => id)).not.toContain(one.id);
  expect((await tested('broken')).one.problem).toMatchObject({ reason: 'process' });
});

test('G3.33 agents use the reference servers for files, memory and everything else as processes', async () => {
  const [files, memory, everything] = [await tested('files'), await tested('memory'), await tested('everything')];
  expect(named(files.tools, 'read_text_file')).toMatchObject({ effect: 'read', policy: 'auto', callName: 'files_read_text_file' });
  expect(named(files.tools, 'write_file')).toMatchObject({ effect: 'idempotent', policy: 'ask' });
  await person.tick('developer', [
    ...[named(files.tools, 'read_text_file'), named(memory.tools, 'create_entities'), named(memory.tools, 'read_graph')],
    named(everything.tools, 'echo'),
  ]);
  const entity = { name: 'Ann', entityType: 'person', observations: ['is brief'] };
  callTools(
    models,
    [
      ['files_read_text_file', { path: join(folder, 'docs', 'rules.txt') }],
      ['files_read_text_file', { path: '/etc/passwd' }],
    ],
    [['memory_create_entities', { entities: [entity] }]],
    [['memory_read_graph', {}]],
    [['everything_echo', { message: 'hello' }]],
  );
  const id = await start();
  for (;;) {
    const { status, openQuestions } = await ann.until(id, (run) => run.openQuestions === 1 || run.status === 'completed');
    if (status === 'completed') break;
    if (openQuestions === 1) await person.answer(await person.question(id), { action: 'approve' });
  }
  expect(told()).toEqual([
    expect.stringContaining('Be brief.'),
    expect.stringContaining('Access denied'),
    expect.stringContaining('is brief'),
    expect.stringContaining('is brief'),
    expect.stringContaining('hello'),
  ]);
  expect(await readFile(join(folder, 'memory.jsonl'), 'utf8')).toContain('is brief');
});

test('G3.33 a process has the named variables alone and a folder of its own, lives as long as its step, and ends with all that it has started', async () => {
  const { tools } = await tested('noisy');
  await gone();
  await person.tick('developer', tools);
  for (const tool of tools) await person.setPolicy(tool, 'always');
  callTools(models, [['noisy_tell', {}]], [['noisy_tell', {}]]);
  expect(await person.ended(await start())).toMatchObject({ status: 'completed' });
  const [first, second] = told().map((text) => JSON.parse(text.split('\n').find((line) => line.startsWith('{')) ?? ''));
  expect(Object.keys(first.env).filter((name) => !['PWD', 'OLDPWD', 'SHLVL', '_', 'ARTEL_TOOL_SESSION'].includes(name))).toEqual(['NAMED']);
  expect(first).toMatchObject({ isThere: true, files: [], calls: 1 });
  expect(second).toMatchObject({ folder: first.folder, calls: 2 });
  await gone();
  await expect.poll(() => existsSync(first.folder)).toBe(false);

  callTools(models, [['noisy_flood', {}]], [['noisy_exit', {}]], [['noisy_tell', {}]]);
  expect(await person.ended(await start())).toMatchObject({ status: 'completed' });
  expect(told()).toEqual([
    expect.stringContaining('longer than 1 MB'),
    expect.stringContaining('or it ended'),
    expect.stringContaining('"calls":1'),
  ]);

  const stuck = await stuckCall();
  await ann.act(stuck, 'stop');
  expect(await person.ended(stuck)).toMatchObject({ status: 'cancelled' });
  await gone();
});

test('G3.33 when the server is killed, the processes of its tool servers end too', async () => {
  const { tools } = await tested('noisy');
  await person.tick('developer', tools);
  await stuckCall();
  await server.kill('SIGKILL');
  await gone();
  server = await server.restart();
});

test('G3.33 the server names a wrong entry and does not start', async () => {
  const file = join(folder, 'wrong.json');
  await writeFile(file, JSON.stringify({ servers: { files: { command: '/no/such/program' } } }));
  const { code, output } = await startServerThatExits({ PORT: '0', DATA_DIR: join(folder, 'data'), ARTEL_TOOL_SERVERS_FILE: file });
  expect(code).toBe(1);
  expect(output).toMatch(/^Artel cannot start: ARTEL_TOOL_SERVERS_FILE \(.*wrong\.json\): the entry servers\.files\.command is wrong/);
});

test('G3.28 the reference server over streamable HTTP is tested and called', async () => {
  const port = await freePort();
  const child = spawn(process.execPath, [program('server-everything'), 'streamableHttp'], {
    ...{ env: { PORT: String(port) }, stdio: ['ignore', 'ignore', 'pipe'], cwd: dirname(noisy) },
  });
  try {
    await new Promise<void>((resolve, reject) => {
      let said = '';
      child.stderr.on('data', (piece) => {
        said += String(piece);
        if (said.includes(`listening on port ${port}`)) resolve();
      });
      child.once('exit', () => reject(new Error(`The reference server ended: ${said}`)));
    });
    const { server: one, tools } = await person.connect(`http://127.0.0.1:${port}/mcp`, 'Everything');
    expect(one).toMatchObject({ problem: null, refused: [] });
    await person.tick('developer', [named(tools, 'echo')]);
    await person.setPolicy(named(tools, 'echo'), named(tools, 'echo').effect === 'read' ? 'auto' : 'ask');
    callTools(models, [[named(tools, 'echo').callName, { message: 'over the wire' }]]);
    const id = await start();
    const asks = await ann.until(id, (run) => run.openQuestions === 1 || run.status === 'completed');
    if (asks.openQuestions === 1) await person.answer(await person.question(id), { action: 'approve' });
    expect(await person.ended(id)).toMatchObject({ status: 'completed' });
    expect(told()[0]).toContain('over the wire');
  } finally {
    child.kill('SIGKILL');
  }
});

test('G8.16 a program that tells its variables does not tell the secret ones', async () => {
  const environment = { API_TOKEN: 'token-of-the-program', FOLDER: '/srv/documents' };
  const program = { name: 'noisy', command: process.execPath, args: [noisy, join(folder, 'pids-of-secrets')], environment };
  const { signal } = new AbortController();
  const session = await openMcpSession(await createProcessChannel(program), signal);
  const told = JSON.stringify(await session.callTool('tell', {}, signal));
  await session.close();
  expect(told).toContain('API_TOKEN');
  expect(told).toContain('/srv/documents');
  expect(told).not.toContain('token-of-the-program');
});
