import type pg from 'pg';
import { v7 } from 'uuid';
import type { SettingsOf } from '../../../contract/trigger.ts';
import { elapsedBetween } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { and, eq, sql } from '../../platform/database/drizzle.ts';
import { type RunStatement, runIn } from '../../platform/database/prepared-statements.ts';
import { retryOnOutage } from '../../platform/database/retry-on-outage.ts';
import { writeStatement } from '../../platform/database/statement.ts';
import { distinct } from '../../platform/database/unique-rows.ts';
import { instantsOf, instantsUntil, type Schedule } from '../../platform/work-queue/pg-boss/schedule-instants.ts';
import { recoverWork } from '../../platform/work-queue/recover-work.ts';
import type { Job, JobOutcome, WorkQueue } from '../../platform/work-queue/work-queue.ts';
import { assignNewJobs, sendClockJob } from './clock-jobs.ts';
import type { Fires, NewFire } from './fires.ts';
import { LeaseLost } from './lease-lost.ts';
import { fires, type TriggerRow, triggers } from './tables.ts';

type ClockDeps = {
  db: Db;
  pool: pg.Pool;
  run: RunStatement;
  queue: WorkQueue;
  fires: Pick<Fires, 'fire' | 'note'>;
  /** Carries out what else is due: waiting fires, and runs that have ended. */
  reconcile: () => Promise<void>;
  /** Told of a schedule whose next instant cannot be computed. */
  onFailed: (error: unknown) => void;
};

/** Schedules that one process fires at the same time, and those of one account on all processes together. */
const limits = { maxAtOnce: 32, maxPerGroup: 8 };
const heartbeatMs = 5_000;
/** Late instants that are stored at once. */
const lateAtOnce = 500;

/** SQL of the jobs of instants that were given up and can be retried: no later event of their schedule has started a run. */
export const retriableInstants = `SELECT fire.job_id FROM fires AS fire WHERE fire.job_id IS NOT NULL AND fire.outcome = 'failed'
  AND NOT EXISTS (SELECT FROM fires AS newer WHERE newer.trigger_id = fire.trigger_id AND newer.at > fire.at AND newer.outcome = 'started')`;

/** The last trigger may leave a dead letter behind. */
const inUse = `SELECT EXISTS (SELECT FROM triggers) OR EXISTS (SELECT FROM dead_letters WHERE queue = 'trigger')`;
/** Schedules that have a next instant. */
const isScheduled = `kind = 'schedule' AND next_at IS NOT NULL AND paused_at IS NULL`;

/** The moments of the next seconds at which schedules are due: work without a job is looked for at least as often. */
const soon = `SELECT DISTINCT greatest(0, ceil(extract(epoch FROM next_at - now()) * 1000)) AS ms FROM triggers
  WHERE next_at BETWEEN now() AND now() + interval '15 s' AND ${isScheduled}`;

/**
 * The clock of schedules is the work queue: each trigger has one job, which waits for its next instant. The job fires the instant, computes the one after it and
 * sends the job of that, in one transaction. So an instant is neither lost nor fired twice when a process is killed. All times are those of the database.
 */
export class ScheduleClock {
  readonly #deps: ClockDeps;

  constructor(deps: ClockDeps) {
    this.#deps = deps;
    const { pool, queue } = deps;
    const recover = async () => {
      const bury = (jobId: string) => this.#bury(jobId);
      try {
        await recoverWork(
          { pool, queue },
          { queue: 'trigger', table: `triggers WHERE ${isScheduled}`, job: 'job_id', group: 'run_as', bury, assignJobs: assignNewJobs },
        );
        await queue.keepDead('trigger', `${retriableInstants} UNION ALL SELECT job_id FROM triggers WHERE job_id IS NOT NULL`);
        await this.#wakeInTime();
      } finally {
        await deps.reconcile();
      }
    };
    queue.work('trigger', { ...limits, heartbeatMs, recover, inUse }, (job) => this.#carryOut(job));
  }

  async #carryOut(job: Job): Promise<JobOutcome> {
    const { run, queue } = this.#deps;
    const [found] = await retryOnOutage(
      () =>
        run(
          writeStatement(
            (place) => `SELECT id, now() AS now FROM triggers WHERE job_id = ${place(job.id)}::uuid AND paused_at IS NULL
              AND ${queue.holdsJob('trigger', job, place)}`,
          ),
        ),
      job.signal,
    );
    // Changed, paused or removed since: another job waits for its next instant.
    if (!found) return 'done';
    if (job.isExhausted) return (await this.#bury(job.id, (run) => queue.bury(run, 'trigger', job, givenUp))) ? 'buried' : 'done';
    if (job.stopping.aborted) return 'released';
    await this.#fire(String(found.id), job.id, found.now as Date).catch((error: unknown) => {
      if (!(error instanceof LeaseLost)) throw error;
    });
    queue.wake('trigger');
    return 'done';
  }

  /** Looks for jobs at the moments at which some are due soon: this node may have begun after they were sent, or another node has sent them. */
  async #wakeInTime(): Promise<void> {
    const moments = await this.#deps.run({ text: soon, values: [] });
    for (const { ms } of moments) this.#deps.queue.wake('trigger', Number(ms));
  }

  /** Fires the next instant of a trigger if it is due. Late ones are stored together. */
  async #fire(triggerId: string, jobId: string, now: Date): Promise<void> {
    const [trigger] = await this.#deps.db.select().from(triggers).where(eq(triggers.id, triggerId));
    if (!trigger || trigger.nextAt === null || trigger.jobId !== jobId) return;
    const { nextAt } = trigger;
    const settings = scheduleOf(trigger);
    if (nextAt > now) return this.#deps.db.transaction((tx) => this.#advance(tx, trigger, nextAt));
    const { late, due } = this.#sort(trigger, settings, { nextAt, now });
    const after = this.#instantAfter(settings, due ?? late.at(-1) ?? nextAt);
    const within = async (tx: Db) => {
      if (late.length > 0) {
        const rows = late.map((instant) => ({
          triggerId,
          key: keyOf(instant),
          dueAt: instant,
          at: now,
          source: {},
          outcome: 'late' as const,
          reason: 'late' as const,
        }));
        await tx
          .insert(fires)
          .values(distinct(rows, ({ key }) => key))
          .onConflictDoNothing();
      }
      await this.#advance(tx, trigger, after);
    };
    if (due === null) return this.#deps.db.transaction(within);
    const fire: NewFire = { key: keyOf(due), dueAt: due, source: {}, body: null };
    await this.#deps.fires.fire(trigger, fire, within);
  }

  /**
   * Returns the instants that are stored as late, and the one that is fired. An instant is late by more than the grace of its trigger; `once` fires the newest
   * late one, unless a later instant is still in time.
   */
  #sort({ graceSeconds, missed }: TriggerRow, schedule: Schedule, { nextAt, now }: { nextAt: Date; now: Date }) {
    const isLate = (instant: Date) => elapsedBetween(instant, now) > graceSeconds * 1_000;
    if (!isLate(nextAt)) return { late: [], due: nextAt };
    const following = this.#computed(() => instantsUntil(schedule, { from: nextAt, until: now, most: lateAtOnce }));
    const instants = [nextAt, ...(following ?? [])];
    const late = instants.filter(isLate);
    const isNewest = late.length === instants.length && late.length <= lateAtOnce;
    return missed === 'once' && isNewest ? { late: late.slice(0, -1), due: late.at(-1) ?? null } : { late, due: null };
  }

  /** Returns the instant after another; null where it cannot be computed. */
  #instantAfter(schedule: Schedule, after: Date): Date | null {
    return this.#computed(() => instantsOf(schedule, { from: after, count: 1 }))?.[0] ?? null;
  }

  /** One schedule that cannot be computed holds back no other: that it is known is enough. */
  #computed(compute: () => Date[]): Date[] | null {
    try {
      return compute();
    } catch (error) {
      this.#deps.onFailed(error);
      return null;
    }
  }

  /**
   * Sets the next instant of a trigger, and sends its job. Without a next instant the trigger is paused, and its last fire says why. Throws `LeaseLost` when
   * the trigger was changed since its job was taken.
   */
  async #advance(tx: Db, { id, jobId, runAs, settings }: TriggerRow, next: Date | null): Promise<void> {
    const following = next === null ? null : v7();
    const { rows } = await tx.execute<{
      ms: number;
    }>(sql`UPDATE triggers SET next_at = ${next?.toISOString() ?? null}::timestamptz, job_id = ${following}::uuid
      WHERE id = ${id}::uuid AND job_id = ${jobId}::uuid AND paused_at IS NULL
      RETURNING coalesce(extract(epoch FROM ${next?.toISOString() ?? null}::timestamptz - now()) * 1000, 0)::float8 AS ms`);
    const [advanced] = rows;
    if (!advanced) throw new LeaseLost();
    if (following !== null) await sendClockJob({ queue: this.#deps.queue, run: runIn(tx) }, { id: following, runAs, ms: advanced.ms });
    else await pauseUncomputed(tx, id, scheduleOf({ settings }));
  }

  /**
   * Leaves out an instant whose job has failed in all attempts, and says so. `end` makes the job a dead letter, which can be retried until a later event of
   * the schedule starts a run. Returns false when the schedule has moved on.
   */
  async #bury(jobId: string, end: (run: RunStatement) => Promise<void> = async () => {}): Promise<boolean> {
    const { db, fires: port } = this.#deps;
    const [trigger] = await db.select().from(triggers).where(eq(triggers.jobId, jobId));
    if (!trigger || trigger.nextAt === null) return false;
    const { id, nextAt } = trigger;
    const settings = scheduleOf(trigger);
    const fire: NewFire = { key: keyOf(nextAt), dueAt: nextAt, source: {}, body: null };
    const within = async (tx: Db) => {
      await this.#advance(tx, trigger, this.#instantAfter(settings, nextAt));
      await tx
        .update(fires)
        .set({ jobId })
        .where(and(eq(fires.triggerId, id), eq(fires.key, fire.key)));
      await end(runIn(tx));
    };
    try {
      await port.note(trigger, fire, { outcome: 'failed', reason: 'fault' }, within);
      return true;
    } catch (error) {
      if (error instanceof LeaseLost) return false;
      throw error;
    }
  }
}

const givenUp = 'Every attempt was cut off or failed.';

/** Only schedules have jobs in this queue. */
const scheduleOf = ({ settings }: Pick<TriggerRow, 'settings'>) => settings as SettingsOf<'schedule'>;
/** The key of an instant. */
const keyOf = (instant: Date) => instant.toISOString();

/** Pauses a schedule whose next instant cannot be computed, stores that as its last fire, and lets its owner get an email. */
async function pauseUncomputed(tx: Db, triggerId: string, { cron, zone }: Schedule): Promise<void> {
  const now = sql`clock_timestamp()`;
  await tx.update(triggers).set({ pausedAt: now, pausedReason: 'schedule', emailDueAt: now }).where(eq(triggers.id, triggerId));
  const about = { triggerId, key: `schedule:${v7()}`, dueAt: now, at: now, source: {} };
  await tx.insert(fires).values({ ...about, outcome: 'failed', reason: 'schedule', detail: `${cron} ${zone}` });
}
