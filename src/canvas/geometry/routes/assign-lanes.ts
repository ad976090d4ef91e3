import type { LaneSegment } from './lane-segments.ts';

/** World px between two lanes, and the least distance in a crowded space. */
const laneGap = 14;
/** World px between two lanes above or below cards: the badges on them, 24 high, do not cover each other. */
const stackGap = 28;
const minLaneGap = 1.5;
/**
 * Segments whose ends are nearer than that along their direction count as side by side (world px): the lanes of the segments before and
 * behind them move those ends.
 */
export const laneMargin = 140;

/** Segments that share a lane. */
type Bundle = {
  members: LaneSegment[];
  place: number;
  low: number;
  high: number;
  from: number;
  to: number;
  lane: number;
  side: -1 | 0 | 1;
};

/**
 * Returns a place for each segment of a cluster: lanes side by side, so that no two lie on each other, within their ranges. Segments of one
 * fan share a lane. The same segments get the same places in any order.
 */
export function assignLanes(cluster: readonly LaneSegment[]): Map<LaneSegment, number> {
  const bundles = bundlesOf([...cluster].sort(inOrder));
  const placed: { bundle: Bundle; at: number }[] = [];
  for (const rivals of rivalsAmong(bundles)) {
    const narrowest = rivals.reduce((least, { low, high }) => Math.min(least, high - low), Number.POSITIVE_INFINITY);
    const lanes = numberLanes(rivals, Math.floor(narrowest / laneGap));
    const middle = rivals.reduce((sum, { place }) => sum + place, 0) / rivals.length;
    const [{ side }] = rivals as [Bundle];
    const isStack = side !== 0 && rivals.every((bundle) => bundle.side === side);
    const gap = Math.min(isStack ? stackGap : laneGap, narrowest / Math.max(1, lanes - 1));
    for (const bundle of isStack && side < 0 ? rivals.toReversed() : rivals) {
      const beside = placed.filter((other) => isBeside(other.bundle, bundle)).map(({ at }) => at);
      const wanted = isStack ? bundle.place : middle + (bundle.lane - (lanes - 1) / 2) * gap;
      placed.push({ bundle, at: isStack ? stackPlace(wanted, bundle, beside, gap) : freePlace(wanted, bundle, beside, gap) });
    }
  }
  return new Map(placed.flatMap(({ bundle, at }) => bundle.members.map((member) => [member, at] as const)));
}

/** Sorts bundles into sets that compete for the same place, the set with the lowest place first. */
function rivalsAmong(bundles: readonly Bundle[]): Bundle[][] {
  const left = new Set(bundles);
  const sets: Bundle[][] = [];
  for (const first of bundles) {
    if (!left.delete(first)) continue;
    const set = new Set([first]);
    // The set grows while it is read.
    for (const one of set) {
      for (const other of left) {
        if (Math.abs(other.place - one.place) >= laneGap || !isBeside(one, other)) continue;
        left.delete(other);
        set.add(other);
      }
    }
    sets.push(bundles.filter((bundle) => set.has(bundle)));
  }
  return sets;
}

function inOrder(a: LaneSegment, b: LaneSegment): number {
  return a.order[0] - b.order[0] || a.order[1] - b.order[1] || (a.linkId < b.linkId ? -1 : a.linkId > b.linkId ? 1 : a.at - b.at);
}

/** Joins the segments of each fan, in the order of their first one. A segment between two cards joins the larger fan of its ends. */
function bundlesOf(sorted: readonly LaneSegment[]): Bundle[] {
  const sizes = new Map<string, number>();
  for (const { fan, fans } of sorted) for (const key of fan === null ? fans : [fan]) sizes.set(key, (sizes.get(key) ?? 0) + 1);
  const sizeOf = (key: string) => sizes.get(key) ?? 0;
  const bundles = new Map<string, Bundle>();
  for (const segment of sorted) {
    const { fans, place, low, high, from, to } = segment;
    const key = segment.fan ?? (sizeOf(fans[0]) >= sizeOf(fans[1]) ? fans[0] : fans[1]);
    const known = bundles.get(key);
    if (!known || Math.max(low, known.low) > Math.min(high, known.high)) {
      bundles.set(known ? `${key} ${segment.linkId}` : key, {
        members: [segment],
        place,
        low,
        high,
        from,
        to,
        lane: 0,
        side: segment.side,
      });
      continue;
    }
    known.members.push(segment);
    known.low = Math.max(low, known.low);
    known.high = Math.min(high, known.high);
    known.from = Math.min(from, known.from);
    known.to = Math.max(to, known.to);
  }
  for (const bundle of bundles.values()) {
    const mean = bundle.members.reduce((sum, { place }) => sum + place, 0) / bundle.members.length;
    bundle.place = Math.min(bundle.high, Math.max(bundle.low, mean));
  }
  return [...bundles.values()];
}

/**
 * Numbers the lanes in the order of the bundles: each after those that lie beside it, and from `space` lanes on the first that is free there.
 * Returns how many there are.
 */
function numberLanes(bundles: readonly Bundle[], space: number): number {
  let lanes = 0;
  for (const [i, bundle] of bundles.entries()) {
    const taken = new Set<number>();
    for (let before = 0; before < i; before++) {
      const other = bundles[before] as Bundle;
      if (!isBeside(other, bundle)) continue;
      taken.add(other.lane);
      bundle.lane = Math.max(bundle.lane, other.lane + 1);
    }
    if (bundle.lane >= space) for (bundle.lane = 0; taken.has(bundle.lane); ) bundle.lane++;
    lanes = Math.max(lanes, bundle.lane + 1);
  }
  return lanes;
}

function isBeside(a: Bundle, b: Bundle): boolean {
  return a.from < b.to + laneMargin && b.from < a.to + laneMargin;
}

/** The first free place of a stack: its own, or farther from the cards. */
function stackPlace(wanted: number, bundle: Bundle, taken: readonly number[], gap: number): number {
  const away = bundle.side * gap;
  let at = wanted;
  for (const other of taken.toSorted((a, b) => (a - b) * bundle.side)) if (Math.abs(other - at) < gap) at = other + away;
  return freePlace(at, bundle, taken, gap);
}

/** The free place in a bundle's range that is nearest to the wanted one; with less distance where the space is crowded. */
function freePlace(wanted: number, { low, high }: Bundle, taken: readonly number[], gap: number): number {
  const inRange = Math.min(high, Math.max(low, wanted));
  for (let distance = gap; distance >= minLaneGap; distance /= 2) {
    const places = [inRange, ...taken.flatMap((at) => [at - distance, at + distance])]
      .filter((at) => at >= low && at <= high && taken.every((other) => Math.abs(other - at) >= distance - 1e-6))
      .sort((a, b) => Math.abs(a - inRange) - Math.abs(b - inRange) || a - b);
    if (places[0] !== undefined) return places[0];
  }
  return inRange;
}
