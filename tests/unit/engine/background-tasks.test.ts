import { beforeEach, expect, test } from 'vitest';
import type { CanvasNode } from '../../../contract/canvas.ts';
import type { ResultItem } from '../../../contract/executions/result.ts';
import { menuSyncAfterMs } from '../../../src/workers/engine/agents/agents-module.ts';
import { fallbackAfterMs } from '../../../src/workers/engine/agents/fallback-agents.ts';
import { refreshEveryMs } from '../../../src/workers/engine/history/history-module.ts';
import { unreachable } from '../../support/engine/fake-server/answers.ts';
import { FakeServer } from '../../support/engine/fake-server/fake-server.ts';
import { freshBrowser } from '../../support/engine/fresh-browser.ts';
import { chainDocument, team, uuid } from '../../support/engine/samples.ts';
import { type Browser, Tab } from '../../support/engine/tab.ts';

let browser: Browser;
let server: FakeServer;

beforeEach(() => {
  browser = freshBrowser();
  server = new FakeServer(chainDocument());
});

/** Polls for a result that appears after a chunk has loaded, which takes real time. */
const soon = <T>(look: () => T) =>
  expect.poll(
    async () => {
      await browser.clock.pass(20);
      return look();
    },
    { timeout: 10_000 },
  );
const callsOf = (name: string) => server.calls.filter((call) => call === name).length;

test('W4.17 the agents are read again two seconds after the project was opened, also where they could not be read at first', async () => {
  server.faults.set('agent.list', unreachable);
  const tab = await new Tab(browser, server).open();
  expect(tab.state.agents).toMatchObject({ status: 'failed', order: [] });
  server.faults.clear();
  await browser.clock.pass(menuSyncAfterMs - 100);
  expect(callsOf('agent.list')).toBe(1);
  await browser.clock.pass(150);
  expect([menuSyncAfterMs, callsOf('agent.list')]).toEqual([2_000, 2]);
  expect(tab.state.agents).toMatchObject({ status: 'ready', error: null, order: team.map(({ id }) => id) });
});

test('W9.02 the history is read again every thirty seconds', async () => {
  await new Tab(browser, server).open();
  const before = callsOf('result.list');
  await browser.clock.pass(refreshEveryMs);
  expect([refreshEveryMs, callsOf('result.list')]).toEqual([30_000, before + 1]);
  await browser.clock.pass(2 * refreshEveryMs);
  expect(callsOf('result.list')).toBe(before + 3);
});

test('W9.02 after a failed read the history is read again only on request, and then periodically', async () => {
  const tab = await new Tab(browser, server).open();
  server.faults.set('result.list', unreachable);
  await browser.clock.pass(refreshEveryMs);
  expect(tab.state.history).toMatchObject({ status: 'ready', error: { code: 'history.loadFailed' } });
  const before = callsOf('result.list');
  await browser.clock.pass(3 * refreshEveryMs);
  expect(callsOf('result.list')).toBe(before);
  server.faults.clear();
  await tab.does({ type: 'history.reload' });
  expect(tab.state.history.error).toBeNull();
  await browser.clock.pass(refreshEveryMs);
  expect(callsOf('result.list')).toBe(before + 2);
});

test('W9.02 W2.18 a requested reload of the history is shown as loading, and no periodic read runs meanwhile', async () => {
  const tab = await new Tab(browser, server).open();
  const release = server.hold('result.list');
  const before = callsOf('result.list');
  const asked = tab.engine.dispatch({ type: 'history.reload' });
  await browser.clock.pass(refreshEveryMs + 100);
  expect([tab.state.history.status, callsOf('result.list')]).toEqual(['loading', before + 1]);
  release();
  expect(await asked).toMatchObject({ outcome: { ok: true } });
  await browser.clock.pass(20);
  expect(tab.state.history.status).toBe('ready');
});

test('W9.02 the history is read once at a time, and not after the workspace is closed', async () => {
  const tab = await new Tab(browser, server).open();
  const before = callsOf('result.list');
  const release = server.hold('result.list');
  await browser.clock.pass(3 * refreshEveryMs);
  expect(callsOf('result.list')).toBe(before + 1);
  await tab.engine.close();
  release();
  await browser.clock.pass(3 * refreshEveryMs);
  expect(callsOf('result.list')).toBe(before + 1);
});

test('W4.15 R13.01 without agents after three seconds three fallback agents are shown, and the server gets no call about them', async () => {
  server.agents = [];
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(fallbackAfterMs - 100);
  expect([fallbackAfterMs, tab.state.agents.order]).toEqual([3_000, []]);
  await browser.clock.pass(100);
  await soon(() => tab.state.notices).toMatchObject([{ code: 'agent.fallbackShown', level: 'warning' }]);
  const shown = tab.state.agents.order.map((id) => tab.state.agents.byId[id]);
  expect(shown.map((agent) => agent?.title)).toEqual(['Product Owner', 'Project Manager', 'Developer']);
  expect(shown.map((agent) => agent?.role)).toEqual(['ProductManager', 'ProjectManager', 'Developer']);
  for (const agent of shown) expect(agent?.configuration.systemPrompt).not.toBe('');

  // An empty list does not replace them.
  await tab.does({ type: 'agents.reload' });
  expect(tab.state.agents).toMatchObject({ status: 'ready', order: shown.map((agent) => agent?.id) });
  const [agentId = ''] = tab.state.agents.order;
  expect(await tab.does({ type: 'agent.configure', agentId, configuration: { temperature: 1 } })).toMatchObject({
    error: { code: 'agent.standsIn' },
  });
  expect(await tab.does({ type: 'agent.count', agentId })).toMatchObject({ ok: true });
  expect(await tab.does({ type: 'console.send', text: '/ai Hello', agentId })).toMatchObject({ error: { code: 'console.noAgent' } });
  await tab.does({ type: 'dialog.send', nodeId: 'd', text: 'Work' });
  expect([server.runs, server.pipelines.size]).toEqual([[], 0]);
  expect(server.calls.filter((call) => /createAgent|configureAgent|agentStatistics|[cC]ommand|createPipeline/.test(call))).toEqual([]);

  server.agents = team;
  await tab.does({ type: 'agents.reload' });
  expect(tab.state.agents.order).toEqual(team.map(({ id }) => id));
});

test('W4.15 fallback agents are shown where the list could not be read, and are removed when an agent is created', async () => {
  server.faults.set('agent.list', unreachable);
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(fallbackAfterMs);
  await soon(() => tab.state.agents.order.length).toBe(3);
  expect(tab.state.agents.status).toBe('failed');
  await tab.does({ type: 'agent.create', title: 'Writer', role: 'Writer', description: '' });
  expect(tab.state.agents.order.map((id) => tab.state.agents.byId[id]?.title)).toEqual(['Writer']);
});

test('W4.15 no fallback agents are shown where there are agents, or once the workspace is closed', async () => {
  const tab = await new Tab(browser, server, 'tab-1').open();
  server.agents = [];
  const closed = await new Tab(browser, server, 'tab-3').open();
  await closed.engine.close();
  server.agents = team;
  await browser.clock.pass(fallbackAfterMs);
  expect(tab.state.agents.order).toEqual(team.map(({ id }) => id));
  expect(closed.state.agents.order).toEqual([]);
});

const item = (number: number, status: ResultItem['status'] = 2) =>
  ({ id: uuid(number, 8), pipelineExecutionId: uuid(number, 4), status, createdAt: `2026-01-01T00:00:${10 + number}Z` }) as ResultItem;

test('W5.09 clearing the history removes every ended run, page after page, and keeps the current one', async () => {
  server.results = [item(9, 1), item(1), item(2, 3), item(3, 4)];
  const tab = await new Tab(browser, server).open();
  server.results.push(item(4));
  expect(await tab.doesIn(200, { type: 'history.clear' })).toMatchObject({ ok: true });
  expect(server.results.map(({ id }) => id)).toEqual([uuid(9, 8)]);
  expect(tab.state.history.items.map(({ id }) => id)).toEqual([uuid(9, 8)]);
});

test('W5.09 a reading that began before a removal does not bring the item back', async () => {
  server.results = [item(1), item(2)];
  const tab = await new Tab(browser, server).open();
  const release = server.hold('result.list');
  const reading = tab.engine.dispatch({ type: 'history.reload' });
  expect(await tab.does({ type: 'history.remove', id: uuid(1, 8) })).toMatchObject({ ok: true });
  // The answer to the earlier reading still lists it.
  server.results = [item(1), item(2)];
  release();
  await reading;
  await browser.clock.pass(20);
  expect(tab.state.history).toMatchObject({ status: 'ready', items: [{ id: uuid(2, 8) }] });
});

test('W5.09 items that could not be removed are still there, and the user sees an error', async () => {
  server.results = [item(1), item(2)];
  const tab = await new Tab(browser, server).open();
  server.faults.set('result.remove', unreachable);
  expect(await tab.doesIn(200, { type: 'history.clear' })).toMatchObject({ ok: false, error: { code: 'network' } });
  expect(tab.state.history.items).toHaveLength(2);
  expect(tab.state.notices).toMatchObject([{ code: 'api.failed', params: { cause: 'network' } }]);
});

test('W2.02 agents and cards are matched: a card without an agent gets the agent with its name, and a card with a missing agent is counted', async () => {
  const document = chainDocument();
  const [first, second] = Object.values(document.nodes).filter((node) => node.type === 'agent');
  if (!first || !second) throw new Error('No cards');
  const own = first.serverAgentId;
  document.nodes[first.id] = { ...first, serverAgentId: undefined };
  server = new FakeServer(document);
  const tab = await new Tab(browser, server).open();
  await tab.does({ type: 'agents.sync' });
  expect(tab.state.document.nodes[first.id]?.serverAgentId).toBe(own);
  expect(tab.state.notices).toMatchObject([{ code: 'agent.synced', params: { count: 1 }, level: 'info' }]);
  server.agents = server.agents.filter(({ id }) => id !== second.serverAgentId);
  await tab.does({ type: 'agents.sync' });
  expect(tab.state.notices.at(-1)).toMatchObject({ code: 'agent.someMissing', params: { count: 1 }, level: 'warning' });
});

test('W2.02 W4.15 no card is matched to a fallback agent', async () => {
  const document = chainDocument();
  const [card] = Object.values(document.nodes).filter((node) => node.type === 'agent');
  if (!card) throw new Error('No card');
  server = new FakeServer(document);
  server.agents = [];
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(fallbackAfterMs);
  await soon(() => tab.state.agents.order).toHaveLength(3);
  const { title } = tab.state.agents.byId[tab.state.agents.order[0] ?? ''] ?? {};
  await tab.does({ type: 'node.update', id: card.id, changes: { title: title ?? '', serverAgentId: undefined } });
  await tab.does({ type: 'agents.sync' });
  expect(tab.state.document.nodes[card.id]).toMatchObject({ title });
  expect(tab.state.document.nodes[card.id]?.serverAgentId).toBeUndefined();
  expect(tab.state.notices.at(-1)).toMatchObject({ code: 'agent.someMissing', params: { count: 3 } });
});

test('W2.10 a list of agents that changes during every read is read three times at most, and reverts no change of the last read', async () => {
  const tab = await new Tab(browser, server).open();
  const [agentId = ''] = tab.state.agents.order;
  const readings = () => server.calls.filter((call) => call === 'agent.list').length;
  const before = readings();
  let release = server.hold('agent.list');
  const reload = tab.engine.dispatch({ type: 'agents.reload' });
  let madeId = '';
  for (const systemPrompt of ['One', 'Two', 'Three', 'Four']) {
    await tab.does({ type: 'agent.configure', agentId, configuration: { systemPrompt } });
    if (systemPrompt === 'Three') {
      const made = await tab.does({ type: 'agent.create', title: 'Release engineer', role: 'DevOps', description: '' });
      madeId = made.ok ? (made.value?.agentId ?? '') : '';
    }
    release();
    release = server.hold('agent.list');
    await browser.clock.pass(20);
    expect(tab.state.agents.byId[agentId]?.configuration.systemPrompt).toBe(systemPrompt);
  }
  expect((await reload).outcome).toEqual({ ok: true, value: undefined });
  expect(readings() - before).toBe(3);
  expect(tab.state.agents.order).toEqual([...team.map(({ id }) => id), madeId]);
});

test('R37.01 every missing agent is created again from its card, and one undo reverts all', async () => {
  const tab = await new Tab(browser, server).open();
  const cards = Object.values(tab.state.document.nodes).filter((node) => node.type === 'agent');
  const lost = cards.slice(0, 2);
  server.agents = server.agents.filter(({ id }) => !lost.some((card) => card.serverAgentId === id));
  await tab.does({ type: 'agents.restore' });
  const now = lost.map(({ id }) => tab.state.document.nodes[id]?.serverAgentId ?? '');
  expect(now.map((id) => tab.state.agents.byId[id]?.title)).toEqual(lost.map(({ title }) => title));
  expect(tab.state.notices.at(-1)).toMatchObject({ code: 'agent.restored', params: { count: 2 } });
  await tab.does({ type: 'history.undo' });
  expect(lost.map(({ id }) => tab.state.document.nodes[id]?.serverAgentId)).toEqual(lost.map(({ serverAgentId }) => serverAgentId));
  await tab.does({ type: 'history.redo' });
  await tab.does({ type: 'agents.restore' });
  expect(tab.state.notices.at(-1)).toMatchObject({ code: 'agent.noneMissing' });
});

test('R37.01 a refusal of the server is shown, and cards that already have their agent keep it', async () => {
  const tab = await new Tab(browser, server).open();
  const [lost] = Object.values(tab.state.document.nodes).filter((node) => node.type === 'agent');
  server.agents = server.agents.filter(({ id }) => id !== lost?.serverAgentId);
  server.faults.set('agent.createMany', { ...unreachable, kind: 'refused' });
  expect((await tab.engine.dispatch({ type: 'agents.restore' })).outcome.ok).toBe(false);
  expect(tab.state.document.nodes[lost?.id ?? '']?.serverAgentId).toBe(lost?.serverAgentId);
});

test('R37.01 a copy whose agent has no free place gets an agent of its own, with the prompt of the original, and a run starts', async () => {
  const [agent] = server.agents;
  if (!agent) throw new Error('No agent');
  server.agents = server.agents.map((one) => ({ ...one, configuration: { systemPrompt: `Prompt of ${one.title}`, plan: '' } }));
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  const copy = { ...(tab.state.document.nodes.a as CanvasNode), id: uuid(50, 3), serverAgentId: uuid(50, 3), y: 400 };
  await tab.does({ type: 'node.add', nodes: [copy] });
  await tab.does({ type: 'agents.sync' });
  expect(tab.state.document.nodes[copy.id]?.serverAgentId).toBe(copy.id);
  expect(tab.state.notices.at(-1)).toMatchObject({ code: 'agent.someMissing', params: { count: 1 } });
  await tab.does({ type: 'agents.restore' });
  expect(tab.state.notices.at(-1)).toMatchObject({ code: 'agent.restored', params: { count: 1 } });
  const made = tab.state.agents.byId[tab.state.document.nodes[copy.id]?.serverAgentId ?? ''];
  expect(made).toMatchObject({ title: agent.title, configuration: { systemPrompt: `Prompt of ${agent.title}` } });
  expect(tab.state.document.nodes.a?.serverAgentId).toBe(agent.id);
  expect(await tab.does({ type: 'dialog.send', nodeId: 'd', text: 'Go' })).toMatchObject({ ok: true });
});

test('R37.01 two cards that hold one agent are mended by the same button: the first keeps it', async () => {
  const document = chainDocument();
  const { a, b } = document.nodes;
  if (!a || !b) throw new Error('No cards');
  document.nodes.b = { ...b, serverAgentId: a.serverAgentId };
  server = new FakeServer(document);
  server.agents = server.agents.filter(({ id }) => id !== b.serverAgentId);
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  expect(await tab.does({ type: 'dialog.send', nodeId: 'd', text: 'Go' })).toMatchObject({ ok: false });
  await tab.does({ type: 'agents.restore' });
  expect(tab.state.document.nodes.a?.serverAgentId).toBe(a.serverAgentId);
  expect(tab.state.document.nodes.b?.serverAgentId).not.toBe(a.serverAgentId);
  await browser.clock.pass(400);
  expect(tab.state.validation.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(await tab.does({ type: 'dialog.send', nodeId: 'd', text: 'Go' })).toMatchObject({ ok: true });
});
