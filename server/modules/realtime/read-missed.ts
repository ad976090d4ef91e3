/** Reads a log from after `since` to its end, in pages of `size` entries. */
export async function readMissed<T extends { seq: number }>(
  read: (since: number, limit: number) => Promise<T[]>,
  since: number,
  size: number,
): Promise<T[]> {
  const all: T[] = [];
  for (let last = since; ; ) {
    const page = await read(last, size);
    all.push(...page);
    const end = page.at(-1);
    if (end === undefined || page.length < size) return all;
    last = end.seq;
  }
}
