import { hash, verify } from '@node-rs/argon2';
import { AdmissionQueue } from '../../http/limits/admission-queue.ts';
import { currentTurn } from '../../platform/database/account-turns.ts';

/** Argon2id with OWASP's parameters for a server: 19 MiB, two passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Concurrent hashes: half of the threads, which also serve files and DNS. One caller has one of them, so that it never delays others by more. */
const usualLimits = { atOnce: 2, atOncePerAccount: 1, maxWaiting: 5_000, maxPerAccount: 300 };

/**
 * Hashes passwords, a few at a time. The callers of `inTurnOf` take turns: sign-ins by their address. A call whose client has gone is not made. Each
 * call throws `too_many_requests` when too many of its caller wait, and `busy` when too many of all do.
 */
export type PasswordHashing = {
  hash: (password: string) => Promise<string>;
  /** Verifies a password. With null, for an unknown account, it takes the same time and returns false. */
  matches: (stored: string | null, password: string) => Promise<boolean>;
};

export async function makePasswordHashing(limits = usualLimits): Promise<PasswordHashing> {
  const unknownAccount = await hash('no account has this password', cost);
  const queue = new AdmissionQueue(limits);
  const inTurn = <T>(work: () => Promise<T>) => {
    const { account, signal } = currentTurn();
    return queue.run(account, work, signal);
  };
  return {
    hash: (password) => inTurn(() => hash(password, cost)),
    matches: async (stored, password) => {
      const right = await inTurn(() => verify(stored ?? unknownAccount, password));
      return right && stored !== null;
    },
  };
}
