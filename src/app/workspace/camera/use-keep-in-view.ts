import { type RefObject, useEffect, useRef } from 'react';
import type { CanvasDocument } from '../../../../contract/canvas.ts';
import { cameraTarget, moveCamera } from '../../../canvas/camera-movement.ts';
import type { Camera, CanvasView, EphemeralState } from '../../../canvas/canvas-view.ts';
import { foldedStore } from '../../../canvas/folding/folded-store.ts';
import { nodeBox } from '../../../canvas/geometry/document-bounds.ts';
import { isRunActive } from '../../../model/workspace-state.ts';
import { readStored, writeStored } from '../../../ui/stored-preference.ts';
import { useStore, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../panels.tsx';
import { useWindowSize } from '../use-window-size.ts';
import { useWorkspaceContext } from '../workspace-context.ts';
import { cameraForInsets } from './camera-for-insets.ts';
import { isInView, showsAnyCard } from './free-view.ts';
import { legibleCamera, openingCamera, revealingCamera, revealNode } from './move-camera.ts';
import { panelInsets } from './panel-insets.ts';

/** The camera and insets before panels opened, and the camera that was set for them. */
type Base = { camera: Camera; insets: EphemeralState['insets']; moved: Camera };

/**
 * Keeps the visible part of the canvas clear of panels that open, and restores the camera when they close, unless a person has moved it
 * since. Also keeps the card of the running step in view. Returns what is restored.
 */
export function useKeepInView(): RefObject<Base | null> {
  const store = useStore();
  const { view, mobile, readOnly, demo } = useWorkspaceContext();
  const { panels } = usePanels();
  const { width, height } = useWindowSize();
  const demoEnded = useWorkspace((state) => demo && state.run.outcome === 'completed');
  // On a phone the closing message of the demonstration would cover the card of the last step.
  const workingId = useWorkspace(({ run }) => {
    if (demoEnded && mobile) return run.steps.at(-1)?.nodeId;
    return isRunActive(run) ? run.steps.find((step) => step.status === 'running')?.nodeId : undefined;
  });
  const { sidebar, versions, console, consoleHeight, minimap } = panels;
  const history = panels.history || versions;
  const comparesRuns = panels.compare?.kind === 'runs';
  const rerun = panels.rerun !== null;
  const base = useRef<Base | null>(null);
  const nearId = useRef(workingId);
  const laidOutForPhone = useRef(mobile);
  useEffect(() => {
    nearId.current = workingId;
  }, [workingId]);

  useEffect(() => {
    const before = view.ephemeral.insets;
    const insets = panelInsets(
      { sidebar, history, versions, comparesRuns, rerun, console, consoleHeight, minimap },
      { mobile, readOnly, demo, demoEnded, windowWidth: width, windowHeight: height },
    );
    view.update({ insets });
    const hasOtherLayout = laidOutForPhone.current !== mobile;
    // The panels already have the layout of the new window, and the canvas still has the size of the old one.
    if (hasOtherLayout || !hasWindowSize(view)) {
      laidOutForPhone.current = mobile;
      base.current = null;
      return;
    }
    if (view.isStatic || mobile || console === 'full' || view.ephemeral.size.width === 0 || isSame(before, insets)) return;
    const now = cameraTarget(view);
    if (base.current?.moved !== now) base.current = { camera: now, insets: before, moved: now };
    const { camera, insets: from } = base.current;
    const { size, selectedNodes } = view.ephemeral;
    const { document } = foldedStore(store, view).getState();
    const place = { camera, size, insets: from };
    const [selectedId = ''] = selectedNodes.size === 1 ? selectedNodes : [];
    const selected = document.nodes[selectedId];
    const room = cameraForInsets(place, insets, document, document.nodes[nearId.current ?? ''] ?? selected) ?? camera;
    const follows = selected && isInView(place, nodeBox(selected));
    const moved = follows ? revealingCamera({ camera: room, size, insets }, nodeBox(selected)) : room;
    base.current.moved = moved;
    if (moved !== now) moveCamera(view, moved);
  }, [
    view,
    store,
    sidebar,
    history,
    versions,
    comparesRuns,
    rerun,
    console,
    consoleHeight,
    minimap,
    mobile,
    readOnly,
    demo,
    demoEnded,
    width,
    height,
  ]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the closing message of the demonstration changes the insets
  useEffect(() => {
    const shown = foldedStore(store, view);
    const node = workingId ? shown.getState().document.nodes[shown.folding?.shownAs(workingId) ?? workingId] : undefined;
    if (!node || view.isStatic) return;
    // Without a panel that has opened there is nothing to go back to: the next one begins at the camera of now.
    const isOfPanels = base.current?.moved === cameraTarget(view) && !isSame(base.current.insets, view.ephemeral.insets);
    revealNode(view, node);
    // No person has moved the camera: it still goes back when the panels close.
    if (isOfPanels && base.current) base.current.moved = cameraTarget(view);
  }, [view, store, workingId, demoEnded]);
  return base;
}

/** A browser's zoom makes sizes that are no whole pixels (CSS px). */
const maxRounding = 2;

/** Returns whether the canvas has the size of the window. In a window that has just changed it still has the old one, and a camera for it is wrong. */
function hasWindowSize(view: CanvasView): boolean {
  return Math.abs(view.ephemeral.size.width - document.documentElement.clientWidth) <= maxRounding;
}

/** The time without a camera change before the camera is stored (ms). */
const storeAfterMs = 400;

/**
 * Opens a project at its stored camera if that shows any card, else at the whole document. Stores the camera after each change: of open
 * panels, the one that is restored when they close. If a window resize moves all cards out of view, the camera is reset.
 */
export function useCameraMemory(base: RefObject<Base | null>): void {
  const { view, demo } = useWorkspaceContext();
  const store = useStore();
  const projectId = useWorkspace((state) => (state.status === 'ready' ? (state.project?.id ?? null) : null));
  useEffect(() => {
    if (projectId === null || view.isStatic) return;
    const nearId = () => store.getState().run.steps.find(({ status }) => status === 'running')?.nodeId ?? '';
    const first = (document: CanvasDocument) =>
      demo ? legibleCamera(view.ephemeral, document) : openingCamera(view, document, document.nodes[nearId()]);
    const open = () => {
      if (!hasWindowSize(view)) return false;
      const { document } = foldedStore(store, view).getState();
      // The demonstration starts from its beginning at each visit, at its first cards.
      const stored = demo ? null : readCamera(projectId);
      const finds = stored && showsAnyCard({ ...view.ephemeral, camera: stored }, document.nodes);
      const camera = finds ? stored : first(document);
      if (camera) view.update({ camera });
      return true;
    };
    let opened = open();
    let resting: ReturnType<typeof setTimeout> | undefined;
    const keep = () => {
      const { camera } = view.ephemeral;
      if (!demo) writeCamera(projectId, base.current?.moved === camera ? base.current.camera : camera);
    };
    let lastSize = view.ephemeral.size;
    const stop = view.subscribe((ephemeral, changed) => {
      if (!opened) {
        opened = changed.has('size') && open();
        lastSize = ephemeral.size;
        return;
      }
      if (changed.has('size')) {
        const { document } = foldedStore(store, view).getState();
        const lost = showsAnyCard({ ...ephemeral, size: lastSize }, document.nodes) && !showsAnyCard(ephemeral, document.nodes);
        lastSize = ephemeral.size;
        const camera = lost ? first(document) : null;
        if (camera) view.update({ camera });
      }
      if (!changed.has('camera')) return;
      clearTimeout(resting);
      resting = setTimeout(keep, storeAfterMs);
    });
    addEventListener('pagehide', keep);
    return () => {
      stop();
      clearTimeout(resting);
      removeEventListener('pagehide', keep);
    };
  }, [view, store, base, demo, projectId]);
}

function isSame(a: EphemeralState['insets'], b: EphemeralState['insets']): boolean {
  const sameEdges = a.top === b.top && a.right === b.right && a.bottom === b.bottom && a.left === b.left;
  return sameEdges && a.corner?.width === b.corner?.width && a.corner?.height === b.corner?.height;
}

/** The zooms that are read from the storage. */
const storedZooms = { min: 0.001, max: 10 } as const;

const cameraKey = (projectId: string) => `camera:${projectId}`;

/** Reads a project's last camera from this browser's storage; null when there is none or it cannot be parsed. */
function readCamera(projectId: string): Camera | null {
  try {
    const { x, y, zoom } = JSON.parse(readStored(cameraKey(projectId)) ?? '{}');
    const isCamera = [x, y, zoom].every(Number.isFinite) && zoom >= storedZooms.min && zoom <= storedZooms.max;
    return isCamera ? { x, y, zoom } : null;
  } catch {
    return null;
  }
}

function writeCamera(projectId: string, { x, y, zoom }: Camera): void {
  writeStored(cameraKey(projectId), JSON.stringify({ x: Math.round(x), y: Math.round(y), zoom }));
}
