import type { ToolCall } from '../../../../contract/executions/tool-call.ts';
import { ApiError } from '../../../http/api-error.ts';
import type { Db } from '../../../platform/database/database.ts';
import { and, asc, count, eq, getTableColumns, gte } from '../../../platform/database/drizzle.ts';
import type { ExecutionRepository } from '../store/repository.ts';
import type { StepRow } from '../store/rows.ts';
import { modelTurns, toolCalls } from '../store/tables.ts';
import { type ModelTurnRow, type ToolCallRow, toToolCall } from '../store/tool-call-rows.ts';

/** Images are long, and no answer has them. */
const { images: _images, ...withoutImages } = getTableColumns(toolCalls);

/** A turn of a step with its calls, in order. */
export type StoredTurn = ModelTurnRow & { calls: ToolCallRow[] };

/** Reads the turns of a step from which its next attempt continues. */
export async function readTurns(db: Db, { executionId, stepId, turns, turnsFrom }: StepRow): Promise<StoredTurn[]> {
  if (turns === turnsFrom) return [];
  const [stored, calls] = await Promise.all([
    db
      .select()
      .from(modelTurns)
      .where(and(eq(modelTurns.executionId, executionId), eq(modelTurns.stepId, stepId), gte(modelTurns.turn, turnsFrom)))
      .orderBy(asc(modelTurns.turn)),
    db
      .select()
      .from(toolCalls)
      .where(and(eq(toolCalls.executionId, executionId), eq(toolCalls.stepId, stepId), gte(toolCalls.turn, turnsFrom)))
      .orderBy(asc(toolCalls.turn), asc(toolCalls.position)),
  ]);
  return stored.map((turn) => ({ ...turn, calls: calls.filter((call) => call.turn === turn.turn) }));
}

/** Reads the calls of a user's run, or of one of its steps, in order: by step, turn, and place in the turn. Throws `not_found` for another user's run. */
export function createCallReads({ db, repository }: { db: Db; repository: Pick<ExecutionRepository, 'places'> }) {
  return async (
    userId: string,
    executionId: string,
    { stepId, limit, offset }: { stepId?: string | undefined; limit: number; offset: number },
  ): Promise<{ items: ToolCall[]; total: number }> => {
    if ((await repository.places(userId, [executionId])).length === 0) throw new ApiError('not_found');
    const here = and(eq(toolCalls.executionId, executionId), stepId === undefined ? undefined : eq(toolCalls.stepId, stepId));
    const [all] = await db.select({ total: count() }).from(toolCalls).where(here);
    const rows = await db
      .select(withoutImages)
      .from(toolCalls)
      .where(here)
      .orderBy(asc(toolCalls.createdAt), asc(toolCalls.stepId), asc(toolCalls.turn), asc(toolCalls.position))
      .limit(limit)
      .offset(offset);
    return { items: rows.map((row) => toToolCall({ ...row, images: null })), total: all?.total ?? 0 };
  };
}

export type CallReads = ReturnType<typeof createCallReads>;
