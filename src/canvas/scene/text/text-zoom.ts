import { type DetailLevel, levelFloors } from '../../geometry/level-of-detail.ts';

/**
 * For which zoom the text of each level of detail is set. At full detail text is drawn for one zoom and stretched while
 * the zoom changes; below, text has its own size on the screen and is cut to what its card has room for. While the zoom goes out it is
 * set for the end of its level, so that no step sets it anew. Either way it is set again, exactly, when the zoom has come to rest. `version` grows with each such change of a level.
 */
export class TextZoom {
  readonly #levels = new Map<DetailLevel, { zoom: number; version: number }>();

  /** The zoom to set text for, now that `zoom` is shown. */
  inMotion(level: DetailLevel, zoom: number): { zoom: number; version: number } {
    const known = this.#levels.get(level);
    if (level === 'full') return known ?? this.#put(level, zoom);
    return known && known.zoom <= zoom ? known : this.#put(level, levelFloors[level]);
  }

  /** Takes a zoom over for good; tells whether anything changes by it. */
  atRest(level: DetailLevel, zoom: number): boolean {
    if (level === 'block' || this.#levels.get(level)?.zoom === zoom) return false;
    this.#put(level, zoom);
    return true;
  }

  #put(level: DetailLevel, zoom: number): { zoom: number; version: number } {
    const entry = { zoom, version: (this.#levels.get(level)?.version ?? 0) + 1 };
    this.#levels.set(level, entry);
    return entry;
  }
}
