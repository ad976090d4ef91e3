import type { Db } from '../../platform/database/database.ts';
import { and, eq, isNotNull, sql } from '../../platform/database/drizzle.ts';
import { keepLineEnds } from '../files/index.ts';
import { replacedGitFiles, filesOfSets as table } from './tables.ts';
import { readText } from './text/read-text.ts';
import { type EncodedText, writeBack } from './text/write-back.ts';

/** A version of a file in bytes, with those of the file that it replaces. `after` is null when the file's encoding cannot hold it. */
export type EncodedVersion = { before: Buffer; after: Buffer | null };

/**
 * Encodes written files as the files that they replace, where those are not plain UTF-8. Where a user has replaced a file of the repository, the
 * repository's version decides: a patch and a commit are against that one. Returns them by path.
 */
export async function encodeWritten(
  db: Db,
  setId: string,
  written: readonly { path: string; content: string }[],
): Promise<Map<string, EncodedVersion>> {
  if (written.length === 0) return new Map();
  const paths = sql.param(written.map(({ path }) => path));
  const columns = ({ path, kind, text, content, encoding }: typeof table | typeof replacedGitFiles) => ({
    path,
    kind,
    text,
    content,
    encoding,
  });
  const [given, replaced] = await Promise.all([
    db
      .select(columns(table))
      .from(table)
      .where(and(eq(table.setId, setId), eq(table.kind, 'text'), isNotNull(table.content), sql`${table.path} = ANY(${paths}::text[])`)),
    db
      .select(columns(replacedGitFiles))
      .from(replacedGitFiles)
      .where(and(eq(replacedGitFiles.setId, setId), sql`${replacedGitFiles.path} = ANY(${paths}::text[])`)),
  ]);
  const originals = new Map([...given, ...replaced].map(({ path, ...file }) => [path, encodedOf(file)]));
  return new Map(
    written.flatMap(({ path, content }) => {
      const original = originals.get(path);
      return original ? [[path, { before: original.bytes, after: writeBack(original, keepLineEnds(original.text, content)) }]] : [];
    }),
  );
}

type Row = Pick<typeof table.$inferSelect, 'kind' | 'text' | 'content' | 'encoding'>;

/** A node of an earlier version copies a set without the encodings: then the bytes are read again. */
function encodedOf({ kind, text, content, encoding: stored }: Row): EncodedText | null {
  if (kind !== 'text' || text === null || content === null) return null;
  const encoding = stored ?? readText(content)?.encoding ?? null;
  return encoding === null ? null : { bytes: content, text, encoding };
}
