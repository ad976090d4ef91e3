/** What the simulation shows, one after another. */
export const demoSteps = ['ticket', 'plan', 'code', 'pr'] as const;
export type DemoStep = (typeof demoSteps)[number];

/** How long before each step appears. P9.01 */
export const demoStepMs = 1_500;

/** `task` is what the ticket repeats; `shown` counts the steps that have appeared. */
export type DemoState = { running: boolean; task: string; shown: number };

export const idleDemo: DemoState = { running: false, task: '', shown: 0 };

/** Examples are offered only while nothing runs and nothing has been shown. */
export function offersExamples({ running, shown }: DemoState): boolean {
  return !running && shown === 0;
}

export type DemoRun = {
  /** Starts on a task that is more than blanks while none is running; returns whether it did. */
  start: (task: string) => boolean;
  /** Takes the output away, and stops what is running. */
  reset: () => void;
  state: () => DemoState;
  subscribe: (listener: () => void) => () => void;
};

/** The simulated way from a ticket to a pull request. It knows no network: the clock is all it needs. P4.09 */
export function createDemoRun(): DemoRun {
  let state = idleDemo;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();

  const set = (next: DemoState) => {
    state = next;
    for (const listener of listeners) listener();
  };
  const showNext = () => {
    const shown = state.shown + 1;
    const running = shown < demoSteps.length;
    set({ ...state, shown, running });
    if (running) timer = setTimeout(showNext, demoStepMs);
  };

  return {
    start: (task) => {
      if (state.running || task.trim() === '') return false;
      set({ running: true, task: task.trim(), shown: 0 });
      timer = setTimeout(showNext, demoStepMs);
      return true;
    },
    reset: () => {
      clearTimeout(timer);
      set(idleDemo);
    },
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
