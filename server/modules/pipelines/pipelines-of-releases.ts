import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import type { Db } from '../../platform/database/database.ts';
import { and, eq, inArray } from '../../platform/database/drizzle.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { PipelineRepository, unused } from './repository.ts';
import { pipelines } from './tables.ts';

/** Copies a pipeline for a release: no later change reaches the copy. Returns its id. */
export async function copyForRelease(tx: Db, pipeline: Pipeline & { userId: OwnerId }, newId: () => string): Promise<string> {
  const { createdAt: _createdAt, updatedAt: _updatedAt, ...copied } = pipeline;
  const id = newId();
  const steps = copied.steps.map((step) => ({ ...step, id: newId() }));
  await new PipelineRepository(tx).add({ ...copied, id, status: 'ready', isOfRelease: true, steps });
  return id;
}

/** Pipelines that one transaction removes: others write meanwhile. */
const batch = 50;

/** Removes the pipelines of releases that are gone, once their runs are gone too. Returns their number. */
export async function removeUnreleased(db: Db): Promise<number> {
  for (let removed = 0; ; ) {
    const found = await db.transaction(async (tx) => {
      const which = tx
        .select({ id: pipelines.id })
        .from(pipelines)
        .where(and(eq(pipelines.isOfRelease, true), unused))
        .limit(batch);
      const ids = (await which.for('update', { skipLocked: true })).map(({ id }) => id);
      // A second statement sees the runs that were added before the lock.
      const { rowCount } = await tx.delete(pipelines).where(and(inArray(pipelines.id, ids), unused));
      removed += rowCount ?? 0;
      return ids.length;
    });
    if (found < batch) return removed;
  }
}
