import type { CommandRow } from './rows.ts';

/** Notifies callers of this process that a command has ended here. */
export function createEndedCommands() {
  const listeners = new Map<string, Set<(row: CommandRow) => void>>();
  return {
    notify(row: CommandRow): void {
      for (const listener of listeners.get(row.id) ?? []) listener(row);
    },
    /** Returns the function that ends the subscription. */
    listen(id: string, listener: (row: CommandRow) => void): () => void {
      const own = listeners.get(id) ?? new Set();
      listeners.set(id, own.add(listener));
      return () => {
        own.delete(listener);
        if (own.size === 0 && listeners.get(id) === own) listeners.delete(id);
      };
    },
  };
}

export type EndedCommands = ReturnType<typeof createEndedCommands>;
