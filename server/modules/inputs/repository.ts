import type { GitSource, InputFile } from '../../../contract/input.ts';
import type { Db } from '../../platform/database/database.ts';
import { and, asc, eq, isNull, sql } from '../../platform/database/drizzle.ts';
import { mapRows, type UniqueRows } from '../../platform/database/unique-rows.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { leastBytes } from './input-set-limits.ts';
import type { ReadFile } from './read-input-file.ts';
import { type FollowedRun, filesOfSets, inputFiles, inputSets, type LeftOutFile } from './tables.ts';

export type InputSetRow = typeof inputSets.$inferSelect;

/** More files that a set does not have are not kept. Those of a repository are fewer, and come first. */
const maxLeftOut = 4_000;

/** A file that is stored, without its content. */
export type StoredFile = { path: string; bytes: number; sha256: string; from: InputFile['from'] };

const { setId, path, mime, kind, source, bytes, sha256, encoding, replaced } = inputFiles;
const withoutSet = sql.raw('path, mime, kind, bytes, sha256, executable, content, text, encoding, replaced');
const columns = sql`set_id, ${withoutSet}`;

/** The sets of files that users give to runs. */
export class InputRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async add(row: { id: string; userId: OwnerId; projectId: string; startsUntil?: Date }): Promise<InputSetRow> {
    const [added] = await this.#db.insert(inputSets).values(row).returning();
    return added as InputSetRow;
  }

  async find(userId: OwnerId, id: string): Promise<InputSetRow | null> {
    const [row] = await this.#db.select().from(inputSets).where(own(userId, id));
    return row ?? null;
  }

  /** Returns a set and locks it until the end of the transaction. */
  async lock(userId: OwnerId, id: string): Promise<InputSetRow | null> {
    const [row] = await this.#db.select().from(inputSets).where(own(userId, id)).for('update');
    return row ?? null;
  }

  async removeUnsent(userId: OwnerId, id: string): Promise<void> {
    await this.#db.delete(inputSets).where(and(own(userId, id), isNull(inputSets.sealedAt)));
  }

  /** Counts the sets of an account that no run has used, and the bytes of their files. */
  async unsent(userId: OwnerId): Promise<{ sets: number; bytes: number }> {
    const [row] = await this.#db
      .select({
        sets: sql<number>`count(DISTINCT ${inputSets.id})::integer`,
        bytes: sql<string>`coalesce(sum(greatest(${bytes}, ${leastBytes}::integer)), 0) + (SELECT coalesce(sum(replaced.bytes), 0) FROM replaced_git_files AS replaced
            JOIN input_sets AS unsent ON unsent.id = replaced.set_id WHERE unsent.user_id = ${userId} AND unsent.sealed_at IS NULL AND unsent.starts_until IS NULL)`,
      })
      .from(inputSets)
      .leftJoin(inputFiles, eq(setId, inputSets.id))
      .where(and(eq(inputSets.userId, userId), isNull(inputSets.sealedAt), isNull(inputSets.startsUntil)));
    return { sets: row?.sets ?? 0, bytes: Number(row?.bytes ?? 0) };
  }

  /** Returns the files that the set itself has, by path: all but those of its base. */
  ownFiles(id: string): Promise<InputFile[]> {
    return this.#db
      .select({ path, mime, bytes, sha256, kind, encoding, replaced, from: source })
      .from(inputFiles)
      .where(eq(setId, id))
      .orderBy(asc(path));
  }

  /** Returns the first files that the set itself has, those that were added one by one before others, and how many it has in all, with their bytes. */
  async listedFiles(id: string, max: number): Promise<{ files: InputFile[]; count: number; bytes: number }> {
    const files = await this.#db
      .select({ path, mime, bytes, sha256, kind, encoding, replaced, from: source })
      .from(inputFiles)
      .where(eq(setId, id))
      .orderBy(sql`${source} <> 'file'`, asc(path))
      .limit(max);
    if (files.length < max) return { files: byPath(files), count: files.length, bytes: files.reduce((sum, file) => sum + file.bytes, 0) };
    const { rows } = await this.#db.execute<{ count: number; bytes: string }>(
      sql`SELECT count(*)::integer AS count, coalesce(sum(bytes), 0) AS bytes FROM input_files WHERE set_id = ${id}`,
    );
    return { files: byPath(files), count: rows[0]?.count ?? 0, bytes: Number(rows[0]?.bytes ?? 0) };
  }

  /** Returns the first files of the set's base by path, and how many files the set has in all, with their bytes. */
  async baseFiles(id: string, max: number): Promise<{ files: InputFile[]; count: number; bytes: number }> {
    const of = filesOfSets;
    const columns = { path: of.path, mime: of.mime, bytes: of.bytes, sha256: of.sha256, kind: of.kind, encoding: of.encoding };
    const files = await this.#db
      .select({ ...columns, replaced: of.replaced, from: of.source })
      .from(of)
      .where(and(eq(of.setId, id), sql`${of.path} NOT IN (SELECT path FROM input_files WHERE set_id = ${id})`))
      .orderBy(asc(of.path))
      .limit(max);
    const { rows } = await this.#db.execute<{ count: number; bytes: string }>(
      sql`SELECT count(*)::integer AS count, coalesce(sum(bytes), 0) AS bytes FROM files_of_sets WHERE set_id = ${id}`,
    );
    return { files, count: rows[0]?.count ?? 0, bytes: Number(rows[0]?.bytes ?? 0) };
  }

  /** Returns the paths of the set's base; none without one. */
  async basePaths(id: string): Promise<string[]> {
    const { rows } = await this.#db.execute<{ path: string }>(sql`SELECT files.path FROM input_sets AS sets
        JOIN git_base_files AS files ON files.base_id = sets.base_id WHERE sets.id = ${id} AND files.reason IS NULL`);
    return rows.map((row) => row.path);
  }

  /**
   * Makes a base the set's own. What its user has added stays, also at a path of the base or beside another spelling of one: that file of the
   * base is behind it. Returns the paths of those whose content differs.
   */
  async setBase(id: string, base: string, git: GitSource, hidden: readonly string[]): Promise<string[]> {
    await this.#db.update(inputSets).set({ git, baseId: base }).where(eq(inputSets.id, id));
    const own = sql`(SELECT path FROM input_files WHERE set_id = ${id})`;
    const { rows } = await this.#db.execute<{ path: string }>(sql`SELECT own.path FROM input_files AS own
        JOIN git_base_files AS files ON files.base_id = ${base} AND files.path = own.path AND files.reason IS NULL
        WHERE own.set_id = ${id} AND own.sha256 <> files.sha256 ORDER BY own.path`);
    await this.#db.execute(sql`INSERT INTO replaced_git_files (${columns}) SELECT ${columns} FROM files_of_sets
        WHERE set_id = ${id} AND source = 'git' AND (path IN ${own} OR path = ANY(${sql.param([...hidden])}::text[]))`);
    return rows.map((row) => row.path);
  }

  /** Returns the bytes that the files of a set take, with those of the repository that they have replaced. */
  async storedBytes(id: string): Promise<number> {
    const lengths = sql.raw('coalesce(octet_length(content), 0) + coalesce(octet_length(text), 0)');
    const { rows } = await this.#db.execute<{ bytes: string }>(sql`SELECT coalesce(sum(bytes), 0) AS bytes FROM (
        SELECT ${lengths} AS bytes FROM input_files WHERE set_id = ${id}
        UNION ALL SELECT ${lengths} FROM replaced_git_files WHERE set_id = ${id}) AS files`);
    return Number(rows[0]?.bytes ?? 0);
  }

  async text(id: string, of: string): Promise<string | null> {
    const [row] = await this.#db
      .select({ text: filesOfSets.text })
      .from(filesOfSets)
      .where(and(eq(filesOfSets.setId, id), eq(filesOfSets.path, of)));
    return row?.text ?? null;
  }

  /** Stores files, in the place of those with the same paths. An uploaded file has no mode: it keeps that of the one there. */
  async put(id: string, from: InputFile['from'], files: UniqueRows<ReadFile>): Promise<void> {
    if (files.length === 0) return;
    if (from !== 'git') {
      await this.#keepReplaced(
        id,
        files.map((file) => file.path),
      );
    }
    const rows = mapRows(files, (file) => ({ ...file, setId: id, source: from }));
    const given = (name: string) => sql.raw(`excluded.${name}`);
    await this.#db
      .insert(inputFiles)
      .values(rows)
      .onConflictDoUpdate({
        target: [setId, path],
        set: {
          mime: given('mime'),
          kind: given('kind'),
          source: given('source'),
          bytes: given('bytes'),
          sha256: given('sha256'),
          encoding: given('encoding'),
          replaced: given('replaced'),
          executable: sql`excluded.executable OR input_files.executable`,
          content: given('content'),
          text: given('text'),
        },
      });
    if (from === 'git') return;
    await this.#db.execute(sql`UPDATE input_files SET executable = true FROM replaced_git_files AS replaced
        WHERE input_files.set_id = ${id} AND replaced.set_id = ${id} AND replaced.path = input_files.path AND replaced.executable
          AND input_files.path = ANY(${sql.param(files.map((file) => file.path))}::text[])`);
  }

  /** Removes a file. The one of the repository that it has replaced comes back. */
  async remove(id: string, of: string): Promise<void> {
    await this.#keepReplaced(id, [of]);
    const [removed] = await this.#db
      .delete(inputFiles)
      .where(and(eq(setId, id), eq(path, of)))
      .returning({ source });
    if (removed && removed.source !== 'git') await this.#restoreReplaced(id, of);
  }

  /** Keeps which files the set does not have; those that are known stay. */
  async putLeftOut({ id, leftOut }: InputSetRow, added: readonly LeftOutFile[]): Promise<void> {
    if (added.length === 0) return;
    const all = new Map([...(leftOut ?? []), ...added].map((one) => [`${one.from} ${one.path}`, one]));
    const kept = [...all.values()].toSorted((one, other) => Number(other.from === 'git') - Number(one.from === 'git'));
    await this.#db
      .update(inputSets)
      .set({ leftOut: kept.slice(0, maxLeftOut) })
      .where(eq(inputSets.id, id));
  }

  /** Copies the files of a set, and what is known of its repository, into an empty one. Returns that one. */
  async copy(from: InputSetRow, { id }: InputSetRow, withoutRepository: boolean): Promise<InputSetRow> {
    await this.#db.execute(sql`INSERT INTO input_files (${columns}, source)
        SELECT ${id}::uuid, ${withoutSet}, source FROM input_files WHERE set_id = ${from.id} AND (source <> 'git' OR ${!withoutRepository})`);
    const leftOut = from.leftOut?.filter((one) => !withoutRepository || one.from !== 'git') ?? null;
    if (!withoutRepository)
      await this.#db.execute(sql`INSERT INTO replaced_git_files (${columns})
          SELECT ${id}::uuid, ${withoutSet} FROM replaced_git_files WHERE set_id = ${from.id}`);
    const [copied] = await this.#db
      .update(inputSets)
      .set({
        git: withoutRepository ? null : from.git,
        baseId: withoutRepository ? null : from.baseId,
        follows: withoutRepository ? null : from.follows,
        leftOut,
      })
      .where(eq(inputSets.id, id))
      .returning();
    return copied as InputSetRow;
  }

  async setFollows(id: string, follows: FollowedRun): Promise<void> {
    await this.#db.update(inputSets).set({ follows }).where(eq(inputSets.id, id));
  }

  /** Keeps the repository's versions of files that are about to be replaced or removed. */
  async #keepReplaced(id: string, paths: readonly string[]): Promise<void> {
    await this.#db.execute(sql`INSERT INTO replaced_git_files (${columns}) SELECT ${columns} FROM files_of_sets
      WHERE set_id = ${id} AND source = 'git' AND path = ANY(${sql.param([...paths])}::text[]) ON CONFLICT DO NOTHING`);
  }

  /** Puts the repository's version of a file back into the set. One of its base is there as soon as it is not replaced. */
  async #restoreReplaced(id: string, of: string): Promise<void> {
    await this.#db.execute(sql`WITH restored AS (DELETE FROM replaced_git_files WHERE set_id = ${id} AND path = ${of} RETURNING *)
      INSERT INTO input_files (${columns}, source) SELECT ${columns}, 'git' FROM restored
      WHERE NOT EXISTS (SELECT 1 FROM input_sets WHERE id = ${id} AND base_id IS NOT NULL)`);
  }
}

function own(userId: OwnerId, id: string) {
  return and(eq(inputSets.id, id), eq(inputSets.userId, userId));
}

/** The order of the bytes, as that of the database. */
export function byPath<T extends { path: string }>(files: readonly T[]): T[] {
  return files.toSorted((one, other) => Buffer.compare(Buffer.from(one.path), Buffer.from(other.path)));
}
