import { type DetailLevel, detailLevel } from '../../geometry/level-of-detail.ts';
import { TextZoom } from '../text/text-zoom.ts';
import { ZoomRest } from './zoom-rest.ts';

/** The current level of detail, and the zoom that text is laid out for. */
export class LevelInView {
  level: DetailLevel = 'full';
  /** The zoom that text of the current level is laid out for, and the version of that layout. */
  text = { zoom: 1, version: 0 };
  readonly #textZoom = new TextZoom();
  readonly #rest: ZoomRest;

  /** Called when the zoom has settled and text must be laid out again. */
  constructor(zoomNow: () => number, onRest: () => void) {
    this.#rest = new ZoomRest(zoomNow, (zoom) => {
      if (this.#textZoom.atRest(detailLevel(zoom), zoom)) onRest();
    });
  }

  /** Takes every zoom that is shown; `now` in ms of a steady clock. Returns whether the level has changed. */
  follow(zoom: number, now: number): boolean {
    const level = detailLevel(zoom);
    const isOther = level !== this.level;
    this.level = level;
    this.#rest.follow(zoom, now);
    this.text = this.#textZoom.inMotion(level, zoom);
    return isOther;
  }

  /** Whether text is drawn pixel for pixel at a zoom, and not stretched from another. */
  isExact(zoom: number): boolean {
    return this.level !== 'full' || this.text.zoom === zoom;
  }

  /** Whether the last frame showed this zoom, with text that is laid out for it. */
  isAtRest(zoom: number): boolean {
    return this.level === detailLevel(zoom) && (this.level === 'block' || this.text.zoom === zoom);
  }

  /** The zoom of the text's layout while the text is scaled with the cards; null while it has its own size on the screen. */
  get stretchedFrom(): number | null {
    return this.level === 'full' ? this.text.zoom : null;
  }

  /** The texels of one px of text: at a settled zoom each is one px of a screen with `pixelRatio`. */
  texels(pixelRatio: number): number {
    return (this.stretchedFrom ?? 1) * pixelRatio;
  }

  cancel(): void {
    this.#rest.cancel();
  }
}
