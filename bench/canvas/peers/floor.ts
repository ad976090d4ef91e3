import type { Camera } from '../adapter.ts';
import { cardHeight, cardWidth, type Graph } from '../graph.ts';
import { offer, pageRoot } from './offer.ts';

/** The floor: a WebGL canvas that is cleared once in each frame with a change. It draws no graph. */
const canvas = document.createElement('canvas');
canvas.width = innerWidth;
canvas.height = innerHeight;
pageRoot().append(canvas);
const gl = canvas.getContext('webgl2', { antialias: false, alpha: false }) as WebGL2RenderingContext;
const camera: Camera = { x: 40, y: 40, zoom: 1 };
let positions: { x: number; y: number }[] = [];
let frame: number | null = null;
/** The numbers of moving nodes; an empty list while the canvas moves; null without a drag. */
let held: number[] | null = null;
let chosen = new Set<number>();
let last = { x: 0, y: 0 };

function ask(): void {
  if (frame !== null) return;
  frame = requestAnimationFrame(() => {
    frame = null;
    gl.clearColor(0.07, 0.08, 0.11 + (Math.abs(camera.x) % 7) / 500, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
  });
}

function nodeAt(x: number, y: number): number {
  return positions.findLastIndex((node) => x >= node.x && y >= node.y && x <= node.x + cardWidth && y <= node.y + cardHeight);
}

canvas.addEventListener('pointerdown', (event) => {
  last = { x: event.clientX, y: event.clientY };
  const node = nodeAt((event.clientX - camera.x) / camera.zoom, (event.clientY - camera.y) / camera.zoom);
  held = node < 0 ? [] : chosen.has(node) ? [...chosen] : [node];
  canvas.setPointerCapture(event.pointerId);
});
canvas.addEventListener('pointermove', (event) => {
  if (held === null) return;
  const dx = event.clientX - last.x;
  const dy = event.clientY - last.y;
  last = { x: event.clientX, y: event.clientY };
  if (held.length === 0) {
    camera.x += dx;
    camera.y += dy;
  }
  for (const index of held) {
    const node = positions[index] as { x: number; y: number };
    node.x += dx / camera.zoom;
    node.y += dy / camera.zoom;
  }
  ask();
});
canvas.addEventListener('pointerup', () => {
  held = null;
});
canvas.addEventListener(
  'wheel',
  (event) => {
    event.preventDefault();
    camera.zoom *= event.deltaY > 0 ? 1 / 1.1 : 1.1;
    ask();
  },
  { passive: false },
);

offer({
  setGraph: async (graph: Graph) => {
    positions = graph.nodes.map(({ x, y }) => ({ x, y }));
    ask();
  },
  camera: () => camera,
  setCamera: (to) => {
    Object.assign(camera, to);
    ask();
  },
  nodePos: (index) => positions[index] as { x: number; y: number },
  select: (indices) => {
    chosen = new Set(indices);
  },
  panButton: 'left',
  wheelDelta: 100,
  grab: null,
});
