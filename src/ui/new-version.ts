import { ObservableValue } from '../state/observable.ts';
import { useObserved } from '../state/use-observed.ts';
import { isOtherVersion } from './is-other-version.ts';
import { whileVisible } from './while-visible.ts';

/** How often an open page checks for a newer client (ms). */
const everyMs = 10 * 60_000;

const isNew = new ObservableValue(false);
let readServed: () => Promise<string | null> = async () => null;

/** Whether the server is known to have another client than this page. */
export function useNewVersion(): boolean {
  return useObserved(isNew, isNew.get, () => false);
}

/** Reads the client's build from the server. Without a response nothing changes. */
export async function checkVersion(): Promise<void> {
  if (isNew.get()) return;
  const own = document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content;
  if (!own) return;
  if (!isOtherVersion(own, await readServed())) return;
  isNew.set(true);
}

/**
 * Checks for a newer client while the page is visible: at intervals, when the page becomes visible, and when the browser is online again.
 * `ask` resolves with the build of the page's server, or null.
 */
export function followVersion(ask: () => Promise<string | null>): void {
  readServed = ask;
  // The page that has just been loaded is the newest.
  let isFirst = document.visibilityState === 'visible';
  whileVisible(() => {
    if (!isFirst) void checkVersion();
    isFirst = false;
    const timer = setInterval(() => void checkVersion(), everyMs);
    return () => clearInterval(timer);
  });
  addEventListener('online', () => {
    if (document.visibilityState === 'visible') void checkVersion();
  });
}
