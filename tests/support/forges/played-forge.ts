import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { KnownForge } from '../../../server/platform/git/forge-calls.ts';
import type { ForgeNumber } from '../../../server/platform/git/forges/forge.ts';
import { type ApiAnswer, type ApiCall, type GitServer, startGitServer } from '../services/git-server.ts';
import { ForgeState, type PlayedCheck, type PlayedThread } from './forge-state.ts';
import { giteaProtocol } from './gitea-protocol.ts';
import { gitHubProtocol } from './github-protocol.ts';
import { gitLabProtocol } from './gitlab-protocol.ts';
import { answerRest, type Played, type PlayedEvent, type Protocol, type Route, refused } from './rest.ts';

const kinds: Record<KnownForge, { protocol: Protocol; repository: string }> = {
  github: { protocol: gitHubProtocol, repository: 'ann/shop' },
  gitlab: { protocol: gitLabProtocol, repository: 'ann/apps/shop' },
  gitea: { protocol: giteaProtocol, repository: 'ann/shop' },
};

/**
 * `ann` owns the repository, `bob` writes to it, `eve` is a stranger, `ci` is a program, and `artel-bot` has the token of Artel. `rita` is a member of the
 * organization who may only read; `otto` may write, and his membership is private.
 */
const people = { ann: 'admin', bob: 'write', eve: 'none', ci: 'write', rita: 'read', otto: 'write', 'artel-bot': 'admin' } as const;
export type Person = keyof typeof people;
export const botLogin = 'artel-bot';

export type SentDelivery = { id: string; event: PlayedEvent['kind']; headers: Record<string, string>; body: string; status: number | null };

/**
 * Is told of each write, a call or a push, before it is carried out and before its answer is sent. Returns false to break the connection off: before, the
 * write has not been; after, its answer is lost.
 */
export type WriteWatch = (write: string, when: 'before' | 'after') => boolean | Promise<boolean>;

/**
 * A forge with one repository: real Git over HTTP, and the calls of REST that a real one of this kind would answer. What it would refuse is refused. It
 * keeps all that is written to it, plays people, and sends signed deliveries to hooks.
 * @example
 * const forge = await PlayedForge.start('gitlab');
 * const issue = forge.open({ title: 'Dates are wrong', by: 'eve' });
 * forge.label(issue, 'artel', 'ann');
 */
export class PlayedForge {
  readonly kind: KnownForge;
  readonly state: ForgeState;
  /** All writes that came in by calls and pushes, in their order. */
  readonly writes: string[] = [];
  /** The calls that were refused, with the answers. */
  readonly refusals: string[] = [];
  readonly deliveries: SentDelivery[] = [];
  readonly #git: GitServer;
  readonly #protocol: Protocol;
  readonly #repository: string;
  readonly #routes: Route[];
  readonly #played: Played;
  #hooks: { url: string; secret: string }[] = [];
  #sending = new Set<Promise<void>>();
  #watch: WriteWatch = () => true;
  #refusing: { address: RegExp; answer: NonNullable<ApiAnswer> } | null = null;

  static async start(kind: KnownForge, { port = 0 } = {}): Promise<PlayedForge> {
    const git = await startGitServer({}, port);
    return new PlayedForge(kind, git);
  }

  private constructor(kind: KnownForge, git: GitServer) {
    const { protocol, repository } = kinds[kind];
    this.kind = kind;
    this.#git = git;
    this.#protocol = protocol;
    this.#repository = repository;
    this.state = new ForgeState({ numbersApart: kind === 'gitlab' });
    for (const [login, role] of Object.entries(people)) this.state.addUser(login, role, { isBot: login === 'ci' });
    this.#played = {
      ...{ state: this.state, origin: new URL(git.urlOf('')).origin, repository },
      headOf: (branch) => this.headOf(branch),
      tell: (event) => this.#tell(event),
    };
    this.#routes = protocol.routes(this.#played);
    git.protect(this.token);
    git.answerApi((call) => this.#answer(call));
    git.watchPushes((when) => this.#watched('push', when));
  }

  /** The address of the repository. */
  get url(): string {
    return this.#git.urlOf(this.#repository);
  }

  get token(): string {
    return this.state.user(botLogin).token;
  }

  /** Commits these files to a branch of the served repository, as Ann. Null removes a file. */
  async commit(files: Record<string, string | null>, message: string, { branch = 'main', force = false } = {}): Promise<string> {
    const git = (...args: string[]) => this.#git.git(this.#repository, ...args);
    await git('status');
    const served = await this.headOf(branch);
    if (served !== null) {
      await git('fetch', '-q', this.#git.servedAt(this.#repository), branch);
      await git('checkout', '-q', '-B', branch, 'FETCH_HEAD');
    }
    if (force) await git('reset', '-q', '--hard', 'HEAD^');
    for (const [path, content] of Object.entries(files)) {
      const at = join(this.#git.folderOf(this.#repository), path);
      if (content === null) await git('rm', '-q', path);
      else await mkdir(dirname(at), { recursive: true }).then(() => writeFile(at, content));
    }
    await git('add', '-A');
    await git('commit', '-q', '--allow-empty', '-m', message);
    await git('push', '-q', ...(force ? ['--force'] : []), this.#git.servedAt(this.#repository), `HEAD:refs/heads/${branch}`);
    return git('rev-parse', 'HEAD');
  }

  /** Returns the commit of a branch; null for none. It is read for many calls, and a process of Git costs more than a call. */
  async headOf(branch: string): Promise<string | null> {
    const ref = await readFile(join(this.#git.servedAt(this.#repository), 'refs', 'heads', branch), 'utf8').catch(() => null);
    return ref?.trim() ?? null;
  }

  /** The commits of a branch that `main` does not have, the oldest first. */
  async commits(branch: string): Promise<{ sha: string; subject: string }[]> {
    const lines = await this.#git.inServed(this.#repository, 'log', '--reverse', '--format=%H %s', `main..${branch}`);
    return lines
      .split('\n')
      .filter(Boolean)
      .map((line) => ({ sha: line.slice(0, 40), subject: line.slice(41) }));
  }

  async fileAt(branch: string, path: string): Promise<string> {
    return this.#git.inServed(this.#repository, 'show', `${branch}:${path}`);
  }

  /** The branches beside `main`. */
  async branches(): Promise<string[]> {
    const names = await this.#git.inServed(this.#repository, 'for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads');
    return names.split('\n').filter((name) => name !== '' && name !== 'main');
  }

  open({ title, text = '', by }: { title: string; text?: string; by: Person }): ForgeNumber {
    const { number } = this.state.addThread({ title, text, by });
    return { number, isRequest: false };
  }

  label(at: ForgeNumber, label: string, by: Person): void {
    const thread = this.#thread(at);
    this.#tell({ kind: 'label', thread, event: this.state.setLabel(thread, label, by, true) });
  }

  unlabel(at: ForgeNumber, label: string, by: Person): void {
    const thread = this.#thread(at);
    this.#tell({ kind: 'label', thread, event: this.state.setLabel(thread, label, by, false) });
  }

  /** Returns the number of the comment. */
  say(at: ForgeNumber, text: string, by: Person): number {
    const thread = this.#thread(at);
    const comment = this.state.addComment(thread, text, this.state.user(by));
    this.#tell({ kind: 'comment', thread, comment });
    return comment.id;
  }

  /** Returns the numbers of its lines. */
  review(
    at: ForgeNumber,
    {
      text = '',
      lines = [],
      by,
      isPending = false,
      isApproval = false,
    }: { text?: string; lines?: { path: string; line: number; text: string }[]; by: Person; isPending?: boolean; isApproval?: boolean },
  ): number[] {
    const thread = this.#thread(at);
    const user = this.state.user(by);
    const review = this.state.addReview(thread, text, user, { isPending, isApproval });
    const said = lines.map(({ path, line, text: words }) =>
      this.state.addLine(thread, words, user, { reviewId: review.id, replyTo: null, path, line }),
    );
    if (!isPending) this.#tell({ kind: 'review', thread, comment: review });
    return said.map(({ id }) => id);
  }

  /** Answers a comment on a line: a review of its own, without words, has it. */
  reply(at: ForgeNumber, to: number, text: string, by: Person): void {
    const thread = this.#thread(at);
    const user = this.state.user(by);
    const first = thread.lines.find(({ id }) => id === to);
    if (!first) throw new Error('There is no such comment.');
    const { id: reviewId } = this.kind === 'github' ? this.state.addReview(thread, '', user) : { id: first.reviewId };
    const line = this.state.addLine(thread, text, user, { reviewId, replyTo: to, path: first.path, line: first.line });
    this.#tell({ kind: 'review', thread, comment: line });
  }

  /** Resolves what was said on a line, with its answers. */
  resolve(at: ForgeNumber, id: number): void {
    for (const line of this.#thread(at).lines) if (line.id === id || line.replyTo === id) line.isResolved = true;
  }

  closeThread(at: ForgeNumber): void {
    this.#thread(at).isOpen = false;
  }

  /** A check of the newest commit of a branch: null for one that still runs. */
  async check(
    branch: string,
    { name = 'tests', outcome = 'failure', log = '' }: Partial<Omit<PlayedCheck, 'id' | 'sha'>> = {},
  ): Promise<void> {
    const sha = await this.headOf(branch);
    if (sha === null) throw new Error(`There is no branch ${branch}.`);
    this.#tell({ kind: 'check', check: this.state.setCheck({ sha, name, outcome, log }), branch });
  }

  /** How often something was pushed over HTTP. */
  pushes(): number {
    return this.writes.filter((write) => write === 'push').length;
  }

  requests(): PlayedThread[] {
    return this.state.threads.filter(({ isRequest }) => isRequest);
  }

  comments(at: ForgeNumber): { by: string; text: string }[] {
    return this.#thread(at).comments.map(({ user, text }) => ({ by: user.login, text }));
  }

  /** Tells an address of all that happens from now on. */
  addHook(url: string, secret: string): void {
    this.#hooks.push({ url, secret });
  }

  /** Sends a delivery again, as it was. */
  async redeliver({ id, headers, body }: SentDelivery): Promise<(number | null)[]> {
    return Promise.all(
      this.#hooks.map(({ url, secret }) => this.#post(url, { ...headers, ...this.#protocol.proof(secret, body, id) }, body)),
    );
  }

  /** Waits until all deliveries were answered. */
  async delivered(): Promise<void> {
    while (this.#sending.size > 0) await Promise.all(this.#sending);
  }

  /** Refuses the next call to an address, once. */
  refuseOnce(address: RegExp, answer: NonNullable<ApiAnswer>): void {
    this.#refusing = { address, answer };
  }

  watchWrites(watch: WriteWatch): void {
    this.#watch = watch;
  }

  async close(): Promise<void> {
    await this.delivered();
    await this.#git.close();
  }

  #thread({ number, isRequest }: ForgeNumber): PlayedThread {
    return this.state.thread(number, isRequest);
  }

  async #answer(call: ApiCall): Promise<ApiAnswer> {
    const isSignedLog = call.url.startsWith('/api/v3/_logs/');
    const token = isSignedLog ? this.token : this.#protocol.tokenOf(call.headers);
    if (typeof token !== 'string') return this.#refuse(call, token);
    const user = this.state.users.find((one) => one.token === token);
    if (!user) return this.#refuse(call, refused(401, 'Bad credentials'));
    const refusing = this.#refusing;
    if (refusing?.address.test(call.url)) {
      this.#refusing = null;
      return this.#refuse(call, refusing.answer);
    }
    const isRead = call.method === 'GET' || call.url.endsWith('/graphql');
    const write = `${call.method} ${call.url.slice(this.#protocol.root.length)}`;
    if (!isRead && !(await this.#watched(write, 'before'))) return null;
    const answer = await answerRest(this.#routes, this.#protocol.root, call, user);
    if (answer.status >= 400) return this.#refuse(call, answer);
    return isRead || (await this.#watched(write, 'after')) ? answer : null;
  }

  async #watched(write: string, when: 'before' | 'after'): Promise<boolean> {
    if (when === 'after') this.writes.push(write);
    return this.#watch(write, when);
  }

  #refuse({ method, url }: ApiCall, answer: NonNullable<ApiAnswer>): ApiAnswer {
    this.refusals.push(`${method} ${url}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  }

  #tell(event: PlayedEvent): void {
    if (this.#hooks.length === 0) return;
    const { headers, body } = this.#protocol.delivery(this.#played, event);
    const sent: SentDelivery = { id: randomUUID(), event: event.kind, headers, body: JSON.stringify(body), status: null };
    this.deliveries.push(sent);
    const sending: Promise<void> = this.redeliver(sent).then(([status]) => {
      sent.status = status ?? null;
      this.#sending.delete(sending);
    });
    this.#sending.add(sending);
  }

  /** Returns null where nothing answers. */
  async #post(url: string, headers: Record<string, string>, body: string): Promise<number | null> {
    const answer = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } }).catch(
      () => null,
    );
    await answer?.arrayBuffer();
    return answer?.status ?? null;
  }
}
