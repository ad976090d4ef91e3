import { beforeEach, expect, test } from 'vitest';
import type { Agent } from '../../../contract/agent.ts';
import { saveAfterMs } from '../../../src/workers/engine/persistence/autosave.ts';
import { canvasPollMs, canvasPollWithSocketMs } from '../../../src/workers/engine/persistence/poll-canvas-version.ts';
import { FakeServer } from '../../support/engine/fake-server/fake-server.ts';
import { freshBrowser } from '../../support/engine/fresh-browser.ts';
import { agentNode, chainDocument, dialogNode, documentOf, link, team } from '../../support/engine/samples.ts';
import { type Browser, Tab } from '../../support/engine/tab.ts';

let browser: Browser;
let server: FakeServer;

beforeEach(() => {
  browser = freshBrowser();
  server = new FakeServer(chainDocument());
});

const send = { type: 'dialog.send', nodeId: 'd', text: 'Build it' } as const;
const moveElsewhere = () =>
  server.saveElsewhere((canvas) => {
    canvas.nodes.b = { ...(canvas.nodes.b as object), x: 900 } as never;
  });
const removeElsewhere = () =>
  server.saveElsewhere((canvas) => {
    delete canvas.nodes.c;
    delete canvas.connections['conn-b-c'];
  });

test('G8.31 without a socket an idle tab shows what another tab has saved after one poll', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  moveElsewhere();
  await browser.clock.pass(canvasPollMs);
  expect(tab.state.document.nodes.b?.x).toBe(900);
  expect(tab.state.save).toEqual({ status: 'saved', version: 2 });
});

test('G8.31 a socket that is open and silent hides no change for longer than a minute', async () => {
  const tab = await new Tab(browser, server).open();
  await browser.clock.pass(1_100);
  server.listeners.clear();
  moveElsewhere();
  await browser.clock.pass(canvasPollWithSocketMs + canvasPollMs);
  expect(tab.state.document.nodes.b?.x).toBe(900);
});

test('G8.31 the version is read at intervals, the canvas only when it is a newer one', async () => {
  await new Tab(browser, server).open({ realtime: 'off' });
  server.calls.length = 0;
  await browser.clock.pass(3 * canvasPollMs);
  expect(server.calls.filter((name) => name === 'project.get')).toHaveLength(3);
  expect(server.calls).not.toContain('project.canvas');
});

test('G8.31 a start on a canvas that another tab has changed is refused, and the page then shows that canvas', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  removeElsewhere();
  expect(await tab.does(send)).toEqual({ ok: false, error: { code: 'run.canvasChanged' } });
  expect(server.runs).toEqual([]);
  expect(server.pipelines.size).toBe(0);
  expect(tab.state.document.nodes.c).toBeUndefined();
  expect(tab.lines).toEqual(['run.canvasChanged', 'run.stoppedByErrors']);
  expect((await tab.does(send)).ok).toBe(true);
  expect(server.runs[0]?.steps).toHaveLength(2);
});

test('G8.31 a start goes on where the newer canvas makes the same run', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  moveElsewhere();
  expect((await tab.does(send)).ok).toBe(true);
  expect(server.runs).toHaveLength(1);
  expect(tab.state.document.nodes.b?.x).toBe(900);
});

test('G8.31 a start saves the edits of its own tab first', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await tab.does({ type: 'node.move', moves: [{ id: 'a', x: 5, y: 0 }] });
  expect((await tab.does(send)).ok).toBe(true);
  expect(server.canvas.nodes.a?.x).toBe(5);
  expect(server.runs).toHaveLength(1);
});

test('G8.31 a start waits for the choice between two canvases', async () => {
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await tab.does({ type: 'node.move', moves: [{ id: 'a', x: 5, y: 0 }] });
  removeElsewhere();
  await browser.clock.pass(saveAfterMs);
  expect(await tab.does(send)).toEqual({ ok: false, error: { code: 'run.canvasConflict' } });
  expect(server.runs).toEqual([]);
  await tab.does({ type: 'conflict.resolve', keep: 'theirs' });
  expect((await tab.does(send)).ok).toBe(true);
});

test('G8.31 a message that is queued on a changed canvas is refused', async () => {
  const [first, second, third] = team as [Agent, Agent, Agent];
  const nodes = [dialogNode('d', 0, 0), agentNode('a', first, 350, 0), dialogNode('e', 0, 600), agentNode('c', third, 350, 600)];
  server = new FakeServer(documentOf(nodes, [link('d', 'a'), link('e', 'c')]));
  const tab = await new Tab(browser, server).open({ realtime: 'off' });
  await tab.does(send);
  server.saveElsewhere((canvas) => {
    canvas.nodes.c = agentNode('c', second, 350, 600);
  });
  expect(await tab.does({ ...send, nodeId: 'e' })).toEqual({ ok: false, error: { code: 'run.canvasChanged' } });
  expect(server.runs).toHaveLength(1);
  expect((await tab.does({ ...send, nodeId: 'e' })).ok).toBe(true);
  expect(server.runs[1]?.steps).toMatchObject([{ agentId: second.id }]);
});
