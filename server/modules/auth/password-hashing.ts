import { hash, verify } from '@node-rs/argon2';
import { AdmissionQueue } from '../../http/limits/admission-queue.ts';

/** Argon2id, as OWASP advises for a server: 19 MiB, two passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes at a time: half of the threads that files and names of hosts are looked up on too. */
const usualLimits = { atOnce: 2, maxWaiting: 500 };

/** A few hashes are made at a time. Each call throws `busy` when too many wait. */
export type PasswordHashing = {
  hash: (password: string) => Promise<string>;
  /** With null for an account that does not exist, takes as long as for one that does, and answers false. */
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
