import { type FreedKind, type StorageUse, storageStateOf } from '../../../contract/storage.ts';
import type { Handlers } from '../../http/call.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import type { AccountStorage } from './account-storage.ts';
import { byBytes } from './quota-reached.ts';

type StorageHandlers = Pick<Handlers, Extract<keyof Handlers, `storage.${string}`>>;

type StorageHandlersDeps = {
  storage: Pick<AccountStorage, 'latest'>;
  limits: { bytes: number | null; projects: number; pipelines: number };
  /** The time that events and turns of a run are kept after its end (days). */
  eventsKeptDays: number;
  /** How many projects and pipelines an account has. */
  countOf: { projects: (userId: OwnerId) => Promise<number>; pipelines: (userId: OwnerId) => Promise<number> };
  /** Removes what an account has of a kind and what is older. Returns how many were removed. */
  remove: Readonly<Record<FreedKind, (userId: OwnerId, before: Date) => Promise<number>>>;
  now: () => Date;
};

const dayMs = 24 * 60 * 60 * 1_000;

export function storageHandlers({ storage, limits, eventsKeptDays, countOf, remove, now }: StorageHandlersDeps): StorageHandlers {
  return {
    'storage.get': async ({ user }): Promise<StorageUse> => {
      const { kinds } = await storage.latest(user.ownerId);
      const [projects, pipelines] = await Promise.all([countOf.projects(user.ownerId), countOf.pipelines(user.ownerId)]);
      const usedBytes = Object.values(kinds).reduce((sum, bytes) => sum + bytes, 0);
      return {
        usedBytes,
        limitBytes: limits.bytes,
        state: storageStateOf(usedBytes, limits.bytes),
        eventsKeptDays,
        kinds: byBytes(kinds),
        projects: { count: projects, limit: limits.projects },
        pipelines: { count: pipelines, limit: limits.pipelines },
      };
    },
    'storage.free': async ({ user, params, query }) => ({
      removed: await remove[params.kind](user.ownerId, new Date(now().getTime() - query.olderThanDays * dayMs)),
    }),
  };
}
