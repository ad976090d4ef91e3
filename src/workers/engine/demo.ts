import type { Command } from '../../model/commands.ts';
import { emptyConsole } from '../../model/console/console-pages.ts';
import { isRunActive } from '../../model/workspace-state.ts';
import { loadAgents } from './agents.ts';
import type { Backend } from './backends/port.ts';
import type { Environment } from './environment.ts';
import { loadHistory } from './history.ts';
import type { RunFollower } from './run/run-follower.ts';
import type { Console } from './store/console.ts';
import type { Store } from './store/store.ts';

/** How long a visitor sees the team at rest before it begins by itself (ms). */
const beginAfterMs = 2_000;

type DemoOptions = {
  store: Store;
  backend: Backend;
  console: Console;
  follower: RunFollower;
  environment: Pick<Environment, 'later'>;
  dispatch: (command: Command) => Promise<unknown>;
};

/** The demonstration as a whole: opens it, has it begin by itself, and says at the end that there is more. W4.16 */
export class Demo {
  readonly #options: DemoOptions;
  #cancelBeginning: () => void = () => {};

  constructor(options: DemoOptions) {
    this.#options = options;
  }

  /** Shows everything as at the first time, in whatever language it is told in now. */
  async open(projectId: string): Promise<void> {
    const { store, backend, follower, environment, dispatch } = this.#options;
    this.#cancelBeginning();
    follower.clear();
    const [project, canvas] = await Promise.all([backend.openProject(projectId), backend.readCanvas(projectId)]);
    if (!project.ok || !canvas.ok) throw new Error('A demonstration has all that it shows');
    const { nodes, connections } = canvas.value;
    store.update((draft) => {
      draft.project = project.value;
      draft.console = structuredClone(emptyConsole);
    });
    await Promise.all([loadAgents(store, backend), loadHistory(store, backend)]);
    store.replaceDocument({ nodes, connections });
    store.update((draft) => {
      draft.status = 'ready';
      draft.connection.realtime = 'demo';
    });
    this.#cancelBeginning = environment.later(beginAfterMs, () => {
      if (!isRunActive(store.state.run)) void dispatch({ type: 'run.start' });
    });
  }

  /** A run has ended, however it did; one that was stopped has nothing to say. */
  ended(): void {
    const { store, console } = this.#options;
    if (store.state.run.outcome === 'completed') console.says({ code: 'demo.finished' });
  }

  close(): void {
    this.#cancelBeginning();
  }
}
