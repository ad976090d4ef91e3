import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { mayWrite, type PlayedComment, type PlayedLine, type PlayedThread, type PlayedUser, touch } from './forge-state.ts';
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

/** https://docs.gitea.com/api/ and https://docs.gitea.com/usage/webhooks. */
export const giteaProtocol: Protocol = {
  root: '/api/v1',
  tokenOf: (headers) => /^token (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? '',
  routes: (played) => [...threadRoutes(played), ...commentRoutes(played), ...requestRoutes(played), ...actionRoutes(played)],
  delivery,
  proof: (secret, body, id) => {
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    return {
      ...{ 'x-gitea-delivery': id, 'x-gogs-delivery': id, 'x-github-delivery': id },
      ...{ 'x-gitea-signature': signature, 'x-gogs-signature': signature, 'x-hub-signature-256': `sha256=${signature}` },
    };
  },
};

const words = z.strictObject({ body: z.string() });

function threadRoutes(played: Played): Route[] {
  const { state, repository } = played;
  const at = `/repos/${repository}`;
  return [
    { method: 'GET', path: '/user', answer: ({ user }) => ok(userOf(user)) },
    { method: 'GET', path: at, answer: () => ok(repositoryOf(played)) },
    {
      ...{ method: 'GET', path: `${at}/issues`, query: ['state', 'type', 'labels', 'since', 'before', 'limit', 'page'] },
      answer: (call) => {
        const { entries, headers } = page(listed(played, call), call, 'limit');
        return ok(
          entries.map((thread) => issueOf(played, thread)),
          headers,
        );
      },
    },
    {
      ...{ method: 'GET', path: `${at}/issues/:number` },
      answer: ({ path }) => {
        const thread = state.find(Number(path.number));
        return thread ? ok(issueOf(played, thread)) : notFound;
      },
    },
    {
      ...{ method: 'GET', path: `${at}/issues/:number/timeline`, query: ['since', 'before', 'limit', 'page'] },
      answer: (call) => {
        const thread = state.find(Number(call.path.number));
        if (!thread) return refused(500, 'issue does not exist');
        const { entries } = page(timelineOf(played, thread), call, 'limit');
        // Gitea counts the entries of the page, and links to no other.
        return ok(entries.length === 0 ? null : entries, { 'x-total-count': String(entries.length) });
      },
    },
    {
      ...{ method: 'GET', path: `${at}/collaborators/:login/permission` },
      answer: ({ path, user }) => {
        if (user.role !== 'admin' && user.login !== path.login)
          return refused(
            403,
            'Only admins can query all permissions, repo admins can query all repo permissions, collaborators can query only their own',
          );
        const asked = state.users.find(({ login }) => login === path.login);
        return asked ? ok({ permission: asked.role, role_name: asked.role, user: userOf(asked) }) : notFound;
      },
    },
  ];
}

/** The newest first. A label that the repository does not have is ignored. */
function listed({ state }: Played, { query }: RestCall): PlayedThread[] {
  const known = new Set(state.threads.flatMap(({ events }) => events.map(({ label }) => label)));
  const labels = (query.get('labels')?.split(',') ?? []).filter((label) => known.has(label));
  const [wanted, type, since, before] = ['state', 'type', 'since', 'before'].map((name) => query.get(name));
  const found = state.threads.filter(
    (thread) =>
      (wanted === 'all' || thread.isOpen === ((wanted ?? 'open') === 'open')) &&
      (!type || thread.isRequest === (type === 'pulls')) &&
      (labels.length === 0 || labels.some((label) => thread.labels.includes(label))) &&
      (!since || wholeSecond(thread.updatedAt) >= wholeSecond(since)) &&
      (!before || wholeSecond(thread.updatedAt) <= wholeSecond(before)),
  );
  return found.toReversed();
}

function commentRoutes(played: Played): Route[] {
  const { state, repository } = played;
  const at = `/repos/${repository}/issues`;
  return [
    {
      ...{ method: 'GET', path: `${at}/:number/comments`, query: ['since', 'before'] },
      answer: ({ path }) => {
        const thread = state.find(Number(path.number));
        if (!thread) return refused(500, 'issue does not exist');
        return ok(
          thread.comments.map((comment) => commentOf(played, thread, comment)),
          { 'x-total-count': String(thread.comments.length) },
        );
      },
    },
    {
      ...{ method: 'POST', path: `${at}/:number/comments`, body: words },
      answer: ({ path, body, user }) => {
        const thread = state.find(Number(path.number));
        if (!thread) return refused(500, 'issue does not exist');
        const comment = state.addComment(thread, (body as z.output<typeof words>).body, user);
        played.tell({ kind: 'comment', thread, comment });
        return created(commentOf(played, thread, comment));
      },
    },
    {
      ...{ method: 'PATCH', path: `${at}/comments/:id`, body: words },
      answer: ({ path, body, user }) => {
        const found = state.commentOf(Number(path.id));
        if (!found) return notFound;
        if (found.comment.user !== user && !mayWrite(user)) return { status: 403, body: '' };
        found.comment.text = (body as z.output<typeof words>).body;
        found.comment.updatedAt = touch(found.thread);
        return ok(commentOf(played, found.thread, found.comment));
      },
    },
  ];
}

const newRequest = z.strictObject({ head: z.string(), base: z.string(), title: z.string().min(1), body: z.string() });

function requestRoutes(played: Played): Route[] {
  const { state, repository } = played;
  const at = `/repos/${repository}/pulls`;
  return [
    {
      ...{ method: 'GET', path: at, query: ['state', 'sort', 'limit', 'page'] },
      answer: async (call) => {
        const open = state.threads.filter((thread) => thread.isRequest && thread.isOpen).toReversed();
        const { entries, headers } = page(open, call, 'limit');
        return ok(await Promise.all(entries.map((thread) => requestOf(played, thread))), headers);
      },
    },
    {
      ...{ method: 'POST', path: at, body: newRequest },
      answer: async ({ body, user }) => {
        const { head, base, title, body: text } = body as z.output<typeof newRequest>;
        if (!mayWrite(user)) return refused(403, 'user should have a permission to write to the target branch');
        if ((await played.headOf(head)) === null || (await played.headOf(base)) === null) return notFound;
        if (state.threads.some((thread) => thread.isRequest && thread.isOpen && thread.head === head))
          return refused(409, `pull request already exists for these targets [id: 1, head_branch: ${head}]`);
        const thread = state.addThread({ title, text, by: user.login, isRequest: true, head, base, isDraft: title.startsWith('WIP: ') });
        return created(await requestOf(played, thread));
      },
    },
    {
      ...{ method: 'GET', path: `${at}/:number/reviews`, query: ['limit', 'page'] },
      answer: (call) => {
        const thread = state.find(Number(call.path.number), true);
        if (!thread) return notFound;
        const seen = thread.reviews.filter(({ isPending, user }) => !isPending || user === call.user);
        const { entries, headers } = page(seen, call, 'limit');
        return ok(
          entries.map((review) => reviewOf(thread, review)),
          { 'x-total-count': String(headers['x-total-count']) },
        );
      },
    },
    {
      ...{ method: 'GET', path: `${at}/:number/reviews/:id/comments` },
      answer: ({ path }) => {
        const thread = state.find(Number(path.number), true);
        return thread ? ok(thread.lines.filter((line) => threadReview(thread, line) === Number(path.id)).map(lineOf)) : notFound;
      },
    },
  ];
}

/** Replies belong to the review of the comment that they answer. */
function threadReview({ lines }: PlayedThread, { reviewId, replyTo }: PlayedLine): number {
  return lines.find(({ id }) => id === replyTo)?.reviewId ?? reviewId;
}

function actionRoutes(played: Played): Route[] {
  const { state, repository } = played;
  const at = `/repos/${repository}`;
  const runs = (sha: string | null) => state.checks.filter((check) => check.sha === sha && check.outcome === 'failure');
  return [
    {
      ...{ method: 'GET', path: `${at}/commits/:sha/status`, query: ['limit', 'page'] },
      answer: ({ path }) => {
        const checks = state.checks.filter(({ sha }) => sha === path.sha);
        const statuses = checks.map(({ id, name, outcome }, index) => ({
          ...{
            id,
            context: `ci / ${name} (push)`,
            status: outcome ?? 'pending',
            description: outcome === 'failure' ? 'Failing after 3s' : '',
          },
          target_url: `/${repository}/actions/runs/1/jobs/${index}`,
        }));
        return ok({ sha: path.sha, state: '', statuses: statuses.length === 0 ? null : statuses, total_count: statuses.length });
      },
    },
    {
      ...{ method: 'GET', path: `${at}/actions/runs`, query: ['head_sha', 'status', 'limit', 'page'] },
      answer: ({ query }) => {
        const found = runs(query.get('head_sha'));
        return ok({
          total_count: found.length,
          workflow_runs: found.map(({ id, sha }) => ({ id, head_sha: sha, status: 'completed', conclusion: 'failure' })),
        });
      },
    },
    {
      ...{ method: 'GET', path: `${at}/actions/runs/:id/jobs`, query: ['status', 'limit', 'page'] },
      answer: ({ path }) => {
        const found = state.checks.filter(({ id }) => id === Number(path.id));
        return ok({
          total_count: found.length,
          jobs: found.map(({ id, name, outcome }) => ({ id, name, run_id: id, status: 'completed', conclusion: outcome })),
        });
      },
    },
    {
      ...{ method: 'GET', path: `${at}/actions/jobs/:id/logs` },
      answer: ({ path }) => {
        const check = state.checks.find(({ id }) => id === Number(path.id));
        return check ? { status: 200, body: check.log } : notFound;
      },
    },
  ];
}

function userOf({ id, login }: PlayedUser) {
  return { id, login, login_name: '', full_name: login, is_admin: false, active: false };
}

function repositoryOf({ origin, repository }: Played) {
  return { id: 1, name: repository.split('/')[1], full_name: repository, html_url: `${origin}/${repository}` };
}

function pageOf({ origin, repository }: Played, { isRequest, number }: PlayedThread): string {
  return `${origin}/${repository}/${isRequest ? 'pulls' : 'issues'}/${number}`;
}

function issueOf(played: Played, thread: PlayedThread) {
  const { id, number, title, text, user, labels, isOpen, isRequest, isDraft, createdAt, updatedAt } = thread;
  return {
    ...{
      id,
      number,
      title,
      body: text,
      user: userOf(user),
      labels: labels.map((name, index) => ({ id: index + 1, name })),
      html_url: pageOf(played, thread),
    },
    ...{ state: isOpen ? 'open' : 'closed', created_at: seconds(createdAt), updated_at: seconds(updatedAt) },
    pull_request: isRequest ? { draft: isDraft, merged: false, html_url: pageOf(played, thread) } : null,
  };
}

function commentOf(played: Played, thread: PlayedThread, { id, user, text, at, updatedAt }: PlayedComment) {
  const url = `${pageOf(played, thread)}#issuecomment-${id}`;
  return { id, html_url: url, user: userOf(user), body: text, created_at: seconds(at), updated_at: seconds(updatedAt) };
}

function timelineOf(played: Played, thread: PlayedThread) {
  const labels = thread.events.map(({ id, user, label, isSet, at }) => ({
    ...commentOf(played, thread, { id, user, text: isSet ? '1' : '', at, updatedAt: at }),
    ...{ type: 'label', label: { id: 1, name: label } },
  }));
  const comments = thread.comments.map((comment) => ({ ...commentOf(played, thread, comment), type: 'comment', label: null }));
  const reviews = thread.reviews.map((review) => ({ ...commentOf(played, thread, review), type: 'review', label: null }));
  return [...labels, ...comments, ...reviews].toSorted((one, other) => one.id - other.id);
}

function reviewOf(thread: PlayedThread, { id, user, text, isPending, isApproval, at }: PlayedThread['reviews'][number]) {
  const count = thread.lines.filter((line) => threadReview(thread, line) === id).length;
  const state = isPending ? 'PENDING' : isApproval ? 'APPROVED' : 'COMMENT';
  return { id, user: userOf(user), state, dismissed: false, body: text, comments_count: count, submitted_at: seconds(at) };
}

function lineOf({ id, user, text, path, line, at, updatedAt, reviewId, isResolved }: PlayedLine) {
  const resolver = isResolved ? userOf(user) : null;
  return {
    ...{ id, body: text, user: userOf(user), resolver, pull_request_review_id: reviewId, path, position: line, original_position: 0 },
    ...{ created_at: seconds(at), updated_at: seconds(updatedAt) },
  };
}

async function requestOf(played: Played, thread: PlayedThread) {
  const { id, number, title, text, head, base, isDraft, user } = thread;
  return {
    ...{
      id,
      number,
      title,
      body: text,
      user: userOf(user),
      state: thread.isOpen ? 'open' : 'closed',
      draft: isDraft,
      html_url: pageOf(played, thread),
    },
    ...{ head: { ref: head, label: head, sha: await played.headOf(head) }, base: { ref: base, label: base } },
  };
}

function delivery(played: Played, event: PlayedEvent) {
  const about = { repository: repositoryOf(played) };
  const named = (name: string, type: string) => ({
    'x-gitea-event': name,
    'x-gitea-event-type': type,
    'x-github-event': name,
    'x-gogs-event': name,
  });
  if (event.kind === 'check') {
    const { id, sha, name, outcome } = event.check;
    return { headers: named('status', 'status'), body: { id, sha, context: name, state: outcome ?? 'pending', ...about } };
  }
  const { thread } = event;
  if (event.kind === 'label') {
    const body = {
      action: 'label_updated',
      number: thread.number,
      issue: issueOf(played, thread),
      ...about,
      sender: userOf(event.event.user),
    };
    return { headers: named('issues', 'issue_label'), body };
  }
  const sender = userOf(event.comment.user);
  if (event.kind === 'comment') {
    const body = {
      action: 'created',
      issue: issueOf(played, thread),
      comment: commentOf(played, thread, event.comment),
      is_pull: thread.isRequest,
    };
    return {
      headers: named('issue_comment', thread.isRequest ? 'pull_request_comment' : 'issue_comment'),
      body: { ...body, ...about, sender },
    };
  }
  const review = { type: 'pull_request_review_comment', content: event.comment.text };
  const body = {
    action: 'reviewed',
    number: thread.number,
    pull_request: { number: thread.number, title: thread.title },
    review,
    ...about,
    sender,
  };
  return { headers: named('pull_request_comment', 'pull_request_review_comment'), body };
}
