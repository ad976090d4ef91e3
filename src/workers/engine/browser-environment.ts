import type { Environment, TabLocks } from './environment.ts';
import { openIdbJournals } from './save/idb-journals.ts';
import { workerClock } from './worker-clock.ts';

/** The worker's own surroundings. */
export function browserEnvironment(): Environment {
  return {
    ...workerClock,
    // biome-ignore lint/suspicious/noConsole: calls that time out or are refused are to be found in the developer's console.
    warn: (text) => console.warn(text),
    openSocket: (url) => new WebSocket(url),
    pageUrl: self.location.origin,
    onOnline(listener) {
      self.addEventListener('online', listener);
      return () => self.removeEventListener('online', listener);
    },
    openJournals: () => openIdbJournals(),
    locks: webLocks(),
  };
}

const lockName = 'artel-tab:';

/** Each live tab holds a Web Lock of its name. Where there are none, nobody can tell which tabs live. */
function webLocks(): TabLocks {
  const { locks } = navigator;
  if (!locks) return { hold: async () => () => {}, held: async () => null };
  return {
    hold: (tabId, waitMs) =>
      new Promise((resolve) => {
        const patience = AbortSignal.timeout(waitMs);
        const options = waitMs > 0 ? { signal: patience } : { ifAvailable: true };
        locks
          .request(lockName + tabId, options, (lock) => {
            if (!lock) return resolve(null);
            return new Promise<void>((release) => resolve(release));
          })
          .catch(() => resolve(null));
      }),
    async held() {
      const { held = [] } = await locks.query();
      return new Set(held.flatMap(({ name }) => (name?.startsWith(lockName) ? [name.slice(lockName.length)] : [])));
    },
  };
}
