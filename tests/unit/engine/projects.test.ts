import { beforeEach, expect, test } from 'vitest';
import { parallelByBranches } from '../../../contract/executions/parallel-steps.ts';
import { project } from '../../../contract/project.ts';
import { parallelSettingOf } from '../../../src/model/run/plan/parallel-limit.ts';
import { unreachable } from '../../support/engine/fake-server/answers.ts';
import { FakeServer } from '../../support/engine/fake-server/fake-server.ts';
import { freshBrowser } from '../../support/engine/fresh-browser.ts';
import { chainDocument, projectId } from '../../support/engine/samples.ts';
import { type Browser, session, Tab } from '../../support/engine/tab.ts';

let browser: Browser;
let server: FakeServer;

beforeEach(() => {
  browser = freshBrowser();
  server = new FakeServer(chainDocument());
});

const names = (tab: Tab) => tab.state.projects.items.map(({ name }) => name);

async function make(tab: Tab, name: string): Promise<string> {
  const outcome = await tab.does({ type: 'project.create', name, description: '' });
  return (outcome.ok && outcome.value?.projectId) || 'none';
}

test('W7.01 projects are read on request, created, renamed, archived and counted', async () => {
  const tab = await new Tab(browser, server).open();
  expect(tab.state.projects.status).toBe('unasked');
  await tab.does({ type: 'dialog.send', nodeId: 'd', text: 'Work' });
  await tab.does({ type: 'projects.load' });
  expect(tab.state.projects).toMatchObject({ status: 'ready', error: null, runningIds: [projectId] });
  const id = await make(tab, 'Second');
  expect(names(tab)).toEqual(['Project', 'Second']);
  await tab.does({ type: 'project.update', id, name: 'Shop', description: 'Books', status: 'archived' });
  expect(tab.state.projects.items[1]).toMatchObject({ name: 'Shop', description: 'Books', status: 'archived' });
  await tab.does({ type: 'project.update', id: projectId, name: 'First' });
  expect(tab.state.project?.name).toBe('First');
  await tab.does({ type: 'project.count', id });
  expect(tab.state.projects.statistics[id]).toMatchObject({ totalAgents: 3, totalExecutions: 4 });
  expect(await tab.does({ type: 'project.remove', id })).toMatchObject({ ok: true });
  expect([names(tab), tab.state.projects.statistics]).toEqual([['First'], {}]);
});

test('W7.01 W3.08 a list of projects that is open follows the runs that begin and end', async () => {
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(1_100);
  await tab.does({ type: 'projects.load' });
  expect(tab.state.projects.runningIds).toEqual([]);
  await tab.does({ type: 'dialog.send', nodeId: 'd', text: 'Work' });
  server.beginStep();
  await browser.clock.pass(50);
  expect(tab.state.projects.runningIds).toEqual([projectId]);
  server.doAll();
  await browser.clock.pass(50);
  expect(tab.state.projects.runningIds).toEqual([]);
});

test('W7.01 R19.01 a list that is being read, or could not be, is not asked for at each event of a run', async () => {
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(1_100);
  await tab.does({ type: 'projects.load' });
  await tab.does({ type: 'dialog.send', nodeId: 'd', text: 'Work' });
  const readings = () => server.calls.filter((call) => call === 'project.list').length;
  const before = readings();
  const answer = server.hold('execution.byStatus');
  server.doAll();
  await browser.clock.pass(20);
  answer();
  await browser.clock.pass(20);
  expect(readings() - before).toBeLessThanOrEqual(2);
  expect(readings() - before).toBeGreaterThan(0);
  expect(tab.state.projects.runningIds).toEqual([]);
});

test('W7.01 a project whose creation lost its answer is created once', async () => {
  const tab = await new Tab(browser, server).open();
  server.lostAnswers.add('project.create');
  const asked = tab.engine.dispatch({ type: 'project.create', name: 'Once', description: '' });
  await browser.clock.pass(10);
  server.lostAnswers.clear();
  await browser.clock.pass(1_100);
  expect(await asked).toMatchObject({ outcome: { ok: true } });
  expect(server.projects.map(({ name }) => name)).toEqual(['Project', 'Once']);
});

test('W7.01 a list of projects that cannot be read shows the error, keeps its former entries, and shows no passing message', async () => {
  const tab = await new Tab(browser, server).open();
  server.faults.set('project.list', unreachable);
  expect(await tab.does({ type: 'projects.load' })).toMatchObject({ ok: false, error: { code: 'network' } });
  expect(tab.state.projects).toMatchObject({ status: 'failed', error: { code: 'network' } });
  server.faults.clear();
  await tab.does({ type: 'projects.load' });
  server.faults.set('project.list', unreachable);
  await tab.does({ type: 'projects.load' });
  expect(tab.state.projects).toMatchObject({ status: 'ready', items: [{ name: 'Project' }], error: { code: 'network' } });
  expect(tab.state.notices).toEqual([]);
});

test('R31.01 a tab follows another tab’s project changes: a new name is shown, a removal is reported and ends all saves', async () => {
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(1_100);
  server.renameElsewhere(projectId, 'Renamed');
  await browser.clock.pass(50);
  expect(tab.state.project?.name).toBe('Renamed');
  await make(tab, 'Other');
  await tab.does({ type: 'node.move', moves: [{ id: 'a', x: 900, y: 900 }] });
  server.removeElsewhere(projectId);
  await browser.clock.pass(5_000);
  expect(tab.state).toMatchObject({ status: 'failed', failure: { code: 'project.gone', params: { name: 'Renamed' } } });
  expect(names(tab)).toEqual(['Other']);
  expect(server.saves).toEqual([]);
  expect(tab.state.document.nodes.a).toMatchObject({ x: 900, y: 900 });
  await tab.does({ type: 'workspace.reload' });
  tab.goesOnline();
  await browser.clock.pass(50);
  expect(tab.state.failure?.code).toBe('project.gone');
});

test('R31.01 without a live connection the first call that finds nothing tells that the project is gone', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  server.projects = [];
  await browser.clock.pass(100);
  expect(tab.state.status).toBe('ready');
  await tab.does({ type: 'project.update', id: projectId, name: 'Any' });
  await browser.clock.pass(50);
  expect(tab.state).toMatchObject({ status: 'failed', failure: { code: 'project.gone' } });
});

test('R31.01 the canvas of a project that is gone is kept as another one, once it is stored there', async () => {
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(1_100);
  server.removeElsewhere(projectId);
  await tab.does({ type: 'node.move', moves: [{ id: 'a', x: 900, y: 900 }] });
  server.faults.set('project.putCanvas', unreachable);
  expect(await tab.does({ type: 'project.keepCanvas', name: 'Kept' })).toMatchObject({ ok: false });
  expect(server.projects).toEqual([]);
  server.faults.clear();
  const kept = await tab.does({ type: 'project.keepCanvas', name: 'Kept' });
  expect(server.projects).toMatchObject([{ name: 'Kept', id: kept.ok && kept.value?.projectId }]);
  expect(Object.keys(server.canvas.nodes)).toEqual(['d', 'a', 'b', 'c']);
});

test('R31.01 removing the project that is open ends its saving, and says nothing of a loss', async () => {
  const tab = await new Tab(browser, server).open();
  await tab.does({ type: 'node.move', moves: [{ id: 'a', x: 900, y: 900 }] });
  expect(await tab.does({ type: 'project.remove', id: projectId })).toMatchObject({ ok: true });
  await browser.clock.pass(40_000);
  expect([server.saves, tab.state.failure]).toEqual([[], null]);
});

test('R08.01 an address that names no project of the user says so, with all of them to choose from', async () => {
  const tab = new Tab(browser, server);
  const source = {
    kind: 'server' as const,
    projectId: '019e5f4d-0000-7000-8000-00000000dead',
    session,
    language: 'en',
    realtime: 'auto' as const,
  };
  tab.replica.expectSnapshot();
  tab.replica.load(await tab.engine.open({ source, tabId: 'tab-9' }, (update) => tab.replica.apply(structuredClone(update))));
  await browser.clock.pass(50);
  expect(tab.state).toMatchObject({ status: 'failed', failure: { code: 'project.unknown' } });
  expect(names(tab)).toEqual(['Project']);
  expect(tab.state.notices).toMatchObject([{ code: 'api.message' }]);
});

test('R31.01 a 404 of something between page and server does not count as a project that is gone', async () => {
  const tab = await new Tab(browser, server).open();
  const between = { kind: 'refused', problem: { code: 'http' }, status: 404, retryAfterMs: null } as const;
  server.faults.set('project.get', between).set('project.patchCanvas', between).set('project.canvas', between).set('result.list', between);
  await tab.does({ type: 'history.reload' });
  await tab.does({ type: 'workspace.reload' });
  expect(tab.state.failure?.code).not.toBe('project.gone');
  server.faults.clear();
  await tab.does({ type: 'workspace.reload' });
  expect(tab.state.status).toBe('ready');
});

test('W7.01 a project knows whether its branches run together, also when another tab changes it', async () => {
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(1_100);
  expect(tab.state.project?.parallelSteps).toBeUndefined();
  await tab.does({ type: 'project.update', id: projectId, parallelSteps: 4 });
  expect(tab.state.project?.parallelSteps).toBe(4);
  server.branchElsewhere(projectId, 1);
  await browser.clock.pass(50);
  expect(tab.state.project?.parallelSteps).toBe(1);
});

test('D4.01 a project whose runs decide has a number for pages of an earlier build, and another tab that chooses this number is heard', async () => {
  Object.assign(server.projects[0] ?? {}, { parallelSteps: 4, branchesTogether: true });
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(1_100);
  expect(parallelSettingOf(tab.state.project)).toBe(parallelByBranches);
  expect(project.shape.parallelSteps.safeParse(parallelByBranches).success).toBe(false);
  server.branchElsewhere(projectId, 4);
  await browser.clock.pass(50);
  expect(parallelSettingOf(tab.state.project)).toBe(4);
});
