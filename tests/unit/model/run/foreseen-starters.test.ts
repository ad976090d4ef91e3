import { expect, test } from 'vitest';
import { countNodes } from '../../../../src/app/workspace/frame/node-counts.ts';
import { startChoice } from '../../../../src/app/workspace/run/start/start-choice.ts';
import { participationOf } from '../../../../src/model/run/participation/participation.ts';
import { foreseenStarters } from '../../../../src/model/run/starters/foreseen-starters.ts';
import { startersOf } from '../../../../src/model/run/starters/starters-of.ts';
import { agentNode, dialogNode, documentOf, link, team } from '../../../support/engine/samples.ts';

const [first, second] = team.map((agent, at) => agentNode(`a${at}`, agent, 400 + at * 300, 0));
if (!first || !second) throw new Error('The sample team has no two agents.');
const start = { id: 'start', type: 'start' as const, title: 'Start', x: 0, y: -300 };
const ready = [first, second];

test('D1.43 a start card without links changes nothing of what takes part in the next run', () => {
  const before = documentOf(ready, [link(first.id, second.id)]);
  const after = documentOf([...ready, start], [link(first.id, second.id)]);
  const part = (document: typeof before, startNodeId?: string) =>
    participationOf(document, foreseenStarters(document, startNodeId === undefined ? {} : { startNodeId }));
  for (const { taking, leftOutLinks } of [part(after), part(after, 'start')])
    expect({ taking, leftOutLinks }).toEqual({ taking: part(before).taking, leftOutLinks: [] });
  expect(startersOf(after, {})).toEqual({ dialog: null, starts: [] });
  const choice = startChoice(
    after,
    countNodes(after, () => true),
    { selected: new Set(['start']), chosen: null, draftOf: () => '', last: null },
  );
  expect(choice).toEqual({ kind: 'askTask', dialogNodeId: null });
  const linked = documentOf([...ready, start], [link(first.id, second.id), link('start', second.id)]);
  expect(part(linked).taking).toBe(1);
});

test('D1.43 beside a team with a dialog, Start begins with the dialog and not with a start card that was just placed', () => {
  const document = documentOf(
    [dialogNode('d', 0, 0, { goal: 'Build it' }), ...ready, start],
    [link('d', first.id), link(first.id, second.id)],
  );
  const choice = startChoice(
    document,
    countNodes(document, () => true),
    { selected: new Set(['start']), chosen: null, draftOf: () => 'Build a shop', last: null },
  );
  expect(choice).toEqual({ kind: 'run', dialogNodeId: 'd', task: 'Build a shop' });
});
