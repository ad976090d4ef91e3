const confirmable = /^overwrites\.([0-9a-f]{64})$/;

/** Returns the versions of files that a refused answer would have replaced unseen: sent again, it replaces them. Empty without any. C1.06 */
export function confirmedVersions(paths: readonly unknown[]): { overwrites?: string[] } {
  const overwrites = paths.flatMap((path) => confirmable.exec(String(path))?.[1] ?? []);
  return overwrites.length === 0 ? {} : { overwrites };
}
