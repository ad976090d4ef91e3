import { sql } from 'drizzle-orm';
import type { EarlierRun } from '../../../../rules/run-graph/plan-fork.ts';
import { ApiError } from '../../../http/api-error.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { ExecutionRepository } from '../store/repository.ts';
import type { StepRow } from '../store/rows.ts';
import { toStepState } from '../work/step-states.ts';

/** A file that a step of the original wrote. */
type WrittenFile = { path: string; stepId: string; sha256: string };

export type Original = NonNullable<Awaited<ReturnType<ExecutionRepository['whole']>>> & { files: WrittenFile[] };

/** Reads a run that has ended. Throws `not_found`, and `illegal_state` for one that has not ended. */
export async function readOriginal(db: Db, repository: Pick<ExecutionRepository, 'whole'>, userId: string, id: string): Promise<Original> {
  const found = await repository.whole(userId, id);
  if (!found) throw new ApiError('not_found');
  const { status, hasFiles } = found.row;
  if (status === 'pending' || status === 'running' || status === 'paused') throw new ApiError('illegal_state', { details: { status } });
  return { ...found, files: hasFiles ? await readFiles(db, id) : [] };
}

async function readFiles(db: Db, executionId: string): Promise<WrittenFile[]> {
  const { rows } = await db.execute<{ path: string; step_id: string; sha256: string }>(
    sql`SELECT path, step_id, encode(sha256(convert_to(content, 'UTF8')), 'hex') AS sha256 FROM execution_files
      WHERE execution_id = ${executionId}`,
  );
  return rows.map(({ path, step_id: stepId, sha256 }) => ({ path, stepId, sha256 }));
}

/** The runs of the original whose steps the fork has too, and the rows that they come from. */
export type EarlierRuns = { runs: EarlierRun[]; rowOf: (run: EarlierRun) => StepRow; runOf: (row: StepRow) => EarlierRun | null };

export function earlierRuns({ steps, files }: Original, stepFor: (row: StepRow) => string | null): EarlierRuns {
  const byRun = new Map<EarlierRun, StepRow>();
  const byRow = new Map<string, EarlierRun>();
  const readFrom = new Map<string, EarlierRun[]>();
  for (const row of steps) {
    const nodeId = stepFor(row);
    if (nodeId === null) continue;
    const written: EarlierRun[] = [];
    const { startedAt, completedAt, reusedFrom } = row;
    const { id: _id, ...state } = toStepState(row);
    const run: EarlierRun = {
      ...{ ...state, nodeId, result: row.result ?? '', readFrom: written },
      begunAt: reusedFrom?.begunAt ?? startedAt?.getTime() ?? 0,
      endedAt: reusedFrom?.endedAt ?? completedAt?.getTime() ?? 0,
    };
    readFrom.set(row.stepId, written);
    byRun.set(run, row);
    byRow.set(row.stepId, run);
  }
  const writers = Map.groupBy(files, ({ path, sha256 }) => `${path}\n${sha256}`);
  for (const { stepId, readFiles } of steps)
    for (const { path, sha256 } of readFiles ?? [])
      for (const writer of writers.get(`${path}\n${sha256}`) ?? []) {
        const run = byRow.get(writer.stepId);
        if (run && writer.stepId !== stepId) readFrom.get(stepId)?.push(run);
      }
  const rowOf = (run: EarlierRun): StepRow => {
    const row = byRun.get(run);
    if (!row) throw new Error('A run of the original has no row.');
    return row;
  };
  return { runs: [...byRun.keys()], rowOf, runOf: ({ stepId }) => byRow.get(stepId) ?? null };
}
