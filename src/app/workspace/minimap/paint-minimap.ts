import type { CanvasDocument, CanvasNode } from '../../../../contract/canvas.ts';
import type { Rect } from '../../../canvas/geometry/camera.ts';
import { documentBounds, nodesBounds } from '../../../canvas/geometry/document-bounds.ts';
import { linkEnd } from '../../../canvas/geometry/link-end.ts';
import { linkCorners } from '../../../canvas/geometry/link-path.ts';
import { mix } from '../../../canvas/scene/gpu/colour.ts';
import { type Hue, nodeHue } from '../../../model/agents/roles.ts';
import type { CardView } from '../../../model/card-view.ts';
import { nodeSize } from '../../../model/document/node-size.ts';
import type { Palette } from '../../../ui/palette.ts';
import type { MapFrame } from './minimap-frame.ts';

/** More cards than this are dots, written pixel by pixel: rectangles and lines would be too slow. */
const drawnOneByOne = 400;

/** The part of the world that the map shows, without links. */
export function mappedBounds(document: CanvasDocument): Rect | null {
  const bounds = nodesBounds(document.nodes);
  return bounds && Object.keys(document.nodes).length <= drawnOneByOne ? documentBounds(document) : bounds;
}

type Picture = { document: CanvasDocument; views: Record<string, CardView>; palette: Palette };

/** Draws the whole canvas into the map: cards in their role's colour, waiting ones paler, running and failed ones full. Returns the number of cards. */
export function paintMinimap(pen: CanvasRenderingContext2D, frame: MapFrame, picture: Picture, pixelRatio: number): number {
  const { width, height } = pen.canvas;
  const nodes = Object.values(picture.document.nodes);
  // Groups lie below their contents.
  if (nodes.some(({ type }) => type === 'group')) nodes.sort((a, b) => Number(b.type === 'group') - Number(a.type === 'group'));
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, width, height);
  const place = { x: frame.x * pixelRatio, y: frame.y * pixelRatio, scale: frame.scale * pixelRatio };
  if (nodes.length > drawnOneByOne) {
    pen.putImageData(dots(nodes, place, picture, width, height), 0, 0);
    return nodes.length;
  }
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

function drawLinks(pen: CanvasRenderingContext2D, { x, y, scale }: MapFrame, { document, palette }: Picture, pixelRatio: number): void {
  pen.beginPath();
  for (const id in document.connections) {
    const link = document.connections[id];
    const from = link && document.nodes[link.from.agentId];
    const to = link && document.nodes[link.to.agentId];
    if (!from || !to) continue;
    linkCorners(linkEnd(from, 'out'), linkEnd(to, 'in')).forEach((corner, at) => {
      if (at === 0) pen.moveTo(corner.x * scale + x, corner.y * scale + y);
      else pen.lineTo(corner.x * scale + x, corner.y * scale + y);
    });
  }
  pen.strokeStyle = css(palette.link);
  pen.lineWidth = pixelRatio;
  pen.stroke();
}

function dots(nodes: readonly CanvasNode[], { x, y, scale }: MapFrame, picture: Picture, width: number, height: number): ImageData {
  const image = new ImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const pixelOf = pixelsOf(picture);
  for (const node of nodes) {
    const size = nodeSize(node);
    const left = Math.max(0, Math.round(node.x * scale + x));
    const top = Math.max(0, Math.round(node.y * scale + y));
    const right = Math.min(width, Math.max(left + 1, Math.round((node.x + size.width) * scale + x)));
    const bottom = Math.min(height, Math.max(top + 1, Math.round((node.y + size.height) * scale + y)));
    const pixel = pixelOf(node);
    // A card has few pixels: `fill` would take longer.
    for (let row = top * width; row < bottom * width; row += width) for (let at = row + left; at < row + right; at++) pixels[at] = pixel;
  }
  return image;
}

/** Returns a function that mixes each colour once. */
function pixelsOf(picture: Picture): (node: CanvasNode) => number {
  const known: Partial<Record<Hue, Partial<Record<Look, number>>>> = {};
  return (node) => {
    const [hue, look] = [nodeHue(node), lookOf(node, picture)];
    let ofHue = known[hue];
    if (!ofHue) {
      ofHue = {};
      known[hue] = ofHue;
    }
    ofHue[look] ??= rgba(colourOf(hue, look, picture));
    return ofHue[look];
  };
}

function cardColour(node: CanvasNode, picture: Picture): number {
  return colourOf(nodeHue(node), lookOf(node, picture), picture);
}

type Look = 'group' | 'note' | 'failed' | 'full' | 'pale' | 'usual';

/** How much of its hue a node shows, 0 to 1. */
const strengths: Record<Exclude<Look, 'failed'>, number> = { group: 0.16, note: 0.4, full: 1, pale: 0.35, usual: 0.72 };

function lookOf({ type, id }: CanvasNode, { views }: Picture): Look {
  if (type === 'group' || type === 'note') return type;
  const state = views[id]?.state;
  if (state === 'failed') return 'failed';
  if (state === 'active') return 'full';
  return state === 'waiting' || state === 'stopped' || state === 'skipped' ? 'pale' : 'usual';
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
