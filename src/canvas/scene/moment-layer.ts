import type { CanvasNode, Connection } from '../../../contract/canvas.ts';
import type { CanvasMoment } from '../canvas-view.ts';
import { boxBetween, overlaps, type Rect } from '../geometry/camera.ts';
import type { DocumentIndex } from '../geometry/document-index.ts';
import type { DetailLevel } from '../geometry/level-of-detail.ts';
import { linkEnd, looseEnd } from '../geometry/link-end.ts';
import { linkPath, pointAlong } from '../geometry/link-path.ts';
import type { CardPen } from './cards/card-pen.ts';
import type { Lift } from './cards/lift.ts';
import { Decor } from './decor.ts';
import { type MeshKind, QuadMesh } from './gpu/quad-mesh.ts';
import { linkHalo, linkPicked } from './links/link-look.ts';
import { travelPause, travelSpeed } from './links/link-shader.ts';
import type { LinkWriter } from './links/link-writer.ts';
import type { RunOnCanvas } from './run-on-canvas.ts';
import { linkShape, type TileBuilder } from './tiles/tile-builder.ts';

/** World px by which a link's run may leave the box round its two cards. */
const detourMargin = 60;
/** With more links selected than this the lines alone show it. */
const halosAtMost = 50;

export type MomentSources = {
  index: DocumentIndex;
  run: RunOnCanvas;
  lift: Lift;
  pen: CardPen;
  linkWriter: LinkWriter;
  builder: TileBuilder;
  kinds: { cards: MeshKind; links: MeshKind };
};

/** What changes from one moment to the next and is therefore in no tile: marks of selection and hover, links in the hand, travelling dots. */
export class MomentLayer {
  readonly decor: Decor;
  readonly liftedDecor: Decor;
  readonly linkDecor: QuadMesh;
  readonly hoveredLink: QuadMesh;
  readonly looseLinks: QuadMesh;
  readonly draft: QuadMesh;
  readonly dots: QuadMesh;
  readonly hand: QuadMesh;
  readonly #from: MomentSources;
  #decorStale = true;
  #hoverStale = true;
  #looseStale = true;

  constructor(from: MomentSources) {
    this.#from = from;
    const { kinds, pen } = from;
    this.decor = new Decor(kinds.cards, pen.writer);
    this.liftedDecor = new Decor(kinds.cards, pen.writer);
    this.linkDecor = new QuadMesh(kinds.links);
    this.hoveredLink = new QuadMesh(kinds.links);
    this.looseLinks = new QuadMesh(kinds.links);
    this.draft = new QuadMesh(kinds.links);
    this.dots = new QuadMesh(kinds.cards);
    this.hand = new QuadMesh(kinds.cards);
  }

  outdate(what: 'decor' | 'hover' | 'looseLinks' | 'all'): void {
    if (what === 'decor' || what === 'all') this.#decorStale = true;
    if (what !== 'looseLinks') this.#hoverStale = true;
    if (what === 'looseLinks' || what === 'all') this.#looseStale = true;
  }

  /** How many meshes have something to draw. */
  get meshes(): number {
    const all = [this.linkDecor, this.hoveredLink, this.looseLinks, this.draft, this.dots, this.hand];
    return all.filter((mesh) => mesh.quads > 0).length + this.decor.meshes + this.liftedDecor.meshes;
  }

  /** Brings all but the dots up to the moment. */
  draw(moment: CanvasMoment, level: DetailLevel, shown: Rect): void {
    if (moment.band || moment.guides.length > 0 || this.hand.quads > 0) this.#drawHand(moment);
    if (this.#looseStale) this.#drawLooseLinks(level, shown);
    if (this.#decorStale || (!this.#from.lift.isEmpty && moment.selectedLinks.size > 0)) this.#drawDecor(moment, level);
    if (this.#hoverStale) this.#drawHover(moment, level);
    this.#looseStale = false;
    this.#decorStale = false;
    this.#hoverStale = false;
  }

  /** Moves the dots on the links to cards at work; tells whether anything in view goes on moving. */
  animate(level: DetailLevel, shown: Rect, seconds: number, still: boolean): boolean {
    const { index, run, lift, pen, builder } = this.#from;
    let moving = false;
    pen.writer.begin();
    for (const nodeId of run.active) {
      moving ||= this.isNodeIn(nodeId, shown);
      for (const linkId of index.linksOf(nodeId)) {
        const link = index.links.get(linkId);
        if (!link || link.to.agentId !== nodeId || run.link(link, index) !== 'onTheWay' || !this.#mayShow(link, shown)) continue;
        const path = builder.path(link, linkShape[level]);
        if (!path) continue;
        moving = true;
        const turn = path.length / travelSpeed + travelPause;
        const at = pointAlong(path, still ? path.length / 2 : Math.min((seconds % turn) * travelSpeed, path.length));
        const moves = lift.moves(link.from.agentId) && lift.moves(link.to.agentId);
        this.#dot(at.x + (moves ? lift.dx : 0), at.y + (moves ? lift.dy : 0));
      }
    }
    this.dots.set(pen.writer.written());
    return moving && !still;
  }

  isNodeIn(nodeId: string, shown: Rect): boolean {
    const box = this.#nodeBox(nodeId);
    return box !== null && overlaps(box, shown);
  }

  destroy(): void {
    for (const mesh of [this.linkDecor, this.hoveredLink, this.looseLinks, this.draft, this.dots, this.hand]) mesh.destroy();
    this.decor.destroy();
    this.liftedDecor.destroy();
  }

  /** Links with one end in the hand are laid anew in each step of a drag. */
  #drawLooseLinks(level: DetailLevel, shown: Rect): void {
    const { index, lift, linkWriter, builder } = this.#from;
    linkWriter.begin();
    for (const nodeId of lift.nodeIds) {
      for (const linkId of index.linksOf(nodeId)) {
        const link = index.links.get(linkId);
        if (link && lift.moves(link.from.agentId) !== lift.moves(link.to.agentId) && this.#mayShow(link, shown))
          builder.link(link, linkShape[level]);
      }
    }
    this.looseLinks.set(linkWriter.written());
  }

  #drawDecor(moment: CanvasMoment, level: DetailLevel): void {
    const { index, pen, linkWriter } = this.#from;
    this.decor.drawSelected(this.#selected(moment, false), level, pen.palette);
    this.liftedDecor.drawSelected(this.#selected(moment, true), level, pen.palette);
    linkWriter.begin();
    const withHalo = moment.selectedLinks.size <= halosAtMost;
    for (const id of moment.selectedLinks) this.#decorateLink(index.links.get(id), level, { picked: true, withHalo });
    this.linkDecor.set(linkWriter.written());
    this.#drawDraft(moment);
  }

  #drawHover({ hover, selectedNodes, resize }: CanvasMoment, level: DetailLevel): void {
    const { index, lift, pen, linkWriter } = this.#from;
    const node = hover && hover.kind !== 'link' && !selectedNodes.has(hover.id) ? index.nodes.get(hover.id) : null;
    const shown = node && resize?.id === node.id ? { ...node, ...resize } : node;
    const isLifted = node !== null && lift.has(node.id);
    this.decor.drawHovered(isLifted ? null : shown, level, pen.palette);
    this.liftedDecor.drawHovered(isLifted ? shown : null, level, pen.palette);
    linkWriter.begin();
    if (hover?.kind === 'link') this.#decorateLink(index.links.get(hover.id), level, { picked: false, withHalo: true });
    this.hoveredLink.set(linkWriter.written());
  }

  /** The band that selects, and the lines that a drag is level with: both a CSS px wide at any zoom. */
  #drawHand({ band, guides, camera }: CanvasMoment): void {
    const { writer, palette } = this.#from.pen;
    const line = 1 / camera.zoom;
    writer.begin();
    if (band) {
      const { left, top, right, bottom } = boxBetween(band.from, band.to);
      writer.anchor(left, top);
      const box = { x: 0, y: 0, width: right - left, height: bottom - top, border: line };
      writer.shape({ ...box, fill: palette.accent, fillAlpha: 0.08, stroke: palette.accent, strokeAlpha: 0.9 });
    }
    for (const { axis, at, from, to } of guides) {
      if (axis === 'x') writer.anchor(at, from);
      else writer.anchor(from, at);
      const size = axis === 'x' ? { width: line, height: to - from } : { width: to - from, height: line };
      writer.shape({ x: 0, y: 0, ...size, fill: palette.accent, fillAlpha: 0.75 });
    }
    this.hand.set(writer.written());
  }

  #drawDraft({ linkDraft }: CanvasMoment): void {
    const { index, pen, linkWriter } = this.#from;
    linkWriter.begin();
    const from = linkDraft && index.nodes.get(linkDraft.from);
    if (linkDraft && from) {
      const over = linkDraft.over === null ? null : index.nodes.get(linkDraft.over);
      const end = over ? linkEnd(over, 'in') : looseEnd(linkDraft.x, linkDraft.y);
      linkWriter.link(linkPath(linkEnd(from, 'out'), end), { ...linkPicked(pen.palette), alpha: over ? 1 : 0.7 });
    }
    this.draft.set(linkWriter.written());
  }

  #selected({ selectedNodes, matches, resize, linkDraft }: CanvasMoment, lifted: boolean): CanvasNode[] {
    const { index, lift } = this.#from;
    const ids = new Set([...selectedNodes, ...(matches ?? []), ...(linkDraft?.over ? [linkDraft.over] : [])]);
    return [...ids].flatMap((id) => {
      const node = lift.has(id) === lifted ? index.nodes.get(id) : null;
      if (!node) return [];
      return resize?.id === id ? { ...node, ...resize } : node;
    });
  }

  #decorateLink(link: Connection | null, level: DetailLevel, { picked, withHalo }: { picked: boolean; withHalo: boolean }): void {
    const { pen, linkWriter, builder } = this.#from;
    const path = link && builder.path(link, linkShape[level]);
    if (!path) return;
    if (withHalo) linkWriter.link(path, linkHalo(pen.palette, picked));
    if (picked) linkWriter.link(path, linkPicked(pen.palette));
  }

  /** A dot of 5.5 with a halo of 11 (world px), never too small to be seen. */
  #dot(x: number, y: number): void {
    const { writer, palette } = this.#from.pen;
    const point = { x: 0, y: 0, width: 0.1, height: 0.1 };
    writer.anchor(x, y);
    writer.shape({ ...point, motion: 'pulse', bandTop: 11, bandLeft: 7, fill: palette.accent, fillAlpha: 0.3 });
    writer.shape({ ...point, motion: 'outline', bandTop: 5.5, bandLeft: 4, stroke: palette.canvas });
    writer.shape({ ...point, motion: 'outline', bandTop: 4.25, bandLeft: 3, stroke: palette.accent });
  }

  /** Whether a link may cross the view, by the box round both its cards. */
  #mayShow(link: Connection, shown: Rect): boolean {
    const from = this.#nodeBox(link.from.agentId);
    const to = this.#nodeBox(link.to.agentId);
    if (!from || !to) return false;
    const box = {
      left: Math.min(from.left, to.left) - detourMargin,
      top: Math.min(from.top, to.top) - detourMargin,
      right: Math.max(from.right, to.right) + detourMargin,
      bottom: Math.max(from.bottom, to.bottom) + detourMargin,
    };
    return overlaps(box, shown);
  }

  #nodeBox(nodeId: string): Rect | null {
    const { index, lift } = this.#from;
    const slot = index.nodes.slotOf(nodeId);
    if (slot === undefined) return null;
    const box = index.nodes.box(slot);
    if (!lift.moves(nodeId)) return box;
    return { left: box.left + lift.dx, right: box.right + lift.dx, top: box.top + lift.dy, bottom: box.bottom + lift.dy };
  }
}
