import type { ProviderType } from '../../../../contract/agent.ts';
import { type Answered, type Asked, Refused } from './strict-server.ts';

/**
 * A provider as it is: a conversation of two turns with a tool, recorded, and refusals of what the real one refuses. The first turn calls `read_file` for
 * `a.txt`; the second, with its result, answers "It says hello."
 */
export type StrictProvider = {
  name: string;
  provider: Exclude<ProviderType, 'simulated'>;
  model: string;
  /** The address that a person enters: `HOST` stands for the server's. */
  address: string;
  /** The thoughts of the first turn; null for a provider that tells none. */
  thoughts: string | null;
  /** The refusal of a second turn that does not come back as it was; null where text and calls are all there is. */
  wantsBack: string | null;
  /** Requests of the first turn: more than one where a parameter is refused at first. */
  requests?: number;
  answer: (asked: Asked) => Answered;
};

export const result = 'hello';
export const callArguments = '{"path":"a.txt"}';

/** Refuses a request that has other fields than these. */
export function allowOnly(given: object, names: readonly string[], told: (name: string) => Refused): void {
  for (const name of Object.keys(given)) if (!names.includes(name)) throw told(name);
}

export function refuseUnless(isRight: boolean, status: number, told: unknown): void {
  if (!isRight) throw new Refused(status, told);
}
