import { type DetailLevel, detailLevel } from '../../geometry/level-of-detail.ts';
import { TextZoom } from '../text/text-zoom.ts';
import { ZoomRest } from './zoom-rest.ts';

/** At which level of detail cards are drawn now, and for which zoom their text is set. */
export class LevelInView {
  level: DetailLevel = 'full';
  /** The zoom that text at the level in view is set for, and which setting of that level this is. */
  text = { zoom: 1, version: 0 };
  readonly #textZoom = new TextZoom();
  readonly #rest: ZoomRest;

  /** `onRest` is called when text is to be set anew, since the zoom has come to rest. */
  constructor(zoomNow: () => number, onRest: () => void) {
    this.#rest = new ZoomRest(zoomNow, (zoom) => {
      if (this.#textZoom.atRest(detailLevel(zoom), zoom)) onRest();
    });
  }

  /** To be told of every zoom that is shown, `now` in ms of any steady clock. Tells whether the level is another than before. */
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

  /** The zoom that text is stretched from with the cards; null where it has its own size on the screen. */
  get stretchedFrom(): number | null {
    return this.level === 'full' ? this.text.zoom : null;
  }

  /** Texels that a px of text is drawn with, so that at rest each is one px of a screen with `pixelRatio`. */
  texels(pixelRatio: number): number {
    return (this.stretchedFrom ?? 1) * pixelRatio;
  }

  cancel(): void {
    this.#rest.cancel();
  }
}
