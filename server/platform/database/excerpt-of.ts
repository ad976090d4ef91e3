import { type SQL, sql } from 'drizzle-orm';

/**
 * Selects the beginning of a text, and whether there is more. PostgreSQL reads no more of a long text than the beginning: the length in
 * bytes is stored beside it.
 */
export function excerptOf(text: SQL<string | null>, maxLength: number): { excerpt: SQL<string | null>; isCut: SQL<boolean> } {
  const excerpt = sql<string | null>`left(${text}, ${sql.raw(String(maxLength))})`;
  return { excerpt, isCut: sql<boolean>`coalesce(octet_length(${text}) > octet_length(${excerpt}), false)` };
}
