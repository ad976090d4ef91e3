import { singleFlight } from '../../../async/single-flight.ts';
import { maxFailures } from '../../../contract/trigger.ts';
import type { Db } from '../../platform/database/database.ts';
import { and, eq, sql } from '../../platform/database/drizzle.ts';
import { isFailureOf } from '../../platform/llm/kinds-of-failure.ts';
import type { Fires } from './fires.ts';
import { fires, triggers } from './tables.ts';
import { isReadOn } from './trigger-kinds.ts';

type ReconcilerDeps = {
  db: Db;
  fires: Pick<Fires, 'startWaiting'>;
  sendEmails: () => Promise<void>;
  onFailed: (error: unknown) => void;
};

/** Fires and runs that are looked at together. */
const batch = 100;
/** While a model server is away, a fire is repeated for so long after its first failure (s), with at most so many runs, and with this pause before each (s). */
const outage = { longestSeconds: 3_600, maxTries: 12, pauseSeconds: 300 };

/** Carries on what triggers have begun: it counts how runs have ended, pauses what fails, and starts what waits. */
export class FireReconciler {
  readonly #deps: ReconcilerDeps;
  readonly reconcile;

  constructor(deps: ReconcilerDeps) {
    this.#deps = deps;
    this.reconcile = singleFlight(() => this.#reconcile(), { rerun: true });
  }

  async #reconcile(): Promise<void> {
    const { sendEmails, onFailed } = this.#deps;
    for (const work of [() => this.#settleAll(), () => this.#startWaiting(), sendEmails]) await work().catch(onFailed);
  }

  async #settleAll(): Promise<void> {
    while ((await this.#settle()) === batch);
  }

  /**
   * Counts runs that have ended, each once. A failure by an outage of a model server is repeated, and is none of the trigger. The third failure in a row
   * pauses the trigger. Returns how many it has counted.
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
    const { rows } = await tx.execute<{ key: string; at: string; status: string; code: string | null }>(sql`
      UPDATE fires SET is_settled = true FROM executions WHERE fires.trigger_id = ${id}::uuid AND executions.id = fires.execution_id
        AND fires.outcome = 'started' AND NOT fires.is_settled AND executions.status IN ('completed', 'failed', 'cancelled')
      RETURNING fires.key, fires.at, executions.status, executions.error->>'code' AS code`);
    for (const { key, status, code } of rows.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))) {
      if (status === 'failed' && isFailureOf(code ?? '', ['away'])) await tx.execute(repeatingLater(id, key));
      else if (status === 'completed') await tx.update(triggers).set({ failures: 0 }).where(eq(triggers.id, id));
      else if (status === 'failed') await tx.execute(countingFailure(id));
    }
  }

  /**
   * Starts the oldest waiting fire of each trigger: those behind it wait until it has its turn. One whose trigger has a run under way waits on. Where newer
   * events end older runs, it is the newest fire, which ends that run.
   */
  async #startWaiting(): Promise<void> {
    const { db } = this.#deps;
    const { rows } = await db.execute<{ triggerId: string; key: string }>(sql`
      SELECT first.trigger_id AS "triggerId", first.key FROM (
        SELECT DISTINCT ON (f.trigger_id) f.trigger_id, f.key, f.not_before, t.key_id, t.overlap FROM fires f JOIN triggers t ON t.id = f.trigger_id
        WHERE f.outcome = 'waiting'
        ORDER BY f.trigger_id, extract(epoch FROM f.at) * CASE t.overlap WHEN 'cancel_older' THEN -1 ELSE 1 END, f.key) AS first
      WHERE (first.not_before IS NULL OR first.not_before <= now()) AND (first.overlap = 'cancel_older' OR NOT EXISTS (
        SELECT FROM executions e WHERE e.key_id = first.key_id AND e.status IN ('pending', 'running', 'paused')))
      LIMIT ${batch}`);
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

/**
 * Lets a fire wait whose model server was away. It has failed after an hour, after as many runs as are allowed, or when a newer event has taken its place.
 */
function repeatingLater(triggerId: string, key: string) {
  const isOver = sql`(tries + 1 >= ${outage.maxTries}
    OR away_since < now() - ${outage.longestSeconds - outage.pauseSeconds} * interval '1 s'
    OR EXISTS (SELECT FROM fires AS newer JOIN triggers ON triggers.id = newer.trigger_id WHERE newer.trigger_id = fires.trigger_id
      AND triggers.overlap = 'cancel_older' AND newer.outcome IN ('started', 'waiting') AND newer.at > fires.at))`;
  return sql`UPDATE fires SET reason = 'model_away', tries = tries + 1, away_since = coalesce(away_since, now()),
    outcome = CASE WHEN ${isOver} THEN 'failed' ELSE 'waiting' END,
    not_before = CASE WHEN ${isOver} THEN NULL ELSE now() + ${outage.pauseSeconds} * interval '1 s' END
    WHERE trigger_id = ${triggerId}::uuid AND key = ${key}`;
}

/** Counts a failed run of a trigger. The last one that is allowed pauses it, and its owner gets an email. */
function countingFailure(id: string) {
  const isLast = sql`failures + 1 >= ${maxFailures} AND paused_at IS NULL`;
  return sql`UPDATE triggers SET failures = failures + 1,
    paused_at = CASE WHEN ${isLast} THEN now() ELSE paused_at END,
    paused_reason = CASE WHEN ${isLast} THEN 'failures' ELSE paused_reason END,
    email_due_at = CASE WHEN ${isLast} THEN now() ELSE email_due_at END,
    job_id = CASE WHEN ${isLast} AND NOT ${isReadOn} THEN NULL ELSE job_id END,
    next_at = CASE WHEN ${isLast} AND NOT ${isReadOn} THEN NULL ELSE next_at END
    WHERE id = ${id}::uuid`;
}
