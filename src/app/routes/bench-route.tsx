import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { CanvasView } from '../../canvas/canvas-view.ts';
import type { Scene } from '../../canvas/scene/scene.ts';
import { startEngineWorker } from '../../workers/bridge/start-engine-worker.ts';
import { createWorkspaceBridge, type WorkspaceBridge } from '../../workers/bridge/workspace-bridge.ts';
import { type DrawnScene, WorkspaceBenchAdapter } from '../bench/bench-adapter.ts';
import { benchDocument } from '../bench/bench-document.ts';
import { benchGraph } from '../bench/bench-graph.ts';
import { Workspace } from '../workspace/workspace.tsx';
import { PageLoading } from './page-loading.tsx';

const defaultCards = 50;
const maxCards = 50_000;

/** The whole workspace on a graph of `?n=` cards for the canvas benchmark, without login and server. `?readonly` shows it read-only. */
export function BenchRoute() {
  const [search] = useSearchParams();
  const cards = cardCount(search.get('n'));
  const [view] = useState(() => new CanvasView({ still: true }));
  const [{ drawn, onScene }] = useState(createDrawnScene);
  const [bridge, setBridge] = useState<WorkspaceBridge | null>(null);

  useEffect(() => {
    const graph = benchGraph(cards);
    const started = createWorkspaceBridge({ startWorker: startEngineWorker, source: { kind: 'local', document: benchDocument(graph) } });
    window.__bench = new WorkspaceBenchAdapter(started, view, drawn, graph);
    setBridge(started);
    return () => {
      delete window.__bench;
      setBridge(null);
      void started.close();
    };
  }, [cards, view, drawn]);

  return bridge ? (
    <Workspace bridge={bridge} view={view} account={null} readOnly={search.has('readonly')} onScene={onScene} />
  ) : (
    <PageLoading />
  );
}

function createDrawnScene(): { drawn: DrawnScene; onScene: (scene: Scene) => void } {
  const { promise: whenDrawn, resolve } = Promise.withResolvers<void>();
  let latest: Scene | null = null;
  return {
    drawn: { whenDrawn, scene: () => latest },
    onScene: (scene) => {
      latest = scene;
      resolve();
    },
  };
}

function cardCount(given: string | null): number {
  const number = Number(given ?? defaultCards);
  return Number.isFinite(number) ? Math.min(maxCards, Math.max(0, Math.round(number))) : defaultCards;
}
