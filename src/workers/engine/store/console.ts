import { blankLine } from '../../../model/console-lines.ts';
import type { Problem } from '../../../model/problem.ts';
import type { ConsoleMessage } from '../../../model/workspace-state.ts';
import type { Environment } from '../environment.ts';
import type { Store } from './store.ts';

/** Most messages that the console keeps; beyond them the oldest fifth goes at once. W9.02 */
const mostMessages = 100;

/** Writes to the console, each message once. */
export class Console {
  readonly #store: Store;
  readonly #environment: Pick<Environment, 'now' | 'newId'>;

  constructor(store: Store, environment: Pick<Environment, 'now' | 'newId'>) {
    this.#store = store;
    this.#environment = environment;
  }

  add(messages: readonly ConsoleMessage[]): void {
    const known = new Set(this.#store.state.console.map((message) => message.id));
    const fresh = messages.filter((message) => !known.has(message.id));
    if (fresh.length === 0) return;
    this.#store.update((draft) => {
      draft.console.push(...fresh);
      if (draft.console.length > mostMessages) draft.console.splice(0, draft.console.length - mostMessages * 0.8);
    });
  }

  says(problem: Problem, level: 'info' | 'warning' | 'error' = 'info'): void {
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
}
