/** Whether an address is the demonstration's, as the server and the router read it. */
export function isDemoPath(path: string): boolean {
  return /^\/public-test\/?$/i.test(path);
}
