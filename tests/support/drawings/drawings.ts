import type { Drawing } from './drawing.ts';
import { partialDrawings } from './partial-drawings.ts';
import { wholeDrawings } from './whole-drawings.ts';

/** Twenty drawings that people make: what of each takes part in a run, what is said of the rest, and what the run does, in order. */
export const drawings: readonly Drawing[] = [...wholeDrawings, ...partialDrawings];
