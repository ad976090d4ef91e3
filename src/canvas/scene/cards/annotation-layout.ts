import type { CanvasNode } from '../../../../contract/canvas.ts';
import { nodeHue } from '../../../model/agents/roles.ts';
import { nodeSize } from '../../../model/document/node-size.ts';
import type { Palette } from '../../../ui/palette.ts';
import { mix } from '../gpu/colour.ts';
import type { TextLayout, TextLine } from '../text/text-layout.ts';
import type { PlacedText } from './full-card-layout.ts';

/** How a note's text is set, in px of its text: style, distance from the edges, from line to line. */
const noteText = {
  full: { style: 'line', padding: 14, line: 18 },
  small: { style: 'mark', padding: 8, line: 14 },
} as const;

/** World px of an annotation at full detail. */
export const noteRadius = 8;
export const groupRadius = 16;

/** Larger ones first, so that an annotation within another lies on top. */
export function byArea(one: CanvasNode, other: CanvasNode): number {
  const area = ({ width = 0, height = 0 }: CanvasNode) => width * height;
  return area(other) - area(one);
}

/** The colours of a note: its paper, its edge, its words. */
export function noteColours(node: CanvasNode, palette: Palette, isDark: boolean): { fill: number; stroke: number; text: number } {
  const hue = palette.hue[nodeHue(node)];
  return {
    fill: mix(palette.raised, hue, isDark ? 0.2 : 0.13),
    stroke: mix(palette.raised, hue, isDark ? 0.42 : 0.38),
    text: palette.text,
  };
}

/** The colours of a group: its frame and what fills it, with their shares, and its name. */
export function groupColours(node: CanvasNode, palette: Palette, isDark: boolean) {
  const hue = palette.hue[nodeHue(node)];
  return { fill: hue, fillAlpha: isDark ? 0.1 : 0.06, stroke: hue, strokeAlpha: 0.5, text: mix(hue, palette.text, 0.3) };
}

/** As many lines of a note as it has room for, in px of its text; `scale`: such px in one world px. */
export function noteLayout(node: CanvasNode, text: TextLayout, size: keyof typeof noteText, scale = 1): PlacedText[] {
  const { width, height } = nodeSize(node);
  const { style, padding, line } = noteText[size];
  const rows = Math.floor((height * scale - 2 * padding + line - 13) / line);
  const lines = noteLines(text, style, node.description ?? '', width * scale - 2 * padding, rows);
  return lines.map((words, row) => ({ style, line: words, x: padding, y: padding + 11 + row * line }));
}

/** Lays out a group's name above its upper edge, in px of its text; null if it does not fit. */
export function groupName(node: CanvasNode, name: string, text: TextLayout, size: 'full' | 'small', scale = 1): PlacedText | null {
  const { width } = nodeSize(node);
  const isFull = size === 'full';
  const room = isFull ? width - 8 : width * scale - 4;
  if (room < 32) return null;
  const style = isFull ? 'title' : 'titleCompact';
  return { style, line: text.line(style, name, room), x: isFull ? 4 : 2, y: isFull ? -10 : -6 };
}

/** Breaks a text into at most a number of lines, at its own line ends too. */
function noteLines(layout: TextLayout, style: 'line' | 'mark', text: string, width: number, rows: number): TextLine[] {
  const lines: TextLine[] = [];
  if (width < 24) return lines;
  for (const paragraph of text.split('\n')) {
    if (lines.length >= rows) break;
    const set = layout.lines(style, paragraph, width, rows - lines.length);
    lines.push(...(set.length > 0 ? set : [emptyLine]));
  }
  return lines;
}

const emptyLine: TextLine = { parts: [], starts: [], width: 0 };
