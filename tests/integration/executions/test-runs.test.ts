import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AuthConfig } from '../../../contract/account.ts';
import type { ErrorBody } from '../../../contract/errors.ts';
import type { ExecutionDetails, ExecutionMemory } from '../../../contract/executions/execution.ts';
import type { PullRequest } from '../../../contract/executions/file.ts';
import type { Pipeline, PipelineCreation } from '../../../contract/executions/pipeline.ts';
import type { TestRun } from '../../../contract/executions/test-run.ts';
import type { ToolCall } from '../../../contract/executions/tool-call.ts';
import type { Project } from '../../../contract/project.ts';
import type { TestDatabase } from '../../support/open-test-database.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { startReferenceRunner } from '../../support/runner/reference-runner.ts';
import { type ServerAmongOthers, startServerOnDatabase } from '../../support/server-on-database.ts';
import { type ModelServer, startModelServer } from '../../support/services/model-server.ts';

const token = 'a runner token of the tests';
/** Also enough for the steps before the tests of a run that has no more time than this. */
const runnerSeconds = 4;
let models: ModelServer;
let runner: Awaited<ReturnType<typeof startReferenceRunner>>;
let front: Front;
let database: TestDatabase;
let server: ServerAmongOthers;
let ann: RunAccount;

beforeAll(async () => {
  [models, runner] = await Promise.all([startModelServer(), startReferenceRunner({ token })]);
  front = await startFront();
  ({ database, server } = await startServerOnDatabase({
    ...{ OPENAI_BASE_URL: models.url, ARTEL_RUNNER_URL: front.url, ARTEL_RUNNER_TOKEN: token, ARTEL_RUNNER_SECONDS: String(runnerSeconds) },
  }));
  ann = await signUp(server.url);
});
afterAll(async () => {
  await server?.stop();
  await Promise.all([database?.remove(), models?.close(), runner?.close(), front?.close()]);
});
beforeEach(async () => {
  front.pass();
  // The developer's answer has a file; the tester's has one that belongs to its tests.
  models.answer(({ number: _number, body }) => ({ kind: 'text', text: isTester(body.messages) ? report : code }));
  await setCommand('sh check.sh');
});

const code = 'Done.\n\n```sh path=src/total.sh\necho total 3\n```\n';
const report =
  '## Checks\n\n- [ ] the total is three\n\n```sh path=check.sh\nsh src/total.sh && test "$(sh src/total.sh)" = "total 3"\n```\n';
const isTester = (messages: { content: string }[]) => messages.some(({ content }) => content.includes('You are the QA engineer'));

type Front = Awaited<ReturnType<typeof startFront>>;

/** An address in front of the reference runner, which can also lie. */
async function startFront() {
  let answer: ((request: http.IncomingMessage, response: http.ServerResponse) => void) | null = null;
  let connections = 0;
  const closed: (() => void)[] = [];
  const listener = http.createServer((request, response) => {
    connections += 1;
    response.on('close', () => {
      for (const tell of closed.splice(0)) tell();
    });
    if (answer) return answer(request, response);
    const onward = http.request(runner.url, { method: request.method, headers: request.headers }, (from) => {
      response.writeHead(from.statusCode ?? 502, from.headers);
      from.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/jobs`,
    pass: () => {
      answer = null;
    },
    answer: (given: NonNullable<typeof answer>) => {
      answer = given;
    },
    count: () => connections,
    closed: () => new Promise<void>((done) => closed.push(done)),
    close: () =>
      new Promise<void>((done) => {
        listener.closeAllConnections();
        listener.close(() => done());
      }),
  };
}

const setCommand = (testCommand: string) => ann.call<Project>('PUT', '/project/default', { testCommand });
const lines = (response: http.ServerResponse, ...told: object[]) => {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  response.write(told.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return response;
};

async function runTeam(): Promise<string> {
  const { id } = await ann.start(await ann.pipeline('developer', 'qa'), 'Print the total');
  return id;
}
const testRunOf = ({ steps }: ExecutionDetails): TestRun | undefined => steps.find(({ role }) => role === 'QA')?.testRun;
const ended = (id: string) => ann.until(id, ({ status }) => status === 'completed' || status === 'failed');
const logOf = async (run: ExecutionDetails, who = ann) => {
  const step = run.steps.find(({ role }) => role === 'QA');
  const response = await fetch(`${who.url}/api/PipelineExecution/${run.id}/steps/${step?.stepId}/test-log`, {
    headers: { authorization: `Bearer ${who.accessToken}` },
  });
  return { status: response.status, text: await response.text() };
};

test('G3.35 a runner executes the command of the project after the tester’s step, on all files of the run', async () => {
  expect((await ann.call<AuthConfig>('GET', '/auth/config')).body.runner).toBe(true);
  const socket = await ann.socket();
  // The command waits until its log has been streamed: a log that comes together with the end of its command is not.
  const folder = await mkdtemp(join(tmpdir(), 'artel-streamed-'));
  await setCommand(`ls; sh check.sh; echo done 1>&2; env | cut -d= -f1 | sort; until test -e ${folder}/read; do sleep 0.05; done`);
  const id = await runTeam();
  const streamed = await socket.until(({ type }) => type === 'test_log');
  await writeFile(join(folder, 'read'), '');
  const run = await ended(id);
  await rm(folder, { recursive: true });
  const tests = testRunOf(run);
  expect(tests).toMatchObject({ state: 'ended', exitCode: 0, reason: null, hasLog: true });
  expect(tests?.ms).toBeGreaterThan(0);
  const { text } = await logOf(run);
  expect(text).toContain('check.sh\nsrc\ntotal 3\ndone\n');
  // Nothing of the server's own environment reaches the command.
  expect(text).not.toMatch(/ARTEL|OPENAI|DATABASE/);
  expect(streamed).toMatchObject({ executionId: run.id, position: 0 });
  expect(text.startsWith(streamed.content)).toBe(true);
  expect((await ann.logs(run.id)).map(({ type }) => type)).toContain('test.started');
  const { body: memory } = await ann.call<ExecutionMemory>('GET', `/PipelineExecution/${run.id}/memory`);
  expect(memory.results.map(({ executed }) => executed)).toEqual([null, true]);
  const { body: asked } = await ann.call<PullRequest>('GET', `/PipelineExecution/${run.id}/pull-request`);
  expect(asked.description).toMatch(/Executed: `ls; sh check\.sh;[^`]*`, exit 0 in [\d.]+ s\./);
  expect(asked.description).not.toContain('Not executed');
  await socket.close();
});

test('G3.35 a command that fails is told with its code, and the run goes on', async () => {
  await setCommand('echo broken `date +%Y | cut -c1`; exit 3');
  const run = await ended(await runTeam());
  expect(run.status).toBe('completed');
  expect(testRunOf(run)).toMatchObject({ state: 'ended', exitCode: 3 });
  expect((await logOf(run)).text).toBe('broken 2\n');
  const { body: asked } = await ann.call<PullRequest>('GET', `/PipelineExecution/${run.id}/pull-request`);
  expect(asked.description).toContain('Executed: `` echo broken `date +%Y | cut -c1`; exit 3 ``, exit 3');
});

test('G3.35 only one line of a person becomes a command, and without that line or without files no command is executed', async () => {
  for (const wrong of ['a\nb', 'a\u0000', 'x'.repeat(1_001), 'a\u2028b'])
    expect((await ann.call('PUT', '/project/default', { testCommand: wrong })).status).toBe(400);
  expect((await ann.call<Project>('GET', '/project/default')).body.testCommand).toBe('sh check.sh');
  expect((await setCommand('')).body.testCommand).toBeUndefined();
  const before = runner.jobs.length;
  expect(testRunOf(await ended(await runTeam()))).toBeUndefined();
  await setCommand('true');
  models.answer({ kind: 'text', text: 'No file.' });
  const run = await ended(await runTeam());
  expect(testRunOf(run)).toBeUndefined();
  expect((await logOf(run)).status).toBe(404);
  expect(runner.jobs).toHaveLength(before);
});

test.for<[string, string, (request: http.IncomingMessage, response: http.ServerResponse) => void]>([
  ['an error', 'refused', (_, response) => response.writeHead(500).end('{"exit":0}')],
  ['a redirect', 'refused', (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end()],
  ['no free place', 'busy', (_, response) => response.writeHead(503).end()],
  ['too large files', 'files_too_large', (_, response) => response.writeHead(413).end()],
  ['a lost connection before', 'unreachable', (request) => request.socket.destroy()],
  [
    'a lost connection in the middle',
    'cut_off',
    (_, response) => {
      lines(response, { log: 'half' });
      // The line is on its way before the connection ends.
      setTimeout(() => response.destroy(), 50);
    },
  ],
  ['an end without a code', 'cut_off', (_, response) => lines(response, { log: 'half' }).end()],
  ['a page of HTML', 'not_understood', (_, response) => response.writeHead(200).end('<html>\n</html>')],
  ['a code that is none', 'not_understood', (_, response) => lines(response, { exit: 'ok' }).end()],
  ['a line without an end', 'not_understood', (_, response) => response.writeHead(200).end(`{"log":"${'x'.repeat(2_000_000)}`)],
  ['its own limit', 'timeout', (_, response) => lines(response, { log: 'half' }, { failed: 'timeout' }).end()],
])('G3.36 a runner that answers with %s ends the tests with a reason, and not the run', async ([, reason, answer]) => {
  front.answer((request, response) => {
    if (reason !== 'unreachable') request.resume();
    answer(request, response);
  });
  const run = await ended(await runTeam());
  expect(run.status).toBe('completed');
  expect(testRunOf(run)).toMatchObject({ state: 'failed', reason, exitCode: null });
  expect((await logOf(run)).text).toBe(testRunOf(run)?.hasLog ? 'half' : '');
  const { body: asked } = await ann.call<PullRequest>('GET', `/PipelineExecution/${run.id}/pull-request`);
  expect(asked.description).toContain('Not executed to the end: `sh check.sh`');
});

test('G3.36 a command that takes too long is ended by the runner', async () => {
  await setCommand('echo begun; sleep 60');
  const tests = testRunOf(await ended(await runTeam()));
  expect(tests).toMatchObject({ state: 'failed', reason: 'timeout', hasLog: true });
});

test('G3.36 a command that exceeds the time of its step or its run is ended, and the report names that limit', async () => {
  await setCommand('echo begun; sleep 60');
  const { id } = await ann.start(await ann.pipeline('developer', 'qa'), 'Print the total', { timeoutSeconds: runnerSeconds });
  await ann.until(id, (run) => testRunOf(run)?.state === 'running');
  const closed = front.closed();
  const run = await ended(id);
  await closed;
  expect(run.status).toBe('completed');
  expect(testRunOf(run)).toMatchObject({ state: 'failed', reason: 'execution_timeout', hasLog: true });
  const { body: asked } = await ann.call<PullRequest>('GET', `/PipelineExecution/${run.id}/pull-request`);
  expect(asked.description).toContain('Not executed to the end: `echo begun; sleep 60`: the time limit of the run was reached.');
});

test('G3.36 a long log keeps its beginning and its end, and one without an end is ended', async () => {
  await setCommand('echo first; head -c 3000000 /dev/zero | tr "\\0" "a"; echo; echo last');
  const run = await ended(await runTeam());
  const { text } = await logOf(run);
  expect(text.length).toBeLessThan(1_049_000);
  expect(text).toMatch(/^first\na+\n\[\d+ characters are left out here\.\]\na+\nlast\n$/);
  await setCommand('yes endless');
  const endless = await ended(await runTeam());
  expect(['log_too_long', 'timeout']).toContain(testRunOf(endless)?.reason);
  expect((await logOf(endless)).text.length).toBeLessThan(1_049_000);
});

test('G3.35 a step whose tests wait for those of another team says so, and begins when its turn comes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'artel-turns-'));
  await setCommand(`until test -e ${folder}/go; do sleep 0.05; done`);
  const first = await runTeam();
  await ann.until(first, (run) => testRunOf(run)?.state === 'running');
  const second = await runTeam();
  const waiting = await ann.until(second, (run) => testRunOf(run)?.state === 'running');
  expect(testRunOf(waiting)).toMatchObject({ waits: true });
  expect(testRunOf(await ann.details(first))).not.toHaveProperty('waits');
  await writeFile(join(folder, 'go'), '');
  const runs = [await ended(first), await ended(second)];
  await rm(folder, { recursive: true });
  expect(runs.map((run) => testRunOf(run)?.exitCode)).toEqual([0, 0]);
  expect(testRunOf(runs[1] as ExecutionDetails)).not.toHaveProperty('waits');
  const told = (await ann.logs(second)).map(({ type }) => type).filter((type) => type.startsWith('test.'));
  expect(told).toEqual(['test.waiting', 'test.started']);
});

test('G3.35 a step that is stopped while its tests wait keeps no place of the runner', async () => {
  await setCommand('echo begun; sleep 60');
  const [first, second] = [await runTeam(), await runTeam()];
  await Promise.all([first, second].map((id) => ann.until(id, (run) => testRunOf(run)?.state === 'running')));
  await ann.act(second, 'stop');
  await ann.act(first, 'stop');
  await setCommand('true');
  expect(testRunOf(await ended(await runTeam()))).toMatchObject({ state: 'ended', exitCode: 0 });
});

test('C5.15 a runner is told how the base of a run differs from its files', async () => {
  const inputSetId = await ann.giveFile('src/total.sh', 'echo total 2');
  let form = new FormData();
  front.answer(async (request, response) => {
    const headers = { 'content-type': request.headers['content-type'] ?? '' };
    form = await new Response(await buffer(request), { headers }).formData();
    lines(response, { exit: 0 }).end();
  });
  const { id } = await ann.start(await ann.pipeline('developer', 'qa'), 'Print the total', { inputSetId });
  await ended(id);
  const unpacked = async (name: string) => unzipSync(new Uint8Array(await (form.get(name) as File).arrayBuffer()));
  expect(Object.entries(await unpacked('base')).map(([path, bytes]) => [path, strFromU8(bytes)])).toEqual([
    ['src/total.sh', 'echo total 2'],
  ]);
  expect(strFromU8((await unpacked('files'))['src/total.sh'] as Uint8Array)).toBe('echo total 3\n');
  expect(form.get('added')).toBe('check.sh');
});

test('G3.35 what draws a log leaves it before the steps behind it read it', async () => {
  await setCommand("printf '\\033[32mgreen\\033[0m \\033]8;;https://example.com\\033\\\\link\\033]8;;\\033\\\\\\n 10 %%\\r100 %%\\n'");
  const run = await ended(await runTeam());
  expect((await logOf(run)).text).toBe('green link\n100 %\n');
});

test('G3.36 a stop ends the command on the runner', async () => {
  await setCommand('echo begun; sleep 60');
  const before = front.count();
  const id = await runTeam();
  await ann.until(id, (run) => testRunOf(run)?.state === 'running');
  // The step is marked a moment before its command is sent.
  await expect.poll(front.count).toBe(before + 1);
  const closed = front.closed();
  await ann.act(id, 'stop');
  await closed;
  const run = await ann.details(id);
  expect([run.status, testRunOf(run)?.state]).toEqual(['cancelled', 'stopped']);
});

test('G3.36 the log belongs to the owner of the run', async () => {
  const run = await ended(await runTeam());
  const bob = await signUp(server.url);
  const foreign = await logOf(run, bob);
  expect(foreign.status).toBe(404);
  expect((JSON.parse(foreign.text) as ErrorBody).code).toBe('not_found');
});

/** A tester whose links follow tests, and the label that it names where there is no result. */
async function runReviewed(): Promise<ExecutionDetails> {
  const steps = ['developer', 'qa', 'assistant'].map((name) => ({ name, agentId: ann.agent(name).id, nodeId: name }));
  const test = (is: 'testsPass' | 'testsFail') => ({ is, value: '' });
  const links: PipelineCreation['links'] = [
    { id: 'forth', from: 'developer', to: 'qa' },
    { id: 'back', from: 'qa', to: 'developer', label: 'again', test: test('testsFail'), maxRounds: 2 },
    { id: 'on', from: 'qa', to: 'assistant', label: 'good', test: test('testsPass') },
  ];
  const { body: pipeline } = await ann.call<Pipeline>('POST', '/Pipeline', { name: 'Review', projectId: 'default', steps, links });
  models.answer(({ body }) => ({ kind: 'text', text: isTester(body.messages) ? `${report}\n\nChoice: good` : code }));
  return ended((await ann.start(pipeline, 'Print the total')).id);
}

test('C4.02 a runner that lies about the exit code gives no result: the log is told, and the label of the agent counts', async () => {
  front.answer((request, response) => {
    request.resume();
    lines(response, { log: '# pass 1\n# fail 2\n' }, { exit: 0 }).end();
  });
  const run = await runReviewed();
  expect(run.steps.filter(({ role }) => role === 'QA').map(({ testRun, choice }) => [testRun?.exitCode, testRun?.counts, choice])).toEqual([
    [0, { passed: 1, failed: 2 }, 'good'],
  ]);
  expect(JSON.stringify(models.calls.at(-1)?.body.messages)).toContain('The exit code contradicts this');
});

test('C4.03 a log of 100 MB is cut to the end of the part that was read, and the run goes on', async () => {
  await setCommand('head -c 100000000 /dev/zero | tr "\\0" "a"; exit 1');
  const run = await runReviewed();
  expect(run.status).toBe('completed');
  expect(['log_too_long', 'timeout']).toContain(testRunOf(run)?.reason);
  const [prompt = ''] = [models.calls.at(-1)?.body.messages.at(-1)?.content];
  expect(prompt).toMatch(/It has no exit code: [^.]+\./);
  expect(/a{1000,}/.exec(prompt)?.[0].length).toBeLessThanOrEqual(16 * 1024);
});

test('G3.36 C4.05 after a killed server the next server executes the tests of steps and of calls again, and calls no model again', async () => {
  await setCommand('sh check.sh');
  await ann.call('PUT', `/nuroagent/${ann.agent('developer').id}/api-configuration`, { work: { runsTests: true } });
  models.answer(({ body }) => {
    const isOfTester = isTester(body.messages.slice(0, 1));
    const mayCall = (body.tools ?? []).length > 0 && !body.messages.some(({ role }) => role === 'tool');
    if (mayCall && !isOfTester) return { kind: 'calls', calls: [{ id: 'tests', name: 'run_tests', arguments: '{}' }] };
    return { kind: 'text', text: isOfTester ? report : code };
  });
  const before = front.count();
  front.answer((request, response) => {
    request.resume();
    lines(response, { log: 'begun' });
  });
  const id = await runTeam();
  const inputSetId = await ann.giveFile('check.sh', 'echo checked');
  const { id: ofCall } = await ann.start(await ann.pipeline('developer'), 'Print the total', { inputSetId });
  await ann.until(id, (run) => testRunOf(run)?.state === 'running' && front.count() > before);
  await ann.until(ofCall, ({ steps }) => steps[0]?.testRun?.state === 'running');
  const asked = models.calls.length;
  // Both tests run, and their runner's answers are held back.
  await server.kill('SIGKILL');
  front.pass();
  const next = await server.beside();
  try {
    const again = ann.at(next);
    const run = await again.until(id, ({ status }) => status === 'completed');
    expect(testRunOf(run)).toMatchObject({ state: 'ended', exitCode: 0 });
    expect((await logOf(run, again)).text).toBe('total 3\n');
    const { steps } = await again.until(ofCall, ({ status }) => status === 'completed');
    expect(steps[0]?.testRun).toMatchObject({ state: 'ended', exitCode: 0, byAgent: true });
    const { body: calls } = await again.call<ToolCall[]>('GET', `/PipelineExecution/${ofCall}/calls`);
    expect(calls.map(({ tool, state }) => [tool, state])).toEqual([['run_tests', 'done']]);
    // The turn with the call was stored: the model is asked for its answer only.
    expect(models.calls).toHaveLength(asked + 1);
  } finally {
    await next.stop();
  }
});
