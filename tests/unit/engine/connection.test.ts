import { beforeEach, expect, test } from 'vitest';
import { openTimeoutMs } from '../../../src/workers/engine/connection/realtime-channel.ts';
import { unreachable } from '../../support/engine/fake-server/answers.ts';
import { FakeServer } from '../../support/engine/fake-server/fake-server.ts';
import { freshBrowser } from '../../support/engine/fresh-browser.ts';
import { chainDocument } from '../../support/engine/samples.ts';
import { type Browser, session, Tab } from '../../support/engine/tab.ts';

let browser: Browser;
let server: FakeServer;

beforeEach(() => {
  browser = freshBrowser();
  server = new FakeServer(chainDocument());
});

test('W2.13 W8.05 each unreadable message is reported once and breaks nothing', async () => {
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(1_100);
  tab.sockets[0]?.onmessage?.({ data: '{"type":"nonsense"}' });
  tab.sockets[0]?.onmessage?.({ data: 'not json' });
  await browser.clock.pass(20);
  expect(tab.lines).toEqual(['realtime.badMessage', 'realtime.badMessage']);
});

test('W4.17 a connection that the user closed stays closed until it is opened again', async () => {
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(1_100);
  await tab.does({ type: 'realtime.disconnect' });
  await browser.clock.pass(120_000);
  expect(tab.state.connection.realtime).toBe('disconnected');
  expect(tab.sockets).toHaveLength(1);
  await tab.does({ type: 'realtime.connect' });
  expect(tab.state.connection.realtime).toBe('connected');
});

test('W4.17 an open socket is given the refreshed token', async () => {
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(1_100);
  await tab.engine.setSession({ ...session, accessToken: 'token-2' });
  expect(tab.sockets[0]?.sent).toContainEqual({ type: 'token', accessToken: 'token-2' });
});

test('R05.01 with real-time off no socket is opened', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await browser.clock.pass(60_000);
  expect(tab.sockets).toEqual([]);
  expect(tab.state.connection.realtime).toBe('off');
});

test('W4.17 a connection that the user closed stays closed when the session is refreshed', async () => {
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(1_100);
  await tab.does({ type: 'realtime.disconnect' });
  await tab.engine.setSession({ ...session, accessToken: 'token-2' });
  tab.goesOnline();
  await browser.clock.pass(60_000);
  expect(tab.sockets).toHaveLength(1);
  expect(tab.state.connection.realtime).toBe('disconnected');
});

test('W4.17 W9.02 the channel is opened after a second, and tried again after 1, 2, 3, 4 and 5 more', async () => {
  const tab = new Tab(browser, server);
  tab.socketsOpen = false;
  const start = browser.clock.now();
  await tab.open();
  const seconds: number[] = [];
  while (seconds.length < 6) {
    await browser.clock.pass(50);
    if (tab.sockets.length > seconds.length) seconds.push(Math.floor((browser.clock.now() - start) / 1_000));
  }
  expect(seconds).toEqual([1, 2, 4, 7, 11, 16]);
});

test('W4.17 W9.02 after a cut of twenty seconds the channel is open within ten, since the server answers other calls', async () => {
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(1_100);
  server.faults.set('*', unreachable);
  tab.sockets[0]?.cut();
  await browser.clock.pass(20_000);
  expect(tab.state.connection).toMatchObject({ online: false, realtime: 'disconnected' });
  server.faults.delete('*');
  await browser.clock.pass(10_100);
  expect(tab.state.connection).toMatchObject({ online: true, realtime: 'connected' });
  expect(tab.sockets).toHaveLength(2);
});

test('W4.17 each connection is opened with a ticket of its own, and no address holds the access token', async () => {
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(1_100);
  tab.sockets[0]?.cut();
  await browser.clock.pass(1_100);
  expect(tab.sockets.map(({ url }) => url)).toEqual([
    'ws://localhost:5001/api/natsws?ticket=ticket-1',
    'ws://localhost:5001/api/natsws?ticket=ticket-2',
  ]);
  expect(tab.state.connection.realtime).toBe('connected');
});

test('W4.17 a ticket that the server does not give counts as a failed connection; without a session the sign-in is asked for', async () => {
  const tab = await new Tab(browser, server).open();
  server.faults.set('auth.socketTicket', unreachable);
  const asked = () => server.calls.filter((name) => name === 'auth.socketTicket').length;
  const start = browser.clock.now();
  const seconds: number[] = [];
  while (seconds.length < 6) {
    await browser.clock.pass(50);
    if (asked() > seconds.length) seconds.push(Math.floor((browser.clock.now() - start) / 1_000));
  }
  expect(seconds).toEqual([0, 1, 3, 6, 10, 15].map((after) => after + (seconds[0] ?? 0)));
  expect(tab.sockets).toEqual([]);
  expect(tab.state.connection.realtime).toBe('disconnected');

  server.faults.set('auth.socketTicket', { kind: 'unauthenticated', problem: { code: 'unauthorized' }, status: 401, retryAfterMs: null });
  await browser.clock.pass(31_000);
  expect(tab.state.connection.authenticated).toBe(false);
  server.faults.delete('auth.socketTicket');
  await tab.engine.setSession({ ...session, accessToken: 'token-2' });
  await browser.clock.pass(100);
  expect(tab.state.connection).toMatchObject({ authenticated: true, realtime: 'connected' });
});

test('R05.01 a server that gives no tickets is sent the access token', async () => {
  server.faults.set('auth.socketTicket', { kind: 'refused', problem: { code: 'not_found' }, status: 404, retryAfterMs: null });
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(1_100);
  expect(tab.sockets.map(({ url }) => url)).toEqual(['ws://localhost:5001/api/natsws?token=token-1']);
});

test('W4.17 a ticket that arrives after the user has disconnected opens nothing', async () => {
  const tab = await new Tab(browser, server).open();
  const give = server.hold('auth.socketTicket');
  await browser.clock.pass(1_100);
  await tab.does({ type: 'realtime.disconnect' });
  give();
  await browser.clock.pass(5_000);
  expect(tab.sockets).toEqual([]);
  expect(tab.state.connection.realtime).toBe('disconnected');
});

test('W4.17 a connection that never opens is closed and tried again', async () => {
  const tab = new Tab(browser, server);
  tab.socketsOpen = 'never';
  await tab.open();
  await browser.clock.pass(1_000 + openTimeoutMs + 1_100);
  expect(tab.sockets).toHaveLength(2);
});

test('W8.05 a message on a connection that the user closed is recorded as not sent', async () => {
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(1_100);
  await tab.does({ type: 'realtime.disconnect' });
  await tab.engine.setSession({ ...session, accessToken: 'token-2' });
  expect(tab.warnings).toEqual(['WebSocket not connected: token was not sent']);
  expect(tab.sockets).toHaveLength(1);
});
