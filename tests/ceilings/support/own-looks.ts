import type { Sent } from '../probes/count-statements.ts';

/** Statements that come by the server's own clocks, or at times that depend on how long others take. They are no part of a piece of work. */
const ofQueue = [
  // The look for the next jobs of a queue, in a transaction with its lock.
  /\bactive_group_count_map\b|pg_advisory_xact_lock\(\$1, hashtext\(\$2\)\)/,
  // The care of pg-boss for its tables.
  /^SELECT q\.name, q\.policy|^WITH due AS \( SELECT name FROM artel_queue\.queue|^BEGIN; SET LOCAL/,
  /^WITH budget AS|^DELETE FROM artel_queue\.instance|^UPDATE artel_queue\.version|^SELECT t\.relname/,
  // Heartbeats of jobs, and settings of a new connection.
  /^WITH mine AS \(SELECT unnest|^SET statement_timeout/,
];
const ofHooksAndTriggers = [
  // Deliveries and schedules that have lost their jobs, and the relay of new deliveries.
  /\bFROM hook_deliveries WHERE status = 'pending'|\bFROM triggers WHERE kind = '(?:schedule|forge)'/,
  /\bFROM triggers WHERE next_at BETWEEN|\bemail_due_at <= now\(\)/,
  // Ended runs and waiting events of triggers.
  /\bfires\.outcome = 'started' AND NOT fires\.is_settled|\bf\.outcome = 'waiting'|^SELECT DISTINCT thread\.trigger_id/,
];
const ofWork = [
  // The session of a caller, which is kept for a while.
  /\bfrom "sessions" inner join "users"/,
  // Work that has lost its job, and questions, emails and amounts that are due.
  /\bdead_letters\b|^select distinct "user_id", "execution_id" from "agent_commands"/,
  // Accounts whose time to be taken back is over.
  /\bUPDATE users SET removal_began_at|^SELECT id FROM users WHERE deletion_due_at IS NOT NULL/,
  /\bFROM questions WHERE state = 'open' AND due_at <=|"letter_due_at" <=|\bstorage_uses\b/,
];

const plain = (text: string) => text.replace(/\s+/g, ' ').trim();

export function isOwnLook(text: string): boolean {
  return [...ofQueue, ...ofHooksAndTriggers, ...ofWork].some((look) => look.test(plain(text)));
}

/** Counts the statements that look for work of hooks and triggers. */
export function countForHooksAndTriggers(sent: readonly Sent[]): number {
  return sent.flatMap(({ texts }) => texts).filter((text) => ofHooksAndTriggers.some((look) => look.test(plain(text)))).length;
}
