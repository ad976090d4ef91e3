import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import styles from './run-control.module.css';
import type { RunFigures } from './run-figures.ts';

/** One segment a step in the colour of its role: filled when completed, animated while running. */
export function RunSegments({ segments }: { segments: RunFigures['segments'] }) {
  const { t } = useTranslation('workspace');
  return (
    <ol className={styles.segments}>
      {segments.map((segment) => {
        const label = t('run.segment', { title: segment.title, state: t(`run.state.${segment.state}`) });
        return (
          <li key={segment.stepId} className={styles.segment} data-hue={segment.hue} data-state={segment.state} title={label}>
            <span className="visually-hidden">{label}</span>
          </li>
        );
      })}
    </ol>
  );
}
