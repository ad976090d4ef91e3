import { singleFlight } from '../../../../async/single-flight.ts';
import type { StorageState } from '../../../../contract/storage.ts';
import type { Notice } from '../../../model/workspace-state.ts';
import type { EngineContext } from '../engine-context.ts';

/** What an account stores grows slowly: it is looked at again after so long at the earliest (ms). */
export const lookEveryMs = 600_000;
const mebibyte = 1024 * 1024;

const warnings: Record<Exclude<StorageState, 'calm'>, { code: string; level: Notice['level'] }> = {
  near: { code: 'storage.near', level: 'warning' },
  full: { code: 'storage.full', level: 'error' },
};

/**
 * Warns of an account that is almost full, and of a full one, with what to do. A warning that was closed comes again only when it has become another one. It
 * goes once there is room.
 */
export class StorageWatch {
  readonly #context: EngineContext;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #told: StorageState = 'calm';

  constructor(context: EngineContext) {
    this.#context = context;
  }

  /** Looks, unless it was looked at a moment ago. */
  async lookSometimes(): Promise<void> {
    if (this.#context.environment.now() - this.#lookedAt >= lookEveryMs) await this.look();
  }

  readonly look = singleFlight(async (): Promise<void> => {
    const { backend, environment, notices } = this.#context;
    this.#lookedAt = environment.now();
    const answer = await backend.call('storage.get');
    if (!answer.ok) return;
    const { state, usedBytes, limitBytes } = answer.value;
    if (state === this.#told) return;
    for (const { code } of Object.values(warnings)) notices.dismissAll(code);
    this.#told = state;
    if (state === 'calm') return;
    const [used, limit] = [usedBytes, limitBytes ?? 0].map((bytes) => Math.round(bytes / mebibyte));
    notices.show({ code: warnings[state].code, params: { used: used ?? 0, limit: limit ?? 0 } }, warnings[state].level, true);
  });
}
