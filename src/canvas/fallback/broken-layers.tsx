import { Button } from '../../ui/controls/buttons/button.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { MonitorX } from '../../ui/icons/icons.ts';
import type { LayerName } from '../scene/scene-tree.tsx';
import styles from './canvas-fallback.module.css';

/** Names the layers that an error has removed from the canvas, and offers to draw the canvas again. */
export function BrokenLayers({ layers, onRetry }: { layers: readonly LayerName[]; onRetry: () => void }) {
  const { t, language } = useTranslation('canvas');
  const names = new Intl.ListFormat(language, { type: 'conjunction' }).format(layers.map((layer) => t(`fault.layer.names.${layer}`)));
  return (
    <div className={styles.layers} data-canvas-control data-testid="broken-layers">
      <div className={styles.notice} role="alert">
        <MonitorX size={20} strokeWidth={1.75} aria-hidden />
        <div>
          <h2>{t('fault.layer.title', { names })}</h2>
          <p>{t('fault.layer.text')}</p>
        </div>
        <Button variant="primary" size="s" onClick={onRetry}>
          {t('fault.broken.retry')}
        </Button>
      </div>
    </div>
  );
}
