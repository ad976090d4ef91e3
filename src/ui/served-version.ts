/** Returns the build of the page's server, which every response names; requests the smallest file. Null if the response names none. */
export async function servedVersion(): Promise<string | null> {
  const answer = await fetch('/boot.js', { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  return answer?.headers.get('x-artel-version') ?? null;
}
