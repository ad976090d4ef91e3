import type { Dispatch } from '../model/commands.ts';
import type { Problem } from '../model/problem.ts';
import { isLocked } from '../model/workspace-state.ts';
import type { WorkspaceStore } from '../model/workspace-store.ts';
import { attachClipboard } from './attach-clipboard.ts';
import { attachKeys } from './attach-keys.ts';
import { atRest } from './camera-movement.ts';
import { canvasKinds } from './canvas-kinds.ts';
import type { CanvasView } from './canvas-view.ts';
import { EdgePanning } from './edge-panning.ts';
import { toggleFolds } from './folding/fold-changes.ts';
import { isMerged, linksBehind } from './folding/folded-records.ts';
import { type Point, pan, toWorld } from './geometry/camera.ts';
import type { DocumentIndex } from './geometry/document-index.ts';
import { holdKeys } from './held-keys.ts';
import { hitTest } from './hit-test.ts';
import { LongPress } from './long-press.ts';
import { type MenuRequest, menuAtPoint } from './menu-request.ts';
import { openDialog } from './overlay/dialog/open-dialog.ts';
import { startEditing } from './overlay/start-editing.ts';
import { commitGesture } from './tools/commit-gesture.ts';
import { cursorFor } from './tools/cursor-for.ts';
import { edgePan } from './tools/edge-pan.ts';
import { pruneSelection } from './tools/prune-selection.ts';
import { cancelTool, runTool } from './tools/run-tool.ts';
import { idle, type LinkDrop, type PointerInput, type Step, type Tool } from './tools/tool.ts';
import { wheelCamera } from './tools/wheel-camera.ts';
import { freeMiddle } from './tools/zoom-step.ts';

export type CanvasInputOptions = {
  store: WorkspaceStore;
  view: CanvasView;
  dispatch: Dispatch;
  /** The index that the scene keeps up to date. */
  index: DocumentIndex;
  readOnly: boolean;
  /** The narrow layout: pointers only pan and pinch. W2.07 */
  mobile: boolean;
  /** Called when a card other than a dialog is double-clicked. */
  onOpenNode?: ((nodeId: string) => void) | undefined;
  /** Called when a pasted text holds cards with mistakes; the problem lists them. */
  onRefusedPaste?: ((problem: Problem) => void) | undefined;
  /** Called when the user opens the context menu: by the right button, a key, or a long press. */
  onMenu?: ((request: MenuRequest) => void) | undefined;
};

/** Elements on the canvas that handle their own pointer events: the overlay's controls. */
const ownControls = '[data-canvas-control]';
/** Controls of the hovered thing; it stays hovered while the pointer is on them. */
const hoverKeepers = '[data-canvas-control="hover"]';
const editableElements = 'input, textarea, select, [contenteditable]:not([contenteditable="false"])';
/** Elements that handle keys themselves. A panel that lies beside the canvas leaves the keys with Ctrl to it. */
const foreignKeys = `${editableElements}, ${['dialog', 'alertdialog', 'menu', 'listbox'].map((role) => `[role="${role}"]:not([data-closed], [data-beside-canvas])`)}`;

/** Attaches pointer, wheel and keyboard handlers to the canvas in `element`. Returns the function that removes them. */
export function attachCanvasInput(element: HTMLElement, options: CanvasInputOptions): () => void {
  const { store, view, dispatch, index, readOnly, mobile, onOpenNode, onRefusedPaste, onMenu } = options;
  let tool: Tool = idle;
  let spaceHeld = false;
  /** Returns the pointer's place on the canvas, CSS px. */
  let pointer: Point | null = null;
  let last: PointerInput | null = null;
  let corner: Point = { x: 0, y: 0 };
  const longPress = new LongPress();
  const listeners = new AbortController();
  const { signal } = listeners;

  const hit = (at: Point) => hitTest(index, toWorld(view.ephemeral.camera, at), view.ephemeral.camera.zoom);
  const isEditable = () => !readOnly && !mobile && !isLocked(store.getState().run);
  const measure = () => {
    const { left, top } = element.getBoundingClientRect();
    corner = { x: left, y: top };
  };

  const pointOf = (event: MouseEvent): Point => ({ x: event.clientX - corner.x, y: event.clientY - corner.y });
  const menuAt = (at: Point) => {
    cancel();
    const target = hit(at);
    const line = target?.kind === 'link' ? index.links.get(target.id) : null;
    const { request, ephemeral } = menuAtPoint(target, at, view.ephemeral, line ? linksBehind(line) : []);
    view.update(ephemeral);
    onMenu?.(request);
  };
  const menuByTouch = (at: Point) => {
    menuAt(at);
    // The click that follows when the finger lifts would close the menu again.
    element.addEventListener('touchend', (event) => event.preventDefault(), { signal, once: true });
  };

  const take = (step: Step) => {
    tool = step.tool;
    if (step.ephemeral) view.update(step.ephemeral);
    if (step.command) commitGesture(step.command, { store, view, dispatch });
    if (step.drop) offerAt(step.drop);
    showCursor();
  };
  /** A link that ends on an empty place offers what it may lead to. The draft stays until the menu closes. */
  const offerAt = ({ at, ...drop }: LinkDrop) => {
    if (onMenu) onMenu({ target: { kind: 'drop', ...drop }, at, world: toWorld(view.ephemeral.camera, at) });
    else view.update({ linkDraft: null });
  };
  const showCursor = () => {
    const cursor = cursorFor(tool, view.ephemeral.hover, {
      editable: isEditable(),
      pans: spaceHeld,
      canSelectByMarquee: !mobile && view.ephemeral.mode === 'select',
      copies: view.ephemeral.drag?.copies === true,
    });
    if (element.style.cursor !== cursor) element.style.cursor = cursor;
  };
  const cancel = () => {
    const step = cancelTool(tool);
    if (step) take(step);
    return step !== null;
  };
  const feed = (type: PointerInput['type'], event: PointerEvent) => {
    const input: PointerInput = {
      type,
      pointerId: event.pointerId,
      device: event.pointerType === 'touch' || event.pointerType === 'pen' ? event.pointerType : 'mouse',
      button: event.button,
      at: pointOf(event),
      adds: event.shiftKey || event.ctrlKey || event.metaKey,
      free: event.ctrlKey || event.metaKey,
      copies: event.altKey,
      pans: spaceHeld,
    };
    pointer = input.at;
    last = input;
    run(input);
    edge.update();
  };
  const run = (input: PointerInput) => {
    const { document } = store.getState();
    take(runTool(tool, input, { ephemeral: view.ephemeral, document, editable: isEditable(), canSelectByMarquee: !mobile, hit, index }));
  };
  const edge = new EdgePanning(
    () => edgePan(tool, last?.at ?? origin, view.ephemeral),
    (dx, dy) => {
      view.update({ camera: pan(view.ephemeral.camera, dx, dy) });
      if (last) run({ ...last, type: 'move' });
    },
  );

  element.addEventListener(
    'pointerdown',
    (event) => {
      if (isWithin(event.target, ownControls)) return;
      measure();
      element.setPointerCapture(event.pointerId);
      feed('down', event);
      if (event.pointerType === 'touch' && tool.kind === 'press') longPress.begin(pointOf(event), menuByTouch);
      else longPress.end();
    },
    { signal },
  );
  // During a gesture the canvas captures pointer moves before any other element gets them.
  const keepForGesture = (event: Event) => {
    if (tool.kind === 'idle' || !(event.target instanceof Node && element.contains(event.target))) return false;
    event.stopPropagation();
    return true;
  };
  const moved = (event: PointerEvent) => {
    longPress.moved(pointOf(event));
    if (tool.kind !== 'idle' || !isWithin(event.target, ownControls)) feed('move', event);
    else if (!isWithin(event.target, hoverKeepers)) view.update({ hover: null });
  };
  window.addEventListener('pointermove', (event) => keepForGesture(event) && moved(event), { signal, capture: true });
  window.addEventListener('mousemove', keepForGesture, { signal, capture: true });
  element.addEventListener('pointermove', moved, { signal });
  const endPointer = (type: 'up' | 'cancel') => (event: PointerEvent) => {
    longPress.end();
    feed(type, event);
  };
  element.addEventListener('pointerup', endPointer('up'), { signal });
  element.addEventListener('pointercancel', endPointer('cancel'), { signal });
  element.addEventListener('lostpointercapture', endPointer('cancel'), { signal });
  element.addEventListener('pointerenter', measure, { signal });
  element.addEventListener(
    'pointerleave',
    () => {
      pointer = null;
      if (tool.kind === 'idle') view.update({ hover: null });
    },
    { signal },
  );
  element.addEventListener(
    'dblclick',
    (event) => {
      if (isWithin(event.target, ownControls)) return;
      const target = hit(pointOf(event));
      const { document } = store.getState();
      const node = target?.kind === 'node' ? document.nodes[target.id] : undefined;
      if (target?.kind === 'node' && target.isFoldSign) return;
      if (node && view.ephemeral.folded.has(node.id)) view.update({ folded: toggleFolds(view.ephemeral.folded, new Set([node.id])) });
      else if (node && canvasKinds[node.type].opens === 'words') view.update(isEditable() ? startEditing(node, atRest(view)) : {});
      else if (node && canvasKinds[node.type].opens === 'form') openDialog(element, node, view);
      else if (node) onOpenNode?.(node.id);
      else if (target?.kind === 'link' && isEditable() && !isMergedAt(index, target.id)) view.update({ linkSettings: target.id });
    },
    { signal },
  );
  // The middle button would start the browser's own scrolling.
  element.addEventListener('mousedown', (event) => event.button === 1 && event.preventDefault(), { signal });
  element.addEventListener(
    'contextmenu',
    (event) => {
      if (isWithin(event.target, editableElements)) return;
      event.preventDefault();
      // Keys and long presses open the menu themselves. Some browsers send this event after them.
      if (event.button !== 2 || (event as Partial<PointerEvent>).pointerType === 'touch') return;
      measure();
      menuAt(pointOf(event));
    },
    { signal },
  );
  element.addEventListener(
    'wheel',
    (event) => {
      const ctrl = event.ctrlKey || event.metaKey;
      if (!ctrl && scrollsItself(event.target)) return;
      event.preventDefault();
      if (mobile) return;
      const at = pointOf(event);
      view.update({
        camera: wheelCamera(view.ephemeral.camera, { deltaX: event.deltaX, deltaY: event.deltaY, deltaMode: event.deltaMode, ctrl, at }),
      });
    },
    { signal, passive: false },
  );

  const isForeign = (target: EventTarget | null) => isWithin(target, foreignKeys);
  const onSpace = (isDown: boolean) => {
    spaceHeld = isDown;
    showCursor();
  };
  if (!readOnly) holdKeys(element, view, signal);
  attachKeys(element, { store, view, dispatch, index, readOnly, isForeign, cancel, onSpace, onMenu }, signal);
  const pasteAt = () => toWorld(view.ephemeral.camera, pointer ?? freeMiddle(view.ephemeral));
  attachClipboard({ store, view, dispatch, readOnly, pasteAt, isForeign, onRefused: onRefusedPaste }, signal);

  const stopPruning = store.subscribe((state, patches) => {
    const changes = pruneSelection(view.ephemeral, state.document, patches);
    if (changes) view.update(changes);
  });
  const stopMode = view.subscribe((_state, changed) => changed.has('mode') && showCursor());

  element.style.touchAction = 'none';
  measure();
  showCursor();
  return () => {
    cancel();
    edge.stop();
    longPress.end();
    stopPruning();
    stopMode();
    listeners.abort();
  };
}

const origin: Point = { x: 0, y: 0 };

function isMergedAt({ links }: DocumentIndex, linkId: string): boolean {
  const line = links.get(linkId);
  return line !== null && isMerged(line);
}

function isWithin(target: EventTarget | null, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}

/** A text box with more text than it shows scrolls under the wheel instead of zooming the canvas. */
function scrollsItself(target: EventTarget | null): boolean {
  const box = target instanceof Element ? target.closest('textarea, [data-scrolls]') : null;
  return box !== null && box.scrollHeight > box.clientHeight;
}
