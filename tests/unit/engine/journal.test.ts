import { beforeEach, expect, test } from 'vitest';
import type { Journals } from '../../../src/workers/engine/environment/environment.ts';
import { saveAfterMs } from '../../../src/workers/engine/persistence/autosave.ts';
import { openIdbJournals } from '../../../src/workers/engine/persistence/idb-journals.ts';
import { unreachable } from '../../support/engine/fake-server/answers.ts';
import { FakeServer } from '../../support/engine/fake-server/fake-server.ts';
import { freshBrowser } from '../../support/engine/fresh-browser.ts';
import { chainDocument, dialogNode, projectId, userId } from '../../support/engine/samples.ts';
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

test('R31.01 an edit is in the journal at once and on the server a moment later, with one save for edits at the same time', async () => {
  const tab = await new Tab(browser, server).open();
  await tab.does(move('a', 1) as never);
  await tab.does(move('b', 2) as never);
  await tab.does(move('a', 3) as never);
  expect((await edits()).map(({ id, value }) => [id, (value as { x: number }).x])).toEqual([
    ['a', 3],
    ['b', 2],
  ]);
  expect(tab.state.save.status).toBe('pending');
  expect(server.saves).toEqual([]);

  await browser.clock.pass(saveAfterMs);
  expect(server.saves).toHaveLength(1);
  expect(server.saves[0]).toMatchObject({ baseVersion: 1, writer: 'tab-1' });
  expect(server.canvas.nodes).toMatchObject({ a: { x: 3 }, b: { x: 2 } });
  expect(tab.state.save).toEqual({ status: 'saved', version: 2 });
  expect(await edits()).toEqual([]);
});

test('R31.01 edits of a dead tab are taken over by the next one', async () => {
  const dead = await new Tab(browser, server, 'old').open();
  await dead.does(move('a', 77) as never);
  dead.die();

  const tab = await new Tab(browser, server, 'new').open();
  expect(tab.state.document.nodes.a?.x).toBe(77);
  await browser.clock.pass(saveAfterMs);
  expect(server.canvas.nodes.a?.x).toBe(77);
  expect(await edits()).toEqual([]);
  expect((await journals()).map(({ key }) => key.tabId)).toEqual(['new']);
});

test('R31.01 edits of a live tab are not taken over', async () => {
  const first = await new Tab(browser, server, 'one').open();
  server.faults.set('project.patchCanvas', unreachable);
  await first.does(move('a', 5) as never);
  const second = await new Tab(browser, server, 'two').open();
  expect(second.state.document.nodes.a?.x).toBe(350);
  expect((await edits()).map(({ id }) => id)).toEqual(['a']);
});

test('R31.01 a worker that dies loses nothing: its successor is handed the document', async () => {
  const denied: () => Promise<Journals> = () => Promise.reject(new Error('denied'));
  browser.journals = denied;
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await tab.does({ type: 'node.add', nodes: [dialogNode('new', 10, 10)] });
  tab.die();
  const again = await new Tab(browser, server).open({ realtime: 'off', recovered: tab.recovered });
  expect(again.state.document.nodes.new).toMatchObject({ x: 10 });
  expect(again.state.notices.map(({ code }) => code)).toContain('engine.restarted');
  await browser.clock.pass(saveAfterMs);
  expect(server.canvas.nodes.new).toMatchObject({ x: 10 });
});

test('R31.01 with denied storage the page is notified and edits still reach the server', async () => {
  browser.journals = () => Promise.reject(new Error('denied'));
  const tab = await new Tab(browser, server).open();
  expect(tab.state.save).toMatchObject({ status: 'failed', error: { code: 'journal.denied' } });
  expect(tab.state.notices.map(({ code }) => code)).toEqual(['journal.denied']);
  await tab.does(move('a', 5) as never);
  await browser.clock.pass(saveAfterMs);
  expect(server.canvas.nodes.a?.x).toBe(5);
});

test('R31.01 a journal that stops accepting writes is reported, and edits still reach the server', async () => {
  let full = false;
  browser.journals = async () => {
    const journals = await openIdbJournals();
    return { ...journals, write: (...sent) => (full ? Promise.reject(new Error('QuotaExceeded')) : journals.write(...sent)) };
  };
  const tab = await new Tab(browser, server).open();
  full = true;
  await tab.does(move('a', 5) as never);
  expect(tab.state.notices.map(({ code }) => code)).toEqual(['journal.denied']);
  await browser.clock.pass(saveAfterMs);
  expect(server.canvas.nodes.a?.x).toBe(5);
});

test('R31.01 a duplicated tab gets a journal of its own', async () => {
  const first = await new Tab(browser, server, 'same').open();
  const second = await new Tab(browser, server, 'same').open();
  await first.does(move('a', 5) as never);
  await second.does(move('b', 6) as never);
  expect(new Set((await journals()).map(({ key }) => key.tabId)).size).toBe(2);
});

test('R31.01 a page’s edits from before its worker died are applied to the canvas once, and not again at a reload', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await tab.does(move('a', 5) as never);
  tab.die();
  const again = await new Tab(browser, server).open({ realtime: 'off', recovered: tab.recovered });
  await browser.clock.pass(saveAfterMs);
  expect(again.state.document.nodes.a?.x).toBe(5);
  await again.does(move('a', 6) as never);
  await browser.clock.pass(saveAfterMs);
  await again.does({ type: 'workspace.reload' });
  await browser.clock.pass(saveAfterMs);
  expect(again.state.document.nodes.a?.x).toBe(6);
  expect(server.canvas.nodes.a?.x).toBe(6);
  expect(again.state.save.status).toBe('saved');
});

test('R31.01 a damaged journal does not keep the project closed, and what can be read of it counts', async () => {
  const dead = await new Tab(browser, server, 'old').open({ realtime: 'off' });
  await dead.does(move('a', 77) as never);
  dead.die();
  const disk = await openIdbJournals();
  const key = { userId, projectId, tabId: 'old' };
  const torn = [
    { collection: 'connections', id: 'torn', value: { id: 'torn' }, revision: 9 } as const,
    { collection: 'nodes', id: 'odd', value: 'x', revision: 9 } as const,
  ];
  await disk.write(key, { baseVersion: 1, saving: null }, torn, null);
  const sound = { collection: 'nodes', id: 'n', value: dialogNode('n', 1, 2), revision: 1 } as const;
  await disk.write({ ...key, tabId: 'headless' }, undefined as never, [sound], null);
  const tab = await new Tab(browser, server, 'new').open({ realtime: 'off' });
  expect(tab.state.status).toBe('ready');
  expect(tab.state.document.nodes).toMatchObject({ a: { x: 77 }, n: { x: 1 } });
  expect(tab.state.document.connections.torn).toBeUndefined();
  expect(tab.state.document.nodes.odd).toBeUndefined();
});

test('R31.01 one of two tabs that open after a crash takes the journal over', async () => {
  const dead = await new Tab(browser, server, 'old').open({ realtime: 'off' });
  await dead.does(move('a', 77) as never);
  dead.die();
  const tabs = [new Tab(browser, server, 'one'), new Tab(browser, server, 'two')];
  await Promise.all(tabs.map((tab) => tab.open()));
  await browser.clock.pass(2_000);
  expect(server.saves).toHaveLength(1);
  expect(server.canvas.nodes.a?.x).toBe(77);
  expect(tabs.map((tab) => [tab.state.status, tab.state.save.status, tab.state.document.nodes.a?.x])).toEqual([
    ['ready', 'saved', 77],
    ['ready', 'saved', 77],
  ]);
});

test('R31.01 a journal that cannot be read is not written over', async () => {
  const dead = await new Tab(browser, server).open({ realtime: 'off' });
  await dead.does(move('a', 77) as never);
  dead.die();
  browser.journals = async () => ({ ...(await openIdbJournals()), read: () => Promise.reject(new Error('A bad day')) });
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  expect(tab.state.save).toMatchObject({ status: 'failed' });
  tab.die();
  browser.journals = () => openIdbJournals();
  const again = await new Tab(browser, server).open({ realtime: 'off' });
  expect(again.state.document.nodes.a?.x).toBe(77);
});

test('R31.01 a journal that takes writes again has what it missed, and the warning goes', async () => {
  let full = false;
  browser.journals = async () => {
    const disk = await openIdbJournals();
    return { ...disk, write: (...sent) => (full ? Promise.reject(new Error('QuotaExceeded')) : disk.write(...sent)) };
  };
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  server.faults.set('project.patchCanvas', unreachable);
  full = true;
  await tab.does(move('a', 5) as never);
  full = false;
  await tab.does(move('b', 6) as never);
  expect((await edits()).map(({ id }) => id)).toEqual(['a', 'b']);
  expect(tab.state.notices).toEqual([]);
});

test('R31.01 opening again keeps unsaved edits, also without a journal', async () => {
  browser.journals = () => Promise.reject(new Error('denied'));
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  server.faults.set('project.patchCanvas', unreachable);
  await tab.does(move('a', 5) as never);
  await tab.does({ type: 'workspace.reload' });
  expect(tab.state.document.nodes.a?.x).toBe(5);
  server.faults.clear();
  await browser.clock.pass(saveAfterMs);
  expect(server.canvas.nodes.a?.x).toBe(5);
  expect(tab.state.notices.map(({ code }) => code)).not.toContain('engine.restarted');
});
