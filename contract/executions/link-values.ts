/** Rounds of a review loop: the default, and the maximum. */
export const loopRounds = 3;
export const maxLoopRounds = 20;

/** A link that holds waits until a person hands the result on: every time, or the first time in a run. */
export const linkHolds = ['always', 'once'] as const;
export type LinkHold = (typeof linkHolds)[number];
