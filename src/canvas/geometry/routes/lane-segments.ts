import type { Connection } from '../../../../contract/canvas.ts';
import type { Route } from './find-route.ts';

/** A segment of a route between two of its corners, which gets a lane of its own. World px. */
export type LaneSegment = {
  linkId: string;
  /** The number of the segment: 1 follows the first corner. */
  at: number;
  isVertical: boolean;
  /** Its own place across, and the range in which its lane may lie. */
  place: number;
  low: number;
  high: number;
  /** Its extent along. */
  from: number;
  to: number;
  /** Segments with the same key may share a lane: they begin or end at the same card. `null`: see `fans`. */
  fan: string | null;
  /** The keys of the cards at both ends of the link, of which one becomes the fan of a segment that is beside both. */
  fans: readonly [string, string];
  /** The order across: first by class, then by value. */
  order: readonly [number, number];
  /** The side of its cards on which a horizontal segment lies: lanes are added away from them. */
  side: -1 | 0 | 1;
};

/** The segments of a route that get lanes: all but the first and the last, which lie at the ports. */
export function laneSegments({ id, from, to }: Connection, { corners, ranges }: Route): LaneSegment[] {
  const fans = [`>${from.agentId}`, `<${to.agentId}`] as const;
  const count = corners.length / 2;
  return Array.from({ length: Math.max(0, count - 3) }, (_, i) => {
    const at = i + 1;
    const isVertical = at % 2 === 1;
    const across = isVertical ? 0 : 1;
    const ends = [corners[2 * at + 1 - across] as number, corners[2 * at + 3 - across] as number];
    const isMiddle = count === 4;
    return {
      linkId: id,
      at,
      isVertical,
      place: corners[2 * at + across] as number,
      low: ranges[2 * i] as number,
      high: ranges[2 * i + 1] as number,
      from: Math.min(...ends),
      to: Math.max(...ends),
      fan: !isVertical ? id : isMiddle ? null : at === 1 ? fans[0] : fans[1],
      fans,
      order: isVertical ? verticalOrder(corners, at, ends as [number, number]) : horizontalOrder(corners),
      side: isVertical ? 0 : sideOf(corners),
    };
  });
}

/**
 * From left to right: segments out of cards, between two cards, into cards. Those that lead down come in the reverse order of their
 * starts, so that they do not cross. Turns of links that lead back lie one in another.
 */
function verticalOrder(corners: readonly number[], at: number, [start, end]: [number, number]): [number, number] {
  const isBack = (corners.at(-2) as number) < (corners[0] as number);
  if (isBack) return at === 1 ? [1, Math.abs(end - start)] : [4, -Math.abs(end - start)];
  const base = corners.length === 8 ? 2 : at === 1 ? 0 : 5;
  return end < start ? [base, start] : [base + 0.5, -start];
}

/** From top to bottom: below cards the shorter segment comes first, above cards the longer one. */
function horizontalOrder(corners: readonly number[]): [number, number] {
  const side = sideOf(corners);
  const length = Math.abs((corners[6] as number) - (corners[4] as number));
  if (side === 0) return [1, Math.sign((corners.at(-1) as number) - (corners[1] as number)) * -(corners[1] as number)];
  return side > 0 ? [0, length] : [2, -length];
}

function sideOf(corners: readonly number[]): -1 | 0 | 1 {
  const lane = corners[5] as number;
  const [start, end] = [corners[1] as number, corners.at(-1) as number];
  if (lane > start && lane > end) return 1;
  return lane < start && lane < end ? -1 : 0;
}
