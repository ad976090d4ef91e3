import { z } from 'zod';
import type { Egress } from '../../egress/egress.ts';
import type { RequestFailed } from '../forge-calls.ts';
import type {
  Forge,
  ForgeComment,
  ForgeDraft,
  ForgeFailure,
  ForgeLabelling,
  ForgeLine,
  ForgeNumber,
  ForgePerson,
  ForgePlace,
  ForgeThread,
  OpenedRequest,
} from './forge.ts';
import { commentNumber, forgeId, instant, longText, name, newComment, newest, webAddress } from './forge-answers.ts';
import { demandForm, ForgeApi } from './forge-api.ts';
import { openDraftOnce } from './open-draft.ts';

const threadBy = (person: z.ZodType<ForgePerson>) =>
  z
    .object({
      number: forgeId,
      title: name,
      body: longText,
      user: person,
      state: z.string(),
      labels: z.array(z.union([z.string(), z.object({ name: z.string() }).transform((label) => label.name)])).nullish(),
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
        labels: labels ?? [],
        updatedAt: updated_at,
        url: html_url,
      }),
    );

export const commentBy = (person: z.ZodType<ForgePerson>) => z.object({ id: forgeId, user: person, body: longText, created_at: instant });
export type PullsComment = z.output<ReturnType<typeof commentBy>>;

/** An open pull request, and the branch that it is of. */
export const pull = z
  .object({ html_url: z.string(), number: z.number().int(), head: z.object({ ref: z.string() }) })
  .transform(({ html_url, number, head }) => ({ head: head.ref, opened: { url: html_url, number } }));

/** Returns the request that a forge says it has opened; null for an answer in another form. */
export function openedOf(answer: unknown): OpenedRequest | null {
  return pull.safeParse(answer).data?.opened ?? null;
}

/** A submitted review. */
export type Review = { id: number; author: ForgePerson; asks: boolean; text: string; at: string };
/** Words on a line. `review`: the number of the review that they belong to; null for a reply, and where they stand alone. */
type ReviewLine = { id: number; author: ForgePerson; line: ForgeLine; at: string; review: number | null };
export type ReviewThread = { isResolved: boolean; lines: ReviewLine[] };

type Kind = {
  account: z.ZodType<ForgePerson>;
  /** The author of words, also of those whose account is gone. */
  person: z.ZodType<ForgePerson>;
  /** The permissions of those who may change the repository. */
  writers: readonly string[];
  /** Returns where the calls of a repository begin. */
  address: (url: string) => string;
};

/** What GitHub and Gitea have in common: Gitea takes the paths of GitHub, and answers in its form. */
export abstract class PullsForge implements Forge {
  protected readonly egress: Egress;
  protected readonly threads: ReturnType<typeof threadBy>;
  readonly #kind: Kind;

  constructor(egress: Egress, kind: Kind) {
    this.egress = egress;
    this.#kind = kind;
    this.threads = threadBy(kind.person);
  }

  abstract labelled(place: ForgePlace, label: string): Promise<ForgeThread[]>;
  abstract changed(place: ForgePlace, since: string): Promise<ForgeThread[]>;
  abstract lastLabelling(place: ForgePlace, number: ForgeNumber, label: string): Promise<ForgeLabelling | null>;
  abstract failure(place: ForgePlace, sha: string): Promise<ForgeFailure | null>;

  async self(place: ForgePlace): Promise<ForgePerson> {
    const root = new URL('../../..', `${this.#kind.address(place.url)}/`).href;
    return demandForm(this.#kind.account, await new ForgeApi(this.egress, place, root).get('user'));
  }

  async thread(place: ForgePlace, { number }: ForgeNumber): Promise<ForgeThread | null> {
    const found = await this.api(place).getIfThere(`/issues/${number}`);
    return found === null ? null : demandForm(this.threads, found);
  }

  async comments(place: ForgePlace, { number, isRequest }: ForgeNumber): Promise<ForgeComment[]> {
    const api = this.api(place);
    const general = (await this.generalComments(api, number)).map(
      ({ id, user, body, created_at }): ForgeComment => ({
        id: `comment:${id}`,
        author: user,
        asks: true,
        text: body,
        lines: [],
        at: created_at,
      }),
    );
    if (!isRequest) return newest(general);
    const { reviews, threads } = await this.readReviews(place, number);
    const open = threads.filter(({ isResolved }) => !isResolved).flatMap(({ lines }) => lines);
    return newest([
      ...general,
      ...reviews.map(({ id, ...said }) => ({
        ...said,
        id: `review:${id}`,
        lines: open.filter(({ review }) => review === id).map(({ line }) => line),
      })),
      ...open
        .filter(({ review }) => review === null)
        .map(({ id, author, line, at }) => ({ id: `line:${id}`, author, asks: true, text: '', lines: [line], at })),
    ]);
  }

  /** Returns the comments on an issue or a pull request as a whole. */
  protected abstract generalComments(api: ForgeApi, number: number): Promise<PullsComment[]>;

  /** Returns the submitted reviews of a pull request, and the threads on its lines, the oldest first. */
  protected abstract readReviews(place: ForgePlace, number: number): Promise<{ reviews: Review[]; threads: ReviewThread[] }>;

  /** Gitea tells of rights only to a token of an administrator of the repository: others are refused with a text that says so. */
  async mayWrite(place: ForgePlace, { id }: ForgePerson): Promise<boolean> {
    const answer = await this.api(place).getIfThere(`/collaborators/${encodeURIComponent(id)}/permission`);
    return z.object({ permission: z.enum(this.#kind.writers) }).safeParse(answer).success;
  }

  async addComment(place: ForgePlace, { number }: ForgeNumber, text: string): Promise<string> {
    const { id } = demandForm(newComment, await this.api(place).send('POST', `/issues/${number}/comments`, { body: text }));
    return `comment:${id}`;
  }

  async changeComment(place: ForgePlace, _number: ForgeNumber, id: string, text: string): Promise<boolean> {
    const number = commentNumber(id);
    return number !== null && this.api(place).change('PATCH', `/issues/comments/${number}`, { body: text });
  }

  openDraft(place: ForgePlace, draft: ForgeDraft): Promise<OpenedRequest> {
    return openDraftOnce({
      find: (refusal) => this.findDraft(place, draft.head, refusal),
      create: () => this.createDraft(this.api(place), draft),
    });
  }

  protected abstract findDraft(place: ForgePlace, head: string, refusal?: RequestFailed): Promise<OpenedRequest | null>;
  protected abstract createDraft(api: ForgeApi, draft: ForgeDraft): Promise<OpenedRequest | null>;

  protected api(place: ForgePlace): ForgeApi {
    return new ForgeApi(this.egress, place, this.#kind.address(place.url));
  }
}
