import fc from 'fast-check';
import { openDB } from 'idb';
import { beforeEach, expect, test } from 'vitest';
import type { CanvasDocument } from '../../../contract/canvas.ts';
import type { Command } from '../../../src/model/commands.ts';
import { writeCanvasText } from '../../../src/model/document/write-canvas-text.ts';
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

const undo: Command = { type: 'history.undo' };
const redo: Command = { type: 'history.redo' };
const move = (id: string, x: number, goesOn = false): Command => ({ type: 'node.move', moves: [{ id, x, y: 0 }], goesOn });
const open = () => new Tab(browser, server).open({ realtime: 'off' });

/** Reloads the page: the worker ends without a message, and a new one starts. */
async function reloaded(tab: Tab): Promise<Tab> {
  tab.die();
  return open();
}

test('R31.01 edits from before a reload are undone and redone after the reload, byte for byte', async () => {
  let tab = await open();
  await tab.does(move('a', 1));
  await tab.does({ type: 'selection.remove', nodeIds: ['b'], connectionIds: [] });
  await browser.clock.pass(saveAfterMs);
  await tab.does(move('c', 9));
  const edited = tab.state.document;
  tab = await reloaded(tab);
  expect(tab.state).toMatchObject({ document: edited, undo: { canUndo: true, canRedo: false } });
  for (let i = 0; i < 3; i++) expect(await tab.does(undo)).toMatchObject({ ok: true });
  expect(tab.state.document).toEqual(chainDocument());
  expect(tab.state.undo).toEqual({ canUndo: false, canRedo: true });

  tab = await reloaded(tab);
  expect(tab.state.undo).toEqual({ canUndo: false, canRedo: true });
  for (let i = 0; i < 3; i++) expect(await tab.does(redo)).toMatchObject({ ok: true });
  expect(tab.state.document).toEqual(edited);
  expect(await tab.does(redo)).toEqual({ ok: false, error: { code: 'redo.nothing' } });
});

test('R31.01 an edit after an undo takes the undone steps off the disk too', async () => {
  let tab = await open();
  await tab.does(move('a', 1));
  await tab.does(move('a', 2));
  await tab.does(undo);
  await tab.does(move('b', 3));
  tab = await reloaded(tab);
  expect(tab.state.undo).toEqual({ canUndo: true, canRedo: false });
  await tab.does(undo);
  await tab.does(undo);
  expect(tab.state.document).toEqual(chainDocument());
  expect(await tab.does(undo)).toEqual({ ok: false, error: { code: 'undo.nothing' } });
});

test('R31.01 a save of another tab while the page was away discards the undo', async () => {
  let tab = await open();
  await tab.does(move('a', 1));
  await browser.clock.pass(saveAfterMs);
  tab.die();
  server.saveElsewhere((canvas) => {
    canvas.nodes.b = { ...canvas.nodes.b, x: 900 } as never;
  });
  tab = await open();
  expect(tab.state.document.nodes.b?.x).toBe(900);
  expect(tab.state.undo).toEqual({ canUndo: false, canRedo: false });
  await tab.does(move('c', 4));
  tab = await reloaded(tab);
  await tab.does(undo);
  expect(tab.state.document.nodes).toMatchObject({ a: { x: 1 }, b: { x: 900 }, c: { x: 1_050 } });
  expect(tab.state.undo.canUndo).toBe(false);
});

test('R31.01 a save whose answer was lost in a reload keeps the undo', async () => {
  let tab = await open();
  await tab.does(move('a', 1));
  server.lostAnswers.add('project.patchCanvas');
  await browser.clock.pass(saveAfterMs);
  await tab.does(move('b', 2));
  server.lostAnswers.clear();
  tab = await reloaded(tab);
  expect(tab.state.undo.canUndo).toBe(true);
  await tab.does(undo);
  await tab.does(undo);
  expect(tab.state.document).toEqual(chainDocument());
});

test('R31.01 edits that waited for a connection are undone after a reload too', async () => {
  let tab = await open();
  server.faults.set('project.patchCanvas', unreachable);
  await tab.does({ type: 'node.add', nodes: [dialogNode('new', 10, 10)] });
  await browser.clock.pass(5_000);
  server.faults.clear();
  tab = await reloaded(tab);
  await tab.does(undo);
  expect(tab.state.document).toEqual(chainDocument());
});

test('R31.01 a replaced worker passes its undo to the next', async () => {
  const tab = await open();
  await tab.does(move('a', 1));
  const { recovered } = tab;
  tab.die();
  const again = await new Tab(browser, server).open({ realtime: 'off', recovered });
  await again.does(undo);
  expect(again.state.document).toEqual(chainDocument());
});

test('R31.01 asking for the project again keeps the undo', async () => {
  const tab = await open();
  await tab.does(move('a', 1));
  await tab.does({ type: 'workspace.reload' });
  expect(tab.state.undo.canUndo).toBe(true);
  await tab.does(undo);
  expect(tab.state.document).toEqual(chainDocument());
});

test('R31.01 an undo that cannot be read, or does not fit the canvas, is discarded', async () => {
  const disk = await openIdbJournals();
  const key = { userId, projectId, tabId: 'tab-1' };
  const extent = { from: 0, to: 1, position: 1 };
  const strange = { patches: [{ op: 'replace', path: ['nodes', 'a'], value: { ...chainDocument().nodes.a, x: 77 } }], inverse: [] };
  for (const kept of [
    { extent, steps: ['torn'] },
    { extent: { ...extent, position: 7 }, steps: [strange] },
    { extent, steps: [strange] },
    { extent: { from: 0, to: 2, position: 1 }, steps: [strange] },
  ]) {
    const before = await open();
    await before.does(move('a', 350));
    before.die();
    await disk.replaceUndo(key, kept);
    const tab = await open();
    expect(tab.state).toMatchObject({ status: 'ready', undo: { canUndo: false, canRedo: false } });
    tab.die();
  }
});

test('R31.01 a disk that takes writes again has the whole undo', async () => {
  let full = false;
  browser.journals = async () => {
    const journals = await openIdbJournals();
    return { ...journals, write: (...sent) => (full ? Promise.reject(new Error('QuotaExceeded')) : journals.write(...sent)) };
  };
  let tab = await open();
  await tab.does(move('a', 1));
  full = true;
  await tab.does(move('a', 2));
  full = false;
  await tab.does(move('a', 3));
  tab = await reloaded(tab);
  for (let i = 0; i < 3; i++) await tab.does(undo);
  expect(tab.state.document).toEqual(chainDocument());
});

test('R31.01 a disk of an earlier version is brought up to date, with what it held', async () => {
  const old = await openDB('artel-journal', 1, {
    upgrade(database) {
      database.createObjectStore('heads');
      database.createObjectStore('edits');
    },
  });
  const at = [userId, projectId, 'tab-1'];
  await old.put('heads', { baseVersion: 1, saving: null }, at);
  await old.put('edits', { collection: 'nodes', id: 'n', value: dialogNode('n', 1, 2), revision: 1 }, [...at, 'nodes', 'n']);
  old.close();
  let tab = await open();
  expect(tab.state.document.nodes.n).toMatchObject({ x: 1 });
  await tab.does(move('n', 5));
  tab = await reloaded(tab);
  await tab.does(undo);
  expect(tab.state.document.nodes.n).toMatchObject({ x: 1 });
});

test('W4.12 the steps of a held key are undone as one', async () => {
  let tab = await open();
  await tab.does(move('a', 1));
  await tab.does(move('a', 2, true));
  await tab.does(move('a', 3, true));
  await tab.does(move('b', 4, true));
  tab = await reloaded(tab);
  await tab.does(undo);
  expect(tab.state.document.nodes).toMatchObject({ a: { x: 3 }, b: { x: 700 } });
  await tab.does(undo);
  expect(tab.state.document).toEqual(chainDocument());
  await tab.does(redo);
  expect(tab.state.document.nodes.a?.x).toBe(3);
});

const ids = fc.constantFrom('d', 'a', 'b', 'c');
const step: fc.Arbitrary<Command | 'reload' | 'wait'> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(ids, fc.integer({ min: -500, max: 500 }), fc.boolean()).map((parts) => move(...parts)) },
  { weight: 2, arbitrary: fc.tuple(ids, ids).map(([from, to]): Command => ({ type: 'link.add', from, to })) },
  { weight: 2, arbitrary: ids.map((id): Command => ({ type: 'selection.remove', nodeIds: [id], connectionIds: [] })) },
  { weight: 1, arbitrary: fc.constant<Command>({ type: 'nodes.duplicate', nodeIds: ['d', 'a'], dx: 20, dy: 20 }) },
  {
    weight: 1,
    arbitrary: fc.constant<Command>({
      type: 'nodes.paste',
      text: writeCanvasText(chainDocument(), new Set(['a', 'b'])),
      at: { x: 0, y: 900 },
    }),
  },
  { weight: 3, arbitrary: fc.constantFrom(undo, redo) },
  { weight: 3, arbitrary: fc.constantFrom('reload' as const, 'wait' as const) },
);

/** The document with the titles of its agents: a redo makes those of copied cards again, with other ids. */
function withAgents({ document: { nodes, connections }, agents }: Tab['state']): CanvasDocument {
  const named = Object.entries(nodes).map(([id, node]) => {
    const agent = agents.byId[node.serverAgentId ?? ''];
    return [id, agent ? { ...node, serverAgentId: agent.title } : node] as const;
  });
  return { nodes: Object.fromEntries(named), connections };
}

test('R31.01 after any edits and any reloads all of them can be undone and redone to the byte', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      browser = freshBrowser();
      server = new FakeServer(chainDocument());
      let tab = await open();
      for (const next of steps) {
        if (next === 'reload') tab = await reloaded(tab);
        else if (next === 'wait') await browser.clock.pass(saveAfterMs);
        else await tab.does(next);
      }
      while ((await tab.does(redo)).ok);
      const { document } = tab.state;
      const last = withAgents(tab.state);
      tab = await reloaded(tab);
      expect(tab.state.document).toEqual(document);
      let count = 0;
      while ((await tab.does(undo)).ok) count += 1;
      expect(tab.state.document).toEqual(chainDocument());
      tab = await reloaded(tab);
      for (; count > 0; count--) expect(await tab.does(redo)).toMatchObject({ ok: true });
      expect(withAgents(tab.state)).toEqual(last);
    }),
    { numRuns: 40 },
  );
});
