import { beforeEach, expect, test } from 'vitest';
import type { CanvasNode } from '../../../contract/canvas.ts';
import { writeCanvasText } from '../../../src/model/document/write-canvas-text.ts';
import { saveAfterMs } from '../../../src/workers/engine/persistence/autosave.ts';
import { unreachable } from '../../support/engine/fake-server/answers.ts';
import { FakeServer } from '../../support/engine/fake-server/fake-server.ts';
import { freshBrowser } from '../../support/engine/fresh-browser.ts';
import { chainDocument } from '../../support/engine/samples.ts';
import { type Browser, Tab } from '../../support/engine/tab.ts';

let browser: Browser;
let server: FakeServer;
let tab: Tab;

beforeEach(async () => {
  browser = freshBrowser();
  server = new FakeServer(chainDocument());
  tab = await new Tab(browser, server).open({ realtime: 'off' });
});

const titleOf = ({ serverAgentId = '' }: CanvasNode) => tab.state.agents.byId[serverAgentId]?.title;
const made = async (command: Parameters<Tab['does']>[0]) => {
  const outcome = await tab.does(command);
  const ids = (outcome.ok && outcome.value?.nodeIds) || [];
  return ids.map((id) => tab.state.document.nodes[id] as CanvasNode);
};
const callsOf = (name: string) => server.calls.filter((call) => call === name).length;

/** A canvas with a text of its own: `count` agents that this account does not have, in a chain. */
function foreignText(count: number): string {
  const nodes = Array.from({ length: count }, (_, at) => {
    const title = `Step ${at}`;
    return { id: `n${at}`, type: 'agent', title, name: title, role: 'Writer', serverAgentId: `foreign-${at}`, x: at * 300, y: 0 };
  });
  return JSON.stringify({ nodes, connections: nodes.slice(1).map(({ id }, at) => ({ from: `n${at}`, to: id })) });
}

test.each(['nodes.duplicate', 'nodes.paste'] as const)(
  'R37.02 %s brings agents, one undo removes both, and a redo makes both again',
  async (type) => {
    const before = structuredClone(tab.state.document);
    const agents = server.agents.length;
    const command =
      type === 'nodes.paste'
        ? { type, text: writeCanvasText(before, new Set(['d', 'a', 'b'])) }
        : { type, nodeIds: ['d', 'a', 'b'], dx: 0, dy: 900 };
    const [, first, second] = await made(command);
    expect([first?.title, second?.title]).toEqual([`${before.nodes.a?.title} 2`, `${before.nodes.b?.title} 2`]);
    expect([first, second].map((card) => titleOf(card as CanvasNode))).toEqual([first?.title, second?.title]);
    expect([server.agents.length, callsOf('agent.createMany')]).toEqual([agents + 2, 1]);
    await browser.clock.pass(400);
    expect(tab.state.validation.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(tab.lines.filter((code) => code.startsWith('flow.agent'))).toEqual([]);
    await tab.does({ type: 'history.undo' });
    await browser.clock.pass(20);
    expect(tab.state.document).toEqual(before);
    expect([server.agents.length, tab.state.agents.order.length]).toEqual([agents, agents]);
    await tab.does({ type: 'history.redo' });
    expect(server.agents).toHaveLength(agents + 2);
    expect(Object.values(tab.state.document.nodes).slice(-2).map(titleOf)).toEqual([first?.title, second?.title]);
  },
);

test('R37.02 a redo of each step of a paste gives its cards the agents that are made again', async () => {
  const [card] = await made({ type: 'nodes.duplicate', nodeIds: ['a'], dx: 0, dy: 900 });
  const id = card?.id ?? '';
  const agents = server.agents.length;
  await tab.does({ type: 'node.move', moves: [{ id, x: 40, y: 960 }] });
  for (const type of ['history.undo', 'history.undo'] as const) await tab.does({ type });
  await browser.clock.pass(20);
  expect(server.agents).toHaveLength(agents - 1);
  for (const type of ['history.redo', 'history.redo'] as const) await tab.does({ type });
  const again = tab.state.document.nodes[id] as CanvasNode;
  expect([again.x, again.y, titleOf(again)]).toEqual([40, 960, card?.title]);
  expect(again.serverAgentId).not.toBe(card?.serverAgentId);
  await tab.does({ type: 'history.undo' });
  expect(titleOf(tab.state.document.nodes[id] as CanvasNode)).toBe(card?.title);
});

test.each([false, true])('R37.02 an undo of a paste leaves the agent of the card that was cut; a reload: %s', async (reloads) => {
  const agents = server.agents.length;
  const [card] = await made({ type: 'nodes.duplicate', nodeIds: ['a'], dx: 0, dy: 900 });
  const id = card?.id ?? '';
  const text = writeCanvasText(tab.state.document, new Set([id]));
  await tab.does({ type: 'selection.remove', nodeIds: [id], connectionIds: [] });
  const [pasted] = await made({ type: 'nodes.paste', text });
  expect(pasted?.serverAgentId).toBe(card?.serverAgentId);
  await browser.clock.pass(saveAfterMs);
  if (reloads) {
    tab.die();
    tab = await new Tab(browser, server).open({ realtime: 'off' });
  }
  for (const type of ['history.undo', 'history.undo'] as const) await tab.does({ type });
  await browser.clock.pass(saveAfterMs);
  expect(titleOf(tab.state.document.nodes[id] as CanvasNode)).toBe(card?.title);
  await tab.does({ type: 'history.undo' });
  await browser.clock.pass(saveAfterMs);
  expect(server.agents).toHaveLength(agents);
  for (const type of ['history.redo', 'history.redo', 'history.redo'] as const) await tab.does({ type });
  expect(server.agents).toHaveLength(agents + 1);
  expect(titleOf(tab.state.document.nodes[pasted?.id ?? ''] as CanvasNode)).toBe(card?.title);
});

test('R37.02 after a reload an undo takes back the agents of a paste, a redo makes them again, and another reload knows those', async () => {
  const reload = async () => {
    tab.die();
    tab = await new Tab(browser, server).open({ realtime: 'off' });
  };
  const agents = server.agents.length;
  const [card] = await made({ type: 'nodes.duplicate', nodeIds: ['a'], dx: 0, dy: 900 });
  const id = card?.id ?? '';
  await tab.does({ type: 'node.move', moves: [{ id, x: 40, y: 960 }] });
  await browser.clock.pass(saveAfterMs);
  await reload();
  for (const type of ['history.undo', 'history.undo'] as const) expect(await tab.does({ type })).toMatchObject({ ok: true });
  await browser.clock.pass(saveAfterMs);
  expect([server.agents.length, tab.state.agents.order.length]).toEqual([agents, agents]);
  await reload();
  for (const type of ['history.redo', 'history.redo'] as const) expect(await tab.does({ type })).toMatchObject({ ok: true });
  await browser.clock.pass(saveAfterMs);
  expect(server.agents).toHaveLength(agents + 1);
  // Both steps give the card the agent that was made again.
  const again = tab.state.document.nodes[id] as CanvasNode;
  expect([again.x, titleOf(again)]).toEqual([40, card?.title]);
  await reload();
  await tab.does({ type: 'history.undo' });
  expect(titleOf(tab.state.document.nodes[id] as CanvasNode)).toBe(card?.title);
  await tab.does({ type: 'history.undo' });
  await browser.clock.pass(saveAfterMs);
  expect(server.agents).toHaveLength(agents);
});

test('R37.02 after a reload an undo of a paste leaves an agent that has worked, and those of the account', async () => {
  const [first] = await made({ type: 'nodes.duplicate', nodeIds: ['a', 'b'], dx: 0, dy: 900 });
  const agents = server.agents.length;
  server.worked.add(first?.serverAgentId ?? '');
  await browser.clock.pass(saveAfterMs);
  tab.die();
  tab = await new Tab(browser, server).open({ realtime: 'off' });
  await tab.does({ type: 'history.undo' });
  await browser.clock.pass(saveAfterMs);
  expect(server.agents).toHaveLength(agents - 1);
  expect(server.agents.some(({ id }) => id === first?.serverAgentId)).toBe(true);
});

test('R37.02 a file whose agents the account does not have brings agents with the words of its cards', async () => {
  const cards = await made({ type: 'canvas.replace', text: foreignText(3) });
  expect(cards.map(titleOf)).toEqual(['Step 0', 'Step 1', 'Step 2']);
  expect(tab.state.agents.byId[cards[0]?.serverAgentId ?? '']).toMatchObject({ name: 'Step 0', role: 'Writer' });
  await tab.does({ type: 'history.undo' });
  await browser.clock.pass(20);
  expect(server.agents.map(({ title }) => title)).not.toContain('Step 0');
});

test('R37.02 a file of 3,000 cards makes its agents with three calls, and an undo removes them with three', async () => {
  const agents = server.agents.length;
  const cards = await made({ type: 'canvas.replace', text: foreignText(3_000) });
  expect(new Set(cards.map(({ serverAgentId }) => serverAgentId)).size).toBe(3_000);
  expect([callsOf('agent.createMany'), server.agents.length]).toEqual([3, agents + 3_000]);
  expect(tab.state.notices.map(({ code, params }) => [code, params?.count])).toEqual([['flow.manyCopied', 3_000]]);
  await tab.does({ type: 'history.undo' });
  await browser.clock.pass(50);
  expect([callsOf('agent.removeUnused'), server.agents.length]).toEqual([3, agents]);
});

test('R37.02 a paste whose answer was lost makes each agent once', async () => {
  const agents = server.agents.length;
  server.lostAnswers.add('agent.createMany');
  const pasting = tab.engine.dispatch({ type: 'nodes.duplicate', nodeIds: ['a'], dx: 0, dy: 900 });
  await browser.clock.pass(20);
  server.lostAnswers.clear();
  await browser.clock.pass(1_100);
  expect((await pasting).outcome).toMatchObject({ ok: true });
  expect(server.agents).toHaveLength(agents + 1);
});

test('R37.02 cards that are pasted without the server are placed, say that they have no agent, and get one later', async () => {
  server.faults.set('agent.createMany', unreachable);
  const pasting = tab.engine.dispatch({ type: 'nodes.duplicate', nodeIds: ['a', 'b'], dx: 0, dy: 900 });
  await browser.clock.pass(2_000);
  expect((await pasting).outcome).toMatchObject({ ok: true, value: { nodeIds: { length: 2 } } });
  expect(tab.lines.filter((code) => code === 'flow.agentTaken')).toHaveLength(2);
  server.faults.clear();
  await tab.does({ type: 'agents.restore' });
  await browser.clock.pass(400);
  expect(tab.state.validation.filter(({ severity }) => severity === 'error')).toEqual([]);
});

test('R37.02 where the account has no room for an agent of each card, the command asks, and then makes those that fit', async () => {
  const agents = server.agents.length;
  const before = structuredClone(tab.state.document);
  server.agentRoom = 1_200;
  const command = { type: 'canvas.replace', text: foreignText(3_000) } as const;
  const refused = await tab.engine.dispatch(command);
  expect(refused.outcome).toEqual({ ok: false, error: { code: 'agent.noRoom', params: { wanted: 3_000, room: 1_200 } } });
  expect([server.agents.length, tab.state.document, tab.state.notices]).toEqual([agents, before, []]);
  server.agentRoom = 1_200;
  const cards = await made({ ...command, agents: 'some' });
  expect([cards.length, cards.filter(titleOf).length, server.agents.length]).toEqual([3_000, 1_200, agents + 1_200]);
  await tab.does({ type: 'history.undo' });
  await browser.clock.pass(50);
  const without = await made({ ...command, agents: 'none' });
  expect([without.length, without.filter(titleOf).length, server.agents.length]).toEqual([3_000, 0, agents]);
});

test('R37.02 another tab knows the agents of cards that were pasted in the first one', async () => {
  const second = freshBrowser();
  const other = await new Tab(second, server, 'tab-2').open();
  await second.clock.pass(3_000);
  const [copy] = await made({ type: 'nodes.duplicate', nodeIds: ['a'], dx: 0, dy: 900 });
  await browser.clock.pass(3_000);
  await second.clock.pass(3_000);
  expect(other.state.document.nodes[copy?.id ?? '']).toBeDefined();
  expect(other.state.agents.byId[copy?.serverAgentId ?? '']?.title).toBe(copy?.title);
  expect(other.state.validation.filter(({ severity }) => severity === 'error')).toEqual([]);
});
