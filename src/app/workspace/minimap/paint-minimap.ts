import type { CanvasDocument, CanvasNode } from '../../../../contract/canvas.ts';
import { isAnnotation, isGroup } from '../../../../rules/card.ts';
import { isFolded } from '../../../canvas/folding/folded-records.ts';
import type { Folding } from '../../../canvas/folding/folding.ts';
import type { Rect } from '../../../canvas/geometry/camera.ts';
import { documentBounds, routesOf } from '../../../canvas/geometry/routes/routes-of.ts';
import { mix } from '../../../canvas/scene/gpu/colour.ts';
import { type Hue, hues, nodeHue } from '../../../model/agents/roles.ts';
import type { CardState, CardView } from '../../../model/card-view.ts';
import { nodeSize } from '../../../model/document/node-size.ts';
import type { Palette } from '../../../ui/palette.ts';
import type { MapFrame } from './minimap-frame.ts';

/** More cards than this are dots, written pixel by pixel: rectangles and lines would be too slow. */
const drawnOneByOne = 400;

/** The part of the world that the map shows. */
export function mappedBounds(document: CanvasDocument): Rect | null {
  return documentBounds(document);
}

type Size = { width: number; height: number };
/** `folding`: what shows the folded groups among the nodes. */
type Picture = { document: CanvasDocument; views: Readonly<Record<string, CardView>>; folding: Folding | null; palette: Palette };

/** Draws the whole canvas into the map: cards in their role's colour, waiting ones paler, running and failed ones full. Returns the number of cards. */
export function paintMinimap(pen: CanvasRenderingContext2D, frame: MapFrame, picture: Picture, pixelRatio: number): number {
  const { width, height } = pen.canvas;
  const { document } = picture;
  const place = { x: frame.x * pixelRatio, y: frame.y * pixelRatio, scale: frame.scale * pixelRatio };
  if (newestDots?.document !== document || newestDots.image.width !== width) {
    const nodes = stackedNodes(document);
    newestDots = nodes.length > drawnOneByOne ? placeDots(nodes, place, document, pen.canvas) : null;
  }
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, width, height);
  if (newestDots) {
    pen.putImageData(drawDots(newestDots, picture), 0, 0);
    return newestDots.nodes.length;
  }
  const nodes = stackedNodes(document);
  drawLinks(pen, place, picture, pixelRatio);
  for (const node of nodes) {
    const size = nodeSize(node);
    pen.fillStyle = css(cardColour(node, picture));
    pen.beginPath();
    pen.roundRect(
      node.x * place.scale + place.x,
      node.y * place.scale + place.y,
      Math.max(1, size.width * place.scale),
      Math.max(1, size.height * place.scale),
      1.5 * pixelRatio,
    );
    pen.fill();
  }
  return nodes.length;
}

/** The nodes from the lowest to the topmost: groups lie below their contents. */
function stackedNodes({ nodes }: CanvasDocument): CanvasNode[] {
  const stacked = Object.values(nodes);
  if (stacked.some(isGroup)) stacked.sort((a, b) => Number(isGroup(b)) - Number(isGroup(a)));
  return stacked;
}

function drawLinks(pen: CanvasRenderingContext2D, { x, y, scale }: MapFrame, { document, palette }: Picture, pixelRatio: number): void {
  pen.beginPath();
  const routes = routesOf(document);
  for (const id in document.connections) {
    // The map is too small for the lanes of a large canvas.
    const corners = routes.corners(id, true) ?? [];
    for (let at = 0; at < corners.length; at += 2) {
      const [cornerX, cornerY] = [(corners[at] as number) * scale + x, (corners[at + 1] as number) * scale + y];
      if (at === 0) pen.moveTo(cornerX, cornerY);
      else pen.lineTo(cornerX, cornerY);
    }
  }
  pen.strokeStyle = css(palette.link);
  pen.lineWidth = pixelRatio;
  pen.stroke();
}

/** The cards of a large canvas in the map. They change with the document only, and are kept for the next picture. */
type Dots = {
  document: CanvasDocument;
  nodes: readonly CanvasNode[];
  /** The place of each node's hue in `hues`. */
  hueOf: Uint8Array;
  /** Left, top, right and bottom of each node, pixels of the map. */
  edges: Int32Array;
  image: ImageData;
};
let newestDots: Dots | null = null;

function placeDots(nodes: readonly CanvasNode[], { x, y, scale }: MapFrame, document: CanvasDocument, { width, height }: Size): Dots {
  const edges = new Int32Array(4 * nodes.length);
  for (const [at, node] of nodes.entries()) {
    const size = nodeSize(node);
    const left = Math.max(0, Math.round(node.x * scale + x));
    const top = Math.max(0, Math.round(node.y * scale + y));
    edges[4 * at] = left;
    edges[4 * at + 1] = top;
    edges[4 * at + 2] = Math.min(width, Math.max(left + 1, Math.round((node.x + size.width) * scale + x)));
    edges[4 * at + 3] = Math.min(height, Math.max(top + 1, Math.round((node.y + size.height) * scale + y)));
  }
  const hueOf = Uint8Array.from(nodes, (node) => hues.indexOf(nodeHue(node)));
  return { document, nodes, hueOf, edges, image: new ImageData(width, height) };
}

function drawDots({ nodes, hueOf, edges, image }: Dots, picture: Picture): ImageData {
  const { width } = image;
  const pixels = new Uint32Array(image.data.buffer).fill(0);
  const colours = Uint32Array.from({ length: hues.length * looks.length }, (_, at) =>
    rgba(colourOf(hues[Math.floor(at / looks.length)] as Hue, looks[at % looks.length] as Look, picture)),
  );
  for (let at = 0; at < nodes.length; at++) {
    const left = edges[4 * at] as number;
    const right = edges[4 * at + 2] as number;
    const to = (edges[4 * at + 3] as number) * width;
    const pixel = colours[(hueOf[at] as number) * looks.length + lookOf(nodes[at] as CanvasNode, picture)] as number;
    // A card has few pixels: `fill` would take longer.
    for (let row = (edges[4 * at + 1] as number) * width; row < to; row += width)
      for (let place = row + left; place < row + right; place++) pixels[place] = pixel;
  }
  return image;
}

function cardColour(node: CanvasNode, picture: Picture): number {
  return colourOf(nodeHue(node), looks[lookOf(node, picture)] as Look, picture);
}

const looks = ['group', 'note', 'failed', 'full', 'pale', 'usual'] as const;
type Look = (typeof looks)[number];

/** How much of its hue a node shows, 0 to 1. */
const strengths: Record<Exclude<Look, 'failed'>, number> = { group: 0.16, note: 0.4, full: 1, pale: 0.35, usual: 0.72 };

const lookOfState: Record<CardState, number> = {
  idle: looks.indexOf('usual'),
  done: looks.indexOf('usual'),
  paused: looks.indexOf('usual'),
  waiting: looks.indexOf('pale'),
  stopped: looks.indexOf('pale'),
  skipped: looks.indexOf('pale'),
  active: looks.indexOf('full'),
  failed: looks.indexOf('failed'),
};

/** Returns a place in `looks`. */
function lookOf(node: CanvasNode, { views, folding }: Picture): number {
  if (isFolded(node)) return lookOfState[folding?.stateOf(node.id, views) ?? 'idle'];
  if (isAnnotation(node)) return looks.indexOf(isGroup(node) ? 'group' : 'note');
  return lookOfState[views[node.id]?.state ?? 'idle'];
}

function colourOf(hue: Hue, look: Look, { palette }: Picture): number {
  return look === 'failed' ? palette.danger : mix(palette.floating, palette.hue[hue], strengths[look]);
}

function css(colour: number): string {
  return `#${colour.toString(16).padStart(6, '0')}`;
}

/** Converts 0xrrggbb to the bytes of a pixel, red lowest. */
function rgba(colour: number): number {
  return (0xff000000 | ((colour & 0xff) << 16) | (colour & 0xff00) | (colour >> 16)) >>> 0;
}
