import type { Migration } from '../migrate.ts';

/** What migrations make, by name. A shared database may hold other things in the same schema: nobody touches those. */
export type Made = { tables: string[]; functions: string[]; types: string[]; sequences: string[]; views: string[] };

/** Reads it out of their SQL. */
export function madeBy(migrations: readonly Migration[]): Made {
  const made: Made = { tables: [], functions: [], types: [], sequences: [], views: [] };
  for (const { sql } of migrations) {
    for (const [, kind = '', name = ''] of sql.matchAll(creation)) {
      const list = made[listOf[kind.toLowerCase()] ?? 'tables'];
      if (!list.includes(name)) list.push(name);
    }
  }
  return made;
}

const creation =
  /^\s*CREATE\s+(?:OR\s+REPLACE\s+)?(?:UNLOGGED\s+)?(TABLE|FUNCTION|TYPE|SEQUENCE|VIEW)\s+(?:IF\s+NOT\s+EXISTS\s+)?"?(\w+)"?/gim;

const listOf: Record<string, keyof Made> = { table: 'tables', function: 'functions', type: 'types', sequence: 'sequences', view: 'views' };

/**
 * Tables whose rows mean something only while servers run: counters of attempts, and who is serving now. Sessions and the answers kept
 * for repeated writes are not among them: whoever moves a server logs nobody out and does nothing twice.
 */
export const runtimeTables: readonly string[] = ['rate_limits', 'nodes'];
