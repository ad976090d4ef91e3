import { expect } from 'playwright/test';
import type { LinkSettings } from '../../../contract/executions/run-graph.ts';
import { test } from '../../support/browser/browser-test.ts';
import { translate } from '../../support/browser/translate.ts';
import type { Drawing } from '../../support/drawings/drawing.ts';
import { DrawingBoard, sorted } from '../../support/drawings/drawing-board.ts';
import { drawings } from '../../support/drawings/drawings.ts';

const named = (name: string) => drawings.find((drawing) => drawing.name === name) as Drawing;
const hasOnlyAgents = ({ cards, lists }: Drawing) =>
  !lists && Object.values(cards).every(({ kind }) => kind === 'agent' || kind === 'dialog');

async function draw(board: DrawingBoard, drawing: Drawing): Promise<void> {
  await board.show(drawing);
  for (const [from, to] of drawing.links) await board.link(from, to);
}

test('D1.41 a mouse draws the links of the drawings, and those that lead back are review loops', { tag: '@rest' }, async ({ page }) => {
  const board = await new DrawingBoard(page).open();
  const plain = drawings.filter((drawing) => !drawing.isOld && !drawing.flow && hasOnlyAgents(drawing));
  expect(plain.length).toBe(12);
  for (const drawing of plain) {
    await draw(board, drawing);
    const drawn = drawing.links.map(([from, to, run]) =>
      run?.maxRounds ? ([from, to, { maxRounds: 3 }] as const) : ([from, to] as const),
    );
    await expect.poll(() => board.links(), drawing.name).toEqual(sorted(drawn));
  }
});

test('D1.41 choices, links for failures, loops, lists and people are drawn by hand as the drawings have them', {
  tag: '@rest-nightly',
}, async ({ page }) => {
  const board = await new DrawingBoard(page).open();
  for (const name of ['a choice', 'a link for a failure', 'a review loop']) {
    const drawing = named(name);
    await draw(board, drawing);
    for (const [from, to, run] of drawing.links) if (run) await board.setTaken(from, to, run);
    await expect.poll(() => board.links(), name).toEqual(sorted(drawing.links));
  }
  const list = named('a group that works through a list');
  await draw(board, list);
  await board.makeList('worker');
  await expect.poll(() => board.links()).toEqual(sorted(list.links));
  await expect
    .poll(async () => Object.values((await board.document()).nodes).flatMap(({ forEach }) => forEach ?? []))
    .toEqual([{ onFailure: 'stop' }]);

  const asking = named('a person who is asked');
  await board.show(asking);
  await board.link('task', 'writer');
  const anna = await board.linkToNew('writer', { x: 800, y: 400 }, translate('ru', 'workspace', 'user.tester'));
  await board.link(anna, 'editor');
  const idOf = (card: string) => (card === 'Anna' ? anna : card);
  const buttons: Record<string, string> = { Approve: 'case.approve', Change: 'case.change' };
  const inRussian = ({ label = '', ...run }: LinkSettings) => ({
    ...run,
    label: translate('ru', 'content/nodes', buttons[label] ?? label),
  });
  const drawn = asking.links.map(([from, to, run]) =>
    run ? ([idOf(from), idOf(to), inRussian(run)] as const) : ([idOf(from), idOf(to)] as const),
  );
  await expect.poll(() => board.links()).toEqual(sorted(drawn));
});
