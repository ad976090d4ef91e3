import { type ComponentProps, type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { throttle } from '../../../../async/throttle.ts';
import type { CanvasView } from '../../../canvas/canvas-view.ts';
import { foldedStore } from '../../../canvas/folding/folded-store.ts';
import { zoomLimits } from '../../../canvas/geometry/camera.ts';
import { useObserved } from '../../../state/use-observed.ts';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { Tooltip } from '../../../ui/controls/overlays/tooltip.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { ChevronDown, Maximize, Minus, Plus } from '../../../ui/icons/icons.ts';
import { pageClock } from '../../../ui/page-clock.ts';
import { useStore } from '../../../workers/bridge/use-workspace.ts';
import { fitAll, zoomStep } from '../camera/move-camera.ts';
import { usePanels } from '../frame/panels.tsx';
import { useNodeCounts } from '../frame/use-node-counts.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { Minimap } from '../minimap/minimap.tsx';
import panel from '../panel.module.css';
import { ViewMenu } from './view-menu.tsx';
import styles from './zoom-control.module.css';

/** Buttons for smaller, the zoom with the menu of the view behind it, larger, and the whole canvas. The only panel that follows the camera. W2.05 */
export function ZoomControl() {
  const { t } = useTranslation('workspace');
  const { view } = useWorkspaceContext();
  const store = useStore();
  const figure = useRef<HTMLSpanElement>(null);
  const figureOf = useCallback((percent: number) => t('zoom.percent', { value: percent }), [t]);
  const [first] = useState(() => figureOf(percentOf(view)));
  useFigure(figure, view, figureOf);
  const { panels } = usePanels();
  const hasCards = useNodeCounts(({ total }) => total > 0);
  const end = useZoomEnd(view);
  return (
    <section className={`${panel.panel} ${styles.zoom}`} aria-label={t('zoom.label')} data-panel data-testid="zoom">
      {panels.minimap && hasCards && <Minimap />}
      <div className={styles.row}>
        <IconButton
          label={t('zoom.out')}
          shortcut="−"
          tooltipSide="top"
          icon={<Minus size={16} />}
          disabled={end === 'min'}
          onClick={() => zoomStep(view, -1)}
        />
        <ViewMenu
          trigger={
            <ViewButton>
              <span ref={figure} className={styles.figure}>
                {first}
              </span>
            </ViewButton>
          }
        />
        <IconButton
          label={t('zoom.in')}
          shortcut="+"
          tooltipSide="top"
          icon={<Plus size={16} />}
          disabled={end === 'max'}
          onClick={() => zoomStep(view, 1)}
        />
        <span className={panel.divider} />
        <IconButton
          label={t('zoom.fit')}
          shortcut="⇧ 1"
          tooltipSide="top"
          icon={<Maximize size={15} />}
          onClick={() => fitAll(view, foldedStore(store, view).getState().document)}
        />
      </div>
    </section>
  );
}

/** The zoom, which opens the menu of the view. */
function ViewButton({ children, ...rest }: ComponentProps<'button'>) {
  const { t } = useTranslation('workspace');
  return (
    <Tooltip label={t('view.label')} side="top">
      <button type="button" className={styles.view} data-testid="view-menu" {...rest}>
        {children}
        <span className="visually-hidden">, {t('view.label')}</span>
        <ChevronDown size={12} aria-hidden />
      </button>
    </Tooltip>
  );
}

/** A higher precision could not be read, and would cause a layout each time. */
const followsZoom = { ms: 120, everyCalls: 4 };

function percentOf(view: CanvasView): number {
  return Math.round(view.ephemeral.camera.zoom * 100);
}

/** Updates the figure without rendering the control. */
function useFigure(figure: RefObject<HTMLElement | null>, view: CanvasView, figureOf: (percent: number) => string): void {
  useLayoutEffect(() => {
    let shown: number | null = null;
    const write = () => {
      const percent = percentOf(view);
      if (percent === shown || !figure.current) return;
      shown = percent;
      figure.current.textContent = figureOf(percent);
    };
    write();
    const writeSoon = throttle(write, { ...followsZoom, ...pageClock });
    let { zoom } = view.ephemeral.camera;
    const stop = view.subscribe(({ camera }) => {
      if (camera.zoom === zoom) return;
      zoom = camera.zoom;
      writeSoon();
    });
    return () => {
      stop();
      writeSoon.cancel();
    };
  }, [figure, view, figureOf]);
}

/** Returns which limit the zoom has reached. */
function useZoomEnd(view: CanvasView): 'min' | 'max' | null {
  const read = () => {
    const percent = percentOf(view);
    if (percent <= Math.round(zoomLimits.min * 100)) return 'min';
    return percent >= Math.round(zoomLimits.max * 100) ? 'max' : null;
  };
  return useObserved(view, read);
}
