import type { WorkOptions } from '../work-queue.ts';

/**
 * Counts the places of a process's jobs, in all and by group. It also knows the groups whose jobs may wait, so that a new job of such a
 * group does not begin before them.
 */
export function createGroupPlaces({ maxAtOnce, maxPerGroup }: Pick<WorkOptions, 'maxAtOnce' | 'maxPerGroup'>) {
  const byGroup = new Map<string, number>();
  let total = 0;
  /** Groups that had no free place at the last fetch, or were refused one since. */
  let waiting = new Set<string>();
  /** Nothing is known before the first fetch, and while all places are taken. */
  let isUnknown = true;

  const isFull = (group: string | null | undefined): boolean =>
    maxPerGroup !== null && group != null && (byGroup.get(group) ?? 0) >= maxPerGroup;

  const add = (group: string | null | undefined): void => {
    total += 1;
    if (group != null) byGroup.set(group, (byGroup.get(group) ?? 0) + 1);
  };

  return {
    add,
    free: () => maxAtOnce - total,
    /** Takes a place for a fetched job. Returns false when its group has none. */
    tryAdd(group: string | null | undefined): boolean {
      if (isFull(group)) return false;
      add(group);
      return true;
    },
    /** Takes a place for a new job. Returns false when it must wait its turn. */
    tryTake(group: string): boolean {
      if (isUnknown || total >= maxAtOnce || waiting.has(group)) return false;
      if (isFull(group)) {
        waiting.add(group);
        return false;
      }
      add(group);
      return true;
    },
    remove(group: string | null | undefined): void {
      total -= 1;
      if (group == null) return;
      const left = (byGroup.get(group) ?? 0) - 1;
      if (left > 0) byGroup.set(group, left);
      else byGroup.delete(group);
    },
    /** The groups whose waiting jobs the next fetch looks for. */
    waitingGroups: (): ReadonlySet<string> => new Set(waiting),
    /** Called after a fetch that found nothing: these groups have no waiting jobs if they have free places. Null: all places were taken. */
    fetchIsOver(lookedFor: ReadonlySet<string> | null): void {
      isUnknown = lookedFor === null;
      if (lookedFor === null) return;
      const later = [...waiting].filter((group) => !lookedFor.has(group));
      waiting = new Set([...later, ...[...byGroup.keys()].filter(isFull)]);
    },
    /** Whether a job may wait for a place. */
    mayAnyWait: () => isUnknown || waiting.size > 0,
  };
}
