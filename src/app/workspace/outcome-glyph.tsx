import { CircleCheck, CirclePause, CircleSlash, LoaderCircle, OctagonX } from 'lucide-react';
import styles from './outcome-glyph.module.css';

export type Outcome = 'processing' | 'paused' | 'completed' | 'failed' | 'cancelled';

const icons = { processing: LoaderCircle, paused: CirclePause, completed: CircleCheck, failed: OctagonX, cancelled: CircleSlash };

/** How a run stands, by shape and colour: a disc with a check, an octagon with a cross, a struck ring. Decorative: the word stands beside it. */
export function OutcomeGlyph({ outcome, size = 16 }: { outcome: Outcome; size?: number }) {
  const Icon = icons[outcome];
  return <Icon className={styles.glyph} data-outcome={outcome} size={size} strokeWidth={2.2} aria-hidden />;
}
