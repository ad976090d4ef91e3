import { isDone } from '../model/card-view.ts';
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
import { type MenuRequest, menuAtPoint, menuOfDrop } from './menu-request.ts';
import { stopMiddlePaste } from './middle-paste.ts';
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
  /** Called when the foot of a card that is done is pressed, or a card on the mobile layout is touched. */
  onOpenResult?: ((nodeId: string) => void) | undefined;
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

const origin: Point = { x: 0, y: 0 };

/** Attaches pointer, wheel and keyboard handlers to the canvas in `element`. Returns the function that removes them. */
export function attachCanvasInput(element: HTMLElement, options: CanvasInputOptions): () => void {
  const input = new CanvasInput(element, options);
  return () => input.detach();
}

/** The current gesture, and the listeners that feed it. */
class CanvasInput {
  readonly #element: HTMLElement;
  readonly #options: CanvasInputOptions;
  readonly #longPress = new LongPress();
  readonly #edge: EdgePanning;
  readonly #listeners = new AbortController();
  readonly #stopFollowing: (() => void)[];
  #tool: Tool = idle;
  #spaceHeld = false;
  /** The pointer's place on the canvas, CSS px. */
  #pointer: Point | null = null;
  #last: PointerInput | null = null;
  #corner: Point = origin;

  constructor(element: HTMLElement, options: CanvasInputOptions) {
    const { store, view } = options;
    this.#element = element;
    this.#options = options;
    this.#edge = new EdgePanning(
      () => edgePan(this.#tool, this.#last?.at ?? origin, view.ephemeral),
      (dx, dy) => {
        view.update({ camera: pan(view.ephemeral.camera, dx, dy) });
        if (this.#last) this.#run({ ...this.#last, type: 'move' });
      },
    );
    this.#listenToPointer();
    this.#listenToMouse();
    this.#listenToKeys();
    this.#stopFollowing = [
      store.subscribe((state, patches) => {
        const changes = pruneSelection(view.ephemeral, state.document, patches);
        if (changes) view.update(changes);
      }),
      view.subscribe((_state, changed) => changed.has('mode') && this.#showCursor()),
    ];
    element.style.touchAction = 'none';
    this.#measure();
    this.#showCursor();
  }

  detach(): void {
    this.#cancel();
    this.#edge.stop();
    this.#longPress.end();
    for (const stop of this.#stopFollowing) stop();
    this.#listeners.abort();
  }

  #listenToPointer(): void {
    const element = this.#element;
    const { view } = this.#options;
    const { signal } = this.#listeners;
    element.addEventListener('pointerdown', (event) => this.#onPointerDown(event), { signal });
    // During a gesture the canvas captures pointer moves before any other element gets them.
    const keepForGesture = (event: Event) => {
      if (this.#tool.kind === 'idle' || !(event.target instanceof Node && element.contains(event.target))) return false;
      event.stopPropagation();
      return true;
    };
    window.addEventListener('pointermove', (event) => keepForGesture(event) && this.#onPointerMove(event), { signal, capture: true });
    window.addEventListener('mousemove', keepForGesture, { signal, capture: true });
    element.addEventListener('pointermove', (event) => this.#onPointerMove(event), { signal });
    const endPointer = (type: 'up' | 'cancel') => (event: PointerEvent) => {
      this.#longPress.end();
      this.#feed(type, event);
    };
    element.addEventListener('pointerup', endPointer('up'), { signal });
    element.addEventListener('pointercancel', endPointer('cancel'), { signal });
    element.addEventListener('lostpointercapture', endPointer('cancel'), { signal });
    element.addEventListener('pointerenter', () => this.#measure(), { signal });
    element.addEventListener(
      'pointerleave',
      () => {
        this.#pointer = null;
        if (this.#tool.kind === 'idle') view.update({ hover: null });
      },
      { signal },
    );
  }

  #listenToMouse(): void {
    const element = this.#element;
    const { signal } = this.#listeners;
    element.addEventListener('dblclick', (event) => this.#onDoubleClick(event), { signal });
    stopMiddlePaste(element, window, signal);
    // The middle button would start the browser's own scrolling.
    element.addEventListener('mousedown', (event) => event.button === 1 && event.preventDefault(), { signal });
    element.addEventListener('contextmenu', (event) => this.#onContextMenu(event), { signal });
    element.addEventListener('wheel', (event) => this.#onWheel(event), { signal, passive: false });
  }

  #listenToKeys(): void {
    const { store, view, dispatch, index, readOnly, onRefusedPaste, onMenu } = this.#options;
    const { signal } = this.#listeners;
    const isForeign = (target: EventTarget | null) => isWithin(target, foreignKeys);
    const cancel = () => this.#cancel();
    const onSpace = (isDown: boolean) => {
      this.#spaceHeld = isDown;
      this.#showCursor();
    };
    if (!readOnly) holdKeys(this.#element, view, signal);
    attachKeys(this.#element, { store, view, dispatch, index, readOnly, isForeign, cancel, onSpace, onMenu }, signal);
    const pasteAt = () => toWorld(view.ephemeral.camera, this.#pointer ?? freeMiddle(view.ephemeral));
    attachClipboard({ store, view, dispatch, readOnly, pasteAt, isForeign, onRefused: onRefusedPaste }, signal);
  }

  #onPointerDown(event: PointerEvent): void {
    if (isWithin(event.target, ownControls)) return;
    this.#measure();
    this.#element.setPointerCapture(event.pointerId);
    this.#feed('down', event);
    if (event.pointerType === 'touch' && this.#tool.kind === 'press')
      this.#longPress.begin(this.#pointOf(event), (at) => this.#menuByTouch(at));
    else this.#longPress.end();
  }

  #onPointerMove(event: PointerEvent): void {
    this.#longPress.moved(this.#pointOf(event));
    if (this.#tool.kind !== 'idle' || !isWithin(event.target, ownControls)) this.#feed('move', event);
    else if (!isWithin(event.target, hoverKeepers)) this.#options.view.update({ hover: null });
  }

  #onDoubleClick(event: MouseEvent): void {
    if (isWithin(event.target, ownControls)) return;
    const { store, view, index, onOpenNode } = this.#options;
    const target = this.#hit(this.#pointOf(event));
    const { document } = store.getState();
    const node = target?.kind === 'node' ? document.nodes[target.id] : undefined;
    if (target?.kind === 'node' && target.part) return;
    if (node && view.ephemeral.folded.has(node.id)) view.update({ folded: toggleFolds(view.ephemeral.folded, new Set([node.id])) });
    else if (node && canvasKinds[node.type].opens === 'words') view.update(this.#isEditable() ? startEditing(node, atRest(view)) : {});
    else if (node && canvasKinds[node.type].opens === 'form') openDialog(this.#element, node, view);
    else if (node) onOpenNode?.(node.id);
    else if (target?.kind === 'link' && this.#isEditable() && !isMergedAt(index, target.id)) view.update({ linkSettings: target.id });
  }

  #onContextMenu(event: MouseEvent): void {
    if (isWithin(event.target, editableElements)) return;
    event.preventDefault();
    // Keys and long presses open the menu themselves. Some browsers send this event after them.
    if (event.button !== 2 || (event as Partial<PointerEvent>).pointerType === 'touch') return;
    this.#measure();
    this.#menuAt(this.#pointOf(event));
  }

  #onWheel(event: WheelEvent): void {
    const { view, mobile } = this.#options;
    const ctrl = event.ctrlKey || event.metaKey;
    if (!ctrl && scrollsItself(event.target)) return;
    event.preventDefault();
    if (mobile) return;
    const { deltaX, deltaY, deltaMode } = event;
    view.update({ camera: wheelCamera(view.ephemeral.camera, { deltaX, deltaY, deltaMode, ctrl, at: this.#pointOf(event) }) });
  }

  #menuAt(at: Point): void {
    const { view, index, onMenu } = this.#options;
    this.#cancel();
    const target = this.#hit(at);
    const line = target?.kind === 'link' ? index.links.get(target.id) : null;
    const { request, ephemeral } = menuAtPoint(target, at, view.ephemeral, line ? linksBehind(line) : []);
    view.update(ephemeral);
    onMenu?.(request);
  }

  #menuByTouch(at: Point): void {
    this.#menuAt(at);
    // The click that follows when the finger lifts would close the menu again.
    this.#element.addEventListener('touchend', (event) => event.preventDefault(), { signal: this.#listeners.signal, once: true });
  }

  #feed(type: PointerInput['type'], event: PointerEvent): void {
    const input: PointerInput = {
      type,
      pointerId: event.pointerId,
      device: event.pointerType === 'touch' || event.pointerType === 'pen' ? event.pointerType : 'mouse',
      button: event.button,
      at: this.#pointOf(event),
      adds: event.shiftKey || event.ctrlKey || event.metaKey,
      free: event.ctrlKey || event.metaKey,
      copies: event.altKey,
      pans: this.#spaceHeld,
    };
    this.#pointer = input.at;
    this.#last = input;
    const pressed = type === 'up' ? pressedForResult(this.#tool, this.#options.mobile) : null;
    this.#run(input);
    if (pressed !== null) this.#options.onOpenResult?.(pressed);
    this.#edge.update();
  }

  #run(input: PointerInput): void {
    const { store, view, mobile, index } = this.#options;
    this.#take(
      runTool(this.#tool, input, {
        ephemeral: view.ephemeral,
        document: store.getState().document,
        editable: this.#isEditable(),
        canSelectByMarquee: !mobile,
        hit: (at) => this.#hit(at),
        index,
      }),
    );
  }

  #take(step: Step): void {
    const { store, view, dispatch } = this.#options;
    this.#tool = step.tool;
    if (step.ephemeral) view.update(step.ephemeral);
    if (step.command) commitGesture(step.command, { store, view, dispatch });
    if (step.drop) this.#offerAt(step.drop);
    this.#showCursor();
  }

  /** A link that ends on an empty place offers what it may lead to. The draft stays until the menu closes. */
  #offerAt(drop: LinkDrop): void {
    const { view, index, onMenu } = this.#options;
    if (onMenu) onMenu(menuOfDrop(drop, view.ephemeral, index));
    else view.update({ linkDraft: null });
  }

  /** Returns false without a gesture. */
  #cancel(): boolean {
    const step = cancelTool(this.#tool);
    if (step) this.#take(step);
    return step !== null;
  }

  #showCursor(): void {
    const { ephemeral } = this.#options.view;
    const cursor = cursorFor(this.#tool, ephemeral.hover, {
      editable: this.#isEditable(),
      pans: this.#spaceHeld,
      canSelectByMarquee: !this.#options.mobile && ephemeral.mode === 'select',
      copies: ephemeral.drag?.copies === true,
    });
    const { style } = this.#element;
    if (style.cursor !== cursor) style.cursor = cursor;
  }

  #hit(at: Point) {
    const { store, view, index } = this.#options;
    const { camera } = view.ephemeral;
    return hitTest(index, toWorld(camera, at), camera.zoom, (id) => isDone(store.getState().run, id));
  }

  #isEditable(): boolean {
    const { store, readOnly, mobile } = this.#options;
    return !readOnly && !mobile && !isLocked(store.getState().run);
  }

  #measure(): void {
    const { left, top } = this.#element.getBoundingClientRect();
    this.#corner = { x: left, y: top };
  }

  #pointOf(event: MouseEvent): Point {
    return { x: event.clientX - this.#corner.x, y: event.clientY - this.#corner.y };
  }
}

/** The card whose result a press without a move asks for: at its foot, and on a phone, where a card has no other use, anywhere on it. */
function pressedForResult(tool: Tool, mobile: boolean): string | null {
  if (tool.kind !== 'press' || tool.adds || tool.target?.kind !== 'node' || tool.target.part === 'foldSign') return null;
  return tool.target.part === 'foot' || (mobile && tool.device === 'touch') ? tool.target.id : null;
}

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
