/** The base duration of one trip of the beam, and what screens narrower than 768 px add to it and wait for. */
export const beamMs = 9_000;
export const narrowExtraMs = 2_500;
export const restartMs = 600;
export const narrowRestartMs = 2_000;
export const resetPauseMs = 50;

export const steps = 4;

/** How long a beam has travelled, and when it was last looked at (ms of the page's clock). */
export type Travel = { elapsed: number; seenAt: number };

/** The travel as it is at `now`: what passes while it does not move does not count. By the clock: the delta of a frame is cut short where frames are slow. */
export function travelOn({ elapsed, seenAt }: Travel, now: number, moves: boolean): Travel {
  return { elapsed: moves ? elapsed + now - seenAt : elapsed, seenAt: now };
}

/** Where the beam is `elapsed` ms after its start: 0 at the first stop, 4 at the end of the line; it rests there, then starts again. */
export function beamAt(elapsed: number, narrow: boolean): number {
  const trip = beamMs + (narrow ? narrowExtraMs : 0);
  const rest = narrow ? narrowRestartMs : restartMs;
  const within = elapsed % (trip + rest + resetPauseMs);
  if (within < trip) return (within / trip) * steps;
  return within < trip + rest ? steps : 0;
}

/** How many steps the beam has reached; the first from the start. */
export function reachedSteps(beam: number): number {
  return Math.min(steps, Math.floor(beam) + 1);
}
