import { hash, verify } from '@node-rs/argon2';
import { AdmissionQueue } from '../../http/limits/admission-queue.ts';

/** Argon2id with OWASP's parameters for a server: 19 MiB, two passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Concurrent hashes: half of the threads, which also serve files and DNS. */
const usualLimits = { atOnce: 2, maxWaiting: 500 };

/** Hashes passwords, a few at a time. Each call throws `busy` when too many wait. */
export type PasswordHashing = {
  hash: (password: string) => Promise<string>;
  /** Verifies a password. With null, for an unknown account, it takes the same time and returns false. */
  matches: (stored: string | null, password: string) => Promise<boolean>;
};

export async function makePasswordHashing(limits: { atOnce: number; maxWaiting: number } = usualLimits): Promise<PasswordHashing> {
  const unknownAccount = await hash('no account has this password', cost);
  const queue = new AdmissionQueue({ ...limits, maxPerAccount: Number.POSITIVE_INFINITY });
  const inTurn = <T>(work: () => Promise<T>) => queue.run('all', work);
  return {
    hash: (password) => inTurn(() => hash(password, cost)),
    matches: async (stored, password) => {
      const right = await inTurn(() => verify(stored ?? unknownAccount, password));
      return right && stored !== null;
    },
  };
}
