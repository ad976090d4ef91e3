import type { StepRun } from '../../../contract/executions/execution.ts';
import type { ExecutionEvent } from '../../../contract/executions/execution-event.ts';
import type { Camera, CanvasView } from '../../canvas/canvas-view.ts';
import type { Scene } from '../../canvas/scene/scene.ts';
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

export type DrawnScene = {
  /** Resolves when the first scene is drawn. */
  whenDrawn: Promise<void>;
  /** Returns the current scene. */
  scene: () => Scene | null;
};

/** Creates the adapter that drives a workspace on a local bridge, and shows a first graph. */
export function createBenchAdapter(
  bridge: WorkspaceBridge,
  view: CanvasView,
  { whenDrawn, scene }: DrawnScene,
  first: BenchGraph,
): BenchAdapter {
  const { store } = bridge;
  let ids = first.nodes.map((node) => node.id);
  let groupIds: readonly string[] = [];
  /** Null once shown: otherwise the benchmark would count it as the product's memory. */
  let waiting: BenchGraph | null = first;

  const show = async (graph: BenchGraph) => {
    await whenDrawn;
    ids = graph.nodes.map((node) => node.id);
    const { document: before } = store.getState();
    const arrived = when(store, (state) => state.document !== before);
    await bridge.loadDocument(benchDocument(graph), benchRun(graph));
    await arrived;
    await drawn();
  };
  const open = async () => {
    await whenDrawn;
    await when(store, (state) => state.status === 'ready');
    if (waiting) await show(waiting);
    waiting = null;
    fitAll(view, store.getState().document);
    await drawn();
  };

  return {
    name: 'artel',
    ready: open(),
    async setGraph(graph) {
      view.update({ camera: start, selectedNodes: new Set(), selectedLinks: new Set(), hover: null, folded: new Set() });
      await show(graph);
    },
    camera: () => ({ ...view.ephemeral.camera }),
    setCamera: ({ x, y, zoom }) => view.update({ camera: { x, y, zoom } }),
    nodePos(place) {
      const node = store.getState().document.nodes[ids[place] ?? ''];
      if (!node) throw new Error(`No node ${place}`);
      return { x: node.x, y: node.y };
    },
    async move(place, { x, y }) {
      const id = ids[place] ?? '';
      const from = performance.now();
      await bridge.dispatch({ type: 'node.move', moves: [{ id, x, y }] });
      const took = performance.now() - from;
      const moved = store.getState().document.nodes[id];
      if (moved?.x !== x || moved.y !== y) throw new Error(`Node ${place} was not moved`);
      return took;
    },
    document: () => store.getState().document,
    selected: () => [...view.ephemeral.selectedNodes],
    select: (places) => view.update({ selectedNodes: new Set(places.flatMap((place) => ids[place] ?? [])), selectedLinks: new Set() }),
    async work(place) {
      const { document } = store.getState();
      view.isStatic = false;
      await bridge.loadDocument(document, runOfOne(ids[place] ?? '', new Date().toISOString()));
      await when(store, (state) => state.run.phase === 'running');
      await drawn();
    },
    async workMany(places) {
      view.isStatic = false;
      const { document } = store.getState();
      const working = places.flatMap((place) => ids[place] ?? []);
      const { run, pipeline } = runOfMany(benchGraphOf(document), new Set(working), new Date().toISOString());
      await bridge.loadDocument(document, run, pipeline);
      await when(store, (state) => state.run.graph !== null);
      let ended = 0;
      // The change itself is not measured: it does not look through all steps.
      const placeOf = new Map(store.getState().run.steps.map(({ stepId }, at) => [stepId, at]));
      setInterval(() => {
        const { steps } = store.getState().run;
        const ending = steps[placeOf.get(working[ended] ?? '') ?? -1];
        const beginning = steps.findLast(({ status }) => status === 'pending');
        if (!ending || !beginning) return;
        void bridge.applyEvents(changeOf(ending, beginning, 2 * ended, new Date().toISOString()));
        ended += 1;
      }, changeMs);
      return () => ended;
    },
    async group(groups) {
      const { document, run } = store.getState();
      const grouped = inGroups(document, groups);
      groupIds = grouped.groupIds;
      await bridge.loadDocument(grouped.document, run);
      await when(store, (state) => state.document.nodes[groupIds[0] ?? ''] !== undefined);
      const all = Object.keys(grouped.document.nodes).length;
      // The first fold loads the script for it.
      view.update({ folded: new Set(groupIds.slice(0, 1)) });
      while ((scene()?.stats().nodesTotal ?? 0) >= all) await drawn();
      view.update({ folded: new Set() });
      await drawn();
    },
    async fold(isFolded) {
      view.update({ folded: new Set(isFolded ? groupIds : []) });
      await drawn();
      return scene()?.stats().nodesTotal ?? 0;
    },
    stats: () => scene()?.stats() ?? { nodesDrawn: 0, nodesTotal: 0, drawCalls: 0, frames: 0, isAtRest: false },
    panButton: 'left',
    wheelDelta: 100,
    grab: null,
  };
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
