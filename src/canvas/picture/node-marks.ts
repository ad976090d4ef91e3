import type { CanvasNode } from '../../../contract/canvas.ts';
import { nodeHue } from '../../model/agents/roles.ts';
import { nodeSize } from '../../model/document/node-size.ts';
import type { Palette } from '../../ui/palette.ts';
import type { CardContent } from '../scene/cards/card-content.ts';
import { roleIconPaths } from '../scene/cards/role-icon-paths.ts';
import { mix } from '../scene/gpu/colour.ts';
import type { TextLayout } from '../scene/text/text-layout.ts';
import type { Mark } from './mark.ts';
import { stateMarks } from './state-marks.ts';
import { textMarks as text } from './text-marks.ts';

export type Ink = { palette: Palette; isDark: boolean; layout: TextLayout };

const padding = 16;

/** A card as at full detail. */
export function cardMarks(node: CanvasNode, content: CardContent, ink: Ink): Mark[] {
  const { palette, layout } = ink;
  const { x, y } = node;
  const { width, height } = nodeSize(node);
  const hue = palette.hue[content.hue];
  const state = stateColour(content, palette);
  const isAgent = node.type === 'agent' || node.type === 'flow';
  const isStart = node.type === 'start' || node.type === 'trigger';
  const border = content.state === 'idle' || content.state === 'waiting' ? palette.line : state;
  const left = x + padding + 48;
  const room = width - 64 - padding;
  const marks: Mark[] = [
    { kind: 'box', x, y, width, height, radius: 10, fill: palette.raised, stroke: border, line: 1 },
    { kind: 'path', d: `M2 4A10 10 0 0 1 10 0H${width - 10}A10 10 0 0 1 ${width - 2} 4z`, x, y, scale: 1, fill: hue },
    { kind: 'box', x: x + padding, y: y + 18, width: 36, height: 36, radius: 8, fill: mix(palette.raised, hue, palette.tileShare) },
    ...roleIconPaths[content.icon].map(
      (d): Mark => ({ kind: 'path', d, x: x + padding + 8.5, y: y + 26.5, scale: 19 / 24, stroke: hue, line: 1.75 }),
    ),
    ...text('title', layout.line('title', content.title, room), left, y + (isStart ? 42 : 34), palette.text),
  ];
  if (isAgent) {
    marks.push(...text('model', layout.line('model', content.model, room), left, y + 51, palette.muted));
    layout.lines('line', content.line, width - 2 * padding, 2).forEach((line, row) => {
      marks.push(...text('line', line, x + padding, y + 82 + row * 18, palette.muted));
    });
    marks.push(...footMarks(node, content, ink));
  }
  for (const portX of [x, x + width]) {
    marks.push({
      kind: 'box',
      x: portX - 6,
      y: y + height / 2 - 6,
      width: 12,
      height: 12,
      radius: 6,
      fill: palette.raised,
      stroke: palette.controlBorder,
      line: 2,
    });
  }
  return marks;
}

/** The state in its sign and word, whether a model wrote or was played, and the figures. */
function footMarks(node: CanvasNode, content: CardContent, { palette, layout }: Ink): Mark[] {
  const { width, height } = nodeSize(node);
  const top = node.y + height - 40;
  const right = node.x + width - padding;
  const state = stateColour(content, palette);
  const word = layout.line('state', content.word, 130);
  let left = node.x + padding + (content.hasState ? 24 : 0);
  const marks: Mark[] = [
    { kind: 'box', x: node.x + padding, y: top, width: width - 2 * padding, height: 1, radius: 0, fill: palette.line },
    ...(content.hasState ? stateMarks(content.state, node.x + padding, top + 13, state, palette.raised) : []),
    ...text('state', word, left, top + 25, state),
  ];
  left += word.width + 8;
  if (content.mark !== '') {
    const mark = layout.line('mark', content.mark);
    marks.push(
      {
        kind: 'box',
        x: left,
        y: top + 12,
        width: mark.width + 12,
        height: 18,
        radius: 9,
        stroke: palette.controlBorder,
        strokeAlpha: 0.55,
        line: 1,
      },
      ...text('mark', mark, left + 6, top + 24.5, palette.muted),
    );
    left += mark.width + 20;
  }
  const figures = layout.line('figure', content.figures, Math.max(0, right - left));
  return [...marks, ...text('figure', figures, right - figures.width, top + 25, palette.muted)];
}

export function noteMarks(node: CanvasNode, { palette, isDark, layout }: Ink): Mark[] {
  const { x, y } = node;
  const { width, height } = nodeSize(node);
  const hue = palette.hue[nodeHue(node)];
  const fill = mix(palette.raised, hue, isDark ? 0.2 : 0.13);
  const marks: Mark[] = [{ kind: 'box', x, y, width, height, radius: 8, fill, stroke: mix(palette.raised, hue, 0.4), line: 1 }];
  let row = 0;
  const rows = Math.floor((height - 23) / 18);
  for (const paragraph of (node.description ?? '').split('\n')) {
    const lines = layout.lines('line', paragraph, width - 28, Math.max(1, rows - row));
    for (const line of lines) if (row < rows) marks.push(...text('line', line, x + 14, y + 25 + row++ * 18, palette.text));
    if (lines.length === 0) row++;
  }
  return marks;
}

export function groupMarks(node: CanvasNode, name: string, { palette, isDark, layout }: Ink): Mark[] {
  const { x, y } = node;
  const { width, height } = nodeSize(node);
  const hue = palette.hue[nodeHue(node)];
  return [
    { kind: 'box', x, y, width, height, radius: 16, fill: hue, fillAlpha: isDark ? 0.1 : 0.06, stroke: hue, strokeAlpha: 0.5, line: 1.5 },
    ...text('title', layout.line('title', name, width - 8), x + 4, y - 10, mix(hue, palette.text, 0.3)),
  ];
}

function stateColour({ state, hue }: CardContent, palette: Palette): number {
  switch (state) {
    case 'active':
      return palette.hue[hue];
    case 'paused':
      return palette.warning;
    case 'done':
      return palette.success;
    case 'failed':
      return palette.danger;
    default:
      return palette.muted;
  }
}
