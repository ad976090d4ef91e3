import { CanvasSource, type WebGLRenderer } from 'pixi.js';
import type { RoleIconName } from '../../../ui/icons/role-icon-name.ts';
import { isColoured } from '../cards/clusters.ts';
import { roleIconPaths } from '../cards/role-icon-paths.ts';
import { drawStateGlyph, type StateGlyph } from '../cards/state-glyphs.ts';
import { cssFont, type TextStyle } from './text-style.ts';

/** A picture in the atlas. `left` and `top`: its corner relative to the pen, in texels; `top` counts from the baseline. */
type AtlasCell = { u: number; v: number; columns: number; rows: number; left: number; top: number; coloured: boolean };

const firstSize = 1_024;
const maxSize = 4_096;
/** The number of subpixel positions of a letter between two texels, so that letter spacing stays even at small sizes. */
const placesBetweenTexels = 4;
/** Above this scale a quarter of a texel can no longer be seen. */
const finestScale = 2.5;

/** The glyphs of one style at one scale, by text part and subpixel position. */
type Face = { style: TextStyle; scale: number; places: number; letters: Map<string, (AtlasCell | undefined)[]> };

/** By size in texels. */
type CellsBySize = (AtlasCell | undefined)[];

/** How far the ink of a part reaches from the pen, px of its style. */
type Reach = { left: number; right: number; ascent: number; descent: number };

type Region = { u: number; v: number; columns: number; rows: number };
/** The maximum of separate regions in an update. With more, the whole atlas is sent. */
const regionsAtOnce = 48;

const nowhere: AtlasCell = { u: 0, v: 0, columns: 0, rows: 0, left: 0, top: 0, coloured: false };

/**
 * The letters and signs in use, uploaded as one texture. The browser's own text engine draws them at exactly the size in which they are
 * shown. Cells keep their place until `reset`. After a reset everything that was built from them must be built again.
 */
export class GlyphAtlas {
  readonly source: CanvasSource;
  generation = 0;
  readonly #canvas: HTMLCanvasElement;
  readonly #pen: CanvasRenderingContext2D;
  readonly #icons = new Map<RoleIconName, CellsBySize>();
  readonly #signs = new Map<StateGlyph, CellsBySize>();
  readonly #faces = new Map<string, Face>();
  /** Cached, since it is the same at every scale and place and slow to measure. */
  readonly #reaches = new Map<TextStyle, Map<string, Reach>>();
  #regions: Region[] = [];
  #ink = '#000';
  #shelfX = 0;
  #shelfY = 0;
  #shelfHeight = 0;
  #isResized = false;
  #font: TextStyle | null = null;
  #full = false;

  constructor() {
    this.#canvas = document.createElement('canvas');
    this.#canvas.width = firstSize;
    this.#canvas.height = firstSize;
    this.#pen = this.#canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D;
    this.source = new CanvasSource({
      resource: this.#canvas,
      resolution: 1,
      scaleMode: 'linear',
      alphaMode: 'premultiply-alpha-on-upload',
    });
  }

  get size(): number {
    return this.#canvas.width;
  }

  /** True when a cell found no room since the last `reset`. */
  get isFull(): boolean {
    return this.#full;
  }

  /** Empties the atlas, in a larger canvas if `grow`. Text is drawn as dark or as light, which the browser renders differently. */
  reset(options: { dark: boolean; grow?: boolean }): void {
    this.#icons.clear();
    this.#signs.clear();
    this.#faces.clear();
    this.#reaches.clear();
    this.#regions = [];
    this.#shelfX = 0;
    this.#shelfY = 0;
    this.#shelfHeight = 0;
    this.#full = false;
    this.#font = null;
    this.#ink = options.dark ? '#fff' : '#000';
    this.generation++;
    if (options.grow && this.size < maxSize) {
      this.source.resize(this.size * 2, this.size * 2, 1);
      this.#isResized = true;
    }
    this.#pen.setTransform(1, 0, 0, 1, 0, 0);
    this.#pen.clearRect(0, 0, this.size, this.size);
  }

  /** Sends the glyphs drawn since the last call to the GPU. A whole atlas would take milliseconds. */
  upload(renderer: WebGLRenderer): void {
    if (this.#regions.length === 0 && !this.#isResized) return;
    if (this.#isResized || this.#regions.length > regionsAtOnce) {
      this.source.update();
    } else {
      const { gl, texture } = renderer;
      texture.getGlSource(this.source);
      texture.unbind(this.source);
      texture.bindSource(this.source, 0);
      gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true);
      for (const { u, v, columns, rows } of this.#regions) {
        gl.texSubImage2D(gl.TEXTURE_2D, 0, u, v, gl.RGBA, gl.UNSIGNED_BYTE, this.#pen.getImageData(u, v, columns, rows));
      }
    }
    this.#regions = [];
    this.#isResized = false;
  }

  /** Returns the glyphs of a style at a scale (texels per px of the style). Valid until `reset`. */
  face(style: TextStyle, scale: number): Face {
    const key = `${style}|${scale}`;
    let face = this.#faces.get(key);
    if (!face) {
      face = { style, scale, places: scale < finestScale ? placesBetweenTexels : 1, letters: new Map() };
      this.#faces.set(key, face);
    }
    return face;
  }

  /** A part of a text, with the pen `x` texels along the line. */
  letter(face: Face, part: string, x: number): AtlasCell {
    const place = Math.floor((x - Math.floor(x)) * face.places);
    let cells = face.letters.get(part);
    if (!cells) {
      cells = [];
      face.letters.set(part, cells);
    }
    const known = cells[place];
    if (known) return known;
    const cell = this.#drawLetter(face.style, part, face.scale, place / face.places);
    if (cell !== nowhere) cells[place] = cell;
    return cell;
  }

  /** A role's pictogram, `size` texels square. */
  icon(name: RoleIconName, size: number): AtlasCell {
    return (
      this.#icons.get(name)?.[size] ??
      this.#keep(this.#icons, name, size, 24, (pen) => {
        pen.lineWidth = 1.75;
        pen.lineCap = 'round';
        pen.lineJoin = 'round';
        for (const path of roleIconPaths[name]) pen.stroke(new Path2D(path));
      })
    );
  }

  /** A state's sign, `size` texels square. */
  state(glyph: StateGlyph, size: number): AtlasCell {
    return this.#signs.get(glyph)?.[size] ?? this.#keep(this.#signs, glyph, size, 16, (pen) => drawStateGlyph(pen, glyph));
  }

  /** Width in px of a text in a style, with its kerning. */
  measure(style: TextStyle, text: string): number {
    this.#setFont(style);
    return this.#pen.measureText(text).width;
  }

  #keep<N>(known: Map<N, CellsBySize>, name: N, size: number, box: number, draw: (pen: CanvasRenderingContext2D) => void): AtlasCell {
    const cell = this.#drawSquare(size, box, draw);
    if (cell === nowhere) return cell;
    const sizes = known.get(name) ?? [];
    sizes[size] = cell;
    known.set(name, sizes);
    return cell;
  }

  #drawLetter(style: TextStyle, part: string, scale: number, fraction: number): AtlasCell {
    const pen = this.#pen;
    this.#setFont(style);
    const ink = this.#reachOf(style, part);
    const left = Math.floor(-ink.left * scale) - 1;
    const top = -Math.ceil(ink.ascent * scale) - 1;
    const columns = Math.ceil(ink.right * scale + fraction) + 1 - left;
    const rows = Math.ceil(ink.descent * scale) + 1 - top;
    if (part.trim() === '' || columns <= 2 || rows <= 2) return { ...nowhere };
    const spot = this.#reserve(columns, rows);
    if (!spot) return nowhere;
    pen.setTransform(scale, 0, 0, scale, spot.u - left + fraction, spot.v - top);
    pen.fillStyle = this.#ink;
    pen.fillText(part, 0, 0);
    pen.setTransform(1, 0, 0, 1, 0, 0);
    return { ...spot, columns, rows, left, top, coloured: isColoured(part) };
  }

  #drawSquare(size: number, box: number, draw: (pen: CanvasRenderingContext2D) => void): AtlasCell {
    const spot = this.#reserve(size, size);
    if (!spot) return nowhere;
    const pen = this.#pen;
    pen.save();
    pen.setTransform(size / box, 0, 0, size / box, spot.u, spot.v);
    pen.fillStyle = this.#ink;
    pen.strokeStyle = this.#ink;
    pen.beginPath();
    pen.rect(0, 0, box, box);
    pen.clip();
    draw(pen);
    pen.restore();
    return { ...spot, columns: size, rows: size, left: 0, top: 0, coloured: false };
  }

  #reachOf(style: TextStyle, part: string): Reach {
    let ofStyle = this.#reaches.get(style);
    if (!ofStyle) {
      ofStyle = new Map();
      this.#reaches.set(style, ofStyle);
    }
    let reach = ofStyle.get(part);
    if (!reach) {
      const ink = this.#pen.measureText(part);
      reach = {
        left: ink.actualBoundingBoxLeft,
        right: ink.actualBoundingBoxRight,
        ascent: ink.actualBoundingBoxAscent,
        descent: ink.actualBoundingBoxDescent,
      };
      ofStyle.set(part, reach);
    }
    return reach;
  }

  /** Sets the font only if it has changed, since that takes longer than drawing a letter. */
  #setFont(style: TextStyle): void {
    if (this.#font === style) return;
    this.#font = style;
    const pen = this.#pen;
    pen.font = cssFont(style);
    pen.fontKerning = 'normal';
    pen.textRendering = 'geometricPrecision';
    pen.textBaseline = 'alphabetic';
  }

  /** A free spot with a texel of air at its right and bottom, or null when the atlas is full. */
  #reserve(columns: number, rows: number): { u: number; v: number } | null {
    if (this.#shelfX + columns + 1 > this.size) {
      this.#shelfY += this.#shelfHeight + 1;
      this.#shelfX = 0;
      this.#shelfHeight = 0;
    }
    if (this.#shelfY + rows + 1 > this.size || columns + 1 > this.size) {
      this.#full = true;
      return null;
    }
    const spot = { u: this.#shelfX, v: this.#shelfY };
    this.#shelfX += columns + 1;
    this.#shelfHeight = Math.max(this.#shelfHeight, rows);
    this.#markDrawn(spot, columns + 1, rows + 1);
    return spot;
  }

  /** Neighbours on a shelf are sent together. */
  #markDrawn({ u, v }: { u: number; v: number }, columns: number, rows: number): void {
    const last = this.#regions[this.#regions.length - 1];
    if (last && last.v === v && last.u + last.columns === u) {
      last.columns += columns;
      last.rows = Math.max(last.rows, rows);
    } else {
      this.#regions.push({ u, v, columns, rows });
    }
  }
}
