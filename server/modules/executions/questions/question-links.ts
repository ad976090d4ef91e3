import { and, eq, sql } from 'drizzle-orm';
import { ApiError } from '../../../http/api-error.ts';
import type { Db } from '../../../platform/database/database.ts';
import { questions } from '../store/tables.ts';
import { newToken } from './question-tokens.ts';

/** The path of the page that a signed link opens. */
const pathOf = (token: string) => `/q/${token}`;

export type QuestionLink = { token: string; path: string; expiresAt: string };

/**
 * Makes the signed link of an open question. It works until the question is due, and replaces an earlier link. Throws `not_found`,
 * `question_answered` or `question_withdrawn`.
 */
export async function createQuestionLink(db: Db, which: { userId: string; id: string }): Promise<QuestionLink> {
  const { token, hash } = newToken();
  const own = and(eq(questions.id, which.id), eq(questions.userId, which.userId));
  const [changed] = await db
    .update(questions)
    .set({ tokenHash: hash, tokenExpiresAt: sql`${questions.dueAt}` })
    .where(and(own, eq(questions.state, 'open')))
    .returning({ dueAt: questions.dueAt });
  if (changed) return { token, path: pathOf(token), expiresAt: changed.dueAt.toISOString() };
  const [row] = await db.select({ state: questions.state }).from(questions).where(own);
  if (!row) throw new ApiError('not_found');
  throw new ApiError(row.state === 'withdrawn' ? 'question_withdrawn' : 'question_answered');
}
