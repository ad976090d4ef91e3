import type { ComparedSide, ComparedStep, Comparison } from '../../../../contract/executions/compare.ts';
import type { StepRun } from '../../../../contract/executions/execution.ts';
import { addCosts } from '../../../../rules/cost/cost-of.ts';
import { ApiError, orNotFound } from '../../../http/api-error.ts';
import type { Db } from '../../../platform/database/database.ts';
import { eq, getTableColumns, sql } from '../../../platform/database/drizzle.ts';
import type { OwnerId } from '../../../platform/owner-id.ts';
import { originOf } from '../graph/step-states.ts';
import type { ExecutionRepository } from '../store/repository.ts';
import { byPlace, inPlace, type StepRow, toStepRun } from '../store/rows.ts';
import { executionSteps } from '../store/tables.ts';

type CompareDeps = { db: Db; repository: Pick<ExecutionRepository, 'find' | 'places'> };

const { result: _result, systemPrompt: _systemPrompt, ...short } = getTableColumns(executionSteps);
/** The columns of a step without its long texts: results are compared by their hash. */
const columns = {
  ...short,
  hash: sql<string | null>`md5(${executionSteps.result})`,
  length: sql<number | null>`length(${executionSteps.result})`,
};
export type ShortRow = Omit<StepRow, 'result' | 'systemPrompt'> & { hash: string | null; length: number | null };

/** Compares two of a user's runs step by step. Throws `not_found`. */
export function createCompareRuns({ db, repository }: CompareDeps) {
  const read = async (userId: OwnerId, id: string) => {
    const execution = orNotFound(await repository.find(userId, id));
    const steps = await db
      .select(columns)
      .from(executionSteps)
      .where(eq(executionSteps.executionId, id))
      .orderBy(...inPlace);
    return { execution, steps };
  };

  return {
    async compare(userId: OwnerId, { left: leftId, right: rightId }: { left: string; right: string }): Promise<Comparison> {
      const [left, right] = await Promise.all([read(userId, leftId), read(userId, rightId)]);
      return {
        left: left.execution,
        right: right.execution,
        steps: compareSteps(left.steps, right.steps),
        totals: { left: totalsOf(left.steps), right: totalsOf(right.steps) },
      };
    },

    /** Returns one step of a user's run with its whole result. */
    async step(userId: OwnerId, { id, stepId }: { id: string; stepId: string }): Promise<StepRun> {
      if ((await repository.places(userId, [id])).length === 0) throw new ApiError('not_found');
      const here = sql`${executionSteps.executionId} = ${id} AND ${executionSteps.stepId} = ${stepId}`;
      const [row] = await db.select().from(executionSteps).where(here);
      if (!row) throw new ApiError('not_found');
      return toStepRun(row);
    },
  };
}

export type CompareRuns = ReturnType<typeof createCompareRuns>;

/** Compares the steps of two runs by their places: card, round and item. In the order of a run. */
export function compareSteps(left: readonly ShortRow[], right: readonly ShortRow[]): ComparedStep[] {
  const ofRight = new Map(right.map((step) => [placeOf(step), step]));
  const pairs: (readonly [ShortRow | null, ShortRow | null])[] = left.map((step) => {
    const other = ofRight.get(placeOf(step)) ?? null;
    ofRight.delete(placeOf(step));
    return [step, other];
  });
  for (const step of ofRight.values()) pairs.push([null, step]);
  const steps = pairs.flatMap(([one, other]) => {
    const row = other ?? one;
    return row ? [{ row, step: pairOf(row, one, other) }] : [];
  });
  return steps.sort((a, b) => byPlace(a.row, b.row)).map(({ step }) => step);
}

function placeOf(step: ShortRow): string {
  return JSON.stringify([step.nodeId ?? originOf(step), step.round, step.item]);
}

function pairOf({ nodeId, name, role, round, item }: ShortRow, left: ShortRow | null, right: ShortRow | null): ComparedStep {
  const isSame = left !== null && right !== null && left.hash === right.hash && outcomeOf(left) === outcomeOf(right);
  const state = left === null ? 'added' : right === null ? 'removed' : isSame ? 'same' : 'changed';
  return { nodeId, name, role, round, item, state, left: left && sideOf(left), right: right && sideOf(right) };
}

/** A reused result is as good as the one that it comes from. */
function outcomeOf({ status }: ShortRow): string {
  return status === 'reused' ? 'completed' : status;
}

function sideOf({ stepId, status, provider, model, simulated, usage, durationMs, attempts, length, ...row }: ShortRow): ComparedSide {
  return {
    stepId,
    status,
    provider,
    model,
    simulated,
    durationMs,
    attempts,
    length,
    tokens: usage?.totalTokens ?? null,
    ...(row.cost && { cost: row.cost }),
    ...((row.handOff?.isEdited || row.reusedFrom?.isEdited) && { isEdited: true as const }),
  };
}

function totalsOf(steps: readonly ShortRow[]) {
  return {
    tokens: steps.reduce((sum, { usage }) => sum + (usage?.totalTokens ?? 0), 0),
    durationMs: steps.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0),
    cost: addCosts(steps.map(({ cost }) => cost)),
  };
}
