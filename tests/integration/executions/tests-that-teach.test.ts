import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ExecutionDetails, StepRun } from '../../../contract/executions/execution.ts';
import type { PullRequest } from '../../../contract/executions/file.ts';
import type { Pipeline, PipelineCreation, PipelineProblem } from '../../../contract/executions/pipeline.ts';
import type { DataTest } from '../../../contract/executions/run-graph.ts';
import type { ToolCall } from '../../../contract/executions/tool-call.ts';
import type { InputSet } from '../../../contract/input.ts';
import { startReferenceRunner } from '../../support/runner/reference-runner.ts';
import type { ModelCall, Reply } from '../../support/services/model-server.ts';
import { setUp, setUpAccount, setUpModelServer, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';
import { mending, slugifyFiles } from '../../support/slugify/slugify-repository.ts';

const models = setUpModelServer();
const token = 'a runner token of the tests';
const runner = setUp(
  () => startReferenceRunner({ token }),
  ({ close }) => close(),
);
const { server } = setUpServerOnDatabase(() => ({
  ...{ OPENAI_BASE_URL: models.url, ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on' },
  ...{ ARTEL_RUNNER_URL: runner.url, ARTEL_RUNNER_TOKEN: token, ARTEL_RUNNER_SECONDS: '30' },
}));
const ann = setUpAccount(server);

const passes: DataTest = { is: 'testsPass', value: '' };
const fails: DataTest = { is: 'testsFail', value: '' };
const setCommand = (testCommand: string) => ann.call('PUT', '/project/default', { testCommand });
const setAgent = (name: string, change: object) => ann.call('PUT', `/nuroagent/${ann.agent(name).id}`, change);
const promptOf = ({ body }: ModelCall) => body.messages.map(({ content }) => content).join('\n');
const allowTests = (runsTests: boolean) =>
  ann.call('PUT', `/nuroagent/${ann.agent('developer').id}/api-configuration`, { work: { runsTests } });
const isOf = (name: string, { body }: ModelCall) => body.messages[0]?.content === ann.agent(name).configuration.systemPrompt;

beforeEach(async () => {
  await setCommand('node --test');
  await setAgent('developer', { contextAccessLevel: 3 });
  await allowTests(false);
});

/** What the bug makes of "Hello World": only the log of the tests says it. */
const wrongSlug = "'Hello-World'";

/** A developer that mends the bug once it has read why a test fails, and a tester that finds all well. */
const mendsWhatItReads = (call: ModelCall): Reply => {
  if (isOf('qa', call)) return { kind: 'text', text: 'I think that all is well.\n\nChoice: good' };
  if (!isOf('developer', call)) return { kind: 'text', text: 'A report.' };
  const hasAnswered = call.body.messages.some(({ role }) => role === 'tool');
  const hasRead = promptOf(call).includes(wrongSlug);
  if (hasAnswered || !hasRead) return { kind: 'text', text: hasRead ? 'Mended.' : 'I see nothing to change.' };
  return { kind: 'calls', calls: [{ id: 'edit', name: 'edit_file', arguments: JSON.stringify(mending) }] };
};

async function loop(): Promise<Pipeline> {
  const steps = ['developer', 'qa', 'assistant'].map((name) => ({ name, agentId: ann.agent(name).id, nodeId: name }));
  const links: PipelineCreation['links'] = [
    { id: 'forth', from: 'developer', to: 'qa' },
    { id: 'back', from: 'qa', to: 'developer', label: 'again', test: fails, maxRounds: 3 },
    { id: 'on', from: 'qa', to: 'assistant', label: 'good', test: passes },
  ];
  return (await ann.call<Pipeline>('POST', '/Pipeline', { name: 'Loop', projectId: 'default', steps, links })).body;
}

async function giveRepository(files = slugifyFiles): Promise<string> {
  const { body: set } = await ann.call<InputSet>('POST', '/inputSet', { projectId: 'default' });
  for (const [path, text] of Object.entries(files)) {
    const put = await fetch(`${ann.url}/api/inputSet/${set.id}/file?path=${encodeURIComponent(path)}`, {
      ...{ method: 'PUT', body: text },
      headers: { authorization: `Bearer ${ann.accessToken}`, 'content-type': 'application/octet-stream' },
    });
    expect(put.status).toBe(200);
  }
  return set.id;
}

async function runLoop(pipeline?: Pipeline): Promise<ExecutionDetails> {
  return ended(await ann.start(pipeline ?? (await loop()), 'Correct the slugs', { inputSetId: await giveRepository() }));
}
const ended = ({ id }: { id: string }) => ann.until(id, ({ status }) => status === 'completed' || status === 'failed');
const roundsOf = ({ steps }: ExecutionDetails, role: string): StepRun[] =>
  steps.filter((step) => step.role === role).toSorted((a, b) => (a.round ?? 0) - (b.round ?? 0));
const told = ({ steps }: ExecutionDetails) =>
  roundsOf({ steps } as ExecutionDetails, 'QA').map(({ testRun, choice }) => [testRun?.exitCode, testRun?.counts, choice]);

test('C4.03 the developer mends a planted bug in the second round, because it reads the log of the tests', async () => {
  models.answer(mendsWhatItReads);
  const run = await runLoop();
  expect(run.status).toBe('completed');
  expect(told(run)).toEqual([
    [1, { passed: 2, failed: 1 }, 'again'],
    [0, { passed: 3, failed: 0 }, 'good'],
  ]);
  const [, second] = roundsOf(run, 'Developer');
  expect(second?.toolUse?.written).toBe(1);
  // The step behind the loop has read it, too, and the pull request says what was executed.
  const last = promptOf(models.calls.at(-1) as ModelCall);
  expect(last).toContain('Exit code 0. Its log counts 3 passed and 0 failed.');
  const { body: asked } = await ann.call<PullRequest>('GET', `/PipelineExecution/${run.id}/pull-request`);
  expect(asked.description).toMatch(/Executed: `node --test`, exit 0 in [\d.]+ s\. The log counts 3 passed and 0 failed\./);
});

test('C4.03 without the log the developer does not fix the failure, and the work is handed on as not accepted after three rounds', async () => {
  models.answer(mendsWhatItReads);
  await setAgent('developer', { contextAccessLevel: 0 });
  const run = await runLoop();
  expect(run.status).toBe('completed');
  expect(told(run).map(([code]) => code)).toEqual([1, 1, 1]);
  expect(promptOf(models.calls.at(-1) as ModelCall)).toContain('was not accepted after 3 rounds');
});

test('C5.10 a test command that cannot start is no failed test: the loop ends after one round, and the step, the prompts and the pull request say what is missing', async () => {
  const reply = (label: string) => (call: ModelCall) =>
    isOf('qa', call) ? { kind: 'text' as const, text: `It is red.\n\nChoice: ${label}` } : mendsWhatItReads(call);
  models.answer(reply('again'));
  await setCommand('no-such-program --run');
  const run = await runLoop();
  expect(run.status).toBe('completed');
  expect(roundsOf(run, 'QA').map(({ testRun, choice }) => [testRun, choice])).toMatchObject([
    [{ state: 'failed', exitCode: null, reason: 'not_started', missing: 'no-such-program', hasLog: true }, undefined],
  ]);
  expect(roundsOf(run, 'Developer')).toHaveLength(1);
  const { body: asked } = await ann.call<PullRequest>('GET', `/PipelineExecution/${run.id}/pull-request`);
  expect(asked.description).toContain('the test command could not start, `no-such-program` is missing. No change of the code mends that.');
});

test('C4.02 where nothing executes tests the label of the agent counts, and a link without a label is warned of before the start', async () => {
  models.answer(mendsWhatItReads);
  await setCommand('');
  const run = await runLoop();
  expect(told(run)).toEqual([[undefined, undefined, 'good']]);
  const steps = ['developer', 'qa'].map((name) => ({ name, agentId: ann.agent(name).id, nodeId: name }));
  const links: PipelineCreation['links'] = [
    { id: 'forth', from: 'developer', to: 'qa' },
    { id: 'back', from: 'qa', to: 'developer', test: fails, maxRounds: 3 },
  ];
  const analyst = { name: 'analyst', agentId: ann.agent('analyst').id, nodeId: 'analyst' };
  const { body: pipeline } = await ann.call<Pipeline>('POST', '/Pipeline', {
    ...{ name: 'Facts', projectId: 'default', steps: [...steps, analyst], links: [...links, { id: 'on', from: 'qa', to: 'analyst' }] },
  });
  const diagnosed = async () =>
    (await ann.call<{ warnings: PipelineProblem[] }>('GET', `/Pipeline/${pipeline.id}/diagnostics`)).body.warnings.map(({ code }) => code);
  expect(await diagnosed()).toContain('graph.noTests');
  const untested = await runLoop(pipeline);
  expect(roundsOf(untested, 'QA').map(({ testRun }) => testRun)).toMatchObject([{ state: 'failed', reason: 'no_command', exitCode: null }]);
  const { body: asked } = await ann.call<PullRequest>('GET', `/PipelineExecution/${untested.id}/pull-request`);
  expect(asked.description).toContain('Not executed: nothing here has been run or tested.');
  await setCommand('node --test');
  expect(await diagnosed()).not.toContain('graph.noTests');
});

test('C4.04 an agent that is allowed to executes the tests in the middle of its step, and a person sees it live', async () => {
  await allowTests(true);
  const replies: Reply[] = [
    { kind: 'calls', calls: [{ id: 'first', name: 'run_tests', arguments: '{"filter":"test/slugify.test.js"}' }] },
    { kind: 'calls', calls: [{ id: 'edit', name: 'edit_file', arguments: JSON.stringify(mending) }] },
    { kind: 'calls', calls: [{ id: 'second', name: 'run_tests', arguments: '{}' }] },
    { kind: 'text', text: 'Mended, and the tests pass.' },
  ];
  models.answer(() => replies.shift() as Reply);
  const socket = await ann.socket();
  // The command waits until its log has been streamed: a log that comes together with the end of its command is not.
  const folder = await mkdtemp(join(tmpdir(), 'artel-streamed-'));
  await setCommand('sh wait.sh node --test');
  const waits = `"$@"\ncode=$?\nuntil test -e ${folder}/read; do sleep 0.05; done\nexit $code\n`;
  const inputSetId = await giveRepository({ ...slugifyFiles, 'wait.sh': waits });
  const started = await ann.start(await ann.pipeline('developer'), 'Correct the slugs', { inputSetId });
  const streamed = await socket.until(({ type }) => type === 'test_log');
  await writeFile(join(folder, 'read'), '');
  const run = await ended(started);
  await rm(folder, { recursive: true });
  expect(run.steps[0]?.testRun).toMatchObject({ state: 'ended', exitCode: 0, byAgent: true, counts: { passed: 3, failed: 0 } });
  expect(streamed).toMatchObject({ executionId: run.id, stepId: run.steps[0]?.stepId });
  const { body: calls } = await ann.call<ToolCall[]>('GET', `/PipelineExecution/${run.id}/calls`);
  expect(calls.map(({ tool, source, state }) => [tool, source, state])).toEqual([
    ['run_tests', 'tests', 'done'],
    ['edit_file', 'files', 'done'],
    ['run_tests', 'tests', 'done'],
  ]);
  expect(calls[0]?.result).toContain(wrongSlug);
  const { body: asked } = await ann.call<PullRequest>('GET', `/PipelineExecution/${run.id}/pull-request`);
  expect(asked.description).toContain('Executed: `sh wait.sh node --test`, exit 0');
  await socket.close();
});

/** The library without its bug: its own tests pass. */
const mended = { ...slugifyFiles, 'index.js': (slugifyFiles['index.js'] ?? '').replace(mending.old, mending.new) };

describe('without a key', () => {
  beforeAll(async () => {
    for (const name of ['developer', 'qa', 'assistant'])
      await ann.call('PUT', `/nuroagent/${ann.agent(name).id}/api-configuration`, { providerType: 'simulated' });
  });

  const callsOf = async ({ id }: ExecutionDetails, step: StepRun | undefined) =>
    (await ann.call<ToolCall[]>('GET', `/PipelineExecution/${id}/calls`)).body.filter(({ stepId }) => stepId === step?.stepId);

  test('C4.09 C4.10 a real runner shows the loop: a planted test fails in the repository, and the simulated developer mends it by its log', async () => {
    await allowTests(true);
    const run = await ended(await ann.start(await loop(), 'Correct the slugs', { inputSetId: await giveRepository(mended) }));
    expect(told(run)).toEqual([
      [1, { passed: 4, failed: 1 }, 'again'],
      [0, { passed: 5, failed: 0 }, 'good'],
    ]);
    const [first, second] = roundsOf(run, 'Developer');
    expect(first?.result).toContain('The rule and its test are new files, marked as a simulated change.');
    expect((await callsOf(run, first)).slice(-3).map(({ tool, state }) => [tool, state])).toEqual([
      ['write_file', 'done'],
      ['write_file', 'done'],
      ['run_tests', 'done'],
    ]);
    expect((await callsOf(run, second)).map(({ tool, state }) => [tool, state])).toEqual([
      ['read_file', 'done'],
      ['edit_file', 'done'],
      ['run_tests', 'done'],
    ]);
    expect(second?.result).toContain('The log of the tests says: `Error: simulated-change.mjs: an empty value was accepted`.');
    const { body: asked } = await ann.call<PullRequest>('GET', `/PipelineExecution/${run.id}/pull-request`);
    expect(asked.description).toContain('Executed: `node --test`, exit 0');
  });

  test('C4.09 without a key and a repository the simulated developer hands over real tests, which fail and then pass', async () => {
    await setCommand('npm test');
    const run = await ended(await ann.start(await loop(), 'Accept requests of users'));
    expect(told(run)).toEqual([
      [1, { passed: 1, failed: 1 }, 'again'],
      [0, { passed: 2, failed: 0 }, 'good'],
    ]);
    const [, second] = roundsOf(run, 'Developer');
    expect((await callsOf(run, second)).map(({ tool }) => tool)).toEqual(['read_file', 'edit_file']);
  });
});
