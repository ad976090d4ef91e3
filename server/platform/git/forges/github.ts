import { z } from 'zod';
import type { Egress } from '../../egress/egress.ts';
import { gitHubPlace, RequestFailed } from '../forge-calls.ts';
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

const thread = z
  .object({
    number: forgeId,
    title: name,
    body: longText,
    user: person,
    state: z.string(),
    labels: z.array(z.union([z.string(), z.object({ name: z.string() }).transform((label) => label.name)])),
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
      labels,
      updatedAt: updated_at,
      url: html_url,
    }),
  );

const comment = z.object({ id: forgeId, user: person, body: longText, created_at: instant });
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

const status = z.object({ context: name, state: z.string(), target_url: webAddress, description: longText });

const none: ReadonlySet<number> = new Set();

/** https://docs.github.com/en/rest/issues, /pulls, /collaborators, /checks and /actions. */
export class GitHub implements Forge {
  readonly #egress: Egress;

  constructor(egress: Egress) {
    this.#egress = egress;
  }

  async self(place: ForgePlace): Promise<ForgePerson> {
    const { api } = gitHubPlace(place.url);
    return demandForm(account, await new ForgeApi(this.#egress, place, api).get('/user'));
  }

  async labelled(place: ForgePlace, label: string): Promise<ForgeThread[]> {
    // A comma divides labels: a label that has one cannot be asked for.
    const query = new URLSearchParams({ state: 'open', ...(!label.includes(',') && { labels: label }), sort: 'created', direction: 'asc' });
    const threads = await this.#api(place).list(`/issues?${query}`, { entry: thread, maxPages: maxLabelledPages });
    const issues = threads.filter(({ isRequest, labels }) => !isRequest && labels.some((one) => isLabel(one, label)));
    return issues.slice(0, maxLabelled);
  }

  async changed(place: ForgePlace, since: string): Promise<ForgeThread[]> {
    // "After the time" leaves open whether that includes the time: the second before is asked for too, of which many issues may be.
    const before = new Date(Date.parse(since) - 1_000).toISOString().replace(/\.\d+Z$/, 'Z');
    const query = new URLSearchParams({ state: 'all', sort: 'updated', direction: 'asc', since: before });
    const threads = await this.#api(place).list(`/issues?${query}`, { entry: thread, maxPages });
    return threads.filter(({ updatedAt }) => Date.parse(updatedAt) >= Date.parse(since)).slice(0, maxThreads);
  }

  async thread(place: ForgePlace, { number }: ForgeNumber): Promise<ForgeThread | null> {
    const found = await this.#api(place).getIfThere(`/issues/${number}`);
    return found === null ? null : demandForm(thread, found);
  }

  async lastLabelling(place: ForgePlace, { number }: ForgeNumber, label: string): Promise<ForgeLabelling | null> {
    const events = await this.#api(place).lastOf(`/issues/${number}/events`, { entry: labelEvent, maxPages });
    const last = events.findLast((event) => isLabel(event.label.name, label));
    return last ? { id: String(last.id), by: last.actor, at: last.created_at } : null;
  }

  async comments(place: ForgePlace, { number, isRequest }: ForgeNumber): Promise<ForgeComment[]> {
    const api = this.#api(place);
    const said = await api.lastOf(`/issues/${number}/comments`, { entry: comment, maxPages });
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
    return newest(isRequest ? [...general, ...(await this.#reviews(api, place, number))] : general);
  }

  async #reviews(api: ForgeApi, place: ForgePlace, number: number): Promise<ForgeComment[]> {
    const reviews = await api.lastOf(`/pulls/${number}/reviews`, { entry: review, maxPages });
    const sorted = `/pulls/${number}/comments?sort=created&direction=desc`;
    const all = (await api.list(sorted, { entry: lineComment, maxPages })).toReversed();
    const resolved = all.length === 0 ? none : await resolvedLines(this.#egress, place, number);
    const onLines = all.filter(({ id }) => !resolved.has(id));
    // A reply to one line is a review of its own without words. It comes as the reply.
    const known = new Set(reviews.map(({ id }) => id));
    const isOfReview = ({ pull_request_review_id: of, in_reply_to_id }: LineComment) => !in_reply_to_id && of != null && known.has(of);
    const submitted = reviews.filter(({ state }) => state !== 'PENDING');
    return [
      ...submitted.map(({ id, user, body, state, submitted_at }) => ({
        id: `review:${id}`,
        author: user,
        asks: !asksNothing.includes(state),
        text: body,
        lines: onLines.filter((one) => isOfReview(one) && one.pull_request_review_id === id).map(lineOfComment),
        at: submitted_at,
      })),
      ...onLines
        .filter((one) => !isOfReview(one))
        .map((one) => ({
          id: `line:${one.id}`,
          author: one.user,
          asks: true,
          text: '',
          lines: [lineOfComment(one)],
          at: one.created_at,
        })),
    ];
  }

  /**
   * What GitHub says beside a comment (`author_association`) is no right: members and collaborators may be allowed to read only, and a member whose
   * membership is private is a contributor. The role `triage` sets labels, but may not write: GitHub names its permission `read`.
   */
  async mayWrite(place: ForgePlace, { id }: ForgePerson): Promise<boolean> {
    const answer = await this.#api(place).getIfThere(`/collaborators/${encodeURIComponent(id)}/permission`);
    return z.object({ permission: z.enum(['admin', 'write']) }).safeParse(answer).success;
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
    const runs = await checksOf(api, sha);
    const statuses = await api.listIfThere(`${commit}/status`, { entry: status, field: 'statuses', maxPages });
    if (runs.some((run) => run.status !== 'completed') || statuses.some(({ state }) => state === 'pending')) return null;
    const run = runs.toSorted((one, other) => one.id - other.id).find(({ conclusion }) => failedConclusions.includes(conclusion ?? ''));
    if (run) return { name: run.name, url: run.html_url, log: await logOf(api, run) };
    const failed = statuses.find(({ state }) => state === 'failure' || state === 'error');
    return failed ? { name: failed.context, url: failed.target_url, log: failed.description } : null;
  }

  #api(place: ForgePlace): ForgeApi {
    const { api, owner, name: repository } = gitHubPlace(place.url);
    return new ForgeApi(this.#egress, place, `${api}/repos/${owner}/${repository}`);
  }
}

function lineOfComment({ path, line, original_line, body }: LineComment) {
  return lineOf({ path, line: line ?? original_line, text: body });
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
