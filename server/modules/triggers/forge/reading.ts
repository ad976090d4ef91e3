import { type FireReason, type ForgeSettings, maxGivenComments, maxRepairs, maxThreadFires } from '../../../../contract/trigger.ts';
import type { Language } from '../../../http/call.ts';
import { elapsedBetween } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { and, desc, eq, sql } from '../../../platform/database/drizzle.ts';
import { isOutage } from '../../../platform/database/retry-on-outage.ts';
import { RequestFailed } from '../../../platform/git/forge-calls.ts';
import type { Forge, ForgeComment, ForgeNumber, ForgePerson, ForgeThread } from '../../../platform/git/forges/forge.ts';
import type { ForgeTarget } from '../../publishing/index.ts';
import type { Fires, NewFire } from '../fires.ts';
import { LeaseLost } from '../lease-lost.ts';
import { fires, type TriggerRow } from '../tables.ts';
import type { CommandTaker } from './command-taker.ts';
import type { ForgeEvent, Said } from './forge-event.ts';
import { ownMark, type ThreadRow } from './kept-comment.ts';
import { KeptComments } from './kept-comments.ts';
import { keyOfEvent, reasonOf } from './reason-of.ts';
import { dayMs, takenDays } from './remove-old.ts';
import type { ResultTaker } from './result-taker.ts';
import { type KnownRights, Rights } from './rights.ts';
import { subjectOf } from './subject-of.ts';
import type { Unread } from './tables.ts';
import { commandOf, takenWords } from './taken-words.ts';
import type { ForgeThreads } from './threads.ts';

/** Where a reading begins: `since` by the forge's clock, null for the first one. */
type Begun = { since: string | null; hasLabelled: boolean; unread: readonly Unread[] };
type Read = { login: string; since: string; hasLabelled: boolean; unread: Unread[]; soonMs: number | null };

export type ReadingDeps = {
  db: Db;
  now: () => Date;
  forge: Forge;
  fires: Pick<Fires, 'fire' | 'note'>;
  threads: ForgeThreads;
  results: ResultTaker;
  commands: CommandTaker;
  onFailed: (error: unknown) => void;
  address: () => string;
};

/** What one reading is about. `signal` ends it between two calls. */
export type ReadingTask = {
  trigger: TriggerRow;
  settings: ForgeSettings;
  target: ForgeTarget;
  team: string;
  language: Language;
  signal: AbortSignal;
  /** Throws `LeaseLost` where another reading has the trigger by now. Asked before what cannot be taken back. */
  assertLease: () => Promise<void>;
};

/** Issues without an answer in one reading, after which the forge counts as away. */
const maxUnreachable = 3;
/** Readings in which an issue is tried that fails, and the most of such issues. */
const maxTries = 10;
const maxUnread = 1_200;
/** A reading takes no further issues after this time (ms): the next one goes on, behind those of others. */
const longestMs = 3 * 60_000;
/** The longest time of it for results (ms): labels and comments, `/stop` among them, wait behind them. */
const longestResultsMs = 60_000;
/** A forge may show a change later than its time says: this much is read again (ms). */
const againMs = 2 * 60_000;
/** How far the clock of a forge may be ahead (ms). */
const aheadMs = 10 * 60_000;
/** The pause between two looks at the checks of a commit (ms). */
const checkEveryMs = 5_000;
/** Commits whose checks are looked at in one reading. */
const maxChecks = 5;
/** The pause before a reading that goes on with more (ms). */
const atOnceMs = 2_000;
/** Items of a page of changes: a full one means that there are more. */
const fullPage = 100;
/** For how long after a push its checks are looked at (ms). */
const checksMs = 24 * 60 * 60_000;
/** Comments from before the trigger are no business of its own. Clocks may differ by this (ms). */
const earlierMs = 5 * 60_000;
/** The most comments that wait for the next run. */
const maxPending = 100;
/** What a run is given of the log of a check (UTF-16 units). */
const maxLog = 64 * 1024;
/** What people have said of one issue that a run is given (UTF-16 units). */
const maxSaid = 40_000;

/**
 * One reading of a repository: results of runs go out, labels and comments come in, and the comment of each issue is brought up to date. All that it finds is
 * noted with what follows from it in one transaction, so that a reading that is killed or repeated does nothing twice.
 */
export class ForgeReading {
  readonly #deps: ReadingDeps;
  readonly #asked: ReadingTask;
  readonly #place;
  readonly #rights: Rights;
  #self: ForgePerson = { id: '', login: '', isBot: false };
  readonly #unread: Unread[] = [];
  readonly #begunAt;
  #unreachable = 0;
  /** When the checks are looked at again that were looked at a moment ago (ms). */
  #checksMs: number | null = null;
  /** What the forge said of an issue that could not be read. */
  problem: RequestFailed | null = null;

  constructor(deps: ReadingDeps, asked: ReadingTask, known: KnownRights) {
    this.#deps = deps;
    this.#rights = new Rights(known, { ask: (person) => deps.forge.mayWrite(asked.target, person), now: deps.now });
    this.#asked = asked;
    this.#place = { triggerId: asked.trigger.id, url: asked.target.url };
    this.#begunAt = deps.now();
  }

  /**
   * Reads what has changed since a time by the forge's clock, what could not be read before, and for the first time all issues with the label. Returns where the
   * next reading begins.
   */
  async read({ since, hasLabelled, unread }: Begun): Promise<Read> {
    const { forge } = this.#deps;
    const { target, settings, trigger } = this.#asked;
    this.#self = await forge.self(target);
    const results = await this.#takeResults();
    const begun = since ?? new Date(trigger.createdAt.getTime() - earlierMs).toISOString();
    const labelled = hasLabelled || !this.#isOn ? [] : await this.#unknownFirst(await forge.labelled(target, settings.label));
    const changed = await forge.changed(target, begun);
    const read = new Set<string>();
    let last = begun;
    let isRead = true;
    const later: Unread[] = [];
    const isLabelled = new Set(labelled);
    for (const item of [...labelled, ...changed]) {
      // The list of a label is read once: what there is no time for waits by its number, and leaves time for what has changed.
      if (isLabelled.has(item) && !this.#hasTime(longestMs / 2)) {
        later.push({ number: item.number, isRequest: item.isRequest, tries: 0 });
        continue;
      }
      if (!this.#hasTime(longestMs)) {
        isRead = false;
        break;
      }
      const name = `${item.isRequest} ${item.number}`;
      if (!read.has(name)) await this.#itemAlone(item, 0, () => this.#take(item));
      read.add(name);
      if (changed.includes(item)) last = item.updatedAt;
    }
    for (const item of [...results.more, ...unread]) {
      const name = `${item.isRequest} ${item.number}`;
      if (read.has(name)) continue;
      read.add(name);
      if (!this.#hasTime(longestMs)) {
        later.push({ number: item.number, isRequest: item.isRequest, tries: item.tries });
        continue;
      }
      await this.#itemAlone(item, item.tries, async () => {
        const found = await forge.thread(target, item);
        if (found) await this.#take(found);
      });
    }
    if (settings.repairs && this.#isOn) await this.#takeFailures();
    await this.#tell();
    const isFull = changed.length >= fullPage || !isRead;
    return {
      login: this.#self.login,
      // What comes during a pause is read after it.
      since: this.#isOn ? nextSince({ begun, last, isFull, isRead, now: this.#deps.now() }) : begun,
      hasLabelled: this.#isOn,
      unread: [...this.#unread, ...later].slice(0, maxUnread),
      soonMs: !results.areAll || later.length > 0 || (this.#isOn && isFull) ? atOnceMs : this.#checksMs,
    };
  }

  /** What is known by now of who may write. */
  get rights(): KnownRights {
    return this.#rights.kept();
  }

  get #isOn(): boolean {
    return this.#asked.trigger.pausedAt === null;
  }

  /** What is from long ago was handled, and that may be forgotten by now. A trigger that is younger takes all that is there. */
  #isPast(at: string): boolean {
    const earliest = this.#begunAt.getTime() - takenDays * dayMs;
    return this.#asked.trigger.createdAt.getTime() < earliest && Date.parse(at) < earliest;
  }

  #hasTime(ms: number): boolean {
    return elapsedBetween(this.#begunAt, this.#deps.now()) < ms;
  }

  /** Many issues take more than one reading: those that have started nothing yet come first. */
  async #unknownFirst(labelled: readonly ForgeThread[]): Promise<ForgeThread[]> {
    const known = await this.#deps.threads.numbers(this.#place);
    return labelled.toSorted((one, other) => Number(known.has(one.number)) - Number(known.has(other.number)));
  }

  /** Does work about one issue, whose failure holds back no others. Returns whether it was done. */
  async #alone(work: () => Promise<void>): Promise<boolean> {
    this.#asked.signal.throwIfAborted();
    try {
      await work();
      return true;
    } catch (error) {
      if (this.#asked.signal.aborted || error instanceof LeaseLost || isOutage(error)) throw error;
      if (!(error instanceof RequestFailed)) this.#deps.onFailed(error);
      // A forge that takes no more calls, or does not answer, has not shown the issue: the next reading begins where this one did.
      else if (error.isForNow || (error.reason === 'unreachable' && ++this.#unreachable >= maxUnreachable)) throw error;
      // What is gone or locked is a problem of this issue: the repository was read.
      else if (!ofOneIssue.has(error.reason)) this.problem = error;
      return false;
    }
  }

  /** Takes an issue or a pull request. One that fails is read again in the next readings. */
  async #itemAlone({ number, isRequest }: ForgeNumber, tries: number, work: () => Promise<void>): Promise<void> {
    if (await this.#alone(work)) return;
    if (tries + 1 < maxTries) this.#unread.push({ number, isRequest, tries: tries + 1 });
  }

  /**
   * Hands on the results of runs that have ended, each with its comment: one may be a branch and a pull request. Returns the issues and pull requests in which
   * something was said meanwhile, and whether there was time for all.
   */
  async #takeResults(): Promise<{ more: Unread[]; areAll: boolean }> {
    const { threads, results } = this.#deps;
    const more: Unread[] = [];
    for (const thread of await threads.leftWaiting(this.#place)) await this.#alone(() => this.#settle(thread));
    for (const thread of await threads.open(this.#place)) {
      if (!this.#hasTime(longestResultsMs)) return { more, areAll: false };
      if (thread.state !== 'waiting') {
        await this.#alone(() => results.take(thread, this.#asked));
        await this.#tell();
      }
      if (!thread.hasMore) continue;
      more.push({ number: thread.number, isRequest: false, tries: 0 });
      if (thread.requestNumber !== null) more.push({ number: thread.requestNumber, isRequest: true, tries: 0 });
    }
    return { more, areAll: true };
  }

  /** Brings the comments of issues up to date. */
  async #tell(): Promise<void> {
    const isRefused = () => this.problem?.reason === 'needs_token';
    const kept = new KeptComments(this.#deps, this.#asked, { self: this.#self, alone: (work) => this.#alone(work), isRefused });
    await kept.tell();
  }

  /** Says of a thread whose fire waits no more what has become of it. */
  async #settle(thread: ThreadRow): Promise<void> {
    const isOfThread = and(eq(fires.triggerId, thread.triggerId), sql`${fires.source}->>'thread' = ${String(thread.number)}`);
    const [last] = await this.#deps.db.select().from(fires).where(isOfThread).orderBy(desc(fires.at)).limit(1);
    if (!last || last.outcome === 'waiting' || last.outcome === 'started') return;
    await this.#deps.threads.change(thread.id, { state: 'refused', detail: reasonOf(last, this.#asked.language) });
  }

  async #take(item: ForgeThread): Promise<void> {
    const { threads } = this.#deps;
    const { settings } = this.#asked;
    const thread = await threads.find(this.#place, item);
    if (item.isRequest && !thread) return;
    if (thread && !isBusy(thread)) {
      if (!item.isOpen && thread.state !== 'closed') await threads.change(thread.id, { state: 'closed', detail: null });
      if (item.isOpen && item.isRequest && thread.state === 'closed') await threads.change(thread.id, { state: 'published' });
    }
    const isLabelled = item.labels.some((label) => label.toLowerCase() === settings.label.toLowerCase());
    if (!item.isRequest && item.isOpen && isLabelled && this.#isOn) await this.#takeLabel(item, thread);
    if (thread || (settings.takesMentions && item.isOpen && this.#isOn)) await this.#takeWords(item, await threads.find(this.#place, item));
  }

  /** Starts a run for a label that was set, by the rights of the person who has set it. */
  async #takeLabel(item: ForgeThread, thread: ThreadRow | null): Promise<void> {
    const { forge, threads } = this.#deps;
    const { target, settings, trigger } = this.#asked;
    const labelling = await forge.lastLabelling(target, item, settings.label);
    const what = this.#what(`label:${item.number}:${labelling?.id ?? ''}`);
    if (labelling && this.#isPast(labelling.at)) return;
    if (!(await threads.unseen(trigger.id, [what])).has(what)) return;
    // The run that is under way answers the label.
    if (thread && isBusy(thread)) return threads.see(trigger.id, [what]);
    const by = labelling?.by ?? null;
    if (by === null || (by.isBot && by.login !== this.#self.login) || !(await this.#rights.mayWrite(by)))
      return this.#refuse(item, what, by?.login ?? '');
    const follows = isFollowed(thread);
    const at = follows ? { number: thread.requestNumber as number, isRequest: true } : item;
    const comments = await forge.comments(target, at);
    const whats = comments.map(({ id }) => this.#what(id));
    const unseen = follows ? await threads.unseen(trigger.id, whats) : new Set(whats);
    const given = comments.filter(
      ({ id, at: saidAt }) => (unseen.has(this.#what(id)) && !this.#isPast(saidAt)) || thread?.pendingComments.includes(id),
    );
    await this.#fire(item, {
      event: follows ? 'review' : 'issue',
      change: what,
      comments: given,
      thread,
      isLabel: true,
      hasMore: false,
      seen: given.map(({ id }) => this.#what(id)),
    });
  }

  /** Takes what people have said in an issue or a pull request since the last time. */
  async #takeWords(item: ForgeThread, thread: ThreadRow | null): Promise<void> {
    const { forge, threads, commands } = this.#deps;
    const { target, settings, trigger, language } = this.#asked;
    const earliest = trigger.createdAt.getTime() - earlierMs;
    const all = (await forge.comments(target, item)).filter(({ at }) => Date.parse(at) >= earliest);
    const place = { isRequest: item.isRequest, hasThread: thread !== null, takesMentions: settings.takesMentions, login: this.#self.login };
    const concerns = all.flatMap((one) => {
      const taken = this.#isPast(one.at) ? null : takenWords(one, place);
      return taken ? [{ one, taken, what: this.#what(one.id) }] : [];
    });
    const whats = concerns.map(({ what }) => what);
    const unseen = whats.length === 0 ? new Set<string>() : await threads.unseen(trigger.id, whats);
    const words: ForgeComment[] = [];
    for (const { one, taken, what } of concerns.filter((concern) => unseen.has(concern.what))) {
      if (taken.kind === 'noted') await this.#refuse(item, what, one.author.login, taken.reason);
      else if (!(await this.#rights.mayWrite(one.author))) await this.#refuse(item, what, one.author.login);
      else if (taken.kind === 'command' && thread) {
        await this.#asked.assertLease();
        const see = (tx?: Db) => threads.see(trigger.id, [what], tx);
        await commands.take(taken.command, thread, { userId: trigger.runAs, author: one.author.login, language, see });
      } else if (one.text.trim() !== '' || one.lines.length > 0) words.push(one);
    }
    const pending = thread && item.isRequest && words.length > 0 ? all.filter(({ id }) => thread.pendingComments.includes(id)) : [];
    if (words.length > 0) await this.#answer(item, words, { all, pending, thread });
    else if (thread?.hasMore) await threads.change(thread.id, { hasMore: false });
  }

  /** Starts a run for words; for the oldest of them if they are many: the others come after it. `pending`: words that an earlier run was to be given. */
  async #answer(
    item: ForgeThread,
    words: ForgeComment[],
    { all, pending, thread }: { all: ForgeComment[]; pending: ForgeComment[]; thread: ThreadRow | null },
  ): Promise<void> {
    const { threads } = this.#deps;
    if (thread && (isBusy(thread) || !this.#isOn)) return threads.change(thread.id, { hasMore: true });
    if (!item.isOpen) {
      for (const { id } of words) await this.#refuse(item, this.#what(id), 'closed', 'filter');
      return;
    }
    const follows = isFollowed(thread);
    const given = follows ? fitting([...pending, ...words]) : words;
    const [change = '', ...seen] = given.filter((one) => words.includes(one)).map(({ id }) => this.#what(id));
    if (change === '') return this.#answer(item, words, { all, pending: [], thread });
    const hasMore = given.length < pending.length + words.length && follows;
    const event = follows ? ('review' as const) : ('issue' as const);
    await this.#fire(item, { event, change, seen, comments: follows ? given : all, thread, isLabel: false, hasMore });
  }

  /** Starts a repair for each pull request whose CI has failed, and asks a person after the third. */
  async #takeFailures(): Promise<void> {
    const { forge, threads, now } = this.#deps;
    const { target } = this.#asked;
    const all = await threads.newest(this.#place);
    let looks = 0;
    for (const thread of all.toSorted((one, other) => (one.checkedAt?.getTime() ?? 0) - (other.checkedAt?.getTime() ?? 0))) {
      const { state, headSha, checkedSha, requestNumber, pushedAt, checkedAt } = thread;
      const isRecent = elapsedBetween(pushedAt ?? thread.updatedAt, now()) < checksMs;
      const isEarly = checkedAt !== null && elapsedBetween(checkedAt, now()) < checkEveryMs;
      if (state !== 'published' || headSha === null || headSha === checkedSha || requestNumber === null || !isRecent) continue;
      if (isEarly || ++looks > maxChecks) this.#checksMs = checkEveryMs;
      if (isEarly || looks > maxChecks) continue;
      await this.#alone(async () => {
        const failure = await forge.failure(target, headSha);
        await threads.checked(thread.id);
        if (!failure) return;
        if (thread.rounds >= maxRepairs) return threads.change(thread.id, { state: 'attention', checkedSha: headSha });
        const item = await forge.thread(target, { number: thread.number, isRequest: false });
        if (!item) return;
        const comment = {
          id: '',
          author: { id: '', login: failure.name, isBot: false },
          asks: true,
          text: failure.log,
          lines: [],
          at: '',
        };
        const asked = { event: 'checks' as const, change: this.#what(`checks:${headSha}`), seen: [], comments: [comment], thread };
        await this.#fire(item, {
          ...asked,
          isLabel: false,
          hasMore: thread.hasMore,
          values: { rounds: thread.rounds + 1, checkedSha: headSha },
        });
      });
    }
  }

  async #fire(item: ForgeThread, asked: FireAsked): Promise<void> {
    const { threads } = this.#deps;
    const { target, trigger, language } = this.#asked;
    const number = asked.thread?.number ?? item.number;
    const words = await this.#saidOf(asked);
    // A follow-up is given the issue as it was when a person with rights has asked: its author may have changed it since.
    const { title, text, author, url } =
      asked.event === 'issue' || asked.thread === null
        ? { title: item.title, text: item.text, author: item.author.login, url: item.url }
        : { title: asked.thread.title, text: asked.thread.issueText, author: asked.thread.author, url: asked.thread.page };
    const issue = { title: clean(title), text: clean(text), author: clean(author), url };
    const event: ForgeEvent = { ...issue, event: asked.event, repository: target.url, number, words };
    const fire: NewFire = {
      key: keyOfEvent(target.url, number, asked.change),
      dueAt: null,
      source: { about: `#${number} ${asked.event}`, thread: String(number) },
      body: JSON.stringify(event),
    };
    const isPaused = asked.thread?.state === 'paused';
    const isTooOften = isPaused ? !asked.isLabel : (await this.#firesOf(number)) >= maxThreadFires;
    const within = async (tx: Db) => {
      await threads.see(trigger.id, [asked.change, ...asked.seen], tx);
      const rounds = asked.event === 'checks' ? {} : { rounds: 0 };
      await threads.put(tx, this.#place, event, {
        subject: subjectOf(event, { login: this.#self.login, language }),
        hasMore: asked.hasMore,
        pendingComments: [],
        ...rounds,
        ...(isTooOften && { state: 'paused' }),
        ...asked.values,
      });
    };
    if (isTooOften) {
      await this.#deps.fires.note(trigger, fire, { outcome: 'refused', reason: 'thread_paused' }, within);
      return this.#keepPending(number, asked, {});
    }
    const { fire: stored } = await this.#deps.fires.fire(trigger, fire, within);
    if (stored.outcome === 'started' || stored.outcome === 'waiting') return;
    await this.#keepPending(number, asked, { state: 'refused', detail: reasonOf(stored, language) });
  }

  /** Notes what was said and has started nothing: the next run of the thread is given it. */
  async #keepPending(number: number, { event, comments, thread: before }: FireAsked, values: Partial<ThreadRow>): Promise<void> {
    const { threads } = this.#deps;
    const thread = await threads.find(this.#place, { number, isRequest: false });
    const said = event === 'review' ? comments.map(({ id }) => id) : [];
    const pendingComments = [...new Set([...(before?.pendingComments ?? []), ...said])].slice(-maxPending);
    if (thread) await threads.change(thread.id, { ...values, pendingComments });
  }

  async #firesOf(number: number): Promise<number> {
    const isRecent = sql`${fires.at} > now() - interval '1 hour' AND ${fires.source}->>'thread' = ${String(number)}`;
    return this.#deps.db.$count(
      fires,
      and(eq(fires.triggerId, this.#asked.trigger.id), isRecent, sql`${fires.outcome} IN ('started', 'waiting')`),
    );
  }

  /** Notes that something was not taken, and why: `rights` of its author, or a rule. */
  async #refuse({ number, isRequest }: ForgeThread, what: string, detail: string, reason: FireReason = 'rights'): Promise<void> {
    const { fires: port, threads } = this.#deps;
    const { trigger, target } = this.#asked;
    const about = `#${number}${isRequest ? ' request' : ''}`;
    const fire = { key: keyOfEvent(target.url, number, what), dueAt: null, source: { about }, body: null };
    await port.note(trigger, fire, { outcome: 'filtered', reason, detail: clean(detail).slice(0, 100) }, (tx) =>
      threads.see(trigger.id, [what], tx),
    );
  }

  /** What a run is given of comments: those of people with rights, and those of others where the owner wants them; the newest, and the end of a log. */
  async #saidOf({ event, comments }: FireAsked): Promise<Said[]> {
    const said: Said[] = [];
    let left = event === 'checks' ? maxLog : maxSaid;
    const add = (one: Said) => {
      const text = clean(one.text).slice(-left).toWellFormed();
      left -= text.length;
      if (text !== '') said.unshift({ ...one, text });
    };
    let count = 0;
    for (const one of comments.toReversed()) {
      if (left <= 0 || count === maxGivenComments) break;
      if (event !== 'checks' && (this.#isOwn(one) || commandOf(one, this.#self.login))) continue;
      if (one.text.trim() === '' && one.lines.length === 0) continue;
      const hasRights = event === 'checks' || (await this.#rights.mayWrite(one.author));
      if (!hasRights && !this.#asked.settings.showsOthers) continue;
      count++;
      const by = { author: clean(one.author.login), isOther: !hasRights };
      for (const { path, line, text } of one.lines.toReversed()) if (left > 0) add({ ...by, path: path && clean(path), line, text });
      if (one.text.trim() !== '' && left > 0) add({ ...by, path: null, line: null, text: one.text });
    }
    return said;
  }

  #isOwn({ author, text }: ForgeComment): boolean {
    return author.isBot || author.login === this.#self.login || text.includes(ownMark);
  }

  #what(change: string): string {
    return `${this.#asked.target.url} ${change}`;
  }
}

/** `change`: what the fire is about, which names it. `seen`: what else is handled with it. `values`: changes of the thread. */
type FireAsked = {
  event: ForgeEvent['event'];
  change: string;
  seen: string[];
  comments: ForgeComment[];
  thread: ThreadRow | null;
  isLabel: boolean;
  /** Whether there are words for a further run. */
  hasMore: boolean;
  values?: Partial<ThreadRow>;
};

/** Whether a run of the thread waits or is under way, or its result was not handed on yet. */
function isBusy({ state, executionId, doneExecutionId }: ThreadRow): boolean {
  return state === 'waiting' || (executionId !== null && executionId !== doneExecutionId);
}

/** What says something about one issue, where the repository was read. */
const ofOneIssue: ReadonlySet<RequestFailed['reason']> = new Set(['not_found', 'locked']);

/** The database stores no NUL. */
function clean(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** Whether what is said about an issue goes on with the branch of its pull request. */
function isFollowed(thread: ThreadRow | null): thread is ThreadRow {
  return thread !== null && thread.branch !== null && thread.requestNumber !== null && thread.state !== 'closed';
}

/** Returns the oldest words, as far as one run is given them; one at least. */
function fitting(words: readonly ForgeComment[]): ForgeComment[] {
  let left = maxSaid;
  return words.slice(0, maxGivenComments).filter(({ text, lines }, index) => {
    left -= text.length + lines.reduce((sum, line) => sum + line.text.length, 0);
    return left >= 0 || index === 0;
  });
}

/** `isRead`: there was time for all that has changed. */
type Progress = { begun: string; last: string; isFull: boolean; isRead: boolean; now: Date };

/** Where the next reading begins: a little earlier than what was read last, unless a full page would then come again. */
function nextSince({ begun, last, isFull, isRead, now }: Progress): string {
  if (isFull && last > begun) return last;
  if (!isRead) return begun;
  // A full page of one moment would be read for ever.
  if (isFull) return new Date(Date.parse(begun) + 1_000).toISOString();
  const ahead = now.getTime() + aheadMs;
  const next = new Date(Math.min(Date.parse(last), ahead) - againMs).toISOString();
  return Date.parse(next) > Date.parse(begun) ? next : begun;
}
