import type { CanvasNode } from '../../../contract/canvas.ts';
import { containsBox, type Rect } from '../../../src/canvas/geometry/camera.ts';
import type { DetailLevel } from '../../../src/canvas/geometry/level-of-detail.ts';
import { cardContent } from '../../../src/canvas/scene/cards/card-content.ts';
import { CardPen } from '../../../src/canvas/scene/cards/card-pen.ts';
import { paintAnnotation } from '../../../src/canvas/scene/cards/paint-annotation.ts';
import { paintDifference } from '../../../src/canvas/scene/cards/paint-difference.ts';
import { QuadIndices } from '../../../src/canvas/scene/gpu/quad-indices.ts';
import { quadAttributes, quadKind, quadMotion, quadUnit, quadVertexBytes } from '../../../src/canvas/scene/gpu/quad-shader.ts';
import { QuadWriter } from '../../../src/canvas/scene/gpu/quad-writer.ts';
import { SelectionDecoration } from '../../../src/canvas/scene/selection-decoration.ts';
import { createCardTexts } from '../../../src/canvas/scene/text/create-card-texts.ts';
import type { GlyphAtlas } from '../../../src/canvas/scene/text/glyph-atlas.ts';
import { TextLayout } from '../../../src/canvas/scene/text/text-layout.ts';
import { type TextStyle, textStyles } from '../../../src/canvas/scene/text/text-style.ts';
import { painters } from '../../../src/canvas/scene/tiles/tile-builder.ts';
import { type CardView, idleCard } from '../../../src/model/card-view.ts';
import type { DifferenceKind } from '../../../src/model/versions/comparison.ts';
import { palette, type ThemeName } from '../../../src/ui/palette.ts';

/** Four vertices, in words of four bytes. */
const wordsPerQuad = (4 * quadVertexBytes) / 4;

type PaintedColour = { colour: number; alpha: number };

/** A quad as it goes to the GPU; a picture of the atlas has its name, a shape its measures. */
type Painted = {
  kind: keyof typeof quadKind;
  unit: keyof typeof quadUnit;
  motion: keyof typeof quadMotion;
  anchor: [number, number];
  box: [number, number, number, number];
  shape: [number, number, number, number];
  fill: PaintedColour;
  stroke: PaintedColour;
  band: PaintedColour;
  /** `letter:style:part`, `icon:name` or `state:glyph`; empty for a shape. */
  picture: string;
};

/** A zoom of each level. */
const usualZoom: Record<DetailLevel, number> = { full: 1, compact: 0.41, title: 0.3, block: 0.12 };

/** Runs the real card painters with an atlas that records the requested pictures and draws nothing. */
export class CardPainterDriver {
  readonly level: DetailLevel;
  readonly pen: CardPen;
  readonly #theme: ThemeName;
  readonly #pictures: string[] = [];
  /** The zoom of the camera. */
  readonly zoom: number;
  /** The zoom that text is laid out for: while the zoom changes it is another one. */
  readonly #fitZoom: number;

  constructor(
    level: DetailLevel,
    { theme = 'light', zoom = usualZoom[level], fitZoom = zoom }: { theme?: ThemeName; zoom?: number; fitZoom?: number } = {},
  ) {
    this.level = level;
    this.#theme = theme;
    this.zoom = zoom;
    this.#fitZoom = fitZoom;
    const layout = new TextLayout((style, text) => widthOf(style, text.length));
    this.pen = new CardPen(new QuadWriter(), layout, this.#atlas(), palette(theme));
    this.pen.scale = level === 'full' ? zoom : 1;
    this.pen.isDark = theme === 'dark';
  }

  card(node: CanvasNode, view: Partial<CardView> = {}): Painted[] {
    const content = cardContent(node, { ...idleCard, ...view }, undefined, texts, 0);
    this.pen.writer.begin();
    painters[this.level](this.pen, { node, content, inUsed: false, outUsed: false }, { fitZoom: this.#fitZoom, ports: true });
    return this.#read(this.pen.writer.written());
  }

  annotation(node: CanvasNode): Painted[] {
    this.pen.writer.begin();
    paintAnnotation(this.pen, node, { level: this.level, fitZoom: this.#fitZoom, name: node.title });
    return this.#read(this.pen.writer.written());
  }

  /** The mark of a card that differs from an earlier version. */
  difference(node: CanvasNode, kind: DifferenceKind, isFocused = false): Painted[] {
    this.pen.writer.begin();
    paintDifference(this.pen, node, kind, { level: this.level, isFocused });
    return this.#read(this.pen.writer.written());
  }

  /** The decoration above cards around a selected or hovered node. */
  mark(node: CanvasNode, how: 'selected' | 'hovered', others: readonly CanvasNode[] = []): Painted[] {
    let painted: Painted[] = [];
    const upload = ({ data }: { data: unknown }) => {
      painted = this.#read(data as Float32Array);
    };
    const kind = { shader: {} as never, vertexBytes: quadVertexBytes, attributes: quadAttributes, indices: new QuadIndices(), upload };
    const decoration = new SelectionDecoration(kind, this.pen.writer);
    if (how === 'selected') decoration.drawSelected([node, ...others], this.level, palette(this.#theme));
    else decoration.drawHovered(node, this.level, palette(this.#theme));
    return painted;
  }

  /** The box of a quad in px of a screen with a pixel ratio of 1, whose corner is the world's origin. */
  areaOf({ anchor, box, unit }: Painted): Rect {
    const scale = unit === 'world' ? this.zoom : 1;
    const [left, top] = [anchor[0] * this.zoom + box[0] * scale, anchor[1] * this.zoom + box[1] * scale];
    return { left, top, right: left + box[2] * scale, bottom: top + box[3] * scale };
  }

  /** The background colour of a quad, by its index: the colour of the topmost shape below it that covers its middle. */
  groundOf(painted: readonly Painted[], at: number): number {
    const { left, top, right, bottom } = this.areaOf(painted[at] as Painted);
    const middle = { left: (left + right) / 2, right: (left + right) / 2, top: (top + bottom) / 2, bottom: (top + bottom) / 2 };
    const ground = painted.slice(0, at).findLast((quad) => {
      const isShape = (quad.kind === 'shape' || quad.kind === 'dashed') && quad.motion === 'still';
      return isShape && quad.fill.alpha === 1 && containsBox(this.areaOf(quad), middle);
    });
    if (!ground) throw new Error('Drawn on nothing');
    return ground.fill.colour;
  }

  #atlas(): GlyphAtlas {
    const cell = (name: string, columns: number, rows: number) => {
      return { u: this.#pictures.push(name) - 1, v: 0, columns, rows, left: 0, top: -rows, coloured: false };
    };
    const atlas: Pick<GlyphAtlas, 'face' | 'letter' | 'icon' | 'state'> = {
      face: (style, scale) => ({ style, scale, places: 1, letters: new Map() }),
      letter: ({ style, scale }, part) => cell(`letter:${style}:${part}`, widthOf(style, 1) * scale, 0.75 * textStyles[style].size * scale),
      icon: (name, size) => cell(`icon:${name}`, size, size),
      state: (glyph, size) => cell(`state:${glyph}`, size, size),
    };
    return atlas as GlyphAtlas;
  }

  #read(written: Float32Array): Painted[] {
    const words = new Uint32Array(written.buffer, written.byteOffset, written.length);
    const four = (at: number) => Array.from(written.subarray(at, at + 4)) as [number, number, number, number];
    return Array.from({ length: written.length / wordsPerQuad }, (_, i) => {
      const at = i * wordsPerQuad;
      const mode = words[at + 13] as number;
      const kind = nameOf(quadKind, mode & 255);
      const isPicture = kind === 'glyph' || kind === 'colourGlyph';
      return {
        kind,
        unit: nameOf(quadUnit, (mode >> 8) & 255),
        motion: nameOf(quadMotion, (mode >> 16) & 255),
        anchor: [written[at] as number, written[at + 1] as number],
        box: four(at + 2),
        shape: four(at + 6),
        fill: unpackColour(words[at + 10] as number),
        stroke: unpackColour(words[at + 11] as number),
        band: unpackColour(words[at + 12] as number),
        picture: isPicture ? (this.#pictures[written[at + 6] as number] as string) : '',
      };
    });
  }
}

/** The words of a style, or of all styles. */
export function wordsIn(painted: readonly Painted[], style = ''): string {
  const letters = painted.filter(({ picture }) => picture.startsWith(`letter:${style}`));
  return letters.map(({ picture }) => picture.slice(picture.indexOf(':', 'letter:'.length) + 1)).join('');
}

/** The pictures that are not letters. */
export function signsIn(painted: readonly Painted[]): string[] {
  return painted.flatMap(({ picture }) => (picture === '' || picture.startsWith('letter:') ? [] : picture));
}

/** The parts that need neither reading nor colour vision: icons, and the outlines of shapes. */
export function shapesOf(painted: readonly Painted[]): string[] {
  return painted
    .filter(({ picture }) => !picture.startsWith('letter:'))
    .map(({ kind, unit, motion, box, shape, picture }) => JSON.stringify([kind, unit, motion, box, picture || shape]));
}

/** Each letter is half as wide as its style is high. */
function widthOf(style: TextStyle, letters: number): number {
  return (letters * textStyles[style].size) / 2;
}

function unpackColour(packed: number): PaintedColour {
  return { colour: ((packed & 255) << 16) | (packed & 0xff00) | ((packed >> 16) & 255), alpha: (packed >>> 24) / 255 };
}

function nameOf<N extends string>(names: Record<N, number>, value: number): N {
  return (Object.keys(names) as N[]).find((name) => names[name] === value) as N;
}

const texts = createCardTexts(
  'en',
  ((key: string) => key) as never,
  () => null,
  () => null,
);
