/**
 * What a completed step's result lacks, so that it is not plainly green. `cut`: the model's limit ended the answer, and the step could not go on.
 * `noFile`: it was to write files and wrote none, or its last write failed. `shortened`: parts of its prompt were left out to fit the model's window.
 * `fallback`: another model than the agent's own answered. `withoutTools`: the model refused its tools. `withoutEffort`: its server refused the effort.
 * `partlyRead`: its server has read a part of the prompt only, and said nothing.
 */
export const stepMarks = ['cut', 'noFile', 'shortened', 'fallback', 'withoutTools', 'withoutEffort', 'partlyRead'] as const;
export type StepMark = (typeof stepMarks)[number];

/** Marks of a result that is not whole. The others say how it was made. */
export const lackingMarks = ['cut', 'noFile'] as const satisfies readonly StepMark[];
export type LackingMark = (typeof lackingMarks)[number];
