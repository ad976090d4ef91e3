import type { ReadFileOfStep } from '../../../../contract/executions/execution.ts';

/** Adds files that a step has read, each version of a file once. */
export function withReads(known: readonly ReadFileOfStep[] | null, added: readonly ReadFileOfStep[]): ReadFileOfStep[] {
  const files = [...(known ?? []), ...added].map(({ path, sha256 }) => ({ path, sha256 }));
  return [...new Map(files.map((file) => [`${file.path}\n${file.sha256}`, file])).values()];
}
