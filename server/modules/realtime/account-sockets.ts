import { performance } from 'node:perf_hooks';
import { AdmissionQueue } from '../../http/limits/admission-queue.ts';
import { socketLimits } from './socket-limits.ts';
import { createTokenBucket, type TokenBucket } from './token-bucket.ts';

/** The maximum of concurrent queries for missed events of one account's sockets. */
const readLimits = { atOnce: 2, maxWaiting: 10_000, maxPerAccount: Number.POSITIVE_INFINITY };

/** The limits that the sockets of one account share on this node: the rate of messages, and queries for missed events. */
export function createAccountSockets() {
  const byUser = new Map<string, { bucket: TokenBucket; reads: AdmissionQueue; sockets: number }>();
  return {
    /** Adds a socket of the account. Returns its share of the limits until `leave`. */
    join(userId: string) {
      const entry = byUser.get(userId) ?? {
        bucket: createTokenBucket(socketLimits.account, () => performance.now()),
        reads: new AdmissionQueue(readLimits),
        sockets: 0,
      };
      entry.sockets += 1;
      byUser.set(userId, entry);
      return {
        take: (cost: number) => entry.bucket.take(cost),
        /** Runs a query when the account's other queries leave room. */
        readInTurn: <T>(query: () => Promise<T>): Promise<T> => entry.reads.run(userId, query),
        leave() {
          entry.sockets -= 1;
          if (entry.sockets === 0) byUser.delete(userId);
        },
      };
    },
  };
}

export type AccountSockets = ReturnType<typeof createAccountSockets>;
