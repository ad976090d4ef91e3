import type { CanvasNode, Connection } from '../../../../contract/canvas.ts';
import { isAnnotation } from '../../../../rules/card.ts';
import { nodeSize } from '../../../model/document/node-size.ts';
import type { DifferenceKind } from '../../../model/versions/comparison.ts';
import type { ComparisonOnCanvas } from '../../comparison-on-canvas.ts';
import { containsBox, expandBox, overlaps, type Rect } from '../../geometry/camera.ts';
import { nodeBox } from '../../geometry/document-bounds.ts';
import type { DetailLevel } from '../../geometry/level-of-detail.ts';
import { linkEnd } from '../../geometry/link-end.ts';
import { traceLink } from '../../geometry/link-path.ts';
import { briefContent, cardContent } from '../cards/card-content.ts';
import { paintAnnotation } from '../cards/paint-annotation.ts';
import { differenceColour, differenceRadius, paintDifference } from '../cards/paint-difference.ts';
import { QuadMesh } from '../gpu/quad-mesh.ts';
import { linkShape, painters } from '../tiles/tile-builder.ts';
import { type Frame, SceneLayer } from './scene-layer.ts';

type Built = { area: Rect; level: DetailLevel; textVersion: number; version: number; comparison: ComparisonOnCanvas };
type Meshes = { links: QuadMesh; cards: QuadMesh };

/** How much farther than the view the meshes reach, as a share of the view. */
const reserve = 0.5;

/** The colours of a comparison with an earlier version: marks on what differs, and removed cards and links as ghosts. Costs nothing without one. */
export class ComparisonLayer extends SceneLayer {
  #meshes: Meshes | null = null;
  #built: Built | null = null;

  get meshes(): number {
    if (!this.visible || !this.#meshes) return 0;
    return Object.values(this.#meshes).filter(({ quads }) => quads > 0).length;
  }

  draw({ view, level, text, versions, ephemeral: { comparison } }: Frame): void {
    this.visible = comparison !== null;
    if (!comparison) return;
    const built = this.#built;
    // The first is raised by changed records, the second when a drag begins or ends: marks do not follow a drag.
    const version = versions.search + versions.annotations;
    const isCurrent = built?.version === version && built.level === level && built.textVersion === text.version;
    if (built && isCurrent && built.comparison === comparison && containsBox(built.area, view)) return;
    const area = expandBox(view, reserve);
    this.#meshes ??= this.#createMeshes();
    this.#meshes.links.set(this.#links(comparison, area, level));
    this.#meshes.cards.set(this.#cards(comparison, area, level, text.zoom));
    this.#built = { area, level, textVersion: text.version, version, comparison };
  }

  protected free(): void {
    for (const mesh of Object.values(this.#meshes ?? {})) mesh.destroy();
  }

  #createMeshes(): Meshes {
    const { kinds } = this.parts;
    const meshes = { links: new QuadMesh(kinds.links), cards: new QuadMesh(kinds.cards) };
    this.addChild(meshes.links.mesh, meshes.cards.mesh);
    return meshes;
  }

  #links(comparison: ComparisonOnCanvas, area: Rect, level: DetailLevel): Float32Array<ArrayBuffer> {
    const { index, linkWriter, pen, builder } = this.parts;
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
      const path =
        (kind !== 'removed' && builder.path(link, linkShape[level])) ||
        traceLink(linkEnd(from, 'out'), linkEnd(to, 'in'), linkShape[level]);
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

  #cards(comparison: ComparisonOnCanvas, area: Rect, level: DetailLevel, fitZoom: number): Float32Array<ArrayBuffer> {
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
