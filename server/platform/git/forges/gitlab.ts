import { z } from 'zod';
import type { Egress } from '../../egress/egress.ts';
import { gitLabPlace } from '../forge-calls.ts';
import type {
  Forge,
  ForgeComment,
  ForgeDraft,
  ForgeFailure,
  ForgeLabelling,
  ForgeNumber,
  ForgePerson,
  ForgePlace,
  ForgeThread,
  OpenedRequest,
} from './forge.ts';
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
import { openDraftOnce, openOf } from './open-draft.ts';

/** Pages of 100 that are read of a list. */
const maxPages = 3;
const maxThreads = 100;
/** Pages of 100 that are read of open issues with a label. */
const maxLabelledPages = 10;
/** The role Developer: https://docs.gitlab.com/api/access_requests/#roles. */
const developer = 30;

/** Accounts of access tokens, which authors of notes are not marked as: https://docs.gitlab.com/user/project/settings/project_access_tokens/. */
const tokenAccount = /^(?:project|group)_\d+_bot(?:_|$)/;

const account = z
  .object({ id: forgeId, username: name, bot: z.boolean().nullish() })
  .transform(
    ({ id, username, bot }): ForgePerson => ({ id: String(id), login: username, isBot: Boolean(bot) || tokenAccount.test(username) }),
  );
const ghost: ForgePerson = { id: '0', login: 'ghost', isBot: false };
const person = account.nullish().transform((user) => user ?? ghost);

const thread = z.object({
  iid: forgeId,
  title: name,
  description: longText,
  author: person,
  state: z.string(),
  labels: z.array(z.string()),
  updated_at: instant,
  web_url: webAddress,
});
const threadOf = (isRequest: boolean) =>
  thread.transform(
    ({ iid, title, description, author, state, labels, updated_at, web_url }): ForgeThread => ({
      number: iid,
      isRequest,
      title,
      text: description,
      author,
      isOpen: state === 'opened',
      labels,
      updatedAt: updated_at,
      url: web_url,
    }),
  );

const labelEvent = z.object({
  id: forgeId,
  user: person,
  created_at: instant,
  action: z.literal('add'),
  label: z.object({ name: z.string() }),
});

const position = z.object({ new_path: name, new_line: lineNumber, old_line: lineNumber });
const note = z.object({
  id: forgeId,
  body: longText,
  author: person,
  system: z.literal(false),
  created_at: instant,
  position: position.nullish().catch(null),
  resolved: z.boolean().nullish(),
});

const pipeline = z.object({ id: forgeId, ref: z.string().nullish(), status: z.string(), web_url: webAddress });
const running = ['created', 'waiting_for_resource', 'preparing', 'waiting_for_callback', 'pending', 'running', 'scheduled', 'canceling'];
const job = z.object({ id: forgeId, name, web_url: webAddress, allow_failure: z.boolean().nullish() });

const mergeRequest = z
  .object({ web_url: z.string(), iid: z.number().int(), source_branch: z.string() })
  .transform(({ web_url, iid, source_branch }) => ({ head: source_branch, opened: { url: web_url, number: iid } }));

/** https://docs.gitlab.com/api/issues/, /merge_requests/, /notes/, /resource_label_events/, /members/, /pipelines/ and /jobs/. */
export class GitLab implements Forge {
  readonly #egress: Egress;

  constructor(egress: Egress) {
    this.#egress = egress;
  }

  async self(place: ForgePlace): Promise<ForgePerson> {
    const root = new URL('../..', `${gitLabPlace(place.url)}/`).href;
    return demandForm(account, await new ForgeApi(this.#egress, place, root).get('user'));
  }

  async labelled(place: ForgePlace, label: string): Promise<ForgeThread[]> {
    const query = new URLSearchParams({ state: 'opened', scope: 'all', labels: label, order_by: 'created_at', sort: 'asc' });
    const issues = await this.#api(place).list(`/issues?${query}`, { entry: threadOf(false), maxPages: maxLabelledPages });
    return issues.filter(({ labels }) => labels.some((one) => isLabel(one, label)));
  }

  async changed(place: ForgePlace, since: string): Promise<ForgeThread[]> {
    const query = new URLSearchParams({ scope: 'all', updated_after: since, order_by: 'updated_at', sort: 'asc' });
    const api = this.#api(place);
    const issues = await api.list(`/issues?${query}`, { entry: threadOf(false), maxPages: 1 });
    const requests = await api.list(`/merge_requests?${query}`, { entry: threadOf(true), maxPages: 1 });
    return [...issues, ...requests].toSorted((one, other) => Date.parse(one.updatedAt) - Date.parse(other.updatedAt)).slice(0, maxThreads);
  }

  async thread(place: ForgePlace, number: ForgeNumber): Promise<ForgeThread | null> {
    const found = await this.#api(place).getIfThere(pathOf(number));
    return found === null ? null : demandForm(threadOf(number.isRequest), found);
  }

  async lastLabelling(place: ForgePlace, number: ForgeNumber, label: string): Promise<ForgeLabelling | null> {
    const events = await this.#api(place).lastOf(`${pathOf(number)}/resource_label_events`, { entry: labelEvent, maxPages });
    const last = events.toSorted((one, other) => one.id - other.id).findLast((event) => isLabel(event.label.name, label));
    return last ? { id: String(last.id), by: last.user, at: last.created_at } : null;
  }

  async comments(place: ForgePlace, number: ForgeNumber): Promise<ForgeComment[]> {
    const all = await this.#api(place).list(`${pathOf(number)}/notes?order_by=created_at&sort=desc`, { entry: note, maxPages });
    const notes = all.filter(({ resolved }) => !resolved);
    return newest(
      notes.map(({ id, body, author, created_at, position: at }) => ({
        id: `${at ? 'line' : 'comment'}:${id}`,
        author,
        asks: true,
        text: at ? '' : body,
        lines: at ? [lineOf({ path: at.new_path, line: at.new_line ?? at.old_line, text: body })] : [],
        at: created_at,
      })),
    );
  }

  async mayWrite(place: ForgePlace, { id }: ForgePerson): Promise<boolean> {
    const member = await this.#api(place).getIfThere(`/members/all/${encodeURIComponent(id)}`);
    return z.object({ access_level: z.number().min(developer), state: z.literal('active').nullish() }).safeParse(member).success;
  }

  async addComment(place: ForgePlace, number: ForgeNumber, text: string): Promise<string> {
    const { id } = demandForm(newComment, await this.#api(place).send('POST', `${pathOf(number)}/notes`, { body: text }));
    return `comment:${id}`;
  }

  async changeComment(place: ForgePlace, number: ForgeNumber, id: string, text: string): Promise<boolean> {
    const note = commentNumber(id);
    return note !== null && this.#api(place).change('PUT', `${pathOf(number)}/notes/${note}`, { body: text });
  }

  /** A commit has a pipeline for each ref: its branch, and its merge request. Only the newest of each counts. */
  async failure(place: ForgePlace, sha: string): Promise<ForgeFailure | null> {
    const api = this.#api(place);
    const query = new URLSearchParams({ sha, order_by: 'id', sort: 'desc' });
    const all = await api.list(`/pipelines?${query}`, { entry: pipeline, maxPages: 1 });
    const last = all.filter(({ ref }, at) => all.findIndex((other) => other.ref === ref) === at);
    if (last.some(({ status }) => running.includes(status))) return null;
    const failed = last.find(({ status }) => status === 'failed');
    if (!failed) return null;
    const jobs = await api.list(`/pipelines/${failed.id}/jobs?scope%5B%5D=failed`, { entry: job, maxPages: 1 });
    const first = jobs.filter(({ allow_failure }) => !allow_failure).toSorted((one, other) => one.id - other.id)[0];
    if (!first) return { name: `#${failed.id}`, url: failed.web_url, log: '' };
    return { name: first.name, url: first.web_url, log: await api.endOfLog(`/jobs/${first.id}/trace`) };
  }

  openDraft(place: ForgePlace, { head, base, title, body }: ForgeDraft): Promise<OpenedRequest> {
    const api = this.#api(place);
    // GitLab knows a draft by its title.
    const draft = { source_branch: head, target_branch: base, title: `Draft: ${title}`, description: body };
    return openDraftOnce({
      find: async () => openOf(head, mergeRequest, await api.get(`/merge_requests?state=opened&source_branch=${encodeURIComponent(head)}`)),
      create: async () => mergeRequest.safeParse(await api.post('/merge_requests', draft)).data?.opened ?? null,
    });
  }

  #api(place: ForgePlace): ForgeApi {
    return new ForgeApi(this.#egress, place, gitLabPlace(place.url));
  }
}

function pathOf({ number, isRequest }: ForgeNumber): string {
  return `/${isRequest ? 'merge_requests' : 'issues'}/${number}`;
}
