import { z } from 'zod';

/** The kinds of data that an account stores. Each table with data of users counts as one of them. */
export const storageKinds = ['runs', 'inputs', 'versions', 'canvases', 'pipelines', 'agents', 'commands', 'thoughts', 'answers'] as const;
export type StorageKind = (typeof storageKinds)[number];

const amount = z.number().int().min(0);
const counted = z.object({ count: amount, limit: amount.min(1) });

/** From this share of the limit on the account is `near` it. */
const nearShare = 0.8;
const storageStates = ['calm', 'near', 'full'] as const;
export type StorageState = (typeof storageStates)[number];

/** Returns how close an account is to its limit; null for no limit. */
export function storageStateOf(usedBytes: number, limitBytes: number | null): StorageState {
  if (limitBytes === null || usedBytes < limitBytes * nearShare) return 'calm';
  return usedBytes < limitBytes ? 'near' : 'full';
}

/** What an account stores, and its limits. */
export const storageUse = z.object({
  usedBytes: amount,
  /** Null for no limit. */
  limitBytes: amount.nullable(),
  /** `near`: 80 % of the limit are used. `full`: writes that store more are refused, and webhooks answer 503. */
  state: z.enum(storageStates),
  /** Events and turns of a run are removed so many days after its end. */
  eventsKeptDays: amount.min(1),
  /** The bytes of each kind, the largest first. */
  kinds: z.array(z.object({ kind: z.enum(storageKinds), bytes: amount })),
  projects: counted,
  pipelines: counted,
});
export type StorageUse = z.infer<typeof storageUse>;

/** `runs`: those that have ended, with their files. `pipelines`: those that no run uses. */
export const byFreedKind = z.object({ kind: z.enum(['runs', 'pipelines']) });
export type FreedKind = z.infer<typeof byFreedKind>['kind'];

/** Only what is older than so many days is removed. */
export const storageRemoval = z.object({ olderThanDays: z.coerce.number().int().min(0).max(36_500) });
export const storageRemoved = z.object({ removed: amount });
