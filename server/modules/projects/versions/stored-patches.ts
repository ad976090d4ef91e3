import { type SQL, sql } from '../../../platform/database/drizzle.ts';

/** The shortest patches that are stored as a text (bytes of JSON). */
const textBytes = 64 * 1024;

/**
 * SQL of the jsonb value under which patches are stored, from their JSON text: a list, or for long ones a jsonb string that holds the text.
 * PostgreSQL takes longer to convert the patches of a whole canvas into jsonb than to write its records. They are converted when they are read.
 */
export function storedPatches(text: string): string {
  return `CASE WHEN octet_length(${text}) >= ${textBytes} THEN to_jsonb(${text}) ELSE ${text}::jsonb END`;
}

/** The records of stored patches: rows of `collection`, `id`, `value`; null for a removed record. */
export function recordsOfStored(patches: SQL): SQL {
  return sql`jsonb_to_recordset(CASE jsonb_typeof(${patches}) WHEN 'string' THEN (${patches} #>> '{}')::jsonb ELSE ${patches} END)
    AS one (collection text, id text, value jsonb)`;
}
