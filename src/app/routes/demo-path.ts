/** Returns whether a path is the demonstration's, by the rules of server and router. */
export function isDemoPath(path: string): boolean {
  return /^\/public-test\/?$/i.test(path);
}
