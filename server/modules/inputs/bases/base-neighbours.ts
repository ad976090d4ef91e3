import type { InputFile, InputRefusal } from '../../../../contract/input.ts';
import type { Db } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/drizzle.ts';
import { keyOf, keyStart } from './key-start.ts';

/** An entry of a base tree. `reason`: it is no file of a run. */
type BaseNeighbour = { path: string; kind: InputFile['kind']; reason: InputRefusal | null };

/** A run removes fewer files: one of so many below a folder is still there. */
export const maxBelow = 1_001;

/**
 * Returns what the base of a set has beside some paths: at each path and at the folders above it, in any case and normal form, and below it. So much decides
 * whether a file at the path is another spelling of one, or in the way of one. None for a set without a base.
 */
export async function baseNeighbours(db: Db, setId: string, paths: readonly string[]): Promise<BaseNeighbour[]> {
  if (paths.length === 0) return [];
  const given = sql`${sql.param([...new Set(paths)])}::text[]`;
  const around = sql`${sql.param([...new Set(paths.flatMap(withFolders))])}::text[]`;
  const columns = sql.raw('files.path, files.kind, files.reason');
  const key = keyOf(sql.raw('files.path'));
  const start = keyStart(key);
  const one = keyOf(sql.raw('one'));
  const base = sql`(SELECT base_id FROM input_sets WHERE id = ${setId})`;
  const { rows } = await db.execute<BaseNeighbour>(sql`SELECT ${columns} FROM git_base_files AS files WHERE files.base_id = ${base}
      AND ${start} = ANY(ARRAY(SELECT ${keyStart(one)} FROM unnest(${around}) AS one))
      AND ${key} COLLATE "C" = ANY(ARRAY(SELECT ${one} FROM unnest(${around}) AS one))
    UNION SELECT below.* FROM unnest(${given}) AS one, LATERAL (SELECT ${columns} FROM git_base_files AS files WHERE files.base_id = ${base}
      AND ${start} >= ${keyStart(sql`${one} || '/'`)} AND ${start} <= ${keyStart(sql`${one} || '0'`)}
      AND ${key} COLLATE "C" > ${one} || '/' AND ${key} COLLATE "C" < ${one} || '0'
      LIMIT ${maxBelow}::integer) AS below`);
  return rows;
}

function withFolders(path: string): string[] {
  const names = path.split('/');
  return names.map((_name, at) => names.slice(0, at + 1).join('/'));
}
