import { beforeEach, expect, test } from 'vitest';
import { saveAfterMs } from '../../../src/workers/engine/persistence/autosave.ts';
import { openIdbJournals } from '../../../src/workers/engine/persistence/idb-journals.ts';
import { unauthenticated, unreachable } from '../../support/engine/fake-server/answers.ts';
import { FakeServer } from '../../support/engine/fake-server/fake-server.ts';
import { freshBrowser } from '../../support/engine/fresh-browser.ts';
import { chainDocument, projectId, userId } from '../../support/engine/samples.ts';
import { type Browser, session, Tab } from '../../support/engine/tab.ts';

let browser: Browser;
let server: FakeServer;

beforeEach(() => {
  browser = freshBrowser();
  server = new FakeServer(chainDocument());
});

const move = (id: string, x: number, y = 0) => ({ type: 'node.move', moves: [{ id, x, y }] }) as const;
const journals = async () => (await openIdbJournals()).read(userId, projectId);
const edits = async () => (await journals()).flatMap((journal) => journal.edits);

test('R31.01 without a connection edits wait, and go out with growing pauses until the server answers', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  server.faults.set('project.patchCanvas', unreachable);
  await tab.does(move('a', 5) as never);
  await browser.clock.pass(60_000);
  expect(tab.state.save).toMatchObject({ status: 'offline', error: { code: 'network' } });
  const tries = server.calls.filter((call) => call === 'project.patchCanvas').length;
  expect(tries).toBeGreaterThan(4);
  expect(tries).toBeLessThan(10);
  server.faults.clear();
  tab.goesOnline();
  await browser.clock.pass(50);
  expect(tab.state.save).toEqual({ status: 'saved', version: 2 });
});

test('R31.01 a save whose answer was lost is sent again and done once', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  server.lostAnswers.add('project.patchCanvas');
  await tab.does(move('a', 5) as never);
  await browser.clock.pass(saveAfterMs);
  await tab.does(move('b', 6) as never);
  server.lostAnswers.clear();
  await browser.clock.pass(3_000);
  expect(server.saves.map(({ patches }) => patches.map(({ id }) => id))).toEqual([['a'], ['b']]);
  expect(tab.state.save).toEqual({ status: 'saved', version: 3 });
});

test('P4.06 a save refused for its token waits for the new session', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  server.faults.set('*', unauthenticated);
  await tab.does(move('a', 5) as never);
  await browser.clock.pass(saveAfterMs);
  expect(tab.state.connection.authenticated).toBe(false);
  const tries = server.calls.filter((call) => call === 'project.patchCanvas').length;
  await browser.clock.pass(120_000);
  expect(server.calls.filter((call) => call === 'project.patchCanvas').length).toBe(tries);
  server.faults.clear();
  await tab.engine.setSession({ ...session, accessToken: 'token-2' });
  await browser.clock.pass(saveAfterMs);
  expect(server.canvas.nodes.a?.x).toBe(5);
});

test('R31.01 edits that are stored neither on the server nor in this browser are marked, so that the user is warned before leaving', async () => {
  browser.journals = () => Promise.reject(new Error('denied'));
  const tab = await new Tab(browser, server).open();
  server.faults.set('project.patchCanvas', unreachable);
  await tab.does(move('a', 5) as never);
  expect(tab.state.save).toMatchObject({ status: 'pending', unkept: true });
  await browser.clock.pass(saveAfterMs + 50);
  expect(tab.state.save).toMatchObject({ status: 'offline', unkept: true });
});

test('R31.01 an edit that the server refuses stays in the journal and is reported', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  server.faults.set('project.patchCanvas', { kind: 'refused', problem: { code: 'too_large' }, status: 413, retryAfterMs: null });
  await tab.does(move('a', 5) as never);
  await browser.clock.pass(saveAfterMs);
  expect(tab.state.save).toMatchObject({ status: 'pending', error: { code: 'too_large' } });
  expect(tab.state.notices.map(({ code }) => code)).toEqual(['save.refused']);
  expect((await edits()).map(({ id }) => id)).toEqual(['a']);
  server.faults.clear();
  await tab.does(move('b', 6) as never);
  await browser.clock.pass(saveAfterMs);
  expect(tab.state.save.status).toBe('saved');
  expect(server.canvas.nodes).toMatchObject({ a: { x: 5 }, b: { x: 6 } });
});

test('R31.01 closing sends what is pending', async () => {
  const tab = await new Tab(browser, server).open();
  await tab.does(move('a', 5) as never);
  await tab.engine.close();
  expect(server.canvas.nodes.a?.x).toBe(5);
});
