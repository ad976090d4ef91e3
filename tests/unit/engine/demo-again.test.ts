import { expect, test } from 'vitest';
import { emptyWorkspace } from '../../../src/model/workspace-state.ts';
import { Replica } from '../../../src/workers/bridge/replica.ts';
import { createDemoBackend } from '../../../src/workers/engine/backends/demo/demo-backend.ts';
import { demoEnvironment } from '../../../src/workers/engine/backends/demo/demo-environment.ts';
// Loaded before the test: the engine's own import then takes no time of the virtual clock.
import '../../../src/workers/engine/backends/demo/review-script.ts';
import { createEngine } from '../../../src/workers/engine/create-engine.ts';
import { VirtualClock } from '../../support/engine/virtual-clock.ts';

/** The canvas with a review after its run, on a virtual clock. */
async function reviewed() {
  const clock = new VirtualClock();
  let made = 0;
  const newId = () => {
    made += 1;
    return `made-${made}`;
  };
  const environment = { ...demoEnvironment(), now: clock.now, later: clock.later, newId };
  const engine = createEngine({ environment, createBackend: (parts) => createDemoBackend(parts, environment) });
  const replica = new Replica(emptyWorkspace, () => void engine.snapshot().then((snapshot) => replica.load(structuredClone(snapshot))));
  replica.expectSnapshot();
  const source = { kind: 'demo' as const, projectId: 'public-review', language: 'en' };
  replica.load(structuredClone(await engine.open({ source, tabId: 'tab' }, (update) => replica.apply(structuredClone(update)))));
  await clock.pass(30_000);
  return { clock, engine, state: () => replica.getState() };
}

test('D5.07 in the demonstration a run goes again from a step: what came before is kept, and the history says where it comes from', async () => {
  const { clock, engine, state } = await reviewed();
  const { execution, steps } = state().run;
  const first = steps.filter(({ status }) => status === 'completed').length;
  const last = steps.findLast(({ usage }) => usage !== null);
  const request = { from: { stepId: last?.stepId ?? '', round: 1, item: 0 } };
  const preview = await engine.call('execution.fork', { params: { id: execution?.id ?? '' }, body: { ...request, dryRun: true } });
  expect(preview).toMatchObject({ ok: true, value: { execution: null, tokens: { min: 2_430, max: 2_430 } } });
  const forked = await engine.dispatch({ type: 'run.fork', executionId: execution?.id ?? '', request });
  expect(forked.outcome.ok).toBe(true);
  await clock.pass(1_000);
  expect(
    state()
      .run.steps.map(({ status }) => status)
      .toSorted(),
  ).toEqual(['pending', 'reused', 'reused', 'reused', 'running']);
  await clock.pass(20_000);
  expect(state().run.outcome).toBe('completed');
  expect(state().run.steps).toHaveLength(first);
  const files = await engine.call('execution.files', { params: { id: state().run.execution?.id ?? '' } });
  expect(files).toMatchObject({ ok: true, value: { files: { length: 3 } } });
  expect((await engine.call('execution.archive', { params: { id: state().run.execution?.id ?? '' } })).ok).toBe(true);
  expect(state().history.items[0]).toMatchObject({ parentExecutionId: execution?.id, stepsCount: 5, agentsCount: 3 });
});

test('D5.07 the first step of the demonstration can run again too, and a request that the script cannot follow is refused', async () => {
  const { clock, engine, state } = await reviewed();
  const { execution, steps } = state().run;
  const id = execution?.id ?? '';
  const from = { stepId: steps[0]?.stepId ?? '', round: 0, item: 0 };
  expect(await engine.call('execution.fork', { params: { id }, body: { ...{ from, graph: 'now' }, dryRun: true } })).toMatchObject({
    ok: false,
  });
  expect(await engine.call('execution.fork', { params: { id }, body: { ...{ from: null }, dryRun: true } })).toMatchObject({ ok: false });
  expect((await engine.dispatch({ type: 'run.fork', executionId: id, request: { from } })).outcome.ok).toBe(true);
  await clock.pass(30_000);
  expect(state().run).toMatchObject({ outcome: 'completed' });
  expect(state().run.steps.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'completed'));
});

test('D5.07 the run with a review on the canvas has a hard budget that is nearly used; the other run has no budget', async () => {
  const { engine, state } = await reviewed();
  const answer = await engine.call('budget.list', { query: { executionId: state().run.execution?.id ?? '' } });
  expect(answer).toMatchObject({ ok: true, value: { budgets: [{ tokens: 11_000, used: { tokens: 9_080, calls: 4 }, warnAt: 80 }] } });
});

test('D5.07 a run of the demonstration is played again from its events', async () => {
  const { clock, engine, state } = await reviewed();
  const opening = engine.dispatch({ type: 'replay.open', executionId: state().run.execution?.id ?? '' });
  await clock.pass(100);
  expect((await opening).outcome.ok).toBe(true);
  await clock.pass(100);
  expect(state().replay).toMatchObject({ status: 'ready', isUnderWay: false });
  expect(state().replay?.marks.length).toBeGreaterThan(0);
});
