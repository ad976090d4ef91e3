import type { z } from 'zod';
import type {
  Execution,
  ExecutionDetails,
  ExecutionStatus,
  executionStart,
  userInputContext,
} from '../../../contract/executions/execution.ts';
import type { ExecutionEvent } from '../../../contract/executions/execution-event.ts';
import { resultsOf } from '../../../rules/text/results-of.ts';
import { ApiError, orNotFound } from '../../http/api-error.ts';
import type { Member, StoreIdempotentResponse } from '../../http/call.ts';
import type { Db } from '../../platform/database/database.ts';
import { count, eq } from '../../platform/database/drizzle.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import type { WorkQueue } from '../../platform/work-queue/work-queue.ts';
import type { ProjectService } from '../projects/index.ts';
import { type AskedRun, type NewExecutionDeps, newExecution } from './store/new-execution.ts';
import type { RecentRows } from './store/recent-rows.ts';
import type { ExecutionRepository } from './store/repository.ts';
import { toExecution } from './store/rows.ts';
import { assertBelowRunLimit, tooManyRuns } from './store/run-limit.ts';
import type { StoreNew } from './store/store-new.ts';
import { executionContexts } from './store/tables.ts';
import { noteWords, type WordSource, wordsOfCaller } from './store/word-sources.ts';
import type { RunEnds } from './transitions/end-run.ts';
import { cancelJob, sendExecutionJob } from './transitions/execution-jobs.ts';
import type { Transition } from './transitions/transition.ts';
import type { RunTransition } from './transitions/transitions.ts';
import type { BeginAttempt, RememberedRun } from './work/begin-attempt.ts';
import type { RunWeights } from './work/run-weights.ts';

type ExecutionsDeps = NewExecutionDeps & {
  db: Db;
  storeNew: StoreNew;
  repository: ExecutionRepository;
  transition: RunTransition;
  attempts: Pick<BeginAttempt, 'beginFirst'>;
  runEnds: RunEnds;
  queue: Pick<WorkQueue, 'insertJob' | 'wake' | 'cancel' | 'take'>;
  recent: RecentRows<RememberedRun>;
  weights: Pick<RunWeights, 'hasRoom' | 'inTurn'>;
  projects: Pick<ProjectService, 'resolve'>;
  /** The maximum of started and unfinished executions of one account. */
  maxStarted: number;
};

type Start = z.output<typeof executionStart>;
type Context = z.output<typeof userInputContext>;
type AddedContext = { user: Pick<Member, 'ownerId' | 'key'>; id: string; context: Context };

/** The operations on a user's executions. A call that does not fit the status is refused, and the refusal names the status. */
export class Executions {
  readonly #deps: ExecutionsDeps;

  constructor(deps: ExecutionsDeps) {
    this.#deps = deps;
  }

  /**
   * Stores an execution with a copy of its agents, and its job. Returns it as stored. `keep` is null for a call without an idempotency
   * key. Throws `too_many_runs` when the account has too many active executions, and `quota_reached` when it is full.
   */
  async start(asked: AskedRun & { creation: Start }, keep: StoreIdempotentResponse | null): Promise<Execution> {
    const jobId = this.#deps.newId();
    const { row, steps, agents, budget, settings } = await newExecution(this.#deps, asked, jobId);
    const answer = toExecution(row);
    const delayMs = asked.creation.startAfterMs ?? 0;
    // Without the input, which no worker reads: parsed, it may take twenty times the memory of its text.
    const known = { row: { ...row, input: {} }, steps, contexts: [] };
    const isDue = delayMs === 0 && this.#deps.weights.hasRoom(steps.length);
    const taken = isDue ? this.#deps.queue.take('execution', { id: jobId, group: row.userId }) : null;
    const begun = taken && (await this.#deps.attempts.beginFirst(known, { agents, ...settings }));
    if (!begun) this.#deps.recent.put(jobId, { known });
    const stored = await this.#deps
      .storeNew(
        begun ? { row: { ...begun.row, input: row.input }, steps: begun.steps, events: begun.events, budget } : { row, steps, budget },
        keep && ((tx) => keep(tx, answer)),
        { delayMs, isTaken: taken !== null },
      )
      .catch((error) => {
        if (error instanceof ApiError) {
          // Refused: it is certainly not stored.
          this.#deps.recent.take(jobId);
          taken?.release();
          throw error;
        }
        // The start may be stored, and only its reply lost.
        if (begun) this.#deps.recent.put(jobId, { known, begun: begun.start });
        taken?.abandon();
        throw error;
      });
    if (stored !== 'stored') {
      this.#deps.recent.take(jobId);
      taken?.release();
      throw stored === 'too_many' ? tooManyRuns() : new ApiError('not_found');
    }
    begun?.publish();
    if (taken) taken.begin(begun?.start);
    else this.#deps.queue.wake('execution', delayMs);
    return answer;
  }

  /** Throws `too_many_runs` when the account has too many active executions. The start decides: this spares what is stored before it. */
  assertRoom(userId: OwnerId): Promise<void> {
    return assertBelowRunLimit(this.#deps.db, userId, this.#deps.maxStarted);
  }

  /** Pauses: no further step begins, and a running step finishes first. A run that ends at its budget ends. */
  async pause(userId: OwnerId, id: string): Promise<Execution> {
    const done = await this.#change(userId, id, async (it) => {
      if (it.row.notStarted || (it.row.status !== 'running' && it.row.status !== 'pending')) throw refused(it);
      if (it.row.pauseRequested) return;
      const busy = (await it.steps()).some(({ status }) => status === 'running');
      if (busy) {
        it.set({ pauseRequested: true });
        it.record('execution.pausing');
      } else if (it.row.limited) {
        await this.#deps.runEnds.endLimited(it);
        await cancelJob(this.#deps.queue, it);
      } else {
        it.set({ status: 'paused', leaseEpoch: it.row.leaseEpoch + 1, startedAt: it.row.startedAt ?? it.now });
        it.record('execution.paused');
        await cancelJob(this.#deps.queue, it);
      }
    });
    return toExecution(done.row);
  }

  /** Continues, or withdraws a requested pause. */
  async resume(userId: OwnerId, id: string): Promise<Execution> {
    return this.#wake(userId, id, false);
  }

  /** Continues for one step. */
  async nextStep(userId: OwnerId, id: string): Promise<Execution> {
    return this.#wake(userId, id, true);
  }

  /** Cancels the execution and its running steps, if it still fits under its lock. */
  async stop(userId: OwnerId, id: string, fits: (row: Transition['row']) => boolean = () => true): Promise<Execution> {
    const done = await this.#change(userId, id, async (it) => {
      if (!isUnfinished(it.row.status) || !fits(it.row)) throw refused(it);
      await this.#deps.runEnds.cancel(it);
      await cancelJob(this.#deps.queue, it);
    });
    return toExecution(done.row);
  }

  /**
   * Adds a text for every step that has not begun. Throws `no_later_step` where none is left. The row is locked between the check and the
   * write. A step that starts from an older row is started again with the text, so no accepted text is missed. R41
   */
  async addContext({ user, id, context }: AddedContext, storeIdempotentResponse: StoreIdempotentResponse): Promise<Execution> {
    const words = await this.#wordsIn(user, context);
    const done = await this.#change(user.ownerId, id, async (it) => {
      if (!isUnfinished(it.row.status)) throw refused(it);
      if (!(await it.steps()).some(({ status }) => status === 'pending')) throw new ApiError('no_later_step');
      const tx = it.tx();
      const [known] = await tx.select({ many: count() }).from(executionContexts).where(eq(executionContexts.executionId, id));
      const { type, content, source, dialogNodeId, dialogNodeTitle } = context;
      const row = { executionId: id, position: (known?.many ?? 0) + 1, type, content, source, dialogNodeId, dialogNodeTitle };
      await tx.insert(executionContexts).values(row);
      noteWords(it, words);
      it.record('context.added', { text: content });
      await storeIdempotentResponse(tx, toExecution({ ...it.row, updatedAt: it.now }));
    });
    return toExecution(done.row);
  }

  async get(userId: OwnerId, id: string): Promise<Execution> {
    return orNotFound(await this.#deps.repository.find(userId, id));
  }

  async details(userId: OwnerId, id: string): Promise<ExecutionDetails> {
    return orNotFound(await this.#deps.repository.details(userId, id));
  }

  /** Returns project, pipeline and last event number of those executions that are the user's. Unknown ids are left out. */
  places(userId: OwnerId, ids: readonly string[]) {
    return this.#deps.repository.places(userId, ids);
  }

  async events(userId: OwnerId, id: string, since: number, limit: number): Promise<ExecutionEvent[]> {
    return orNotFound(await this.#deps.repository.events(userId, id, since, limit));
  }

  async list(
    userId: OwnerId,
    filter: {
      projectId?: string | undefined;
      status?: ExecutionStatus | undefined;
      triggerId?: string | undefined;
      limit: number;
      offset: number;
    },
  ) {
    const projectId = filter.projectId === undefined ? undefined : await this.#deps.projects.resolve(userId, filter.projectId);
    return this.#deps.repository.list(userId, { ...filter, projectId });
  }

  async #change<T>(userId: OwnerId, id: string, work: (change: Transition) => Promise<T>) {
    const { repository, weights, transition } = this.#deps;
    // A change reads all steps under the lock. Those of many steps would hold all connections of writes.
    const steps = await repository.countSteps({ id });
    return orNotFound(await weights.inTurn(steps, () => transition({ id, userId }, work), { isUrgent: true }));
  }

  /**
   * Returns where the words of a text come from. Results of an earlier run are from outside unless the text is, word for word, that of a run
   * without any: a client can only say which run it is.
   */
  async #wordsIn({ ownerId, key }: AddedContext['user'], { type, executionId, content }: Context): Promise<WordSource> {
    if (type !== 'previous_results') return wordsOfCaller(key);
    const earlier = executionId === undefined ? null : await this.#deps.repository.whole(ownerId, executionId);
    if (!earlier || earlier.row.hasOutside) return 'outsideRun';
    return resultsOf({ initialTask: earlier.row.initialTask, steps: earlier.steps }) === content ? 'earlierRun' : 'outsideRun';
  }

  async #wake(userId: OwnerId, id: string, singleStep: boolean): Promise<Execution> {
    const done = await this.#change(userId, id, async (it) => {
      const pausing = it.row.status === 'running' && it.row.pauseRequested && !singleStep;
      if (!pausing && it.row.status !== 'paused') throw refused(it);
      if (!pausing) await assertBelowRunLimit(it.tx(), userId, this.#deps.maxStarted);
      it.record('execution.resumed');
      if (pausing) it.set({ pauseRequested: false });
      else sendExecutionJob(this.#deps, it, { singleStep });
    });
    this.#deps.queue.wake('execution');
    return toExecution(done.row);
  }
}

function isUnfinished(status: ExecutionStatus): boolean {
  return status === 'pending' || status === 'running' || status === 'paused';
}

function refused(it: Transition): ApiError {
  return new ApiError('illegal_state', { details: { status: it.row.status } });
}
