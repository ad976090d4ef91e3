import type { InputRefusal } from '../../../../contract/input.ts';
import type { Db } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/drizzle.ts';
import { builderSql } from '../../../platform/database/statement.ts';
import { distinct, mapRows, recordset, type UniqueRows } from '../../../platform/database/unique-rows.ts';
import type { OwnerId } from '../../../platform/owner-id.ts';
import type { ReadFile } from '../read-input-file.ts';
import { gitBlobs } from '../tables.ts';

export type StoredBlob = Omit<ReadFile, 'path' | 'executable'> & { oid: string; reason: InputRefusal | null };

/** A file of a base before it is stored. `mime`: that of the file if it is text. `reason`: why it is no file of a run. */
export type BaseEntry = { path: string; oid: string | null; executable: boolean; mime: string; reason: InputRefusal | null };

/** Files that are written by one statement. */
const batch = 2_000;

/** The trees of repositories of one account, and their blobs. */
export function gitBases(db: Db, userId: OwnerId) {
  return {
    /** Returns the base with this tree; null without one. It stays until the end of the transaction. */
    find: async (tree: string, paths: string): Promise<string | null> => {
      const { rows } = await db.execute<{ id: string }>(
        sql`SELECT id FROM git_bases WHERE user_id = ${userId} AND tree = ${tree} AND paths = ${paths} FOR KEY SHARE`,
      );
      return rows[0]?.id ?? null;
    },

    /** Returns which of these blobs are not stored. Those that are will not be removed for an hour. */
    missing: async (oids: readonly string[]): Promise<string[]> => {
      const given = sql`${sql.param([...oids])}::text[]`;
      await db.execute(sql`UPDATE git_blobs SET created_at = now() WHERE user_id = ${userId} AND oid = ANY(${given})
        AND created_at < now() - interval '1 hour'
        AND NOT EXISTS (SELECT 1 FROM git_base_files AS files WHERE files.user_id = ${userId} AND files.oid = git_blobs.oid)`);
      const { rows } = await db.execute<{ oid: string }>(sql`SELECT oid FROM git_blobs WHERE user_id = ${userId} AND oid = ANY(${given})`);
      const known = new Set(rows.map(({ oid }) => oid));
      return oids.filter((oid) => !known.has(oid));
    },

    putBlobs: async (blobs: UniqueRows<StoredBlob>): Promise<void> => {
      if (blobs.length === 0) return;
      await db
        .insert(gitBlobs)
        .values(mapRows(blobs, (blob) => ({ ...blob, userId })))
        .onConflictDoNothing();
    },

    /** Stores a base whose blobs are stored. Returns its bytes; null when a blob has gone meanwhile. */
    add: async (base: { id: string; tree: string; paths: string }, files: UniqueRows<BaseEntry>): Promise<number | null> => {
      const { id, tree, paths } = base;
      await db.execute(
        sql`INSERT INTO git_bases (id, user_id, tree, paths, files) VALUES (${id}, ${userId}, ${tree}, ${paths}, ${files.length})`,
      );
      for (let at = 0; at < files.length; at += batch) {
        const given = distinct(files.slice(at, at + batch), ({ path }) => path);
        const shape = 'path text, oid text, executable boolean, mime text, reason text';
        await db.execute(sql`INSERT INTO git_base_files
            (base_id, path, user_id, oid, executable, bytes, sha256, kind, mime, encoding, replaced, reason)
          SELECT ${id}, given.path, ${userId}, blobs.oid, given.executable, coalesce(blobs.bytes, 0), coalesce(blobs.sha256, ''),
            coalesce(blobs.kind, 'binary'), CASE WHEN blobs.kind = 'text' THEN given.mime ELSE coalesce(blobs.mime, given.mime) END,
            blobs.encoding, coalesce(blobs.replaced, 0), coalesce(given.reason, blobs.reason)
          FROM ${builderSql((place) => recordset(given, { name: 'given', shape, place }))}
          LEFT JOIN git_blobs AS blobs ON blobs.user_id = ${userId} AND blobs.oid = given.oid`);
      }
      const { rows } = await db.execute<{ bytes: string; lost: number }>(
        sql`SELECT coalesce(sum(bytes) FILTER (WHERE reason IS NULL), 0) AS bytes,
          count(*) FILTER (WHERE oid IS NULL AND reason IS NULL)::integer AS lost FROM git_base_files WHERE base_id = ${id}`,
      );
      return rows[0]?.lost === 0 ? Number(rows[0].bytes) : null;
    },

    /** Returns the first entries of a base that are no files of a run, by path. */
    leftOut: async (id: string, max: number): Promise<{ path: string; reason: InputRefusal }[]> => {
      const { rows } = await db.execute<{ path: string; reason: InputRefusal }>(
        sql`SELECT path, reason FROM git_base_files WHERE base_id = ${id} AND reason IS NOT NULL ORDER BY path LIMIT ${max}`,
      );
      return rows;
    },
  };
}
