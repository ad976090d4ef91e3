import { type PgColumn, type SQL, sql } from '../../../platform/database/drizzle.ts';

/** The beginning of a path's key, as the index `git_base_files_key` has it: a whole key may be too long for an index. */
export function keyStart(key: SQL): SQL {
  return sql`left(${key}, 600) COLLATE "C"`;
}

/** What a path has in common with all its spellings, in any case and normal form. */
export function keyOf(path: SQL | SQL.Aliased | PgColumn | string): SQL {
  return sql`path_key(${path})`;
}
