import { beforeEach, expect, test } from 'vitest';
import type { Agent } from '../../../../contract/agent.ts';
import { manySteps } from '../../../../rules/run-graph/many-steps.ts';
import { validationReport } from '../../../../src/model/validation-report.ts';
import { pollMs, pollWithSocketMs } from '../../../../src/workers/engine/run/run-follower.ts';
import { unreachable } from '../../../support/engine/fake-server/answers.ts';
import { FakeServer } from '../../../support/engine/fake-server/fake-server.ts';
import { freshBrowser } from '../../../support/engine/fresh-browser.ts';
import { agentNode, chainDocument, dialogNode, documentOf, link, team, uuid } from '../../../support/engine/samples.ts';
import { type Browser, Tab } from '../../../support/engine/tab.ts';

let browser: Browser;
let server: FakeServer;

beforeEach(() => {
  browser = freshBrowser();
  server = new FakeServer(chainDocument());
});

const send = (text: string) => ({ type: 'dialog.send', nodeId: 'd', text }) as const;

test('W4.06 W3.05 W9.03 a dialog message makes a pipeline of the canvas, starts its execution and follows it', async () => {
  const tab = await new Tab(browser, server).open();
  expect(await tab.does(send('  Build a shop  '))).toEqual({ ok: true, value: undefined });

  const [run] = server.runs;
  expect(run?.start).toMatchObject({
    initialTask: 'Build a shop',
    ...{ priority: 5, timeoutSeconds: 3_600, pauseBetweenStepsMs: 1_000, startAfterMs: 1_000 },
    inputData: { dialogNode: { id: 'd' }, triggerCommand: 'start_workflow' },
  });
  expect(run?.steps.map((step) => step.nodeId)).toEqual(['a', 'b', 'c']);
  const [pipeline] = server.pipelines.values();
  expect(pipeline?.steps.map(({ timeoutSeconds, type }) => [timeoutSeconds, type])).toEqual(Array(3).fill([1_800, 1]));
  expect(tab.state.run).toMatchObject({ phase: 'running', outcome: null });
  expect(tab.lines).toEqual(['Build a shop', 'run.started']);
});

test('G3.02 a run with files says before its start which agents call no tools; one without files or tools does not', async () => {
  const [first] = team;
  const model = { ...(first as Agent).apiConfiguration, model: 'o1-mini', mayGoWithoutTools: true };
  server.agents = [{ ...(first as Agent), apiConfiguration: model }, ...team.slice(1)];
  const tab = await new Tab(browser, server).open();
  await tab.does({ ...send('Plan'), inputSetId: uuid(1, 7) });
  expect(tab.lines).toEqual(['agent.noTools', 'Plan', 'run.started']);
  server.doAll();
  await browser.clock.pass(pollMs);
  expect((await tab.does(send('Without files'))).ok).toBe(true);
  expect(tab.lines).toContain('Without files');
  expect(tab.lines.filter((line) => line === 'agent.noTools')).toHaveLength(1);
});

test('D4.11 a task with more items than its group can work through starts nothing, and a queued one neither', async () => {
  const { nodes } = chainDocument();
  const group = { id: 'g', type: 'group' as const, title: 'Each', x: -100, y: -5_000, width: 20_000, height: 10_000, forEach: {} };
  server = new FakeServer(
    documentOf(
      [...Object.values(nodes), dialogNode('other', 0, 300), agentNode('e', team[3] as Agent, 300, 300), group as never],
      [link('d', 'a'), link('other', 'e'), link('a', 'b'), link('b', 'c')],
    ),
  );
  const tab = await new Tab(browser, server).open();
  const items = (count: number) => send(Array.from({ length: count }, (_, at) => `Town ${at}`).join('\n'));
  expect(await tab.does(items(101))).toMatchObject({ ok: false, error: { code: 'list_too_long', nodeIds: ['g'] } });
  expect([server.runs.length, server.pipelines.size]).toEqual([0, 0]);
  expect((await tab.does(items(100))).ok).toBe(true);
  expect(await tab.does({ ...items(101), nodeId: 'other' })).toMatchObject({ ok: false, error: { code: 'list_too_long' } });
  expect(server.runs).toHaveLength(1);
});

test('C4.06 a run whose links need tests that nothing executes says so before its start', async () => {
  const { nodes } = chainDocument();
  const fails = { test: { is: 'testsFail' as const, value: '' }, maxRounds: 3 };
  server = new FakeServer(
    documentOf(Object.values(nodes), [link('d', 'a'), link('a', 'b'), link('b', 'c'), { ...link('b', 'a'), run: fails }]),
  );
  const tab = await new Tab(browser, server).open();
  await tab.does(send('Plan'));
  expect(tab.lines).toContain('graph.noTests');
});

test('R10.01 a run of many steps that waits for its turn says so after three seconds, once; a small one never does', async () => {
  const agents = Array.from({ length: manySteps }, (_, at) => ({ ...(team[0] as Agent), id: uuid(5, at), title: `Agent ${at}` }));
  const many = agents.map((agent, at) => agentNode(`n${at}`, agent, 300 * (at + 1), 0));
  const links = many.map(({ id }, at) => link(at === 0 ? 'd' : `n${at - 1}`, id));
  for (const [document, said] of [
    [documentOf([dialogNode('d', 0, 0), ...many], links), ['run.waitsForTurn']],
    [chainDocument(), []],
  ] as const) {
    browser = freshBrowser();
    server = new FakeServer(document);
    server.agents = [...server.agents, ...agents];
    const tab = await new Tab(browser, server).open();
    const release = server.hold('execution.start');
    const started = tab.does(send('Build a shop'));
    await browser.clock.pass(2_900);
    expect(tab.lines).not.toContain('run.waitsForTurn');
    await browser.clock.pass(10_000);
    expect(tab.lines.filter((line) => line === 'run.waitsForTurn')).toEqual(said);
    release();
    expect((await started).ok).toBe(true);
    await browser.clock.pass(10_000);
    expect(tab.lines.filter((line) => line === 'run.waitsForTurn')).toEqual(said);
  }
});

test('W5.01 a message that is empty after trimming is refused', async () => {
  const tab = await new Tab(browser, server).open();
  expect(await tab.does(send(' \n '))).toEqual({ ok: false, error: { code: 'dialog.empty' } });
  expect(server.runs).toEqual([]);
});

test('W2.12 W8.01 a refusal that the page reports is a notice for 3 s, also before the project is open', async () => {
  const release = server.hold('project.get');
  const tab = new Tab(browser, server);
  const opening = tab.open();
  const problem = { code: 'run.startFailed', params: { cause: 'network' } };
  expect(await tab.does({ type: 'dialog.reportRefusal', dialogTitle: 'Shop', problem })).toEqual({ ok: true, value: undefined });
  expect(tab.state.notices).toMatchObject([
    { code: 'dialog.notSent', params: { dialogTitle: 'Shop', refusal: 'run.startFailed', cause: 'network' }, level: 'error' },
  ]);
  await browser.clock.pass(3_000);
  expect(tab.state.notices).toEqual([]);
  release();
  await opening;
});

test('R41.01 a message sent during a run is added to it; a paused run resumes', async () => {
  const tab = await new Tab(browser, server).open();
  await tab.does(send('Build a shop'));
  await tab.does(send('In blue'));
  expect(server.runs).toHaveLength(1);
  expect(server.runs[0]?.contexts.map(({ content }) => content)).toEqual(['In blue']);
  expect(server.runs[0]?.contexts[0]?.context).toMatchObject({ text: 'In blue', id: 'd', triggerCommand: 'start_workflow' });

  const run = server.runs[0] as never;
  server.emit(run, 'execution.paused', { status: 'paused' });
  await browser.clock.pass(pollMs);
  expect(tab.state.run.phase).toBe('paused');
  await tab.does(send('And green'));
  expect(server.runs[0]?.contexts.map(({ content }) => content)).toEqual(['In blue', 'And green']);
  expect(tab.state.run.phase).toBe('running');
});

test('W4.07 without any agent the message stays in the box and the console warns', async () => {
  server = new FakeServer(documentOf([dialogNode('d', 0, 0)]));
  const tab = await new Tab(browser, server).open();
  expect(await tab.does(send('Hello'))).toEqual({ ok: false, error: { code: 'pipeline.noAgents' } });
  expect(tab.state.run).toMatchObject({ phase: 'stopped', error: { code: 'pipeline.noAgents' } });
  expect(tab.lines).toEqual(['dialog.noTarget', 'pipeline.noAgents', 'run.stoppedByErrors']);
  expect(server.calls).not.toContain('pipeline.create');
});

test('W4.03 start with no agents says so and stops', async () => {
  // The same command as from the page: without a task, and for any number of dialogs.
  for (const dialogs of [[], [dialogNode('d', 0, 0)], [dialogNode('d', 0, 0), dialogNode('e', 300, 0)]]) {
    server = new FakeServer(documentOf(dialogs));
    const tab = await new Tab(browser, server, `tab-${dialogs.length}`).open();
    expect(await tab.does({ type: 'run.start' })).toEqual({ ok: false, error: { code: 'run.noAgents' } });
    expect(tab.lines).toEqual(['run.noAgents', 'run.stoppedByErrors']);
    expect(tab.state.notices).toMatchObject([{ code: 'run.noAgents', level: 'error' }]);
  }
});

test('W8.01 W4.04 the rules that the canvas breaks are listed with hints, in a banner for 3 s and in the console', async () => {
  const [first, second] = team;
  if (!first || !second) throw new Error('No team');
  const gone = { serverAgentId: uuid(77, 2) };
  server = new FakeServer(
    documentOf(
      [
        dialogNode('d', 0, 0, { goal: '' }),
        agentNode('a', first, 300, 0),
        agentNode('b', second, 600, 0, { ...gone, title: 'Missing', name: 'missing' }),
      ],
      [link('d', 'a'), link('a', 'b')],
    ),
  );
  const tab = await new Tab(browser, server).open();
  expect(await tab.does({ type: 'run.start', task: 'Hello' })).toMatchObject({ ok: false, error: { code: 'pipeline.validationFailed' } });
  expect(tab.lines).toEqual(['pipeline.validationFailed', 'run.stoppedByErrors']);
  expect(tab.state.notices).toMatchObject([
    { code: 'run.stoppedByErrors', level: 'error' },
    {
      code: 'pipeline.validationFailed',
      params: { count: 2, cause: 'agent.serverMissing' },
      details: [
        { code: 'pipeline.brokenRule', params: { number: 1, cause: 'agent.serverMissing', name: 'Missing' } },
        { code: 'pipeline.brokenRule', params: { number: 2, cause: 'dialog.goalMissing' } },
        { code: 'pipeline.hint.agent' },
        { code: 'pipeline.hint.dialog' },
      ],
    },
  ]);
  await browser.clock.pass(3_000);
  expect(tab.state.notices).toEqual([]);
});

test('W8.01 agents that could not be looked up, or that another device has removed, fail their validation on the server', async () => {
  server.faults.set('agent.list', unreachable);
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await tab.does(send('Hello'));
  const [named] = tab.messages[0]?.event?.details ?? [];
  expect(named?.params).toMatchObject({ cause: 'agent.notChecked', name: team[0]?.title, why: 'network' });
  server.faults.clear();
  await tab.does({ type: 'agents.reload' });
  server.agents = server.agents.slice(1);
  server.faults.set('pipeline.create', { kind: 'refused', problem: { code: 'not_found' }, status: 404, retryAfterMs: null });
  expect(await tab.does(send('Hello'))).toMatchObject({
    error: { code: 'pipeline.validationFailed', params: { count: 1, cause: 'agent.serverMissing', name: team[0]?.title } },
  });
});

test('D1.05 a cycle with two entries is refused once, with the links of which one may go', async () => {
  const document = chainDocument();
  document.connections['conn-c-b'] = { ...link('c', 'b'), run: { maxRounds: 3 } };
  document.nodes.e = agentNode('e', team[3] as Agent, 0, 900);
  document.connections['conn-e-c'] = link('e', 'c');
  document.connections['conn-d-e'] = link('d', 'e');
  server = new FakeServer(document);
  const tab = await new Tab(browser, server).open();
  const refused = await tab.does({ type: 'run.start', task: 'Hello' });
  const name = (at: number) => team[at]?.title;
  const links = `${name(0)} → ${name(1)}, ${name(3)} → ${name(2)}`;
  expect(refused).toMatchObject({ ok: false, error: { code: 'graph.twoEntries', params: { links } } });
  expect(tab.lines).toEqual(['graph.twoEntries', 'run.stoppedByErrors']);
  expect(tab.state.notices.map(({ code }) => code)).toEqual(['graph.twoEntries']);
  expect(tab.state.validation[0]).toMatchObject({ connectionIds: ['conn-a-b', 'conn-e-c'] });
});

test('D2.09 the cards and links of which a start is refused are part of the refusal', async () => {
  const document = chainDocument();
  document.connections['conn-c-b'] = { ...link('c', 'b'), run: { maxRounds: 3 } };
  document.nodes.e = agentNode('e', team[3] as Agent, 0, 900);
  for (const one of [link('e', 'c'), link('d', 'e')]) document.connections[one.id] = one;
  server = new FakeServer(document);
  const tab = await new Tab(browser, server).open();
  const lit = { nodeIds: ['b', 'c'], connectionIds: ['conn-a-b', 'conn-e-c'] };
  expect(await tab.does({ type: 'run.start', task: 'Hello' })).toMatchObject({ ok: false, error: lit });
  expect(tab.state.run.error).toMatchObject(lit);
  // Of several problems a report has them all.
  expect(validationReport([{ code: 'link.unfit' }, { code: 'graph.cycle', ...lit }])).toMatchObject(lit);
});

test('W4.04 a failed pipeline creation stops with a message, and a failed start keeps no pipeline', async () => {
  const tab = await new Tab(browser, server).open();
  server.faults.set('pipeline.create', { kind: 'refused', problem: { code: 'not_found' }, status: 404, retryAfterMs: null });
  expect(await tab.does(send('Hello'))).toEqual({ ok: false, error: { code: 'pipeline.failed', params: { cause: 'not_found' } } });
  server.faults.clear();
  server.faults.set('execution.start', { kind: 'refused', problem: { code: 'illegal_state' }, status: 409, retryAfterMs: null });
  expect(await tab.does(send('Hello'))).toMatchObject({ ok: false, error: { code: 'run.startFailed' } });
  expect(server.pipelines.size).toBe(0);
  expect(tab.state.run.phase).toBe('stopped');
});

test('W4.06 a start whose answer was lost is sent once more and done once', async () => {
  const tab = await new Tab(browser, server).open();
  server.lostAnswers.add('execution.start');
  const sent = tab.doesIn(900, send('Hello'));
  await browser.clock.pass(900);
  server.lostAnswers.clear();
  await browser.clock.pass(500);
  expect(await sent).toMatchObject({ ok: true });
  expect(server.runs).toHaveLength(1);
});

test('R24.01 the start control runs the only dialog with its goal, and asks which when there are several', async () => {
  const tab = await new Tab(browser, server).open();
  await tab.does({ type: 'run.start' });
  expect(server.runs[0]?.start.initialTask).toBe('Build it');
  server.doAll();
  await browser.clock.pass(pollMs);
  await tab.does({ type: 'node.add', nodes: [dialogNode('d2', 0, 500)] });
  expect(await tab.does({ type: 'run.start' })).toEqual({ ok: false, error: { code: 'run.chooseDialog' } });
});

test('W4.03 cards without a server agent are matched by title before the run', async () => {
  const [first] = team;
  if (!first) throw new Error('No team');
  server = new FakeServer(documentOf([dialogNode('d', 0, 0), agentNode('a', first, 300, 0, { serverAgentId: 'a' })], [link('d', 'a')]));
  const tab = await new Tab(browser, server).open();
  await tab.does(send('Hello'));
  expect(server.runs[0]?.steps.map((step) => step.agentId)).toEqual([first.id]);
});

test('W2.12 a dialog whose auto start is off keeps its text, and the start control runs it', async () => {
  server = new FakeServer(chainDocument());
  server.canvas.nodes.d = dialogNode('d', 0, 0, { autoStartSimulation: false });
  const tab = await new Tab(browser, server).open();
  expect(await tab.does(send('Build a shop'))).toEqual({ ok: false, error: { code: 'dialog.autoStartOff' } });
  await tab.does({ type: 'run.start', dialogNodeId: 'd', task: 'Build a shop' });
  expect(server.runs[0]?.start.initialTask).toBe('Build a shop');
});

test('W4.06 W4.17 a project that is read anew while a run starts keeps to that run, and a second task does not start another', async () => {
  const tab = await new Tab(browser, server).open();
  const started = server.hold('execution.start');
  const sent = tab.doesIn(200, send('Build a shop'));
  await browser.clock.pass(20);
  expect(await tab.does({ type: 'workspace.reload' })).toMatchObject({ ok: false, error: { code: 'run.starting' } });
  started();
  await browser.clock.pass(300);
  expect(await sent).toMatchObject({ ok: true });
  server.doAll(server.runs[0] as never);
  await browser.clock.pass(pollWithSocketMs + 100);
  expect(tab.state.run).toMatchObject({ phase: 'stopped', outcome: 'completed' });

  // The reload waits for a save while the next task is sent.
  const saved = server.hold('project.patchCanvas');
  await tab.does({ type: 'node.move', moves: [{ id: 'a', x: 5, y: 0 }] });
  const reloaded = tab.doesIn(400, { type: 'workspace.reload' });
  await browser.clock.pass(20);
  const second = server.hold('execution.start');
  const again = tab.doesIn(400, send('Build a bakery'));
  await browser.clock.pass(20);
  saved();
  await browser.clock.pass(1_000);
  expect(tab.state.status).toBe('ready');
  expect(tab.state.run.phase).toBe('starting');
  expect(await tab.does(send('Once more'))).toMatchObject({ ok: false, error: { code: 'run.starting' } });
  second();
  await browser.clock.pass(500);
  expect([await reloaded, await again]).toMatchObject([{ ok: true }, { ok: true }]);
  expect(tab.state.run).toMatchObject({ phase: 'running', execution: { initialTask: 'Build a bakery' } });
  server.doAll(server.runs[1] as never);
  await browser.clock.pass(pollWithSocketMs + 100);
  expect(tab.state.run).toMatchObject({ phase: 'stopped', outcome: 'completed', execution: { initialTask: 'Build a bakery' } });
  expect(server.runs).toHaveLength(2);
});

test('W4.06 W4.17 R31.01 a task that was sent just before its workspace is left is started all the same', async () => {
  const tab = await new Tab(browser, server).open();
  server.faults.set('execution.start', { ...unreachable, retryAfterMs: 30_000 });
  const sent = tab.engine.dispatch(send('Build a shop'));
  await browser.clock.pass(20);
  expect([server.pipelines.size, server.runs.length]).toEqual([1, 0]);
  expect(await tab.does(send('Once more'))).toMatchObject({ ok: false, error: { code: 'run.starting' } });
  server.faults.clear();
  await tab.engine.close();
  expect(await sent).toMatchObject({ outcome: { ok: true } });
  expect(server.runs.map(({ execution }) => execution.initialTask)).toEqual(['Build a shop']);
  const asked = server.calls.length;
  await browser.clock.pass(60_000);
  expect(server.calls.length).toBe(asked);
});

test('R41.01 a message whose answer was lost is added once, and is accepted even if the run does not resume', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await tab.does(send('Build a shop'));
  server.emit(server.runs[0] as never, 'execution.paused', { status: 'paused' });
  await browser.clock.pass(pollMs);
  server.lostAnswers.add('execution.addContext');
  server.faults.set('execution.resume', unreachable);
  const sent = tab.doesIn(900, send('In blue'));
  await browser.clock.pass(900);
  server.lostAnswers.clear();
  await browser.clock.pass(500);
  expect(await sent).toEqual({ ok: true, value: undefined });
  expect(server.runs[0]?.contexts).toHaveLength(1);
  expect(tab.lines).toContain('network');
});

test('M2.24 a run with files says before its start whose step will fail, because the model calls no tools and the agent needs them', async () => {
  const [first] = team;
  const model = { ...(first as Agent).apiConfiguration, model: 'o1-mini' };
  server.agents = [{ ...(first as Agent), apiConfiguration: model }, ...team.slice(1)];
  const tab = await new Tab(browser, server).open();
  await tab.does({ ...send('Plan'), inputSetId: uuid(1, 7) });
  expect(tab.lines).toEqual(['agent.needsTools', 'Plan', 'run.started']);
});
