/** Returns the body of an answer that must have this status. */
export function demand<T>({ status, body }: { status: number; body: T }, wanted: number): T {
  if (status !== wanted) throw new Error(`A call was answered with ${status}: ${JSON.stringify(body)}`);
  return body;
}
