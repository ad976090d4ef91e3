/** `full`: everything. `compact`: band, icon, title, state. `title`: colour, title, state. `block`: colour and state. */
export type DetailLevel = 'full' | 'compact' | 'title' | 'block';

const fullFrom = 0.6;
const compactFrom = 0.35;
const titleFrom = 0.18;

export function detailLevel(zoom: number): DetailLevel {
  if (zoom >= fullFrom) return 'full';
  if (zoom >= compactFrom) return 'compact';
  return zoom >= titleFrom ? 'title' : 'block';
}

/** The smallest zoom of each level. */
export const levelFloors: Record<DetailLevel, number> = { full: fullFrom, compact: compactFrom, title: titleFrom, block: 0 };
