import { RequestFailed } from '../../../platform/git/forge-calls.ts';
import type { ForgeNumber, ForgePerson } from '../../../platform/git/forges/forge.ts';
import { commentOf, hashOfComment, markOf, type ThreadRow } from './kept-comment.ts';
import type { ReadingDeps, ReadingTask } from './reading.ts';

/** `alone` does work about one issue, whose failure holds back no others. `isRefused`: the token may not do what it was asked for. */
type Within = { self: ForgePerson; alone: (work: () => Promise<void>) => Promise<boolean>; isRefused: () => boolean };

/** Keeps one comment on each issue that has started a run. Of those that wait behind the first one, only it is told: one comment says how many wait. */
export class KeptComments {
  readonly #deps: Pick<ReadingDeps, 'forge' | 'threads' | 'address'>;
  readonly #asked: ReadingTask;
  readonly #within: Within;

  constructor(deps: Pick<ReadingDeps, 'forge' | 'threads' | 'address'>, asked: ReadingTask, within: Within) {
    this.#deps = deps;
    this.#asked = asked;
    this.#within = within;
  }

  /** Brings the comment of each issue up to date. One that a killed reading has written is found by its mark. */
  async tell(): Promise<void> {
    const { threads, address } = this.#deps;
    const { trigger, target, team, language, settings } = this.#asked;
    const { login } = this.#within.self;
    const page = `${address()}/test-project?projectId=${trigger.projectId}`;
    const place = { triggerId: trigger.id, url: target.url };
    const first = await threads.firstWaiting(place);
    const untold = (await threads.untold(place)).filter(({ id }) => id !== first?.thread.id);
    const again = { label: settings.label, login: settings.takesMentions ? login : null };
    for (const thread of first ? [...untold, first.thread] : untold) {
      // It may write no other comment either.
      if (this.#within.isRefused()) return;
      const behind = thread.id === first?.thread.id ? first.behind : 0;
      const text = commentOf(thread, { page, team, language, behind, again });
      await this.#within.alone(() => this.#bringUpToDate(thread, text));
    }
  }

  async #bringUpToDate(thread: ThreadRow, text: string): Promise<void> {
    const { threads } = this.#deps;
    const commentSha = hashOfComment(text);
    const toldAt = thread.updatedAt;
    if (commentSha === thread.commentSha && toldAt.getTime() === thread.toldAt?.getTime()) return;
    if (thread.problem !== null && toldAt.getTime() === thread.toldAt?.getTime()) return;
    try {
      const commentId = commentSha === thread.commentSha ? thread.commentId : await this.#keep(thread, text);
      await threads.told(thread.id, { commentId, commentSha, toldAt, problem: null });
    } catch (error) {
      // An issue that is locked or gone takes no comment: it is tried again with the next change of the thread.
      if (!(error instanceof RequestFailed) || (error.reason !== 'locked' && error.reason !== 'not_found')) throw error;
      await threads.told(thread.id, { commentId: thread.commentId, commentSha: thread.commentSha, toldAt, problem: error.reason });
    }
  }

  async #keep(thread: ThreadRow, text: string): Promise<string> {
    const { forge, threads } = this.#deps;
    const { target } = this.#asked;
    const issue = { number: thread.number, isRequest: false };
    await this.#asked.assertLease();
    // A write whose answer is lost may have been carried out: the text before it would then count as still told.
    if (thread.commentSha !== null) await threads.tells(thread.id);
    if (thread.commentId !== null && (await this.#change(issue, thread.commentId, text))) return thread.commentId;
    const mark = markOf(thread);
    const written =
      thread.commentId === null
        ? (await forge.comments(target, issue)).find((one) => one.author.login === this.#within.self.login && one.text.includes(mark))
        : undefined;
    if (written && (await this.#change(issue, written.id, text))) return written.id;
    return forge.addComment(target, issue, text);
  }

  /** Returns false where the comment is gone, or is that of another account: the token may be another one by now. */
  async #change(issue: ForgeNumber, id: string, text: string): Promise<boolean> {
    try {
      return await this.#deps.forge.changeComment(this.#asked.target, issue, id, text);
    } catch (error) {
      if (error instanceof RequestFailed && error.reason === 'needs_token') return false;
      throw error;
    }
  }
}
