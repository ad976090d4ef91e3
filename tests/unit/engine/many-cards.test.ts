import { expect, test } from 'vitest';
import type { Command } from '../../../src/model/commands.ts';
import { FakeServer } from '../../support/engine/fake-server/fake-server.ts';
import { freshBrowser } from '../../support/engine/fresh-browser.ts';
import { chainDocument } from '../../support/engine/samples.ts';
import { Tab } from '../../support/engine/tab.ts';

const nodeIds = ['d', 'a', 'b', 'c'];
const commands: Command[] = [
  { type: 'nodes.set', nodeIds, changes: { onFailure: 'goOn' } },
  { type: 'nodes.disable', nodeIds },
  { type: 'nodes.align', nodeIds, folded: [], to: 'top' },
  { type: 'nodes.distribute', nodeIds, folded: [], along: 'horizontally' },
];

test('D4.22 D4.23 each command on many cards is one undo, is saved, and is locked by a run at work', async () => {
  const browser = freshBrowser();
  const server = new FakeServer(chainDocument());
  const tab = await new Tab(browser, server).open();
  await tab.does({ type: 'node.move', moves: [{ id: 'b', x: 900, y: 77 }] });
  for (const command of commands) {
    const before = structuredClone(tab.state.document);
    expect(await tab.does(command)).toMatchObject({ ok: true });
    expect([command.type, tab.state.document]).not.toEqual([command.type, before]);
    await tab.does({ type: 'history.undo' });
    expect(tab.state.document).toEqual(before);
  }
  await tab.does({ type: 'nodes.disable', nodeIds: ['c'] });
  await browser.clock.pass(10_000);
  expect(server.canvas.nodes.c?.disabled).toBe(true);
  await tab.does({ type: 'dialog.send', nodeId: 'd', text: 'Build a shop' });
  for (const command of commands) expect(await tab.does(command)).toMatchObject({ ok: false, error: { code: 'run.locked' } });
});
