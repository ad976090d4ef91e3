import { createHmac, randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  mayWrite,
  type PlayedCheck,
  type PlayedComment,
  type PlayedLine,
  type PlayedThread,
  type PlayedUser,
  touch,
} from './forge-state.ts';
import {
  created,
  notFound,
  ok,
  type Played,
  type PlayedEvent,
  type Protocol,
  page,
  type RestCall,
  type Route,
  refused,
  seconds,
  wholeSecond,
} from './rest.ts';

/** GitHub Enterprise: https://docs.github.com/en/rest and https://docs.github.com/en/webhooks/webhook-events-and-payloads. */
export const gitHubProtocol: Protocol = {
  root: '/api',
  tokenOf: (headers) => {
    if (!headers['user-agent'])
      return refused(403, 'Request forbidden by administrative rules. Please make sure your request has a User-Agent header.');
    if (headers['x-github-api-version'] !== '2022-11-28') return refused(400, 'The played forge asks for a version of the API.');
    if (headers.accept !== 'application/vnd.github+json') return refused(415, "Must accept 'application/json'");
    return /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
  },
  routes: (played) => [...threadRoutes(played), ...requestRoutes(played), ...checkRoutes(played), graphql(played)],
  delivery,
  proof: (secret, body, id) => ({
    'x-github-delivery': id,
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  }),
};

const words = z.strictObject({ body: z.string().min(1).max(65_536) });

function threadRoutes(played: Played): Route[] {
  const { state, repository } = played;
  const at = `/v3/repos/${repository}`;
  return [
    { method: 'GET', path: '/v3/user', answer: ({ user }) => ok(userOf(user)) },
    { method: 'GET', path: at, answer: () => ok(repositoryOf(played)) },
    {
      ...{ method: 'GET', path: `${at}/issues`, query: ['state', 'labels', 'sort', 'direction', 'since', 'per_page', 'page'] },
      answer: (call) => {
        const { entries, headers } = page(listed(played, call), call, 'per_page');
        return ok(
          entries.map((thread) => issueOf(played, thread)),
          headers,
        );
      },
    },
    {
      ...{ method: 'GET', path: `${at}/issues/:number` },
      answer: ({ path }) => answerThread(played, path, (thread) => issueOf(played, thread)),
    },
    {
      ...{ method: 'GET', path: `${at}/issues/:number/events`, query: ['per_page', 'page'] },
      answer: (call) => answerList(played, call, (thread) => thread.events.map(labelEventOf)),
    },
    {
      ...{ method: 'GET', path: `${at}/issues/:number/comments`, query: ['since', 'per_page', 'page'] },
      answer: (call) => answerList(played, call, (thread) => thread.comments.map((comment) => commentOf(played, thread, comment))),
    },
    {
      ...{ method: 'POST', path: `${at}/issues/:number/comments`, body: words },
      answer: ({ path, body, user }) => {
        const thread = state.find(Number(path.number));
        if (!thread) return notFound;
        const comment = state.addComment(thread, (body as z.output<typeof words>).body, user);
        played.tell({ kind: 'comment', thread, comment });
        return created(commentOf(played, thread, comment));
      },
    },
    {
      ...{ method: 'PATCH', path: `${at}/issues/comments/:id`, body: words },
      answer: ({ path, body, user }) => {
        const found = state.commentOf(Number(path.id));
        if (!found) return notFound;
        if (found.comment.user !== user && !mayWrite(user)) return refused(403, 'Must have push access to repository');
        found.comment.text = (body as z.output<typeof words>).body;
        found.comment.updatedAt = touch(found.thread);
        return ok(commentOf(played, found.thread, found.comment));
      },
    },
    {
      ...{ method: 'GET', path: `${at}/collaborators/:login/permission` },
      answer: ({ path, user }) => {
        if (!mayWrite(user)) return refused(403, 'Must have push access to view collaborator permission.');
        const asked = state.users.find(({ login }) => login === path.login);
        return asked ? ok({ permission: asked.role, role_name: asked.role, user: userOf(asked) }) : notFound;
      },
    },
  ];
}

function listed({ state }: Played, { query }: RestCall): PlayedThread[] {
  const labels = query.get('labels')?.split(',');
  const since = query.get('since');
  const wanted = query.get('state') ?? 'open';
  const by = query.get('sort') === 'updated' ? 'updatedAt' : 'createdAt';
  const found = state.threads.filter(
    (thread) =>
      (wanted === 'all' || thread.isOpen === (wanted === 'open')) &&
      (labels ?? []).every((label) => thread.labels.some((one) => one.toLowerCase() === label.toLowerCase())) &&
      (since === null || wholeSecond(thread.updatedAt) > wholeSecond(since)),
  );
  const sorted = found.toSorted((one, other) => one[by].getTime() - other[by].getTime());
  return query.get('direction') === 'asc' ? sorted : sorted.toReversed();
}

const newRequest = z.strictObject({
  title: z.string().min(1),
  head: z.string().min(1),
  base: z.string().min(1),
  body: z.string().max(65_536),
  draft: z.boolean(),
});

function requestRoutes(played: Played): Route[] {
  const { state, repository } = played;
  const at = `/v3/repos/${repository}/pulls`;
  const owner = repository.split('/')[0];
  const openOf = (head: string) => state.threads.find((thread) => thread.isRequest && thread.isOpen && thread.head === head);
  return [
    {
      ...{ method: 'GET', path: at, query: ['state', 'head', 'per_page', 'page'] },
      answer: async ({ query }) => {
        const open = openOf((query.get('head') ?? '').replace(`${owner}:`, ''));
        return ok(open ? [await requestOf(played, open)] : []);
      },
    },
    {
      ...{ method: 'POST', path: at, body: newRequest },
      answer: async ({ body, user }) => {
        const { title, head, base, body: text, draft } = body as z.output<typeof newRequest>;
        if (!mayWrite(user)) return refused(403, 'Resource not accessible by personal access token');
        if ((await played.headOf(head)) === null) return refused(422, 'Validation Failed: head invalid');
        if ((await played.headOf(base)) === null) return refused(422, 'Validation Failed: base invalid');
        if (openOf(head)) return refused(422, `A pull request already exists for ${owner}:${head}.`);
        const thread = state.addThread({ title, text, by: user.login, isRequest: true, head, base, isDraft: draft });
        return created(await requestOf(played, thread));
      },
    },
    {
      ...{ method: 'GET', path: `${at}/:number/reviews`, query: ['per_page', 'page'] },
      answer: (call) =>
        answerList(played, call, (thread) =>
          thread.reviews
            .filter(({ isPending, user }) => !isPending || user === call.user)
            .map((review) => reviewOf(played, thread, review)),
        ),
    },
    {
      ...{ method: 'GET', path: `${at}/:number/comments`, query: ['sort', 'direction', 'per_page', 'page'] },
      answer: (call) =>
        answerList(played, call, (thread) => {
          const pending = new Set(thread.reviews.filter(({ isPending }) => isPending).map(({ id }) => id));
          const lines = thread.lines.filter(({ reviewId }) => !pending.has(reviewId)).map((line) => lineOf(played, thread, line));
          return call.query.get('direction') === 'desc' ? lines.toReversed() : lines;
        }),
    },
  ];
}

function checkRoutes(played: Played): Route[] {
  const { state, origin, repository } = played;
  const at = `/v3/repos/${repository}`;
  return [
    {
      ...{ method: 'GET', path: `${at}/commits/:sha/check-runs`, query: ['filter', 'per_page', 'page'] },
      answer: (call) => {
        const all = state.checks.filter(({ sha }) => sha === call.path.sha);
        const { entries, headers } = page(all, call, 'per_page');
        return ok({ total_count: all.length, check_runs: entries.map((check) => checkOf(played, check)) }, headers);
      },
    },
    {
      ...{ method: 'GET', path: `${at}/commits/:sha/status`, query: ['per_page', 'page'] },
      answer: ({ path }) => ok({ state: 'pending', statuses: [], sha: path.sha, total_count: 0 }),
    },
    {
      ...{ method: 'GET', path: `${at}/actions/jobs/:id/logs` },
      answer: ({ path }) => ({ status: 302, body: '', headers: { location: `${origin}/api/v3/_logs/${path.id}?sig=signed` } }),
    },
    {
      ...{ method: 'GET', path: '/v3/_logs/:id', query: ['sig'] },
      answer: ({ path }) => {
        const check = state.checks.find(({ id }) => id === Number(path.id));
        return check ? { status: 200, body: check.log } : notFound;
      },
    },
  ];
}

const query = z.strictObject({
  query: z.string().includes('reviewThreads(last: 100)').includes('comments(first: 100)').includes('databaseId'),
  variables: z.strictObject({ owner: z.string(), name: z.string(), number: z.number().int() }),
});

/** The one query of GraphQL: which comments on lines are resolved. */
function graphql(played: Played): Route {
  return {
    ...{ method: 'POST', path: '/graphql', body: query },
    answer: ({ body }) => {
      const { number } = (body as z.output<typeof query>).variables;
      const thread = played.state.find(number, true);
      if (!thread) return ok({ data: { repository: { pullRequest: null } }, errors: [{ message: 'Could not resolve to a PullRequest.' }] });
      const threads = thread.lines.filter(({ replyTo }) => replyTo === null);
      const reviewThreads = threads.map((first) => ({
        isResolved: first.isResolved,
        comments: { nodes: [first, ...thread.lines.filter(({ replyTo }) => replyTo === first.id)].map(({ id }) => ({ databaseId: id })) },
      }));
      return ok({ data: { repository: { pullRequest: { reviewThreads: { nodes: reviewThreads } } } } });
    },
  };
}

function answerThread({ state }: Played, { number }: Record<string, string>, show: (thread: PlayedThread) => object) {
  const thread = state.find(Number(number));
  return thread ? ok(show(thread)) : notFound;
}

function answerList({ state }: Played, call: RestCall, list: (thread: PlayedThread) => object[]) {
  const thread = state.find(Number(call.path.number));
  if (!thread) return notFound;
  const { entries, headers } = page(list(thread), call, 'per_page');
  return ok(entries, headers);
}

function userOf({ login, id, isBot }: PlayedUser) {
  return { login, id, type: isBot ? 'Bot' : 'User', site_admin: false };
}

function repositoryOf({ origin, repository }: Played) {
  const [owner, name] = repository.split('/');
  return { id: 186853002, name, full_name: repository, private: true, owner: { login: owner }, html_url: `${origin}/${repository}` };
}

function pageOf({ origin, repository }: Played, { isRequest, number }: PlayedThread): string {
  return `${origin}/${repository}/${isRequest ? 'pull' : 'issues'}/${number}`;
}

function issueOf(played: Played, thread: PlayedThread) {
  const url = pageOf(played, thread);
  return {
    ...{ id: thread.id, number: thread.number, title: thread.title, user: userOf(thread.user), html_url: url },
    ...{ labels: thread.labels.map((name) => ({ name, color: 'ededed' })), state: thread.isOpen ? 'open' : 'closed', locked: false },
    ...{
      created_at: seconds(thread.createdAt),
      updated_at: seconds(thread.updatedAt),
      author_association: associationOf(played, thread.user),
    },
    ...{ body: thread.text, ...(thread.isRequest && { draft: thread.isDraft, pull_request: { html_url: url } }) },
  };
}

function associationOf({ repository }: Played, { login, role }: PlayedUser): string {
  if (login === repository.split('/')[0]) return 'OWNER';
  // It is no right: a member may be allowed to read only, and one whose membership is private is a contributor.
  if (login === 'rita') return 'MEMBER';
  if (login === 'otto') return 'CONTRIBUTOR';
  return role === 'none' ? 'NONE' : 'COLLABORATOR';
}

function saidOf(played: Played, { id, user, text }: PlayedComment) {
  return { id, user: userOf(user), body: text, author_association: associationOf(played, user) };
}

function commentOf(played: Played, thread: PlayedThread, comment: PlayedComment) {
  const { at, updatedAt, id } = comment;
  const url = `${pageOf(played, thread)}#issuecomment-${id}`;
  return { ...saidOf(played, comment), html_url: url, created_at: seconds(at), updated_at: seconds(updatedAt) };
}

function reviewOf(played: Played, thread: PlayedThread, review: PlayedThread['reviews'][number]) {
  const url = `${pageOf(played, thread)}#pullrequestreview-${review.id}`;
  const submitted = review.isPending ? {} : { submitted_at: seconds(review.at) };
  return {
    ...saidOf(played, review),
    html_url: url,
    state: review.isPending ? 'PENDING' : review.isApproval ? 'APPROVED' : 'COMMENTED',
    ...submitted,
  };
}

function lineOf(played: Played, thread: PlayedThread, line: PlayedLine) {
  return {
    ...saidOf(played, line),
    ...{ pull_request_review_id: line.reviewId, path: line.path, line: line.line, original_line: line.line, side: 'RIGHT' },
    ...{ html_url: `${pageOf(played, thread)}#discussion_r${line.id}`, created_at: seconds(line.at), updated_at: seconds(line.updatedAt) },
    ...(line.replyTo !== null && { in_reply_to_id: line.replyTo }),
  };
}

function labelEventOf({ id, user, label, isSet, at }: PlayedThread['events'][number]) {
  return {
    id,
    actor: userOf(user),
    event: isSet ? 'labeled' : 'unlabeled',
    label: { name: label, color: 'ededed' },
    created_at: seconds(at),
  };
}

async function requestOf(played: Played, thread: PlayedThread) {
  const { title, text, head, base, isDraft } = thread;
  return {
    ...{
      id: thread.id,
      number: thread.number,
      html_url: pageOf(played, thread),
      state: thread.isOpen ? 'open' : 'closed',
      title,
      body: text,
    },
    ...{ draft: isDraft, user: userOf(thread.user), head: { ref: head, sha: await played.headOf(head) }, base: { ref: base } },
  };
}

function checkOf({ origin, repository }: Played, { id, name, sha, outcome }: PlayedCheck) {
  return {
    ...{ id, name, head_sha: sha, status: outcome === null ? 'in_progress' : 'completed', conclusion: outcome },
    ...{ html_url: `${origin}/${repository}/actions/runs/1/job/${id}`, output: { title: null, summary: null, text: null } },
    app: { id: 15368, slug: 'github-actions', name: 'GitHub Actions' },
  };
}

function delivery(played: Played, event: PlayedEvent) {
  const about = { repository: repositoryOf(played) };
  const named = (name: string) => ({
    'x-github-event': name,
    'x-github-hook-id': '1',
    'user-agent': `GitHub-Hookshot/${randomUUID().slice(0, 7)}`,
  });
  if (event.kind === 'check') {
    const { id, sha, outcome } = event.check;
    const suite = {
      id,
      head_branch: event.branch,
      head_sha: sha,
      status: outcome === null ? 'in_progress' : 'completed',
      conclusion: outcome,
    };
    return { headers: named('check_suite'), body: { action: 'completed', check_suite: { ...suite, pull_requests: [] }, ...about } };
  }
  const { thread } = event;
  if (event.kind === 'label') {
    const { user, label, isSet } = event.event;
    const body = {
      action: isSet ? 'labeled' : 'unlabeled',
      issue: issueOf(played, thread),
      label: { name: label },
      ...about,
      sender: userOf(user),
    };
    return { headers: named('issues'), body };
  }
  const sender = userOf(event.comment.user);
  if (event.kind === 'comment')
    return {
      headers: named('issue_comment'),
      body: { action: 'created', issue: issueOf(played, thread), comment: commentOf(played, thread, event.comment), ...about, sender },
    };
  const review = { ...reviewOf(played, thread, { ...event.comment, isPending: false, isApproval: false }), state: 'commented' };
  const request = { number: thread.number, title: thread.title, html_url: pageOf(played, thread), head: { ref: thread.head } };
  return { headers: named('pull_request_review'), body: { action: 'submitted', review, pull_request: request, ...about, sender } };
}
