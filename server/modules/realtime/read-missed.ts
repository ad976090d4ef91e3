/** Reads a log from after `since` to its end, in pages of `size` entries. The next page is read when the last one was taken. */
export async function* readMissed<T extends { seq: number }>(
  read: (since: number, limit: number) => Promise<T[]>,
  since: number,
  size: number,
): AsyncGenerator<T[]> {
  for (let last = since; ; ) {
    const page = await read(last, size);
    if (page.length > 0) yield page;
    const end = page.at(-1);
    if (end === undefined || page.length < size) return;
    last = end.seq;
  }
}
