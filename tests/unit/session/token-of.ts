/** An unsigned token with this payload: the client reads no signature. */
export function tokenOf(payload: Record<string, unknown>): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part(payload)}.signature`;
}
