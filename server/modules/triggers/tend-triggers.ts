import { singleFlight } from '../../../async/single-flight.ts';
import { maxFailures } from '../../../contract/trigger.ts';
import type { Db } from '../../platform/database/database.ts';
import { and, eq, sql } from '../../platform/database/drizzle.ts';
import type { Fires } from './fires.ts';
import { fires, triggers } from './tables.ts';

type TendDeps = {
  db: Db;
  fires: Pick<Fires, 'startWaiting'>;
  sendEmails: () => Promise<void>;
  onFailed: (error: unknown) => void;
};

/** Fires and runs that are looked at together. */
const batch = 100;
/** Failures of model servers, which are not those of the team. */
const outageCodes: ReadonlySet<string> = new Set(['model_unavailable', 'model_unreachable', 'model_rate_limited']);
/** How long a fire is repeated while a model server is away, and the pause before each time (s). */
const outage = { longestSeconds: 3_600, pauseSeconds: 300 };

/** Carries on what triggers have begun: it counts how runs have ended, pauses what fails, and starts what waits. */
export class TriggerTending {
  readonly #deps: TendDeps;
  readonly tend;

  constructor(deps: TendDeps) {
    this.#deps = deps;
    this.tend = singleFlight(() => this.#tend(), { rerun: true });
  }

  async #tend(): Promise<void> {
    const { sendEmails, onFailed } = this.#deps;
    for (const work of [() => this.#settleAll(), () => this.#startWaiting(), sendEmails]) await work().catch(onFailed);
  }

  async #settleAll(): Promise<void> {
    while ((await this.#settle()) === batch);
  }

  /**
   * Counts runs that have ended, each once. A failure by an outage of a model server is repeated for an hour, and is none of the trigger. The third failure
   * in a row pauses the trigger. Returns how many it has counted.
   */
  async #settle(): Promise<number> {
    const { db } = this.#deps;
    const { rows } = await db.execute<{ id: string }>(sql`SELECT DISTINCT fires.trigger_id AS id FROM fires
      JOIN executions ON executions.id = fires.execution_id
      WHERE fires.outcome = 'started' AND NOT fires.is_settled AND executions.status IN ('completed', 'failed', 'cancelled') LIMIT ${batch}`);
    for (const { id } of rows) await db.transaction((tx) => this.#settleOf(tx, id));
    return rows.length;
  }

  async #settleOf(tx: Db, id: string): Promise<void> {
    // As for a fire: the trigger first.
    await tx.select({ id: triggers.id }).from(triggers).where(eq(triggers.id, id)).for('no key update');
    const { rows } = await tx.execute<{ key: string; at: string; status: string; code: string | null; isRecent: boolean }>(sql`
      UPDATE fires SET is_settled = true FROM executions WHERE fires.trigger_id = ${id}::uuid AND executions.id = fires.execution_id
        AND fires.outcome = 'started' AND NOT fires.is_settled AND executions.status IN ('completed', 'failed', 'cancelled')
      RETURNING fires.key, fires.at, executions.status, executions.error->>'code' AS code,
        fires.at > now() - ${outage.longestSeconds} * interval '1 s' AS "isRecent"`);
    for (const { key, status, code, isRecent } of rows.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))) {
      const isOutage = status === 'failed' && outageCodes.has(code ?? '');
      if (isOutage && isRecent) await this.#repeatLater(tx, id, key);
      else if (isOutage) continue;
      else if (status === 'completed') await tx.update(triggers).set({ failures: 0 }).where(eq(triggers.id, id));
      else if (status === 'failed') await tx.execute(countingFailure(id));
    }
  }

  async #repeatLater(tx: Db, triggerId: string, key: string): Promise<void> {
    await tx
      .update(fires)
      .set({ outcome: 'waiting', reason: 'model_away', notBefore: sql`now() + ${outage.pauseSeconds} * interval '1 s'` })
      .where(and(eq(fires.triggerId, triggerId), eq(fires.key, key)));
  }

  /** Starts the oldest waiting fire of each trigger. One whose trigger has a run under way waits on. */
  async #startWaiting(): Promise<void> {
    const { db } = this.#deps;
    const { rows } = await db.execute<{ triggerId: string; key: string }>(sql`
      SELECT DISTINCT ON (f.trigger_id) f.trigger_id AS "triggerId", f.key FROM fires f JOIN triggers t ON t.id = f.trigger_id
      WHERE f.outcome = 'waiting' AND (f.not_before IS NULL OR f.not_before <= now())
        AND NOT EXISTS (SELECT FROM executions e WHERE e.key_id = t.key_id AND e.status IN ('pending', 'running', 'paused'))
      ORDER BY f.trigger_id, f.at LIMIT ${batch}`);
    for (const { triggerId, key } of rows) {
      const [trigger] = await db.select().from(triggers).where(eq(triggers.id, triggerId));
      const [waiting] = await db
        .select()
        .from(fires)
        .where(and(eq(fires.triggerId, triggerId), eq(fires.key, key)));
      // A fire that cannot be started now holds back none of another trigger.
      if (trigger && waiting) await this.#deps.fires.startWaiting(trigger, waiting).catch(this.#deps.onFailed);
    }
  }
}

/** Counts a failed run of a trigger. The last one that is allowed pauses it, and its owner gets an email. */
function countingFailure(id: string) {
  const isLast = sql`failures + 1 >= ${maxFailures} AND paused_at IS NULL`;
  return sql`UPDATE triggers SET failures = failures + 1,
    paused_at = CASE WHEN ${isLast} THEN now() ELSE paused_at END,
    paused_reason = CASE WHEN ${isLast} THEN 'failures' ELSE paused_reason END,
    email_due_at = CASE WHEN ${isLast} THEN now() ELSE email_due_at END,
    job_id = CASE WHEN ${isLast} THEN NULL ELSE job_id END,
    next_at = CASE WHEN ${isLast} THEN NULL ELSE next_at END
    WHERE id = ${id}::uuid`;
}
