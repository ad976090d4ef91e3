import { loadAgents } from './agents.ts';
import type { Backend } from './backends/port.ts';
import type { Environment } from './environment.ts';
import { fallbackAfterMs, showFallbackAgents } from './fallback-agents.ts';
import { loadHistory } from './history.ts';
import type { Notices } from './store/notices.ts';
import type { Store } from './store/store.ts';

/** How often the history is read again by itself. W9.02 */
export const refreshEveryMs = 30_000;

/** When the menu is read anew after the project was opened: agents may have been made or removed while it was. W4.17 */
export const menuSyncAfterMs = 2_000;

type UpkeepParts = {
  store: Store;
  backend: Backend;
  environment: Environment;
  notices: Notices;
  language: () => string;
  check: () => void;
};

/** Begins what a project that is open sees to by itself; the answer ends it. */
export function beginUpkeep({ store, backend, environment, notices, language, check }: UpkeepParts): () => void {
  let isOver = false;
  let cancelRefresh = environment.later(refreshEveryMs, refresh);
  const cancelSync = environment.later(menuSyncAfterMs, async () => {
    if (!(await loadAgents(store, backend, true))) check();
  });
  const cancelFallback = environment.later(fallbackAfterMs, async () => {
    const told = await showFallbackAgents(store, environment, language(), () => isOver);
    if (told) notices.show(told, 'warning');
  });

  /** What is being read, or failed and waits for somebody to ask again, is left alone. */
  async function refresh(): Promise<void> {
    const { status, error } = store.state.history;
    let ended = false;
    cancelRefresh = () => {
      ended = true;
    };
    if (status === 'ready' && error === null) await loadHistory(store, backend);
    if (!ended) cancelRefresh = environment.later(refreshEveryMs, refresh);
  }

  return () => {
    isOver = true;
    cancelRefresh();
    cancelSync();
    cancelFallback();
  };
}
