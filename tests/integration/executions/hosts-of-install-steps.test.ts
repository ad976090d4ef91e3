import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, expect, test } from 'vitest';
import type { CreatedApiKey } from '../../../contract/api-key.ts';
import type { ExecutionDetails } from '../../../contract/executions/execution.ts';
import type { Reply } from '../../support/services/model-server.ts';
import { setUp, setUpAccount, setUpModelServer, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';
import { withTools } from '../../support/tools/with-tools.ts';

const token = 'a runner token of the tests';
const needs = {
  step: 'npm ci --ignore-scripts',
  hosts: [
    { host: 'codeload.github.com', wantedBy: ['left-pad'] },
    { host: 'npm.example.com:8443', wantedBy: [] },
  ],
};
const names = needs.hosts.map(({ host }) => host);

/** A runner whose install step needs hosts: it installs nothing without them. */
async function startNeedyRunner() {
  /** The hosts that each job was allowed. */
  const jobs: string[][] = [];
  /** What each job was to install. */
  const installs: (string | null)[] = [];
  const server = http.createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const form = await new Response(Buffer.concat(parts), {
      headers: { 'content-type': request.headers['content-type'] ?? '' },
    }).formData();
    const hosts = form.getAll('host').map(String);
    jobs.push(hosts);
    installs.push(form.get('install') as string | null);
    const isInstalled = names.every((name) => hosts.includes(name));
    const lines = isInstalled
      ? [{ log: 'Installed.\n# pass 2\n# fail 0\n' }, { exit: 0 }]
      : [{ log: 'The runner refused.\n' }, { failed: 'install_failed', ...needs }];
    response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jobs`,
    jobs,
    installs,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}

const models = setUpModelServer();
const runner = setUp(startNeedyRunner, ({ close }) => close());
const { database, server } = setUpServerOnDatabase(() => ({
  ...{ OPENAI_BASE_URL: models.url, ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on' },
  ...{ ARTEL_RUNNER_URL: runner.url, ARTEL_RUNNER_TOKEN: token },
}));
const ann = setUpAccount(server);
const person = withTools(ann);

beforeEach(async () => {
  runner.jobs.length = 0;
  runner.installs.length = 0;
  models.answer({ kind: 'text', text: 'Done.\n\n```sh path=a.sh\ntrue\n```\n' });
  await ann.call('PUT', '/project/default', { testCommand: 'npm test' });
});

async function newKey(): Promise<string> {
  const { body } = await ann.call<CreatedApiKey>('POST', '/api-keys', {
    name: 'A program',
    scopes: ['read', 'run', 'answer'],
    expiresInDays: 7,
  });
  return body.key;
}

/** Starts a run whose words come from outside: a program hands them on. */
async function startTainted(...agents: string[]): Promise<string> {
  const program = ann.with(await newKey());
  return (await program.start(await ann.pipeline(...agents), 'Mend it')).id;
}
const testsOf = ({ steps }: ExecutionDetails) => steps.find(({ role }) => role === 'QA')?.testRun;
const logOf = async ({ id, steps }: ExecutionDetails): Promise<string> => {
  const step = steps.find(({ testRun }) => testRun);
  const headers = { authorization: `Bearer ${ann.accessToken}` };
  return (await fetch(`${ann.url}/api/PipelineExecution/${id}/steps/${step?.stepId}/test-log`, { headers })).text();
};

test('C5.11 in a run with words from outside an install step that needs a host asks a person, who opens it for that run alone', async () => {
  const id = await startTainted('developer', 'qa');
  const question = await person.question(id);
  expect(question).toMatchObject({
    kind: 'install',
    reason: 'install',
    install: needs,
    actions: ['approve', 'refuse', 'stop'],
    whenDue: 'handOn',
  });
  const calls = models.calls.length;
  expect((await person.answer(question, { action: 'approve' })).status).toBe(200);
  const run = await person.ended(id);
  expect(testsOf(run)).toMatchObject({ state: 'ended', exitCode: 0, counts: { passed: 2, failed: 0 } });
  expect(await logOf(run)).toMatch(
    /^A person has allowed the install step of this run to reach: codeload\.github\.com, npm\.example\.com:8443\n/,
  );
  // No model was asked again for the second try.
  expect([runner.jobs, models.calls.length]).toEqual([[[], names], calls]);

  const next = await startTainted('developer', 'qa');
  await person.answer(await person.question(next), { action: 'stop' });
  expect(runner.jobs.at(-1)).toEqual([]);
});

test('C5.11 after a no the run goes on without the host, asks no second time, and the log says so', async () => {
  const id = await startTainted('developer', 'qa', 'qa');
  await person.answer(await person.question(id), { action: 'refuse' });
  const run = await person.ended(id);
  expect(run.status).toBe('completed');
  expect(testsOf(run)).toMatchObject({ state: 'failed', reason: 'install_failed', exitCode: null });
  expect(await logOf(run)).toMatch(/^A person was asked, and has not allowed the install step to reach: codeload\.github\.com/);
  expect(runner.jobs).toEqual([[], [], []]);
});

test('C5.11 a program with a key cannot open a host, and a question without an answer is a no', async () => {
  const id = await startTainted('developer', 'qa');
  const question = await person.question(id);
  const program = ann.with(await newKey());
  expect(await program.call('POST', `/question/${question.id}/answer`, { action: 'approve' })).toMatchObject({
    ...{ status: 403, body: { code: 'key_not_allowed', details: { kind: 'install' } } },
  });
  await database.pool.query("UPDATE questions SET due_at = now() - interval '1 minute' WHERE id = $1", [question.id]);
  const run = await person.ended(id);
  expect([run.status, testsOf(run)?.reason]).toEqual(['completed', 'install_failed']);
  expect(await logOf(run)).toMatch(/^Nobody has answered in time whether the install step may reach: codeload\.github\.com/);
});

test('C5.11 a run without words from outside does not ask: the step has its reason at once', async () => {
  const { id } = await ann.start(await ann.pipeline('developer', 'qa'), 'Mend it');
  const run = await person.ended(id);
  expect([run.status, testsOf(run)?.reason, runner.jobs]).toEqual(['completed', 'install_failed', [[]]]);
});

test('C5.11 a call in the middle of a step asks, too, and is carried out again with the answer', async () => {
  const work = { fileAccess: 'write', runsTests: true };
  expect((await ann.call('PUT', `/nuroagent/${ann.agent('developer').id}/api-configuration`, { work })).status).toBe(200);
  const inputSetId = await ann.giveFile('a.sh', 'true\n');
  models.answer(({ body }): Reply => {
    const results = body.messages.filter(({ role }) => role === 'tool');
    if (results.length > 0) return { kind: 'text', text: `I have read: ${JSON.stringify(results[0]?.content).slice(0, 400)}` };
    return { kind: 'calls', calls: [{ id: 'tests', name: 'run_tests', arguments: '{}' }] };
  });
  const program = ann.with(await newKey());
  const { id } = await program.start(await ann.pipeline('developer'), 'Mend it', { inputSetId });
  await person.answer(await person.question(id), { action: 'approve' });
  const run = await person.ended(id);
  expect(run.steps[0]?.result).toContain('2 passed');
  expect(runner.jobs).toEqual([[], names]);
});

test('C5.09 what the runner installs is a setting of the project', async () => {
  for (const installs of ['lock', 'off', 'manifest']) {
    const changed = await ann.call('PUT', '/project/default', { installs });
    expect([changed.status, changed.body]).toMatchObject([200, installs === 'manifest' ? {} : { installs }]);
    const { id } = await ann.start(await ann.pipeline('developer', 'qa'), 'Mend it');
    await person.ended(id);
  }
  expect(runner.installs).toEqual(['lock', 'off', null]);
  expect((await ann.call('PUT', '/project/default', { installs: 'all' })).status).toBe(400);
});
