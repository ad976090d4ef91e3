import type { Language } from '../../../http/call.ts';
import type { Db } from '../../../platform/database/database.ts';
import { and, asc, eq, gte } from '../../../platform/database/drizzle.ts';
import { splitThoughts } from '../../../platform/llm/answer-section.ts';
import type { StepRow } from '../store/rows.ts';
import { modelTurns } from '../store/tables.ts';
import { toolText } from '../store/tool-texts.ts';

/** The longest text that a step hands on of what it has said (UTF-16 units): its end. */
const maxSaid = 1024 * 1024;

/** Returns what a step has said in its turns, without its thoughts: what it hands on where a person ends it before its answer. */
export function buildPartialAnswer(turns: readonly { text: string }[], language: Language): string {
  const said = turns.map(({ text }) => splitThoughts(text).answer.trim()).filter((text) => text !== '');
  return said.length > 0 ? said.join('\n\n').slice(-maxSaid).toWellFormed() : toolText(language, 'saidNothing');
}

/** The same of a stored step. */
export async function readPartialAnswer(db: Db, { executionId, stepId, turnsFrom }: StepRow, language: Language): Promise<string> {
  const here = and(eq(modelTurns.executionId, executionId), eq(modelTurns.stepId, stepId), gte(modelTurns.turn, turnsFrom));
  return buildPartialAnswer(
    await db.select({ text: modelTurns.text }).from(modelTurns).where(here).orderBy(asc(modelTurns.turn)),
    language,
  );
}
