import type { LetterState } from '../../../../contract/executions/question.ts';
import { plainMarkdown } from '../../../../rules/text/plain-markdown.ts';
import { ApiError, orNotFound } from '../../../http/api-error.ts';
import type { Language } from '../../../http/call.ts';
import { translate } from '../../../http/language.ts';
import type { Db } from '../../../platform/database/database.ts';
import { and, asc, eq, isNotNull, lte } from '../../../platform/database/drizzle.ts';
import type { Mailer } from '../../../platform/mail/mailer.ts';
import type { OwnerId } from '../../../platform/owner-id.ts';
import type { QuestionRow } from '../store/question-rows.ts';
import { executions, questions } from '../store/tables.ts';
import { renewQuestionLink } from './question-links.ts';

/** The account that a question belongs to. */
type QuestionOwner = { email: string; name: string; isVerified: boolean; language: 'ru' | 'en' | null };

export type QuestionEmailsDeps = {
  db: Db;
  mailer: Pick<Mailer, 'send' | 'isOutbox'>;
  ownerOf: (userId: OwnerId) => Promise<QuestionOwner | null>;
  /** Throws `too_many_requests` when the account has sent too many emails. */
  countEmail: (userId: OwnerId) => Promise<void>;
  /** The server's public address. */
  address: () => string;
  now: () => Date;
};

/** The maximum of emails in one call. */
const batch = 20;
/** The delay before an email that could not be sent is retried (ms). */
const retryMs = 10 * 60_000;
/** The maximum length of a question in an email (characters). */
const shownText = 2_000;

/**
 * Sends the emails that are due: to the account, or a signed link to the person of the card. Accounts with an unverified address send none.
 * A failed email is retried later. A question that was answered meanwhile needs none. Returns the number of due emails.
 */
export function createQuestionEmails({ db, mailer, ownerOf, countEmail, address, now }: QuestionEmailsDeps) {
  async function takeDue(): Promise<QuestionRow[]> {
    return db.transaction(async (tx) => {
      const due = await tx
        .select()
        .from(questions)
        .where(and(isNotNull(questions.emailDueAt), lte(questions.emailDueAt, now())))
        .orderBy(asc(questions.emailDueAt))
        .limit(batch)
        .for('update', { skipLocked: true });
      for (const { id, state } of due) {
        const emailDueAt = state === 'open' ? new Date(now().getTime() + retryMs) : null;
        await tx.update(questions).set({ emailDueAt }).where(eq(questions.id, id));
      }
      return due.filter(({ state }) => state === 'open');
    });
  }

  async function send(row: QuestionRow): Promise<void> {
    const owner = await ownerOf(row.userId);
    if (owner?.isVerified) {
      await countEmail(row.userId);
      const [run] = await db.select({ language: executions.language }).from(executions).where(eq(executions.id, row.executionId));
      const language = owner.language ?? run?.language ?? 'ru';
      const { title, task } = row.asked;
      const text = (roomText(row, language) ?? plainMarkdown(row.asked.text)).slice(0, shownText);
      const due = `${row.dueAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
      const template = row.email === null ? 'question' : 'questionLink';
      const link =
        row.email === null
          ? `${address()}/test-project?projectId=${row.projectId}&question=${row.id}`
          : `${await linkOf(row)}?lang=${language}`;
      const words = { title, task, text, due, link, name: owner.name };
      await mailer.send({
        to: row.email ?? owner.email,
        account: row.userId,
        subject: translate(language, `mail.${template}.subject`, { title: oneLine(title) }),
        text: translate(language, `mail.${template}.text`, words),
      });
    }
    await settle(row, owner?.isVerified ? (mailer.isOutbox ? 'outbox' : 'sent') : 'unconfirmed');
  }

  /** The email is done with. The question tells what became of the one to the person of its card. */
  async function settle({ id, asked: { letter, ...asked } }: QuestionRow, state: LetterState): Promise<void> {
    await db
      .update(questions)
      .set({ emailDueAt: null, ...(letter && { asked: { ...asked, letter: { ...letter, state } } }) })
      .where(eq(questions.id, id));
  }

  async function linkOf({ id }: QuestionRow): Promise<string> {
    const link = orNotFound(await renewQuestionLink(db, eq(questions.id, id)));
    return `${address()}${link.path}`;
  }

  return async (): Promise<number> => {
    const due = await takeDue();
    for (const row of due) {
      try {
        await send(row);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        // The account has sent enough: the question is in its list.
        await settle(row, 'limit');
      }
    }
    return due.length;
  };
}

/** What a step that has used its turns asks; null for other questions, which say it themselves. */
function roomText({ asked: { room } }: QuestionRow, language: Language): string | null {
  return room ? translate(language, `mail.room.${room.kind}`, { used: String(room.used) }) : null;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 120);
}
