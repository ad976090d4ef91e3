import { inputLimits } from '../../../contract/input.ts';
import type { Db } from '../../platform/database/database.ts';
import { and, asc, count, eq, sql } from '../../platform/database/drizzle.ts';
import type { Place } from '../../platform/database/statement.ts';
import type { ModelImage, PromptFiles } from '../../platform/llm/language-model.ts';
import { filesOfSets, inputSets } from './tables.ts';

/**
 * The part of a run's files that goes into the prompt of each step: the names of the first 300, and the texts of at most 40. A text has at
 * most 16 KiB, all together 48 KiB; both are taken in the order of paths. Agents read the rest by tools. Images have at most 6 MiB
 * together; those of a repository are not shown.
 */
export const promptBudget = { names: 300, texts: 40, textBytes: 16 * 1024, bytes: 48 * 1024, imageBytes: 6 * 1024 * 1024 };

type SetOfRun = { userId: string; projectId: string; setId: string };

/** What executions need of the files that users give to them. */
export function inputsOfRuns(db: Db) {
  const { setId, path, mime, kind, source, bytes, sha256, content, text, encoding, replaced } = filesOfSets;
  /** Steps of a run, and runs of one set, share its images as long as one of them needs them: they are long. A sealed set does not change. */
  const shared = new Map<string, WeakRef<ModelImage[]>>();
  const reading = new Map<string, Promise<ModelImage[]>>();
  const gone = new FinalizationRegistry<string>((id) => {
    if (shared.get(id)?.deref() === undefined) shared.delete(id);
  });
  const imagesOf = (id: string): Promise<ModelImage[]> => {
    const known = shared.get(id)?.deref();
    if (known) return Promise.resolve(known);
    const begun = reading.get(id);
    if (begun) return begun;
    const read = readImages(id).finally(() => reading.delete(id));
    reading.set(id, read);
    return read;
  };
  const readImages = async (id: string): Promise<ModelImage[]> => {
    const rows = await db
      .select({ mime, content })
      .from(filesOfSets)
      .where(
        and(
          eq(setId, id),
          sql`${path} IN (SELECT path FROM (SELECT path, sum(bytes) OVER (ORDER BY path) AS total FROM files_of_sets
            WHERE set_id = ${id} AND kind = 'image' AND source <> 'git' ORDER BY path LIMIT ${inputLimits.image.count}) AS running
            WHERE total <= ${promptBudget.imageBytes})`,
        ),
      )
      .orderBy(asc(path));
    const images = rows.map(toModelImage);
    shared.set(id, new WeakRef(images));
    gone.register(images, id);
    return images;
  };

  return {
    /** Returns the set if it is the user's, in the project, and else null. `repository`: the address of the one that its files come from. */
    find: async ({ userId, projectId, setId: id }: SetOfRun): Promise<{ repository: string | null } | null> => {
      const own = and(eq(inputSets.id, id), eq(inputSets.userId, userId), eq(inputSets.projectId, projectId));
      const [set] = await db.select({ git: inputSets.git }).from(inputSets).where(own);
      return set ? { repository: set.git?.url ?? null } : null;
    },

    /** Returns the files of a set as every step of its runs is shown them; with images for a model that sees. */
    forPrompt: async (id: string, sees: boolean): Promise<PromptFiles> => {
      const listed = db
        .select({ path, mime, kind, source, bytes, encoding, replaced })
        .from(filesOfSets)
        .where(eq(setId, id))
        .orderBy(asc(path))
        .limit(promptBudget.names);
      const shown = db
        .select({ path, sha256, text: sql<string>`${text}` })
        .from(filesOfSets)
        .where(
          and(
            eq(setId, id),
            // The length of a text of a base is that of its file: no blob is read for it.
            sql`${path} IN (SELECT path FROM (SELECT path, sum(size) OVER (ORDER BY path) AS total FROM (
              SELECT path, octet_length(text) AS size FROM input_files WHERE set_id = ${id} AND octet_length(text) <= ${promptBudget.textBytes}
              UNION ALL SELECT path, bytes FROM files_of_sets WHERE set_id = ${id} AND source = 'git' AND kind = 'text'
                AND bytes <= ${promptBudget.textBytes} AND path NOT IN (SELECT path FROM input_files WHERE set_id = ${id})
              ORDER BY path LIMIT ${promptBudget.texts}) AS small) AS running WHERE total <= ${promptBudget.bytes})`,
          ),
        )
        .orderBy(asc(path));
      const [files, texts, images, [all], [set]] = await Promise.all([
        listed,
        shown,
        sees ? imagesOf(id) : [],
        db.select({ count: count() }).from(filesOfSets).where(eq(setId, id)),
        db.select({ git: inputSets.git }).from(inputSets).where(eq(inputSets.id, id)),
      ]);
      return {
        files: files.map(toPromptFile),
        count: all?.count ?? 0,
        git: set?.git ?? null,
        texts,
        ...(images.length > 0 && { images }),
      };
    },
  };
}

type ListedFile = Pick<typeof filesOfSets.$inferSelect, 'path' | 'mime' | 'kind' | 'source' | 'bytes' | 'encoding' | 'replaced'>;

function toModelImage({ mime, content }: { mime: string; content: Buffer | null }): ModelImage {
  return { mime, base64: content?.toString('base64') ?? '' };
}

function toPromptFile({ path, bytes, mime, kind, source, encoding, replaced }: ListedFile): PromptFiles['files'][number] {
  const isImage = kind === 'image' && source !== 'git';
  const file = { path, bytes, mime, isReadable: kind !== 'binary' && kind !== 'image', ...(isImage && { isImage }) };
  return encoding === null ? file : { ...file, encoding, replaced };
}

export type InputsOfRuns = ReturnType<typeof inputsOfRuns>;

/** Selects the set when it is the user's, in the project, and `source` has a row. From then on it does not change. */
export function sealInputSet({ setId, userId, projectId }: SetOfRun, source: string, place: Place): string {
  return `UPDATE input_sets SET sealed_at = coalesce(sealed_at, now()) FROM ${source} WHERE id = ${place(setId)}::uuid
    AND user_id = ${place(userId)}::uuid AND project_id = ${place(projectId)}::uuid RETURNING id`;
}
