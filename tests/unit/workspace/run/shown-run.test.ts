import { expect, test } from 'vitest';
import { ShownRun } from '../../../../src/app/workspace/run/shown-run.ts';
import { emptyRun, emptyWorkspace, type RunState } from '../../../../src/model/workspace-state.ts';
import type { WorkspaceStore } from '../../../../src/model/workspace-store.ts';
import { Observable } from '../../../../src/state/observable.ts';
import { aStep } from '../../../support/engine/a-step.ts';

const many = (changes: Partial<RunState> = {}): RunState => ({
  ...{ ...emptyRun, phase: 'running' },
  steps: Array.from({ length: 101 }, (_, at) => aStep(`step ${at}`)),
  ...changes,
});

/** A store whose run a test sets, and a clock that it moves. */
function setUp(first: RunState) {
  const changes = new Observable();
  let run = first;
  const store = {
    getState: () => ({ ...emptyWorkspace, run }),
    subscribe: (listener) =>
      changes.subscribe(() => listener({ ...emptyWorkspace, run }, null, { nodes: new Map(), connections: new Map() })),
  } satisfies WorkspaceStore;
  let now = 1_000;
  let tasks: { at: number; task: () => void }[] = [];
  const clock = {
    now: () => now,
    later: (ms: number, task: () => void) => {
      const added = { at: now + ms, task };
      tasks.push(added);
      return () => {
        tasks = tasks.filter((other) => other !== added);
      };
    },
  };
  return {
    shown: new ShownRun(store, clock),
    set: (next: RunState) => {
      run = next;
      changes.notify();
    },
    pass: (ms: number) => {
      now += ms;
      const due = tasks.filter(({ at }) => at <= now);
      tasks = tasks.filter(({ at }) => at > now);
      for (const { task } of due) task();
    },
    waiting: () => tasks.length,
  };
}

test('W2.03 changes of the steps of a long run are shown together, and the last one always is', () => {
  const { shown, set, pass, waiting } = setUp(many());
  let told = 0;
  const end = shown.subscribe(() => {
    told += 1;
  });
  const runs = Array.from({ length: 10 }, () => many());
  for (const run of runs) {
    set(run);
    pass(10);
  }
  expect(told).toBe(1);
  expect(shown.get()).toBe(runs[0]);
  pass(500);
  expect(told).toBe(2);
  expect(shown.get()).toBe(runs[9]);
  set(many());
  set(many());
  end();
  expect(waiting(), 'tasks left behind').toBe(0);
});

test('W2.03 all else that happens to a run is shown at once, and so is every change of a short run', () => {
  const { shown, set } = setUp(many());
  shown.subscribe(() => {});
  set(many());
  for (const changes of [{ phase: 'pausing' }, { phase: 'paused' }, { phase: 'stopped', outcome: 'failed' }, { steps: [] }] as const) {
    const run = many({ ...changes, steps: 'steps' in changes ? [] : many().steps });
    set(run);
    expect(shown.get()).toBe(run);
  }
  for (let turn = 0; turn < 3; turn++) {
    const run = many({ steps: [aStep('one')] });
    set(run);
    expect(shown.get()).toBe(run);
  }
});

test('W2.03 a panel that opens later shows the run of that moment', () => {
  const { shown, set } = setUp(many());
  shown.subscribe(() => {})();
  const run = many();
  set(run);
  expect(shown.get()).toBe(run);
  const end = shown.subscribe(() => {});
  expect(shown.get()).toBe(run);
  end();
});
