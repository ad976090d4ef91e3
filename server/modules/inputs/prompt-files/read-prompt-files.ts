import type { Db } from '../../../platform/database/database.ts';
import { and, asc, eq, type SQL, sql } from '../../../platform/database/drizzle.ts';
import { filesOfSets } from '../tables.ts';
import { type FolderLine, maxTreeBytes } from './folder-tree.ts';
import { namesIn } from './named-paths.ts';
import { guideNames, lineBytes, promptBudget } from './plan-prompt-files.ts';

/**
 * Reads the files of a set from which its prompts are planned, and counts all. `folders`: those that have files, where the files are too many for a
 * list; then only those of a user, those with a name in the task, and guides are read.
 */
export async function readPromptFiles(db: Db, id: string, task: string) {
  const { rows: counted } = await db.execute<{
    count: number;
    own: number;
    all: string;
    git: string;
  }>(sql`SELECT count(*)::integer AS count,
      count(*) FILTER (WHERE source <> 'git')::integer AS own, coalesce(sum(bytes), 0) AS all,
      coalesce(sum(bytes) FILTER (WHERE source = 'git'), 0) AS git
    FROM (SELECT source, octet_length(path) + ${lineBytes}::integer AS bytes FROM files_of_sets WHERE set_id = ${id}) AS lines`);
  const { count = 0, own = 0, all = '0', git = '0' } = counted[0] ?? {};
  const hasMany = own > promptBudget.given;
  if (Number(hasMany ? all : git) <= maxTreeBytes) return { files: await readFiles(db, id), folders: null, count };
  const names = sql`SELECT path_key(one) FROM unnest(${sql.param([...guideNames, ...namesIn(task)])}::text[]) AS one`;
  const isRead = sql`(source <> 'git' OR path_key(right(path, strpos(reverse('/' || path), '/') - 1)) IN (${names}))`;
  const [files, folders] = await Promise.all([readFiles(db, id, isRead), readFolders(db, id, hasMany)]);
  return { files, folders, count };
}

function readFiles(db: Db, id: string, condition?: SQL) {
  const { path, mime, kind, source, bytes, encoding, replaced, sha256 } = filesOfSets;
  return db
    .select({ path, mime, kind, source, bytes, encoding, replaced, sha256, textBytes: lengthOfText })
    .from(filesOfSets)
    .where(and(eq(filesOfSets.setId, id), condition))
    .orderBy(asc(path));
}

/** Returns the folders that have files themselves, of a repository or of all. */
async function readFolders(db: Db, id: string, withOwn: boolean): Promise<FolderLine[]> {
  const { rows } = await db.execute<FolderLine>(sql`SELECT left(path, length(path) - strpos(reverse('/' || path), '/') + 1) AS path,
    count(*)::integer AS files FROM files_of_sets WHERE set_id = ${id} AND (source = 'git' OR ${withOwn}) GROUP BY 1`);
  return rows;
}

/** The bytes of a text; null for none. Of a base it is that of its file, unless it was drawn out of a document: no blob is read for it. */
const lengthOfText = sql<number | null>`CASE WHEN ${filesOfSets.source} = 'git' AND ${filesOfSets.kind} = 'text' THEN ${filesOfSets.bytes}
  ELSE octet_length(${filesOfSets.text}) END`;
