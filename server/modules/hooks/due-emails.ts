import { ApiError } from '../../http/api-error.ts';
import type { Language } from '../../http/call.ts';
import { type ServerText, translate } from '../../http/language.ts';
import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import { asOwner, type OwnerId } from '../../platform/owner-id.ts';

export type DueEmailsDeps = {
  run: RunStatement;
  mailer: Pick<Mailer, 'send'>;
  ownerOf: (userId: OwnerId) => Promise<{ email: string; isVerified: boolean; language: Language | null } | null>;
  /** Throws `too_many_requests` when the account has sent too many emails. */
  countEmail: (userId: OwnerId) => Promise<void>;
  /** The server's public address. */
  address: () => string;
};

type Row = Readonly<Record<string, unknown>>;

/** Emails about rows of a table whose `email_due_at` is over. */
type DueEmail = {
  table: 'hooks_out' | 'triggers';
  /** The column with the words that the email names. */
  column: string;
  subject: ServerText;
  text: ServerText;
  words: (column: string) => Record<string, string>;
};

/**
 * Tells owners of projects what has become of a row. The window shows it too, so an account that may get no email misses nothing. Emails that are taken are
 * put off: one that could not be sent is due again then.
 */
export function createDueEmails(
  { run, mailer, ownerOf, countEmail, address }: DueEmailsDeps,
  { table, column, words, ...texts }: DueEmail,
) {
  const takingDue = `UPDATE ${table} AS due SET email_due_at = now() + interval '10 minutes' FROM projects
    WHERE projects.id = due.project_id AND due.id IN (
      SELECT id FROM ${table} WHERE email_due_at <= now() ORDER BY email_due_at LIMIT 20 FOR UPDATE SKIP LOCKED)
    RETURNING due.id, due.${column} AS named, due.project_id, projects.user_id, projects.name AS project`;
  const settling = `UPDATE ${table} SET email_due_at = NULL WHERE id = $1`;
  return async (): Promise<void> => {
    for (const row of (await run({ text: takingDue, values: [] })) as Row[]) {
      const userId = asOwner(String(row.user_id));
      const owner = await ownerOf(userId);
      const isAllowed = owner?.isVerified === true && (await countEmail(userId).then(() => true, isRefusal));
      if (owner && isAllowed) {
        const language = owner.language ?? 'ru';
        const link = `${address()}/test-project?projectId=${String(row.project_id)}`;
        const given = { ...words(String(row.named)), project: String(row.project), link };
        const [subject, text] = [translate(language, texts.subject, given), translate(language, texts.text, given)];
        await mailer.send({ to: owner.email, account: userId, subject, text });
      }
      await run({ text: settling, values: [String(row.id)] });
    }
  };
}

/** Returns false for an account that has sent enough emails. */
function isRefusal(error: unknown): false {
  if (error instanceof ApiError) return false;
  throw error;
}
