import type { Draft } from 'immer';
import { blankLine } from '../../../model/console/console-lines.ts';
import { appendMessages, consoleMessages, emptyConsole } from '../../../model/console/console-pages.ts';
import type { Problem } from '../../../model/problem.ts';
import type { ConsoleMessage, WorkspaceState } from '../../../model/workspace-state.ts';
import type { Environment } from '../environment/environment.ts';
import type { Store } from './store.ts';

/** Adds messages to the console, each id once. */
export class Console {
  readonly #store: Store;
  readonly #environment: Pick<Environment, 'now' | 'newId'>;
  readonly #known = new Set<string>();

  constructor(store: Store, environment: Pick<Environment, 'now' | 'newId'>) {
    this.#store = store;
    this.#environment = environment;
  }

  add(messages: readonly ConsoleMessage[]): void {
    const fresh = this.#fresh(messages);
    if (fresh.length > 0) this.#store.update((draft) => this.#append(draft, fresh));
  }

  /** The same within a change of the store. */
  addTo(draft: Pick<Draft<WorkspaceState>, 'console'>, messages: readonly ConsoleMessage[]): void {
    this.#append(draft, this.#fresh(messages));
  }

  /** Adds messages from before the workspace was opened, in the order of their times. */
  restore(messages: readonly ConsoleMessage[]): void {
    const fresh = this.#fresh(messages);
    if (fresh.length === 0) return;
    const all = [...consoleMessages(this.#store.state.console), ...fresh];
    const sorted = all.map((message, index) => ({ message, index, at: Date.parse(message.timestamp) }));
    sorted.sort((a, b) => a.at - b.at || a.index - b.index);
    this.#store.update((draft) => {
      draft.console = structuredClone(emptyConsole);
      this.#append(
        draft,
        sorted.map(({ message }) => message),
      );
    });
  }

  addEvent(problem: Problem, level: 'info' | 'warning' | 'error' = 'info'): void {
    this.add([this.line(problem, level)]);
  }

  line(problem: Problem, level: 'info' | 'warning' | 'error' = 'info'): ConsoleMessage {
    return {
      ...blankLine,
      id: this.#environment.newId(),
      timestamp: new Date(this.#environment.now()).toISOString(),
      event: problem,
      isWarning: level === 'warning',
      isError: level === 'error',
    };
  }

  #fresh(messages: readonly ConsoleMessage[]): ConsoleMessage[] {
    return messages.filter(({ id }) => !this.#known.has(id) && this.#known.add(id));
  }

  #append(draft: Pick<Draft<WorkspaceState>, 'console'>, messages: readonly ConsoleMessage[]): void {
    for (const { id } of appendMessages(draft.console, messages)) this.#known.delete(id);
  }
}
