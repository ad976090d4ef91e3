import { LRUCache } from 'lru-cache';

/** The limits of all entries together, and of one entry (characters of its texts, estimated). */
const limits = { max: 1_000, maxSize: 16 * 1024 * 1024, maxEntrySize: 64 * 1024 };

/**
 * A cache of rows that were stored a moment ago. It saves the worker of this process a read. An entry
 * may be missing at any time, and a large entry is not kept.
 */
export function createRecentRows<T extends NonNullable<unknown>>(weightOf: (value: T) => number) {
  // The library refuses a weight of 0.
  const kept = new LRUCache<string, T>({ ...limits, sizeCalculation: (value) => weightOf(value) || 1 });
  return {
    put(id: string, value: T): void {
      kept.set(id, value);
    },
    take(id: string): T | null {
      const value = kept.get(id) ?? null;
      kept.delete(id);
      return value;
    },
  };
}

export type RecentRows<T extends NonNullable<unknown>> = ReturnType<typeof createRecentRows<T>>;
