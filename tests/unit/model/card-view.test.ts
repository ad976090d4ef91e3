import { expect, test } from 'vitest';
import type { StepRun } from '../../../contract/executions/execution.ts';
import type { LinkSettings } from '../../../contract/executions/run-graph.ts';
import { type CardView, cardViews, changedCards, idleCard } from '../../../src/model/card-view.ts';
import { shownLinkState } from '../../../src/model/link-state.ts';
import { emptyRun, type RunState } from '../../../src/model/workspace-state.ts';
import { aStep } from '../../support/engine/a-step.ts';

const steps = (...statuses: ('completed' | 'running' | 'pending' | 'cancelled')[]) =>
  statuses.map((status, orderIndex) =>
    aStep(`s${orderIndex}`, {
      status,
      orderIndex,
      nodeId: `n${orderIndex}`,
      startedAt: status === 'pending' ? null : '2026-01-01T00:00:00.000Z',
    }),
  );

const viewsOf = (...statuses: Parameters<typeof steps>) => {
  const views = cardViews({ ...emptyRun, phase: 'running', steps: steps(...statuses) });
  return (node: number) => views[`n${node}`] as CardView;
};

test('R24.01 a link that leads back is never painted as taken, since nothing passes along it', () => {
  const done = viewsOf('completed', 'completed');
  expect([shownLinkState(done(0), done(1), { fromIsSource: false }), shownLinkState(done(1), done(0), { fromIsSource: false })]).toEqual([
    'taken',
    'rest',
  ]);
  const working = viewsOf('completed', 'running', 'pending');
  expect([
    shownLinkState(working(0), working(1), { fromIsSource: false }),
    shownLinkState(working(2), working(1), { fromIsSource: false }),
  ]).toEqual(['passing', 'rest']);
});

test('W4.08 after a stop the step that worked is stopped, and those after it are not reached', () => {
  const views = cardViews({ ...emptyRun, outcome: 'cancelled', steps: steps('completed', 'cancelled', 'pending') });
  expect(Object.values(views).map(({ state }) => state)).toEqual(['done', 'stopped', 'skipped']);
  expect([
    shownLinkState(views.n0, views.n1, { fromIsSource: false }),
    shownLinkState(views.n1, views.n2, { fromIsSource: false }),
  ]).toEqual(['taken', 'rest']);
});

test('W4.08 the views of a run after a change of single steps are those of the whole run, and name the nodes that changed', () => {
  const execution = { id: 'one' } as NonNullable<RunState['execution']>;
  let run: RunState = { ...emptyRun, phase: 'running', execution, steps: steps('completed', 'running', 'pending', 'pending') };
  cardViews(run);
  for (const [at, status] of [
    [1, 'completed'],
    [2, 'running'],
    [2, 'completed'],
    [3, 'running'],
  ] as const) {
    const before = run;
    run = { ...run, steps: run.steps.with(at, { ...(run.steps[at] as StepRun), status }) };
    const anew = { ...run, execution: { ...execution, id: 'another' } };
    expect(changedCards(before, run)).toEqual([`n${at}`]);
    const views = structuredClone(cardViews(run));
    expect(views).toEqual(cardViews(anew));
    expect(changedCards(run, anew)).toBeNull();
    // What was read in between is another run's: the next views begin with those of this one.
    run = { ...run };
    expect(cardViews(run)).toEqual(views);
  }
  expect(cardViews({ ...run, phase: 'paused' })).toMatchObject({ n3: { state: 'active' } });
});

test('W4.08 a card that ran in several rounds shows the newest round; a card with a list counts its items and shows the running item', () => {
  const of = (stepId: string, changes: object) => aStep(stepId, { nodeId: 'n', pipelineStepId: 's', ...changes });
  const shown = (...runs: ReturnType<typeof of>[]) => cardViews({ ...emptyRun, phase: 'running', steps: runs }).n;
  const rounds = shown(of('s', { status: 'completed' }), of('s2', { status: 'running', round: 1 }));
  expect(rounds).toMatchObject({ state: 'active', round: 2, items: null, step: { stepId: 's2' } });
  expect(shown(of('s', { status: 'completed', round: 2 * 32 + 1 }))).toMatchObject({ round: 2 });
  expect(shown(of('s', { status: 'completed', round: 0 }))).toMatchObject({ round: null });
  const items = ['completed', 'running', 'pending', 'failed'].map((status, at) => of(`s${at}`, { status, item: at + 1 }));
  expect(shown(...items)).toMatchObject({ state: 'active', items: { done: 2, total: 4 }, step: { item: 2 } });
  const anew = shown(...items.map((step) => ({ ...step, status: 'completed' as const })), of('next', { item: 0, round: 1 }));
  expect(anew).toMatchObject({ state: 'waiting', round: 2, items: null });
});

test('W4.08 a case that its step has not chosen stays at rest, and so does a link for failures of a step that has not failed', () => {
  const [from, to] = [0, 1].map((orderIndex) =>
    aStep(`s${orderIndex}`, { nodeId: `n${orderIndex}`, orderIndex, status: 'completed', ...(orderIndex === 0 && { choice: 'accepted' }) }),
  );
  const views = cardViews({ ...emptyRun, steps: [from, to].flatMap((step) => step ?? []) });
  const state = (run?: LinkSettings) => shownLinkState(views.n0, views.n1, { fromIsSource: false, settings: run });
  expect([state(), state({ label: 'accepted' }), state({ label: 'rework' })]).toEqual(['taken', 'taken', 'rest']);
  expect([
    state({ onFailure: true }),
    shownLinkState({ ...idleCard, state: 'failed' }, views.n1, { fromIsSource: false, settings: { onFailure: true } }),
  ]).toEqual(['rest', 'taken']);
});
