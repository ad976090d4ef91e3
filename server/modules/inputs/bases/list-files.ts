import type { z } from 'zod';
import { type InputFile, type InputFilesPage, type InputRefusal, type inputFilesQuery, inputLimits } from '../../../../contract/input.ts';
import { writtenWords } from '../../../../rules/text/search-key.ts';
import type { Language } from '../../../http/call.ts';
import { translate } from '../../../http/language.ts';
import type { Db } from '../../../platform/database/database.ts';
import { type SQL, sql } from '../../../platform/database/drizzle.ts';
import { shownPath } from '../../files/index.ts';
import type { InputSetRow } from '../repository.ts';

export type FilesQuery = z.output<typeof inputFilesQuery>;

/** `reason`: why the file is known by its name only; null for a file of the set. */
type Entry = InputFile & { reason: InputRefusal | null };
type Name = { name: string; isFolder: boolean; count: number };

const pageSize = inputLimits.listedOfBase;

/** Returns a page of the files of a set: of what its user has added, of its base, and of what was left out. C6.04 */
export async function listFiles(db: Db, set: InputSetRow, query: FilesQuery, language: Language): Promise<InputFilesPage> {
  const { folder, search, after } = query;
  if (search !== '' || after === undefined) {
    const words = writtenWords(search).map((word) => sql`position(search_key(${word}) IN search_key(path)) > 0`);
    const behind = after === undefined ? [] : [sql`path > ${after}`];
    const found = await readEntries(db, set, [...below(folder), ...words, ...behind]);
    if (search !== '' || found.length <= pageSize) return toPage([], found, language);
  }
  const names = await readNames(db, set, folder, after);
  const shown = names.slice(0, pageSize);
  const paths = shown.filter(({ isFolder }) => !isFolder).map(({ name }) => `${folder}${name}`);
  const files = paths.length === 0 ? [] : await readEntries(db, set, [sql`path = ANY(${sql.param(paths)}::text[])`]);
  const folders = shown.filter(({ isFolder }) => isFolder).map(({ name, count }) => ({ path: `${folder}${name}/`, count }));
  const last = names.length > pageSize ? shown.at(-1) : undefined;
  return { ...toPage(folders, files, language), next: last ? `${folder}${last.name}${last.isFolder ? '/' : ''}` : null };
}

/** All entries of a set, in one collation, so that the index of paths serves ranges and order. A file of its user hides what else has its path. */
function entriesOf({ id, baseId }: InputSetRow): SQL {
  const columns = sql.raw('path, mime, bytes, sha256, kind, encoding, replaced');
  const isHidden = sql`EXISTS (SELECT 1 FROM input_files AS own WHERE own.set_id = ${id} AND own.path = files.path)`;
  const isReplaced = sql`EXISTS (SELECT 1 FROM replaced_git_files AS gone WHERE gone.set_id = ${id} AND gone.path = files.path)`;
  return sql`(SELECT ${columns}, source AS from, NULL AS reason FROM input_files WHERE set_id = ${id}
    UNION ALL SELECT ${columns}, 'git', reason FROM git_base_files AS files
      WHERE base_id = ${baseId}::uuid AND NOT ${isHidden} AND (reason IS NOT NULL OR NOT ${isReplaced})
    UNION ALL SELECT path COLLATE "C", '', 0, '', 'binary', NULL, 0, files.from, reason FROM input_sets,
        jsonb_to_recordset(left_out) AS files(path text, reason text, "from" text)
      WHERE id = ${id} AND left_out IS NOT NULL AND NOT ${isHidden}) AS entries`;
}

/** The conditions of a path below a folder: a range of the index of paths. */
function below(folder: string): SQL[] {
  return folder === '' ? [] : [sql`path > ${folder}`, sql`path < ${`${folder.slice(0, -1)}0`}`];
}

/** Returns the first entries by path, one more than a page has. */
async function readEntries(db: Db, set: InputSetRow, conditions: SQL[]): Promise<Entry[]> {
  const where = sql.join([sql`true`, ...conditions], sql` AND `);
  const { rows } = await db.execute<Entry>(sql`SELECT * FROM ${entriesOf(set)} WHERE ${where} ORDER BY path LIMIT ${pageSize + 1}`);
  return rows;
}

/** Returns the folders and then the files of a folder, by name, one more than a page has. `after`: the path of the last one of the page before. */
async function readNames(db: Db, set: InputSetRow, folder: string, after: string | undefined): Promise<Name[]> {
  const where = sql.join([sql`true`, ...below(folder)], sql` AND `);
  const rest = after?.slice(folder.length) ?? '';
  const last = sql`(${rest.endsWith('/') ? 0 : 1}, ${rest.replace(/\/$/, '')})`;
  const { rows } = await db.execute<Name>(sql`SELECT name COLLATE "C" AS name, is_folder AS "isFolder", count(*)::integer AS count
    FROM (SELECT split_part(rest, '/', 1) AS name, position('/' IN rest) > 0 AS is_folder
      FROM (SELECT substr(path, length(${folder}::text) + 1) AS rest FROM ${entriesOf(set)} WHERE ${where}) AS below) AS names
    ${after === undefined ? sql`` : sql`WHERE (CASE WHEN is_folder THEN 0 ELSE 1 END, name COLLATE "C") > ${last}`}
    GROUP BY 1, 2 ORDER BY is_folder DESC, name COLLATE "C" LIMIT ${pageSize + 1}`);
  return rows;
}

function toPage(folders: InputFilesPage['folders'], found: readonly Entry[], language: Language): InputFilesPage {
  const shown = found.slice(0, pageSize);
  const last = found.length > pageSize ? shown.at(-1) : undefined;
  return {
    folders,
    files: shown.flatMap(({ reason, ...file }) => (reason === null ? [file] : [])),
    leftOut: shown.flatMap(({ path, reason }) =>
      reason === null ? [] : [{ path, reason, message: translate(language, `input.${reason}`, { other: shownPath(path) }) }],
    ),
    next: last?.path ?? null,
  };
}
