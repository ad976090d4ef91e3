import type { Db } from '../../../platform/database/database.ts';
import { FileRepository } from '../../files/index.ts';
import { InputFiles } from '../../inputs/index.ts';
import type { ExecutionRow } from '../store/rows.ts';

/** Returns the paths of all files of a run: those that its user gave to it, and those that its steps have written, without removed ones. */
export async function pathsInRun(db: Db, { id, inputSetId }: Pick<ExecutionRow, 'id' | 'inputSetId'>): Promise<{ path: string }[]> {
  const [given, written] = await Promise.all([inputSetId === null ? [] : new InputFiles(db).list(id), new FileRepository(db).held(id)]);
  const removed = new Set(written.flatMap(({ path, isRemoved }) => (isRemoved ? [path] : [])));
  return [...given, ...written].filter(({ path }) => !removed.has(path));
}
