/** The limits of all entries together, and of one entry (characters of its texts, estimated). */
const maxEntries = 1_000;
const maxTotalWeight = 16 * 1024 * 1024;
const maxWeight = 64 * 1024;

/**
 * A cache of rows that were stored a moment ago. It saves the worker of this process a read. An entry
 * may be missing at any time, and a large entry is not kept.
 */
export function createRecentRows<T>(weightOf: (value: T) => number) {
  const kept = new Map<string, { value: T; weight: number }>();
  let total = 0;
  const take = (id: string): T | null => {
    const entry = kept.get(id);
    if (!entry) return null;
    kept.delete(id);
    total -= entry.weight;
    return entry.value;
  };
  return {
    put(id: string, value: T): void {
      const weight = weightOf(value);
      take(id);
      if (weight > maxWeight) return;
      kept.set(id, { value, weight });
      total += weight;
      for (const oldest of kept.keys()) {
        if (kept.size <= maxEntries && total <= maxTotalWeight) return;
        take(oldest);
      }
    },
    take,
  };
}

export type RecentRows<T> = ReturnType<typeof createRecentRows<T>>;
