import { z } from 'zod';
import type { Egress } from '../../egress/egress.ts';
import { gitHubPlace, RequestFailed } from '../forge-calls.ts';
import type { ForgePlace } from './forge.ts';
import { ForgeApi } from './forge-api.ts';

const answer = z.object({
  data: z.object({
    repository: z.object({
      pullRequest: z.object({
        reviewThreads: z.object({
          nodes: z.array(
            z.object({
              isResolved: z.boolean(),
              comments: z.object({ nodes: z.array(z.object({ databaseId: z.number().int().nullable() })) }),
            }),
          ),
        }),
      }),
    }),
  }),
});

/** Only GraphQL tells which threads are resolved: https://docs.github.com/graphql/reference/objects#pullrequestreviewthread. */
const query = `query ($owner: String!, $name: String!, $number: Int!) { repository(owner: $owner, name: $name) { pullRequest(number: $number) {
  reviewThreads(last: 100) { nodes { isResolved comments(first: 100) { nodes { databaseId } } } } } } }`;

/**
 * Returns the ids of comments on lines of a GitHub pull request whose threads are resolved. None where the server has no GraphQL, or does not show it to this
 * token: the comments then count as open. Throws `RequestFailed` for a failure that may pass.
 */
export async function resolvedLines(egress: Egress, place: ForgePlace, number: number): Promise<ReadonlySet<number>> {
  const { api, owner, name } = gitHubPlace(place.url);
  const address = api.endsWith('/v3') ? `${api.slice(0, -'/v3'.length)}/graphql` : `${api}/graphql`;
  const variables = { owner: decodeURIComponent(owner), name: decodeURIComponent(name), number };
  const told = await new ForgeApi(egress, place, address).post('', { query, variables }).catch(nullForGood);
  const said = answer.safeParse(told).data;
  const threads = said?.data.repository.pullRequest.reviewThreads.nodes ?? [];
  const ids = threads.filter(({ isResolved }) => isResolved).flatMap(({ comments }) => comments.nodes.map(({ databaseId }) => databaseId));
  return new Set(ids.filter((id) => id !== null));
}

function nullForGood(error: unknown): null {
  const isForGood = error instanceof RequestFailed && !error.isForNow && ['not_found', 'needs_token', 'refused'].includes(error.reason);
  if (isForGood) return null;
  throw error;
}
