import type { EphemeralState } from '../../canvas-view.ts';
import { isFolded } from '../../folding/folded-records.ts';
import { boxBetween } from '../../geometry/camera.ts';
import { linkEnd, looseEnd } from '../../geometry/link-end.ts';
import { linkPath } from '../../geometry/link-path.ts';
import { groupRadius } from '../cards/annotation-layout.ts';
import { QuadMesh } from '../gpu/quad-mesh.ts';
import { linkPicked } from '../links/link-look.ts';
import { type Frame, type LayerOptions, SceneLayer } from './scene-layer.ts';

/** Draws the current gesture above everything: the new link, the marquee, the guides. */
export class GestureLayer extends SceneLayer {
  readonly #draft: QuadMesh;
  readonly #lines: QuadMesh;
  #drawnSelection = 0;

  constructor(options: LayerOptions) {
    super(options);
    this.#draft = new QuadMesh(this.parts.kinds.links);
    this.#lines = new QuadMesh(this.parts.kinds.cards);
    this.addChild(this.#draft.mesh, this.#lines.mesh);
  }

  get meshes(): number {
    return Number(this.#draft.quads > 0) + Number(this.#lines.quads > 0);
  }

  draw({ ephemeral, versions: { selection } }: Frame): void {
    const showsFrames = ephemeral.drag !== null && ephemeral.folded.size > 0;
    if (ephemeral.marquee || ephemeral.guides.length > 0 || showsFrames || this.#lines.quads > 0) this.#drawLines(ephemeral);
    if (this.#drawnSelection !== selection) this.#drawDraft(ephemeral);
    this.#drawnSelection = selection;
  }

  protected free(): void {
    this.#draft.destroy();
    this.#lines.destroy();
  }

  /** The marquee, the guides and the frames of folded groups, one CSS px wide at any zoom. */
  #drawLines({ marquee, guides, camera, drag, folded }: EphemeralState): void {
    const { writer, palette } = this.parts.pen;
    const line = 1 / camera.zoom;
    writer.begin();
    if (marquee) {
      const { left, top, right, bottom } = boxBetween(marquee.from, marquee.to);
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
    if (drag) for (const id of folded) this.#frame(id, line);
    this.#lines.set(writer.written());
  }

  /** Where a dragged card would go into a folded group. */
  #frame(groupId: string, border: number): void {
    const { index, dragged, pen } = this.parts;
    const group = index.nodes.get(groupId);
    if (!group || !isFolded(group) || dragged.isDragged(groupId)) return;
    pen.writer.anchor(group.x, group.y);
    pen.writer.shape({
      x: 0,
      y: 0,
      ...group.folded.frame,
      kind: 'dashed',
      radius: groupRadius,
      border,
      stroke: pen.palette.accent,
      strokeAlpha: 0.6,
    });
  }

  #drawDraft({ linkDraft }: EphemeralState): void {
    const { index, pen, linkWriter } = this.parts;
    linkWriter.begin();
    const from = linkDraft && index.nodes.get(linkDraft.from);
    if (linkDraft && from) {
      const [fixed, loose] = linkDraft.isBackwards ? (['in', 'out'] as const) : (['out', 'in'] as const);
      const over = linkDraft.over === null ? null : index.nodes.get(linkDraft.over);
      const end = over ? linkEnd(over, loose) : looseEnd(linkDraft.x, linkDraft.y);
      const start = linkEnd(from, fixed);
      const path = linkDraft.isBackwards ? linkPath(end, start) : linkPath(start, end);
      linkWriter.link(path, { ...linkPicked(pen.palette, false), alpha: over ? 1 : 0.7 });
    }
    this.#draft.set(linkWriter.written());
  }
}
