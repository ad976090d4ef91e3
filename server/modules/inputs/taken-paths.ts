import type { Db } from '../../platform/database/database.ts';
import { eq } from '../../platform/database/drizzle.ts';
import type { BasePath } from '../files/index.ts';
import { baseNeighbours } from './bases/base-neighbours.ts';
import { encodeWritten } from './encoded-files.ts';
import { inputFiles, inputSets, type LeftOutFile, replacedGitFiles } from './tables.ts';

/**
 * Returns the paths of a set that are taken beside `written` and `others`, also by files that were left out. What the repository has decides about a
 * path: a commit and a patch meet it there. A second spelling of a path is left out for the first one, which stays.
 */
export async function takenPaths(
  db: Db,
  id: string,
  written: readonly { path: string; content: string }[],
  others: readonly string[],
): Promise<BasePath[]> {
  const [stored, near, own, behind, versions] = await Promise.all([
    storedLeftOut(db, id),
    baseNeighbours(db, id, [...written.map(({ path }) => path), ...others]),
    db.select({ path: inputFiles.path, kind: inputFiles.kind, from: inputFiles.source }).from(inputFiles).where(eq(inputFiles.setId, id)),
    db.select({ path: replacedGitFiles.path, kind: replacedGitFiles.kind }).from(replacedGitFiles).where(eq(replacedGitFiles.setId, id)),
    encodeWritten(db, id, written),
  ]);
  const isBehind = new Set(behind.map(({ path }) => path));
  const ofBase = near.flatMap(({ path, kind, reason }) => (reason === null && !isBehind.has(path) ? [{ path, kind, from: 'git' }] : []));
  const leftOfBase = near.flatMap(({ path, reason }) => (reason === null ? [] : [{ path, reason, from: 'git' }]));
  const given = [...own, ...ofBase];
  const ofRepository = new Set(given.flatMap(({ path, from }) => (from === 'git' ? [path.toLowerCase()] : [])));
  const missing = [...leftOfBase, ...stored].filter(({ path, reason }) => reason !== 'path_taken' || !ofRepository.has(path.toLowerCase()));
  const paths = new Map(missing.map(({ path }) => [path, false]));
  for (const { path, kind } of [...given, ...behind]) paths.set(path, kind === 'text');
  for (const { path, from } of missing) if (from === 'git') paths.set(path, false);
  return [...paths].map(([path, isReplaceable]) => ({ path, isReplaceable, isUnencodable: versions.get(path)?.after === null }));
}

/** Returns what a set does not have of archives, or of a repository that an earlier version has read. */
export async function storedLeftOut(db: Db, id: string): Promise<LeftOutFile[]> {
  const [row] = await db.select({ leftOut: inputSets.leftOut }).from(inputSets).where(eq(inputSets.id, id));
  return row?.leftOut ?? [];
}
