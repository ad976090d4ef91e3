/** What a test found, as it is shown: JSON, and whether it went well. */
export type Outcome = { ok: boolean; json: string };

/** Runs a test; what it throws is its result, and the test has failed. */
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
