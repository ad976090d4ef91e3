import { z } from 'zod';
import { id } from '../common.ts';

const deadLetterKinds = ['execution', 'command', 'trigger'] as const;

/** Work whose last attempt failed, for staff: its kind, account and reason. It holds no texts of users. */
export const deadLetter = z.object({
  id,
  kind: z.enum(deadLetterKinds),
  /** The execution, the command, or the trigger whose instant was given up; null when it cannot be retried, since it was removed or has ended in another way. */
  workId: id.nullable(),
  /** The account's address. */
  email: z.string().nullable(),
  projectName: z.string().nullable(),
  /** Steps of an execution; null for other work. */
  stepsDone: z.number().int().nullable(),
  stepsTotal: z.number().int().nullable(),
  reason: z.string(),
  diedAt: z.iso.datetime(),
});
export type DeadLetter = z.infer<typeof deadLetter>;

/** The work that was queued again. */
export const retriedWork = z.object({ kind: z.enum(deadLetterKinds), workId: id });
export type RetriedWork = z.infer<typeof retriedWork>;
