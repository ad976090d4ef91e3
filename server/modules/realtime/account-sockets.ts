import { addressKey } from '../../http/limits/address-key.ts';
import { AdmissionQueue } from '../../http/limits/admission-queue.ts';
import { elapsed } from '../../platform/clock.ts';
import { socketLimits } from './socket-limits.ts';
import { createTokenBucket, type TokenBucket } from './token-bucket.ts';

/** The maximum of concurrent queries for missed events of one account's sockets. */
const readLimits = { atOnce: 2, maxWaiting: 10_000, maxPerAccount: Number.POSITIVE_INFINITY };

/**
 * The limits that sockets share on this node: the rate of messages by account and by address, and the account's queries for missed events. Many
 * accounts at one address have no more than the address.
 */
export function createAccountSockets(nowMs: () => number = elapsed) {
  const byAddress = new Map<string, { bucket: TokenBucket; sockets: number }>();
  const byUser = new Map<string, { bucket: TokenBucket; reads: AdmissionQueue; sockets: number }>();
  return {
    /** Adds a socket of the account at this address. Returns its share of the limits until `leave`. */
    join(userId: string, ip: string) {
      const address = addressKey(ip);
      const place = byAddress.get(address) ?? { bucket: createTokenBucket(socketLimits.address, nowMs), sockets: 0 };
      place.sockets += 1;
      byAddress.set(address, place);
      const entry = byUser.get(userId) ?? {
        bucket: createTokenBucket(socketLimits.account, nowMs),
        reads: new AdmissionQueue(readLimits),
        sockets: 0,
      };
      entry.sockets += 1;
      byUser.set(userId, entry);
      return {
        take: (cost: number) => entry.bucket.take(cost) && place.bucket.take(cost),
        /** Runs a query when the account's other queries leave room. */
        readInTurn: <T>(query: () => Promise<T>): Promise<T> => entry.reads.run(userId, query),
        leave() {
          entry.sockets -= 1;
          if (entry.sockets === 0) byUser.delete(userId);
          place.sockets -= 1;
          if (place.sockets === 0) byAddress.delete(address);
        },
      };
    },
  };
}

export type AccountSockets = ReturnType<typeof createAccountSockets>;
