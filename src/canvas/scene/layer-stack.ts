import type { Frame, SceneLayer } from './layers/scene-layer.ts';

type MountedLayer = Pick<SceneLayer, 'draw' | 'meshes' | 'cards' | 'isMoving'>;
type Entry = { layer: MountedLayer; onError: (error: unknown) => void };

/** The layers that React has mounted. An error while a layer is drawn removes only that layer. */
export class LayerStack {
  #entries: readonly Entry[] = [];
  #visits = 0;
  readonly #onChange: () => void;

  /** `onChange` is called after a layer was added or removed. */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Adds a layer. `onError` receives the error of a failed `draw`, once. Returns the function that removes the layer. */
  mount(layer: MountedLayer, onError: (error: unknown) => void): () => void {
    const entry = { layer, onError };
    this.#entries = [...this.#entries, entry];
    this.#onChange();
    return () => this.#remove(entry);
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** How often a layer was asked to draw. */
  get visits(): number {
    return this.#visits;
  }

  draw(frame: Frame): void {
    for (const entry of this.#entries) {
      this.#visits += 1;
      try {
        entry.layer.draw(frame);
      } catch (error) {
        this.#remove(entry);
        entry.onError(error);
      }
    }
  }

  get isMoving(): boolean {
    return this.#entries.some(({ layer }) => layer.isMoving);
  }

  get meshes(): number {
    return this.#entries.reduce((meshes, { layer }) => meshes + layer.meshes, 0);
  }

  get cards(): number {
    return this.#entries.reduce((cards, { layer }) => cards + layer.cards, 0);
  }

  #remove(entry: Entry): void {
    if (!this.#entries.includes(entry)) return;
    this.#entries = this.#entries.filter((other) => other !== entry);
    this.#onChange();
  }
}
