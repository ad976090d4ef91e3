import { clampZoom, type Point, pan, zoomAt } from '../geometry/camera.ts';
import { cancelBand } from './band-tool.ts';
import { noDrag } from './move-tool.ts';
import type { Finger, PointerInput, Step, Tool, ToolContext } from './tool.ts';

type Pinch = Extract<Tool, { kind: 'pinch' }>;

/** A second finger beside one that is down already begins a pinch; what the first had begun ends without trace. */
export function startPinch(tool: Tool, input: PointerInput): Step | null {
  if (tool.kind === 'idle' || tool.kind === 'pinch' || tool.device !== 'touch' || tool.pointerId === input.pointerId) return null;
  const first: Finger = { pointerId: tool.pointerId, at: tool.kind === 'press' ? tool.start : tool.at };
  return {
    tool: { kind: 'pinch', fingers: [first, { pointerId: input.pointerId, at: input.at }] },
    moment: { ...noDrag, linkDraft: null, ...(tool.kind === 'band' && cancelBand(tool).moment) },
  };
}

/** Zooms by the distance of two fingers and pans with their middle; when one lifts, the other goes on panning. */
export function pinchStep(tool: Pinch, input: PointerInput, { moment }: ToolContext): Step {
  const moved = tool.fingers.findIndex((finger) => finger.pointerId === input.pointerId);
  if (moved < 0 || input.type === 'down') return { tool };
  const stays = tool.fingers[1 - moved] as Finger;
  if (input.type !== 'move') return { tool: { kind: 'pan', pointerId: stays.pointerId, device: 'touch', at: stays.at } };

  const finger: Finger = { pointerId: input.pointerId, at: input.at };
  const fingers: [Finger, Finger] = moved === 0 ? [finger, stays] : [stays, finger];
  const before = middle(tool.fingers);
  const after = middle(fingers);
  const panned = pan(moment.camera, after.x - before.x, after.y - before.y);
  const spread = distance(tool.fingers);
  const zoom = spread > 0 ? clampZoom(moment.camera.zoom * (distance(fingers) / spread)) : moment.camera.zoom;
  return { tool: { kind: 'pinch', fingers }, moment: { camera: zoomAt(panned, after, zoom) } };
}

function middle([a, b]: Pinch['fingers']): Point {
  return { x: (a.at.x + b.at.x) / 2, y: (a.at.y + b.at.y) / 2 };
}

function distance([a, b]: Pinch['fingers']): number {
  return Math.hypot(a.at.x - b.at.x, a.at.y - b.at.y);
}
