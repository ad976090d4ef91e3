import { z } from 'zod';
import type { Forge } from '../../../contract/executions/publishing.ts';
import { visibleName } from '../../../rules/text/hidden-characters.ts';
import { type Answer, type Egress, type EgressRequest, HostRefused } from '../egress/egress.ts';
import { proxyTrouble } from '../egress/tunnel.ts';
import { waitOf } from './forge-waits.ts';

/** `limited`: the server has had too many calls. `locked`: the issue or the whole repository is read-only. `moved`: it is on another host now. */
export type RequestFailure = 'needs_token' | 'not_found' | 'refused' | 'limited' | 'locked' | 'moved' | 'unreachable' | 'host';

/** A call about issues or pull requests that has failed. `text` is what the server says; `isForNow`: it takes no more calls for a while, `waitSeconds` if it says so. */
export class RequestFailed extends Error {
  readonly reason: RequestFailure;
  readonly text: string;
  readonly isForNow: boolean;
  readonly waitSeconds: number | null;

  constructor(
    reason: RequestFailure,
    text = '',
    { cause, isForNow = false, waitSeconds = null }: { cause?: unknown; isForNow?: boolean; waitSeconds?: number | null } = {},
  ) {
    super(`The call of a forge failed: ${reason}.`, { cause });
    this.name = 'RequestFailed';
    this.reason = reason;
    this.text = text;
    this.isForNow = isForNow;
    this.waitSeconds = waitSeconds;
  }
}

const callMs = 30_000;
const maxRedirects = 3;
const maxText = 300;

/** A server that knows pull requests. */
export type KnownForge = Exclude<Forge, 'none'>;

/** The headers with which each kind of server takes a token. */
export const forgeHeaders: Record<KnownForge, (token: string) => Record<string, string>> = {
  github: (token) => ({ authorization: `Bearer ${token}`, accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' }),
  gitlab: (token) => ({ 'private-token': token }),
  gitea: (token) => ({ authorization: `token ${token}` }),
};

/** An answer in JSON, with its headers: they say how many pages a list has. */
export type ForgeAnswer = { value: unknown; headers: Record<string, string> };

/** Calls the API of such a server, whose answer is JSON. Throws `RequestFailed`. */
export async function callForge(
  egress: Egress,
  address: string,
  { method, headers, body }: { method: string; headers: Record<string, string>; body?: object | undefined },
): Promise<ForgeAnswer> {
  const answer = await sendToRepository(egress, address, {
    method,
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
    signal: AbortSignal.timeout(callMs),
    ...(body && { body: JSON.stringify(body) }),
  });
  return { value: await readAnswer(answer), headers: answer.headers };
}

/**
 * Sends a request, and again where a repository with another name is now, as long as that is on the same host. A server that takes only reads below the
 * earlier name is asked for the number of the repository first.
 */
async function sendToRepository(egress: Egress, address: string, request: EgressRequest): Promise<Answer> {
  let url = new URL(address);
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const answer = await sendToForge(egress, url.href, request);
    const next = redirectOf(answer, url) ?? (answer.status === 405 ? await numberedPlace(egress, url, request) : null);
    if (next === null) return answer;
    for await (const _ of answer.body) break;
    if (!isSameHost(url, next)) throw new RequestFailed('moved', next.origin);
    url = next;
  }
  throw new RequestFailed('refused', 'Too many redirects.');
}

const redirects: ReadonlySet<number> = new Set([301, 302, 307, 308]);

/** Where an answer leads to; null for an answer of another kind. */
function redirectOf({ status, headers }: Answer, from: URL): URL | null {
  const next = redirects.has(status) ? URL.parse(headers.location ?? '', from.href) : null;
  const isPlain = next !== null && /^https?:$/.test(next.protocol) && next.username === '' && next.password === '';
  return isPlain ? next : null;
}

function isSameHost(from: URL, to: URL): boolean {
  return to.origin === from.origin || (to.protocol === 'https:' && to.host === from.host);
}

/** GitLab refuses writes to a project by an earlier name, and answers reads with a redirect to its number. Returns the address by that; null for others. */
async function numberedPlace(egress: Egress, url: URL, { headers = {}, signal }: EgressRequest): Promise<URL | null> {
  const [root = '', after] = url.pathname.split('/api/v4/projects/');
  const [name = '', ...rest] = after?.split('/') ?? [];
  if (rest.length === 0 || /^\d*$/.test(name)) return null;
  const projects = new URL(`${root}/api/v4/projects/`, url).href;
  const known = await sendToRepository(egress, `${projects}${name}`, { method: 'GET', headers, ...(signal && { signal }) });
  const { data } = z.object({ id: z.number().int() }).safeParse(await readAnswer(known));
  return data ? new URL(`${projects}${data.id}/${rest.join('/')}${url.search}`) : null;
}

/** Sends a request whose answer is not read yet. */
export function sendToForge(egress: Egress, address: string, request: EgressRequest): Promise<Answer> {
  return egress(address, { ...request, headers: { 'user-agent': 'Artel', ...request.headers } }).catch((error: unknown) => {
    throw new RequestFailed(error instanceof HostRefused ? 'host' : 'unreachable', proxyTrouble(error) ?? '', { cause: error });
  });
}

/** Returns the JSON of an answer. Throws `RequestFailed` for every status but success, and for an answer that is no JSON. */
export async function readAnswer({ status, ok, headers, text, scrubber }: Answer): Promise<unknown> {
  const said = await text().catch((error: unknown) => {
    throw new RequestFailed('unreachable', '', { cause: error });
  });
  const value = scrubber.value(parsed(said));
  if (ok && value !== undefined) return value;
  const message = value === undefined ? plainMessageOf(scrubber.text(said)) : messageOf(value);
  const wait = waitOf(status, headers, { said: `${message} ${said.slice(0, maxText)}`, now: Date.now() });
  if (wait !== null) throw new RequestFailed('limited', message, { isForNow: true, waitSeconds: wait.seconds });
  if (status === 423 || (status === 403 && isReadOnly.test(message))) throw new RequestFailed('locked', message);
  if (status === 401 || status === 403) throw new RequestFailed('needs_token', message);
  if (status === 404 || status === 410) throw new RequestFailed('not_found', message);
  throw new RequestFailed(status >= 500 ? 'unreachable' : 'refused', message);
}

/** What a server says of an issue that is locked, and of a repository that is archived. Gitea answers 423 to that. */
const isReadOnly = /\b(?:locked|archived|read-only)\b/i;

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

/** Returns the sentence of an answer that is no JSON, as GitLab's limits send one; empty for a page. */
function plainMessageOf(text: string): string {
  return text.includes('<') ? '' : visibleName(text.slice(0, maxText).replace(/\s+/g, ' ').trim());
}

/** Returns the path of a repository without `.git`, by its parts. They stay encoded. */
function partsOf(url: string): { origin: string; host: string; parts: string[] } {
  const { origin, host, pathname } = new URL(url);
  const parts = pathname.split('/').filter((part) => part !== '');
  const last = parts.at(-1) ?? '';
  if (last.endsWith('.git')) parts[parts.length - 1] = last.slice(0, -'.git'.length);
  return { origin, host, parts };
}

export function gitHubPlace(url: string): { api: string; owner: string; name: string } {
  const { origin, host, parts } = partsOf(url);
  const [owner = '', name = ''] = parts;
  return { api: host === 'github.com' ? 'https://api.github.com' : `${origin}/api/v3`, owner, name };
}

export function gitLabPlace(url: string): string {
  const { origin, parts } = partsOf(url);
  return `${origin}/api/v4/projects/${parts.join('%2F')}`;
}

/** Gitea may be served below a folder: the repository's own path has two parts. */
export function giteaPlace(url: string): string {
  const { origin, parts } = partsOf(url);
  const folder = parts.slice(0, -2).map((part) => `/${part}`);
  return `${origin}${folder.join('')}/api/v1/repos/${parts.slice(-2).join('/')}`;
}
