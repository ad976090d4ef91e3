/** `full`: everything. `compact`: band, icon, title, state. `title`: colour, title, state. `block`: colour and state. */
export type DetailLevel = 'full' | 'compact' | 'title' | 'block';

const fullFrom = 0.6;
const compactFrom = 0.35;
const titleFrom = 0.18;

/** Zooms at which the room that a card leaves for its title changes enough to set it anew; the last is where titles end. */
const textZooms = [0.5, 0.42, compactFrom, 0.28, 0.22, titleFrom] as const;

export function detailLevel(zoom: number): DetailLevel {
  if (zoom >= fullFrom) return 'full';
  if (zoom >= compactFrom) return 'compact';
  return zoom >= titleFrom ? 'title' : 'block';
}

/** The smallest zoom for which a title set for `zoom` is used: it fits at every zoom from there on. At most `zoom`. */
export function textFitZoom(zoom: number): number {
  if (zoom >= fullFrom) return fullFrom;
  return textZooms.find((step) => zoom >= step) ?? titleFrom;
}
