import type { Migration } from '../migrate.ts';

/** The names of what migrations create and do not drop. Other objects in the same schema are never touched. */
type CreatedObjects = {
  tables: string[];
  functions: string[];
  types: string[];
  sequences: string[];
  views: string[];
  droppedTables: string[];
};

/** Reads these names from the migrations' SQL. */
export function readCreatedObjects(migrations: readonly Migration[]): CreatedObjects {
  const made: CreatedObjects = { tables: [], functions: [], types: [], sequences: [], views: [], droppedTables: [] };
  for (const { sql } of migrations) {
    for (const [, kind = '', name = ''] of sql.matchAll(creation)) {
      const list = made[listOf[kind.toLowerCase()] ?? 'tables'];
      if (!list.includes(name)) list.push(name);
    }
    for (const [, name = ''] of sql.matchAll(/^[ \t]*DROP TABLE (?:IF EXISTS )?"?(\w+)/gim)) {
      made.tables = made.tables.filter((table) => table !== name);
      made.droppedTables.push(name);
    }
  }
  return made;
}

const creation = /^[ \t]*CREATE (?:OR REPLACE )?(?:UNLOGGED )?(TABLE|FUNCTION|TYPE|SEQUENCE|VIEW) (?:IF NOT EXISTS )?"?(\w+)/gim;

const listOf: Record<string, Exclude<keyof CreatedObjects, 'droppedTables'>> = {
  table: 'tables',
  function: 'functions',
  type: 'types',
  sequence: 'sequences',
  view: 'views',
};

/**
 * Tables that matter only while servers run: counters of attempts. Sessions and idempotent responses are not among
 * them: moving a server signs no user out and repeats no write.
 */
export const runtimeTables: readonly string[] = ['rate_limits'];
