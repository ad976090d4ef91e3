import type { CanvasNode } from '../../../contract/canvas.ts';
import type { CardState } from '../../model/card-view.ts';
import { nodeSize } from '../../model/document/node-size.ts';
import type { Palette } from '../../ui/palette.ts';
import type { Point } from '../geometry/camera.ts';
import { linkBadgeHeight } from '../geometry/link-path.ts';
import { groupColours, groupName, groupRadius, noteColours, noteLayout, noteRadius } from '../scene/cards/annotation-layout.ts';
import { borderColour, footMarkColours, hueOf, stateColour } from '../scene/cards/card-colours.ts';
import type { CardContent } from '../scene/cards/card-content.ts';
import { type FullCardLayout, fullCard, fullCardLayout, type PlacedText } from '../scene/cards/full-card-layout.ts';
import { roleIconPaths } from '../scene/cards/role-icon-paths.ts';
import { glyphGrid, glyphParts } from '../scene/cards/state-glyphs.ts';
import { mix } from '../scene/gpu/colour.ts';
import type { TextLayout } from '../scene/text/text-layout.ts';
import type { Mark } from './mark.ts';
import { textMarks } from './text-marks.ts';

export type MarkStyle = { palette: Palette; isDark: boolean; layout: TextLayout };

/** The side of the square that pictograms are drawn in. */
const iconGrid = 24;

/** A card as at full detail. */
export function cardMarks(node: CanvasNode, content: CardContent, style: MarkStyle): Mark[] {
  const { palette } = style;
  const { x, y } = node;
  const layout = fullCardLayout(node, content, style.layout);
  const { size, tile, icon, title, model, description, state, foot, ports } = layout;
  const hue = hueOf(content, palette);
  const { radius, band } = fullCard;
  const bandPath = `M2 ${band}A${radius} ${radius} 0 0 1 ${radius} 0H${size.width - radius}A${radius} ${radius} 0 0 1 ${size.width - 2} ${band}z`;
  const marks: Mark[] = [
    { kind: 'box', x, y, ...size, radius, fill: palette.raised, stroke: borderColour(content, palette), line: 1 },
    { kind: 'path', d: bandPath, x, y, scale: 1, fill: hue },
    { kind: 'box', ...tile, x: x + tile.x, y: y + tile.y, fill: mix(palette.raised, hue, palette.tileShare) },
    ...roleIconPaths[content.icon].map(
      (d): Mark => ({
        kind: 'path',
        d,
        x: x + icon.centreX - icon.size / 2,
        y: y + icon.centreY - icon.size / 2,
        scale: icon.size / iconGrid,
        stroke: hue,
        line: 1.75,
      }),
    ),
    ...placed(node, title, palette.text),
    ...(model ? placed(node, model, palette.muted) : []),
    ...description.flatMap((line) => placed(node, line, palette.muted)),
    ...(foot ? footMarks(node, content, foot, style) : []),
  ];
  if (state) {
    const corner = { x: x + state.centreX - glyphGrid / 2, y: y + state.centreY - glyphGrid / 2 };
    marks.push(...stateMarks(content.state, corner, stateColour(content, palette), palette.raised));
  }
  for (const port of [ports.in, ports.out]) {
    const corner = { x: x + port.x - ports.size / 2, y: y + port.y - ports.size / 2, width: ports.size, height: ports.size };
    marks.push({ kind: 'box', ...corner, radius: ports.size / 2, fill: palette.raised, stroke: palette.controlBorder, line: ports.line });
  }
  return marks;
}

/** The sign of a card's state. `paper` is the colour behind it. */
function stateMarks(state: CardState, corner: Point, colour: number, paper: number): Mark[] {
  const parts = state === 'active' ? [...glyphParts.active, ...glyphParts.activeArc] : glyphParts[state];
  return parts.map(({ d, kind, width, dash, alpha }): Mark => {
    const place = { kind: 'path', d, ...corner, scale: 1, ...(alpha !== undefined && { alpha }) } as const;
    if (kind === 'area') return { ...place, fill: colour };
    return { ...place, stroke: kind === 'cut' ? paper : colour, ...(width && { line: width }), ...(dash && { dash, cap: 'butt' }) };
  });
}

/** The state's word, the mark of a simulated answer, and the figures. */
function footMarks(node: CanvasNode, content: CardContent, foot: NonNullable<FullCardLayout['foot']>, { palette }: MarkStyle): Mark[] {
  const { rule, word, mark, figures } = foot;
  const marks: Mark[] = [
    { kind: 'box', ...rule, x: node.x + rule.x, y: node.y + rule.y, fill: palette.line },
    ...placed(node, word, stateColour(content, palette)),
  ];
  if (mark) {
    const corner = { ...mark.box, x: node.x + mark.box.x, y: node.y + mark.box.y };
    const { line, text } = footMarkColours(content, palette);
    marks.push({ kind: 'box', ...corner, stroke: line, strokeAlpha: 0.55, line: 1 });
    marks.push(...placed(node, mark.text, text));
  }
  return [...marks, ...placed(node, figures, palette.muted)];
}

export function noteMarks(node: CanvasNode, { palette, isDark, layout }: MarkStyle): Mark[] {
  const { x, y } = node;
  const { text, ...colours } = noteColours(node, palette, isDark);
  return [
    { kind: 'box', x, y, ...nodeSize(node), radius: noteRadius, ...colours, line: 1 },
    ...noteLayout(node, layout, 'full').flatMap((line) => placed(node, line, text)),
  ];
}

export function groupMarks(node: CanvasNode, name: string, { palette, isDark, layout }: MarkStyle): Mark[] {
  const { x, y } = node;
  const { text, ...colours } = groupColours(node, palette, isDark);
  const title = groupName(node, name, layout, 'full');
  return [
    { kind: 'box', x, y, ...nodeSize(node), radius: groupRadius, ...colours, line: 1.5 },
    ...(title ? placed(node, title, text) : []),
  ];
}

/** Px of a badge on a link. */
const badge = { height: linkBadgeHeight, padding: 10, maxWidth: 180 } as const;

/** The badge at the middle of a link, with what its settings say; nothing for a link without any. */
export function linkBadgeMarks({ x, y }: Point, words: string, isFailure: boolean, { palette, layout }: MarkStyle): Mark[] {
  if (words === '') return [];
  const line = layout.line('model', words, badge.maxWidth - 2 * badge.padding);
  const width = line.width + 2 * badge.padding;
  const box = { x: x - width / 2, y: y - badge.height / 2, width, height: badge.height, radius: badge.height / 2 };
  return [
    { kind: 'box', ...box, fill: palette.raised, stroke: isFailure ? palette.danger : palette.controlBorder, line: 1 },
    ...textMarks('model', line, x - line.width / 2, y + 4, isFailure ? palette.danger : palette.text),
  ];
}

/** A line of text that is placed from a node's corner. */
function placed(node: CanvasNode, { style, line, x, y }: PlacedText, colour: number): Mark[] {
  return textMarks(style, line, node.x + x, node.y + y, colour);
}
