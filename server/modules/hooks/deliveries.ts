import type pg from 'pg';
import { v7 } from 'uuid';
import { singleFlight } from '../../../async/single-flight.ts';
import { maxDeliveryTries } from '../../../contract/hook.ts';
import { type RunStatement, transact } from '../../platform/database/prepared-statements.ts';
import { retryOnOutage } from '../../platform/database/retry-on-outage.ts';
import { type BindValue, writeStatement } from '../../platform/database/statement.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { recoverWork } from '../../platform/work-queue/recover-work.ts';
import type { Job, JobOutcome, WorkQueue } from '../../platform/work-queue/work-queue.ts';
import { hasKnownReceiver, type ReceiverName, receiverOfDelivery, receivers } from './receivers.ts';
import type { SentEvent } from './send-hook.ts';
import type { TryOutcome } from './tables.ts';

/** An event on its way. `target`: the id of its receiver. */
export type Delivery = Omit<SentEvent, 'secrets' | 'url'> & { userId: OwnerId; target: string };
type EndedTry = TryOutcome & { messageId?: number | null };
/** Sends an event to a receiver. Returns how the try ended, with the number of a message in a chat; or how long it has to wait, which is no try. */
export type EventSender<Sent = Delivery> = (delivery: Sent, signal: AbortSignal) => Promise<EndedTry | { ms: number }>;

type DeliveriesDeps = {
  pool: pg.Pool;
  run: RunStatement;
  queue: WorkQueue;
  senders: EventSenders;
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

/** Whether an event may have a receiver, or one is still on its way. */
const hasReceivers = `SELECT ${[...Object.values(receivers).map(({ table }) => table), "hook_deliveries WHERE status = 'pending'"]
  .map((rows) => `EXISTS (SELECT FROM ${rows})`)
  .join(' OR ')}`;
/** Tries that are due. Those for receivers of a later version are left to its nodes. */
const due = `hook_deliveries AS d WHERE d.status = 'pending' AND d.next_at <= now() AND ${hasKnownReceiver}`;

/** `sealed`, `former`: the secrets of a hook. */
export type FoundDelivery = Delivery & { id: string; attempt: number; receiver: ReceiverName } & (
    | { url: string; sealed: string; former: string[] }
    | { url: null; sealed: null }
  );
/** How each receiver is reached. */
export type EventSenders = Record<ReceiverName, EventSender<FoundDelivery>>;

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
    const holds = (place: BindValue) => queue.holdsJob('delivery', job, place);
    const [found] = await lasting(() => run(findDelivery(job.id, holds)));
    if (!found) return 'done';
    if (job.stopping.aborted) return 'released';
    const delivery = found as FoundDelivery;
    const outcome = job.isExhausted ? interrupted : await this.#deps.senders[delivery.receiver](delivery, job.signal);
    if (job.signal.aborted) return 'released';
    if ('ms' in outcome) await lasting(() => run({ text: puttingOff, values: [delivery.id, job.id, Math.ceil(outcome.ms)] }));
    else await lasting(() => this.#store(job.id, delivery, outcome));
    return 'done';
  }

  /** Ends a try whose job is used up: every process that made it has ended before its answer. */
  async #bury(jobId: string): Promise<void> {
    const [found] = await this.#deps.run(findDelivery(jobId, () => 'true'));
    if (!found) return;
    await this.#store(jobId, found as FoundDelivery, interrupted);
  }

  /** Stores the end of a try, and when the next one is due. */
  async #store(
    jobId: string,
    { id, receiver, target, event, attempt }: FoundDelivery,
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
      if (stored.length > 0) await receivers[receiver].note?.(run, target, { problem, event });
    });
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

/** Reads the delivery of a job, while `holds` says that its process still has the job. */
function findDelivery(jobId: string, holds: (place: BindValue) => string) {
  return writeStatement(
    (
      place,
    ) => `SELECT d.id, ${receiverOfDelivery}, d.event_id AS "eventId", d.event, d.project_id AS "projectId", d.created_at AS "createdAt",
        d.about, d.attempt, d.user_id AS "userId", hook.url, hook.secret_sealed AS sealed,
        ARRAY(SELECT secret ->> 'sealed' FROM jsonb_array_elements(hook.former_secrets) AS secret
          WHERE (secret ->> 'until')::timestamptz > now()) AS former
      FROM hook_deliveries AS d LEFT JOIN hooks_out AS hook ON hook.id = d.hook_id
      WHERE d.job_id = ${place(jobId)}::uuid AND d.status = 'pending' AND ${hasKnownReceiver} AND ${holds(place)}`,
  );
}
