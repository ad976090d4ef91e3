import { setImmediate as nextTurn } from 'node:timers/promises';
import { manySteps } from '../../../../rules/run-graph/many-steps.ts';
import type { Db } from '../../../platform/database/database.ts';
import { eq, getTableColumns, sql } from '../../../platform/database/drizzle.ts';
import { inPlace, type StepRow } from './rows.ts';
import { executionSteps } from './tables.ts';

const stepsOfPiece = 1_000;
const { systemPrompt: _prompt, ...withoutPrompt } = getTableColumns(executionSteps);

/**
 * Reads the steps of an execution, in order. Those of many steps come in pieces, and each prompt once: 10,000 copies of a prompt take more memory than
 * all the rest. Their statements agree only in a transaction that has locked the execution, or in a snapshot.
 */
export async function readSteps(db: Db, { id, stepsTotal }: { id: string; stepsTotal: number }): Promise<StepRow[]> {
  const here = eq(executionSteps.executionId, id);
  if (stepsTotal < manySteps)
    return db
      .select()
      .from(executionSteps)
      .where(here)
      .orderBy(...inPlace);
  const promptOf = await readPrompts(db, id);
  const steps: StepRow[] = [];
  for (;;) {
    const piece = await db
      .select(withoutPrompt)
      .from(executionSteps)
      .where(here)
      .orderBy(...inPlace)
      .limit(stepsOfPiece)
      .offset(steps.length);
    for (const row of piece) steps.push({ ...row, systemPrompt: promptOf(row.stepId) });
    if (piece.length < stepsOfPiece) return steps;
    await nextTurn();
  }
}

/** Returns what finds the prompt of a step. */
async function readPrompts(db: Db, executionId: string): Promise<(stepId: string) => string> {
  const { systemPrompt, stepId } = executionSteps;
  const found = await db
    .select({ systemPrompt, stepIds: sql<string[]>`array_agg(${stepId})` })
    .from(executionSteps)
    .where(eq(executionSteps.executionId, executionId))
    .groupBy(systemPrompt);
  const prompts = new Map(found.flatMap(({ systemPrompt, stepIds }) => stepIds.map((id) => [id, systemPrompt] as const)));
  return (id) => {
    const prompt = prompts.get(id);
    if (prompt === undefined) throw new Error(`The step ${id} has come since the prompts were read.`);
    return prompt;
  };
}
