import { validateDocument } from '../../../rules/validate-document.ts';
import type { Environment } from './environment.ts';
import type { Store } from './store/store.ts';

const checkAfterMs = 300;
/** Problems that are shown; a canvas with more has its first ones to mend first. */
const mostProblems = 200;

/** Keeps the list of broken rules up to date, a moment after the last edit and off the page's thread. */
export class DocumentCheck {
  readonly #store: Store;
  readonly #environment: Pick<Environment, 'later'>;
  readonly #knowsAgents: boolean;
  #cancelTimer: (() => void) | null = null;

  constructor(store: Store, environment: Pick<Environment, 'later'>, knowsAgents: boolean) {
    this.#store = store;
    this.#environment = environment;
    this.#knowsAgents = knowsAgents;
  }

  soon(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = this.#environment.later(checkAfterMs, () => this.now());
  }

  now(): void {
    const { agents, validation } = this.#store.state;
    const list = this.#knowsAgents && agents.status === 'ready' ? agents.order.flatMap((id) => agents.byId[id] ?? []) : null;
    const problems = validateDocument(this.#store.document, list).slice(0, mostProblems);
    if (JSON.stringify(problems) === JSON.stringify(validation)) return;
    this.#store.update((draft) => {
      draft.validation = problems;
    });
  }

  close(): void {
    this.#cancelTimer?.();
  }
}
