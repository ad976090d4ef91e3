import type { WorkOptions } from '../work-queue.ts';

type Limits = Pick<WorkOptions, 'maxAtOnce' | 'maxPerGroup'>;
type Group = string | null | undefined;

/**
 * Counts the places of a process's jobs, in all and by group. It also knows the groups whose jobs may wait, so that a new job of such a
 * group does not begin before them.
 */
export class GroupPlaces {
  readonly #limits: Limits;
  readonly #byGroup = new Map<string, number>();
  #total = 0;
  /** Groups that had no free place at the last fetch, or were refused one since. */
  #waiting = new Set<string>();
  /** Nothing is known before the first fetch, and while all places are taken. */
  #isUnknown = true;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get free(): number {
    return this.#limits.maxAtOnce - this.#total;
  }

  /** The groups whose waiting jobs the next fetch looks for. */
  get waitingGroups(): ReadonlySet<string> {
    return new Set(this.#waiting);
  }

  /** Whether a job may wait for a place. */
  get mayAnyWait(): boolean {
    return this.#isUnknown || this.#waiting.size > 0;
  }

  add(group: Group): void {
    this.#total += 1;
    if (group != null) this.#byGroup.set(group, (this.#byGroup.get(group) ?? 0) + 1);
  }

  /** Takes a place for a fetched job. Returns false when its group has none. */
  tryAdd(group: Group): boolean {
    if (this.#isFull(group)) return false;
    this.add(group);
    return true;
  }

  /** Takes a place for a new job. Returns false when it must wait its turn. */
  tryTake(group: string): boolean {
    if (this.#isUnknown || this.free <= 0 || this.#waiting.has(group)) return false;
    if (this.tryAdd(group)) return true;
    this.#waiting.add(group);
    return false;
  }

  remove(group: Group): void {
    this.#total -= 1;
    if (group == null) return;
    const left = (this.#byGroup.get(group) ?? 0) - 1;
    if (left > 0) this.#byGroup.set(group, left);
    else this.#byGroup.delete(group);
  }

  /** Called after a fetch that found nothing: these groups have no waiting jobs if they have free places. Null: all places were taken. */
  fetchIsOver(lookedFor: ReadonlySet<string> | null): void {
    this.#isUnknown = lookedFor === null;
    if (lookedFor === null) return;
    const later = [...this.#waiting].filter((group) => !lookedFor.has(group));
    this.#waiting = new Set([...later, ...[...this.#byGroup.keys()].filter((group) => this.#isFull(group))]);
  }

  #isFull(group: Group): boolean {
    const { maxPerGroup } = this.#limits;
    return maxPerGroup !== null && group != null && (this.#byGroup.get(group) ?? 0) >= maxPerGroup;
  }
}
