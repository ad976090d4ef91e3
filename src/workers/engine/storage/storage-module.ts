import type { Command } from '../../../model/commands.ts';
import { refusal } from '../backends/port.ts';
import type { EngineContext } from '../engine-context.ts';
import type { EngineModule } from '../engine-module.ts';
import { reloadHistory } from '../history/history-list.ts';
import { StorageWatch } from './watch-storage.ts';

type StorageType = Extract<Command['type'], `storage.${string}`>;

/** Removes old runs and unused pipelines of the account, and warns of an account that is almost full. What it stores in detail is read on demand. */
export function createStorageModule(context: EngineContext): EngineModule<StorageType> {
  const { backend, store } = context;
  const watch = new StorageWatch(context);
  return {
    handlers: {
      'storage.free': async ({ kind, olderThanDays }) => {
        // One call removes a bounded number of runs.
        let removed = 0;
        let last: number;
        do {
          const answer = await backend.call('storage.free', { params: { kind }, query: { olderThanDays } });
          if (!answer.ok) return refusal(answer.fault);
          last = answer.value.removed;
          removed += last;
        } while (kind === 'runs' && last > 0);
        if (store.state.project && removed > 0) await reloadHistory(context);
        if (removed > 0) void watch.look();
        return { ok: true, value: { removed } };
      },
    },
    onProjectOpened: () => void watch.lookSometimes(),
    onRunEnded: () => void watch.lookSometimes(),
  };
}
