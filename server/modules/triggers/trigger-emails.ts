import { ApiError } from '../../http/api-error.ts';
import type { Language } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';

export type TriggerEmailsDeps = {
  run: RunStatement;
  mailer: Pick<Mailer, 'send'>;
  ownerOf: (userId: string) => Promise<{ email: string; isVerified: boolean; language: Language | null } | null>;
  /** Throws `too_many_requests` when the account has sent too many emails. */
  countEmail: (userId: string) => Promise<void>;
  /** The server's public address. */
  address: () => string;
};

/** Takes emails that are due, and puts each off: one that could not be sent is due again then. */
const takingDue = `UPDATE triggers SET email_due_at = now() + interval '10 minutes' FROM projects
  WHERE projects.id = triggers.project_id AND triggers.id IN (
    SELECT id FROM triggers WHERE email_due_at <= now() ORDER BY email_due_at LIMIT 20 FOR UPDATE SKIP LOCKED)
  RETURNING triggers.id, triggers.name, triggers.project_id, triggers.run_as, projects.name AS project`;
const settling = 'UPDATE triggers SET email_due_at = NULL WHERE id = $1';

/** Tells owners of triggers that were paused after failed runs. The window shows it too, so an account that may get no email misses nothing. */
export function createTriggerEmails({ run, mailer, ownerOf, countEmail, address }: TriggerEmailsDeps) {
  return async (): Promise<void> => {
    for (const row of await run({ text: takingDue, values: [] })) {
      const userId = String(row.run_as);
      const owner = await ownerOf(userId);
      const isAllowed = owner?.isVerified === true && (await countEmail(userId).then(() => true, isRefusal));
      if (owner && isAllowed) {
        const language = owner.language ?? 'ru';
        const words = {
          name: String(row.name),
          project: String(row.project),
          link: `${address()}/test-project?projectId=${String(row.project_id)}`,
        };
        await mailer.send({
          to: owner.email,
          account: userId,
          subject: translate(language, 'mail.triggerPaused.subject', words),
          text: translate(language, 'mail.triggerPaused.text', words),
        });
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
