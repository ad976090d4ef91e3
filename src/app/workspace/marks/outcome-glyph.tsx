import styles from './outcome-glyph.module.css';

export type Outcome = 'processing' | 'paused' | 'completed' | 'failed' | 'cancelled';

/** An icon for a run's status. Decorative: the word is beside it. */
export function OutcomeGlyph({ outcome, size = 16 }: { outcome: Outcome; size?: number }) {
  return (
    <svg className={styles.glyph} data-outcome={outcome} width={size} height={size} viewBox="0 0 16 16" aria-hidden>
      {shapes[outcome]}
    </svg>
  );
}

const shapes = {
  processing: (
    <>
      <circle cx="8" cy="8" r="6.2" className={styles.track} />
      <path d="M8 1.8A6.2 6.2 0 0 1 14.2 8" className={styles.line} />
    </>
  ),
  paused: (
    <>
      <rect x="1.8" y="1.8" width="12.4" height="12.4" rx="4" className={styles.line} />
      <path d="M6.3 5.8v4.4M9.7 5.8v4.4" className={styles.line} />
    </>
  ),
  completed: (
    <>
      <circle cx="8" cy="8" r="7" className={styles.fill} />
      <path d="m5.1 8.2 2 2 3.8-4.2" className={styles.mark} />
    </>
  ),
  failed: (
    <>
      <path d="M5.2 1h5.6L15 5.2v5.6L10.8 15H5.2L1 10.8V5.2Z" className={styles.fill} />
      <path d="m5.8 5.8 4.4 4.4m0-4.4-4.4 4.4" className={styles.mark} />
    </>
  ),
  cancelled: (
    <>
      <circle cx="8" cy="8" r="6.2" className={styles.line} />
      <path d="m5.6 10.4 4.8-4.8" className={styles.line} />
    </>
  ),
};
