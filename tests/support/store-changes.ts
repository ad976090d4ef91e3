import type pg from 'pg';

/** What a step does to a file, as the tools of agents store it. `content`: absent for a removed file, and for a moved one that is not text. */
export type StoredChange = { path: string; content?: string; removed?: boolean; movedFrom?: string; executable?: boolean };

/** Stores changes of files with a step that is under way or has ended. `isNewer`: in the place of what the step has stored. */
export async function storeChanges(
  pool: pg.Pool,
  { id, stepId, isNewer = false }: { id: string; stepId: string; isNewer?: boolean },
  changes: readonly StoredChange[],
): Promise<void> {
  for (const { path, content = null, removed = false, movedFrom = null, executable = null } of changes)
    await pool.query(
      `INSERT INTO execution_files (execution_id, path, step_id, order_index, content, size, removed, moved_from, executable)
        VALUES ($1, $2, $3, 1, $4, $5, $6, $7, $8)${isNewer ? ` ON CONFLICT (execution_id, path, step_id) DO UPDATE SET content = $4, size = $5, removed = $6` : ''}`,
      [id, path, stepId, content, content?.length ?? (removed ? 0 : 5), removed, movedFrom, executable],
    );
  await pool.query('UPDATE executions SET has_files = true WHERE id = $1', [id]);
}
