/** A list that tests fill as messages arrive, and wait for. `name` says in a failure what did not come within `patienceMs`. */
export function waitingList<T>(name: string, patienceMs: number) {
  const items: T[] = [];
  const waiters = new Set<() => void>();
  return {
    items,
    add(...added: readonly T[]): void {
      items.push(...added);
      for (const waiter of waiters) waiter();
    },
    /** Waits for an item. */
    until: (fits: (item: T) => boolean): Promise<T> =>
      new Promise((resolve, reject) => {
        const limit = setTimeout(() => reject(new Error(`No such ${name} among ${JSON.stringify(items).slice(0, 2_000)}`)), patienceMs);
        const waiter = () => {
          const found = items.find(fits);
          if (found === undefined) return;
          clearTimeout(limit);
          waiters.delete(waiter);
          resolve(found);
        };
        waiters.add(waiter);
        waiter();
      }),
  };
}
