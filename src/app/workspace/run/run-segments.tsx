import { memo } from 'react';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import styles from './run-control.module.css';
import type { RunFigures } from './run-figures.ts';

type SegmentProps = Omit<RunFigures['segments'][number], 'stepId'>;

/** One segment a step in the colour of its role: filled when completed, animated while running. */
export function RunSegments({ segments }: { segments: RunFigures['segments'] }) {
  return (
    <ol className={styles.segments}>
      {segments.map(({ stepId, ...segment }) => (
        <Segment key={stepId} {...segment} />
      ))}
    </ol>
  );
}

/** Most changes of a run change one segment or none: the others are not rendered again. */
const Segment = memo(({ hue, state, title }: SegmentProps) => {
  const { t } = useTranslation('workspace');
  const label = t('run.segment', { title, state: t(`run.state.${state}`) });
  return (
    <li className={styles.segment} data-hue={hue} data-state={state} title={label}>
      <span className="visually-hidden">{label}</span>
    </li>
  );
});
