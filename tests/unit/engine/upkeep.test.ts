import { beforeEach, expect, test } from 'vitest';
import { fallbackAfterMs } from '../../../src/workers/engine/fallback-agents.ts';
import { refreshEveryMs } from '../../../src/workers/engine/upkeep.ts';
import { FakeServer, unreachable } from '../../support/engine/fake-server.ts';
import { freshBrowser } from '../../support/engine/fresh-browser.ts';
import { chainDocument, team } from '../../support/engine/samples.ts';
import { type Browser, Tab } from '../../support/engine/tab.ts';

let browser: Browser;
let server: FakeServer;

beforeEach(() => {
  browser = freshBrowser();
  server = new FakeServer(chainDocument());
});

/** What comes once a chunk has been loaded, which takes time of its own. */
const soon = <T>(look: () => T) =>
  expect.poll(
    async () => {
      await browser.clock.pass(20);
      return look();
    },
    { timeout: 10_000 },
  );
const callsOf = (name: string) => server.calls.filter((call) => call === name).length;

test('W9.02 the history is read anew every thirty seconds', async () => {
  await new Tab(browser, server).open();
  const before = callsOf('listResults');
  await browser.clock.pass(refreshEveryMs);
  expect(callsOf('listResults')).toBe(before + 1);
  await browser.clock.pass(2 * refreshEveryMs);
  expect(callsOf('listResults')).toBe(before + 3);
});

test('W9.02 a history that could not be read waits until somebody asks for it, and then goes on by itself', async () => {
  const tab = await new Tab(browser, server).open();
  server.faults.set('listResults', unreachable);
  await browser.clock.pass(refreshEveryMs);
  expect(tab.state.history).toMatchObject({ status: 'ready', error: { code: 'history.loadFailed' } });
  const before = callsOf('listResults');
  await browser.clock.pass(3 * refreshEveryMs);
  expect(callsOf('listResults')).toBe(before);
  server.faults.clear();
  await tab.does({ type: 'history.reload' });
  expect(tab.state.history.error).toBeNull();
  await browser.clock.pass(refreshEveryMs);
  expect(callsOf('listResults')).toBe(before + 2);
});

test('W9.02 one reading at a time, and none after the workspace is closed', async () => {
  const tab = await new Tab(browser, server).open();
  const before = callsOf('listResults');
  const letGo = server.hold('listResults');
  await browser.clock.pass(3 * refreshEveryMs);
  expect(callsOf('listResults')).toBe(before + 1);
  await tab.engine.close();
  letGo();
  await browser.clock.pass(3 * refreshEveryMs);
  expect(callsOf('listResults')).toBe(before + 1);
});

test('W4.15 an account without agents gets three after three seconds, and is told', async () => {
  server.agents = [];
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(fallbackAfterMs - 100);
  expect(tab.state.agents.order).toEqual([]);
  await browser.clock.pass(100);
  await soon(() => tab.state.notices).toMatchObject([{ code: 'agent.fallbackCreated', level: 'info' }]);
  const made = tab.state.agents.order.map((id) => tab.state.agents.byId[id]);
  expect(made.map((agent) => agent?.title)).toEqual(['Product Owner', 'Project Manager', 'Developer']);
  expect(made.map((agent) => agent?.role)).toEqual(['ProductManager', 'ProjectManager', 'Developer']);
  for (const agent of made) expect(agent?.configuration.systemPrompt).not.toBe('');
});

test('W4.15 two tabs that find an account without agents make three between them', async () => {
  server.agents = [];
  const [first, second] = [new Tab(browser, server, 'tab-1'), new Tab(browser, server, 'tab-2')];
  await Promise.all([first.open(), second.open()]);
  await browser.clock.pass(fallbackAfterMs);
  await soon(() => callsOf('createAgent')).toBe(6);
  expect(server.agents).toHaveLength(3);
});

test('W4.15 nobody is added where there are agents, where they could not be read, and once the workspace is closed', async () => {
  await new Tab(browser, server, 'tab-1').open();
  server.faults.set('listAgents', unreachable);
  await new Tab(browser, server, 'tab-2').open();
  server.faults.clear();
  server.agents = [];
  const closed = await new Tab(browser, server, 'tab-3').open();
  await closed.engine.close();
  server.agents = team;
  await browser.clock.pass(fallbackAfterMs);
  expect(callsOf('createAgent')).toBe(0);
});

test('W4.15 when the agents cannot be made the user is told why', async () => {
  server.agents = [];
  server.faults.set('createAgent', unreachable);
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(fallbackAfterMs);
  await soon(() => tab.state.notices).toMatchObject([{ code: 'network', level: 'error' }]);
});
