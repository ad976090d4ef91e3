/** Returns the value below which the given share of the numbers lies, or null for none. */
export function quantile(numbers: number[], share: number): number | null {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? null;
}

export function median(numbers: number[]): number | null {
  const sorted = numbers.toSorted((a, b) => a - b);
  const high = sorted[sorted.length >> 1];
  const low = sorted[(sorted.length - 1) >> 1];
  return high === undefined || low === undefined ? null : (low + high) / 2;
}

/** Two digits behind the point. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Returns the list in another order, the same for the same seed, so that no system always goes first. */
export function shuffled<T>(list: readonly T[], seed: number): T[] {
  const order = list.map((item, index) => ({ item, key: Math.sin((seed + 1) * 12.9898 + index * 78.233) * 43_758.5453 }));
  return order.toSorted((a, b) => a.key - Math.floor(a.key) - (b.key - Math.floor(b.key))).map(({ item }) => item);
}
