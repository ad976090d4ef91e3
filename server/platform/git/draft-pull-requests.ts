import { z } from 'zod';
import type { Forge } from '../../../contract/executions/publishing.ts';
import { visibleName } from '../../../rules/text/hidden-characters.ts';
import { type Answer, type Egress, HostRefused } from '../egress/egress.ts';

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

export type RequestFailure = 'needs_token' | 'not_found' | 'refused' | 'unreachable' | 'host';

/** A pull request that could not be opened. `text` is what the server says. */
export class RequestFailed extends Error {
  readonly reason: RequestFailure;
  readonly text: string;

  constructor(reason: RequestFailure, text = '', cause?: unknown) {
    super(`The pull request could not be opened: ${reason}.`, { cause });
    this.name = 'RequestFailed';
    this.reason = reason;
    this.text = text;
  }
}

const callMs = 30_000;
const maxText = 300;

type Protocol = {
  headers: (token: string) => Record<string, string>;
  /** The call that lists open requests of the branch. */
  find: (request: DraftRequest) => string;
  create: (request: DraftRequest) => { address: string; body: object };
  read: (value: unknown) => (OpenedRequest & { head: string }) | null;
};

const gitHubRequest = z.object({ html_url: z.string(), number: z.number().int(), head: z.object({ ref: z.string() }) });
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
    headers: (token) => ({ authorization: `Bearer ${token}`, accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' }),
    find: ({ url, head }) => {
      const { api, owner, name } = gitHubPlace(url);
      return `${api}/repos/${owner}/${name}/pulls?state=open&head=${encodeURIComponent(`${decodeURIComponent(owner)}:${head}`)}`;
    },
    create: ({ url, head, base, title, body }) => {
      const { api, owner, name } = gitHubPlace(url);
      return { address: `${api}/repos/${owner}/${name}/pulls`, body: { title, head, base, body, draft: true } };
    },
    read: readGitHub,
  },
  gitlab: {
    headers: (token) => ({ 'private-token': token }),
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
    headers: (token) => ({ authorization: `token ${token}` }),
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
  const call = async (address: string, method: string, headers: Record<string, string>, body?: object): Promise<unknown> => {
    const answer = await egress(address, {
      method,
      headers: { accept: 'application/json', 'user-agent': 'Artel', 'content-type': 'application/json', ...headers },
      signal: AbortSignal.timeout(callMs),
      ...(body && { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw new RequestFailed(error instanceof HostRefused ? 'host' : 'unreachable', '', error);
    });
    return readAnswer(answer);
  };

  return async (request: DraftRequest & { forge: Exclude<Forge, 'none'> }): Promise<OpenedRequest> => {
    const protocol = protocols[request.forge];
    const headers = protocol.headers(request.token);
    const find = async () => {
      const listed = await call(protocol.find(request), 'GET', headers);
      const requests = Array.isArray(listed) ? listed.map(protocol.read) : [];
      return requests.find((one) => one?.head === request.head) ?? null;
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
        const there = error instanceof RequestFailed && error.reason === 'refused' ? await find() : null;
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

async function readAnswer({ status, ok, text, scrubber }: Answer): Promise<unknown> {
  const said = await text().catch((error: unknown) => {
    throw new RequestFailed('unreachable', '', error);
  });
  const value = scrubber.value(parsed(said));
  if (ok && value !== undefined) return value;
  if (status === 401 || status === 403) throw new RequestFailed('needs_token', messageOf(value));
  if (status === 404) throw new RequestFailed('not_found', messageOf(value));
  throw new RequestFailed(status >= 500 ? 'unreachable' : 'refused', messageOf(value));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const complaint = z.object({
  message: z.union([z.string(), z.array(z.string()).transform((all) => all.join(' '))]).catch(''),
  errors: z.array(z.object({ message: z.string() })).catch([]),
});

/** Returns what the server complains of: GitHub and Gitea send a sentence and a list, GitLab a sentence or a list. */
function messageOf(value: unknown): string {
  const { success, data } = complaint.safeParse(value);
  if (!success) return '';
  const text = [data.message, ...data.errors.map(({ message }) => message)].filter((one) => one !== '').join(' ');
  return visibleName(text.replace(/\s+/g, ' ').slice(0, maxText));
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'https:' || url?.protocol === 'http:';
}

/** Returns the path of a repository without `.git`, by its parts. They stay encoded. */
function partsOf(url: string): { origin: string; host: string; parts: string[] } {
  const { origin, host, pathname } = new URL(url);
  const parts = pathname.split('/').filter((part) => part !== '');
  const last = parts.at(-1) ?? '';
  if (last.endsWith('.git')) parts[parts.length - 1] = last.slice(0, -'.git'.length);
  return { origin, host, parts };
}

function gitHubPlace(url: string): { api: string; owner: string; name: string } {
  const { origin, host, parts } = partsOf(url);
  const [owner = '', name = ''] = parts;
  return { api: host === 'github.com' ? 'https://api.github.com' : `${origin}/api/v3`, owner, name };
}

function gitLabPlace(url: string): string {
  const { origin, parts } = partsOf(url);
  return `${origin}/api/v4/projects/${parts.join('%2F')}`;
}

/** Gitea may be served below a folder: the repository's own path has two parts. */
function giteaPlace(url: string): string {
  const { origin, parts } = partsOf(url);
  const folder = parts.slice(0, -2).map((part) => `/${part}`);
  return `${origin}${folder.join('')}/api/v1/repos/${parts.slice(-2).join('/')}`;
}
