import { beforeEach, expect, test } from 'vitest';
import { pollMs, pollWithSocketMs, quietMs } from '../../../../src/workers/engine/run/run-follower.ts';
import { batchMs } from '../../../../src/workers/engine/store/store.ts';
import { unreachable } from '../../../support/engine/fake-server/answers.ts';
import { FakeServer } from '../../../support/engine/fake-server/fake-server.ts';
import { freshBrowser } from '../../../support/engine/fresh-browser.ts';
import { chainDocument, dialogNode, documentOf, link, team } from '../../../support/engine/samples.ts';
import { type Browser, Tab } from '../../../support/engine/tab.ts';

let browser: Browser;
let server: FakeServer;

beforeEach(() => {
  browser = freshBrowser();
  server = new FakeServer(chainDocument());
});

const send = (text: string) => ({ type: 'dialog.send', nodeId: 'd', text }) as const;

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
  expect(server.calls).not.toContain('pipeline.get');
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

test('R46.01 R25.01 streamed text of the step under way is shown, marked where it is simulated, and goes with the step', async () => {
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(1_100);
  await tab.does(send('Build a shop'));
  const step = server.beginStep();
  const run = server.runs[0] as (typeof server.runs)[number];
  const tellPiece = async (position: number, content: string, mark: { simulated?: true } = {}) => {
    server.tell({
      ...{ type: 'agent_thought', agentId: step.agentId, content, position, partial: true, ...mark },
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
  const shown = () => tab.state.run.steps.find(({ stepId }) => stepId === step.stepId);
  expect(shown()?.simulated).toBe(false);
  await tellPiece(0, 'So far and whole', { simulated: true });
  expect(tab.state.run.partial).toEqual({ [step.stepId]: 'So far and whole' });
  expect(shown()?.simulated).toBe(true);
  server.finishStep('Done');
  await browser.clock.pass(20);
  expect(tab.state.run.partial).toEqual({});
});

test('R23.01 a run that could not be looked up at opening is found when the server answers', async () => {
  const first = await new Tab(browser, server, 'first').open({ realtime: 'off' });
  await first.does(send('Build a shop'));
  server.faults.set('execution.list', unreachable);
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  expect(tab.state).toMatchObject({ status: 'ready', run: { phase: 'stopped' } });
  server.faults.clear();
  await browser.clock.pass(pollMs);
  expect(tab.state.run.phase).toBe('running');
});

test('W4.17 an event that the socket sends during an earlier poll causes another poll at once', async () => {
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(1_100);
  await tab.does(send('Build a shop'));
  const held = server.hold('execution.logs');
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

test('W2.13 the first of five hundred events is shown at once, and the others in the next frame, in one change and in order', async () => {
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

test('D1.30 an edit after a run makes it one of the past; moved cards do not, and the next run is shown as usual', async () => {
  const tab = await new Tab(browser, server).open();
  await tab.does(send('Build a shop'));
  server.doAll();
  await browser.clock.pass(pollMs);
  expect(tab.state.run).toMatchObject({ outcome: 'completed' });
  await tab.does({ type: 'node.move', moves: [{ id: 'b', x: 900, y: 50 }] });
  await browser.clock.pass(batchMs);
  expect(tab.state.run.isPast).toBeUndefined();
  await tab.does({ type: 'selection.remove', nodeIds: ['c'], connectionIds: [] });
  await browser.clock.pass(batchMs);
  expect(tab.state.run).toMatchObject({ outcome: 'completed', isPast: true });
  await tab.does(send('Build a shop'));
  await browser.clock.pass(pollMs);
  expect(tab.state.run.isPast).toBeUndefined();
});

test('R23.04 W4.10 a run whose events are no longer kept is shown as it ended, says so in their place, and is not polled', async () => {
  const server = new FakeServer(chainDocument());
  const first = await new Tab(freshBrowser(), server).open();
  await first.does({ type: 'dialog.send', nodeId: 'd', text: 'Build a shop' });
  server.doAll();
  const [run] = server.runs;
  if (!run) throw new Error('There is no run.');
  run.events = [];
  run.execution.thinnedAt = '2027-11-20T10:00:00.000Z';
  const browser = freshBrowser();
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await browser.clock.pass(pollMs);
  expect(tab.state.run).toMatchObject({ phase: 'stopped', outcome: 'completed' });
  expect(tab.state.run.steps.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
  expect(tab.lines.filter((line) => line === 'run.thinned')).toHaveLength(1);
  const polls = () => server.calls.filter((name) => name === 'execution.logs' || name === 'execution.details').length;
  const before = polls();
  await browser.clock.pass(quietMs + 60_000);
  expect([polls(), tab.lines.filter((line) => line === 'run.thinned').length]).toEqual([before, 1]);

  expect(await tab.does({ type: 'replay.open', executionId: run.execution.id })).toMatchObject({
    ok: false,
    error: { code: 'run.thinned' },
  });
  expect(tab.state.replay).toMatchObject({ status: 'failed', error: { code: 'run.thinned' } });
});

test('D1.42 a canvas without a card of the newest run shows the next run', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await tab.does(send('Build a shop'));
  server.doAll();
  await browser.clock.pass(pollMs);
  expect(tab.state.run).toMatchObject({ outcome: 'completed' });
  expect(tab.state.run.isPast).toBeUndefined();
  tab.die();
  const same = await new Tab(freshBrowser(), server).open({ realtime: 'off' });
  await browser.clock.pass(pollMs);
  expect(same.state.run).toMatchObject({ outcome: 'completed' });
  expect(same.state.run.isPast).toBeUndefined();
  same.die();
  server.canvas = { ...structuredClone(documentOf([dialogNode('other', 0, 0)])), version: server.canvas.version };
  const again = await new Tab(freshBrowser(), server).open({ realtime: 'off' });
  await browser.clock.pass(pollMs);
  expect(again.state.run).toMatchObject({ outcome: 'completed', isPast: true });
});
