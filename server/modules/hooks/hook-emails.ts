import { ApiError } from '../../http/api-error.ts';
import type { Language } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';

export type HookEmailsDeps = {
  run: RunStatement;
  mailer: Pick<Mailer, 'send'>;
  ownerOf: (userId: string) => Promise<{ email: string; isVerified: boolean; language: Language | null } | null>;
  /** Throws `too_many_requests` when the account has sent too many emails. */
  countEmail: (userId: string) => Promise<void>;
  /** The server's public address. */
  address: () => string;
};

/** Takes emails that are due, and puts each off: one that could not be sent is due again then. */
const takingDue = `UPDATE hooks_out AS hook SET email_due_at = now() + interval '10 minutes' FROM projects
  WHERE projects.id = hook.project_id AND hook.id IN (
    SELECT id FROM hooks_out WHERE email_due_at <= now() ORDER BY email_due_at LIMIT 20 FOR UPDATE SKIP LOCKED)
  RETURNING hook.id, hook.url, hook.project_id, projects.user_id, projects.name`;
const settling = 'UPDATE hooks_out SET email_due_at = NULL WHERE id = $1';

/** Tells owners of receivers that were switched off as dead. The window shows it too, so an account that may get no email misses nothing. */
export function createHookEmails({ run, mailer, ownerOf, countEmail, address }: HookEmailsDeps) {
  return async (): Promise<void> => {
    for (const row of await run({ text: takingDue, values: [] })) {
      const [id, userId, projectId] = [String(row.id), String(row.user_id), String(row.project_id)];
      const owner = await ownerOf(userId);
      const isAllowed = owner?.isVerified === true && (await countEmail(userId).then(() => true, isRefusal));
      if (owner && isAllowed) {
        const language = owner.language ?? 'ru';
        const words = {
          host: new URL(String(row.url)).host,
          project: String(row.name),
          link: `${address()}/test-project?projectId=${projectId}`,
        };
        await mailer.send({
          to: owner.email,
          account: userId,
          subject: translate(language, 'mail.hookOff.subject', words),
          text: translate(language, 'mail.hookOff.text', words),
        });
      }
      await run({ text: settling, values: [id] });
    }
  };
}

/** Returns false for an account that has sent enough emails. */
function isRefusal(error: unknown): false {
  if (error instanceof ApiError) return false;
  throw error;
}
