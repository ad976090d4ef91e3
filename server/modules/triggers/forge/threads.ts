import { v7 } from 'uuid';
import { ApiError } from '../../../http/api-error.ts';
import type { Language } from '../../../http/call.ts';
import { translate } from '../../../http/language.ts';
import type { Db } from '../../../platform/database/database.ts';
import { and, asc, desc, eq, inArray, isNotNull, or, type SQL, sql } from '../../../platform/database/drizzle.ts';
import { distinct } from '../../../platform/database/unique-rows.ts';
import type { ForgeTarget } from '../../publishing/index.ts';
import type { AskedCall } from '../../released-teams/index.ts';
import { LeaseLost } from '../lease-lost.ts';
import { type ForgeEvent, readEvent, textOfEvent } from './forge-event.ts';
import type { ThreadRow } from './kept-comment.ts';
import { forgeSeen, forgeThreads } from './tables.ts';

type ThreadsDeps = { db: Db; now: () => Date; targetOf: (projectId: string) => Promise<ForgeTarget | null> };
type ReadRepository = { triggerId: string; url: string };

/** The run of a thread was removed before its result was handed on. */
const isGone = sql`(${forgeThreads.executionId} IS NULL AND ${forgeThreads.state} IN ('started', 'asked'))`;
/** Threads that are looked at in one reading. */
const maxThreads = 200;

/** The issues of which a trigger has started runs, and what of them was handled. */
export class ForgeThreads {
  readonly #deps: ThreadsDeps;

  constructor(deps: ThreadsDeps) {
    this.#deps = deps;
  }

  /** Returns the threads of a repository that have changed last. */
  async newest({ triggerId, url }: ReadRepository, limit = maxThreads): Promise<ThreadRow[]> {
    const isThere = and(eq(forgeThreads.triggerId, triggerId), eq(forgeThreads.url, url));
    return this.#deps.db.select().from(forgeThreads).where(isThere).orderBy(desc(forgeThreads.updatedAt)).limit(limit);
  }

  /** Returns the threads of a repository whose run is under way or was not handed on, and those in which more was said. */
  async open(place: ReadRepository): Promise<ThreadRow[]> {
    const { executionId, doneExecutionId, hasMore } = forgeThreads;
    const isLeft = or(and(isNotNull(executionId), sql`${doneExecutionId} IS DISTINCT FROM ${executionId}`), isGone);
    return this.#some(place, or(hasMore, isLeft));
  }

  /** Returns the threads of a repository whose fire waits no more, and has started nothing. */
  async leftWaiting(place: ReadRepository): Promise<ThreadRow[]> {
    const isLeft = sql`(SELECT outcome FROM fires WHERE fires.trigger_id = ${forgeThreads.triggerId}
      AND fires.source->>'thread' = ${forgeThreads.number}::text ORDER BY fires.at DESC LIMIT 1) NOT IN ('waiting', 'started')`;
    return this.#some(place, and(eq(forgeThreads.state, 'waiting'), isLeft));
  }

  /** Returns the threads of a repository whose comment is not up to date. Those that wait without a comment have none to bring up to date. */
  async untold(place: ReadRepository): Promise<ThreadRow[]> {
    const isSilent = sql`(${forgeThreads.state} = 'waiting' AND ${forgeThreads.commentId} IS NULL)`;
    return this.#some(place, sql`${forgeThreads.toldAt} IS DISTINCT FROM ${forgeThreads.updatedAt} AND NOT ${isSilent}`);
  }

  /** Returns the thread that waits first, one with a comment before others, and how many wait behind it; null where none waits. */
  async firstWaiting({ triggerId, url }: ReadRepository): Promise<{ thread: ThreadRow; behind: number } | null> {
    const waits = and(eq(forgeThreads.triggerId, triggerId), eq(forgeThreads.url, url), eq(forgeThreads.state, 'waiting'));
    const order = [sql`${forgeThreads.problem} IS NOT NULL`, sql`${forgeThreads.commentId} IS NULL`, asc(forgeThreads.updatedAt)];
    const [thread] = await this.#deps.db
      .select()
      .from(forgeThreads)
      .where(waits)
      .orderBy(...order)
      .limit(1);
    return thread ? { thread, behind: (await this.#deps.db.$count(forgeThreads, waits)) - 1 } : null;
  }

  /** Returns the numbers of the issues of a repository that have started something. */
  async numbers({ triggerId, url }: ReadRepository): Promise<Set<number>> {
    const isThere = and(eq(forgeThreads.triggerId, triggerId), eq(forgeThreads.url, url));
    const rows = await this.#deps.db.select({ number: forgeThreads.number }).from(forgeThreads).where(isThere);
    return new Set(rows.map(({ number }) => number));
  }

  #some({ triggerId, url }: ReadRepository, which: SQL | undefined): Promise<ThreadRow[]> {
    const isThere = and(eq(forgeThreads.triggerId, triggerId), eq(forgeThreads.url, url), which);
    return this.#deps.db.select().from(forgeThreads).where(isThere).orderBy(asc(forgeThreads.updatedAt)).limit(maxThreads);
  }

  /** Returns the thread of an issue, or of a pull request; null for others. */
  async find({ triggerId, url }: ReadRepository, { number, isRequest }: { number: number; isRequest: boolean }): Promise<ThreadRow | null> {
    const column = isRequest ? forgeThreads.requestNumber : forgeThreads.number;
    const isThere = and(eq(forgeThreads.triggerId, triggerId), eq(forgeThreads.url, url), eq(column, number));
    const [row] = await this.#deps.db.select().from(forgeThreads).where(isThere).orderBy(desc(forgeThreads.updatedAt)).limit(1);
    return row ?? null;
  }

  async change(id: string, values: Partial<ThreadRow>, db = this.#deps.db): Promise<void> {
    await db
      .update(forgeThreads)
      .set({ ...values, updatedAt: this.#deps.now() })
      .where(eq(forgeThreads.id, id));
  }

  /** Notes that the comment on an issue is about to be written: what it says is not known until it is told. */
  async tells(id: string): Promise<void> {
    await this.#deps.db.update(forgeThreads).set({ commentSha: null }).where(eq(forgeThreads.id, id));
  }

  /** Notes the comment that is kept on an issue, and the change that it shows; null for one that is to be written anew. */
  async told(
    id: string,
    told: Pick<ThreadRow, 'commentId' | 'commentSha' | 'toldAt'> & Partial<Pick<ThreadRow, 'problem'>>,
  ): Promise<void> {
    await this.#deps.db.update(forgeThreads).set(told).where(eq(forgeThreads.id, id));
  }

  /** Notes that the checks of a thread were looked at. */
  async checked(id: string): Promise<void> {
    await this.#deps.db.update(forgeThreads).set({ checkedAt: sql`now()` }).where(eq(forgeThreads.id, id));
  }

  /** Returns those that were not handled yet. */
  async unseen(triggerId: string, whats: readonly string[]): Promise<Set<string>> {
    const rows = await this.#deps.db
      .select({ what: forgeSeen.what })
      .from(forgeSeen)
      .where(and(eq(forgeSeen.triggerId, triggerId), inArray(forgeSeen.what, [...whats])));
    const seen = new Set(rows.map(({ what }) => what));
    return new Set(whats.filter((what) => !seen.has(what)));
  }

  /** Notes what is handled. Throws `LeaseLost` where another process has noted the first of it. */
  async see(triggerId: string, whats: readonly string[], db = this.#deps.db): Promise<void> {
    const [first, ...others] = whats;
    if (first === undefined) return;
    const stored = await db.insert(forgeSeen).values({ triggerId, what: first }).onConflictDoNothing().returning();
    if (stored.length === 0) throw new LeaseLost();
    const rows = distinct(
      others.filter((what) => what !== first).map((what) => ({ triggerId, what })),
      ({ what }) => what,
    );
    if (rows.length > 0) await db.insert(forgeSeen).values(rows).onConflictDoNothing();
  }

  /** Stores the thread of an issue before its fire, in the transaction of that. A known one stays as it is but for `values`. */
  async put(tx: Db, { triggerId, url }: ReadRepository, event: ForgeEvent, values: Partial<ThreadRow>): Promise<void> {
    const at = this.#deps.now();
    const issue = { title: event.title.slice(0, 500), issueText: event.text, author: event.author };
    const begun = { state: 'waiting' as const, detail: null, note: null, ...issue, ...values, updatedAt: at };
    await tx
      .insert(forgeThreads)
      .values({ id: v7(), triggerId, url, number: event.number, page: event.url, ...begun })
      .onConflictDoUpdate({ target: [forgeThreads.triggerId, forgeThreads.url, forgeThreads.number], set: begun });
  }

  /** Returns what the run of an event begins with besides its fields. Throws `bad_request` where the project has no repository any more. */
  async partsOf(
    { id, projectId }: { id: string; projectId: string },
    body: string | null,
    language: Language,
  ): Promise<Partial<Pick<AskedCall, 'git' | 'added' | 'follows'>>> {
    const event = readEvent(body);
    const target = await this.#deps.targetOf(projectId);
    if (!target || target.url !== event.repository)
      throw new ApiError('bad_request', { errors: [{ path: 'git', message: translate(language, 'publish.no_target') }] });
    const thread = await this.find({ triggerId: id, url: target.url }, { number: event.number, isRequest: false });
    const { branch = null, base = null, doneExecutionId = null } = thread ?? {};
    const added = textOfEvent(event, branch, language);
    if (event.event === 'issue' || branch === null || doneExecutionId === null)
      return { git: { url: target.url, ref: target.baseBranch }, added };
    const follows = { executionId: doneExecutionId, branch, base: base ?? target.baseBranch, hasReview: true };
    return { git: { url: target.url, ref: branch }, added, follows };
  }

  /** Notes the run of a thread, in the transaction that starts it. Returns false where the result of the run before was not handed on yet. */
  async started(tx: Db, { id }: { id: string }, body: string | null, executionId: string): Promise<boolean> {
    const { number, repository } = readEvent(body);
    const isThere = and(eq(forgeThreads.triggerId, id), eq(forgeThreads.url, repository), eq(forgeThreads.number, number));
    const isLeft = sql`${forgeThreads.doneExecutionId} IS DISTINCT FROM ${forgeThreads.executionId}
      AND EXISTS (SELECT FROM executions WHERE executions.id = ${forgeThreads.executionId} AND status = 'completed')`;
    if ((await tx.$count(forgeThreads, and(isThere, isLeft))) > 0) return false;
    await tx
      .update(forgeThreads)
      .set({ state: 'started', executionId, detail: null, note: null, tries: 0, updatedAt: this.#deps.now() })
      .where(isThere);
    return true;
  }
}
