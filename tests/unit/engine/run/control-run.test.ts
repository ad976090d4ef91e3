import { beforeEach, expect, test } from 'vitest';
import texts from '../../../../locales/en/content/nodes.json' with { type: 'json' };
import { pollMs } from '../../../../src/workers/engine/run/run-follower.ts';
import { unreachable } from '../../../support/engine/fake-server/answers.ts';
import { FakeServer } from '../../../support/engine/fake-server/fake-server.ts';
import { freshBrowser } from '../../../support/engine/fresh-browser.ts';
import { chainDocument, projectId, uuid } from '../../../support/engine/samples.ts';
import { type Browser, Tab } from '../../../support/engine/tab.ts';

let browser: Browser;
let server: FakeServer;

beforeEach(() => {
  browser = freshBrowser();
  server = new FakeServer(chainDocument());
});

const send = (text: string) => ({ type: 'dialog.send', nodeId: 'd', text }) as const;

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

test('D1.09 start with a goal that the dialog came with asks for a task, and no run begins', async () => {
  const tab = await new Tab(browser, server).open();
  await tab.does({ type: 'node.update', id: 'd', changes: { goal: texts.goal } });
  expect(await tab.does({ type: 'run.start' })).toEqual({ ok: false, error: { code: 'run.taskNeeded' } });
  expect(server.runs).toEqual([]);
  await tab.does({ type: 'node.update', id: 'd', changes: { goal: 'A shop for lamps' } });
  expect(await tab.does({ type: 'run.start' })).toMatchObject({ ok: true });
  expect(server.runs[0]?.start.initialTask).toBe('A shop for lamps');
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

test.each(['auto', 'off'] as const)(
  'G4.02 the cost of a stopped step is shown although it is known after the end, and the history is read again (socket %s)',
  async (realtime) => {
    const tab = await new Tab(browser, server).open({ realtime });
    await tab.does(send('Build a shop'));
    const [run] = server.runs;
    if (!run) throw new Error('No run');
    const step = server.beginStep(run);
    await browser.clock.pass(pollMs);
    Object.assign(step, { status: 'cancelled' });
    server.emit(run, 'step.cancelled', {}, { step });
    await tab.does({ type: 'run.stop' });
    await browser.clock.pass(1_000);
    expect(tab.state.run).toMatchObject({ phase: 'stopped', steps: [{ status: 'cancelled' }, {}, {}] });
    const reads = server.calls.filter((name) => name === 'result.list').length;
    const cost = { amounts: [{ currency: 'USD', micros: 70 }], isEstimated: true as const };
    server.emit(run, 'step.charged', {}, { step: { ...step, cost } });
    await browser.clock.pass(pollMs);
    expect(tab.state.run).toMatchObject({ phase: 'stopped', outcome: 'cancelled', steps: [{ status: 'cancelled', cost }, {}, {}] });
    expect(server.calls.filter((name) => name === 'result.list').length).toBeGreaterThan(reads);
    const polls = server.calls.filter((name) => name === 'execution.logs').length;
    await browser.clock.pass(10 * pollMs);
    expect(server.calls.filter((name) => name === 'execution.logs').length).toBeLessThanOrEqual(polls + 1);
  },
);

test('G5.01 W4.08 the pipeline of a fork that is stopped stays: it may be that of the original', async () => {
  const first = await new Tab(browser, server).open();
  await first.does(send('Build a shop'));
  Object.assign(server.runs[0]?.execution ?? {}, { forkedAt: '2026-11-20T11:00:00.000Z' });
  const tab = await new Tab(browser, server).open();
  expect(tab.state.run.execution?.forkedAt).toBeDefined();
  await tab.does({ type: 'run.stop' });
  await browser.clock.pass(2_000);
  expect(tab.state.run).toMatchObject({ phase: 'stopped', outcome: 'cancelled' });
  expect(server.pipelines.size).toBe(1);
});

test('W8.03 W4.08 a pipeline that could not be removed after a stop is reported', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await tab.does(send('Build a shop'));
  server.faults.set('pipeline.remove', unreachable);
  await tab.does({ type: 'run.stop' });
  await browser.clock.pass(1_100);
  expect(tab.lines.at(-1)).toBe('pipeline.notRemoved');
  expect(tab.messages.at(-1)).toMatchObject({ isWarning: true });
});

test('W4.08 R40.01 a stop ends all else that runs in the project, and nothing of another', async () => {
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
  server.faults.set('execution.stop', unreachable);
  expect(await tab.does({ type: 'run.stop' })).toMatchObject({ ok: false });
  expect(tab.state.run.phase).toBe('running');
  expect(tab.lines).toContain('run.stopFailed');
});

test('W8.01 without an execution there is nothing to control, and an invalid pipeline is reported', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  for (const type of ['run.pause', 'run.resume', 'run.nextStep', 'run.stop'] as const) {
    expect(await tab.does({ type })).toEqual({ ok: false, error: { code: 'run.noExecution' } });
  }
  server.faults.set('pipeline.create', { kind: 'refused', problem: { code: 'bad_answer' }, status: 200, retryAfterMs: null });
  expect(await tab.does(send('Hello'))).toMatchObject({ error: { code: 'pipeline.failed', params: { cause: 'pipeline.invalid' } } });
});

test('W4.08 W4.17 a run that is stopped while it starts never runs, and leaves no pipeline behind', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  for (const call of ['pipeline.create', 'execution.start'] as const) {
    const answer = server.hold(call);
    const sent = tab.doesIn(100, send('Build a shop'));
    await browser.clock.pass(20);
    expect(server.calls.includes('execution.start')).toBe(call === 'execution.start');
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
