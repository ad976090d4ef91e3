import type { CanvasDocument } from '../../../contract/canvas.ts';
import type { StepRun } from '../../../contract/executions/execution.ts';
import type { ExecutionEvent } from '../../../contract/executions/execution-event.ts';
import type { CanvasView } from '../../canvas/canvas-view.ts';
import type { Camera } from '../../canvas/geometry/camera.ts';
import type { Scene, SceneStats } from '../../canvas/scene/scene.ts';
import type { WorkspaceState } from '../../model/workspace-state.ts';
import type { WorkspaceStore } from '../../model/workspace-store.ts';
import type { WorkspaceBridge } from '../../workers/bridge/workspace-bridge.ts';
import { fitAll } from '../workspace/camera/move-camera.ts';
import { atWork, benchDocument, benchGraphOf, benchRun, inGroups, runOfMany, runOfOne } from './bench-document.ts';
import type { BenchGraph } from './bench-graph.ts';
import type { BenchAdapter } from './window-bench.ts';

/** The camera at which a new graph is first shown. */
const start: Camera = { x: 40, y: 40, zoom: 1 };

/** The time between two changes of a run with many cards at work (ms). */
const changeMs = 100;

const noStats: SceneStats = { nodesDrawn: 0, nodesTotal: 0, drawCalls: 0, frames: 0, visits: 0, uploads: 0, isAtRest: false };

export type DrawnScene = {
  /** Resolves when the first scene is drawn. */
  whenDrawn: Promise<void>;
  /** Returns the current scene. */
  scene: () => Scene | null;
};

/** The adapter that drives a workspace on a local bridge. It shows a first graph. */
export class WorkspaceBenchAdapter implements BenchAdapter {
  readonly name = 'artel';
  readonly panButton = 'left';
  readonly wheelDelta = 100;
  readonly grab = null;
  readonly ready: Promise<void>;
  readonly #bridge: WorkspaceBridge;
  readonly #view: CanvasView;
  readonly #drawnScene: DrawnScene;
  #ids: string[] = [];
  #groupIds: readonly string[] = [];
  readonly #notified = { view: 0, store: 0 };

  constructor(bridge: WorkspaceBridge, view: CanvasView, drawnScene: DrawnScene, first: BenchGraph) {
    this.#bridge = bridge;
    this.#view = view;
    this.#drawnScene = drawnScene;
    view.subscribe(() => {
      this.#notified.view += 1;
    });
    bridge.store.subscribe(() => {
      this.#notified.store += 1;
    });
    this.ready = this.#open(first);
  }

  async setGraph(graph: BenchGraph): Promise<void> {
    this.#view.update({ camera: start, selectedNodes: new Set(), selectedLinks: new Set(), hover: null, folded: new Set() });
    await this.#show(graph);
  }

  camera(): Camera {
    return { ...this.#view.ephemeral.camera };
  }

  setCamera({ x, y, zoom }: Camera): void {
    this.#view.update({ camera: { x, y, zoom } });
  }

  nodePos(place: number): { x: number; y: number } {
    const node = this.document().nodes[this.#ids[place] ?? ''];
    if (!node) throw new Error(`No node ${place}`);
    return { x: node.x, y: node.y };
  }

  async move(place: number, { x, y }: { x: number; y: number }): Promise<number> {
    const id = this.#ids[place] ?? '';
    const from = performance.now();
    await this.#bridge.dispatch({ type: 'node.move', moves: [{ id, x, y }] });
    const took = performance.now() - from;
    const moved = this.document().nodes[id];
    if (moved?.x !== x || moved.y !== y) throw new Error(`Node ${place} was not moved`);
    return took;
  }

  document(): CanvasDocument {
    return this.#bridge.store.getState().document;
  }

  selected(): string[] {
    return [...this.#view.ephemeral.selectedNodes];
  }

  select(places: readonly number[]): void {
    this.#view.update({ selectedNodes: new Set(this.#idsAt(places)), selectedLinks: new Set() });
  }

  async work(place: number): Promise<void> {
    this.#view.isStatic = false;
    await this.#bridge.loadDocument(this.document(), runOfOne(this.#ids[place] ?? '', new Date().toISOString()));
    await when(this.#bridge.store, (state) => state.run.phase === 'running');
    await drawn();
  }

  async workMany(places: readonly number[]): Promise<() => number> {
    const { store } = this.#bridge;
    this.#view.isStatic = false;
    const working = this.#idsAt(places);
    const { run, pipeline } = runOfMany(benchGraphOf(this.document()), new Set(working), new Date().toISOString());
    await this.#bridge.loadDocument(this.document(), run, pipeline);
    await when(store, (state) => state.run.graph !== null);
    let ended = 0;
    // The change itself is not measured: it does not look through all steps.
    const placeOf = new Map(store.getState().run.steps.map(({ stepId }, at) => [stepId, at]));
    setInterval(() => {
      const { steps } = store.getState().run;
      const ending = steps[placeOf.get(working[ended] ?? '') ?? -1];
      const beginning = steps.findLast(({ status }) => status === 'pending');
      if (!ending || !beginning) return;
      void this.#bridge.applyEvents(changeOf(ending, beginning, 2 * ended, new Date().toISOString()));
      ended += 1;
    }, changeMs);
    return () => ended;
  }

  async group(groups: number): Promise<void> {
    const { store } = this.#bridge;
    const { document, run } = store.getState();
    const grouped = inGroups(document, groups);
    this.#groupIds = grouped.groupIds;
    await this.#bridge.loadDocument(grouped.document, run);
    await when(store, (state) => state.document.nodes[this.#groupIds[0] ?? ''] !== undefined);
    const all = Object.keys(grouped.document.nodes).length;
    // The first fold loads the script for it.
    this.#view.update({ folded: new Set(this.#groupIds.slice(0, 1)) });
    while (this.stats().nodesTotal >= all) await drawn();
    this.#view.update({ folded: new Set() });
    await drawn();
  }

  async fold(isFolded: boolean): Promise<number> {
    this.#view.update({ folded: new Set(isFolded ? this.#groupIds : []) });
    await drawn();
    return this.stats().nodesTotal;
  }

  stats(): SceneStats {
    return this.#drawnScene.scene()?.stats() ?? noStats;
  }

  notified(): { view: number; store: number } {
    return { ...this.#notified };
  }

  async #open(first: BenchGraph): Promise<void> {
    await this.#drawnScene.whenDrawn;
    await when(this.#bridge.store, (state) => state.status === 'ready');
    await this.#show(first);
    fitAll(this.#view, this.document());
    await drawn();
  }

  async #show(graph: BenchGraph): Promise<void> {
    await this.#drawnScene.whenDrawn;
    this.#ids = graph.nodes.map((node) => node.id);
    const before = this.document();
    const arrived = when(this.#bridge.store, (state) => state.document !== before);
    await this.#bridge.loadDocument(benchDocument(graph), benchRun(graph));
    await arrived;
    await drawn();
  }

  #idsAt(places: readonly number[]): string[] {
    return places.flatMap((place) => this.#ids[place] ?? []);
  }
}

/** The events of a step that ends and of another that begins. */
function changeOf(ending: StepRun, beginning: StepRun, seq: number, at: string): ExecutionEvent[] {
  const event = {
    ...({ executionId: 'bench', at, status: 'running', pauseRequested: false, progress: 0, text: null, error: null } as const),
  };
  return [
    { ...event, seq: seq + 1, type: 'step.completed', step: { ...ending, status: 'completed', completedAt: at, durationMs: 1_000 } },
    { ...event, seq: seq + 2, type: 'step.started', step: { ...beginning, ...atWork(at) } },
  ];
}

function when(store: WorkspaceStore, condition: (state: WorkspaceState) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (!condition(store.getState())) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = store.subscribe(check);
    check();
  });
}

/** Resolves after the scene's next frame: the scene has requested that frame before this function requests its own. */
function drawn(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => resolve()));
}
