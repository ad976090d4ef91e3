import { Container } from 'pixi.js';
import type { EphemeralState } from '../../canvas-view.ts';
import type { Rect } from '../../geometry/camera.ts';
import type { DetailLevel } from '../../geometry/level-of-detail.ts';
import type { SceneParts } from '../scene-parts.ts';
import type { SceneVersions } from '../scene-versions.ts';

/** The state that a frame is drawn from. */
export type Frame = {
  ephemeral: EphemeralState;
  /** The visible area, world px. */
  view: Rect;
  level: DetailLevel;
  /** The zoom that text is set for, and which setting of the level this is. */
  text: { zoom: number; version: number };
  versions: Readonly<SceneVersions>;
  pixelRatio: number;
  /** Seconds of a steady clock. */
  seconds: number;
  /** Whether animations are off. */
  still: boolean;
};

export type LayerOptions = { parts: SceneParts };

/**
 * One layer of the scene. React creates it and puts it into the tree; the scene calls `draw` once a frame. A layer keeps the versions that it
 * was drawn from, and draws again only what has another version.
 */
export abstract class SceneLayer extends Container {
  readonly parts: SceneParts;

  constructor({ parts }: LayerOptions) {
    super();
    this.parts = parts;
  }

  /** The number of meshes that have something to draw. */
  abstract get meshes(): number;

  /** How many cards the layer draws. */
  get cards(): number {
    return 0;
  }

  /** Whether something in view is animated, so that another frame is needed. */
  get isMoving(): boolean {
    return false;
  }

  abstract draw(frame: Frame): void;

  /** Frees the layer's GPU resources. */
  protected abstract free(): void;

  override destroy(): void {
    if (this.destroyed) return;
    this.free();
    super.destroy();
  }
}
