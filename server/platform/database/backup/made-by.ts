import type { Migration } from '../migrate.ts';

/** What migrations make and do not take away again, by name. A shared database may hold other things in the same schema: nobody touches those. */
export type Made = {
  tables: string[];
  functions: string[];
  types: string[];
  sequences: string[];
  views: string[];
  droppedTables: string[];
};

/** Reads it out of their SQL. */
export function madeBy(migrations: readonly Migration[]): Made {
  const made: Made = { tables: [], functions: [], types: [], sequences: [], views: [], droppedTables: [] };
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

const listOf: Record<string, Exclude<keyof Made, 'droppedTables'>> = {
  table: 'tables',
  function: 'functions',
  type: 'types',
  sequence: 'sequences',
  view: 'views',
};

/**
 * Tables whose rows mean something only while servers run: counters of attempts. Sessions and the answers kept for repeated writes are not
 * among them: an operator who moves a server signs no user out and does nothing twice.
 */
export const runtimeTables: readonly string[] = ['rate_limits'];
