import type pg from 'pg';
import { v7 } from 'uuid';
import { singleFlight } from '../../../async/single-flight.ts';
import { maxDeliveryTries } from '../../../contract/hook.ts';
import { type RunStatement, transact } from '../../platform/database/prepared-statements.ts';
import { retryOnOutage } from '../../platform/database/retry-on-outage.ts';
import { type Place, writeStatement } from '../../platform/database/statement.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { recoverWork } from '../../platform/work-queue/recover-work.ts';
import type { Job, JobOutcome, WorkQueue } from '../../platform/work-queue/work-queue.ts';
import { aboutHookSecret } from './hook-secret.ts';
import type { createSendHook, SentEvent, TryOutcome } from './send-hook.ts';

/** An event for the chat of an account. */
export type ChatDelivery = Pick<SentEvent, 'event' | 'projectId' | 'about'> & { userId: string };
/** How a try for a chat ended, with the number of its message; or how long it has to wait, which is no try. */
export type ChatOutcome = { kind: 'ended'; problem: TryOutcome['problem']; messageId?: number | null } | { kind: 'wait'; ms: number };
type EndedTry = TryOutcome & { messageId?: number | null };
export type ChatSender = (delivery: ChatDelivery, signal: AbortSignal) => Promise<ChatOutcome>;
/** Sends an event to a browser. */
export type DeviceSender = (delivery: ChatDelivery & { deviceId: string; eventId: string }, signal: AbortSignal) => Promise<TryOutcome>;

type DeliveriesDeps = {
  pool: pg.Pool;
  run: RunStatement;
  queue: WorkQueue;
  secrets: Pick<SecretBox, 'open'>;
  send: ReturnType<typeof createSendHook>;
  /** Sends an event to the chat of an account. */
  sendChat: ChatSender;
  sendToDevice: DeviceSender;
  /** Sends the emails about dead receivers that are due. */
  sendEmails: () => Promise<void>;
};

/** Deliveries that one process makes at the same time, and those of one account on all processes together. */
const limits = { maxAtOnce: 64, maxPerGroup: 8 };
const heartbeatMs = 5_000;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** The pauses before the second try and those after it: less than a day together. */
const pausesMs = [minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 5 * hourMs, 7 * hourMs, 9 * hourMs];
/** A receiver that says when to try again is believed within these limits (ms). */
const toldPause = { minMs: 1_000, maxMs: 24 * hourMs };
/** The pauses that a receiver may shorten: one that always asks for a second would use up all tries in seconds. */
const shortenedPauses = 2;
/** A receiver that takes nothing for this time is switched off (days). */
const deadAfterDays = 3;

/** Whether an event may have a receiver, or one is still on its way. */
const hasReceivers = `SELECT ${['hooks_out', 'telegram_chats', 'push_devices', "hook_deliveries WHERE status = 'pending'"]
  .map((rows) => `EXISTS (SELECT FROM ${rows})`)
  .join(' OR ')}`;
/** Tries that are due. */
const due = `hook_deliveries WHERE status = 'pending' AND next_at <= now()`;

type FoundDelivery = Omit<SentEvent, 'secrets' | 'url'> & { id: string; userId: string; attempt: number } & (
    | { hookId: string; url: string; sealed: string; former: string[] }
    | { hookId: null; deviceId: string | null }
  );

/**
 * Carries stored events to their receivers. A try has a job of its own. One whose process is killed is repeated, so that each event arrives at least
 * once, with the same id.
 */
export class Deliveries {
  readonly #deps: DeliveriesDeps;
  /** Sends jobs for the tries that are due. */
  readonly relay;

  constructor(deps: DeliveriesDeps) {
    this.#deps = deps;
    this.relay = singleFlight(() => this.#relay(), { rerun: true });
    const recover = async () => {
      await this.relay();
      await deps.sendEmails();
    };
    deps.queue.work('delivery', { ...limits, heartbeatMs, recover, inUse: hasReceivers }, (job) => this.#carryOut(job));
  }

  async #relay(): Promise<void> {
    const { pool, queue } = this.#deps;
    const assignJobs = async (run: RunStatement, ids: readonly string[]) => {
      const jobIds = ids.map(() => v7());
      const text = `UPDATE hook_deliveries SET job_id = given.job FROM unnest($1::uuid[], $2::uuid[]) AS given (id, job)
        WHERE hook_deliveries.id = given.id`;
      await run({ text, values: [ids, jobIds] });
      return jobIds;
    };
    const bury = (jobId: string) => this.#bury(jobId);
    await recoverWork({ pool, queue }, { queue: 'delivery', table: due, job: 'job_id', group: 'user_id', bury, assignJobs });
    await queue.keepDead('delivery', 'SELECT job_id FROM hook_deliveries WHERE job_id IS NOT NULL');
    queue.wake('delivery');
  }

  async #carryOut(job: Job): Promise<JobOutcome> {
    const { run, queue } = this.#deps;
    const lasting = <T>(work: () => Promise<T>) => retryOnOutage(work, job.signal);
    const holds = (place: Place) => queue.holdsJob('delivery', job, place);
    const [found] = await lasting(() => run(findDelivery(job.id, holds)));
    if (!found) return 'done';
    if (job.stopping.aborted) return 'released';
    const delivery = found as FoundDelivery;
    const outcome = job.isExhausted ? interrupted : await this.#try(delivery, job.signal);
    if (job.signal.aborted) return 'released';
    if ('ms' in outcome) await lasting(() => run({ text: puttingOff, values: [delivery.id, job.id, Math.ceil(outcome.ms)] }));
    else await lasting(() => this.#store(job.id, delivery, outcome));
    return 'done';
  }

  async #try(delivery: FoundDelivery, signal: AbortSignal): Promise<EndedTry | { ms: number }> {
    if (delivery.hookId === null) {
      const { deviceId } = delivery;
      if (deviceId !== null) return this.#deps.sendToDevice({ ...delivery, deviceId }, signal);
      const outcome = await this.#deps.sendChat(delivery, signal);
      return outcome.kind === 'wait' ? outcome : { ...outcome, answerStatus: null };
    }
    const about = aboutHookSecret(delivery.hookId);
    const [secret, ...former] = [delivery.sealed, ...delivery.former].map((sealed) => this.#deps.secrets.open(sealed, about));
    if (!secret) return { problem: 'secret', answerStatus: null };
    return this.#deps.send({ ...delivery, secrets: [secret, ...former.filter((one) => one !== null)] }, signal);
  }

  /** Ends a try whose job is used up: every process that made it has ended before its answer. */
  async #bury(jobId: string): Promise<void> {
    const [found] = await this.#deps.run(findDelivery(jobId, () => 'true'));
    if (!found) return;
    await this.#store(jobId, found as FoundDelivery, interrupted);
  }

  /** Stores the end of a try, and when the next one is due. A receiver that has been dead for days is switched off. */
  async #store(
    jobId: string,
    { id, hookId, event, attempt }: FoundDelivery,
    { problem, answerStatus, waitMs = null, messageId = null }: EndedTry,
  ): Promise<void> {
    const tries = attempt + 1;
    const isLast = event === 'test' || problem === 'blocked' || tries >= maxDeliveryTries;
    const status = problem === null ? 'delivered' : isLast ? 'failed' : 'pending';
    const pauseMs = status === 'pending' ? pauseAfter(attempt, waitMs) : null;
    await transact(this.#deps.pool, async (run) => {
      const stored = await run({
        text: `UPDATE hook_deliveries SET attempt = $3, status = $4, problem = $5, answer_status = $6, tried_at = now(), job_id = NULL,
          next_at = now() + $7::integer * interval '1 ms', message_id = $8 WHERE id = $1 AND job_id = $2 AND status = 'pending' RETURNING id`,
        values: [id, jobId, tries, status, problem, answerStatus, pauseMs, messageId],
      });
      if (stored.length === 0 || hookId === null) return;
      if (problem === null) await run({ text: succeeding, values: [hookId] });
      else if (event !== 'test') await this.#noteFailure(run, hookId);
    });
  }

  async #noteFailure(run: RunStatement, hookId: string): Promise<void> {
    await run({ text: 'UPDATE hooks_out SET failing_since = coalesce(failing_since, now()) WHERE id = $1', values: [hookId] });
    const died = await run({ text: switchingOff, values: [hookId] });
    if (died.length > 0) await run({ text: stoppingDeliveries, values: [hookId] });
  }
}

/**
 * Returns the pause after a try (ms), of which the first is 0: what the receiver has told, or the usual one. A told pause that is shorter counts after the
 * first two tries only.
 */
function pauseAfter(attempt: number, toldMs: number | null): number {
  const usual = pausesMs[attempt] ?? 0;
  if (toldMs === null) return usual;
  const told = Math.min(Math.max(toldMs, toldPause.minMs), toldPause.maxMs);
  return attempt < shortenedPauses ? told : Math.max(told, usual);
}

const interrupted: TryOutcome = { problem: 'interrupted', answerStatus: null };

const puttingOff = `UPDATE hook_deliveries SET job_id = NULL, next_at = now() + $3::integer * interval '1 ms'
  WHERE id = $1 AND job_id = $2 AND status = 'pending'`;
const succeeding = 'UPDATE hooks_out SET failing_since = NULL WHERE id = $1 AND failing_since IS NOT NULL';
const switchingOff = `UPDATE hooks_out SET off_since = now(), off_because = 'dead', email_due_at = now()
  WHERE id = $1 AND off_since IS NULL AND failing_since <= now() - ${deadAfterDays} * interval '1 day' RETURNING id`;
/** A statement that gives up what is on its way to the receiver $1. A try under way may still arrive. */
export const stoppingDeliveries = `UPDATE hook_deliveries SET status = 'stopped', next_at = NULL, job_id = NULL
  WHERE hook_id = $1 AND status = 'pending'`;

/** Reads the delivery of a job, while `holds` says that its process still has the job. */
function findDelivery(jobId: string, holds: (place: Place) => string) {
  return writeStatement(
    (
      place,
    ) => `SELECT d.id, d.hook_id AS "hookId", d.device_id AS "deviceId", d.event_id AS "eventId", d.event, d.project_id AS "projectId", d.created_at AS "createdAt",
        d.about, d.attempt, d.user_id AS "userId", hook.url, hook.secret_sealed AS sealed,
        ARRAY(SELECT secret ->> 'sealed' FROM jsonb_array_elements(hook.former_secrets) AS secret
          WHERE (secret ->> 'until')::timestamptz > now()) AS former
      FROM hook_deliveries AS d LEFT JOIN hooks_out AS hook ON hook.id = d.hook_id
      WHERE d.job_id = ${place(jobId)}::uuid AND d.status = 'pending' AND ${holds(place)}`,
  );
}
