import { isWebGLSupported } from 'pixi.js';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Dispatch } from '../model/commands.ts';
import type { Problem } from '../model/problem.ts';
import type { WorkspaceStore } from '../model/workspace-store.ts';
import { useTranslation } from '../ui/i18n/use-translation.ts';
import type { ThemeName } from '../ui/palette.ts';
import styles from './canvas.module.css';
import { CanvasSurface, type Surface } from './canvas-surface.tsx';
import type { CanvasView } from './canvas-view.ts';
import { BrokenLayers } from './fallback/broken-layers.tsx';
import { CanvasFallback } from './fallback/canvas-fallback.tsx';
import { DocumentIndex } from './geometry/document-index.ts';
import type { MenuRequest } from './menu-request.ts';
import { CanvasOutline } from './outline/canvas-outline.tsx';
import { CanvasOverlay } from './overlay/canvas-overlay.tsx';
import type { DialogDrafts } from './overlay/dialog-drafts.ts';
import type { Scene } from './scene/scene.ts';
import type { LayerName } from './scene/scene-tree.tsx';
import { useCanvasInput } from './use-canvas-input.ts';
import { useCanvasSize } from './use-canvas-size.ts';
import { useCardTexts } from './use-card-texts.ts';
import { useLostContext } from './use-lost-context.ts';
import { useScene } from './use-scene.ts';

export type CanvasProps = {
  store: WorkspaceStore;
  dispatch: Dispatch;
  view: CanvasView;
  theme: ThemeName;
  readOnly: boolean;
  /** The narrow layout: no ports, no dragging. W2.07 */
  mobile: boolean;
  /** The dialogs' unsent texts, where others than the canvas need them. */
  drafts?: DialogDrafts;
  /** A card was double-clicked, or opened from the outline. */
  onOpenNode?: (nodeId: string) => void;
  /** A text was pasted that holds cards, and mistakes: the problem lists them. */
  onRefusedPaste?: (problem: Problem) => void;
  /** A context menu was asked for on the canvas. */
  onMenu?: (request: MenuRequest) => void;
  /** Handed the scene once it draws, for those who measure it. */
  onScene?: ((scene: Scene) => void) | undefined;
  /** Told when the cards are listed in the place of a scene. */
  onListed?: () => void;
};

/** The infinite canvas: the drawn scene, the real controls over it, and the outline for those who do not see it. */
export function Canvas({
  store,
  dispatch,
  view,
  theme,
  readOnly,
  mobile,
  drafts,
  onOpenNode,
  onRefusedPaste,
  onMenu,
  onScene,
  onListed,
}: CanvasProps) {
  const { t } = useTranslation('canvas');
  const element = useRef<HTMLDivElement>(null);
  const index = useMemo(() => new DocumentIndex(), []);
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

  useCanvasSize(element, view);
  useCanvasInput(element, { store, view, dispatch, index, readOnly, mobile, onOpenNode, onRefusedPaste, onMenu });
  useScene(surface, { store, view, index, theme, texts, ports: !mobile, onScene, onFault });
  useLostContext(surface?.app ?? null, onFault);

  const fault = isDrawable ? (isBroken ? 'broken' : null) : 'noWebgl';
  useEffect(() => {
    if (fault !== null) onListed?.();
  }, [fault, onListed]);
  const outline = (
    <CanvasOutline store={store} view={view} dispatch={dispatch} readOnly={readOnly} shown={fault !== null} onOpenNode={onOpenNode} />
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the canvas takes the keys that move, add and remove cards
    <div ref={element} className={styles.canvas} tabIndex={0} role="application" aria-label={t('outline.label')} data-testid="canvas">
      {fault === null ? (
        <>
          <CanvasSurface key={attempt} onReady={setSurface} onFault={onFault} onLayerError={onLayerError} />
          <CanvasOverlay store={store} view={view} index={index} dispatch={dispatch} readOnly={readOnly} mobile={mobile} drafts={drafts} />
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
