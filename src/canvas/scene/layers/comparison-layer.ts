import { importPart } from '../../../ui/loading/import-part.ts';
import type { ComparisonOnCanvas } from '../../comparison-on-canvas.ts';
import { containsBox, expandBox, type Rect } from '../../geometry/camera.ts';
import type { DetailLevel } from '../../geometry/level-of-detail.ts';
import type { ComparisonPainter } from '../cards/comparison-painter.ts';
import { QuadMesh } from '../gpu/quad-mesh.ts';
import { type Frame, SceneLayer } from './scene-layer.ts';

type Built = { area: Rect; level: DetailLevel; textVersion: number; version: number; comparison: ComparisonOnCanvas };
type Meshes = { links: QuadMesh; cards: QuadMesh };

/** How much farther than the view the meshes reach, as a share of the view. */
const reserve = 0.5;

/** The colours of a comparison with an earlier version: marks on what differs, and removed cards and links as ghosts. Costs nothing without one. */
export class ComparisonLayer extends SceneLayer {
  #meshes: Meshes | null = null;
  #built: Built | null = null;
  #painter: ComparisonPainter | null = null;
  #isLoading = false;
  #failure: { error: unknown } | null = null;

  get meshes(): number {
    if (!this.visible || !this.#meshes) return 0;
    return Object.values(this.#meshes).filter(({ quads }) => quads > 0).length;
  }

  /** While its painter is loaded, the next frame asks for it again. */
  override get isMoving(): boolean {
    return this.visible && this.#isLoading;
  }

  draw({ view, level, text, versions, ephemeral: { comparison } }: Frame): void {
    this.visible = comparison !== null;
    if (!comparison) return;
    const painter = this.#painter ?? this.#loadPainter();
    if (!painter) return;
    const built = this.#built;
    // The first is raised by changed records, the second when a drag begins or ends: marks do not follow a drag.
    const version = versions.search + versions.annotations;
    const isCurrent = built?.version === version && built.level === level && built.textVersion === text.version;
    if (built && isCurrent && built.comparison === comparison && containsBox(built.area, view)) return;
    const area = expandBox(view, reserve);
    this.#meshes ??= this.#createMeshes();
    this.#meshes.links.set(painter.links(comparison, area, level));
    this.#meshes.cards.set(painter.cards(comparison, area, level, text.zoom));
    this.#built = { area, level, textVersion: text.version, version, comparison };
  }

  protected free(): void {
    for (const mesh of Object.values(this.#meshes ?? {})) mesh.destroy();
  }

  /** Starts loading the painter. Throws what has made it fail, so that the layer is shown as broken. */
  #loadPainter(): null {
    if (this.#failure) throw this.#failure.error;
    if (this.#isLoading) return null;
    this.#isLoading = true;
    importPart(() => import('../cards/comparison-painter.ts'))
      .then(
        ({ ComparisonPainter }) => {
          this.#painter = new ComparisonPainter(this.parts);
        },
        (error: unknown) => {
          this.#failure = { error };
        },
      )
      .finally(() => {
        this.#isLoading = false;
      });
    return null;
  }

  #createMeshes(): Meshes {
    const { kinds } = this.parts;
    const meshes = { links: new QuadMesh(kinds.links), cards: new QuadMesh(kinds.cards) };
    this.addChild(meshes.links.mesh, meshes.cards.mesh);
    return meshes;
  }
}
