import { type DetailLevel, levelFloors } from '../../geometry/level-of-detail.ts';

/**
 * The zoom that the text of each level of detail is laid out for. At full detail text is laid out for one zoom and scaled while the zoom
 * changes. At other levels text has its own size on the screen and is cut to its card. While the user zooms out, it is laid out for the end
 * of its level, so that no step lays it out again. At a settled zoom it is laid out exactly. `version` grows with each layout of a level.
 */
export class TextZoom {
  readonly #levels = new Map<DetailLevel, { zoom: number; version: number }>();

  /** Returns the zoom to lay text out for while `zoom` is shown. */
  inMotion(level: DetailLevel, zoom: number): { zoom: number; version: number } {
    const known = this.#levels.get(level);
    if (level === 'full') return known ?? this.#put(level, zoom);
    return known && known.zoom <= zoom ? known : this.#put(level, levelFloors[level]);
  }

  /** Lays text out for a settled zoom. Returns whether the layout changes. */
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
