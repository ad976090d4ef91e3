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

/** The simulated way from a ticket to a pull request. P4.09 */
export class DemoRun {
  readonly state = new ObservableValue(idleDemo);

  /** Starts with a task that is not blank while none is running; returns whether it started. */
  start(given: string, compose: (task: string) => Promise<DemoOutput>): boolean {
    const task = given.trim();
    if (this.state.get().running || task === '') return false;
    void this.#play(task, compose(task));
    return true;
  }

  /** Removes the output and stops a running simulation. */
  readonly reset = (): void => this.state.set({ ...idleDemo });

  /** The ticket is the task. The other steps wait for the output. */
  async #play(task: string, composed: Promise<DemoOutput>): Promise<void> {
    let own: DemoState = { ...idleDemo, running: true, task };
    this.state.set(own);
    const show = (change: Partial<DemoState>) => {
      // After a reset the state is that of another run.
      if (this.state.get() !== own) return;
      own = { ...own, ...change };
      this.state.set(own);
    };
    try {
      const [output] = await Promise.all([composed, stepWait().then(() => show({ shown: 1 }))]);
      show({ output });
      for (let shown = 2; shown <= demoSteps.length; shown += 1) {
        await stepWait();
        show({ shown, running: shown < demoSteps.length });
      }
    } catch {
      if (this.state.get() === own) this.state.set({ ...idleDemo, hasFailed: true });
    }
  }
}

function stepWait(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, demoStepMs));
}
