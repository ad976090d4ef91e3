import type { Handlers } from '../../../http/call.ts';
import { AdmissionQueue } from '../../../http/limits/admission-queue.ts';
import type { CompareRuns } from '../forks/compare-runs.ts';
import type { Forks } from '../forks/forks.ts';

type Names = 'execution.fork' | 'execution.compare' | 'execution.step';

/** Both hold the steps of whole runs in memory, and a fork all of their results. */
const costlyCalls = { atOnce: 2, atOncePerAccount: 1, maxWaiting: 64, maxPerAccount: 8 };

export function forkHandlers(forks: Forks, runs: CompareRuns): Pick<Handlers, Names> {
  const costly = new AdmissionQueue(costlyCalls);
  return {
    'execution.fork': ({ user, params, body, language, idempotencyKey, storeIdempotentResponse, signal }) => {
      const fork = () =>
        forks(
          { userId: user.ownerId, id: params.id, asked: body, language: user.language ?? language, key: user.key },
          idempotencyKey === null || body.dryRun ? null : storeIdempotentResponse,
        );
      return costly.run(user.ownerId, fork, signal);
    },
    'execution.compare': ({ user, query, signal }) => costly.run(user.ownerId, () => runs.compare(user.ownerId, query), signal),
    'execution.step': ({ user, params }) => runs.step(user.ownerId, params),
  };
}
