/** A clock that never jumps (ms since the process began): for durations within one process. */
export const elapsed = (): number => performance.now();

/**
 * The time between two dates (ms), for durations that outlast a process. The system's clock may have been set back between them: then no
 * time has passed that is known.
 */
export function elapsedBetween(from: Date, to: Date): number {
  return Math.max(0, to.getTime() - from.getTime());
}
