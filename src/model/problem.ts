/**
 * An expected failure: a code of the locales with the values of its sentence. `details` lists the single faults. `nodeIds` and
 * `connectionIds`: what shows it on the canvas.
 */
export type Problem = {
  code: string;
  params?: Record<string, string | number>;
  details?: Problem[];
  nodeIds?: string[];
  connectionIds?: string[];
};

/** The most problems of a canvas that are listed. One more is kept, by which a list that is cut off says so. */
export const listedProblems = 200;

/** The result of an operation that may fail. */
export type Outcome<T = undefined> = { ok: true; value: T } | { ok: false; error: Problem };

export function failed(code: string, params?: Problem['params']): { ok: false; error: Problem } {
  return { ok: false, error: params ? { code, params } : { code } };
}

export const done: Outcome = { ok: true, value: undefined };

export function outcomeOf(problem: Problem | null): Outcome {
  return problem ? { ok: false, error: problem } : done;
}
