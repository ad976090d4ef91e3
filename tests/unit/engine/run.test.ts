import { beforeEach, expect, test } from 'vitest';
import { pollMs, pollWithSocketMs, quietMs, singleStepQuietMs } from '../../../src/workers/engine/run/run-follower.ts';
import { batchMs } from '../../../src/workers/engine/store/store.ts';
import { FakeServer, unauthenticated, unreachable } from '../../support/engine/fake-server.ts';
import { freshBrowser } from '../../support/engine/fresh-browser.ts';
import { agentNode, chainDocument, dialogNode, documentOf, link, projectId, team, uuid } from '../../support/engine/samples.ts';
import { type Browser, session, Tab } from '../../support/engine/tab.ts';

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

test('W4.05 each agent is shown active in turn, then the run completes', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await tab.does(send('Build a shop'));
  for (const node of ['a', 'b', 'c']) {
    server.beginStep();
    await browser.clock.pass(pollMs);
    expect(tab.state.run.steps.filter((step) => step.status === 'running').map((step) => step.nodeId)).toEqual([node]);
    server.finishStep(`Result of ${node}`);
  }
  server.finish();
  await browser.clock.pass(pollMs);
  expect(tab.state.run).toMatchObject({ phase: 'stopped', outcome: 'completed' });
  expect(tab.lines.filter((line) => line.startsWith('Result of'))).toEqual(['Result of a', 'Result of b', 'Result of c']);
  expect(tab.lines.at(-1)).toBe('run.completed');
  expect(tab.messages.find((message) => message.text === 'Result of a')).toMatchObject({
    isAI: true,
    simulated: true,
    toAgentTitle: team[1]?.title,
  });
});

test('W4.10 a run is polled every 2 s without a socket, and no more once it has ended', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await tab.does(send('Build a shop'));
  const polls = () => server.calls.filter((call) => call === 'readLogs').length;
  const before = polls();
  await browser.clock.pass(10_000);
  expect(polls() - before).toBe(5);
  server.doAll();
  await browser.clock.pass(pollMs);
  const after = polls();
  await browser.clock.pass(60_000);
  expect(polls()).toBe(after);
  expect(tab.state.run.outcome).toBe('completed');
});

test('W9.03 with a socket a run is polled every 5 s, in case the socket delivers nothing', async () => {
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(1_100);
  await tab.does(send('Build a shop'));
  const polls = () => server.calls.filter((call) => call === 'readLogs').length;
  const before = polls();
  await browser.clock.pass(20_000);
  expect(polls() - before).toBe(4);
});

test('W4.10 tracking ends when the execution was cancelled elsewhere', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await tab.does(send('Build a shop'));
  server.emit(server.runs[0] as never, 'execution.cancelled', { status: 'cancelled' });
  await browser.clock.pass(pollMs);
  expect(tab.state.run).toMatchObject({ phase: 'stopped', outcome: 'cancelled' });
});

test('W4.17 the socket brings events at once, each counted once although polling goes on', async () => {
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(1_100);
  expect(tab.state.connection.realtime).toBe('connected');
  await tab.does(send('Build a shop'));
  server.doAll();
  await browser.clock.pass(40);
  expect(tab.state.run.outcome).toBe('completed');
  await browser.clock.pass(30_000);
  const ids = tab.messages.map((message) => message.id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('W4.17 W8.05 after five reconnects the channel says so, keeps quiet, and the result still arrives by polling', async () => {
  const tab = new Tab(browser, server);
  tab.socketsOpen = false;
  await tab.open();
  await tab.does(send('Build a shop'));
  await browser.clock.pass(20_000);
  expect(tab.lines.filter((line) => line === 'realtime.gaveUp')).toHaveLength(1);
  expect(tab.sockets.length).toBe(6);
  server.doAll();
  await browser.clock.pass(pollMs);
  expect(tab.state.run.outcome).toBe('completed');
  await browser.clock.pass(60_000);
  expect(tab.sockets.length).toBe(8);
  expect(tab.lines.filter((line) => line === 'realtime.gaveUp')).toHaveLength(1);
});

test('R23.01 a reload in the middle of a run finds it again, with console and steps as they were', async () => {
  const tab = await new Tab(browser, server).open();
  await tab.does(send('Build a shop'));
  server.beginStep();
  server.finishStep('Result of a');
  await browser.clock.pass(pollMs);
  const before = tab.lines;
  tab.die();

  const again = await new Tab(browser, server).open();
  await browser.clock.pass(100);
  expect(again.lines).toEqual(before);
  expect(again.state.run).toMatchObject({ phase: 'running' });
  server.doAll();
  await browser.clock.pass(pollMs);
  expect(again.state.run.outcome).toBe('completed');

  const later = await new Tab(browser, server, 'tab-2').open();
  await browser.clock.pass(100);
  expect(later.state.run).toMatchObject({ phase: 'stopped', outcome: 'completed' });
  expect(later.lines).toEqual(again.lines);
});

test('G1.01 the state of each link follows the run, in the tab that started it and after a reload', async () => {
  server.projects = server.projects.map((project) => ({ ...project, parallelSteps: 4 }));
  const tab = await new Tab(browser, server).open();
  await tab.does(send('Build a shop'));
  const states = (of: Tab) => {
    const { graph } = of.state.run;
    return graph && Object.fromEntries(graph.linkIds.map((id, at) => [id, graph.linkStates[at]]));
  };
  const [ab, bc] = [link('a', 'b').id, link('b', 'c').id];
  expect(states(tab)).toEqual({ [ab]: 'pending', [bc]: 'pending' });
  expect(server.calls).not.toContain('readPipeline');
  server.beginStep();
  server.finishStep('Result of a');
  server.beginStep();
  await browser.clock.pass(pollMs);
  expect(states(tab)).toEqual({ [ab]: 'passing', [bc]: 'pending' });

  const again = await new Tab(browser, server, 'tab-2').open();
  await browser.clock.pass(100);
  expect(states(again)).toEqual(states(tab));
  server.finishStep('Result of b');
  await browser.clock.pass(pollWithSocketMs);
  expect([states(tab), states(again)]).toEqual(Array(2).fill({ [ab]: 'taken', [bc]: 'waiting' }));
  server.emit(server.runs[0] as (typeof server.runs)[0], 'execution.cancelled', { status: 'cancelled' });
  await browser.clock.pass(pollWithSocketMs);
  expect([states(tab), states(again)]).toEqual(Array(2).fill({ [ab]: 'taken', [bc]: 'dead' }));
});

test('G1.01 a run whose steps go one after another has no states of links', async () => {
  const tab = await new Tab(browser, server).open();
  await tab.does(send('Build a shop'));
  server.beginStep();
  await browser.clock.pass(pollMs);
  expect(tab.state.run.graph).toBeNull();
});

test('W5.01 a message that is empty after trimming is refused', async () => {
  const tab = await new Tab(browser, server).open();
  expect(await tab.does(send(' \n '))).toEqual({ ok: false, error: { code: 'dialog.empty' } });
  expect(server.runs).toEqual([]);
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
  expect(server.calls).not.toContain('createPipeline');
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
  server.faults.set('listAgents', unreachable);
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await tab.does(send('Hello'));
  const [named] = tab.messages[0]?.event?.details ?? [];
  expect(named?.params).toMatchObject({ cause: 'agent.notChecked', name: team[0]?.title, why: 'network' });
  server.faults.clear();
  await tab.does({ type: 'agents.reload' });
  server.agents = server.agents.slice(1);
  server.faults.set('createPipeline', { kind: 'refused', problem: { code: 'not_found' }, status: 404, retryAfterMs: null });
  expect(await tab.does(send('Hello'))).toMatchObject({
    error: { code: 'pipeline.validationFailed', params: { count: 1, cause: 'agent.serverMissing', name: team[0]?.title } },
  });
});

test('W4.04 a failed pipeline creation stops with a message, and a failed start keeps no pipeline', async () => {
  const tab = await new Tab(browser, server).open();
  server.faults.set('createPipeline', { kind: 'refused', problem: { code: 'not_found' }, status: 404, retryAfterMs: null });
  expect(await tab.does(send('Hello'))).toEqual({ ok: false, error: { code: 'pipeline.failed', params: { cause: 'not_found' } } });
  server.faults.clear();
  server.faults.set('startExecution', { kind: 'refused', problem: { code: 'illegal_state' }, status: 409, retryAfterMs: null });
  expect(await tab.does(send('Hello'))).toMatchObject({ ok: false, error: { code: 'run.startFailed' } });
  expect(server.pipelines.size).toBe(0);
  expect(tab.state.run.phase).toBe('stopped');
});

test('W4.06 a start whose answer was lost is sent once more and done once', async () => {
  const tab = await new Tab(browser, server).open();
  server.lostAnswers.add('startExecution');
  const sent = tab.doesIn(900, send('Hello'));
  await browser.clock.pass(900);
  server.lostAnswers.clear();
  await browser.clock.pass(500);
  expect(await sent).toMatchObject({ ok: true });
  expect(server.runs).toHaveLength(1);
});

test('W4.02 during a run the document is locked, and while it is paused it can be edited', async () => {
  const tab = await new Tab(browser, server).open();
  await tab.does(send('Build a shop'));
  const move = { type: 'node.move', moves: [{ id: 'a', x: 1, y: 2 }] } as const;
  expect(await tab.does(move as never)).toEqual({ ok: false, error: { code: 'run.locked' } });
  expect(await tab.does({ type: 'history.undo' })).toEqual({ ok: false, error: { code: 'run.locked' } });
  server.emit(server.runs[0] as never, 'execution.paused', { status: 'paused' });
  await browser.clock.pass(pollMs);
  expect(await tab.does(move as never)).toMatchObject({ ok: true });
});

test('W4.18 W4.08 W9.03 pause, resume and stop go to the server and show at once; the pipeline of a stopped run is removed a second later', async () => {
  const tab = await new Tab(browser, server).open();
  await tab.does(send('Build a shop'));
  await tab.does({ type: 'run.pause' });
  expect(tab.state.run.phase).toBe('pausing');
  server.emit(server.runs[0] as never, 'execution.paused', { status: 'paused' });
  await browser.clock.pass(pollMs);
  expect(tab.state.run.phase).toBe('paused');
  await tab.does({ type: 'run.resume' });
  expect(tab.state.run.phase).toBe('running');
  await tab.does({ type: 'run.stop' });
  await browser.clock.pass(900);
  expect(tab.state.run).toMatchObject({ phase: 'stopped', outcome: 'cancelled' });
  expect(server.pipelines.size).toBe(1);
  await browser.clock.pass(100);
  expect(server.pipelines.size).toBe(0);
});

test('W8.03 W4.08 a pipeline that could not be removed after a stop is reported', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await tab.does(send('Build a shop'));
  server.faults.set('removePipeline', unreachable);
  await tab.does({ type: 'run.stop' });
  await browser.clock.pass(1_100);
  expect(tab.lines.at(-1)).toBe('pipeline.notRemoved');
  expect(tab.messages.at(-1)).toMatchObject({ isWarning: true });
});

test('W4.08 R40.01 a stop ends whatever else runs in the project, and nothing of another', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await tab.does(send('Build a shop'));
  const [own] = server.runs;
  if (!own) throw new Error('No run');
  const [beside, elsewhere] = [projectId, uuid(8, 1)].map((of, at) => {
    const run = { ...own, execution: { ...own.execution, id: uuid(70 + at, 4), projectId: of }, events: [] };
    server.runs.push(run);
    return run;
  });
  const statusBefore = elsewhere?.execution.status;
  await tab.does({ type: 'run.stop' });
  await browser.clock.pass(20);
  expect([own, beside, elsewhere].map((run) => run?.execution.status)).toEqual(['cancelled', 'cancelled', statusBefore]);
});

test('W4.08 a stop that fails leaves the run as it is and says so', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await tab.does(send('Build a shop'));
  server.faults.set('controlExecution', unreachable);
  expect(await tab.does({ type: 'run.stop' })).toMatchObject({ ok: false });
  expect(tab.state.run.phase).toBe('running');
  expect(tab.lines).toContain('run.stopFailed');
});

test('R39.01 W9.03 W8.04 a run without events for 120 s is reported as late, once, and continues; a paused one is never late', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await tab.does(send('Build a shop'));
  const late = () => tab.lines.filter((line) => line === 'run.late').length;
  await browser.clock.pass(119_000);
  expect([quietMs, late()]).toEqual([120_000, 0]);
  await browser.clock.pass(300_000);
  expect([late(), tab.state.run.phase]).toEqual([1, 'running']);
  server.beginStep();
  await browser.clock.pass(pollMs + quietMs + pollMs);
  expect(late()).toBe(2);
  server.doAll();
  await browser.clock.pass(quietMs * 2);
  expect([late(), tab.state.run.outcome]).toEqual([2, 'completed']);
});

test('R39.01 W9.03 W8.04 a requested single step is reported as late after 60 s, and is polled every 2 s although a socket is open', async () => {
  const { tab, pause } = await pausedBesideSocket();
  expect(await tab.does({ type: 'run.nextStep' })).toMatchObject({ ok: true });
  const late = () => tab.lines.filter((line) => line === 'run.late').length;
  const polls = () => server.calls.filter((call) => call === 'readLogs').length;
  const before = polls();
  await browser.clock.pass(10_000);
  expect(polls() - before).toBe(5);
  await browser.clock.pass(singleStepQuietMs - 10_100);
  expect([singleStepQuietMs, late()]).toEqual([60_000, 0]);
  await browser.clock.pass(200);
  expect(late()).toBe(1);
  pause();
  await tab.does({ type: 'run.resume' });
  await browser.clock.pass(quietMs - 1_000);
  expect([late(), tab.state.run.phase]).toEqual([1, 'running']);
});

test('W9.03 a step that ended before its question was answered leaves the rest of the run to the times of a run', async () => {
  const { tab, pause } = await pausedBesideSocket();
  const answer = server.hold('controlExecution');
  const asked = tab.does({ type: 'run.nextStep' });
  await browser.clock.pass(20);
  pause();
  await browser.clock.pass(20);
  expect(tab.state.run.phase).toBe('paused');
  answer();
  await asked;
  await tab.does({ type: 'run.resume' });
  await browser.clock.pass(quietMs - 1_000);
  expect([tab.lines.includes('run.late'), tab.state.run.phase]).toEqual([false, 'running']);
});

test('W8.01 without an execution there is nothing to control, and an invalid pipeline is reported', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  for (const type of ['run.pause', 'run.resume', 'run.nextStep', 'run.stop'] as const) {
    expect(await tab.does({ type })).toEqual({ ok: false, error: { code: 'run.noExecution' } });
  }
  server.faults.set('createPipeline', { kind: 'refused', problem: { code: 'bad_answer' }, status: 200, retryAfterMs: null });
  expect(await tab.does(send('Hello'))).toMatchObject({ error: { code: 'pipeline.failed', params: { cause: 'pipeline.invalid' } } });
});

test('R39.01 a server that is away for minutes does not end the run on the page', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await tab.does(send('Build a shop'));
  server.faults.set('*', unreachable);
  await browser.clock.pass(400_000);
  expect(tab.state.run.phase).toBe('running');
  expect(tab.state.connection.online).toBe(false);
  server.faults.clear();
  server.doAll();
  await browser.clock.pass(pollMs);
  expect(tab.state.run.outcome).toBe('completed');
  expect(tab.state.connection.online).toBe(true);
});

test('P4.06 after a refused token the call waits for a new session and is then repeated', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await tab.does(send('Build a shop'));
  server.faults.set('*', unauthenticated);
  await browser.clock.pass(pollMs);
  expect(tab.state.connection.authenticated).toBe(false);
  expect(tab.state.run.phase).toBe('running');
  server.faults.clear();
  server.doAll();
  await tab.engine.setSession({ ...session, accessToken: 'token-2' });
  await browser.clock.pass(20);
  expect(tab.state.connection.authenticated).toBe(true);
  expect(tab.state.run.outcome).toBe('completed');
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

test('R46.01 streamed text of the step under way is shown and goes with the step', async () => {
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(1_100);
  await tab.does(send('Build a shop'));
  const step = server.beginStep();
  const run = server.runs[0] as (typeof server.runs)[number];
  const tellPiece = async (position: number, content: string) => {
    server.tell({
      ...{ type: 'agent_thought', agentId: step.agentId, content, position, partial: true },
      ...{ projectId: run.execution.projectId, executionId: run.execution.id, stepId: step.stepId },
    });
    await browser.clock.pass(20);
  };
  await tellPiece(0, 'So');
  await tellPiece(2, ' far');
  expect(tab.state.run.partial).toEqual({ [step.stepId]: 'So far' });
  const asked = () => tab.sockets.flatMap(({ sent }) => sent).filter((message) => (message as { type: string }).type === 'texts').length;
  expect(asked()).toBe(0);
  await tellPiece(10, 'after a gap');
  await tellPiece(21, 'and on');
  expect(tab.state.run.partial).toEqual({ [step.stepId]: 'So far' });
  expect(asked()).toBe(1);
  await tellPiece(0, 'So far and whole');
  expect(tab.state.run.partial).toEqual({ [step.stepId]: 'So far and whole' });
  server.finishStep('Done');
  await browser.clock.pass(20);
  expect(tab.state.run.partial).toEqual({});
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

test('R39.01 an answer that makes no sense does not end the run', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await tab.does(send('Build a shop'));
  server.faults.set('readLogs', { kind: 'refused', problem: { code: 'forbidden' }, status: 403, retryAfterMs: null });
  await browser.clock.pass(20_000);
  expect(tab.state.run.phase).toBe('running');
  server.faults.clear();
  server.doAll();
  await browser.clock.pass(pollMs);
  expect(tab.state.run.outcome).toBe('completed');
});

test('W4.10 an execution that was deleted is not waited for, and no card stays active', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await tab.does(send('Build a shop'));
  server.beginStep();
  await browser.clock.pass(pollMs);
  server.runs.length = 0;
  await browser.clock.pass(pollMs);
  expect(tab.state.run).toMatchObject({ phase: 'stopped', outcome: 'cancelled', error: { code: 'not_found' } });
  expect(tab.state.run.steps.map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'cancelled']);
});

test('R23.01 a run that could not be looked up at opening is found when the server answers', async () => {
  const first = await new Tab(browser, server, 'first').open({ realtime: 'off' });
  await first.does(send('Build a shop'));
  server.faults.set('listExecutions', unreachable);
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  expect(tab.state).toMatchObject({ status: 'ready', run: { phase: 'stopped' } });
  server.faults.clear();
  await browser.clock.pass(pollMs);
  expect(tab.state.run.phase).toBe('running');
});

test('W4.17 what the socket tells during a poll that came too early for it is asked for at once', async () => {
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(1_100);
  await tab.does(send('Build a shop'));
  const held = server.hold('readLogs');
  await browser.clock.pass(10_000);
  const run = server.runs[0] as (typeof server.runs)[number];
  server.listeners.clear();
  server.beginStep();
  const event = run.events.at(-1) as (typeof run.events)[number];
  tab.sockets[0]?.onmessage?.({
    data: JSON.stringify({
      type: 'pipeline_update',
      status: 'running',
      projectId: run.execution.projectId,
      pipelineId: run.execution.pipelineId,
      executionId: run.execution.id,
      seq: event.seq + 1,
      event: { ...event, seq: event.seq + 1, type: 'execution.pausing', pauseRequested: true, step: null },
    }),
  });
  server.emit(run, 'execution.pausing', { pauseRequested: true });
  held();
  await browser.clock.pass(50);
  expect(tab.state.run).toMatchObject({ phase: 'pausing', execution: { lastSeq: event.seq + 1 } });
});

test('W4.10 a log without the end of its execution does not keep the run active forever', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await tab.does(send('Build a shop'));
  Object.assign((server.runs[0] as (typeof server.runs)[number]).execution, { status: 'completed', result: 'Done' });
  await browser.clock.pass(20 * pollMs);
  expect(tab.state.run).toMatchObject({ phase: 'stopped', outcome: 'completed' });
});

test('W4.08 W4.17 a run that is stopped while it starts never runs, and leaves no pipeline behind', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  for (const call of ['createPipeline', 'startExecution']) {
    const answer = server.hold(call);
    const sent = tab.doesIn(100, send('Build a shop'));
    await browser.clock.pass(20);
    expect(server.calls.includes('startExecution')).toBe(call === 'startExecution');
    expect(tab.state.run.phase).toBe('starting');
    expect(await tab.does({ type: 'run.stop' })).toEqual({ ok: true, value: undefined });
    expect(tab.state.run.phase).toBe('stopping');
    answer();
    await browser.clock.pass(1_100);
    expect(await sent).toEqual({ ok: false, error: { code: 'run.cancelled' } });
    expect(tab.state.run).toMatchObject({ phase: 'stopped', outcome: 'cancelled', error: null });
    expect(server.pipelines.size).toBe(0);
  }
  expect(server.runs.map(({ execution }) => execution.status)).toEqual(['cancelled']);
});

test('W4.06 W4.17 a project that is read anew while a run starts keeps to that run, and a second task does not start another', async () => {
  const tab = await new Tab(browser, server).open();
  const started = server.hold('startExecution');
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
  const saved = server.hold('patchCanvas');
  await tab.does({ type: 'node.move', moves: [{ id: 'a', x: 5, y: 0 }] });
  const reloaded = tab.doesIn(400, { type: 'workspace.reload' });
  await browser.clock.pass(20);
  const second = server.hold('startExecution');
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
  server.faults.set('startExecution', { ...unreachable, retryAfterMs: 30_000 });
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
  server.lostAnswers.add('addContext');
  server.faults.set('controlExecution', unreachable);
  const sent = tab.doesIn(900, send('In blue'));
  await browser.clock.pass(900);
  server.lostAnswers.clear();
  await browser.clock.pass(500);
  expect(await sent).toEqual({ ok: true, value: undefined });
  expect(server.runs[0]?.contexts).toHaveLength(1);
  expect(tab.lines).toContain('network');
});

test('R23.01 a workspace that is opened again still follows its run', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await tab.does(send('Build a shop'));
  await tab.does({ type: 'workspace.reload' });
  server.doAll();
  await browser.clock.pass(pollMs);
  expect(tab.state.run.outcome).toBe('completed');
});

test('W4.17 a socket that brings nothing although it says that it is open is replaced', async () => {
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(1_100);
  await tab.does(send('Build a shop'));
  server.listeners.clear();
  for (const node of ['a', 'b']) {
    server.beginStep();
    await browser.clock.pass(pollWithSocketMs);
    server.finishStep(`Result of ${node}`);
    await browser.clock.pass(pollWithSocketMs);
  }
  expect(tab.sockets).toHaveLength(2);
  server.beginStep();
  await browser.clock.pass(20);
  expect(tab.state.run.steps.map(({ status }) => status)).toEqual(['completed', 'completed', 'running']);
});

test('W2.13 of five hundred events the first is shown at once and the others in the next frame, in one change and their order', async () => {
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(1_500);
  await tab.does(send('Build a shop'));
  await browser.clock.pass(100);
  const [run] = server.runs;
  if (!run) throw new Error('No run');
  const before = { updates: tab.updates.length, received: tab.state.live.received };
  for (let number = 0; number < 500; number += 1) server.emit(run, 'context.added', {}, { text: `Told ${number}` });
  expect(tab.lines.slice(-2)).toEqual(['Told 0', 'run.contextAdded']);
  await browser.clock.pass(batchMs);
  expect(tab.updates.length - before.updates).toBe(2);
  expect(tab.lines.filter((line) => line.startsWith('Told'))).toEqual(Array.from({ length: 500 }, (_, number) => `Told ${number}`));
  expect(tab.state.live.received - before.received).toBe(500);
  const events = Object.values(tab.state.live.events);
  expect(events).toHaveLength(200);
  expect(events.at(-1)).toMatchObject({ type: 'context.added', via: 'socket', seq: run.execution.lastSeq });
  expect(JSON.parse(events.at(-1)?.body ?? '')).toMatchObject({ text: 'Told 499' });
});

/** Opens a tab with a socket and a paused run; `pause` makes the server send the event again. */
async function pausedBesideSocket() {
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(1_100);
  await tab.does(send('Build a shop'));
  const [run] = server.runs;
  if (!run) throw new Error('No run');
  const pause = () => server.emit(run, 'execution.paused', { status: 'paused' });
  pause();
  await browser.clock.pass(pollWithSocketMs);
  return { tab, pause };
}
