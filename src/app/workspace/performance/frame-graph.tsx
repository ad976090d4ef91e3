import type { FrameRecord } from './frame-summary.ts';
import styles from './performance-panel.module.css';

export const framesShown = 69;
/** The limits between good, slow and bad frames (ms): 60 and 30 frames a second. */
const slowMs = 17.5;
const badMs = 34;
/** The frame time at the top of the graph. */
const maxMs = 50;
const height = 44;
const barWidth = 3;
const pitch = 4;

/** The last frames as bars: the height is the frame's duration, the colour its rating. */
export function FrameGraph({ frames, label }: { frames: readonly FrameRecord[]; label: string }) {
  const y = (ms: number) => height - (Math.min(maxMs, ms) / maxMs) * height;
  return (
    <svg className={styles.graph} viewBox={`0 0 ${framesShown * pitch} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {[16.7, 33.3].map((ms) => (
        <line key={ms} x1={0} x2={framesShown * pitch} y1={y(ms)} y2={y(ms)} className={styles.mark} />
      ))}
      {frames.map((frame, i) => (
        <rect
          key={frame.at}
          x={(framesShown - frames.length + i) * pitch}
          y={y(frame.gapMs)}
          width={barWidth}
          height={height - y(frame.gapMs)}
          data-pace={frame.gapMs < slowMs ? 'good' : frame.gapMs < badMs ? 'slow' : 'bad'}
        />
      ))}
    </svg>
  );
}
