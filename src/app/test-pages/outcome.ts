/** The shown result of a test: JSON, and whether it succeeded. */
export type Outcome = { ok: boolean; json: string };

/** Runs a test. An exception becomes the result of a failed test. */
export function outcomeOf(test: () => object): Outcome {
  try {
    return { ok: true, json: toJson(test()) };
  } catch (error) {
    return failure(error instanceof Error ? { name: error.name, message: error.message } : { message: String(error) });
  }
}

export function failure(error: object): Outcome {
  return { ok: false, json: toJson({ error }) };
}

function toJson(value: object): string {
  return JSON.stringify(value, null, 2);
}
