import { beforeEach, expect, test } from 'vitest';
import { maxHistoryLength } from '../../../src/model/page-lengths.ts';
import { unauthenticated, unreachable } from '../../support/engine/fake-server/answers.ts';
import { FakeServer } from '../../support/engine/fake-server/fake-server.ts';
import { freshBrowser } from '../../support/engine/fresh-browser.ts';
import { chainDocument, link, projectId, team } from '../../support/engine/samples.ts';
import { type Browser, session, Tab } from '../../support/engine/tab.ts';

let browser: Browser;
let server: FakeServer;

beforeEach(() => {
  browser = freshBrowser();
  server = new FakeServer(chainDocument());
});

test('W2.01 the workspace opens with project, canvas, agents and history', async () => {
  const tab = await new Tab(browser, server).open();
  expect(tab.state).toMatchObject({
    status: 'ready',
    failure: null,
    project: { name: 'Project' },
    agents: { status: 'ready' },
    history: { status: 'ready' },
  });
  expect(Object.keys(tab.state.document.nodes)).toEqual(['d', 'a', 'b', 'c']);
  expect(tab.state.agents.order).toEqual(team.map(({ id }) => id));
});

test('W2.02 a workspace that cannot be opened says why, and opens when asked again', async () => {
  server.faults.set('project.get', unreachable);
  const tab = await new Tab(browser, server).open();
  expect(tab.state).toMatchObject({ status: 'failed', failure: { code: 'network' }, connection: { online: false } });
  expect(await tab.does({ type: 'history.undo' })).toEqual({ ok: false, error: { code: 'workspace.opening' } });
  server.faults.clear();
  expect(await tab.does({ type: 'workspace.reload' })).toMatchObject({ ok: true });
  expect(tab.state).toMatchObject({ status: 'ready', failure: null, connection: { online: true } });
});

test('P4.06 opening with a refused token waits for the session', async () => {
  server.faults.set('*', unauthenticated);
  const tab = await new Tab(browser, server).open();
  expect(tab.state).toMatchObject({ status: 'failed', connection: { authenticated: false } });
  server.faults.clear();
  await tab.engine.setSession({ ...session, accessToken: 'token-2' });
  await browser.clock.pass(50);
  expect(tab.state).toMatchObject({ status: 'ready', connection: { authenticated: true } });
});

test('P4.06 a session that is refreshed while the refused one is still being asked with opens the project', async () => {
  server.faults.set('project.canvas', unauthenticated);
  const refused = server.hold('agent.list');
  const tab = await new Tab(browser, server).open();
  expect(tab.state.status).toBe('opening');
  server.faults.clear();
  await tab.engine.setSession({ ...session, accessToken: 'token-2' });
  refused();
  await browser.clock.pass(100);
  expect(tab.state).toMatchObject({ status: 'ready', connection: { authenticated: true } });
});

test('W2.10 agents that cannot be read do not keep the canvas closed', async () => {
  server.faults.set('agent.list', unreachable);
  const tab = await new Tab(browser, server).open();
  expect(tab.state).toMatchObject({ status: 'ready', agents: { status: 'failed', error: { code: 'network' } } });
  server.faults.clear();
  await tab.does({ type: 'agents.reload' });
  expect(tab.state.agents.status).toBe('ready');
});

test('W8.01 a refused command shows for 3 s', async () => {
  const tab = await new Tab(browser, server).open();
  await tab.does({ type: 'link.add', from: 'a', to: 'a' });
  await browser.clock.pass(2_900);
  expect(tab.state.notices).toMatchObject([{ code: 'link.self', level: 'error' }]);
  await browser.clock.pass(100);
  expect(tab.state.notices).toEqual([]);
});

test('W4.12 undo and redo go command by command, and the page shows what can be undone', async () => {
  const tab = await new Tab(browser, server).open();
  await tab.does({ type: 'selection.remove', nodeIds: ['a', 'b'], connectionIds: [] });
  expect(Object.keys(tab.state.document.connections)).toEqual([]);
  expect(tab.state.undo).toEqual({ canUndo: true, canRedo: false });
  await tab.does({ type: 'history.undo' });
  expect(tab.state.document).toEqual(chainDocument());
  expect(tab.state.undo).toEqual({ canUndo: false, canRedo: true });
  await tab.does({ type: 'history.redo' });
  expect(Object.keys(tab.state.document.nodes).sort()).toEqual(['c', 'd']);
});

test('D1.02 the participants of the next run follow the document and the chosen dialog', async () => {
  const tab = await new Tab(browser, server).open();
  // The rules are loaded first.
  await expect.poll(() => tab.state.participation).toMatchObject({ taking: 3, of: 3, reports: [], dialogNodeId: 'd' });
  await tab.does({ type: 'selection.remove', nodeIds: [], connectionIds: ['conn-b-c'] });
  await browser.clock.pass(400);
  expect(tab.state.participation).toMatchObject({ taking: 2, of: 3, leftOutNodes: ['c'], reports: [{ kind: 'noWayIn' }] });
  const before = tab.state.participation;
  await tab.does({ type: 'node.move', moves: [{ id: 'c', x: 5, y: 5 }] });
  await browser.clock.pass(400);
  expect(tab.state.participation).toBe(before);
  await tab.does({ type: 'node.place', item: { kind: 'dialog' }, at: { x: 900, y: 900 } });
  const second = Object.values(tab.state.document.nodes).find(({ id, type }) => type === 'dialog' && id !== 'd')?.id as string;
  await tab.does({ type: 'link.add', from: second, to: 'c' });
  await tab.does({ type: 'run.foresee', dialogNodeId: second });
  await browser.clock.pass(400);
  expect(tab.state.participation).toMatchObject({ taking: 1, of: 3, dialogNodeId: second, reports: [{ kind: 'otherStart' }] });
});

test('D1.04 a link that leads back becomes a review loop when it is drawn, with a message, and one undo removes the link', async () => {
  const tab = await new Tab(browser, server).open();
  const drawn = await tab.does({ type: 'link.add', from: 'c', to: 'b' });
  expect(drawn).toMatchObject({ ok: true, value: { connectionIds: ['conn-c-b'], loopIds: ['conn-c-b'] } });
  expect(tab.state.document.connections['conn-c-b']?.run).toEqual({ maxRounds: 3 });
  expect(tab.state.notices).toMatchObject([{ code: 'link.becameLoopAlways', params: { rounds: 3, loopId: 'conn-c-b' }, level: 'info' }]);
  await tab.does({ type: 'history.undo' });
  expect(tab.state.document).toEqual(chainDocument());
});

test('D1.04 a drawn loop that a name may end says "up to", and one that nothing ends what it always costs', async () => {
  const document = chainDocument();
  document.connections['conn-b-c'] = { ...link('b', 'c'), run: { label: 'accepted' } };
  server = new FakeServer(document);
  const tab = await new Tab(browser, server).open();
  await tab.does({ type: 'link.add', from: 'b', to: 'a' });
  await tab.does({ type: 'link.add', from: 'c', to: 'a' });
  expect(tab.state.notices.map(({ code }) => code)).toEqual(['link.becameLoop', 'link.becameLoopAlways']);
});

test('W5.04 the list of broken rules follows the document', async () => {
  const tab = await new Tab(browser, server).open();
  expect(tab.state.validation.filter(({ severity }) => severity === 'error')).toEqual([]);
  await tab.does({ type: 'node.update', id: 'd', changes: { goal: '' } });
  await browser.clock.pass(400);
  expect(tab.state.validation[0]).toMatchObject({ severity: 'error', code: 'dialog.goalMissing', nodeId: 'd' });
});

test('W2.18 W8.05 history shows the newest items first, drops removed items, and keeps its former items when it cannot be read', async () => {
  const item = (id: string, createdAt: string) => ({ id, createdAt, updatedAt: createdAt, status: 2 }) as never;
  server.results = [item('old', '2026-11-01T00:00:00.000Z'), item('new', '2026-11-02T00:00:00.000Z')];
  const tab = await new Tab(browser, server).open();
  expect(tab.state.history.items.map(({ id }) => id)).toEqual(['new', 'old']);
  await tab.does({ type: 'history.remove', id: 'new' });
  expect(tab.state.history.items.map(({ id }) => id)).toEqual(['old']);
  server.faults.set('result.list', unreachable);
  expect(await tab.does({ type: 'history.reload' })).toMatchObject({ ok: false });
  expect(tab.state.history).toMatchObject({ status: 'ready', error: { code: 'history.loadFailed' } });
});

test('W2.18 a history that holds only the newest says so, and older ones are found by a search', async () => {
  const item = (number: number) =>
    ({
      ...{ id: `run-${number}`, status: 2, userRequest: `Shop ${number}`, finalResult: '', summary: '', tags: '' },
      createdAt: new Date(Date.UTC(2026, 10, 20, 12) - number).toISOString(),
    }) as never;
  server.results = Array.from({ length: maxHistoryLength }, (_, number) => item(number));
  const tab = await new Tab(browser, server).open();
  expect([tab.state.history.items.length, tab.state.history.whole]).toEqual([200, false]);
  server.results = [...server.results, item(777)];
  const found = await tab.engine.call('result.search', { params: { projectId }, query: { q: 'shop 777', limit: maxHistoryLength } });
  expect(found).toMatchObject({ ok: true, value: [{ id: 'run-777' }], total: 1 });
  server.results = server.results.slice(0, 3);
  await tab.does({ type: 'history.reload' });
  expect(tab.state.history.whole).toBe(true);
});

test('W8.01 thoughts that cannot be read are said for 3 s, beside what their tab shows', async () => {
  const tab = await new Tab(browser, server).open();
  server.faults.set('thought.ofProject', unreachable);
  const error = { code: 'thoughts.failed', params: { cause: 'network' } };
  expect(await tab.engine.call('thought.ofProject', { params: { id: projectId } })).toEqual({ ok: false, error });
  await browser.clock.pass(20);
  expect(tab.state.notices).toMatchObject([{ ...error, level: 'error' }]);
  await browser.clock.pass(3_000);
  expect(tab.state.notices).toEqual([]);
});

test('W2.20 an agent is configured and the list shows it', async () => {
  const tab = await new Tab(browser, server).open();
  const agentId = team[0]?.id ?? '';
  await tab.does({ type: 'agent.configure', agentId, configuration: { systemPrompt: 'Think first.' } });
  expect(tab.state.agents.byId[agentId]?.configuration.systemPrompt).toBe('Think first.');
});

test('W8.01 agent settings that could not be saved are reported', async () => {
  const tab = await new Tab(browser, server).open();
  server.faults.set('agent.update', unreachable);
  const error = { code: 'agent.notSaved', params: { cause: 'network' } };
  const saved = await tab.does({ type: 'agent.configure', agentId: team[0]?.id ?? '', configuration: { systemPrompt: 'Think first.' } });
  expect(saved).toEqual({ ok: false, error });
  expect(tab.state.notices).toMatchObject([error]);
});

test('W8.01 W3.02 a flow whose agent the menu does not have is placed without its card, and the console names it', async () => {
  server.agents = team.filter(({ role }) => role !== 'QA');
  const tab = await new Tab(browser, server).open();
  expect(await tab.does({ type: 'node.place', item: { kind: 'flow', templateId: 'quick-fix' } })).toMatchObject({ ok: true });
  expect(tab.messages.filter(({ event }) => event?.code === 'flow.agentSkipped').map(({ isWarning }) => isWarning)).toContain(true);
});

test('W2.05 a local workspace edits and undoes without a server, and refuses what needs one', async () => {
  const tab = new Tab(browser, server);
  tab.replica.expectSnapshot();
  const snapshot = await tab.engine.open({ source: { kind: 'local', document: chainDocument() }, tabId: 'local' }, (update) =>
    tab.replica.apply(structuredClone(update)),
  );
  tab.replica.load(structuredClone(snapshot));
  await browser.clock.pass(20);
  await tab.does({ type: 'node.move', moves: [{ id: 'a', x: 1, y: 1 }] });
  expect(tab.state.document.nodes.a?.x).toBe(1);
  await tab.does({ type: 'history.undo' });
  expect(tab.state.document).toEqual(chainDocument());
  expect(await tab.does({ type: 'run.start' })).toMatchObject({ ok: false });
  await tab.engine.loadDocument({ nodes: {}, connections: {} });
  await browser.clock.pass(20);
  expect(tab.state.document.nodes).toEqual({});
  expect(server.calls).toEqual([]);
});

test('W2.02 a workspace that could not be opened without a network opens when it is back', async () => {
  server.faults.set('project.get', unreachable);
  const tab = await new Tab(browser, server).open();
  expect(tab.state.status).toBe('failed');
  server.faults.clear();
  tab.goesOnline();
  await browser.clock.pass(50);
  expect(tab.state.status).toBe('ready');
});

test('W5.08 without a project the history is empty, and a warning says why', async () => {
  const tab = new Tab(browser, server);
  tab.replica.expectSnapshot();
  tab.replica.load(
    structuredClone(
      await tab.engine.open({ source: { kind: 'local', document: chainDocument() }, tabId: 'local' }, (update) =>
        tab.replica.apply(structuredClone(update)),
      ),
    ),
  );
  await browser.clock.pass(20);
  expect(await tab.does({ type: 'history.reload' })).toMatchObject({ ok: true });
  expect(tab.state).toMatchObject({
    history: { items: [], status: 'ready', error: null },
    notices: [{ code: 'history.noProject', level: 'warning' }],
  });
});

test('W3.08 an agent’s statistics are read on request, and the known ones stay when a read fails', async () => {
  const tab = await new Tab(browser, server).open();
  const agentId = team[0]?.id ?? '';
  expect(tab.state.agentFigures).toEqual({});
  await tab.does({ type: 'agent.count', agentId });
  const known = {
    statistics: { totalCommands: 5, successfulCommands: 4, failedCommands: 1 },
    availability: { isAvailable: true },
    load: { currentLoad: 1, maxLoad: 20 },
  };
  expect(tab.state.agentFigures[agentId]).toMatchObject(known);
  server.faults.set('command.load', unreachable);
  expect(await tab.does({ type: 'agent.count', agentId })).toMatchObject({ ok: false });
  expect(tab.state.agentFigures[agentId]).toMatchObject(known);
  expect(tab.state.notices).toEqual([]);
});

test('W2.02 a reload that fails leaves the open workspace and its run as they are, says so until a reload works, and takes commands of the run', async () => {
  for (const call of ['project.get', 'project.canvas'] as const) {
    const tab = await new Tab(browser, server, `tab-${call}`).open({ realtime: 'off' });
    await tab.does({ type: 'dialog.send', nodeId: 'd', text: 'Build a shop' });
    const { document } = tab.state;
    server.faults.set(call, unreachable);
    expect(await tab.does({ type: 'workspace.reload' })).toMatchObject({ ok: false, error: { code: 'workspace.reloadFailed' } });
    expect(tab.state).toMatchObject({ status: 'ready', failure: null, document, run: { phase: 'running' } });
    expect(tab.state.notices).toMatchObject([
      { code: 'workspace.reloadFailed', params: { cause: 'network' }, level: 'error', until: null },
    ]);
    server.faults.clear();
    const release = server.hold('project.canvas');
    const reloading = tab.engine.dispatch({ type: 'workspace.reload' });
    await browser.clock.pass(20);
    expect(tab.state.status).toBe('reloading');
    expect(await tab.does({ type: 'run.stop' })).toMatchObject({ ok: true });
    release();
    expect(await reloading).toMatchObject({ outcome: { ok: true } });
    await browser.clock.pass(20);
    expect(tab.state).toMatchObject({ status: 'ready', notices: [] });
  }
});
