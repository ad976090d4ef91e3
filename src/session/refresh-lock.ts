/** Runs work so that one tab of this browser at a time does it. */
export type Exclusive = <T>(work: () => Promise<T>) => Promise<T>;

/** By the Web Locks of the browser; where there are none, one at a time in this tab. */
export function refreshLock(locks: LockManager | undefined): Exclusive {
  if (locks) return (work) => locks.request('artel.refresh', () => work());
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
}
