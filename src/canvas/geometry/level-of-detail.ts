/** `full`: everything. `compact`: band, icon, title, state. `title`: colour, title, state. `block`: colour and state. */
export type DetailLevel = 'full' | 'compact' | 'title' | 'block';

const fullFrom = 0.6;
const compactFrom = 0.35;
const titleFrom = 0.18;

/** How much farther out (as a share of the zoom) titles are set for while the zoom changes, so that not each step sets them anew. */
const outwardReserve = 0.7;

export function detailLevel(zoom: number): DetailLevel {
  if (zoom >= fullFrom) return 'full';
  if (zoom >= compactFrom) return 'compact';
  return zoom >= titleFrom ? 'title' : 'block';
}

const levelFloors: Record<DetailLevel, number> = { full: fullFrom, compact: compactFrom, title: titleFrom, block: 0 };

/** The zoom for which titles are set while it goes out to `zoom`: they fit there and a good deal beyond, within the level. */
export function titleZoomInMotion(zoom: number): number {
  return Math.max(levelFloors[detailLevel(zoom)], zoom * outwardReserve);
}
