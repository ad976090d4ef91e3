import { beforeEach, expect, test } from 'vitest';
import { pollMs, pollWithSocketMs, quietMs, singleStepQuietMs } from '../../../../src/workers/engine/run/run-follower.ts';
import { unauthenticated, unreachable } from '../../../support/engine/fake-server/answers.ts';
import { FakeServer } from '../../../support/engine/fake-server/fake-server.ts';
import { freshBrowser } from '../../../support/engine/fresh-browser.ts';
import { chainDocument } from '../../../support/engine/samples.ts';
import { type Browser, session, Tab } from '../../../support/engine/tab.ts';

let browser: Browser;
let server: FakeServer;

beforeEach(() => {
  browser = freshBrowser();
  server = new FakeServer(chainDocument());
});

const send = (text: string) => ({ type: 'dialog.send', nodeId: 'd', text }) as const;

test('W4.10 a run is polled every 2 s without a socket, and no more once it has ended', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await tab.does(send('Build a shop'));
  const polls = () => server.calls.filter((call) => call === 'execution.logs').length;
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
  const polls = () => server.calls.filter((call) => call === 'execution.logs').length;
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

test('R39.01 G2.06 a run that waits for an answer is not reported as late', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await tab.does(send('Build a shop'));
  server.emit(server.runs[0] as never, 'question.opened', { openQuestions: 1 });
  await browser.clock.pass(pollMs + quietMs * 2);
  expect(tab.state.run).toMatchObject({ phase: 'running', execution: { openQuestions: 1 } });
  expect(tab.lines).not.toContain('run.late');
});

test('R39.01 W9.03 W8.04 a requested single step is reported as late after 60 s, and is polled every 2 s although a socket is open', async () => {
  const { tab, pause } = await pausedBesideSocket();
  expect(await tab.does({ type: 'run.nextStep' })).toMatchObject({ ok: true });
  const late = () => tab.lines.filter((line) => line === 'run.late').length;
  const polls = () => server.calls.filter((call) => call === 'execution.logs').length;
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
  const answer = server.hold('execution.nextStep');
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

test('R39.01 an answer that makes no sense does not end the run', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await tab.does(send('Build a shop'));
  server.faults.set('execution.logs', { kind: 'refused', problem: { code: 'forbidden' }, status: 403, retryAfterMs: null });
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

test('W4.10 a log without the end of its execution does not keep the run active forever', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await tab.does(send('Build a shop'));
  Object.assign((server.runs[0] as (typeof server.runs)[number]).execution, { status: 'completed', result: 'Done' });
  await browser.clock.pass(20 * pollMs);
  expect(tab.state.run).toMatchObject({ phase: 'stopped', outcome: 'completed' });
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
