import { expect, test } from 'vitest';
import type { Connection } from '../../../../contract/canvas.ts';
import { parallelByBranches } from '../../../../contract/executions/parallel-steps.ts';
import { participationOf } from '../../../../src/model/run/participation/participation.ts';
import { parallelLimit } from '../../../../src/model/run/plan/parallel-limit.ts';
import { planPipeline } from '../../../../src/model/run/plan/pipeline-plan.ts';
import { executionStartOf } from '../../../../src/model/run/plan/run-payloads.ts';
import { foreseenStarters } from '../../../../src/model/run/starters/foreseen-starters.ts';
import { agentNode, dialogNode, documentOf, link, team } from '../../../support/engine/samples.ts';

const cards = ['a', 'b', 'c', 'e'].map((id, at) => agentNode(id, team[at] as (typeof team)[number], 400 + at * 300, 0));
const labelled = (one: Connection, label: string): Connection => ({ ...one, run: { label } });
const fromDialog = link('d', 'a');

/** How many steps of a run work at the same time, and whether the canvas said before that it has branches. */
function limits(links: Connection[], setting?: number) {
  const dialog = dialogNode('d', 0, 0);
  const begins = links.some(({ from }) => from.agentId === 'd');
  const document = documentOf(begins ? [dialog, ...cards] : cards, links);
  const planned = planPipeline(document, team, begins ? dialog : null, { parallelSteps: setting });
  if (!planned.ok) throw new Error(JSON.stringify(planned.problems));
  const { pauseBetweenStepsMs } = executionStartOf(planned.plan, 'p', { task: 'Work', message: null });
  const { hasBranches } = participationOf(document, foreseenStarters(document, {}));
  return { limit: planned.plan.graph?.maxParallel ?? 1, foreseen: parallelLimit(setting, hasBranches), pauseBetweenStepsMs };
}

const together = { limit: 4, foreseen: 4, pauseBetweenStepsMs: 0 };
const inTurn = { limit: 1, foreseen: 1, pauseBetweenStepsMs: 1_000 };

test('D4.01 a new canvas with branches runs them together', () => {
  const fork = [fromDialog, link('a', 'b'), link('a', 'c'), link('b', 'e'), link('c', 'e')];
  expect(limits(fork, parallelByBranches)).toEqual(together);
  expect(limits([fromDialog, link('d', 'b')], parallelByBranches)).toEqual(together);
  // Two links of one answer are taken together; the other answer has one.
  const answered = [labelled(link('a', 'b'), 'accepted'), labelled(link('a', 'c'), 'accepted'), labelled(link('a', 'e'), 'rework')];
  expect(limits([fromDialog, ...answered], parallelByBranches)).toEqual(together);
  // Two beginnings that meet.
  expect(limits([link('a', 'c'), link('b', 'c')], parallelByBranches)).toEqual(together);
});

test('D4.01 W4.05 a new canvas without branches works one step after another', () => {
  const chain = [fromDialog, link('a', 'b'), link('b', 'c')];
  const loop: Connection = { ...link('c', 'a'), run: { maxRounds: 3, label: 'rework' } };
  expect(limits(chain, parallelByBranches)).toEqual(inTurn);
  expect(limits([...chain, loop], parallelByBranches)).toEqual(inTurn);
  // Of alternatives one runs.
  const choice = [fromDialog, labelled(link('a', 'b'), 'yes'), link('a', 'c'), link('b', 'e'), link('c', 'e')];
  expect(limits(choice, parallelByBranches)).toEqual(inTurn);
  // Cards that no link orders go by their place.
  expect(limits([link('a', 'b')], parallelByBranches)).toEqual(inTurn);
});

test('D4.01 a canvas from before works one step after another, and a number that was chosen holds', () => {
  const fork = [fromDialog, link('a', 'b'), link('a', 'c')];
  expect(limits(fork)).toEqual(inTurn);
  expect(limits(fork, 1)).toEqual(inTurn);
  // Cards that no link orders go by their place.
  expect(limits([], 16)).toEqual({ limit: 1, foreseen: 16, pauseBetweenStepsMs: 1_000 });
  expect(limits(fork, 16)).toEqual({ limit: 16, foreseen: 16, pauseBetweenStepsMs: 0 });
});
