import type { Connection } from '../../../../contract/canvas.ts';
import { isBackLink } from '../../../../rules/run-graph/run-graph.ts';
import type { EphemeralState } from '../../canvas-view.ts';
import { overlaps, type Rect } from '../../geometry/camera.ts';
import type { DetailLevel } from '../../geometry/level-of-detail.ts';
import { pointAlong } from '../../geometry/link-path.ts';
import { QuadMesh } from '../gpu/quad-mesh.ts';
import { linkHalo, linkPicked } from '../links/link-look.ts';
import { travelPause, travelSpeed } from '../links/link-shader.ts';
import { linkShape } from '../tiles/tile-builder.ts';
import { type Frame, type LayerOptions, SceneLayer } from './scene-layer.ts';

/** World px by which a link may leave the box round its two cards during a drag of one. */
const detourMargin = 60;
/** The maximum of selected links with a halo. Beyond it only the lines show the selection. */
const maxHalos = 50;

/** The view, and the versions of the document and the run. */
type SeenFrom = { view: Rect; document: number; run: number };
/** `links`: those that work is passing; `isMoving`: whether anything is animated. */
type Moving = { from: SeenFrom; links: readonly Connection[]; isMoving: boolean };

/** The links with one dragged end, and the versions of the document and the drag that they were found in. */
type Loose = { document: number; drag: number; links: readonly Connection[] };

/** Draws the parts of links outside tiles: links with one dragged end, selected and hovered links, moving dots. */
export class LinkMarksLayer extends SceneLayer {
  readonly #looseLinks: QuadMesh;
  readonly #selected: QuadMesh;
  readonly #hovered: QuadMesh;
  readonly #dots: QuadMesh;
  #drawn = { selection: 0, hover: 0, looseLinks: 0 };
  #isMoving = false;
  #moving: Moving | null = null;
  #loose: Loose | null = null;

  constructor(options: LayerOptions) {
    super(options);
    const { cards, links } = this.parts.kinds;
    this.#looseLinks = new QuadMesh(links);
    this.#selected = new QuadMesh(links);
    this.#hovered = new QuadMesh(links);
    this.#dots = new QuadMesh(cards);
    this.addChild(this.#looseLinks.mesh, this.#selected.mesh, this.#hovered.mesh, this.#dots.mesh);
  }

  get meshes(): number {
    return this.#all().filter(({ quads }) => quads > 0).length;
  }

  override get isMoving(): boolean {
    return this.#isMoving;
  }

  draw(frame: Frame): void {
    const { ephemeral, level, view } = frame;
    const { selection, hover, looseLinks } = frame.versions;
    const followsDrag = !this.parts.dragged.isEmpty && ephemeral.selectedLinks.size > 0;
    if (this.#drawn.looseLinks !== looseLinks) this.#drawLooseLinks(level, view);
    if (this.#drawn.selection !== selection || followsDrag) this.#drawSelected(ephemeral, level);
    if (this.#drawn.hover !== hover) this.#drawHovered(ephemeral, level);
    this.#drawn = { selection, hover, looseLinks };
    this.#isMoving = this.#drawDots(frame);
  }

  protected free(): void {
    for (const mesh of this.#all()) mesh.destroy();
  }

  #all(): QuadMesh[] {
    return [this.#looseLinks, this.#selected, this.#hovered, this.#dots];
  }

  /** Draws the dots on links to running cards. Returns whether anything in view is still moving. */
  #drawDots({ level, view: shown, seconds, still }: Frame): boolean {
    const { dragged, pen, builder } = this.parts;
    const { links, isMoving } = this.#inView(shown);
    pen.writer.begin();
    for (const link of links) {
      const path = builder.path(link, linkShape[level]);
      if (!path) continue;
      const turn = path.length / travelSpeed + travelPause;
      const at = pointAlong(path, still ? path.length / 2 : Math.min((seconds % turn) * travelSpeed, path.length));
      const moves = dragged.moves(link.from.agentId) && dragged.moves(link.to.agentId);
      this.#dot(at.x + (moves ? dragged.dx : 0), at.y + (moves ? dragged.dy : 0));
    }
    this.#dots.set(pen.writer.written());
    return isMoving && !still;
  }

  /** Returns what moves in the view. It is found anew after a change of the document, the run or the view, and during a drag. */
  #inView(view: Rect): Moving {
    const { index, run, dragged } = this.parts;
    const from = { view, document: index.version, run: run.version };
    if (!this.#moving || !dragged.isEmpty || !isSame(this.#moving.from, from)) this.#moving = { from, ...this.#findMoving(view) };
    return this.#moving;
  }

  #findMoving(view: Rect): Omit<Moving, 'from'> {
    const { index, run, dragged } = this.parts;
    const passes = (link: Connection) =>
      run.view(link.to.agentId)?.state === 'active' && run.link(link, index) === 'passing' && this.#mayShow(link, view);
    const links = run.active.length === 0 ? [] : this.#near(view).filter(passes);
    const isMoving =
      links.length > 0 ||
      (run.isUnderWay && this.#isAnyInView(run.waitingLinks, view)) ||
      run.active.some((id) => dragged.isInView(id, index, view));
    return { links, isMoving };
  }

  /** Returns the links that may cross the view; during a drag, whose links the index does not follow, all links of cards at work. */
  #near(view: Rect): Connection[] {
    const { index, run, dragged } = this.parts;
    if (dragged.isEmpty) return index.links.overlapping(view).flatMap((slot) => index.links.records[slot] ?? []);
    return run.active.flatMap((nodeId) =>
      index.linksOf(nodeId).flatMap((id) => {
        const link = index.links.get(id);
        return link?.to.agentId === nodeId ? link : [];
      }),
    );
  }

  #isAnyInView(linkIds: Iterable<string>, shown: Rect): boolean {
    for (const id of linkIds) {
      const link = this.parts.index.links.get(id);
      if (link && this.#mayShow(link, shown)) return true;
    }
    return false;
  }

  /** Links with one end in a drag are drawn again at each step of the drag. */
  #drawLooseLinks(level: DetailLevel, shown: Rect): void {
    const { linkWriter, builder } = this.parts;
    linkWriter.begin();
    for (const link of this.#findLoose()) if (this.#mayShow(link, shown)) builder.link(link, linkShape[level]);
    this.#looseLinks.set(linkWriter.written());
  }

  /** Returns the links with one dragged end. They are the same at each step of a drag: a step does not look through all that is dragged. */
  #findLoose(): readonly Connection[] {
    const { index, dragged } = this.parts;
    const from = { document: index.version, drag: dragged.version };
    if (this.#loose?.document === from.document && this.#loose.drag === from.drag) return this.#loose.links;
    const links: Connection[] = [];
    for (const nodeId of dragged.nodeIds) {
      for (const linkId of index.linksOf(nodeId)) {
        const link = index.links.get(linkId);
        if (link && dragged.moves(link.from.agentId) !== dragged.moves(link.to.agentId)) links.push(link);
      }
    }
    this.#loose = { ...from, links };
    return links;
  }

  #drawSelected({ selectedLinks }: EphemeralState, level: DetailLevel): void {
    const { index, linkWriter } = this.parts;
    const withHalo = selectedLinks.size <= maxHalos;
    linkWriter.begin();
    for (const id of selectedLinks) this.#decorateLink(index.links.get(id), level, { picked: true, withHalo });
    this.#selected.set(linkWriter.written());
  }

  #drawHovered({ hover }: EphemeralState, level: DetailLevel): void {
    const { index, linkWriter } = this.parts;
    linkWriter.begin();
    if (hover?.kind === 'link') this.#decorateLink(index.links.get(hover.id), level, { picked: false, withHalo: true });
    this.#hovered.set(linkWriter.written());
  }

  #decorateLink(link: Connection | null, level: DetailLevel, { picked, withHalo }: { picked: boolean; withHalo: boolean }): void {
    const { pen, linkWriter, builder } = this.parts;
    const path = link && builder.path(link, linkShape[level]);
    if (!path) return;
    if (withHalo) linkWriter.link(path, linkHalo(pen.palette, picked));
    if (picked) linkWriter.link(path, linkPicked(pen.palette, isBackLink(link?.run ?? {})));
  }

  /** A dot of 5.5 with a halo of 11 (world px), with a visible minimum size. */
  #dot(x: number, y: number): void {
    const { writer, palette } = this.parts.pen;
    const point = { x: 0, y: 0, width: 0.1, height: 0.1 };
    writer.anchor(x, y);
    writer.shape({ ...point, motion: 'pulse', bandTop: 11, bandLeft: 7, fill: palette.accent, fillAlpha: 0.3 });
    writer.shape({ ...point, motion: 'outline', bandTop: 5.5, bandLeft: 4, stroke: palette.canvas });
    writer.shape({ ...point, motion: 'outline', bandTop: 4.25, bandLeft: 3, stroke: palette.accent });
  }

  /** Whether a link may cross the view: by its area, and during a drag of its cards by the box round both. */
  #mayShow(link: Connection, shown: Rect): boolean {
    const { index, dragged } = this.parts;
    const slot = index.links.slotOf(link.id);
    if (slot !== undefined && !dragged.moves(link.from.agentId) && !dragged.moves(link.to.agentId)) return index.links.isIn(slot, shown);
    const from = dragged.boxOf(link.from.agentId, index);
    const to = dragged.boxOf(link.to.agentId, index);
    if (!from || !to) return false;
    const box = {
      left: Math.min(from.left, to.left) - detourMargin,
      top: Math.min(from.top, to.top) - detourMargin,
      right: Math.max(from.right, to.right) + detourMargin,
      bottom: Math.max(from.bottom, to.bottom) + detourMargin,
    };
    return overlaps(box, shown);
  }
}

function isSame(a: SeenFrom, b: SeenFrom): boolean {
  const isSameView =
    a.view.left === b.view.left && a.view.top === b.view.top && a.view.right === b.view.right && a.view.bottom === b.view.bottom;
  return isSameView && a.document === b.document && a.run === b.run;
}
