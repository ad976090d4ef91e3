/** Runs work in only one tab of this browser at a time. */
export type RunExclusively = <T>(work: () => Promise<T>) => Promise<T>;

/** Uses the browser's Web Locks. Without them, the lock covers this tab only. */
export function createRefreshLock(locks: LockManager | undefined): RunExclusively {
  if (locks) return (work) => locks.request('artel.refresh', () => work());
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
}
