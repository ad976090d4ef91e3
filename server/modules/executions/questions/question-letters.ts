import { and, asc, eq, isNotNull, lte, sql } from 'drizzle-orm';
import { ApiError } from '../../../http/api-error.ts';
import { translate } from '../../../http/language.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { Mailer } from '../../../platform/mail/mailer.ts';
import { executions, questions } from '../store/tables.ts';
import type { QuestionRow } from './question-rows.ts';
import { newToken } from './question-tokens.ts';

/** The account that a question belongs to. */
export type LetterOwner = { email: string; name: string; isVerified: boolean; language: 'ru' | 'en' | null };

export type LetterDeps = {
  db: Db;
  mailer: Pick<Mailer, 'send'>;
  ownerOf: (userId: string) => Promise<LetterOwner | null>;
  /** Throws `too_many_requests` when the account has sent too many emails. */
  countLetter: (userId: string) => Promise<void>;
  /** The server's public address. */
  address: () => string;
  now: () => Date;
};

/** Emails of one call. */
const batch = 20;
/** When an email that could not be sent is tried again (ms). */
const againMs = 10 * 60_000;
/** Characters of a question in an email. */
const shownText = 2_000;

/**
 * Sends the emails that are due: to the account, or a signed link to the person of the card. Accounts with an unverified address send none.
 * An email that fails is tried again later. A question that was answered meanwhile has none. Returns their number.
 */
export function createQuestionLetters({ db, mailer, ownerOf, countLetter, address, now }: LetterDeps) {
  async function takeDue(): Promise<QuestionRow[]> {
    return db.transaction(async (tx) => {
      const due = await tx
        .select()
        .from(questions)
        .where(and(isNotNull(questions.letterDueAt), lte(questions.letterDueAt, now())))
        .orderBy(asc(questions.letterDueAt))
        .limit(batch)
        .for('update', { skipLocked: true });
      for (const { id, state } of due) {
        const letterDueAt = state === 'open' ? new Date(now().getTime() + againMs) : null;
        await tx.update(questions).set({ letterDueAt }).where(eq(questions.id, id));
      }
      return due.filter(({ state }) => state === 'open');
    });
  }

  async function send(row: QuestionRow): Promise<void> {
    const owner = await ownerOf(row.userId);
    if (owner?.isVerified) {
      await countLetter(row.userId);
      const [run] = await db.select({ language: executions.language }).from(executions).where(eq(executions.id, row.executionId));
      const language = owner.language ?? run?.language ?? 'ru';
      const { title, task } = row.asked;
      const text = row.asked.text.slice(0, shownText);
      const due = `${row.dueAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
      const letter = row.email === null ? 'question' : 'questionLink';
      const link = row.email === null ? `${address()}/test-project?projectId=${row.projectId}&question=${row.id}` : await linkOf(row);
      const words = { title, task, text, due, link, name: owner.name };
      await mailer.send({
        to: row.email ?? owner.email,
        subject: translate(language, `mail.${letter}.subject`, { title: oneLine(title) }),
        text: translate(language, `mail.${letter}.text`, words),
      });
    }
    await db.update(questions).set({ letterDueAt: null }).where(eq(questions.id, row.id));
  }

  async function linkOf({ id }: QuestionRow): Promise<string> {
    const { token, hash } = newToken();
    await db
      .update(questions)
      .set({ tokenHash: hash, tokenExpiresAt: sql`${questions.dueAt}` })
      .where(eq(questions.id, id));
    return `${address()}/q/${token}`;
  }

  return async (): Promise<number> => {
    const due = await takeDue();
    for (const row of due) {
      try {
        await send(row);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        // The account has sent enough: the question is in its list.
        await db.update(questions).set({ letterDueAt: null }).where(eq(questions.id, row.id));
      }
    }
    return due.length;
  };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 120);
}
