/** An expected failure: a code that the locales know, and what its sentence needs. `details` lists what exactly is wrong. */
export type Problem = { code: string; params?: Record<string, string | number>; details?: Problem[] };

/** What comes back from asking for something that may fail. */
export type Outcome<T = undefined> = { ok: true; value: T } | { ok: false; error: Problem };

export function failed(code: string, params?: Problem['params']): { ok: false; error: Problem } {
  return { ok: false, error: params ? { code, params } : { code } };
}
