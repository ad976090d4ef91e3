import { type RefObject, useEffect, useRef } from 'react';
import { cameraTarget, moveCamera } from '../../../canvas/camera-movement.ts';
import type { CanvasView, EphemeralState } from '../../../canvas/canvas-view.ts';
import { asFitted, fittedTo } from '../../../canvas/fitted-cameras.ts';
import { foldedStore } from '../../../canvas/folding/folded-store.ts';
import type { Camera } from '../../../canvas/geometry/camera.ts';
import { nodeBox } from '../../../canvas/geometry/document-bounds.ts';
import { isRunActive } from '../../../model/workspace-state.ts';
import type { WorkspaceStore } from '../../../model/workspace-store.ts';
import { readStored, writeStored } from '../../../ui/stored-preference.ts';
import { useStore, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { mobileQuery } from '../frame/mobile-query.ts';
import { usePanels } from '../frame/panels.tsx';
import { useWindowSize } from '../frame/use-window-size.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { cameraForInsets } from './camera-for-insets.ts';
import { cameraForWindow } from './camera-for-window.ts';
import { isInView, showsAnyCard } from './free-view.ts';
import { legibleCamera, openingCamera, revealingCamera, revealNode, wholeCamera } from './move-camera.ts';
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
  const searches = panels.window?.kind === 'palette' && panels.window.scope === 'nodes';
  const base = useRef<Base | null>(null);
  const nearId = useRef(workingId);
  const laidOutFor = useRef({ width, height });
  useEffect(() => {
    nearId.current = workingId;
  }, [workingId]);

  useEffect(() => {
    const before = view.ephemeral.insets;
    const insets = panelInsets(
      { sidebar, history, versions, comparesRuns, rerun, searches, console, consoleHeight, minimap },
      { mobile, readOnly, demo, demoEnded, windowWidth: width, windowHeight: height },
    );
    view.update({ insets });
    // Of another window `useWindowCamera` moves the camera.
    if (laidOutFor.current.width !== width || laidOutFor.current.height !== height || !hasWindowSize(view)) {
      laidOutFor.current = { width, height };
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
    const fitting = fittedTo(camera);
    base.current.moved = fitting ? asFitted(moved, fitting) : moved;
    if (moved !== now) moveCamera(view, moved);
  }, [
    view,
    store,
    sidebar,
    history,
    versions,
    comparesRuns,
    rerun,
    searches,
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

/**
 * Whether a keyboard on the screen has taken the lower part of the window, which some browsers do while a text is typed. A camera that followed would
 * make the form too small that is typed in.
 */
function isUnderKeyboard({ ephemeral: { size } }: CanvasView, before: Pick<EphemeralState, 'size'> | null): boolean {
  if (!before || before.size.width !== size.width || size.height >= before.size.height) return false;
  const typedIn = document.activeElement;
  return matchMedia(mobileQuery).matches && (typedIn instanceof HTMLTextAreaElement || typedIn instanceof HTMLInputElement);
}

/** The time without a camera change before the camera is stored (ms). */
const storeAfterMs = 400;

/** The camera of a project that is opened. The demonstration shows its first cards. */
function firstCamera(view: CanvasView, store: WorkspaceStore, demo: boolean): Camera | null {
  const { document } = foldedStore(store, view).getState();
  const nearId = store.getState().run.steps.find(({ status }) => status === 'running')?.nodeId ?? '';
  return demo ? legibleCamera(view.ephemeral, document) : openingCamera(view, document, document.nodes[nearId]);
}

/** Moves the camera when the window gets another size, once the canvas and the panels have it. */
export function useWindowCamera(): void {
  const { view, demo } = useWorkspaceContext();
  const store = useStore();
  const isReady = useWorkspace((state) => state.status === 'ready');
  const { width, height } = useWindowSize();
  const laidOut = useRef<(Pick<EphemeralState, 'size' | 'insets'> & { width: number; height: number }) | null>(null);
  useEffect(() => {
    if (!isReady || view.isStatic) return;
    const follow = () => {
      // The panels have not yet been laid out for the window.
      if (width !== innerWidth || height !== innerHeight || !hasWindowSize(view) || isUnderKeyboard(view, laidOut.current)) return;
      const { size, insets } = view.ephemeral;
      const before = laidOut.current;
      // The panels are laid out for the window before the canvas has its size: the camera moves by both at once.
      if (before?.size === size && (before.width !== width || before.height !== height)) return;
      laidOut.current = { size, insets, width, height };
      if (!before || before.size === size) return;
      const camera = cameraTarget(view);
      const { document } = foldedStore(store, view).getState();
      const fits = { nodes: document.nodes, opening: firstCamera(view, store, demo), whole: wholeCamera(view, document) };
      view.update({ camera: cameraForWindow({ ...before, camera }, { size, insets }, fits) });
    };
    follow();
    return view.subscribe((_ephemeral, changed) => (changed.has('size') || changed.has('insets')) && follow());
  }, [view, store, demo, isReady, width, height]);
}

/**
 * Opens a project at its stored camera if that shows any card, else at the whole document. Stores the camera after each change: of open
 * panels, the one that is restored when they close.
 */
export function useCameraMemory(base: RefObject<Base | null>): void {
  const { view, demo } = useWorkspaceContext();
  const store = useStore();
  const projectId = useWorkspace((state) => (state.status === 'ready' ? (state.project?.id ?? null) : null));
  useEffect(() => {
    if (projectId === null || view.isStatic) return;
    const open = () => {
      if (!hasWindowSize(view)) return false;
      const { nodes } = foldedStore(store, view).getState().document;
      // The demonstration starts from its beginning at each visit.
      const stored = demo ? null : readCamera(projectId);
      const finds = stored && showsAnyCard({ ...view.ephemeral, camera: stored }, nodes);
      const first = firstCamera(view, store, demo);
      // Where it was left as it was fitted, it is so still.
      const camera = finds && !(first && isAsStored(first, stored)) ? stored : first && asFitted(first);
      if (camera) view.update({ camera });
      return true;
    };
    let opened = open();
    let resting: ReturnType<typeof setTimeout> | undefined;
    const keep = () => {
      const { camera } = view.ephemeral;
      if (!demo) writeCamera(projectId, base.current?.moved === camera ? base.current.camera : camera);
    };
    const stop = view.subscribe((_ephemeral, changed) => {
      if (!opened) {
        opened = changed.has('size') && open();
        return;
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

/** Whether a camera is stored as another one that was read. */
function isAsStored(camera: Camera, stored: Camera): boolean {
  return Math.round(camera.x) === stored.x && Math.round(camera.y) === stored.y && camera.zoom === stored.zoom;
}

function writeCamera(projectId: string, { x, y, zoom }: Camera): void {
  writeStored(cameraKey(projectId), JSON.stringify({ x: Math.round(x), y: Math.round(y), zoom }));
}
