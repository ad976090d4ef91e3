import { beforeEach, expect, test } from 'vitest';
import type { CanvasNode } from '../../../../contract/canvas.ts';
import { maxForecastAgents } from '../../../../contract/max-forecast-agents.ts';
import { FakeServer } from '../../../support/engine/fake-server/fake-server.ts';
import { freshBrowser } from '../../../support/engine/fresh-browser.ts';
import { agentNode, agentOf, chainDocument, dialogNode, documentOf, link, team } from '../../../support/engine/samples.ts';
import { type Browser, Tab } from '../../../support/engine/tab.ts';

let browser: Browser;
let server: FakeServer;

beforeEach(() => {
  browser = freshBrowser();
  server = new FakeServer(chainDocument());
});

async function opened(): Promise<Tab> {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await shown(tab);
  return tab;
}

/** The rules are loaded in real time, after the timers of the engine. */
async function shown(tab: Tab): Promise<void> {
  const before = tab.state.team;
  await expect.poll(() => teamLater(tab)).not.toBe(before);
}

async function teamLater(tab: Tab) {
  await browser.clock.pass(1_000);
  return tab.state.team;
}

const idOf = (node: CanvasNode | undefined) => node?.serverAgentId ?? '';

test('D4.03 the engine says which agents the next run calls, and follows what takes part', async () => {
  const tab = await opened();
  const { a, b, c } = tab.state.document.nodes;
  expect(tab.state.team).toEqual({ count: 3, agentIds: [idOf(a), idOf(b), idOf(c)].toSorted() });
  await tab.does({ type: 'nodes.disable', nodeIds: ['c'] });
  await shown(tab);
  expect(tab.state.team).toEqual({ count: 2, agentIds: [idOf(a), idOf(b)].toSorted() });
});

test('D4.03 agents that come later belong to the team, and moved cards change nothing', async () => {
  const known = server.agents;
  server.agents = [];
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await browser.clock.pass(1_000);
  server.agents = known;
  await tab.does({ type: 'agents.reload' });
  await expect.poll(() => teamLater(tab)).toMatchObject({ count: 3 });
  const before = tab.state.team;
  await tab.does({ type: 'node.move', moves: [{ id: 'a', x: 5, y: 5 }] });
  await browser.clock.pass(2_000);
  expect(tab.state.team).toBe(before);
});

test('D4.03 only the number of agents is known of a team without a forecast', async () => {
  const count = maxForecastAgents + 1;
  const agents = Array.from({ length: count }, (_, at) => agentOf(at + 1, `agent-${at + 1}`, 'Developer'));
  const cards = agents.map((agent, at) => agentNode(`n${at}`, agent, 400, at * 200));
  server = new FakeServer(
    documentOf(
      [dialogNode('d', 0, 0), ...cards],
      cards.map(({ id }) => link('d', id)),
    ),
  );
  server.agents = agents;
  expect(team.length).toBeLessThan(count);
  const tab = await opened();
  expect(tab.state.team).toEqual({ count, agentIds: [] });
});
