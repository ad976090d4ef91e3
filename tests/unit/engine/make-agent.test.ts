import { beforeEach, expect, test } from 'vitest';
import type { Agent } from '../../../contract/agent.ts';
import type { CanvasNode } from '../../../contract/canvas.ts';
import { planPipeline } from '../../../src/model/run/plan/pipeline-plan.ts';
import { menuSyncAfterMs } from '../../../src/workers/engine/agents/agents-module.ts';
import type { Drawing } from '../../support/drawings/drawing.ts';
import { drawings } from '../../support/drawings/drawings.ts';
import { unreachable } from '../../support/engine/fake-server/answers.ts';
import { FakeServer } from '../../support/engine/fake-server/fake-server.ts';
import { freshBrowser } from '../../support/engine/fresh-browser.ts';
import { chainDocument, team, uuid } from '../../support/engine/samples.ts';
import { type Browser, Tab } from '../../support/engine/tab.ts';

const [first] = team as [Agent, ...Agent[]];

let browser: Browser;
let server: FakeServer;
let tab: Tab;

beforeEach(async () => {
  browser = freshBrowser();
  server = new FakeServer(chainDocument());
  tab = await new Tab(browser, server).open({ realtime: 'off' });
});

const newest = () => tab.state.agents.byId[tab.state.agents.order.at(-1) ?? ''];

test('R37.01 a new agent is made on the server, and is the last of the list', async () => {
  const made = await tab.does({ type: 'agent.create', title: 'Release engineer', role: 'DevOps', description: 'Ships it' });
  expect(made).toEqual({ ok: true, value: { agentId: newest()?.id } });
  expect(newest()).toMatchObject({ title: 'Release engineer', name: 'Release engineer', role: 'DevOps', description: 'Ships it' });
  expect(tab.state.agents.order).toHaveLength(team.length + 1);
  await tab.does({ type: 'node.place', item: { kind: 'agent', agentId: newest()?.id ?? '' } });
  expect(Object.values(tab.state.document.nodes).at(-1)).toMatchObject({ title: 'Release engineer', serverAgentId: newest()?.id });
});

test('R37.01 a copy has the words, the prompt and the model of its agent, a title of its own, and no key', async () => {
  const apiConfiguration = { ...first.apiConfiguration, providerType: 'anthropic', model: 'claude-3-opus', hasKey: true } as const;
  const agent = { ...first, apiConfiguration, configuration: { systemPrompt: 'Be brief', plan: '' }, skills: ['Haste'] };
  server.agents = [agent, ...team.slice(1)];
  await tab.does({ type: 'agents.reload' });
  expect(await tab.does({ type: 'agent.duplicate', agentId: agent.id })).toEqual({ ok: true, value: { agentId: newest()?.id } });
  expect(newest()).toMatchObject({
    ...{ title: `${agent.title} 2`, name: agent.name, role: agent.role, skills: ['Haste'] },
    configuration: { systemPrompt: 'Be brief' },
    apiConfiguration: { providerType: 'anthropic', model: 'claude-3-opus' },
  });
  expect(tab.state.notices.map(({ code }) => code)).toEqual(['agent.copiedWithoutKey']);
  await tab.does({ type: 'agent.duplicate', agentId: newest()?.id ?? '' });
  expect(newest()?.title).toBe(`${agent.title} 3`);
});

test('M3.20 a copy has the connections and the unset values of its agent', async () => {
  const settings: Partial<Agent['apiConfiguration']> = {
    connectionId: uuid(901),
    fallback: { connectionId: uuid(902), model: 'spare' },
    effort: 'high',
    mayGoWithoutTools: true,
    temperature: null,
    maxTokens: null,
  };
  const agent = { ...first, apiConfiguration: { ...first.apiConfiguration, ...settings, willSimulate: true } };
  server.agents = [agent, ...team.slice(1)];
  await tab.does({ type: 'agents.reload' });
  await tab.does({ type: 'agent.duplicate', agentId: agent.id });
  expect(newest()?.apiConfiguration).toMatchObject(settings);
});

test('R37.01 an agent whose creation lost its answer is created once, and a refused one is not in the list', async () => {
  server.lostAnswers.add('agent.create');
  const asked = tab.engine.dispatch({ type: 'agent.create', title: 'Once', role: 'QA', description: '' });
  await browser.clock.pass(10);
  server.lostAnswers.clear();
  await browser.clock.pass(1_100);
  expect(await asked).toMatchObject({ outcome: { ok: true } });
  expect(server.agents.filter(({ title }) => title === 'Once')).toHaveLength(1);

  server.faults.set('agent.createMany', { ...unreachable, kind: 'refused' });
  expect(await tab.does({ type: 'agent.duplicate', agentId: first.id })).toMatchObject({ ok: false, error: { code: 'network' } });
  expect(await tab.does({ type: 'agent.duplicate', agentId: 'missing' })).toMatchObject({ ok: false, error: { code: 'agent.notFound' } });
  expect(tab.state.agents.order).toHaveLength(team.length + 1);
});

test.each(['by itself', 'when asked'])(
  'W4.17 R37.01 an agent that is created while the list is read %s stays, and those of other tabs are there too',
  async (how) => {
    const release = server.hold('agent.list');
    if (how === 'by itself') await browser.clock.pass(menuSyncAfterMs);
    const asked = how === 'when asked' ? tab.engine.dispatch({ type: 'agents.reload' }) : null;
    await browser.clock.pass(10);
    const made = await tab.does({ type: 'agent.create', title: 'Release engineer', role: 'DevOps', description: '' });
    const madeId = made.ok ? made.value?.agentId : '';
    server.agents = [...server.agents, { ...first, id: uuid(77, 9), title: 'From another device' }];
    release();
    await asked;
    await browser.clock.pass(20);
    expect(tab.state.agents).toMatchObject({ status: 'ready', order: [...team.map(({ id }) => id), madeId, uuid(77, 9)] });
  },
);

test('D1.08 a flow whose agents are all in use brings copies, which an undo removes and a redo makes again', async () => {
  await tab.does({ type: 'node.place', item: { kind: 'flow', templateId: 'quick-fix' } });
  const before = server.agents.length;
  const cards = () => Object.values(tab.state.document.nodes).slice(-3);
  const placed = await tab.does({ type: 'node.place', item: { kind: 'flow', templateId: 'quick-fix' } });
  expect(placed).toMatchObject({ ok: true, value: { nodeIds: { length: 4 } } });
  const copied = cards().map(({ title, serverAgentId = '' }) => [title, tab.state.agents.byId[serverAgentId]?.title]);
  expect(copied).toEqual(cards().map(({ title }) => [title, title]));
  expect(copied.every(([title]) => / [23]$/.test(title ?? ''))).toBe(true);
  expect(server.agents).toHaveLength(before + 3);
  expect(tab.state.notices.map(({ code }) => code)).toEqual(['flow.copied']);
  expect(tab.lines.filter((code) => code === 'flow.agentTaken')).toEqual([]);
  const ids = cards().map(({ serverAgentId }) => serverAgentId);
  await tab.does({ type: 'history.undo' });
  await browser.clock.pass(0);
  expect(server.agents).toHaveLength(before);
  expect(tab.state.agents.order).toHaveLength(before);
  expect(await tab.does({ type: 'history.redo' })).toEqual({ ok: true, value: undefined });
  expect(server.agents).toHaveLength(before + 3);
  const again = cards().map(({ serverAgentId = '' }) => serverAgentId);
  for (const [at, id] of again.entries()) {
    expect(id).not.toBe(ids[at]);
    expect(server.agents.some((agent) => agent.id === id)).toBe(true);
  }
  await tab.does({ type: 'history.undo' });
  await browser.clock.pass(0);
  expect(server.agents).toHaveLength(before);
});

test('D1.08 D1.41 a flow of the menu whose agents are all in use is drawn as the last of the twenty drawings, ready to run', async () => {
  const drawing = drawings.find(({ flow }) => flow) as Drawing;
  const titles: Record<string, string> = { developer: 'Developer', qa: 'Tester', assistant: 'Assistant' };
  server.agents = team.map((agent) => ({ ...agent, title: titles[agent.name] ?? agent.title }));
  await tab.does({ type: 'agents.reload' });
  for (const { id } of server.agents.slice(3)) await tab.does({ type: 'node.place', item: { kind: 'agent', agentId: id } });
  const placed = await tab.does({ type: 'node.place', item: { kind: 'flow', templateId: drawing.flow ?? '' } });
  const ids = (placed.ok && placed.value?.nodeIds) || [];
  const { nodes, connections } = tab.state.document;
  const [dialog, ...cards] = ids.map((id) => nodes[id] as CanvasNode);
  expect(cards.map(({ title, isUser }) => (isUser ? 'Person' : title))).toEqual(Object.keys(drawing.cards).slice(1));
  const nameOf = (id: string) => Object.keys(drawing.cards)[ids.indexOf(id)];
  const drawn = Object.values(connections).filter(({ to }) => ids.includes(to.agentId));
  expect(drawn.map(({ from, to, run }) => [nameOf(from.agentId), nameOf(to.agentId), ...(run ? [run] : [])])).toEqual(drawing.links);
  const agents = tab.state.agents.order.flatMap((id) => tab.state.agents.byId[id] ?? []);
  expect(planPipeline(tab.state.document, agents, dialog ?? null, {})).toMatchObject({ ok: true, plan: { steps: { length: 4 } } });
});

test('D1.08 undo of a card keeps the copied agent if the agent has worked, or if the server cannot be reached', async () => {
  await tab.does({ type: 'node.place', item: { kind: 'flow', templateId: 'quick-fix' } });
  await tab.does({ type: 'node.place', item: { kind: 'flow', templateId: 'quick-fix' } });
  const made = server.agents.length;
  const [worked = ''] = server.agents.slice(-1).map(({ id }) => id);
  server.worked.add(worked);
  await tab.does({ type: 'history.undo' });
  await browser.clock.pass(0);
  expect(server.agents).toHaveLength(made - 2);
  expect(server.agents.some(({ id }) => id === worked)).toBe(true);
  server.faults.set('agent.removeUnused', unreachable);
  await tab.does({ type: 'history.redo' });
  await tab.does({ type: 'history.undo' });
  await browser.clock.pass(2_000);
  expect(server.agents).toHaveLength(made);
});

test('D1.08 where no copy can be made, the flow is placed as before, and says which agents it has none of', async () => {
  await tab.does({ type: 'node.place', item: { kind: 'flow', templateId: 'quick-fix' } });
  server.faults.set('agent.createMany', unreachable);
  const placing = tab.does({ type: 'node.place', item: { kind: 'flow', templateId: 'quick-fix' } });
  await browser.clock.pass(2_000);
  expect(await placing).toMatchObject({ ok: true, value: { nodeIds: { length: 4 } } });
  expect(tab.lines.filter((code) => code === 'flow.agentTaken')).toHaveLength(3);
});

test('D1.08 redos that are pressed at once are each taken, and make each copy once', async () => {
  const flow = { type: 'node.place', item: { kind: 'flow', templateId: 'quick-fix' } } as const;
  for (let placed = 0; placed < 4; placed += 1) await tab.does(flow);
  const [agents, cards] = [server.agents.length, Object.keys(tab.state.document.nodes).length];
  for (let undone = 0; undone < 3; undone += 1) await tab.does({ type: 'history.undo' });
  await browser.clock.pass(20);
  expect(server.agents.length).toBeLessThan(agents);
  const presses = (['history.redo', 'history.redo', 'history.redo', 'history.undo'] as const).map((type) => tab.engine.dispatch({ type }));
  await browser.clock.pass(200);
  for (const press of presses) expect(await press).toMatchObject({ outcome: { ok: true } });
  await tab.does({ type: 'history.redo' });
  expect(Object.keys(tab.state.document.nodes)).toHaveLength(cards);
  expect(server.agents).toHaveLength(agents);
});

test('D4.10 a pattern whose agents are all in use creates copies, and one undo removes the pattern and the copies', async () => {
  const before = structuredClone(tab.state.document);
  await tab.does({ type: 'node.place', item: { kind: 'flow', templateId: 'full-cycle' } });
  const flow = structuredClone(tab.state.document);
  const agents = server.agents.length;
  const placed = await tab.does({ type: 'pattern.place', patternId: 'review' });
  expect(placed).toMatchObject({ ok: true, value: { nodeIds: { length: 3 } } });
  expect(server.agents.length).toBe(agents + 3);
  expect(tab.lines.filter((code) => code === 'flow.agentTaken')).toEqual([]);
  await tab.does({ type: 'history.undo' });
  await browser.clock.pass(0);
  expect(tab.state.document).toEqual(flow);
  expect(server.agents).toHaveLength(agents);
  await tab.does({ type: 'history.undo' });
  expect(tab.state.document).toEqual(before);
});
