import type { EarlierRun } from '../../../../rules/run-graph/plan-fork.ts';
import { ApiError, orNotFound } from '../../../http/api-error.ts';
import type { Db } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/drizzle.ts';
import type { OwnerId } from '../../../platform/owner-id.ts';
import { InputFiles } from '../../inputs/index.ts';
import { toStepState } from '../graph/step-states.ts';
import type { ExecutionRepository } from '../store/repository.ts';
import type { StepRow } from '../store/rows.ts';

type RunFile = { path: string; sha256: string };
/** What a step of the original did to a file, and when (ms). No step can have read the text of one that is removed or not text. */
type WrittenFile = { path: string; sha256: string | null; isRemoved: boolean; stepId: string; at: number };

/** `given`: the files that its user gave to the run. */
export type Original = NonNullable<Awaited<ReturnType<ExecutionRepository['whole']>>> & { files: WrittenFile[]; given: RunFile[] };

/** Reads a run that has ended. Throws `not_found`, and `illegal_state` for one that has not ended. */
export async function readOriginal(db: Db, repository: Pick<ExecutionRepository, 'whole'>, userId: OwnerId, id: string): Promise<Original> {
  const found = orNotFound(await repository.whole(userId, id));
  const { status, hasFiles, inputSetId } = found.row;
  if (status === 'pending' || status === 'running' || status === 'paused') throw new ApiError('illegal_state', { details: { status } });
  const [files, given] = await Promise.all([hasFiles ? readFiles(db, id) : [], inputSetId === null ? [] : new InputFiles(db).list(id)]);
  return { ...found, files, given };
}

async function readFiles(db: Db, executionId: string): Promise<WrittenFile[]> {
  const { rows } = await db.execute<{ path: string; step_id: string; sha256: string | null; removed: boolean; at: string }>(
    sql`SELECT path, step_id, encode(sha256(convert_to(content, 'UTF8')), 'hex') AS sha256, removed, extract(epoch FROM created_at) * 1000 AS at
      FROM execution_files WHERE execution_id = ${executionId} ORDER BY order_index`,
  );
  return rows.map(({ path, step_id: stepId, sha256, removed, at }) => ({ path, stepId, sha256, isRemoved: removed, at: Number(at) }));
}

/** The runs of the original whose steps the fork has too, and the rows that they come from. */
export type EarlierRuns = {
  runs: EarlierRun[];
  rowOf: (run: EarlierRun) => StepRow;
  runOf: (row: Pick<StepRow, 'stepId'>) => EarlierRun | null;
};

export function earlierRuns(
  { steps, files, given }: Pick<Original, 'steps' | 'files' | 'given'>,
  stepFor: (row: StepRow) => string | null,
): EarlierRuns {
  const byRun = new Map<EarlierRun, StepRow>();
  const byRow = new Map<string, EarlierRun>();
  const readFrom = new Map<string, (EarlierRun | null)[]>();
  for (const row of steps) {
    const nodeId = stepFor(row);
    if (nodeId === null) continue;
    const written: (EarlierRun | null)[] = [];
    const { startedAt, completedAt, reusedFrom } = row;
    const { id: _id, ...state } = toStepState(row);
    const run: EarlierRun = {
      ...state,
      nodeId,
      result: row.result ?? '',
      readFrom: written,
      begunAt: reusedFrom?.begunAt ?? startedAt?.getTime() ?? 0,
      endedAt: reusedFrom?.endedAt ?? completedAt?.getTime() ?? 0,
    };
    readFrom.set(row.stepId, written);
    byRun.set(run, row);
    byRow.set(row.stepId, run);
  }
  const nameOf = ({ path, sha256 }: Pick<WrittenFile, 'path' | 'sha256'>) => `${path}\n${sha256}`;
  const writers = Map.groupBy(files, nameOf);
  // A set of files never changes, and is part of the hash of what is handed over.
  const isGiven = new Set(given.map(nameOf));
  for (const { stepId, readFiles } of steps)
    for (const file of readFiles ?? []) {
      const found = writers.get(nameOf(file)) ?? [];
      if (isGiven.has(nameOf(file)) || found.some((writer) => writer.stepId === stepId)) continue;
      const runs = found.flatMap((writer) => byRow.get(writer.stepId) ?? []);
      readFrom.get(stepId)?.push(...(runs.length > 0 ? runs : [null]));
    }
  const rowOf = (run: EarlierRun): StepRow => {
    const row = byRun.get(run);
    if (!row) throw new Error('A run of the original has no row.');
    return row;
  };
  return { runs: [...byRun.keys()], rowOf, runOf: ({ stepId }) => byRow.get(stepId) ?? null };
}

/**
 * Returns the paths of the files that there were when a run of a step ended. These are the files given to the original, and those written
 * by then by itself and by steps that the fork has too, but for those that one of them has removed last. `without`: files of its own that an edited result takes away.
 */
export function pathsAt(
  { files, given }: Pick<Original, 'files' | 'given'>,
  { runOf }: Pick<EarlierRuns, 'runOf'>,
  run: EarlierRun,
  { without = [] }: { without?: readonly Pick<RunFile, 'path'>[] } = {},
): Set<string> {
  const isGone = new Set(without.map(({ path }) => path));
  const isThere = ({ stepId, path, at }: WrittenFile): boolean => {
    const writer = runOf({ stepId });
    if (writer === run) return !isGone.has(path);
    return writer !== null && (writer.endedAt <= run.begunAt || at <= run.endedAt);
  };
  const paths = new Set(given.map(({ path }) => path));
  for (const file of files.filter(isThere)) {
    if (file.isRemoved) paths.delete(file.path);
    else paths.add(file.path);
  }
  return paths;
}
