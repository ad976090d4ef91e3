import type { FrameRecord } from './frame-summary.ts';
import styles from './performance-panel.module.css';

export const framesShown = 69;
/** Frame times (ms) at 60 and 30 frames a second: the lines between good, slow and bad. */
const slowMs = 17.5;
const badMs = 34;
/** The graph's top. */
const maxMs = 50;
const height = 44;
const barWidth = 3;
const pitch = 4;

/** The last frames as bars, each as high as the frame was long and in the colour of how it felt. */
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
