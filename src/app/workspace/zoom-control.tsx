import { Maximize, Minus, Plus } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { zoomLimits } from '../../canvas/geometry/camera.ts';
import { zoomByStep, zoomTo } from '../../canvas/tools/zoom-step.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { Tooltip } from '../../ui/controls/tooltip.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { useStore } from '../../workers/bridge/use-workspace.ts';
import { fitAll, moveCamera } from './move-camera.ts';
import panel from './panel.module.css';
import { useSurroundings } from './workspace-context.ts';
import styles from './zoom-control.module.css';

/** Minus, the figure, plus, and the whole canvas. The only panel that follows the camera. W2.05 */
export function ZoomControl() {
  const { t } = useTranslation('workspace');
  const { view } = useSurroundings();
  const store = useStore();
  const percent = useSyncExternalStore(
    (listener) => view.subscribe((_, changed) => changed.has('camera') && listener()),
    () => Math.round(view.moment.camera.zoom * 100),
  );
  return (
    <section className={`${panel.panel} ${styles.zoom}`} aria-label={t('zoom.label')} data-panel data-testid="zoom">
      <IconButton
        label={t('zoom.out')}
        shortcut="−"
        tooltipSide="top"
        icon={<Minus size={16} />}
        disabled={percent <= Math.round(zoomLimits.min * 100)}
        onClick={() => moveCamera(view, zoomByStep(view.moment, -1))}
      />
      <Tooltip label={t('zoom.reset')} shortcut="0" side="top">
        <button type="button" className={styles.figure} onClick={() => moveCamera(view, zoomTo(view.moment, 1))}>
          {t('zoom.percent', { value: percent })}
        </button>
      </Tooltip>
      <IconButton
        label={t('zoom.in')}
        shortcut="+"
        tooltipSide="top"
        icon={<Plus size={16} />}
        disabled={percent >= Math.round(zoomLimits.max * 100)}
        onClick={() => moveCamera(view, zoomByStep(view.moment, 1))}
      />
      <span className={panel.divider} />
      <IconButton
        label={t('zoom.fit')}
        shortcut="⇧ 1"
        tooltipSide="top"
        icon={<Maximize size={15} />}
        onClick={() => fitAll(view, store.getState().document.nodes)}
      />
    </section>
  );
}
