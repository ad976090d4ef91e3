import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import type { TeamVersion } from '../../../contract/team-version.ts';
import type { Command } from '../../../src/model/commands.ts';
import { compareDocuments } from '../../../src/model/versions/comparison.ts';
import { saveAfterMs } from '../../../src/workers/engine/persistence/autosave.ts';
import { unreachable } from '../../support/engine/fake-server/answers.ts';
import { FakeServer } from '../../support/engine/fake-server/fake-server.ts';
import { freshBrowser } from '../../support/engine/fresh-browser.ts';
import { chainDocument, projectId, uuid } from '../../support/engine/samples.ts';
import { type Browser, Tab } from '../../support/engine/tab.ts';

let browser: Browser;
let server: FakeServer;

beforeEach(() => {
  browser = freshBrowser();
  server = new FakeServer(chainDocument());
});

const open = () => new Tab(browser, server).open({ realtime: 'off' });
const move = (id: string, x: number): Command => ({ type: 'node.move', moves: [{ id, x, y: 0 }] });
const remove = (id: string): Command => ({ type: 'selection.remove', nodeIds: [id], connectionIds: [] });
const compare = (version: number): Command => ({ type: 'version.compare', version });
const restore = (version: number): Command => ({ type: 'version.restore', version });

test('G6.08 a comparison saves what is not saved yet, and names what differs from the version', async () => {
  const tab = await open();
  await tab.does(move('a', 900));
  await tab.does(remove('b'));
  expect(await tab.does(compare(1))).toMatchObject({ ok: true });
  expect(server.canvas.version).toBe(2);
  expect(tab.state.comparison).toEqual({ version: 1, differences: compareDocuments(chainDocument(), tab.state.document) });
  await tab.does({ type: 'version.closeComparison' });
  expect(tab.state.comparison).toBeNull();
});

test('G6.08 a comparison follows every edit, undo and redo: it stays what a fresh one would be', async () => {
  const ids = ['a', 'b', 'c', 'd'];
  const step: fc.Arbitrary<Command> = fc.oneof(
    fc.tuple(fc.constantFrom(...ids), fc.integer({ min: 0, max: 3 })).map(([id, x]) => move(id, x * 100)),
    fc.constantFrom(...ids).map(remove),
    fc
      .tuple(fc.constantFrom(...ids), fc.constantFrom('One', 'Two'))
      .map(([id, title]) => ({ type: 'node.update', id, changes: { title } }) as const),
    fc.constant({ type: 'history.undo' } as const),
    fc.constant({ type: 'history.redo' } as const),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 6 }), fc.array(step, { maxLength: 10 }), async (before, after) => {
      browser = freshBrowser();
      server = new FakeServer(chainDocument());
      const tab = await open();
      for (const command of before) await tab.does(command);
      await tab.does(compare(1));
      for (const command of after) await tab.does(command);
      expect(tab.state.comparison?.differences).toEqual(compareDocuments(chainDocument(), tab.state.document));
      tab.die();
    }),
    { numRuns: 25 },
  );
});

test('G6.08 a comparison holds the edits that are made while the server compares, and while it saves', async () => {
  const tab = await open();
  await tab.does(move('a', 900));
  const [answerSave, answerComparison] = [server.hold('project.patchCanvas'), server.hold('project.compareVersions')];
  const comparing = tab.does(compare(1));
  await browser.clock.pass(1);
  await tab.does(remove('b'));
  answerSave();
  await expect.poll(() => server.calls.includes('project.compareVersions')).toBe(true);
  await tab.does(move('c', 700));
  await tab.does(move('c', 800));
  await tab.does({ type: 'node.update', id: 'a', changes: { title: 'Later' } });
  answerComparison();
  expect(await comparing).toMatchObject({ ok: true });
  expect(tab.state.comparison?.differences).toEqual(compareDocuments(chainDocument(), tab.state.document));
});

test('G6.08 a comparison holds what another tab saves while the server compares, and begins again after a reload', async () => {
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(1_100);
  await tab.does(move('a', 900));
  await browser.clock.pass(saveAfterMs);
  for (const meanwhile of ['saved', 'reloaded'] as const) {
    server.calls.length = 0;
    const answer = server.hold('project.compareVersions');
    const comparing = tab.does(compare(1));
    await expect.poll(() => server.calls.includes('project.compareVersions')).toBe(true);
    if (meanwhile === 'saved') server.saveElsewhere(({ nodes }) => void Object.assign(nodes.c ?? {}, { title: 'By another' }));
    else await tab.does({ type: 'workspace.reload' });
    await browser.clock.pass(50);
    expect(tab.state.document.nodes.c?.title).toBe('By another');
    answer();
    expect(await comparing).toMatchObject({ ok: true });
    expect(tab.state.comparison?.differences).toEqual(compareDocuments(chainDocument(), tab.state.document));
    expect(server.calls.filter((name) => name === 'project.compareVersions')).toHaveLength(meanwhile === 'saved' ? 1 : 2);
  }
});

test('G6.10 restoring a version is one edit: saved as one change, undone and redone', async () => {
  const tab = await open();
  await tab.does(move('a', 900));
  await tab.does(remove('b'));
  await browser.clock.pass(saveAfterMs);
  const edited = structuredClone(tab.state.document);
  await tab.does(compare(1));
  expect(await tab.does(restore(1))).toMatchObject({ ok: true });
  expect(tab.state.document).toEqual(chainDocument());
  expect(tab.state.comparison?.differences).toEqual({ nodes: {}, connections: {} });
  const saves = server.saves.length;
  await browser.clock.pass(saveAfterMs);
  expect(server.saves.length).toBe(saves + 1);
  expect(server.versions.get(server.canvas.version)).toEqual(chainDocument());
  await tab.does({ type: 'history.undo' });
  expect(tab.state.document).toEqual(edited);
  await tab.does({ type: 'history.redo' });
  expect(tab.state.document).toEqual(chainDocument());
});

const refused = { kind: 'refused', problem: { code: 'team_changed' }, status: 409, retryAfterMs: null } as const;
const restoreTeam: Command = { type: 'version.restoreTeam', version: 3, seen: 'shown' };
const teamOfFirstCanvas = () => server.teams.set('3', { document: chainDocument() } as TeamVersion);

test('G6.10 restoring a team saves the canvas first, changes agents once although the answer was lost, and is one edit of the canvas', async () => {
  teamOfFirstCanvas();
  const tab = await open();
  await tab.does(remove('b'));
  const edited = structuredClone(tab.state.document);
  const answer = server.hold('teamVersion.restore');
  const restoring = tab.does(restoreTeam);
  await expect.poll(() => server.restoredTeams).toEqual([3]);
  expect(server.versions.get(server.canvas.version)).toEqual(edited);
  server.lostAnswers.add('teamVersion.restore');
  answer();
  await expect.poll(() => tab.state.document).toEqual(edited);
  server.lostAnswers.delete('teamVersion.restore');
  await browser.clock.pass(1_000);
  expect(await restoring).toMatchObject({ ok: true, value: { teamBefore: { number: 4, seen: 'before' } } });
  expect(server.restoredTeams).toEqual([3]);
  expect(tab.state.document).toEqual(chainDocument());
  await tab.does({ type: 'history.undo' });
  expect(tab.state.document).toEqual(edited);
});

test('G6.10 a team that is refused, or whose answers are lost for good, leaves the canvas as it is; pressing again ends it', async () => {
  teamOfFirstCanvas();
  const tab = await open();
  await tab.does(remove('b'));
  const edited = structuredClone(tab.state.document);
  server.faults.set('teamVersion.restore', refused);
  expect(await tab.does(restoreTeam)).toMatchObject({ ok: false, error: { code: 'team_changed' } });
  server.faults.delete('teamVersion.restore');
  server.lostAnswers.add('teamVersion.restore');
  const restoring = tab.does(restoreTeam);
  await expect.poll(() => server.restoredTeams).toEqual([3]);
  await browser.clock.pass(1_000);
  expect(await restoring).toMatchObject({ ok: false });
  expect(tab.state.document).toEqual(edited);
  server.lostAnswers.delete('teamVersion.restore');
  expect(await tab.does(restoreTeam)).toMatchObject({ ok: true });
  expect(tab.state.document).toEqual(chainDocument());
});

test('G6.10 a restored version that another tab has passed offers both canvases', async () => {
  const [tab, other] = [await open(), await open()];
  await tab.does(move('a', 900));
  await browser.clock.pass(saveAfterMs);
  await other.does({ type: 'workspace.reload' });
  await tab.does(restore(1));
  await other.does(move('c', 500));
  await other.does(compare(1));
  await browser.clock.pass(saveAfterMs);
  expect(tab.state.save).toMatchObject({ status: 'conflict', theirVersion: 3 });
  expect(await tab.does(compare(1))).toMatchObject({ ok: false, error: { code: 'version.conflict' } });
  await tab.does({ type: 'conflict.resolve', keep: 'mine' });
  expect(server.versions.get(server.canvas.version)).toEqual(chainDocument());
});

test('G6.05 a version that is missing changes nothing, and neither does a server out of reach', async () => {
  const tab = await open();
  expect(await tab.does(restore(7))).toMatchObject({ ok: false, error: { code: 'not_found' } });
  expect(await tab.does(compare(7))).toMatchObject({ ok: false });
  server.faults.set('project.putMark', unreachable);
  expect(await tab.does({ type: 'version.mark', version: 1, name: 'One', note: '' })).toMatchObject({ ok: false });
  expect(tab.state).toMatchObject({ comparison: null, document: chainDocument() });
});

test('G6.04 the canvas as it is gets a mark once it is saved', async () => {
  const tab = await open();
  await tab.does(move('a', 900));
  expect(await tab.does({ type: 'version.mark', version: null, name: 'Now', note: '' })).toMatchObject({
    ok: true,
    value: { mark: { version: 2 } },
  });
  server.faults.set('project.patchCanvas', unreachable);
  await tab.does(move('a', 950));
  expect(await tab.does({ type: 'version.mark', version: null, name: 'Later', note: '' })).toEqual({
    ok: false,
    error: { code: 'version.unsaved' },
  });
  expect([...server.marks.keys()]).toEqual([2]);
});

test.each([
  ['project.version', restore(1)],
  ['project.compareVersions', compare(1)],
] as const)('G6.10 G6.08 an answer of %s that comes when another project is open changes nothing there', async (held, command) => {
  server.projects.push({ ...(server.projects[0] as (typeof server.projects)[number]), id: uuid(77, 8), name: 'Second' });
  const tab = await open();
  await tab.does(move('a', 900));
  await browser.clock.pass(saveAfterMs);
  const answer = server.hold(held);
  const asked = tab.engine.dispatch(command);
  await browser.clock.pass(20);
  server.projects = server.projects.slice(1);
  await tab.does({ type: 'workspace.reload' });
  expect(tab.state.project?.name).toBe('Second');
  const shown = structuredClone(tab.state.document);
  answer();
  await browser.clock.pass(20);
  expect((await asked).outcome).toEqual({ ok: false, error: { code: 'workspace.opening' } });
  expect([tab.state.document, tab.state.comparison]).toEqual([shown, null]);
});

test('G6.04 a version is not marked when the project is removed while the canvas is saved', async () => {
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(1_100);
  await tab.does(move('a', 900));
  const answer = server.hold('project.patchCanvas');
  const asked = tab.engine.dispatch({ type: 'version.mark', version: null, name: 'Good', note: '' });
  await browser.clock.pass(20);
  server.removeElsewhere(projectId);
  await browser.clock.pass(20);
  expect(tab.state.failure?.code).toBe('project.gone');
  answer();
  await browser.clock.pass(20);
  expect((await asked).outcome).toEqual({ ok: false, error: { code: 'workspace.opening' } });
  expect(server.calls).not.toContain('project.putMark');
});
