import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Pause, Square } from '../../ui/icons/icons.ts';
import styles from './picture.module.css';
import { Placed } from './scene-parts.tsx';

/** Two rounds of four agents, and the person who is asked. */
const segments = ['sky', 'cyan', 'emerald', 'rose', 'sky', 'cyan', 'emerald', 'rose', 'slate'] as const;
const doneSegments = 8;

/** The place of the segments in the wide run control. */
export const wideSegments = { x: 198, y: 44, width: 63, gap: 4, height: 6 };

/** The run control while a person is asked, 802 x 66. */
export function RunBar({ x, y }: { x: number; y: number }) {
  const { t } = useTranslation('landing');
  return (
    <Placed x={x} y={y}>
      <rect width="802" height="66" rx="10" className={styles.floating} />
      <rect x="10" y="10" width="112" height="46" rx="8" fill="var(--accent)" />
      <Placed x={25} y={24}>
        <Pause size={18} stroke="var(--on-accent)" strokeWidth={1.75} />
      </Placed>
      <text x="52" y="38.5" fontSize="16" fontWeight="600" fill="var(--on-accent)">
        {t('common:pause')}
      </text>
      <rect x="134.5" y="10.5" width="45" height="45" rx="8" className={styles.raised} stroke="var(--line)" />
      <Placed x={149} y={25}>
        <Square size={16} stroke="var(--text)" strokeWidth={1.75} />
      </Placed>
      <RunLine x={198} y={31} />
      <text x="782" y="31" fontSize="15" textAnchor="end" className={styles.muted}>
        2:41
      </text>
      <Segments {...wideSegments} />
    </Placed>
  );
}

/** "Waiting for an answer · 1 needs you". */
export function RunLine({ x, y }: { x: number; y: number }) {
  const { t } = useTranslation('landing');
  return (
    <text x={x} y={y} fontSize="15" className={styles.text}>
      <tspan fontWeight="600">{t('common:waitingForAnAnswer')}</tspan>
      <tspan dx="8" className={styles.muted}>
        ·
      </tspan>
      <tspan dx="8" className={styles.asksCount}>
        {t('picture.run.asks')}
      </tspan>
    </text>
  );
}

type SegmentsPlace = { x: number; y: number; width: number; gap: number; height: number };

/** One segment a step in its role's colour: full when done, pale while running, grey while waiting. */
export function Segments({ x, y, width, gap, height }: SegmentsPlace) {
  return (
    <Placed x={x} y={y}>
      {segments.map((hue, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the segments are a fixed list
        <g key={index} data-hue={hue} transform={`translate(${index * (width + gap)} 0)`}>
          <rect width={width} height={height} rx={height / 2} fill="var(--hue)" opacity={index < doneSegments ? 1 : 0.28} />
        </g>
      ))}
    </Placed>
  );
}

/** The moving light of the running segment, in a layer over it. */
export function SegmentLight({ x, y, width, gap, height }: SegmentsPlace) {
  const id = `segment-${width}`;
  return (
    <Placed x={x + doneSegments * (width + gap)} y={y}>
      <clipPath id={id}>
        <rect width={width} height={height} rx={height / 2} />
      </clipPath>
      <g clipPath={`url(#${id})`} data-hue={segments[doneSegments]}>
        <rect className={styles.light} width="28" height={height} rx={height / 2} fill="var(--hue)" />
      </g>
    </Placed>
  );
}
