type Point = { x: number; y: number };
type Placed = { side: string; positioner: { width: number; height: number } };

/** The gap between a menu and its place, and the room of what it keeps clear of on each side of its middle (CSS px). */
const gap = 2;
const room = 12;

/** Returns how a menu at a place keeps clear of a point: the side that leads away from it, and the distance on each side on which there is room. */
export function keepClear(at: Point, of: Point | undefined) {
  return {
    side: of && of.x > at.x ? ('left' as const) : ('right' as const),
    sideOffset: ({ side, positioner: { width, height } }: Placed) => {
      if (!of) return gap;
      const isBeside = side === 'left' || side === 'right';
      const distance = (isBeside ? of.x - at.x : of.y - at.y) * (side === 'left' || side === 'top' ? -1 : 1);
      const isUnder = distance > -room && distance < (isBeside ? width : height) + room;
      return gap + (isUnder ? distance + room : 0);
    },
  };
}
