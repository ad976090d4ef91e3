import { type SQL, sql } from './drizzle.ts';

/**
 * Selects the beginning of a text, and whether there is more. PostgreSQL reads only the beginning of a long text: its length in
 * bytes is stored beside it.
 */
export function excerptOf(text: SQL<string | null>, maxLength: number): { excerpt: SQL<string | null>; isCut: SQL<boolean> } {
  const excerpt = sql<string | null>`left(${text}, ${sql.raw(String(maxLength))})`;
  return { excerpt, isCut: sql<boolean>`coalesce(octet_length(${text}) > octet_length(${excerpt}), false)` };
}
