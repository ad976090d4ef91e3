import { beforeEach, expect, test } from 'vitest';
import { saveAfterMs } from '../../../src/workers/engine/persistence/autosave.ts';
import { openIdbJournals } from '../../../src/workers/engine/persistence/idb-journals.ts';
import { noticeMs } from '../../../src/workers/engine/store/notices.ts';
import { FakeServer } from '../../support/engine/fake-server/fake-server.ts';
import { freshBrowser } from '../../support/engine/fresh-browser.ts';
import { chainDocument, projectId, userId } from '../../support/engine/samples.ts';
import { type Browser, Tab } from '../../support/engine/tab.ts';

let browser: Browser;
let server: FakeServer;

beforeEach(() => {
  browser = freshBrowser();
  server = new FakeServer(chainDocument());
});

const move = (id: string, x: number, y = 0) => ({ type: 'node.move', moves: [{ id, x, y }] }) as const;
const journals = async () => (await openIdbJournals()).read(userId, projectId);
const edits = async () => (await journals()).flatMap((journal) => journal.edits);

test('R31.01 a reload between a save and its lost answer is no conflict', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  server.lostAnswers.add('project.patchCanvas');
  await tab.does(move('a', 5) as never);
  await browser.clock.pass(saveAfterMs);
  await tab.does(move('b', 6) as never);
  tab.die();
  server.lostAnswers.clear();

  const again = await new Tab(browser, server).open({ realtime: 'off' });
  await browser.clock.pass(saveAfterMs);
  expect(again.state.save).toEqual({ status: 'saved', version: 3 });
  expect(server.canvas.nodes).toMatchObject({ a: { x: 5 }, b: { x: 6 } });
  expect(server.saves).toHaveLength(2);
});

test('R31.01 D6.06 a tab without unsaved edits takes what another one saved, and keeps the undo of what stands apart from it', async () => {
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(1_100);
  await tab.does(move('b', 9) as never);
  await browser.clock.pass(saveAfterMs);
  expect(tab.state.undo.canUndo).toBe(true);
  server.saveElsewhere((canvas) => {
    canvas.nodes.a = { ...(canvas.nodes.a as object), x: 500 } as never;
    delete canvas.connections['conn-d-a'];
  });
  await browser.clock.pass(50);
  expect(tab.state.document.nodes.a?.x).toBe(500);
  expect(tab.state.document.connections['conn-d-a']).toBeUndefined();
  expect(tab.state.save).toEqual({ status: 'saved', version: 3 });
  expect(tab.state.undo.canUndo).toBe(true);
  expect(tab.state.notices).toEqual([]);
  tab.die();
  const again = await new Tab(browser, server).open();
  await browser.clock.pass(1_100);
  expect(again.state.undo.canUndo).toBe(true);
  const before = structuredClone(again.state.document.nodes.b);
  await again.does({ type: 'history.undo' } as never);
  await browser.clock.pass(saveAfterMs);
  expect(again.state.document.nodes.b?.x).not.toBe(before?.x);
  expect(again.state.document.nodes.a?.x).toBe(500);
  expect(server.canvas.nodes.a?.x).toBe(500);
});

test('R31.01 D6.06 a change of another tab to the same cards, or to links at them, ends the undo and says so', async () => {
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(1_100);
  for (const theirs of ['node', 'link'] as const) {
    await tab.does(move('b', theirs === 'node' ? 9 : 19) as never);
    await browser.clock.pass(saveAfterMs);
    expect(tab.state.undo.canUndo).toBe(true);
    server.saveElsewhere((canvas) => {
      if (theirs === 'node') canvas.nodes.b = { ...(canvas.nodes.b as object), x: 700 } as never;
      else delete canvas.connections['conn-a-b'];
    });
    await browser.clock.pass(50);
    expect(tab.state.undo.canUndo).toBe(false);
    expect(tab.state.notices.map(({ code }) => code)).toEqual(['undo.lost']);
    await browser.clock.pass(noticeMs);
  }
  server.saveElsewhere((canvas) => {
    canvas.nodes.b = { ...(canvas.nodes.b as object), x: 800 } as never;
  });
  await browser.clock.pass(50);
  expect(tab.state.notices).toEqual([]);
});

test('R31.01 a stale save offers both versions, and taking theirs takes the canvas of the server', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await tab.does(move('a', 5) as never);
  server.saveElsewhere((canvas) => {
    canvas.nodes.b = { ...(canvas.nodes.b as object), x: 900 } as never;
  });
  await browser.clock.pass(saveAfterMs);
  expect(tab.state.save).toEqual({ status: 'conflict', version: 1, theirVersion: 2 });
  expect(tab.state.document.nodes).toMatchObject({ a: { x: 5 }, b: { x: 700 } });

  await tab.does({ type: 'conflict.resolve', keep: 'theirs' });
  expect(tab.state.document.nodes).toMatchObject({ a: { x: 350 }, b: { x: 900 } });
  expect(tab.state.save).toEqual({ status: 'saved', version: 2 });
  expect(await edits()).toEqual([]);
});

test('R31.01 keeping mine puts this canvas over theirs, edits made meanwhile included', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await tab.does(move('a', 5) as never);
  server.saveElsewhere((canvas) => {
    delete canvas.nodes.c;
    delete canvas.connections['conn-b-c'];
  });
  await browser.clock.pass(saveAfterMs);
  await tab.does(move('b', 6) as never);
  expect(tab.state.save.status).toBe('conflict');
  await tab.does({ type: 'conflict.resolve', keep: 'mine' });
  await browser.clock.pass(saveAfterMs);
  expect(tab.state.save).toEqual({ status: 'saved', version: 3 });
  expect(server.canvas.nodes).toMatchObject({ a: { x: 5 }, b: { x: 6 }, c: { x: 1_050 } });
});

test('R31.01 a conflict outlives a reload', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await tab.does(move('a', 5) as never);
  server.saveElsewhere((canvas) => {
    canvas.nodes.b = { ...(canvas.nodes.b as object), x: 900 } as never;
  });
  await browser.clock.pass(saveAfterMs);
  tab.die();
  const again = await new Tab(browser, server).open({ realtime: 'off' });
  expect(again.state.save).toMatchObject({ status: 'conflict', theirVersion: 2 });
  expect(again.state.document.nodes).toMatchObject({ a: { x: 5 }, b: { x: 700 } });
  expect(server.canvas.nodes).toMatchObject({ a: { x: 350 }, b: { x: 900 } });
});

test('R31.01 the user’s own version in a conflict is the same after a reload, with links to cards that the other version removed', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await tab.does({ type: 'link.add', from: 'a', to: 'c' });
  server.saveElsewhere((canvas) => {
    delete canvas.nodes.c;
    delete canvas.connections['conn-b-c'];
  });
  await browser.clock.pass(saveAfterMs);
  const mine = tab.state.document;
  tab.die();
  const again = await new Tab(browser, server).open({ realtime: 'off' });
  expect(again.state.save.status).toBe('conflict');
  expect(again.state.document).toEqual(mine);
  await again.does({ type: 'conflict.resolve', keep: 'mine' });
  expect(server.canvas).toMatchObject(mine);
});

test('R31.01 a conflict that is settled twice at a time is settled once', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await tab.does(move('a', 5) as never);
  server.saveElsewhere((canvas) => {
    canvas.nodes.b = { ...(canvas.nodes.b as object), x: 900 } as never;
  });
  await browser.clock.pass(saveAfterMs);
  const keep = { type: 'conflict.resolve', keep: 'mine' } as const;
  const answers = await Promise.all([tab.does(keep), tab.does(keep)]);
  expect(answers.map(({ ok }) => ok)).toEqual([true, true]);
  expect(server.calls.filter((call) => call === 'project.putCanvas')).toHaveLength(1);
});

test('R31.01 a save of another tab during a save of this tab is applied afterwards', async () => {
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(1_100);
  const answer = server.hold('project.patchCanvas');
  await tab.does(move('a', 5) as never);
  await browser.clock.pass(saveAfterMs);
  server.saveElsewhere((canvas) => {
    canvas.nodes.b = { ...(canvas.nodes.b as object), x: 900 } as never;
  });
  await browser.clock.pass(20);
  answer();
  await browser.clock.pass(50);
  expect(tab.state.document.nodes).toMatchObject({ a: { x: 5 }, b: { x: 900 } });
  expect(tab.state.save).toEqual({ status: 'saved', version: 3 });
});

test('R31.01 a save of another tab while its earlier version is being read is applied too, and the next edit is no conflict', async () => {
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(1_100);
  const moveElsewhere = (x: number) =>
    server.saveElsewhere((canvas) => {
      canvas.nodes.b = { ...(canvas.nodes.b as object), x } as never;
    });
  const answer = server.hold('project.canvas');
  moveElsewhere(800);
  await browser.clock.pass(20);
  moveElsewhere(900);
  await browser.clock.pass(20);
  answer();
  await browser.clock.pass(50);
  expect(tab.state.document.nodes.b?.x).toBe(900);
  expect(tab.state.save).toEqual({ status: 'saved', version: 3 });
  await tab.does(move('a', 5) as never);
  await browser.clock.pass(saveAfterMs);
  expect(tab.state.save).toEqual({ status: 'saved', version: 4 });
});

test('R31.01 a tab that slept for hours opens its socket anew and takes what was saved meanwhile', async () => {
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(1_100);
  server.listeners.clear();
  server.saveElsewhere((canvas) => {
    canvas.nodes.b = { ...(canvas.nodes.b as object), x: 900 } as never;
    canvas.nodes.d = { ...(canvas.nodes.d as object), goal: '' } as never;
  });
  browser.clock.sleep(4 * 3_600_000);
  await browser.clock.pass(20_000);
  expect(tab.sockets).toHaveLength(2);
  expect(tab.state.document.nodes.b?.x).toBe(900);
  expect(tab.state.validation).toContainEqual(expect.objectContaining({ code: 'dialog.goalMissing', nodeId: 'd' }));
  expect(tab.state.validation).toEqual((await new Tab(browser, server, 'fresh').open()).state.validation);
  expect(tab.state.save).toEqual({ status: 'saved', version: 2 });
});

test('R31.01 edits of a worker that died without a journal become a conflict when another tab saved meanwhile', async () => {
  browser.journals = () => Promise.reject(new Error('denied'));
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await tab.does(move('a', 5) as never);
  tab.die();
  server.saveElsewhere((canvas) => {
    canvas.nodes.b = { ...(canvas.nodes.b as object), x: 900 } as never;
  });
  const again = await new Tab(browser, server).open({ realtime: 'off', recovered: tab.recovered });
  expect(again.state.save).toMatchObject({ status: 'conflict', theirVersion: 2 });
  expect(again.state.document.nodes).toMatchObject({ a: { x: 5 }, b: { x: 700 } });
});
