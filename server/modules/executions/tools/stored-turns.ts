import type { ToolCall } from '../../../../contract/executions/tool-call.ts';
import { ApiError } from '../../../http/api-error.ts';
import type { Db } from '../../../platform/database/database.ts';
import { and, asc, eq, getTableColumns, gte, sql } from '../../../platform/database/drizzle.ts';
import { readPage } from '../../../platform/database/owned-rows.ts';
import type { OwnerId } from '../../../platform/owner-id.ts';
import type { ExecutionRepository } from '../store/repository.ts';
import type { StepRow } from '../store/rows.ts';
import type { WriteEnd } from '../store/step-answer.ts';
import { modelTurns, toolCalls } from '../store/tables.ts';
import { type ModelTurnRow, type ToolCallRow, toToolCall } from '../store/tool-call-rows.ts';
import type { OpenTurn } from './opaque-turns.ts';

/** Images are long, and no answer has them. */
const { images: _images, ...withoutImages } = getTableColumns(toolCalls);

/** Results whose images are read: more than a model is shown. Of older ones it is known that they were there. */
const maxResultsWithImages = 16;
const latestImages = sql<ToolCallRow['images']>`CASE WHEN ${toolCalls.images} IS NULL THEN NULL
  WHEN count(${toolCalls.images}) OVER (ORDER BY ${toolCalls.turn} DESC, ${toolCalls.position} DESC) <= ${maxResultsWithImages} THEN ${toolCalls.images}
  ELSE (SELECT jsonb_agg(jsonb_set(image, '{base64}', '""')) FROM jsonb_array_elements(${toolCalls.images}) AS image) END`;

/** A turn of a step with its calls, in order. Its provider's form is decrypted. */
export type StoredTurn = ModelTurnRow & { calls: ToolCallRow[] };

/** Reads the turns of a step from which its next attempt continues. */
export async function readTurns(db: Db, step: StepRow, open: OpenTurn): Promise<StoredTurn[]> {
  const { executionId, stepId, turns, turnsFrom } = step;
  if (turns === turnsFrom) return [];
  const [stored, calls] = await Promise.all([
    db
      .select()
      .from(modelTurns)
      .where(and(eq(modelTurns.executionId, executionId), eq(modelTurns.stepId, stepId), gte(modelTurns.turn, turnsFrom)))
      .orderBy(asc(modelTurns.turn)),
    db
      .select({ ...withoutImages, images: latestImages })
      .from(toolCalls)
      .where(and(eq(toolCalls.executionId, executionId), eq(toolCalls.stepId, stepId), gte(toolCalls.turn, turnsFrom)))
      .orderBy(asc(toolCalls.turn), asc(toolCalls.position)),
  ]);
  return stored.map((turn) => ({ ...turn, opaque: open(step, turn.opaque), calls: calls.filter((call) => call.turn === turn.turn) }));
}

export function isEnded({ state }: Pick<ToolCallRow, 'state'>): boolean {
  return state === 'done' || state === 'failed' || state === 'refused' || state === 'unknown';
}

/** How the last call to write a file of the run ended; null for none. */
export function lastWriteOf(turns: readonly Pick<StoredTurn, 'calls'>[]): WriteEnd | null {
  const last = turns.flatMap(({ calls }) => calls).findLast(({ source, effect }) => source === 'files' && effect !== 'read');
  return last ? (last.state === 'done' ? 'written' : 'failed') : null;
}

/** Whether a call may have changed something outside of the run: one that failed may have, too. Tests are executed in a folder that is removed. */
export function reachedOutside(turns: readonly Pick<StoredTurn, 'calls'>[]): boolean {
  return turns.some(({ calls }) =>
    calls.some(
      ({ source, effect, state, toolKey }) =>
        source !== 'files' && source !== 'tests' && effect !== 'read' && toolKey !== null && state !== 'refused',
    ),
  );
}

/** Reads the calls of a user's run, or of one of its steps, in order: by step, turn, and place in the turn. Throws `not_found` for another user's run. */
export function createCallReads({ db, repository }: { db: Db; repository: Pick<ExecutionRepository, 'places'> }) {
  return async (
    userId: OwnerId,
    executionId: string,
    { stepId, ...page }: { stepId?: string | undefined; limit: number; offset: number },
  ): Promise<{ items: ToolCall[]; total: number }> => {
    if ((await repository.places(userId, [executionId])).length === 0) throw new ApiError('not_found');
    const here = and(eq(toolCalls.executionId, executionId), stepId === undefined ? undefined : eq(toolCalls.stepId, stepId));
    const order = [asc(toolCalls.createdAt), asc(toolCalls.stepId), asc(toolCalls.turn), asc(toolCalls.position)];
    const { items, total } = await readPage(db, { table: toolCalls, columns: withoutImages, where: here, order }, page);
    return { items: items.map((row) => toToolCall({ ...row, images: null })), total };
  };
}

export type CallReads = ReturnType<typeof createCallReads>;
