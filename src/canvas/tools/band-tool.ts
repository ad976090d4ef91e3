import type { CanvasMoment } from '../canvas-view.ts';
import { boxBetween, type Point, type Rect, toWorld } from '../geometry/camera.ts';
import { idle, type PointerInput, type Step, type Tool, type ToolContext } from './tool.ts';

type Band = Extract<Tool, { kind: 'band' }>;

/** Selects the cards that a band drawn from corner to corner touches, as it is drawn; links come along with their cards. */
export function bandStep(tool: Band, input: PointerInput, context: ToolContext): Step {
  if (input.pointerId !== tool.pointerId) return { tool };
  switch (input.type) {
    case 'down':
      return { tool };
    case 'move': {
      const to = toWorld(context.moment.camera, input.at);
      const band = { from: tool.from, to };
      return { tool: { ...tool, at: input.at }, moment: { hover: null, band, ...selected(tool, to, context) } };
    }
    case 'up':
      return { tool: idle, moment: { band: null } };
    case 'cancel':
      return cancelBand(tool);
  }
}

/** Ends the band and brings back what was selected before it. */
export function cancelBand({ before }: Band): Step {
  return { tool: idle, moment: { band: null, ...before } };
}

function selected({ from, kept }: Band, to: Point, { moment, index }: ToolContext): Partial<CanvasMoment> {
  const band = boxBetween(from, to);
  const ids = Array.from(index.nodes.overlapping(band))
    // A band drawn inside a group is about what lies there.
    .filter((slot) => index.nodes.records[slot]?.type !== 'group' || contains(band, index.nodes.box(slot)))
    .map((slot) => index.nodes.ids[slot] as string);
  const selectedNodes = kept.size === 0 ? new Set(ids) : new Set([...kept, ...ids]);
  const isSame = selectedNodes.size === moment.selectedNodes.size && ids.every((id) => moment.selectedNodes.has(id));
  return isSame ? {} : { selectedNodes };
}

function contains(outer: Rect, inner: Rect): boolean {
  return outer.left <= inner.left && outer.top <= inner.top && outer.right >= inner.right && outer.bottom >= inner.bottom;
}
