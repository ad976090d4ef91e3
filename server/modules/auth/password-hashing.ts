import { hash, verify } from '@node-rs/argon2';

/** Argon2id, as OWASP advises for a server: 19 MiB, two passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export type PasswordHashing = {
  hash: (password: string) => Promise<string>;
  /** With null for an account that does not exist, takes as long as for one that does, and answers false. */
  matches: (stored: string | null, password: string) => Promise<boolean>;
};

export async function makePasswordHashing(): Promise<PasswordHashing> {
  const nobody = await hash('nobody has this password', cost);
  return {
    hash: (password) => hash(password, cost),
    matches: async (stored, password) => {
      const right = await verify(stored ?? nobody, password);
      return right && stored !== null;
    },
  };
}
