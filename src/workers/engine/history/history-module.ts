import type { Command } from '../../../model/commands.ts';
import { done, outcomeOf } from '../../../model/problem.ts';
import type { EngineContext } from '../engine-context.ts';
import type { EngineModule } from '../engine-module.ts';
import { clearHistory, loadHistory, reloadHistory, removeFromHistory, settleHistory } from './history-list.ts';

/** How often the history is read again without a command. W9.02 */
export const refreshEveryMs = 30_000;

type HistoryType = Extract<Command['type'], 'history.reload' | 'history.remove' | 'history.clear'>;

/** The list of finished runs: reads it at intervals and after each run, and removes items. */
export function createHistoryModule(context: EngineContext): EngineModule<HistoryType> {
  const { store, environment, notices } = context;
  let stopRefreshing = () => {};

  function startRefreshing(): void {
    let isStopped = false;
    let cancelTimer = environment.later(refreshEveryMs, refresh);
    /** Reads the list, unless it is loading, or has failed and waits for the user's retry. */
    async function refresh(): Promise<void> {
      const { status, error } = store.state.history;
      if (status === 'ready' && error === null) await loadHistory(context);
      if (!isStopped) cancelTimer = environment.later(refreshEveryMs, refresh);
    }
    stopRefreshing = () => {
      isStopped = true;
      cancelTimer();
    };
  }

  return {
    handlers: {
      'history.reload': async () => {
        if (store.state.project) return outcomeOf(await reloadHistory(context));
        notices.show({ code: 'history.noProject' }, 'warning');
        return done;
      },
      'history.remove': ({ id }) => removeFromHistory(context, id),
      'history.clear': () => clearHistory(context),
    },
    onProjectOpened: () => {
      stopRefreshing();
      startRefreshing();
    },
    onProjectGone: () => stopRefreshing(),
    onRunEnded: (executionId) => void settleHistory(context, executionId),
    close: () => stopRefreshing(),
  };
}
