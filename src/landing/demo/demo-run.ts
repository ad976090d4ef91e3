import { ObservableValue } from '../../state/observable.ts';

/** The steps of the simulation, in order. */
export const demoSteps = ['ticket', 'plan', 'code', 'pr'] as const;
export type DemoStep = (typeof demoSteps)[number];

/** The wait before each step appears (ms). P9.01 */
export const demoStepMs = 1_500;

/** The simulated team's output for a task. */
export type DemoOutput = {
  plan: { title: string; waves: readonly string[] };
  code: { path: string; text: string };
  pullRequest: { title: string; summary: string; files: readonly { path: string; lines: number }[] };
};

/** `task` is shown on the ticket; `shown` counts the visible steps; `hasFailed` when the output could not be made. */
export type DemoState = { running: boolean; task: string; shown: number; output: DemoOutput | null; hasFailed: boolean };

const idleDemo: DemoState = { running: false, task: '', shown: 0, output: null, hasFailed: false };

/** Examples are offered before a run. */
export function offersExamples({ running, shown }: DemoState): boolean {
  return !running && shown === 0;
}

export type DemoRun = {
  /** Starts with a task that is not blank while none is running; returns whether it started. */
  start: (task: string, compose: (task: string) => Promise<DemoOutput>) => boolean;
  /** Removes the output and stops a running simulation. */
  reset: () => void;
  state: ObservableValue<DemoState>;
};

/**
 * The simulated way from a ticket to a pull request. The ticket is the task. The other steps wait for `compose`, which is passed to
 * `start` and creates them on the page. P4.09
 */
export function createDemoRun(): DemoRun {
  const state = new ObservableValue(idleDemo);
  let timer: ReturnType<typeof setTimeout> | undefined;

  const showNext = () => {
    const shown = state.get().shown + 1;
    const running = shown < demoSteps.length;
    state.set({ ...state.get(), shown, running });
    if (running && state.get().output) timer = setTimeout(showNext, demoStepMs);
  };
  const takeOutput = (output: DemoOutput) => {
    state.set({ ...state.get(), output });
    // The ticket is shown; the other steps have waited for this.
    if (state.get().shown === 1) timer = setTimeout(showNext, demoStepMs);
  };

  return {
    start: (given, compose) => {
      const task = given.trim();
      if (state.get().running || task === '') return false;
      const begun: DemoState = { ...idleDemo, running: true, task };
      state.set(begun);
      timer = setTimeout(showNext, demoStepMs);
      const isCurrent = () => state.get().running && state.get().task === task && state.get().output === null;
      compose(task).then(
        (output) => isCurrent() && takeOutput(output),
        () => {
          if (!isCurrent()) return;
          clearTimeout(timer);
          state.set({ ...idleDemo, hasFailed: true });
        },
      );
      return true;
    },
    reset: () => {
      clearTimeout(timer);
      state.set(idleDemo);
    },
    state,
  };
}
