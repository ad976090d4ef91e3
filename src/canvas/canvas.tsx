import { isWebGLSupported } from 'pixi.js';
import { type ReactNode, type RefObject, Suspense, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Dispatch } from '../model/commands.ts';
import type { Problem } from '../model/problem.ts';
import type { WorkspaceStore } from '../model/workspace-store.ts';
import { useObserved } from '../state/use-observed.ts';
import { useTranslation } from '../ui/i18n/use-translation.ts';
import { AbsentUntilOnline } from '../ui/loading/absent-until-online.tsx';
import { lazyPart } from '../ui/loading/lazy-part.tsx';
import type { ThemeName } from '../ui/palette.ts';
import { usePalette } from '../ui/use-palette.ts';
import styles from './canvas.module.css';
import { attachCanvasInput, type CanvasInputOptions } from './canvas-input.ts';
import { CanvasSurface, type Surface } from './canvas-surface.tsx';
import type { CanvasView } from './canvas-view.ts';
import { BrokenLayers } from './fallback/broken-layers.tsx';
import { CanvasFallback } from './fallback/canvas-fallback.tsx';
import { type FoldedStore, foldedStore } from './folding/folded-store.ts';
import { DocumentIndex } from './geometry/document-index.ts';
import type { MenuRequest } from './menu-request.ts';
import { CanvasOutline } from './outline/canvas-outline.tsx';
import { CanvasOverlay } from './overlay/canvas-overlay.tsx';
import type { DialogDrafts } from './overlay/dialog/dialog-drafts.ts';
import type { Scene } from './scene/scene.ts';
import type { LayerName } from './scene/scene-tree.tsx';
import { useCardTexts } from './use-card-texts.ts';
import { useLostContext } from './use-lost-context.ts';
import { useScene } from './use-scene.ts';

const FoldedParts = lazyPart(() => import('./folding/folded-parts.tsx').then((file) => file.FoldedParts), AbsentUntilOnline);

export type CanvasProps = {
  store: WorkspaceStore;
  dispatch: Dispatch;
  view: CanvasView;
  theme: ThemeName;
  readOnly: boolean;
  /** The narrow layout: no ports, no dragging. W2.07 */
  mobile: boolean;
  /** The dialogs' unsent texts, if other parts of the page need them too. */
  drafts?: DialogDrafts;
  /** Called when a card is double-clicked, or opened from the outline. */
  onOpenNode?: (nodeId: string) => void;
  /** Called when a person asks for the result of a card: at its foot, or by a touch of it on a phone. */
  onOpenResult?: (nodeId: string) => void;
  /** Called when the badge of a card that asks a person is pressed. */
  onOpenQuestion?: (questionId: string) => void;
  /** Called when a pasted text holds cards with mistakes; the problem lists them. */
  onRefusedPaste?: (problem: Problem) => void;
  /** Called when the user opens the context menu of the canvas. */
  onMenu?: (request: MenuRequest) => void;
  /** Receives the scene once it draws; benchmarks measure it. */
  onScene?: ((scene: Scene) => void) | undefined;
  /** Called when the cards are listed instead of drawn. */
  onListed?: () => void;
  /** Further controls over the cards, while they are drawn. */
  children?: ReactNode;
};

/** The infinite canvas: the drawn scene, the real controls over it, and the outline for screen readers. */
export function Canvas({
  store,
  dispatch,
  view,
  theme,
  readOnly,
  mobile,
  drafts,
  onOpenNode,
  onOpenResult,
  onOpenQuestion,
  onRefusedPaste,
  onMenu,
  onScene,
  onListed,
  children,
}: CanvasProps) {
  const { t } = useTranslation('canvas');
  const element = useRef<HTMLDivElement>(null);
  const index = useMemo(() => new DocumentIndex(), []);
  const shownStore = useMemo(() => foldedStore(store, view), [store, view]);
  const [surface, setSurface] = useState<Surface | null>(null);
  const [isDrawable] = useState(() => isWebGLSupported());
  const [attempt, setAttempt] = useState(0);
  const [isBroken, setBroken] = useState(false);
  const [brokenLayers, setBrokenLayers] = useState<readonly LayerName[]>([]);
  const onLayerError = useCallback(
    (layer: LayerName) => setBrokenLayers((broken) => (broken.includes(layer) ? broken : [...broken, layer])),
    [],
  );
  const onFault = useCallback(() => {
    setBroken(true);
    setSurface(null);
  }, []);
  const onRetry = () => {
    setBroken(false);
    setBrokenLayers([]);
    setSurface(null);
    setAttempt(attempt + 1);
  };
  const texts = useCardTexts();
  const palette = usePalette(theme);

  useCanvasSize(element, view);
  useCanvasInput(element, { store, view, dispatch, index, readOnly, mobile, onOpenNode, onOpenResult, onRefusedPaste, onMenu });
  useScene(surface, { store: shownStore, view, index, palette, texts, ports: !mobile, onScene, onFault });
  useLostContext(surface?.app ?? null, onFault);

  const fault = isDrawable ? (isBroken ? 'broken' : null) : 'noWebgl';
  useEffect(() => {
    view.update({ isListed: fault !== null });
    if (fault !== null) onListed?.();
  }, [view, fault, onListed]);
  const outline = (
    <>
      <FoldedGroups shownStore={shownStore} isDrawn={fault === null} />
      <CanvasOutline
        store={store}
        shownStore={shownStore}
        view={view}
        dispatch={dispatch}
        readOnly={readOnly}
        shown={fault !== null}
        onOpenNode={onOpenNode}
      />
    </>
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the canvas takes the keys that move, add and remove cards
    <div ref={element} className={styles.canvas} tabIndex={0} role="application" aria-label={t('outline.label')} data-testid="canvas">
      {fault === null ? (
        <>
          <CanvasSurface key={attempt} onReady={setSurface} onFault={onFault} onLayerError={onLayerError} />
          <CanvasOverlay
            store={store}
            shownStore={shownStore}
            view={view}
            index={index}
            dispatch={dispatch}
            readOnly={readOnly}
            mobile={mobile}
            drafts={drafts}
            onOpenQuestion={onOpenQuestion}
          >
            {children}
          </CanvasOverlay>
          {brokenLayers.length > 0 && <BrokenLayers layers={brokenLayers} onRetry={onRetry} />}
          {outline}
        </>
      ) : (
        <CanvasFallback fault={fault} onRetry={onRetry} store={store} dispatch={dispatch} readOnly={readOnly} drafts={drafts}>
          {outline}
        </CanvasFallback>
      )}
    </div>
  );
}

/** Shows folded groups from the first one on. */
function FoldedGroups({ shownStore, isDrawn }: { shownStore: FoldedStore; isDrawn: boolean }) {
  const { view } = shownStore;
  const isNeeded = useRef(false);
  const folds = useMemo(() => view.partsOf('folded'), [view]);
  isNeeded.current = useObserved(folds, () => view.ephemeral.folded.size > 0) || isNeeded.current;
  return (
    isNeeded.current && (
      <Suspense fallback={null}>
        <FoldedParts shownStore={shownStore} isDrawn={isDrawn} />
      </Suspense>
    )
  );
}

/** Attaches the canvas's pointer, wheel and keyboard handlers to an element while it is mounted. */
function useCanvasInput(element: RefObject<HTMLElement | null>, options: CanvasInputOptions): void {
  const { store, view, dispatch, index, readOnly, mobile, onOpenNode, onOpenResult, onRefusedPaste, onMenu } = options;
  useEffect(() => {
    if (!element.current) return;
    return attachCanvasInput(element.current, {
      store,
      view,
      dispatch,
      index,
      readOnly,
      mobile,
      onOpenNode,
      onOpenResult,
      onRefusedPaste,
      onMenu,
    });
  }, [element, store, view, dispatch, index, readOnly, mobile, onOpenNode, onOpenResult, onRefusedPaste, onMenu]);
}

/** Keeps the view's size equal to the element's. */
function useCanvasSize(element: RefObject<HTMLElement | null>, view: CanvasView): void {
  useLayoutEffect(() => {
    const target = element.current;
    if (!target) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = target;
      const { size } = view.ephemeral;
      if (width !== size.width || height !== size.height) view.update({ size: { width, height } });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(target);
    return () => observer.disconnect();
  }, [element, view]);
}
