import type { HookDelivery } from '../../../contract/hook.ts';
import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import type { TryOutcome } from './tables.ts';

/** A receiver that takes nothing for this time is switched off (days). */
const deadAfterDays = 3;
const succeeding = 'UPDATE hooks_out SET failing_since = NULL WHERE id = $1 AND failing_since IS NOT NULL';
const failing = 'UPDATE hooks_out SET failing_since = coalesce(failing_since, now()) WHERE id = $1';
const switchingOff = `UPDATE hooks_out SET off_since = now(), off_because = 'dead', email_due_at = now()
  WHERE id = $1 AND off_since IS NULL AND failing_since <= now() - ${deadAfterDays} * interval '1 day' RETURNING id`;
/** A statement that gives up what is on its way to the hook $1. A try under way may still arrive. */
export const stoppingDeliveries = `UPDATE hook_deliveries SET status = 'stopped', next_at = NULL, job_id = NULL
  WHERE hook_id = $1 AND status = 'pending'`;

/** Notes how a try ended: a hook that has been dead for days is switched off. */
export async function noteOfHook(
  run: RunStatement,
  hookId: string,
  { problem, event }: Pick<TryOutcome, 'problem'> & { event: HookDelivery['event'] },
): Promise<void> {
  const values = [hookId];
  if (problem === null) await run({ text: succeeding, values });
  if (problem === null || event === 'test') return;
  await run({ text: failing, values });
  const died = await run({ text: switchingOff, values });
  if (died.length > 0) await run({ text: stoppingDeliveries, values });
}
