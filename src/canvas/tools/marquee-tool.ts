import type { CanvasNode } from '../../../contract/canvas.ts';
import { isGroup } from '../../../rules/card.ts';
import type { EphemeralState } from '../canvas-view.ts';
import { isFolded } from '../folding/folded-records.ts';
import { boxBetween, containsBox, type Point, toWorld } from '../geometry/camera.ts';
import { idle, type PointerInput, type Step, type Tool, type ToolContext } from './tool.ts';

type Marquee = Extract<Tool, { kind: 'marquee' }>;

/** Draws a marquee and selects the cards that it touches; links between selected cards are selected too. */
export function marqueeStep(tool: Marquee, input: PointerInput, context: ToolContext): Step {
  if (input.pointerId !== tool.pointerId) return { tool };
  switch (input.type) {
    case 'down':
      return { tool };
    case 'move': {
      const to = toWorld(context.ephemeral.camera, input.at);
      const marquee = { from: tool.from, to };
      return { tool: { ...tool, at: input.at }, ephemeral: { hover: null, marquee, ...selected(tool, to, context) } };
    }
    case 'up':
      return { tool: idle, ephemeral: { marquee: null } };
    case 'cancel':
      return cancelMarquee(tool);
  }
}

/** Cancels the marquee and restores the selection from before. */
export function cancelMarquee({ before }: Marquee): Step {
  return { tool: idle, ephemeral: { marquee: null, ...before } };
}

function selected({ from, kept }: Marquee, to: Point, { ephemeral, index }: ToolContext): Partial<EphemeralState> {
  const marquee = boxBetween(from, to);
  const ids = Array.from(index.nodes.overlapping(marquee))
    // A marquee inside a group selects what lies there, not the group.
    .filter((slot) => !isOpenGroup(index.nodes.records[slot]) || containsBox(marquee, index.nodes.box(slot)))
    .map((slot) => index.nodes.ids[slot] as string);
  const selectedNodes = kept.size === 0 ? new Set(ids) : new Set([...kept, ...ids]);
  const isSame = selectedNodes.size === ephemeral.selectedNodes.size && ids.every((id) => ephemeral.selectedNodes.has(id));
  return isSame ? {} : { selectedNodes };
}

function isOpenGroup(node: CanvasNode | null | undefined): boolean {
  return isGroup(node) && !isFolded(node);
}
