import { clampZoom, type Point, pan, zoomAt } from '../geometry/camera.ts';
import { cancelMarquee } from './marquee-tool.ts';
import { noDrag } from './move-tool.ts';
import type { Finger, PointerInput, Step, Tool, ToolContext } from './tool.ts';

type Pinch = Extract<Tool, { kind: 'pinch' }>;

/** A second finger starts a pinch and cancels the first finger's gesture. */
export function startPinch(tool: Tool, input: PointerInput): Step | null {
  if (tool.kind === 'idle' || tool.kind === 'pinch' || tool.device !== 'touch' || tool.pointerId === input.pointerId) return null;
  const first: Finger = { pointerId: tool.pointerId, at: tool.kind === 'press' ? tool.start : tool.at };
  return {
    tool: { kind: 'pinch', fingers: [first, { pointerId: input.pointerId, at: input.at }] },
    ephemeral: { ...noDrag, linkDraft: null, ...(tool.kind === 'marquee' && cancelMarquee(tool).ephemeral) },
  };
}

/** Zooms by the distance of two fingers and pans with their middle. When one lifts, the other pans. */
export function pinchStep(tool: Pinch, input: PointerInput, { ephemeral }: ToolContext): Step {
  const moved = tool.fingers.findIndex((finger) => finger.pointerId === input.pointerId);
  if (moved < 0 || input.type === 'down') return { tool };
  const stays = tool.fingers[1 - moved] as Finger;
  if (input.type !== 'move') return { tool: { kind: 'pan', pointerId: stays.pointerId, device: 'touch', at: stays.at } };

  const finger: Finger = { pointerId: input.pointerId, at: input.at };
  const fingers: [Finger, Finger] = moved === 0 ? [finger, stays] : [stays, finger];
  const before = middle(tool.fingers);
  const after = middle(fingers);
  const panned = pan(ephemeral.camera, after.x - before.x, after.y - before.y);
  const spread = distance(tool.fingers);
  const zoom = spread > 0 ? clampZoom(ephemeral.camera.zoom * (distance(fingers) / spread)) : ephemeral.camera.zoom;
  return { tool: { kind: 'pinch', fingers }, ephemeral: { camera: zoomAt(panned, after, zoom) } };
}

function middle([a, b]: Pinch['fingers']): Point {
  return { x: (a.at.x + b.at.x) / 2, y: (a.at.y + b.at.y) / 2 };
}

function distance([a, b]: Pinch['fingers']): number {
  return Math.hypot(a.at.x - b.at.x, a.at.y - b.at.y);
}
