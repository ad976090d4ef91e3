import type { CanvasNode } from '../../../../contract/canvas.ts';
import type { CardState } from '../../../model/card-view.ts';
import { nodeSize, type Size } from '../../../model/document/node-size.ts';
import type { RoleIconName } from '../../../ui/icons/role-icon-name.ts';
import type { Palette } from '../../../ui/palette.ts';
import { mix, packed } from '../gpu/colour.ts';
import type { QuadWriter } from '../gpu/quad-writer.ts';
import type { GlyphAtlas } from '../text/glyph-atlas.ts';
import type { TextLayout, TextLine } from '../text/text-layout.ts';
import type { TextStyle } from '../text/text-style.ts';
import { borderColour, hasNotWorked, hueOf, isFaint, stateColour } from './card-colours.ts';
import type { CardContent } from './card-content.ts';
import { fullCard, type PlacedText } from './full-card-layout.ts';
import type { StateGlyph } from './state-glyphs.ts';

/** A card to be drawn. `inUsed` and `outUsed`: work has passed through the port. */
export type Card = { node: CanvasNode; content: CardContent; inUsed: boolean; outUsed: boolean };

/** Draws one card into the writer. `fitZoom`: the smallest zoom at which it will be shown so; `ports`: whether to draw them. */
export type CardPainter = (pen: CardPen, card: Card, options: { fitZoom: number; ports: boolean }) => void;

/**
 * The drawing operations for card painters. Text px are world px at full detail and CSS px below it. `scale` is the number of texels
 * of one text px, so that glyphs are drawn texel for pixel.
 */
export class CardPen {
  readonly writer: QuadWriter;
  readonly layout: TextLayout;
  readonly #atlas: GlyphAtlas;
  palette: Palette;
  isDark = false;
  scale = 1;

  constructor(writer: QuadWriter, layout: TextLayout, atlas: GlyphAtlas, palette: Palette) {
    this.writer = writer;
    this.layout = layout;
    this.#atlas = atlas;
    this.palette = palette;
  }

  /** A line of text, `x` and the baseline `y` in text px from the anchor. */
  text(style: TextStyle, line: TextLine, x: number, y: number, colour: number, alpha = 1): void {
    if (line.parts.length === 0) return;
    const { scale, writer } = this;
    const atlas = this.#atlas;
    const face = atlas.face(style, scale);
    const baseline = Math.round(y * scale);
    const tint = packed(colour, alpha * writer.alpha);
    for (let i = 0; i < line.parts.length; i++) {
      const part = line.parts[i] as string;
      if (part === ' ') continue;
      const at = (x + (line.starts[i] as number)) * scale;
      const cell = atlas.letter(face, part, at);
      if (cell.columns > 0) writer.picture(Math.floor(at) + cell.left, baseline + cell.top, cell.columns, cell.rows, 'text', cell, tint);
    }
  }

  /** A line of text at its place in a layout. */
  placed({ style, line, x, y }: PlacedText, colour: number): void {
    this.text(style, line, x, y, colour);
  }

  /** A role's pictogram centred on a point (text px). */
  icon(name: RoleIconName, centreX: number, centreY: number, size: number, colour: number): void {
    const texels = this.#texels(centreX, size);
    this.#centred(this.#atlas.icon(name, texels), centreX, centreY, texels, colour);
  }

  /** A state's sign centred on a point (text px); the active one's arc turns. */
  state(state: CardState, centreX: number, centreY: number, size: number, colour: number): void {
    this.#sign(state, centreX, centreY, size, colour, 'still');
    if (state === 'active') this.#sign('activeArc', centreX, centreY, size, colour, 'spin');
  }

  #sign(glyph: StateGlyph, centreX: number, centreY: number, size: number, colour: number, motion: 'still' | 'spin'): void {
    const texels = this.#texels(centreX, size);
    this.#centred(this.#atlas.state(glyph, texels), centreX, centreY, texels, colour, motion);
  }

  /** A square cell of the atlas, `texels` wide, centred on a point (text px). */
  #centred(
    cell: ReturnType<GlyphAtlas['icon']>,
    centreX: number,
    centreY: number,
    texels: number,
    colour: number,
    motion?: 'still' | 'spin',
  ): void {
    const left = Math.round(centreX * this.scale - texels / 2);
    const top = Math.round(centreY * this.scale - texels / 2);
    this.writer.picture(left, top, texels, texels, 'text', cell, this.#packedColour(colour), motion);
  }

  /** A sign that scales with the world; `size` in world px, drawn from a raster of fixed size. */
  worldSign(glyph: StateGlyph, x: number, y: number, size: number, colour: number): void {
    this.writer.picture(x, y, size, size, 'world', this.#atlas.state(glyph, 24), this.#packedColour(colour));
  }

  /** A sign of a fixed size on the screen; place and `size` in CSS px from the anchor. */
  screenSign(glyph: StateGlyph, x: number, y: number, size: number, colour: number): void {
    this.writer.picture(x, y, size, size, 'screen', this.#atlas.state(glyph, 2 * size), this.#packedColour(colour));
  }

  #packedColour(colour: number): number {
    return packed(colour, this.writer.alpha);
  }

  stateColour(content: CardContent): number {
    return stateColour(content, this.palette);
  }

  hue(content: CardContent): number {
    return hueOf(content, this.palette);
  }

  /** Draws the card's body: fill, band along the top, and a border in the colour of the state. Anchors the writer at the card's corner. */
  body(card: Card, bandTop: number, borderWidth = 1): Size {
    const { content, node } = card;
    const { palette, writer } = this;
    const size = nodeSize(node);
    const hue = this.hue(content);
    const faint = isFaint(content);
    const { state } = content;
    writer.anchor(node.x, node.y);
    if (content.state === 'active') this.glow(size, fullCard.radius, hue);
    else if (!faint) this.shadow(size);
    writer.shape({
      x: 0,
      y: 0,
      width: size.width,
      height: size.height,
      kind: state === 'paused' || hasNotWorked(state) ? 'dashed' : 'shape',
      radius: fullCard.radius,
      fill: faint ? mix(palette.raised, palette.canvas, 0.6) : palette.raised,
      border: (state === 'active' ? 2 : 1) * borderWidth,
      stroke: borderColour(content, palette),
      strokeAlpha: hasNotWorked(state) ? 0.6 : 1,
      bandTop,
      band: faint ? mix(palette.raised, hue, 0.5) : hue,
    });
    return size;
  }

  /** Draws the pulsing rings around a running card; `strength` makes them wider and stronger for small zooms. */
  glow(size: Size, radius: number, colour: number, strength = 1): void {
    for (const { world, screen, alpha } of rings) {
      this.writer.shape({
        x: 0,
        y: 0,
        width: size.width,
        height: size.height,
        radius,
        motion: 'pulse',
        bandTop: world,
        bandLeft: screen * strength,
        fill: colour,
        fillAlpha: alpha * strength,
      });
    }
  }

  /** A ring round a box, outside of it; as wide as `world` px of the world, and `screen` CSS px at least. */
  outline(size: Size, radius: number, width: { world: number; screen: number }, colour: number): void {
    this.writer.shape({
      x: 0,
      y: 0,
      width: size.width,
      height: size.height,
      radius,
      motion: 'outline',
      bandTop: width.world,
      bandLeft: width.screen,
      stroke: colour,
    });
  }

  /** The shadow of a card or note, from the writer's anchor. */
  shadow(size: Size): void {
    this.writer.shape({
      x: 0,
      y: 2,
      width: size.width,
      height: size.height,
      kind: 'shadow',
      radius: 10,
      border: 7,
      fill: this.isDark ? 0x000000 : 0x0f172a,
      fillAlpha: this.isDark ? 0.35 : 0.13,
    });
  }

  /** A port, `size` px across in the unit, centred on the point. */
  port(x: number, y: number, size: number, thickness: number, unit: 'world' | 'screen', used: boolean): void {
    const { palette } = this;
    const across = used ? size + 2 * thickness : size;
    this.writer.shape({
      x: x - across / 2,
      y: y - across / 2,
      width: across,
      height: across,
      unit,
      radius: across / 2,
      border: thickness,
      fill: used ? palette.accent : palette.raised,
      stroke: used ? palette.canvas : palette.controlBorder,
    });
  }

  /** Whole texels for a sign of `size` text px; of the parity that lets it be centred without blur. */
  #texels(centre: number, size: number): number {
    const texels = Math.max(1, Math.round(size * this.scale));
    return (Math.round(centre * this.scale * 2) - texels) % 2 === 0 ? texels : texels + 1;
  }
}

/** The rings around a running card: their extent (world px, with a minimum in CSS px) and their strength. */
const rings = [
  { world: 13, screen: 7, alpha: 0.08 },
  { world: 6, screen: 3.5, alpha: 0.2 },
] as const;
