import { openIdbJournals } from '../persistence/idb-journals.ts';
import type { Environment, TabLocks } from './environment.ts';
import { workerClock } from './worker-clock.ts';

/** The environment of a worker in a browser. */
export function browserEnvironment(): Environment {
  return {
    ...workerClock,
    // biome-ignore lint/suspicious/noConsole: the developer's console lists calls that time out or are refused.
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

/** Each open tab holds a Web Lock of its name. In a browser without locks it is not known which tabs are open. */
function webLocks(): TabLocks {
  const { locks } = navigator;
  if (!locks) return { hold: async () => () => {}, openTabs: async () => null };
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
    async openTabs() {
      const { held = [] } = await locks.query();
      return new Set(held.flatMap(({ name }) => (name?.startsWith(lockName) ? [name.slice(lockName.length)] : [])));
    },
  };
}
