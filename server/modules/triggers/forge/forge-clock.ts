import type pg from 'pg';
import type { ForgeProblem, ForgeSettings } from '../../../../contract/trigger.ts';
import type { Language } from '../../../http/call.ts';
import { and, eq, type SQL, sql } from '../../../platform/database/drizzle.ts';
import type { RunStatement } from '../../../platform/database/prepared-statements.ts';
import { retryOnOutage } from '../../../platform/database/retry-on-outage.ts';
import { writeStatement } from '../../../platform/database/statement.ts';
import { RequestFailed } from '../../../platform/git/forge-calls.ts';
import type { OwnerId } from '../../../platform/owner-id.ts';
import { recoverWork } from '../../../platform/work-queue/recover-work.ts';
import type { Job, JobOutcome, WorkQueue } from '../../../platform/work-queue/work-queue.ts';
import type { ForgeTarget } from '../../publishing/index.ts';
import { assignNewJobs } from '../clock-jobs.ts';
import { LeaseLost } from '../lease-lost.ts';
import { type TriggerRow, triggers } from '../tables.ts';
import { bringForward, pauseMs, sendReading } from './bring-forward.ts';
import { ForgeReading, type ReadingDeps } from './reading.ts';
import type { KnownRights } from './rights.ts';
import { forgeReadings } from './tables.ts';

export type ForgeClockDeps = ReadingDeps & {
  pool: pg.Pool;
  run: RunStatement;
  queue: WorkQueue;
  targetOf: (projectId: string) => Promise<ForgeTarget | null>;
  teamOf: (teamId: string) => Promise<{ slug: string } | null>;
  ownerOf: (userId: OwnerId) => Promise<{ language: Language | null } | null>;
  onFailed: (error: unknown) => void;
};

/** Repositories that one process reads at the same time, and those of one account on all processes together. */
const limits = { maxAtOnce: 16, maxPerGroup: 2 };
const heartbeatMs = 5_000;
/** The pause before a reading that a hook asks for: several hooks of one moment need one (ms). */
const hookPauseMs = 500;
/**
 * The pause after a forge has said that it takes no more calls for now, where it does not say how long (s): twice as long after each further refusal.
 * https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit asks for a minute at least.
 */
const firstWaitSeconds = 60;
const longestWaitSeconds = 3_600;

/** Runs that have ended or asked since the last reading of their trigger began. The clocks of nodes may differ by a minute from that of the database. */
const dueByRuns = `SELECT DISTINCT thread.trigger_id AS id FROM forge_threads AS thread
  JOIN executions ON executions.id = thread.execution_id JOIN forge_readings AS reading ON reading.trigger_id = thread.trigger_id
  WHERE thread.execution_id IS NOT NULL AND thread.done_execution_id IS DISTINCT FROM thread.execution_id
    AND (coalesce(executions.completed_at, executions.failed_at) > reading.begun_at - interval '1 min'
      OR EXISTS (SELECT FROM questions WHERE execution_id = executions.id AND state = 'open' AND questions.opened_at > reading.begun_at AND questions.id IS DISTINCT FROM thread.question_id))`;

/** Whether a paused trigger has something to hand on: then it is read on. */
const hasOpenThreads = (
  triggerId: string,
) => sql`EXISTS (SELECT FROM forge_threads AS thread JOIN forge_readings AS reading USING (trigger_id)
  WHERE trigger_id = ${triggerId}::uuid AND thread.url = reading.url
    AND (state = 'waiting' OR execution_id IS NOT NULL AND done_execution_id IS DISTINCT FROM execution_id))`;

/** Triggers that read a repository. */
const reading = `triggers WHERE kind = 'forge'`;
/** Only they have jobs in this queue, hooks without an event, and threads. */
const settingsOf = ({ settings }: TriggerRow) => settings as ForgeSettings;

/** Reads the repositories of triggers: each has one job, which waits for its next reading. A hook and the end of a run bring that forward. */
export class ForgeClock {
  readonly #deps: ForgeClockDeps;

  constructor(deps: ForgeClockDeps) {
    this.#deps = deps;
    const { pool, queue } = deps;
    const recover = async () => {
      const work = {
        queue: 'forge' as const,
        table: `${reading} AND next_at IS NOT NULL`,
        job: 'job_id',
        group: 'run_as',
      };
      await recoverWork({ pool, queue }, { ...work, bury: (jobId) => this.#bury(jobId), assignJobs: assignNewJobs });
      await queue.keepDead('forge', `SELECT job_id FROM triggers WHERE job_id IS NOT NULL`);
      await this.wakeForRuns();
    };
    const inUse = `SELECT EXISTS (SELECT FROM ${reading})`;
    queue.work('forge', { ...limits, heartbeatMs, recover, inUse }, (job) => this.#carryOut(job));
  }

  /** Brings the reading of a trigger forward. */
  async wake(triggerId: string): Promise<void> {
    const { db, queue } = this.#deps;
    await db.transaction(async (tx) => {
      const [trigger] = await tx.select().from(triggers).where(eq(triggers.id, triggerId)).for('no key update');
      if (trigger) await bringForward(tx, queue, trigger, hookPauseMs);
    });
    queue.wake('forge', hookPauseMs);
  }

  /** Brings readings forward whose runs have ended or ask. */
  async wakeForRuns(): Promise<void> {
    for (const { id } of await this.#deps.run({ text: dueByRuns, values: [] })) await this.wake(String(id));
  }

  async #carryOut(job: Job): Promise<JobOutcome> {
    const { queue, onFailed } = this.#deps;
    const trigger = await retryOnOutage(() => this.#begin(job), job.signal);
    // Changed, removed or woken since: another job reads it.
    if (!trigger) return 'done';
    if (job.stopping.aborted) return 'released';
    // A reading whose attempts are used up is left out: the next one reads the same.
    const read = job.isExhausted ? async () => null : () => this.#read(trigger, settingsOf(trigger), job.signal);
    const soonMs = await read().catch((error: unknown) => {
      if (job.signal.aborted) throw error;
      if (!(error instanceof LeaseLost)) onFailed(error);
      return null;
    });
    await retryOnOutage(() => this.#advance(trigger, settingsOf(trigger), soonMs), job.signal);
    queue.wake('forge');
    return 'done';
  }

  /** Notes that a job reads now. Returns its trigger; null where another job has that. */
  async #begin(job: Job): Promise<TriggerRow | null> {
    const { db, queue, run } = this.#deps;
    const [held] = await run(
      writeStatement((place) => `SELECT id FROM triggers WHERE job_id = ${place(job.id)}::uuid AND ${queue.holdsJob('forge', job, place)}`),
    );
    if (!held) return null;
    return db.transaction(async (tx) => {
      const [trigger] = await tx.select().from(triggers).where(eq(triggers.jobId, job.id)).for('no key update');
      if (!trigger) return null;
      // Where the attempts are used up nothing is read: what a hook has asked for is left to the next reading, which then comes soon.
      const begun = { jobId: job.id, begunAt: sql`now()`, ...(!job.isExhausted && { isWanted: false }) };
      await tx
        .insert(forgeReadings)
        .values({ triggerId: trigger.id, ...begun })
        .onConflictDoUpdate({ target: forgeReadings.triggerId, set: begun });
      return trigger;
    });
  }

  /** Reads a repository, and stores how far, or why it could not be read. Returns when the next reading comes, where it is not the usual one (ms). */
  async #read(trigger: TriggerRow, settings: ForgeSettings, signal: AbortSignal): Promise<number | null> {
    const { db, targetOf, teamOf, ownerOf } = this.#deps;
    const target = await targetOf(trigger.projectId);
    if (!target) return this.#note(trigger.id, 'no_target', null);
    const [before] = await db.select().from(forgeReadings).where(eq(forgeReadings.triggerId, trigger.id));
    const team = (trigger.teamId === null ? null : await teamOf(trigger.teamId))?.slug ?? '';
    const language = (await ownerOf(trigger.runAs))?.language ?? 'ru';
    const { id, jobId } = trigger;
    const assertLease = async () => {
      const ours = and(eq(triggers.id, id), eq(triggers.jobId, jobId as string));
      if ((await db.$count(triggers, ours)) === 0) throw new LeaseLost();
    };
    const isSame = before?.url === target.url;
    const asked = { trigger, settings, target, team, language, signal, assertLease };
    const reading = new ForgeReading(this.#deps, asked, isSame ? before.rights : {});
    try {
      const begun = { since: null, hasLabelled: false, unread: [] };
      const { soonMs, hasLabelled, ...read } = await reading.read(isSame ? before : begun);
      const problem = { problem: reading.problem?.reason ?? null, problemText: reading.problem?.text ?? null, notBefore: null };
      // An edit during the reading has asked for all issues with another label.
      const labelled = hasLabelled ? { hasLabelled: sql`NOT is_wanted OR has_labelled` } : {};
      await db
        .update(forgeReadings)
        .set({ ...read, ...labelled, url: target.url, readAt: sql`now()`, rights: reading.rights, limits: 0, ...problem })
        .where(and(eq(forgeReadings.triggerId, id), eq(forgeReadings.jobId, jobId as string)));
      return soonMs;
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error;
      const limits = error.isForNow ? (before?.limits ?? 0) + 1 : 0;
      const seconds = error.waitSeconds ?? Math.min(firstWaitSeconds * 2 ** Math.min(limits - 1, 10), longestWaitSeconds);
      const notBefore = error.isForNow ? sql`now() + ${seconds} * interval '1 s'` : null;
      // The rights are of this repository.
      const rights = isSame ? { rights: reading.rights } : {};
      return this.#note(id, error.reason, error.text, { notBefore, limits, ...rights });
    }
  }

  async #note(
    triggerId: string,
    problem: ForgeProblem,
    problemText: string | null,
    more: { notBefore?: SQL | null; limits?: number; rights?: KnownRights } = {},
  ): Promise<null> {
    const values = { problem, problemText, notBefore: null, ...more };
    await this.#deps.db.update(forgeReadings).set(values).where(eq(forgeReadings.triggerId, triggerId));
    return null;
  }

  /** Sends the job of the next reading. A paused trigger without open threads is not read. */
  async #advance({ id, jobId }: TriggerRow, { everyMinutes }: ForgeSettings, soonMs: number | null): Promise<void> {
    const { db, queue } = this.#deps;
    await db.transaction(async (tx) => {
      const [trigger] = await tx.select().from(triggers).where(eq(triggers.id, id)).for('no key update');
      if (!trigger || trigger.jobId !== jobId) return;
      const { rows } = await tx.execute<{ isWanted: boolean; isOpen: boolean; waitMs: number }>(
        sql`SELECT is_wanted AS "isWanted", ${hasOpenThreads(id)} AS "isOpen",
          greatest(0, coalesce(extract(epoch FROM not_before - now()) * 1000, 0))::float8 AS "waitMs" FROM forge_readings WHERE trigger_id = ${id}::uuid`,
      );
      const { isWanted = false, isOpen = false, waitMs = 0 } = rows[0] ?? {};
      if (trigger.pausedAt !== null && !isOpen) await tx.update(triggers).set({ nextAt: null, jobId: null }).where(eq(triggers.id, id));
      else await sendReading(tx, queue, trigger, Math.max(waitMs, isWanted ? pauseMs : (soonMs ?? everyMinutes * 60_000)));
    });
  }

  /** A reading that has failed in all attempts is left out: the next one reads the same. */
  async #bury(jobId: string): Promise<void> {
    const { db } = this.#deps;
    const [trigger] = await db.select().from(triggers).where(eq(triggers.jobId, jobId));
    if (trigger) await this.#advance(trigger, settingsOf(trigger), null);
  }
}
