import { StringDecoder } from 'node:string_decoder';
import { inputLimits } from '../../../contract/input.ts';
import type { Db } from '../../platform/database/database.ts';
import { and, asc, eq, inArray, sql } from '../../platform/database/drizzle.ts';
import type { BindValue } from '../../platform/database/statement.ts';
import type { ModelImage, PromptFiles } from '../../platform/llm/language-model.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { type PromptPlan, planPromptFiles, promptBudget } from './prompt-files/plan-prompt-files.ts';
import { readPromptFiles } from './prompt-files/read-prompt-files.ts';
import { filesOfSets, inputSets } from './tables.ts';

type SetOfRun = { userId: OwnerId; projectId: string; setId: string };

/** What executions need of the files that users give to them. */
export function inputsOfRuns(db: Db) {
  const { setId, path, mime, sha256, content, text } = filesOfSets;
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

  /** Reads the beginnings of texts, in the order of the plan. */
  const readBeginnings = async (id: string, planned: PromptPlan['texts']): Promise<PromptFiles['texts']> => {
    if (planned.length === 0) return [];
    // A character has a byte at the least.
    const longest = Math.max(...planned.map(({ most }) => most));
    const beginning = sql<string>`left(${text}, ${longest})`;
    const rows = await db
      .select({ path, sha256, text: beginning, textBytes: sql<number>`octet_length(${text})` })
      .from(filesOfSets)
      .where(
        and(
          eq(setId, id),
          inArray(
            path,
            planned.map((one) => one.path),
          ),
        ),
      );
    const byPath = new Map(rows.map((row) => [row.path, row]));
    return planned.flatMap(({ path: name, most }) => {
      const row = byPath.get(name);
      if (!row) return [];
      const isCut = row.textBytes > most;
      return [
        { path: name, sha256: row.sha256, text: isCut ? beginningOf(row.text, most) : row.text, ...(isCut && { bytes: row.textBytes }) },
      ];
    });
  };

  return {
    /**
     * Returns the set if it is the user's, in the project, and else null. `repository`: the address of the one that its files come from.
     * `hasReview`: the comments of a review were read for its task.
     */
    find: async ({ userId, projectId, setId: id }: SetOfRun): Promise<{ repository: string | null; hasReview: boolean } | null> => {
      const own = and(eq(inputSets.id, id), eq(inputSets.userId, userId), eq(inputSets.projectId, projectId));
      const [set] = await db.select({ git: inputSets.git, follows: inputSets.follows }).from(inputSets).where(own);
      return set ? { repository: set.git?.url ?? null, hasReview: set.follows?.hasReview ?? false } : null;
    },

    /** Returns the files of a set as every step of its runs is shown them, by what its task names; with images for a model that sees. */
    forPrompt: async (id: string, { task, sees }: { task: string; sees: boolean }): Promise<PromptFiles> => {
      const [{ files: rows, folders, count }, images, [set]] = await Promise.all([
        readPromptFiles(db, id, task),
        sees ? imagesOf(id) : [],
        db.select({ git: inputSets.git }).from(inputSets).where(eq(inputSets.id, id)),
      ]);
      const known = rows.map((row) => ({ ...row, isGit: row.source === 'git' }));
      const plan = planPromptFiles(known, task, folders);
      const byPath = new Map(rows.map((row) => [row.path, row]));
      const filesOf = (paths: readonly string[]) => paths.flatMap((one) => byPath.get(one) ?? []).map(toPromptFile);
      return {
        files: filesOf(plan.listed),
        count,
        git: set?.git ?? null,
        ...(plan.tree && { tree: plan.tree, named: filesOf(plan.named) }),
        texts: await readBeginnings(id, plan.texts),
        ...(images.length > 0 && { images }),
      };
    },
  };
}

/** Returns the first bytes of a text, without half a character at the end. */
function beginningOf(whole: string, bytes: number): string {
  return new StringDecoder('utf8').write(Buffer.from(whole).subarray(0, bytes));
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
export function sealInputSet({ setId, userId, projectId }: SetOfRun, source: string, place: BindValue): string {
  return `UPDATE input_sets SET sealed_at = coalesce(sealed_at, now()) FROM ${source} WHERE id = ${place(setId)}::uuid
    AND user_id = ${place(userId)}::uuid AND project_id = ${place(projectId)}::uuid RETURNING id`;
}
