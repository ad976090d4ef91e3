import { z } from 'zod';
import { withEscapedHidden } from '../../../rules/text/hidden-characters.ts';
import type { Egress } from '../egress/egress.ts';
import { createForgeCall, type ForgeCall, forgeHeaders, giteaPlace, gitHubPlace, gitLabPlace, type KnownForge } from './forge-calls.ts';

/** A comment of a person on a pull request; without a path it is on the request as a whole. */
export type ReviewComment = { author: string; path: string | null; line: number | null; text: string };

type ReviewRequest = { forge: KnownForge; url: string; token: string; number: number };

const maxComments = 50;
const maxTextLength = 2_000;
const maxTotalLength = 30_000;
/** Reviews of one request whose comments are read from Gitea: one call each. */
const maxReviews = 10;

type Read = (call: (address: string, body?: object) => Promise<unknown>, request: ReviewRequest) => Promise<ReviewComment[]>;

/** Reads the comments of people that are not resolved, in the order of the server: those on lines first. */
const readers: Record<KnownForge, Read> = { github: readGitHub, gitlab: readGitLab, gitea: readGitea };

/** Returns the open comments of a pull request, as far as their number and lengths go. Throws `RequestFailed`. */
export function createReviewComments(egress: Egress) {
  const forgeCall: ForgeCall = createForgeCall(egress);
  return async (request: ReviewRequest): Promise<ReviewComment[]> => {
    const headers = forgeHeaders[request.forge](request.token);
    const call = (address: string, body?: object) => forgeCall(address, body ? 'POST' : 'GET', headers, body);
    return bounded(await readers[request.forge](call, request));
  };
}

export type ReviewComments = ReturnType<typeof createReviewComments>;

function bounded(comments: readonly ReviewComment[]): ReviewComment[] {
  const onLinesFirst = comments.toSorted((one, other) => Number(one.path === null) - Number(other.path === null));
  let left = maxTotalLength;
  return onLinesFirst.slice(0, maxComments).flatMap(({ text, author, path, line }) => {
    const short = withEscapedHidden(text.replaceAll('\r\n', '\n').trim()).slice(0, Math.min(maxTextLength, left));
    left -= short.length;
    return short === '' ? [] : [{ author: oneLine(author), path: path && oneLine(path), line, text: short }];
  });
}

function oneLine(name: string): string {
  return withEscapedHidden(name.replace(/\s+/g, ' ')).slice(0, 500);
}

const gitHubAuthor = z.object({ login: z.string(), __typename: z.string() }).nullable();
const gitHubComments = z.object({ nodes: z.array(z.object({ body: z.string(), author: gitHubAuthor })) });
const gitHubAnswer = z.object({
  data: z.object({
    repository: z.object({
      pullRequest: z.object({
        reviewThreads: z.object({
          nodes: z.array(
            z.object({ isResolved: z.boolean(), path: z.string(), line: z.number().int().nullable(), comments: gitHubComments }),
          ),
        }),
        reviews: gitHubComments,
        comments: gitHubComments,
      }),
    }),
  }),
});

/** Only GraphQL tells which threads are resolved: https://docs.github.com/graphql/reference/objects#pullrequestreviewthread. */
const gitHubQuery = `query ($owner: String!, $name: String!, $number: Int!) { repository(owner: $owner, name: $name) { pullRequest(number: $number) {
  reviewThreads(last: 50) { nodes { isResolved path line comments(first: 10) { nodes { body author { login __typename } } } } }
  reviews(last: 30) { nodes { body author { login __typename } } }
  comments(last: 50) { nodes { body author { login __typename } } } } } }`;

async function readGitHub(call: Parameters<Read>[0], { url, number }: ReviewRequest): Promise<ReviewComment[]> {
  const { api, owner, name } = gitHubPlace(url);
  const address = api.endsWith('/v3') ? `${api.slice(0, -'/v3'.length)}/graphql` : `${api}/graphql`;
  const variables = { owner: decodeURIComponent(owner), name: decodeURIComponent(name), number };
  const { success, data } = gitHubAnswer.safeParse(await call(address, { query: gitHubQuery, variables }));
  if (!success) return [];
  const { reviewThreads, reviews, comments } = data.data.repository.pullRequest;
  const byPeople = ({ nodes }: z.infer<typeof gitHubComments>, path: string | null = null, line: number | null = null) =>
    nodes
      .filter(({ author }) => author?.__typename !== 'Bot')
      .map(({ body, author }) => ({ author: author?.login ?? '', path, line, text: body }));
  const open = reviewThreads.nodes.filter(({ isResolved }) => !isResolved);
  return [...open.flatMap((thread) => byPeople(thread.comments, thread.path, thread.line)), ...byPeople(reviews), ...byPeople(comments)];
}

const gitLabPosition = z.object({ new_path: z.string(), new_line: z.number().int().nullish(), old_line: z.number().int().nullish() });
const gitLabNote = z.object({
  body: z.string(),
  system: z.boolean(),
  resolved: z.boolean().nullish(),
  author: z.object({ username: z.string(), bot: z.boolean().nullish() }),
  position: gitLabPosition.nullish(),
});
const gitLabAnswer = z.array(z.object({ notes: z.array(gitLabNote) }));

/** https://docs.gitlab.com/api/discussions/#list-all-discussion-items-in-a-merge-request */
async function readGitLab(call: Parameters<Read>[0], { url, number }: ReviewRequest): Promise<ReviewComment[]> {
  const { success, data } = gitLabAnswer.safeParse(await call(`${gitLabPlace(url)}/merge_requests/${number}/discussions?per_page=100`));
  if (!success) return [];
  const notes = data.flatMap((discussion) => discussion.notes).filter((note) => !note.system && !note.resolved && !note.author.bot);
  return notes.map(({ body, author, position }) => ({
    author: author.username,
    text: body,
    path: position?.new_path ?? null,
    line: position?.new_line ?? position?.old_line ?? null,
  }));
}

const giteaUser = z.object({ login: z.string() }).nullish();
const giteaComments = z.array(
  z.object({
    body: z.string(),
    user: giteaUser,
    resolver: z.unknown().optional(),
    path: z.string().nullish(),
    position: z.number().int().nullish(),
    original_position: z.number().int().nullish(),
  }),
);
const giteaReviews = z.array(
  z.object({ id: z.number().int(), body: z.string().nullish(), user: giteaUser, comments_count: z.number().int().nullish() }),
);

/** https://docs.gitea.com/api/: comments of a review have the user who has resolved them. */
async function readGitea(call: Parameters<Read>[0], { url, number }: ReviewRequest): Promise<ReviewComment[]> {
  const place = giteaPlace(url);
  const reviews = giteaReviews.safeParse(await call(`${place}/pulls/${number}/reviews?limit=50`)).data ?? [];
  const onLines: ReviewComment[] = [];
  for (const { id } of reviews.filter((review) => review.comments_count !== 0).slice(-maxReviews)) {
    const comments = giteaComments.safeParse(await call(`${place}/pulls/${number}/reviews/${id}/comments`)).data ?? [];
    for (const { body, user, resolver, path, position, original_position } of comments)
      if (!resolver)
        onLines.push({ author: user?.login ?? '', path: path ?? null, line: position || original_position || null, text: body });
  }
  const general = giteaComments.safeParse(await call(`${place}/issues/${number}/comments`)).data ?? [];
  const whole = [...reviews.map(({ body, user }) => ({ body: body ?? '', user })), ...general];
  return [...onLines, ...whole.map(({ body, user }) => ({ author: user?.login ?? '', path: null, line: null, text: body }))];
}
