import type { QuestionLink } from '../../../../contract/executions/question.ts';
import { ApiError } from '../../../http/api-error.ts';
import type { Db } from '../../../platform/database/database.ts';
import { and, eq, inArray, type SQL, sql } from '../../../platform/database/drizzle.ts';
import type { OwnerId } from '../../../platform/owner-id.ts';
import { hashOfToken, newToken } from '../../../platform/secrets/tokens.ts';
import { kindsForOthers } from '../store/question-kinds.ts';
import { questions } from '../store/tables.ts';

/**
 * Makes the signed link of the question that `where` finds; null for none. It works until the question is due, and replaces an earlier link.
 * The database has only the hash of its token.
 */
export async function renewQuestionLink(db: Db, where: SQL | undefined): Promise<QuestionLink | null> {
  const token = newToken();
  const [changed] = await db
    .update(questions)
    .set({ tokenHash: hashOfToken(token), tokenExpiresAt: sql`${questions.dueAt}` })
    .where(where)
    .returning({ dueAt: questions.dueAt });
  return changed ? { token, path: `/q/${token}`, expiresAt: changed.dueAt.toISOString() } : null;
}

/** Makes the signed link of an open question. Throws `not_found`, `question_answered` or `question_withdrawn`. */
export async function createQuestionLink(db: Db, which: { userId: OwnerId; id: string }): Promise<QuestionLink> {
  const isForOthers = inArray(questions.kind, kindsForOthers);
  const own = and(eq(questions.id, which.id), eq(questions.userId, which.userId), isForOthers);
  const link = await renewQuestionLink(db, and(own, eq(questions.state, 'open')));
  if (link) return link;
  const [row] = await db.select({ state: questions.state }).from(questions).where(own);
  if (!row) throw new ApiError('not_found');
  throw new ApiError(row.state === 'withdrawn' ? 'question_withdrawn' : 'question_answered');
}
