import type { InputFile, InputRefusal } from '../../../../contract/input.ts';
import type { Db } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/drizzle.ts';

/** An entry of a base tree. `reason`: it is no file of a run. */
export type BaseNeighbour = { path: string; kind: InputFile['kind']; reason: InputRefusal | null };

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
  // The index has the beginnings of keys: a whole one may be too long for it.
  const start = sql.raw('left(path_key(files.path), 600) COLLATE "C"');
  const key = sql.raw('path_key(files.path) COLLATE "C"');
  const base = sql`(SELECT base_id FROM input_sets WHERE id = ${setId})`;
  const { rows } = await db.execute<BaseNeighbour>(sql`SELECT ${columns} FROM git_base_files AS files WHERE files.base_id = ${base}
      AND ${start} = ANY(ARRAY(SELECT left(path_key(one), 600) FROM unnest(${around}) AS one))
      AND ${key} = ANY(ARRAY(SELECT path_key(one) FROM unnest(${around}) AS one))
    UNION SELECT below.* FROM unnest(${given}) AS one, LATERAL (SELECT ${columns} FROM git_base_files AS files WHERE files.base_id = ${base}
      AND ${start} >= left(path_key(one) || '/', 600) AND ${start} <= left(path_key(one) || '0', 600)
      AND ${key} > path_key(one) || '/' AND ${key} < path_key(one) || '0'
      LIMIT ${maxBelow}::integer) AS below`);
  return rows;
}

function withFolders(path: string): string[] {
  const names = path.split('/');
  return names.map((_name, at) => names.slice(0, at + 1).join('/'));
}
