import type { Environment } from '../../environment/environment.ts';
import { workerClock } from '../../environment/worker-clock.ts';

/** An environment with a clock and nothing else: no network, no socket, no disk. */
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
