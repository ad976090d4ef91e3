import { z } from 'zod';
import type { Forge } from '../../../contract/executions/publishing.ts';
import type { Egress } from '../egress/egress.ts';
import { createForgeCall, forgeHeaders, giteaPlace, gitHubPlace, gitLabPlace, RequestFailed } from './forge-calls.ts';

export type DraftRequest = {
  forge: Forge;
  /** The address of the repository. */
  url: string;
  token: string;
  /** The branch with the changes, and the one that they are for. */
  head: string;
  base: string;
  title: string;
  body: string;
};

/** `hasNoDrafts`: the repository has no drafts, so an ordinary request was opened. */
export type OpenedRequest = { url: string; number: number; hasNoDrafts?: true };

type Protocol = {
  /** The call that lists open requests of the branch. */
  find: (request: DraftRequest, owner?: string) => string;
  /** The call that says who owns the repository now, where `find` names the owner: a repository that was moved is found by its earlier name too. */
  owner?: (request: DraftRequest) => string;
  create: (request: DraftRequest) => { address: string; body: object };
  read: (value: unknown) => (OpenedRequest & { head: string }) | null;
};

const gitHubRequest = z.object({ html_url: z.string(), number: z.number().int(), head: z.object({ ref: z.string() }) });
const gitHubOwner = z.object({ owner: z.object({ login: z.string() }) });
const gitLabRequest = z.object({ web_url: z.string(), iid: z.number().int(), source_branch: z.string() });

/** Reads a request of GitHub; Gitea answers in the same form. */
function readGitHub(value: unknown) {
  const { success, data } = gitHubRequest.safeParse(value);
  return success ? { url: data.html_url, number: data.number, head: data.head.ref } : null;
}

/**
 * The calls of each kind of server: https://docs.github.com/en/rest/pulls/pulls, https://docs.gitlab.com/api/merge_requests/ and
 * https://docs.gitea.com/api/. GitHub has a field for drafts; the others know them by their title.
 */
const protocols: Record<Exclude<Forge, 'none'>, Protocol> = {
  github: {
    find: ({ url, head }, of) => {
      const { api, owner, name } = gitHubPlace(url);
      return `${api}/repos/${owner}/${name}/pulls?state=open&head=${encodeURIComponent(`${of ?? decodeURIComponent(owner)}:${head}`)}`;
    },
    owner: ({ url }) => {
      const { api, owner, name } = gitHubPlace(url);
      return `${api}/repos/${owner}/${name}`;
    },
    create: ({ url, head, base, title, body }) => {
      const { api, owner, name } = gitHubPlace(url);
      return { address: `${api}/repos/${owner}/${name}/pulls`, body: { title, head, base, body, draft: true } };
    },
    read: readGitHub,
  },
  gitlab: {
    find: ({ url, head }) => `${gitLabPlace(url)}/merge_requests?state=opened&source_branch=${encodeURIComponent(head)}`,
    create: ({ url, head, base, title, body }) => ({
      address: `${gitLabPlace(url)}/merge_requests`,
      body: { source_branch: head, target_branch: base, title: `Draft: ${title}`, description: body },
    }),
    read: (value) => {
      const { success, data } = gitLabRequest.safeParse(value);
      return success ? { url: data.web_url, number: data.iid, head: data.source_branch } : null;
    },
  },
  gitea: {
    find: ({ url }) => `${giteaPlace(url)}/pulls?state=open&sort=recentupdate&limit=50`,
    create: ({ url, head, base, title, body }) => ({
      address: `${giteaPlace(url)}/pulls`,
      body: { head, base, title: `WIP: ${title}`, body },
    }),
    read: readGitHub,
  },
};

/** Opens draft pull requests. One that is open for the branch is returned. Throws `RequestFailed`. */
export function createDraftPullRequests(egress: Egress) {
  const call = createForgeCall(egress);
  return async (request: DraftRequest & { forge: Exclude<Forge, 'none'> }): Promise<OpenedRequest> => {
    const protocol = protocols[request.forge];
    const headers = forgeHeaders[request.forge](request.token);
    const find = async (owner?: string) => {
      const listed = await call(protocol.find(request, owner), 'GET', headers);
      const requests = Array.isArray(listed) ? listed.map(protocol.read) : [];
      return requests.find((one) => one?.head === request.head) ?? null;
    };
    const findAtOwner = async ({ text }: RequestFailed) => {
      if (!/already exists/i.test(text)) return null;
      const { success, data } = gitHubOwner.safeParse(protocol.owner && (await call(protocol.owner(request), 'GET', headers)));
      return success ? find(data.owner.login) : null;
    };
    const { address, body } = protocol.create(request);
    let hasNoDrafts = false as boolean;
    const create = async () => {
      try {
        return await call(address, 'POST', headers, body);
      } catch (error) {
        if (!(error instanceof RequestFailed && refusesDrafts(error, body))) throw error;
        const opened = await call(address, 'POST', headers, { ...body, draft: false });
        hasNoDrafts = true;
        return opened;
      }
    };
    const opened =
      (await find()) ??
      (await create().then(protocol.read, async (error: unknown) => {
        // Another call may have opened it meanwhile.
        const there = error instanceof RequestFailed && error.reason === 'refused' ? ((await find()) ?? (await findAtOwner(error))) : null;
        if (there) return there;
        throw error;
      }));
    if (!opened || !isWebAddress(opened.url)) throw new RequestFailed('refused');
    return { url: opened.url, number: opened.number, ...(hasNoDrafts && { hasNoDrafts: true as const }) };
  };
}

export type DraftPullRequests = ReturnType<typeof createDraftPullRequests>;

/** GitHub has drafts in some plans only: "Draft pull requests are not supported in this repository." */
function refusesDrafts({ reason, text }: RequestFailed, body: object): boolean {
  return 'draft' in body && reason === 'refused' && /draft/i.test(text) && /not supported/i.test(text);
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'https:' || url?.protocol === 'http:';
}
