import type { Problem } from '../../../model/problem.ts';
import type { Notice } from '../../../model/workspace-state.ts';
import type { Environment } from '../environment/environment.ts';
import type { Store } from './store.ts';

/** How long a notice stays. W8.01 */
export const noticeMs = 3_000;

/** Shows notices. A notice that is already shown starts its time again. */
export class Notices {
  readonly #store: Store;
  readonly #environment: Pick<Environment, 'now' | 'newId' | 'later'>;
  readonly #expiring = new Set<() => void>();

  constructor(store: Store, environment: Pick<Environment, 'now' | 'newId' | 'later'>) {
    this.#store = store;
    this.#environment = environment;
  }

  /** Shows a notice for 3 s; with `stays` until it is dismissed. */
  show(problem: Problem, level: Notice['level'] = 'error', stays = false): void {
    const id = this.#environment.newId();
    const until = stays ? null : this.#environment.now() + noticeMs;
    this.#store.update((draft) => {
      draft.notices = draft.notices.filter((notice) => notice.code !== problem.code);
      draft.notices.push({ ...problem, id, level, until });
    });
    if (stays) return;
    const cancel = this.#environment.later(noticeMs, () => {
      this.#expiring.delete(cancel);
      this.dismiss(id);
    });
    this.#expiring.add(cancel);
  }

  dismiss(id: string): void {
    if (!this.#store.state.notices.some((notice) => notice.id === id)) return;
    this.#store.update((draft) => {
      draft.notices = draft.notices.filter((notice) => notice.id !== id);
    });
  }

  /** Dismisses all notices with a code, when their cause has ended. */
  dismissAll(code: string): void {
    for (const notice of this.#store.state.notices) if (notice.code === code) this.dismiss(notice.id);
  }

  close(): void {
    for (const cancel of this.#expiring) cancel();
  }
}
