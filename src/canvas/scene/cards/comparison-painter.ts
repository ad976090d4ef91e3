import type { CanvasNode, Connection } from '../../../../contract/canvas.ts';
import { isAnnotation } from '../../../../rules/card.ts';
import { nodeSize } from '../../../model/document/node-size.ts';
import type { DifferenceKind } from '../../../model/versions/comparison.ts';
import type { ComparisonOnCanvas } from '../../comparison-on-canvas.ts';
import { overlaps, type Rect } from '../../geometry/camera.ts';
import { nodeBox } from '../../geometry/document-bounds.ts';
import type { DetailLevel } from '../../geometry/level-of-detail.ts';
import { linkEnd } from '../../geometry/link-end.ts';
import { traceLink } from '../../geometry/link-path.ts';
import type { SceneParts } from '../scene-parts.ts';
import { linkShape, painters } from '../tiles/tile-builder.ts';
import { briefContent, cardContent } from './card-content.ts';
import { paintAnnotation } from './paint-annotation.ts';
import { differenceColour, differenceRadius, paintDifference } from './paint-difference.ts';

/** Paints the differences from an earlier version. It is loaded once a version is compared. */
export class ComparisonPainter {
  readonly parts: SceneParts;

  constructor(parts: SceneParts) {
    this.parts = parts;
  }

  links(comparison: ComparisonOnCanvas, area: Rect, level: DetailLevel): Float32Array<ArrayBuffer> {
    const { index, linkWriter, pen } = this.parts;
    linkWriter.begin();
    const draw = (link: Connection, kind: DifferenceKind) => {
      const ends = [link.from.agentId, link.to.agentId].map((id) => index.nodes.get(id) ?? comparison.ghosts.get(id));
      const [from, to] = ends;
      if (!from || !to || !overlaps(union(nodeBox(from), nodeBox(to)), area)) return;
      const isFocused = link.id === comparison.focusId;
      const look = {
        line: 'plain',
        isDashed: kind === 'removed',
        width: 3.5,
        minWidth: 2.25,
        colour: differenceColour(kind, pen.palette),
        alpha: 0.9,
      } as const;
      const path = traceLink(linkEnd(from, 'out'), linkEnd(to, 'in'), linkShape[level]);
      if (isFocused) linkWriter.link(path, { ...look, isDashed: false, width: 12, minWidth: 8, alpha: 0.3 });
      linkWriter.link(path, look);
    };
    for (const link of comparison.ghostLinks) draw(link, 'removed');
    for (const [id, kind] of comparison.links) {
      const link = index.links.get(id);
      if (link) draw(link, kind);
    }
    return linkWriter.written();
  }

  cards(comparison: ComparisonOnCanvas, area: Rect, level: DetailLevel, fitZoom: number): Float32Array<ArrayBuffer> {
    const { index, dragged, pen } = this.parts;
    pen.writer.begin();
    for (const node of comparison.ghosts.values()) {
      if (!overlaps(nodeBox(node), area)) continue;
      this.#ghost(node, level, fitZoom);
      paintDifference(pen, node, 'removed', { level, isFocused: node.id === comparison.focusId });
    }
    for (const [id, kind] of comparison.nodes) {
      const node = index.nodes.get(id);
      if (!node || dragged.moves(id) || !overlaps(nodeBox(node), area)) continue;
      paintDifference(pen, node, kind, { level, isFocused: id === comparison.focusId });
    }
    return pen.writer.written();
  }

  /** A removed card under a veil, with a dashed edge. */
  #ghost(node: CanvasNode, level: DetailLevel, fitZoom: number): void {
    const { pen, builder } = this.parts;
    const { palette, writer } = pen;
    if (isAnnotation(node)) paintAnnotation(pen, node, { level, fitZoom, name: builder.texts.nodeTitle(node) });
    else {
      const content =
        level === 'full'
          ? cardContent(node, undefined, undefined, builder.texts, 0)
          : briefContent(node, undefined, undefined, builder.texts);
      painters[level](pen, { node, content, inUsed: false, outUsed: false }, { fitZoom, ports: false });
    }
    writer.alpha = 1;
    writer.anchor(node.x, node.y);
    const border = level === 'block' ? 6 : 2;
    const edge = { border, stroke: palette.danger, radius: differenceRadius(node, level) };
    writer.shape({ x: -1, y: -1, ...larger(nodeSize(node)), kind: 'dashed', fill: palette.canvas, fillAlpha: 0.55, ...edge });
  }
}

function larger({ width, height }: { width: number; height: number }): { width: number; height: number } {
  return { width: width + 2, height: height + 2 };
}

function union(a: Rect, b: Rect): Rect {
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  };
}
