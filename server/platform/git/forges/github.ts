import { z } from 'zod';
import type { Egress } from '../../egress/egress.ts';
import { gitHubPlace, RequestFailed } from '../forge-calls.ts';
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
import { resolvedLines } from './resolved-lines.ts';

/** Pages of 100 that are read of a list. */
const maxPages = 3;
const maxThreads = 100;
/** Open issues with a label, and the pages of 100 that are read of them. */
const maxLabelled = 1_000;
const maxLabelledPages = 10;

const account = z
  .object({ login: name, type: z.string().nullish() })
  .transform(({ login, type }): ForgePerson => ({ id: login, login, isBot: type === 'Bot' }));
/** The account that GitHub itself names for those that were deleted. */
const ghost: ForgePerson = { id: 'ghost', login: 'ghost', isBot: false };
const person = account.nullish().transform((user) => user ?? ghost);

const comment = commentBy(person);
const review = z.object({
  id: forgeId,
  user: person,
  body: longText,
  state: z.string(),
  submitted_at: instant,
});
/** States of reviews that ask for nothing. */
const asksNothing = ['APPROVED', 'DISMISSED'];
const lineComment = comment.extend({
  pull_request_review_id: z.number().nullish(),
  in_reply_to_id: z.number().nullish(),
  path: name,
  line: lineNumber,
  original_line: lineNumber,
});
type LineComment = z.output<typeof lineComment>;

const labelEvent = z.object({
  id: forgeId,
  event: z.literal('labeled'),
  actor: person,
  created_at: instant,
  label: z.object({ name: z.string() }),
});

const checkRun = z.object({
  id: forgeId,
  name,
  status: z.string(),
  conclusion: z.string().nullish(),
  html_url: webAddress,
  app: z.object({ slug: z.string().nullish() }).nullish(),
  output: z.object({ title: longText, summary: longText, text: longText }).nullish(),
});
type CheckRun = z.output<typeof checkRun>;
const actionsApp = 'github-actions';
const workflowRun = z.object({ id: forgeId });
const failedConclusions = ['failure', 'timed_out', 'startup_failure'];

const owned = z.object({ owner: z.object({ login: z.string() }) });
const status = z.object({ context: name, state: z.string(), target_url: webAddress, description: longText });

const none: ReadonlySet<number> = new Set();

/** https://docs.github.com/en/rest/issues, /pulls, /collaborators, /checks and /actions. */
export class GitHub extends PullsForge {
  /**
   * What GitHub says beside a comment (`author_association`) is no right: members and collaborators may be allowed to read only, and a member whose
   * membership is private is a contributor. The role `triage` sets labels, but may not write: GitHub names its permission `read`.
   */
  constructor(egress: Egress) {
    super(egress, { account, person, writers: ['admin', 'write'], address: addressOf });
  }

  async labelled(place: ForgePlace, label: string): Promise<ForgeThread[]> {
    // A comma divides labels: a label that has one cannot be asked for.
    const query = new URLSearchParams({ state: 'open', ...(!label.includes(',') && { labels: label }), sort: 'created', direction: 'asc' });
    const threads = await this.api(place).list(`/issues?${query}`, { entry: this.threads, maxPages: maxLabelledPages });
    const issues = threads.filter(({ isRequest, labels }) => !isRequest && labels.some((one) => isLabel(one, label)));
    return issues.slice(0, maxLabelled);
  }

  async changed(place: ForgePlace, since: string): Promise<ForgeThread[]> {
    // "After the time" leaves open whether that includes the time: the second before is asked for too, of which many issues may be.
    const before = new Date(Date.parse(since) - 1_000).toISOString().replace(/\.\d+Z$/, 'Z');
    const query = new URLSearchParams({ state: 'all', sort: 'updated', direction: 'asc', since: before });
    const threads = await this.api(place).list(`/issues?${query}`, { entry: this.threads, maxPages });
    return threads.filter(({ updatedAt }) => Date.parse(updatedAt) >= Date.parse(since)).slice(0, maxThreads);
  }

  async lastLabelling(place: ForgePlace, { number }: ForgeNumber, label: string): Promise<ForgeLabelling | null> {
    const events = await this.api(place).lastOf(`/issues/${number}/events`, { entry: labelEvent, maxPages });
    const last = events.findLast((event) => isLabel(event.label.name, label));
    return last ? { id: String(last.id), by: last.actor, at: last.created_at } : null;
  }

  protected generalComments(api: ForgeApi, number: number): Promise<PullsComment[]> {
    return api.lastOf(`/issues/${number}/comments`, { entry: comment, maxPages });
  }

  /**
   * Reviews come without their lines, which are listed for the whole request. Lines of a review that was submitted between both calls are left to the next
   * reading: they would come alone now, and then once more with their review.
   */
  protected async readReviews(place: ForgePlace, number: number): Promise<{ reviews: Review[]; threads: ReviewThread[] }> {
    const api = this.api(place);
    const reviews = await api.lastOf(`/pulls/${number}/reviews`, { entry: review, maxPages });
    const sorted = `/pulls/${number}/comments?sort=created&direction=desc`;
    const known = new Set(reviews.map(({ id }) => id));
    const newest = Math.max(0, ...known);
    const lines = (await api.list(sorted, { entry: lineComment, maxPages }))
      .toReversed()
      .filter(({ pull_request_review_id: of, in_reply_to_id: to }) => to || !of || of <= newest);
    const resolved = lines.length === 0 ? none : await resolvedLines(this.egress, place, number);
    const submitted = reviews.filter(({ state }) => state !== 'PENDING');
    return {
      reviews: submitted.map(({ id, user, body, state, submitted_at }) => ({
        id,
        author: user,
        asks: !asksNothing.includes(state),
        text: body,
        at: submitted_at,
      })),
      threads: [...Map.groupBy(lines, ({ id, in_reply_to_id }) => in_reply_to_id || id).values()].map((all) => ({
        isResolved: all.some(({ id }) => resolved.has(id)),
        lines: all.map((one) => toReviewLine(one, known)),
      })),
    };
  }

  async failure(place: ForgePlace, sha: string): Promise<ForgeFailure | null> {
    const api = this.api(place);
    const commit = `/commits/${encodeURIComponent(sha)}`;
    const runs = await checksOf(api, sha);
    const statuses = await api.listIfThere(`${commit}/status`, { entry: status, field: 'statuses', maxPages });
    if (runs.some((run) => run.status !== 'completed') || statuses.some(({ state }) => state === 'pending')) return null;
    const run = runs.toSorted((one, other) => one.id - other.id).find(({ conclusion }) => failedConclusions.includes(conclusion ?? ''));
    if (run) return { name: run.name, url: run.html_url, log: await logOf(api, run) };
    const failed = statuses.find(({ state }) => state === 'failure' || state === 'error');
    return failed ? { name: failed.context, url: failed.target_url, log: failed.description } : null;
  }

  protected async findDraft(place: ForgePlace, head: string, refusal?: RequestFailed): Promise<OpenedRequest | null> {
    const api = this.api(place);
    const findBy = async (account: string) =>
      openOf(head, pull, await api.get(`/pulls?state=open&head=${encodeURIComponent(`${account}:${head}`)}`));
    const found = await findBy(decodeURIComponent(gitHubPlace(place.url).owner));
    if (found || !refusal || !/already exists/i.test(refusal.text)) return found;
    // A repository that was moved is found by its earlier name too, its requests only by the account that owns it now.
    const { success, data } = owned.safeParse(await api.get(''));
    return success ? findBy(data.owner.login) : null;
  }

  /** GitHub has drafts in some plans only. */
  protected async createDraft(api: ForgeApi, draft: ForgeDraft): Promise<OpenedRequest | null> {
    try {
      return openedOf(await api.post('/pulls', { ...draft, draft: true }));
    } catch (error) {
      if (!(error instanceof RequestFailed && isWithoutDrafts(error))) throw error;
      const opened = openedOf(await api.post('/pulls', { ...draft, draft: false }));
      return opened && { ...opened, hasNoDrafts: true };
    }
  }
}

function addressOf(url: string): string {
  const { api, owner, name: repository } = gitHubPlace(url);
  return `${api}/repos/${owner}/${repository}`;
}

/** "Draft pull requests are not supported in this repository." */
function isWithoutDrafts({ reason, text }: RequestFailed): boolean {
  return reason === 'refused' && /draft/i.test(text) && /not supported/i.test(text);
}

/** A reply to one line is a review of its own without words. It comes as the reply. */
function toReviewLine(one: LineComment, known: ReadonlySet<number>) {
  const review = one.pull_request_review_id ?? null;
  return {
    id: one.id,
    author: one.user,
    at: one.created_at,
    line: lineOf({ path: one.path, line: one.line ?? one.original_line, text: one.body }),
    review: review !== null && known.has(review) && !one.in_reply_to_id ? review : null,
  };
}

/** Fine-grained tokens cannot read the checks of a private repository, but the jobs of GitHub Actions. */
async function checksOf(api: ForgeApi, sha: string): Promise<CheckRun[]> {
  try {
    const checks = `/commits/${encodeURIComponent(sha)}/check-runs?filter=latest`;
    return await api.list(checks, { entry: checkRun, field: 'check_runs', maxPages });
  } catch (error) {
    if (!(error instanceof RequestFailed && error.reason === 'needs_token')) throw error;
  }
  const query = new URLSearchParams({ head_sha: sha });
  const jobs: CheckRun[] = [];
  for (const { id } of await api.list(`/actions/runs?${query}`, { entry: workflowRun, field: 'workflow_runs', maxPages: 1 })) {
    const found = await api.list(`/actions/runs/${id}/jobs?filter=latest`, { entry: checkRun, field: 'jobs', maxPages: 1 });
    jobs.push(...found.map((job) => ({ ...job, app: { slug: actionsApp } })));
  }
  return jobs;
}

/** A run of GitHub Actions has the number of its job. Other programs write their output into the check. */
async function logOf(api: ForgeApi, { id, app, output }: CheckRun): Promise<string> {
  if (app?.slug === actionsApp) return api.endOfLog(`/actions/jobs/${id}/logs`);
  return [output?.title, output?.summary, output?.text].filter(Boolean).join('\n\n');
}
