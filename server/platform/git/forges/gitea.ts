import { z } from 'zod';
import type { Egress } from '../../egress/egress.ts';
import { giteaPlace } from '../forge-calls.ts';
import type {
  ForgeDraft,
  ForgeFailure,
  ForgeLabelling,
  ForgeNumber,
  ForgePerson,
  ForgePlace,
  ForgeThread,
  OpenedRequest,
} from './forge.ts';
import { forgeId, instant, isLabel, lineNumber, lineOf, longText, name, webAddress } from './forge-answers.ts';
import type { ForgeApi } from './forge-api.ts';
import { openOf } from './open-draft.ts';
import { commentBy, openedOf, type PullsComment, PullsForge, pull, type Review, type ReviewThread } from './pulls-forge.ts';

/** Pages of 50 that are read of a list of issues, which begins with the newest. */
const maxIssuePages = 10;
const maxThreads = 100;
/** Open issues with a label, and the pages of 50 that are read of them. */
const maxLabelled = 1_000;
const maxLabelledPages = 20;
/** Pages of 50 that are read of what has happened to an issue, which begins with the oldest. */
const maxTimelinePages = 20;
/** Pages of 50 that are read of the reviews of a pull request. */
const maxReviewPages = 4;
/** The newest reviews whose lines are read: one call each. */
const maxReviews = 20;

/** Gitea's own accounts have numbers below zero: -1 is that of deleted people, -2 that of its Actions. */
const account = z
  .object({ id: z.number().int(), login: name })
  .transform(({ id, login }): ForgePerson => ({ id: login, login, isBot: id < -1 }));
const ghost: ForgePerson = { id: 'Ghost', login: 'Ghost', isBot: false };
const person = account.nullish().transform((user) => user ?? ghost);

const comment = commentBy(person);
/** The timeline has comments, and labels: their body is 1 where a label was set, and empty where it was taken off. */
const event = comment.extend({ type: z.string(), label: z.object({ name: z.string() }).nullish() });
type Event = z.output<typeof event>;
const isComment = ({ type }: Event) => type === 'comment';

const review = z.object({
  id: forgeId,
  user: person,
  body: longText,
  state: z.enum(['APPROVED', 'COMMENT', 'REQUEST_CHANGES']),
  dismissed: z.boolean().nullish(),
  comments_count: z.number().nullish(),
  submitted_at: instant,
});
/** `position`: the number of the line in the new file, 0 where the line is one of the old file. */
const lineComment = comment.extend({ path: name, position: lineNumber, original_position: lineNumber, resolver: z.unknown().optional() });
type LineComment = z.output<typeof lineComment>;

const status = z.object({ id: forgeId, context: name, status: z.string(), target_url: z.string().nullish(), description: longText });
const run = z.object({ id: forgeId });
const job = z.object({ id: forgeId, name: z.string(), conclusion: z.string().nullish() });

/** https://docs.gitea.com/api/: issues, timeline, reviews, collaborators, statuses of commits and Actions. */
export class Gitea extends PullsForge {
  constructor(egress: Egress) {
    super(egress, { account, person, writers: ['owner', 'admin', 'write'], address: giteaPlace });
  }

  /** Gitea ignores a label that the repository does not have, and answers with all issues. */
  async labelled(place: ForgePlace, label: string): Promise<ForgeThread[]> {
    const query = new URLSearchParams({ state: 'open', type: 'issues', ...(!label.includes(',') && { labels: label }) });
    const issues = await this.api(place).list(`/issues?${query}`, { entry: this.threads, maxPages: maxLabelledPages });
    const found = issues.filter(({ isRequest, labels }) => !isRequest && labels.some((one) => isLabel(one, label)));
    return found.toSorted((one, other) => one.number - other.number).slice(0, maxLabelled);
  }

  /** Gitea cannot sort by change. Where more has changed than is read, an earlier end is asked for. */
  async changed(place: ForgePlace, since: string): Promise<ForgeThread[]> {
    const from = Date.parse(since);
    let until: number | null = null;
    for (;;) {
      const query = new URLSearchParams({ state: 'all', since, ...(until !== null && { before: new Date(until).toISOString() }) });
      const found: ForgeThread[] = await this.api(place).list(`/issues?${query}`, { entry: this.threads, maxPages: maxIssuePages });
      const changes = found.map(({ updatedAt }) => Date.parse(updatedAt)).toSorted((one, other) => one - other);
      const middle: number = changes[Math.floor(changes.length / 2)] ?? from;
      const isWhole = found.length < maxIssuePages * 50 || middle <= from || (until !== null && middle >= until);
      if (isWhole) return found.toSorted((one, other) => Date.parse(one.updatedAt) - Date.parse(other.updatedAt)).slice(0, maxThreads);
      until = middle;
    }
  }

  async lastLabelling(place: ForgePlace, { number }: ForgeNumber, label: string): Promise<ForgeLabelling | null> {
    const events = await this.#timeline(this.api(place), number);
    const last = events.findLast((one) => one.type === 'label' && one.body === '1' && isLabel(one.label?.name ?? '', label));
    return last ? { id: String(last.id), by: last.user, at: last.created_at } : null;
  }

  protected async generalComments(api: ForgeApi, number: number): Promise<PullsComment[]> {
    return (await api.whole(`/issues/${number}/comments`, comment)) ?? (await this.#timeline(api, number)).filter(isComment);
  }

  /** The answer of a timeline does not count its pages, and leaves entries out of them: only an empty page is the last. */
  async #timeline(api: ForgeApi, number: number): Promise<Event[]> {
    return api.list(`/issues/${number}/timeline`, { entry: event, maxPages: maxTimelinePages, endsEmpty: true });
  }

  protected async readReviews(place: ForgePlace, number: number): Promise<{ reviews: Review[]; threads: ReviewThread[] }> {
    const api = this.api(place);
    const reviews = await api.list(`/pulls/${number}/reviews`, { entry: review, maxPages: maxReviewPages });
    const threads: ReviewThread[] = [];
    for (const { id, user } of reviews.filter(({ comments_count }) => comments_count !== 0).slice(-maxReviews)) {
      const lines = await api.whole(`/pulls/${number}/reviews/${id}/comments`, lineComment);
      threads.push(...threadsOf(lines ?? [], { id, author: user }));
    }
    return {
      reviews: reviews.map(({ id, user, state, dismissed, body, submitted_at }) => ({
        id,
        author: user,
        asks: state !== 'APPROVED' && !dismissed,
        text: body,
        at: submitted_at,
      })),
      threads,
    };
  }

  async failure(place: ForgePlace, sha: string): Promise<ForgeFailure | null> {
    const api = this.api(place);
    const commit = `/commits/${encodeURIComponent(sha)}`;
    const statuses = await api.list(`${commit}/status`, { entry: status, field: 'statuses', maxPages: 1 });
    if (statuses.some((one) => one.status === 'pending')) return null;
    const failed = statuses.toSorted((one, other) => one.id - other.id).find((one) => ['failure', 'error'].includes(one.status));
    if (!failed) return null;
    // Gitea's own Actions link to a path of its host.
    const url = webAddress.parse(URL.parse(failed.target_url ?? '', place.url)?.href);
    return { name: failed.context, url, log: (await this.#logOf(api, sha, failed.context)) || failed.description };
  }

  /** Gitea has no link from a status to its job: the context of a status ends with the name of the job and the event. Before 1.24 it has no logs. */
  async #logOf(api: ForgeApi, sha: string, context: string): Promise<string> {
    const query = new URLSearchParams({ head_sha: sha, status: 'failure' });
    const runs = await api.listIfThere(`/actions/runs?${query}`, { entry: run, field: 'workflow_runs', maxPages: 1 });
    for (const { id } of runs) {
      const jobs = await api.listIfThere(`/actions/runs/${id}/jobs`, { entry: job, field: 'jobs', maxPages: 1 });
      const failed = jobs.find((one) => one.conclusion === 'failure' && context.includes(` / ${one.name} (`));
      if (failed) return api.endOfLog(`/actions/jobs/${failed.id}/logs`);
    }
    return '';
  }

  protected async findDraft(place: ForgePlace, head: string): Promise<OpenedRequest | null> {
    return openOf(head, pull, await this.api(place).get('/pulls?state=open&sort=recentupdate&limit=50'));
  }

  /** Gitea knows a draft by its title. */
  protected async createDraft(api: ForgeApi, { title, ...draft }: ForgeDraft): Promise<OpenedRequest | null> {
    return openedOf(await api.post('/pulls', { ...draft, title: `WIP: ${title}` }));
  }
}

/**
 * Divides the comments of a review by their lines. Gitea counts the replies to the same review: the first on each line is of the review, where its author
 * has written it. A line is resolved with one of its comments.
 */
function threadsOf(comments: readonly LineComment[], review: { id: number; author: ForgePerson }): ReviewThread[] {
  const placeOf = ({ path, position, original_position }: LineComment) => `${position ?? `-${original_position}`} ${path}`;
  const sorted = comments.toSorted((before, after) => before.id - after.id);
  return [...Map.groupBy(sorted, placeOf).values()].map((all) => ({
    isResolved: all.some(({ resolver }) => Boolean(resolver)),
    lines: all.map(({ id, user, created_at, path, position, original_position, body }, index) => ({
      id,
      author: user,
      at: created_at,
      line: lineOf({ path, line: position ?? original_position, text: body }),
      review: index === 0 && user.id === review.author.id ? review.id : null,
    })),
  }));
}
