import { sampleOf } from '../amounts.ts';
import type { KillPoint, WritePoint } from './kill-at-write.ts';

/** The points before all writes, then those after them, or a sample of so many: the last one is after the last write. */
export function killPointsOf(writes: readonly WritePoint[], counts: { few?: number; some: number }): KillPoint[] {
  const at = (when: KillPoint['when']) => writes.map((write): KillPoint => ({ ...write, when }));
  return sampleOf([...at('before'), ...at('after')], counts);
}
