import * as m from 'framer-motion/m';
import type { Scene } from '../../../canvas/scene/scene.ts';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { formatBytes } from '../../../ui/i18n/format-bytes.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Circle, Square, X } from '../../../ui/icons/icons.ts';
import { panelFromBelow } from '../../../ui/motion/transitions.ts';
import { useAppearing } from '../../../ui/motion/use-appearing.ts';
import { shortcutOf } from '../frame/action-table.ts';
import panel from '../panel.module.css';
import { FrameGraph } from './frame-graph.tsx';
import styles from './performance-panel.module.css';
import { useMeasures } from './use-measures.ts';

type PerformancePanelProps = { scene: Scene; roundTrip: () => Promise<number>; onClose: () => void };

/** The canvas's performance, measured while this panel is open, and a recording of it as a file. */
export function PerformancePanel({ scene, roundTrip, onClose }: PerformancePanelProps) {
  const { t, language } = useTranslation('developer');
  const { measures, recordingSince, record, stop } = useMeasures(scene, roundTrip);
  const { rate, summary, stats, trip, update } = measures;
  const numbers = new Intl.NumberFormat(language);
  const tenths = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const ms = (value: number | null | undefined) => (value === null || value === undefined ? '—' : tenths.format(value));
  const isRecording = recordingSince !== null;
  return (
    <m.section
      {...useAppearing(panelFromBelow)}
      className={`${panel.panel} ${styles.panel}`}
      aria-label={t('performance.title')}
      data-panel
      data-testid="performance"
    >
      <header className={styles.head}>
        <h2>{t('performance.title')}</h2>
        <IconButton
          size={28}
          label={t(isRecording ? 'performance.save' : 'performance.record')}
          pressed={isRecording}
          className={isRecording ? styles.recording : undefined}
          icon={isRecording ? <Square size={13} fill="currentColor" /> : <Circle size={13} fill="currentColor" />}
          tooltipSide="bottom"
          onClick={isRecording ? stop : record}
        />
        <IconButton
          size={28}
          label={t('common:close')}
          shortcut={shortcutOf('togglePerformance')}
          icon={<X size={15} />}
          tooltipSide="bottom"
          onClick={onClose}
        />
      </header>
      <FrameGraph frames={measures.latest} label={t('performance.graph')} />
      <dl className={styles.figures}>
        <Figure label={t('performance.rate')} value={numbers.format(rate)} />
        <Figure
          label={t('performance.frameTime')}
          value={t('performance.ms', { value: `${ms(summary.gapP50)} / ${ms(summary.gapP95)} / ${ms(summary.gapP99)}` })}
        />
        <Figure
          label={t('performance.script')}
          value={t('performance.ms', { value: `${ms(summary.scriptP50)} / ${ms(summary.scriptP95)}` })}
        />
        <Figure label={t('performance.main')} value={t('performance.ms', { value: ms(summary.mainP50) })} />
        <Figure
          label={t('performance.nodes')}
          value={t('performance.ofAll', { drawn: numbers.format(stats.nodesDrawn), total: numbers.format(stats.nodesTotal) })}
        />
        <Figure label={t('performance.drawCalls')} value={numbers.format(stats.drawCalls)} />
        <Figure label={t('performance.roundTrip')} value={t('performance.ms', { value: ms(trip?.ms) })} />
        <Figure label={t('performance.update')} value={update ? updateText(update) : '—'} />
      </dl>
      {isRecording && <p className={styles.note}>{t('performance.recording', { count: measures.recorded })}</p>}
    </m.section>
  );

  function updateText({ patches, bytes }: NonNullable<typeof update>): string {
    if (bytes === null) return t('performance.whole');
    return t('performance.changes', { count: patches, size: formatBytes(bytes, language) });
  }
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
