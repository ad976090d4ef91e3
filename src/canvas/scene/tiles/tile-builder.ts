import type { CanvasNode, Connection } from '../../../../contract/canvas.ts';
import { isAgentCard } from '../../../../rules/card.ts';
import { isBackLink } from '../../../../rules/run-graph/run-graph.ts';
import type { AgentsState } from '../../../model/workspace-state.ts';
import { isCard, isFolded } from '../../folding/folded-records.ts';
import type { Rect } from '../../geometry/camera.ts';
import type { DocumentIndex } from '../../geometry/document-index.ts';
import type { DetailLevel } from '../../geometry/level-of-detail.ts';
import { linkEnd } from '../../geometry/link-end.ts';
import {
  cornersExtent,
  type LinkEnd,
  type LinkPath,
  type LinkShape,
  linkPath,
  pathAlong,
  traceCorners,
  traceLink,
} from '../../geometry/link-path.ts';
import { briefContent, type CardAgent, cardContent } from '../cards/card-content.ts';
import type { CardPainter, CardPen } from '../cards/card-pen.ts';
import type { DraggedNodes } from '../cards/dragged-nodes.ts';
import { paintBlock } from '../cards/paint-block.ts';
import { paintCompact } from '../cards/paint-compact.ts';
import { paintFull } from '../cards/paint-full.ts';
import { paintTitle } from '../cards/paint-title.ts';
import { linkLook } from '../links/link-look.ts';
import type { LinkWriter } from '../links/link-writer.ts';
import type { RunOnCanvas } from '../run-on-canvas.ts';
import type { CardTexts } from '../text/card-texts.ts';
import type { TileContent } from './tile-layer.ts';

/** How a card is drawn at each level of detail. */
export const painters: Record<DetailLevel, CardPainter> = { full: paintFull, compact: paintCompact, title: paintTitle, block: paintBlock };

/** At small zooms the rounding of a link's corners is invisible. */
export const linkShape: Record<DetailLevel, LinkShape> = { full: 'round', compact: 'round', title: 'cut', block: 'sharp' };

/** Room round a card for its port, badge and shadow, world px. */
const cardMargin = 24;

const unused = { in: false, out: false };

type TileSources = {
  index: DocumentIndex;
  run: RunOnCanvas;
  dragged: DraggedNodes;
  pen: CardPen;
  linkWriter: LinkWriter;
};

/** Draws the cards and links of tiles. Changed settings apply to tiles built afterwards. */
export class TileBuilder {
  readonly #from: TileSources;
  texts: CardTexts;
  agents: AgentsState['byId'] = {};
  /** Whether the list `agents` is complete. */
  knowsAgents = false;
  ports = true;
  /** The smallest zoom that cards without full detail are to fit. */
  fitZoom = 1;

  constructor(from: TileSources, texts: CardTexts) {
    this.#from = from;
    this.texts = texts;
  }

  /** Builds the cards in these slots: the dragged ones, or all others. */
  cards(level: DetailLevel, slots: readonly number[], lifted: boolean): TileContent | null {
    const { index, run, dragged, pen } = this.#from;
    const { writer } = pen;
    const { now } = run;
    const options = { fitZoom: this.fitZoom, ports: this.ports };
    const withPorts = this.ports && (level === 'full' || level === 'compact');
    const bounds = emptyBounds();
    let things = 0;
    writer.begin();
    for (const slot of slots) {
      const node = index.nodes.records[slot];
      if (!node || !isCard(node) || (lifted ? !dragged.isDragged(node.id) : dragged.moves(node.id))) continue;
      const agent = this.#agentOf(node);
      const view = run.viewOf(node, index);
      const content = isFolded(node)
        ? run.folded(node, this.texts)
        : level === 'full'
          ? cardContent(node, view, agent, this.texts, now)
          : briefContent(node, view, agent, this.texts);
      const used = withPorts ? run.usedPorts(node.id, index) : unused;
      painters[level](pen, { node, content, inUsed: used.in, outUsed: used.out }, options);
      widen(bounds, index.nodes.box(slot), cardMargin);
      things++;
    }
    return things === 0 ? null : { vertices: writer.written(), things, bounds };
  }

  #agentOf(node: CanvasNode): CardAgent {
    const agent = node.serverAgentId === undefined ? undefined : this.agents[node.serverAgentId];
    if (agent) return agent;
    return this.knowsAgents && isAgentCard(node) ? null : undefined;
  }

  /**
   * Builds the links in these slots: those with both ends dragged, or those with no dragged end. Links with one dragged end are in no tile.
   */
  links(shape: LinkShape, slots: readonly number[], lifted: boolean): TileContent | null {
    const { index, linkWriter } = this.#from;
    const bounds = emptyBounds();
    let things = 0;
    linkWriter.begin();
    for (const slot of slots) {
      const link = index.links.records[slot];
      if (!link || !this.#isWith(link, lifted)) continue;
      const corners = index.routes.of(link, isFar(shape));
      if (!corners) continue;
      this.#write(link, traceCorners(corners, shape));
      widen(bounds, cornersExtent(corners), 4);
      things++;
    }
    return things === 0 ? null : { vertices: linkWriter.written(), things, bounds };
  }

  #isWith({ from, to }: Connection, lifted: boolean): boolean {
    const { dragged } = this.#from;
    if (dragged.isEmpty) return !lifted;
    return lifted
      ? dragged.isDragged(from.agentId) && dragged.isDragged(to.agentId)
      : !dragged.moves(from.agentId) && !dragged.moves(to.agentId);
  }

  /** Writes one link in the look of its state, with dragged ends at their current place. */
  link(link: Connection, shape: LinkShape): void {
    const path = this.#trace(link, shape);
    if (path) this.#write(link, path);
  }

  #write(link: Connection, path: LinkPath): void {
    const { index, run, linkWriter, pen } = this.#from;
    linkWriter.link(path, linkLook(run.link(link, index), pen.palette, link.run !== undefined && isBackLink(link.run)));
  }

  /** Returns a link's current path, including a drag; null when one of its ends is missing. */
  path(link: Connection, shape: LinkShape): LinkPath | null {
    const ends = this.#draggedEnds(link);
    if (ends) return linkPath(...ends, shape);
    const corners = this.#from.index.routes.corners(link.id, isFar(shape));
    return corners && pathAlong(corners, shape);
  }

  #trace(link: Connection, shape: LinkShape): LinkPath | null {
    const ends = this.#draggedEnds(link);
    if (ends) return traceLink(...ends, shape);
    const corners = this.#from.index.routes.corners(link.id, isFar(shape));
    return corners && traceCorners(corners, shape);
  }

  /** The ends of a link of which one is dragged; null for others. With both ends dragged the layer moves, not the link. */
  #draggedEnds({ from: { agentId: fromId }, to: { agentId: toId } }: Connection): [LinkEnd, LinkEnd] | null {
    const { index, dragged } = this.#from;
    const fromMoves = dragged.moves(fromId);
    const from = index.nodes.get(fromId);
    const to = index.nodes.get(toId);
    if (!from || !to || fromMoves === dragged.moves(toId)) return null;
    const { dx, dy } = dragged;
    return fromMoves ? [linkEnd(from, 'out', dx, dy), linkEnd(to, 'in')] : [linkEnd(from, 'out'), linkEnd(to, 'in', dx, dy)];
  }
}

/** Whether a shape is that of zooms at which lanes cannot be told apart. */
function isFar(shape: LinkShape): boolean {
  return shape !== 'round';
}

function emptyBounds(): Rect {
  return {
    left: Number.POSITIVE_INFINITY,
    top: Number.POSITIVE_INFINITY,
    right: Number.NEGATIVE_INFINITY,
    bottom: Number.NEGATIVE_INFINITY,
  };
}

function widen(bounds: Rect, box: Rect, margin: number): void {
  bounds.left = Math.min(bounds.left, box.left - margin);
  bounds.top = Math.min(bounds.top, box.top - margin);
  bounds.right = Math.max(bounds.right, box.right + margin);
  bounds.bottom = Math.max(bounds.bottom, box.bottom + margin);
}
