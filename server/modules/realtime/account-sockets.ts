import { performance } from 'node:perf_hooks';
import { socketLimits } from './socket-limits.ts';
import { createTokenBucket, type TokenBucket } from './token-bucket.ts';

/** What the sockets of one account on this node share: the rate of their messages. */
export function createAccountSockets() {
  const byUser = new Map<string, { bucket: TokenBucket; sockets: number }>();
  return {
    /** One more socket of the account. Returns its share, until `leave`. */
    join(userId: string) {
      const entry = byUser.get(userId) ?? { bucket: createTokenBucket(socketLimits.account, () => performance.now()), sockets: 0 };
      entry.sockets += 1;
      byUser.set(userId, entry);
      return {
        take: () => entry.bucket.take(),
        leave() {
          entry.sockets -= 1;
          if (entry.sockets === 0) byUser.delete(userId);
        },
      };
    },
  };
}

export type AccountSockets = ReturnType<typeof createAccountSockets>;
