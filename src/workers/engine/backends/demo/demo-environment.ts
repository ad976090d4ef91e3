import type { Environment } from '../../environment/environment.ts';
import { workerClock } from '../../environment/worker-clock.ts';

/** Creates an environment with only a clock: without network, socket and disk. */
export function demoEnvironment(): Environment {
  return {
    ...workerClock,
    warn: () => {},
    openSocket: () => {
      throw new Error('The demonstration opens no socket');
    },
    onOnline: () => () => {},
    openJournals: async () => {
      throw new Error('The demonstration keeps no journal');
    },
    locks: { hold: async () => null, openTabs: async () => null },
  };
}
