import { expect, test } from 'vitest';
import type { CanvasNode } from '../../../contract/canvas.ts';
import { listedProblems } from '../../../src/model/problem.ts';
import { emptyWorkspace } from '../../../src/model/workspace-state.ts';
import { DocumentCheck } from '../../../src/workers/engine/document/document-check.ts';
import { Foresight } from '../../../src/workers/engine/document/foresight.ts';
import type { EngineContext } from '../../../src/workers/engine/engine-context.ts';
import { Store } from '../../../src/workers/engine/store/store.ts';
import { VirtualClock } from '../../support/engine/virtual-clock.ts';

test('D5.03 a canvas with too many errors keeps one error beyond the list, so that the page can say that more exist', () => {
  expect(problemsOf(listedProblems)).toBe(listedProblems);
  expect(problemsOf(listedProblems + 50)).toBe(listedProblems + 1);
});

/** How many problems are kept of a canvas with as many dialogs without a goal. */
function problemsOf(count: number): number {
  const clock = new VirtualClock();
  const dialogs = Array.from(
    { length: count },
    (_, at): CanvasNode => ({ id: `d${at}`, type: 'dialog', title: `D ${at}`, goal: '', x: 0, y: 0 }),
  );
  const document = { nodes: Object.fromEntries(dialogs.map((node) => [node.id, node])), connections: {} };
  const store = new Store({ ...emptyWorkspace, document }, 'e1', clock.later);
  const foresight = new Foresight({ store, environment: clock } as unknown as EngineContext, { beginsAtOnce: false });
  new DocumentCheck(store, clock, { knowsAgents: false, foresight }).now();
  return store.state.validation.filter(({ severity }) => severity === 'error').length;
}
