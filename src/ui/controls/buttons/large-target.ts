/** The side of a square button on a phone (CSS px). */
const side = 44;

/** The size of a square button that a finger presses. */
export const largeTarget = { width: side, height: side } as const;
