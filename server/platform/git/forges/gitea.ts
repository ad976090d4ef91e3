import { z } from 'zod';
import type { Egress } from '../../egress/egress.ts';
import { giteaPlace } from '../forge-calls.ts';
import type { Forge, ForgeComment, ForgeFailure, ForgeLabelling, ForgeNumber, ForgePerson, ForgePlace, ForgeThread } from './forge.ts';
import {
  commentNumber,
  forgeId,
  instant,
  isLabel,
  lineNumber,
  lineOf,
  longText,
  name,
  newComment,
  newest,
  webAddress,
} from './forge-answers.ts';
import { demandForm, ForgeApi } from './forge-api.ts';

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

const thread = z
  .object({
    number: forgeId,
    title: name,
    body: longText,
    user: person,
    state: z.string(),
    labels: z.array(z.object({ name: z.string() })).nullish(),
    pull_request: z.unknown().optional(),
    updated_at: instant,
    html_url: webAddress,
  })
  .transform(
    ({ number, title, body, user, state, labels, pull_request, updated_at, html_url }): ForgeThread => ({
      number,
      isRequest: Boolean(pull_request),
      title,
      text: body,
      author: user,
      isOpen: state === 'open',
      labels: (labels ?? []).map((label) => label.name),
      updatedAt: updated_at,
      url: html_url,
    }),
  );

const comment = z.object({ id: forgeId, user: person, body: longText, created_at: instant });
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
export class Gitea implements Forge {
  readonly #egress: Egress;

  constructor(egress: Egress) {
    this.#egress = egress;
  }

  async self(place: ForgePlace): Promise<ForgePerson> {
    const root = new URL('../../..', `${giteaPlace(place.url)}/`).href;
    return demandForm(account, await new ForgeApi(this.#egress, place, root).get('user'));
  }

  /** Gitea ignores a label that the repository does not have, and answers with all issues. */
  async labelled(place: ForgePlace, label: string): Promise<ForgeThread[]> {
    const query = new URLSearchParams({ state: 'open', type: 'issues', ...(!label.includes(',') && { labels: label }) });
    const issues = await this.#api(place).list(`/issues?${query}`, { entry: thread, maxPages: maxLabelledPages });
    const found = issues.filter(({ isRequest, labels }) => !isRequest && labels.some((one) => isLabel(one, label)));
    return found.toSorted((one, other) => one.number - other.number).slice(0, maxLabelled);
  }

  /** Gitea cannot sort by change. Where more has changed than is read, an earlier end is asked for. */
  async changed(place: ForgePlace, since: string): Promise<ForgeThread[]> {
    const from = Date.parse(since);
    let until: number | null = null;
    for (;;) {
      const query = new URLSearchParams({ state: 'all', since, ...(until !== null && { before: new Date(until).toISOString() }) });
      const found: ForgeThread[] = await this.#api(place).list(`/issues?${query}`, { entry: thread, maxPages: maxIssuePages });
      const changes = found.map(({ updatedAt }) => Date.parse(updatedAt)).toSorted((one, other) => one - other);
      const middle: number = changes[Math.floor(changes.length / 2)] ?? from;
      const isWhole = found.length < maxIssuePages * 50 || middle <= from || (until !== null && middle >= until);
      if (isWhole) return found.toSorted((one, other) => Date.parse(one.updatedAt) - Date.parse(other.updatedAt)).slice(0, maxThreads);
      until = middle;
    }
  }

  async thread(place: ForgePlace, { number }: ForgeNumber): Promise<ForgeThread | null> {
    const found = await this.#api(place).getIfThere(`/issues/${number}`);
    return found === null ? null : demandForm(thread, found);
  }

  async lastLabelling(place: ForgePlace, { number }: ForgeNumber, label: string): Promise<ForgeLabelling | null> {
    const events = await this.#timeline(this.#api(place), number);
    const last = events.findLast((one) => one.type === 'label' && one.body === '1' && isLabel(one.label?.name ?? '', label));
    return last ? { id: String(last.id), by: last.user, at: last.created_at } : null;
  }

  async comments(place: ForgePlace, { number, isRequest }: ForgeNumber): Promise<ForgeComment[]> {
    const api = this.#api(place);
    const said = (await api.whole(`/issues/${number}/comments`, comment)) ?? (await this.#timeline(api, number)).filter(isComment);
    const general = said.map(
      ({ id, user, body, created_at }): ForgeComment => ({
        id: `comment:${id}`,
        author: user,
        asks: true,
        text: body,
        lines: [],
        at: created_at,
      }),
    );
    return newest(isRequest ? [...general, ...(await this.#reviews(api, number))] : general);
  }

  /** The answer of a timeline does not count its pages, and leaves entries out of them: only an empty page is the last. */
  async #timeline(api: ForgeApi, number: number): Promise<Event[]> {
    return api.list(`/issues/${number}/timeline`, { entry: event, maxPages: maxTimelinePages, endsEmpty: true });
  }

  async #reviews(api: ForgeApi, number: number): Promise<ForgeComment[]> {
    const reviews = await api.list(`/pulls/${number}/reviews`, { entry: review, maxPages: maxReviewPages });
    const withLines = new Set(reviews.filter(({ comments_count }) => comments_count !== 0).slice(-maxReviews));
    const all: ForgeComment[] = [];
    for (const one of reviews) {
      const found = withLines.has(one) ? await api.whole(`/pulls/${number}/reviews/${one.id}/comments`, lineComment) : null;
      const { own, replies } = dividedLines(found ?? [], one.user);
      all.push(
        {
          id: `review:${one.id}`,
          author: one.user,
          asks: one.state !== 'APPROVED' && !one.dismissed,
          text: one.body,
          lines: own.map(lineOfComment),
          at: one.submitted_at,
        },
        ...replies.map((reply) => ({
          id: `line:${reply.id}`,
          author: reply.user,
          asks: true,
          text: '',
          lines: [lineOfComment(reply)],
          at: reply.created_at,
        })),
      );
    }
    return all;
  }

  /** Only a token with the rights of an administrator of the repository may ask: others are refused with a text that says so. */
  async mayWrite(place: ForgePlace, { id }: ForgePerson): Promise<boolean> {
    const answer = await this.#api(place).getIfThere(`/collaborators/${encodeURIComponent(id)}/permission`);
    return z.object({ permission: z.enum(['owner', 'admin', 'write']) }).safeParse(answer).success;
  }

  async addComment(place: ForgePlace, { number }: ForgeNumber, text: string): Promise<string> {
    const { id } = demandForm(newComment, await this.#api(place).send('POST', `/issues/${number}/comments`, { body: text }));
    return `comment:${id}`;
  }

  async changeComment(place: ForgePlace, _number: ForgeNumber, id: string, text: string): Promise<boolean> {
    const number = commentNumber(id);
    return number !== null && this.#api(place).change('PATCH', `/issues/comments/${number}`, { body: text });
  }

  async failure(place: ForgePlace, sha: string): Promise<ForgeFailure | null> {
    const api = this.#api(place);
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

  #api(place: ForgePlace): ForgeApi {
    return new ForgeApi(this.#egress, place, giteaPlace(place.url));
  }
}

/**
 * Divides the comments of a review into its own and the replies to them, which Gitea counts to the same review: the first on each line is of the
 * review, where its author has written it. Lines whose first comment someone has resolved are left out, with the replies.
 */
function dividedLines(comments: readonly LineComment[], author: ForgePerson): { own: LineComment[]; replies: LineComment[] } {
  const lines = new Set<string>();
  const own: LineComment[] = [];
  const replies: LineComment[] = [];
  const placeOf = (one: LineComment) => `${one.position ?? `-${one.original_position}`} ${one.path}`;
  const resolved = new Set(comments.filter(({ resolver }) => resolver).map(placeOf));
  for (const one of comments.toSorted((before, after) => before.id - after.id)) {
    const line = placeOf(one);
    if (resolved.has(line)) continue;
    (lines.has(line) || one.user.id !== author.id ? replies : own).push(one);
    lines.add(line);
  }
  return { own, replies };
}

function lineOfComment({ path, position, original_position, body }: LineComment) {
  return lineOf({ path, line: position ?? original_position, text: body });
}
