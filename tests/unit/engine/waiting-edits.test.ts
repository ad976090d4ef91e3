import { beforeEach, expect, test } from 'vitest';
import type { Command } from '../../../src/model/commands.ts';
import { saveAfterMs } from '../../../src/workers/engine/persistence/autosave.ts';
import { pollMs } from '../../../src/workers/engine/run/run-follower.ts';
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

const undo: Command = { type: 'history.undo' };
const flow: Command = { type: 'node.place', item: { kind: 'flow', templateId: 'quick-fix' } };
const pattern: Command = { type: 'pattern.place', patternId: 'review' };
const align: Command = { type: 'nodes.align', nodeIds: ['a', 'b', 'c'], folded: [], to: 'left' };
const move = (id: string, x: number): Command => ({ type: 'node.move', moves: [{ id, x, y: 0 }] });

/** Gives commands without a wait between them, as quick presses of keys do. */
async function pressed(...commands: Command[]) {
  const replies = commands.map((command) => tab.engine.dispatch(structuredClone(command)));
  await browser.clock.pass(200);
  const outcomes = await Promise.all(replies);
  // The parts are loaded in real time, and their changes reach the page after that.
  await browser.clock.pass(20);
  return outcomes.map(({ outcome }) => (outcome.ok ? 'ok' : outcome.error.code));
}

/** Makes the next flow need copies of agents, and holds the answer to the first of them. */
async function heldCopies(command: Command) {
  await tab.does(flow);
  const agents = server.agents.length;
  const before = structuredClone(tab.state.document);
  const release = server.hold('agent.createMany');
  const placing = tab.engine.dispatch(structuredClone(command));
  await browser.clock.pass(20);
  return { agents, before, placing, release };
}

test.each([align, pattern, { type: 'nodes.disable', nodeIds: ['a'] } satisfies Command])(
  'R31.01 an undo that is pressed while $type is loaded undoes that edit, and not the edit before',
  async (command) => {
    await tab.does(move('a', 70));
    const before = structuredClone(tab.state.document);
    expect(await pressed(command, undo)).toEqual(['ok', 'ok']);
    expect(tab.state.document).toEqual(before);
    expect(await pressed(undo)).toEqual(['ok']);
    expect(tab.state.document).toEqual(chainDocument());
  },
);

test('R31.01 edits are made in the order of their calls, also behind an edit that is still loaded', async () => {
  expect(await pressed(align, move('a', 5_000))).toEqual(['ok', 'ok']);
  const { a, b, c } = tab.state.document.nodes;
  expect([a?.x, b?.x === c?.x]).toEqual([5_000, true]);
  expect(await pressed(undo)).toEqual(['ok']);
  expect(tab.state.document.nodes.a?.x).toBe(b?.x);
});

test('R31.01 while the first edit of a canvas is loaded, an undo is offered already', async () => {
  await tab.does(flow);
  await browser.clock.pass(saveAfterMs);
  tab = await new Tab(freshBrowser(), server).open({ realtime: 'off' });
  expect(tab.state.undo.canUndo).toBe(false);
  const before = structuredClone(tab.state.document);
  const release = server.hold('agent.createMany');
  const placing = tab.engine.dispatch(flow);
  await browser.clock.pass(20);
  expect(tab.state.undo).toEqual({ canUndo: true, canRedo: false });
  release();
  await browser.clock.pass(100);
  await placing;
  await tab.does(undo);
  expect(tab.state.document).toEqual(before);
  expect(tab.state.undo).toEqual({ canUndo: false, canRedo: true });
});

test('D1.08 copies of agents are removed again where a run goes on meanwhile, and an undo behind them does nothing and says so', async () => {
  await pauseRun();
  const { agents, before, placing, release } = await heldCopies(flow);
  const undone = tab.engine.dispatch(undo);
  await tab.does({ type: 'run.resume' });
  release();
  await browser.clock.pass(200);
  expect((await placing).outcome).toMatchObject({ ok: false, error: { code: 'run.locked' } });
  expect((await undone).outcome).toMatchObject({ ok: false, error: { code: 'undo.afterFailed' } });
  expect(tab.state.document).toEqual(before);
  expect(server.agents).toHaveLength(agents);
  expect(tab.state.agents.order).toHaveLength(agents);
  expect(tab.state.notices.map(({ code }) => code).filter((code) => code !== 'flow.copied')).toEqual(['run.locked', 'undo.afterFailed']);
});

test('D1.08 copies that cannot be removed again are named', async () => {
  await pauseRun();
  const { agents, placing, release } = await heldCopies(flow);
  server.faults.set('agent.removeUnused', { ...unreachable, kind: 'refused' });
  await tab.does({ type: 'run.resume' });
  release();
  await browser.clock.pass(200);
  expect((await placing).outcome.ok).toBe(false);
  expect(server.agents).toHaveLength(agents + 3);
  expect(tab.state.notices.filter(({ code }) => code === 'flow.copied')).toHaveLength(1);
});

test('D1.08 a redo that a run locks meanwhile removes its copies again, and is whole when it is pressed later', async () => {
  await tab.does(flow);
  await tab.does(flow);
  const [agents, placed] = [server.agents.length, structuredClone(tab.state.document)];
  await tab.does(undo);
  await browser.clock.pass(20);
  await pauseRun();
  const release = server.hold('agent.createMany');
  const redone = tab.engine.dispatch({ type: 'history.redo' });
  await browser.clock.pass(20);
  await tab.does({ type: 'run.resume' });
  release();
  await browser.clock.pass(200);
  expect((await redone).outcome).toMatchObject({ ok: false, error: { code: 'run.locked' } });
  expect(server.agents).toHaveLength(agents - 3);
  await pauseRun();
  expect(await tab.does({ type: 'history.redo' })).toMatchObject({ ok: true });
  expect(server.agents).toHaveLength(agents);
  expect(Object.keys(tab.state.document.nodes)).toEqual(Object.keys(placed.nodes));
});

test('D1.08 a run that is started behind an edit which is loaded has that edit', async () => {
  const replies = [flow, { type: 'dialog.send', nodeId: 'd', text: 'Build a shop' } as const].map((one) => tab.engine.dispatch(one));
  await browser.clock.pass(200);
  for (const reply of replies) expect((await reply).outcome).toMatchObject({ ok: true });
  expect(server.runs).toHaveLength(1);
  expect(Object.keys(server.canvas.nodes)).toHaveLength(Object.keys(tab.state.document.nodes).length);
});

async function pauseRun(): Promise<void> {
  if (server.runs.length === 0) await tab.does({ type: 'dialog.send', nodeId: 'd', text: 'Build a shop' });
  server.emit(server.runs[0] as never, 'execution.paused', { status: 'paused' });
  await browser.clock.pass(pollMs);
  expect(tab.state.run.phase).toBe('paused');
}
