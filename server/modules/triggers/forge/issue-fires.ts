import { createHash } from 'node:crypto';
import { type FireReason, type ForgeSettings, maxGivenComments, maxThreadFires } from '../../../../contract/trigger.ts';
import type { Language } from '../../../http/call.ts';
import { isServerText, translate } from '../../../http/language.ts';
import type { Db } from '../../../platform/database/database.ts';
import { and, eq, sql } from '../../../platform/database/drizzle.ts';
import type { ForgeComment, ForgeThread } from '../../../platform/git/forges/forge.ts';
import type { ForgeTarget } from '../../publishing/index.ts';
import type { Fires, NewFire } from '../fires.ts';
import { fires, type ShownFire, type TriggerRow } from '../tables.ts';
import type { ForgeEvent, Said } from './forge-event.ts';
import { ownMark, type ThreadRow } from './kept-comment.ts';
import type { Rights } from './rights.ts';
import { subjectOf } from './subject-of.ts';
import { commandOf } from './taken-words.ts';
import type { ForgeThreads } from './threads.ts';

export type IssueFiresDeps = { db: Db; fires: Pick<Fires, 'fire' | 'note'>; threads: ForgeThreads };

/** What one reading is about. `signal` ends it between two calls. */
export type Asked = {
  trigger: TriggerRow;
  settings: ForgeSettings;
  target: ForgeTarget;
  team: string;
  language: Language;
  signal: AbortSignal;
  /** Throws `LeaseLost` where another reading has the trigger by now. Asked before what cannot be taken back. */
  assertLease: () => Promise<void>;
};

/** What was said and is owed to the next run. */
const maxOwed = 100;
/** What a run is given of the log of a check (UTF-16 units). */
const maxLog = 64 * 1024;
/** What people have said of one issue that a run is given (UTF-16 units). */
const maxSaid = 40_000;

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

/** What a reading finds starts runs, or is noted as not taken: with what follows from it, in one transaction. */
export class IssueFires {
  readonly #deps: IssueFiresDeps;
  readonly #asked: Asked;
  readonly #place;
  readonly #within: { rights: Rights; login: () => string };

  constructor(deps: IssueFiresDeps, asked: Asked, within: { rights: Rights; login: () => string }) {
    this.#deps = deps;
    this.#asked = asked;
    this.#place = { triggerId: asked.trigger.id, url: asked.target.url };
    this.#within = within;
  }

  async fire(item: ForgeThread, asked: FireAsked): Promise<void> {
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
        subject: subjectOf(event, { login: this.#within.login(), language }),
        hasMore: asked.hasMore,
        owed: [],
        ...rounds,
        ...(isTooOften && { state: 'paused' }),
        ...asked.values,
      });
    };
    if (isTooOften) {
      await this.#deps.fires.note(trigger, fire, { outcome: 'refused', reason: 'thread_paused' }, within);
      return this.#owe(number, asked, {});
    }
    const { fire: stored } = await this.#deps.fires.fire(trigger, fire, within);
    if (stored.outcome === 'started' || stored.outcome === 'waiting') return;
    await this.#owe(number, asked, { state: 'refused', detail: reasonOf(stored, language) });
  }

  /** Notes what was said and has started nothing: the next run of the thread is given it. */
  async #owe(number: number, { event, comments, thread: before }: FireAsked, values: Partial<ThreadRow>): Promise<void> {
    const { threads } = this.#deps;
    const thread = await threads.find(this.#place, { number, isRequest: false });
    const said = event === 'review' ? comments.map(({ id }) => id) : [];
    const owed = [...new Set([...(before?.owed ?? []), ...said])].slice(-maxOwed);
    if (thread) await threads.change(thread.id, { ...values, owed });
  }

  async #firesOf(number: number): Promise<number> {
    const isRecent = sql`${fires.at} > now() - interval '1 hour' AND ${fires.source}->>'thread' = ${String(number)}`;
    return this.#deps.db.$count(
      fires,
      and(eq(fires.triggerId, this.#asked.trigger.id), isRecent, sql`${fires.outcome} IN ('started', 'waiting')`),
    );
  }

  /** Notes that something was not taken, and why: `rights` of its author, or a rule. */
  async refuse({ number, isRequest }: ForgeThread, what: string, detail: string, reason: FireReason = 'rights'): Promise<void> {
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
      if (event !== 'checks' && (this.#isOwn(one) || commandOf(one, this.#within.login()))) continue;
      if (one.text.trim() === '' && one.lines.length === 0) continue;
      const hasRights = event === 'checks' || (await this.#within.rights.mayWrite(one.author));
      if (!hasRights && !this.#asked.settings.showsOthers) continue;
      count++;
      const by = { author: clean(one.author.login), isOther: !hasRights };
      for (const { path, line, text } of one.lines.toReversed()) if (left > 0) add({ ...by, path: path && clean(path), line, text });
      if (one.text.trim() !== '' && left > 0) add({ ...by, path: null, line: null, text: one.text });
    }
    return said;
  }

  #isOwn({ author, text }: ForgeComment): boolean {
    return author.isBot || author.login === this.#within.login() || text.includes(ownMark);
  }

  what(change: string): string {
    return `${this.#asked.target.url} ${change}`;
  }
}

/** The key of an event: the same event has the same one, whether a hook or a reading has brought it. */
function keyOfEvent(url: string, number: number, change: string): string {
  return `forge:${number}:${createHash('sha256').update(`${url} ${change}`).digest('hex').slice(0, 32)}`;
}

/** Says why a fire has started nothing, with a cure. */
export function reasonOf({ reason, detail }: Pick<ShownFire, 'reason' | 'detail'>, language: Language): string {
  const text = `forge.reason_${reason}`;
  return translate(language, isServerText(text) ? text : 'forge.reason_fault', { detail: detail ?? '' });
}

/** The database stores no NUL. */
function clean(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** Returns the oldest words, as far as one run is given them; one at least. */
export function fitting(words: readonly ForgeComment[]): ForgeComment[] {
  let left = maxSaid;
  return words.slice(0, maxGivenComments).filter(({ text, lines }, index) => {
    left -= text.length + lines.reduce((sum, line) => sum + line.text.length, 0);
    return left >= 0 || index === 0;
  });
}
