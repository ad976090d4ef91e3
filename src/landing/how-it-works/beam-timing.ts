/** The duration of one trip of the beam, and the additions for screens narrower than 768 px. */
export const beamMs = 9_000;
const narrowExtraMs = 2_500;
export const restartMs = 600;
const narrowRestartMs = 2_000;
export const resetPauseMs = 50;

export const steps = 4;

/** The travelled time of a beam, and the time of its last update (ms of the page's clock). */
type Travel = { elapsed: number; seenAt: number };

/** Updates the travel at `now`: time without movement does not count. By the clock, since slow frames cut their delta. */
export function travelOn({ elapsed, seenAt }: Travel, now: number, moves: boolean): Travel {
  return { elapsed: moves ? elapsed + now - seenAt : elapsed, seenAt: now };
}

/** Returns the place of the beam `elapsed` ms after its start. It is 0 at the first stop, and 4 at the end of the line, where it stops. */
export function beamAt(elapsed: number, narrow: boolean): number {
  const trip = beamMs + (narrow ? narrowExtraMs : 0);
  const rest = narrow ? narrowRestartMs : restartMs;
  const within = elapsed % (trip + rest + resetPauseMs);
  if (within < trip) return (within / trip) * steps;
  return within < trip + rest ? steps : 0;
}

/** Returns the number of steps that the beam has reached; the first from the start. */
export function reachedSteps(beam: number): number {
  return Math.min(steps, Math.floor(beam) + 1);
}
