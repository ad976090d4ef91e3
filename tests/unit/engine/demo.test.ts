import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { flowTemplates } from '../../../contract/flow-templates.ts';
import { consoleMessages } from '../../../src/model/console/console-pages.ts';
import { startAfterCreationMs } from '../../../src/model/run/plan/run-payloads.ts';
import { testReport } from '../../../src/model/run/test-report.ts';
import { emptyWorkspace, type WorkspaceState } from '../../../src/model/workspace-state.ts';
import { Replica } from '../../../src/workers/bridge/replica.ts';
import { createDemoBackend } from '../../../src/workers/engine/backends/demo/demo-backend.ts';
import { demoEnvironment } from '../../../src/workers/engine/backends/demo/demo-environment.ts';
// Loaded before the test: the engine's own import then takes no time of the virtual clock.
import '../../../src/workers/engine/backends/demo/review-script.ts';
import { createEngine } from '../../../src/workers/engine/create-engine.ts';
import type { EngineApi } from '../../../src/workers/protocol.ts';
import { VirtualClock } from '../../support/engine/virtual-clock.ts';

const team = ['Assistant', 'Product manager', 'Project manager', 'Team lead', 'Frontend', 'Backend'];

/** The demonstration as its worker runs it, on a virtual clock. */
async function openDemo(
  projectId = 'public-demo',
): Promise<{ clock: VirtualClock; engine: EngineApi; state: () => WorkspaceState; said: () => string[] }> {
  const clock = new VirtualClock();
  let made = 0;
  const environment = {
    ...demoEnvironment(),
    now: clock.now,
    later: clock.later,
    newId: () => {
      made += 1;
      return `made-${made}`;
    },
  };
  const engine = createEngine({ environment, createBackend: (parts) => createDemoBackend(parts, environment) });
  const replica = new Replica(emptyWorkspace, () => void engine.snapshot().then((snapshot) => replica.load(structuredClone(snapshot))));
  replica.expectSnapshot();
  const source = { kind: 'demo' as const, projectId, language: 'en' };
  replica.load(structuredClone(await engine.open({ source, tabId: 'tab' }, (update) => replica.apply(structuredClone(update)))));
  await clock.pass(50);
  const said = () =>
    consoleMessages(replica.getState().console).flatMap(({ isAI, agentTitle }) => (isAI && agentTitle ? [agentTitle] : []));
  return { clock, engine, state: () => replica.getState(), said };
}

const events = (state: WorkspaceState) => consoleMessages(state.console).flatMap(({ event }) => event?.code ?? []);

test('W9.05 the demonstration has six agents, seven cards, six links, two pipelines, two flows, and its figures add up', async () => {
  const { engine, state, clock } = await openDemo();
  expect(state()).toMatchObject({ status: 'ready', project: { id: 'public-demo', isDemo: true }, validation: [] });
  expect(Object.values(state().document.nodes).map(({ type }) => type)).toEqual(['dialog', ...team.map(() => 'agent')]);
  expect(Object.values(state().document.nodes).map(({ title }) => title)).toEqual(['Dialog', ...team]);
  expect(Object.keys(state().document.connections)).toHaveLength(6);
  expect(state().agents.order).toHaveLength(6);
  for (const agentId of state().agents.order) await engine.dispatch({ type: 'agent.count', agentId });
  await engine.dispatch({ type: 'project.count', id: 'public-demo' });
  await clock.pass(20);
  const figures = Object.values(state().agentFigures).map(({ statistics }) => statistics);
  const sum = (name: 'totalCommands' | 'successfulCommands' | 'failedCommands') => figures.reduce((total, one) => total + one[name], 0);
  expect([sum('totalCommands'), sum('successfulCommands'), sum('failedCommands')]).toEqual([150, 142, 8]);
  expect(state().projects.statistics['public-demo']).toMatchObject({ totalExecutions: 25, totalPipelines: 2, totalAgents: 6 });
  expect(flowTemplates).toHaveLength(2);
});

test('P2.19 a project that the address names is called as it is named there, and the fixed one has a name of its own', async () => {
  expect((await openDemo('my-shop')).state().project).toMatchObject({ id: 'my-shop', name: 'my-shop' });
  expect((await openDemo()).state().project?.name).not.toBe('public-demo');
});

test('W4.16 the agents speak one after another, 2 s apart, and 1 s after the last agent the system speaks last', async () => {
  const { clock, state, said, engine } = await openDemo();
  await clock.pass(1_900);
  expect(state().run.phase).toBe('stopped');
  await clock.pass(80);
  expect(state().run.phase).toBe('starting');
  await clock.pass(startAfterCreationMs);
  expect(state().run).toMatchObject({
    phase: 'running',
    steps: [{ status: 'running' }, ...team.slice(1).map(() => ({ status: 'pending' }))],
  });
  for (const [index] of team.entries()) {
    await clock.pass(1_940);
    expect(said()).toEqual(team.slice(0, index));
    expect(Object.values(state().run.partial)).toHaveLength(1);
    await clock.pass(60);
    expect(said()).toEqual(team.slice(0, index + 1));
  }
  await clock.pass(940);
  expect(state().run.outcome).toBeNull();
  await clock.pass(60);
  expect(state().run).toMatchObject({ phase: 'stopped', outcome: 'completed' });
  expect(events(state()).slice(-2)).toEqual(['run.completed', 'demo.finished']);
  const executionId = state().run.execution?.id ?? '';
  expect(await engine.call('execution.files', { params: { id: executionId } })).toMatchObject({
    ok: true,
    value: { files: Array(6).fill({ simulated: true }) },
  });
  const archive = await engine.call('execution.archive', { params: { id: executionId } });
  const unpacked = Object.entries(unzipSync(archive.ok ? archive.value : new Uint8Array()));
  expect(unpacked).toHaveLength(6);
  for (const [path, bytes] of unpacked)
    expect(await engine.call('execution.fileContent', { params: { id: executionId }, query: { path } })).toEqual({
      ok: true,
      value: strFromU8(bytes),
    });
  expect(testReport(state().run.steps.at(-1)?.result ?? '').checks.map(({ verdict }) => verdict)).toEqual(Array(4).fill('passed'));
  expect(await engine.call('thought.ofProject', { params: { id: 'public-demo' }, query: { offset: 0 } })).toMatchObject({
    ok: true,
    value: Array(6).fill({ executionId }),
  });
  expect(state().history.items.map(({ status }) => status)).toEqual([2, 2, 2]);
  expect(state().live.received).toBeGreaterThan(30);
});

test('G3.09 the demonstration shows calls of file tools: on the card, in the console, and whole with the step', async () => {
  const { clock, engine, state } = await openDemo();
  await clock.pass(1_980 + startAfterCreationMs + 3 * 2_000 + 100);
  const lead = () => state().run.steps[3];
  expect(lead()).toMatchObject({ status: 'running', toolUse: { calls: 1, current: { tool: 'list_files', state: 'pending' } } });
  await clock.pass(200);
  expect(lead()?.toolUse).toMatchObject({ calls: 2, current: { tool: 'search_files' } });
  await clock.pass(1_800 + 2 * 2_000 + 1_000);
  expect(state().run.outcome).toBe('completed');
  expect(state().run.steps.map(({ toolUse }) => toolUse?.calls ?? 0)).toEqual([0, 0, 0, 2, 1, 4]);
  expect(state().run.steps.at(-1)?.toolUse).toMatchObject({ read: 1, written: 1, current: null });
  expect(events(state()).filter((code) => code === 'tool.called')).toHaveLength(7);
  const executionId = state().run.execution?.id ?? '';
  const calls = await engine.call('execution.toolCalls', {
    params: { id: executionId },
    query: { stepId: state().run.steps.at(-1)?.stepId ?? '' },
  });
  expect(calls).toMatchObject({
    ok: true,
    value: [
      { tool: 'read_file', args: '{"path":"api/orders-export.yaml"}', state: 'done', result: expect.stringContaining('openapi') },
      { tool: 'run_tests', source: 'tests', state: 'done', result: expect.stringContaining('not ok 2') },
      { tool: 'edit_file', source: 'files', effect: 'idempotent', state: 'done' },
      { tool: 'run_tests', source: 'tests', state: 'done', result: expect.not.stringContaining('not ok') },
    ],
  });
});

test('C4.08 in the demonstration of the team the backend developer reads why a test fails, and mends it, all as simulated', async () => {
  const { clock, state, engine } = await openDemo();
  await clock.pass(1_980 + startAfterCreationMs + 6 * 2_000 + 1_000);
  const step = state().run.steps.at(-1);
  expect(step?.testRun).toMatchObject({ simulated: true, byAgent: true, exitCode: 0, counts: { passed: 4, failed: 0 } });
  // The edit that the script shows fits the file that the agent hands over.
  const calls = await engine.call('execution.toolCalls', {
    params: { id: state().run.execution?.id ?? '' },
    query: { stepId: step?.stepId ?? '' },
  });
  const edit = calls.ok ? calls.value.find(({ tool }) => tool === 'edit_file') : undefined;
  const { new: written } = JSON.parse(edit?.args ?? '') as { new: string };
  expect(step?.result?.split(written)).toHaveLength(2);
});

test('W4.16 the demo does not start again a run that a visitor started before the automatic start', async () => {
  const { clock, engine, state } = await openDemo();
  await engine.dispatch({ type: 'run.start' });
  await clock.pass(500);
  await engine.dispatch({ type: 'run.stop' });
  await clock.pass(30_000);
  expect(state().run).toMatchObject({ phase: 'stopped', outcome: 'cancelled' });
});

test('W4.16 the demo ends when it is stopped, waits while it is paused, and starts again when it is opened again', async () => {
  const { clock, engine, state, said } = await openDemo();
  await clock.pass(5_000);
  expect(said()).toEqual(team.slice(0, 1));
  await engine.dispatch({ type: 'run.pause' });
  await clock.pass(10_000);
  expect(state().run.phase).toBe('paused');
  expect(said()).toEqual(team.slice(0, 2));
  await engine.dispatch({ type: 'run.nextStep' });
  await clock.pass(10_000);
  expect([state().run.phase, said().length]).toEqual(['paused', 3]);
  await engine.dispatch({ type: 'run.resume' });
  await clock.pass(1_000);
  await engine.dispatch({ type: 'run.stop' });
  await clock.pass(30_000);
  expect(state().run).toMatchObject({ phase: 'stopped', outcome: 'cancelled' });
  expect(said()).toEqual(team.slice(0, 3));
  expect(events(state())).not.toContain('demo.finished');
  expect(state().history.items[0]).toMatchObject({ status: 4 });

  void engine.dispatch({ type: 'run.start' });
  await clock.pass(4_000);
  await engine.setLanguage('ru');
  await engine.dispatch({ type: 'workspace.reload' });
  await clock.pass(50);
  expect([state().run.phase, said()]).toEqual(['stopped', []]);
  expect(state().document.nodes['demo-lead']?.title).toBe('Тимлид');
  await clock.pass(30_000);
  expect(said()).toHaveLength(6);
});

test('P2.19 calls that would need a server are refused, and nothing is changed', async () => {
  const { engine, state, clock } = await openDemo();
  const before = structuredClone(state().agents);
  const configured = await engine.dispatch({ type: 'agent.configure', agentId: 'demo-lead', configuration: { systemPrompt: 'Rest.' } });
  expect(configured.outcome).toMatchObject({ ok: false, error: { params: { cause: 'demo.unavailable' } } });
  const asked = await engine.dispatch({ type: 'console.send', text: '/command Rest', agentId: 'demo-lead' });
  await clock.pass(100);
  expect(asked.outcome.ok && state().commandLine.waiting).toBeFalsy();
  expect(state().agents).toEqual(before);
});

test('W4.16 G1.03 G2.01 a second canvas shows a review loop of two rounds, and a question that the script answers', async () => {
  const { clock, state, engine } = await openDemo('public-review');
  expect(state()).toMatchObject({ status: 'ready', validation: [], project: { id: 'public-review' } });
  await clock.pass(2_100 + startAfterCreationMs);
  expect(state().run.phase).toBe('running');
  const links = () => Object.fromEntries(state().run.graph?.linkIds.map((id, at) => [id, state().run.graph?.linkStates[at]]) ?? []);
  const [forward, back, accepted] = [
    'conn-demo-backend-demo-product',
    'conn-demo-product-demo-backend',
    'conn-demo-product-review-person',
  ] as const;
  expect(links()).toMatchObject({ [forward]: 'pending', [back]: 'pending', [accepted]: 'pending' });
  await clock.pass(4 * 2_250);
  expect(state().run.steps.map(({ status, round = 0 }) => [status, round])).toEqual([
    ['completed', 0],
    ['completed', 1],
    ['completed', 0],
    ['completed', 1],
    ['waiting', 0],
  ]);
  expect(links()).toMatchObject({ [forward]: 'taken', [back]: 'taken', [accepted]: 'waiting' });
  const [question] = state().questions.items;
  expect(question).toMatchObject({ state: 'open', nodeId: 'review-person', title: 'Shop owner' });
  expect(state().run.execution?.openQuestions).toBe(1);
  const answered = await engine.dispatch({ type: 'question.answer', id: question?.id ?? '', answer: { action: 'answer' } });
  expect(answered.outcome).toMatchObject({ ok: false, error: { code: 'demo.unavailable' } });

  await clock.pass(6_100);
  expect(state().questions.items).toEqual([]);
  expect(state().run).toMatchObject({ phase: 'stopped', outcome: 'completed', execution: { progress: 100 } });
  expect(state().run.steps.at(-1)).toMatchObject({ kind: 'person', status: 'completed', usage: null, simulated: false });
  expect(state().run.execution?.result).toContain('All tests pass');
});

test('C4.08 in the demonstration a test fails, the developer says what its log told, and the tests pass, all as simulated', async () => {
  const { clock, state, engine } = await openDemo('public-review');
  await clock.pass(2_100 + startAfterCreationMs + 4 * 2_250);
  const { steps, execution } = state().run;
  const tested = steps.filter(({ testRun }) => testRun).toSorted((a, b) => (a.round ?? 0) - (b.round ?? 0));
  expect(tested.map(({ testRun }) => [testRun?.simulated, testRun?.exitCode, testRun?.counts])).toEqual([
    [true, 1, { passed: 3, failed: 1 }],
    [true, 0, { passed: 4, failed: 0 }],
  ]);
  const logOf = (stepId = '') => engine.call('execution.testLog', { params: { id: execution?.id ?? '', stepId } });
  expect(await logOf(tested[0]?.stepId)).toMatchObject({ ok: true, value: expect.stringContaining('not ok 4') });
  expect(await logOf(tested[1]?.stepId)).toMatchObject({ ok: true, value: expect.not.stringContaining('not ok') });
  const thoughts = await engine.call('thought.ofProject', { params: { id: 'public-review' }, query: { offset: 0 } });
  expect(JSON.stringify(thoughts)).toContain('The log of test 4 says: two emails.');
});

test('W4.16 a stop while the second canvas waits for its answer withdraws the question', async () => {
  const { clock, state, engine } = await openDemo('public-review');
  await clock.pass(2_100 + startAfterCreationMs + 4 * 2_250);
  expect(state().questions.items).toHaveLength(1);
  await engine.dispatch({ type: 'run.stop' });
  await clock.pass(10_000);
  expect(state().questions.items).toEqual([]);
  expect(state().run).toMatchObject({ phase: 'stopped', outcome: 'cancelled' });
});
