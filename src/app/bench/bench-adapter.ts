import type { CanvasView } from '../../canvas/canvas-view.ts';
import type { WorkspaceBridge } from '../../workers/bridge/workspace-bridge.ts';
import { fitAll } from '../workspace/move-camera.ts';
import { benchDocument, benchRun } from './bench-document.ts';
import type { BenchGraph } from './bench-graph.ts';
import type { BenchAdapter } from './window-bench.ts';

export function createBenchAdapter(bridge: WorkspaceBridge, view: CanvasView, first: BenchGraph): BenchAdapter {
  const { store } = bridge;
  let ids = first.nodes.map((node) => node.id);

  const isReady = () => store.getState().status === 'ready' && view.moment.size.width > 0;
  const opened = async () => {
    await new Promise<void>((resolve) => {
      const check = () => {
        if (!isReady()) return;
        stopStore();
        stopView();
        resolve();
      };
      const stopStore = store.subscribe(check);
      const stopView = view.subscribe(check);
      check();
    });
    await bridge.loadDocument(benchDocument(first), benchRun(first));
    fitAll(view, store.getState().document.nodes);
    await drawn();
  };

  return {
    name: 'artel',
    ready: opened(),
    async setGraph(graph) {
      ids = graph.nodes.map((node) => node.id);
      view.update({ selectedNodes: new Set(), selectedLinks: new Set(), hover: null });
      await bridge.loadDocument(benchDocument(graph), benchRun(graph));
      await drawn();
    },
    camera: () => ({ ...view.moment.camera }),
    setCamera: ({ x, y, zoom }) => view.update({ camera: { x, y, zoom } }),
    nodePos(place) {
      const node = store.getState().document.nodes[ids[place] ?? ''];
      if (!node) throw new Error(`No node ${place}`);
      return { x: node.x, y: node.y };
    },
    select: (places) => view.update({ selectedNodes: new Set(places.flatMap((place) => ids[place] ?? [])), selectedLinks: new Set() }),
    panButton: 'left',
    wheelDelta: 100,
    grab: null,
  };
}

/** The scene draws in the browser's next frame; after the one that follows, it has. */
function drawn(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
}
