/** Entries kept at most. */
const maxKept = 1_000;

/** What was stored a moment ago, for the worker of this process that is likely to need it next: it saves reading it, and may be gone. */
export function createRecent<T>() {
  const kept = new Map<string, T>();
  return {
    put(id: string, value: T): void {
      kept.set(id, value);
      if (kept.size <= maxKept) return;
      for (const oldest of kept.keys()) {
        kept.delete(oldest);
        return;
      }
    },
    take(id: string): T | null {
      const value = kept.get(id) ?? null;
      kept.delete(id);
      return value;
    },
  };
}

export type Recent<T> = ReturnType<typeof createRecent<T>>;
