import { z } from 'zod';
import {
  mayWrite,
  type PlayedComment,
  type PlayedLine,
  type PlayedRole,
  type PlayedThread,
  type PlayedUser,
  touch,
} from './forge-state.ts';
import { created, notFound, ok, type Played, type PlayedEvent, type Protocol, page, type RestCall, type Route, refused } from './rest.ts';

/** https://docs.gitlab.com/api/rest/ and https://docs.gitlab.com/user/project/integrations/webhook_events/. */
export const gitLabProtocol: Protocol = {
  root: '/api/v4',
  tokenOf: (headers) => String(headers['private-token'] ?? ''),
  routes: (played) => [...threadRoutes(played), ...noteRoutes(played), ...requestRoutes(played), ...pipelineRoutes(played)],
  delivery,
  proof: (secret, _body, id) => ({ 'x-gitlab-token': secret, 'x-gitlab-event-uuid': id, 'idempotency-key': id }),
};

const words = z.strictObject({ body: z.string().min(1).max(1_000_000) });
const levels: Record<PlayedRole, number> = { none: 0, read: 20, write: 30, admin: 40 };
const kinds = [
  { kind: 'issues', isRequest: false },
  { kind: 'merge_requests', isRequest: true },
] as const;

/** A project is named by its whole path, as one part of the address. */
const rootOf = ({ repository }: Played) => `/projects/${encodeURIComponent(repository)}`;

function threadRoutes(played: Played): Route[] {
  const { state } = played;
  const at = rootOf(played);
  return [
    { method: 'GET', path: '/user', answer: ({ user }) => ok({ ...userOf(user), bot: user.isBot }) },
    { method: 'GET', path: at, answer: () => ok({ id: 7, path_with_namespace: played.repository }) },
    {
      ...{ method: 'GET', path: `${at}/members/all/:id` },
      answer: ({ path }) => {
        const member = state.users.find(({ id, role }) => id === Number(path.id) && role !== 'none');
        return member ? ok({ ...userOf(member), state: 'active', access_level: levels[member.role] }) : notFound;
      },
    },
    ...kinds.flatMap(({ kind, isRequest }): Route[] => [
      {
        ...{ method: 'GET', path: `${at}/${kind}`, query: [...listQuery, ...(isRequest ? ['source_branch'] : ['labels'])] },
        answer: async (call) => {
          const { entries, headers } = page(listed(played, call, isRequest), call, 'per_page');
          return ok(await Promise.all(entries.map((thread) => threadOf(played, thread))), headers);
        },
      },
      {
        ...{ method: 'GET', path: `${at}/${kind}/:number` },
        answer: async ({ path }) => {
          const thread = state.find(Number(path.number), isRequest);
          return thread ? ok(await threadOf(played, thread)) : notFound;
        },
      },
      {
        ...{ method: 'GET', path: `${at}/${kind}/:number/resource_label_events`, query: ['per_page', 'page'] },
        answer: (call) => answerList(played, call, isRequest, ({ events }) => events.map(labelEventOf)),
      },
    ]),
  ];
}

const listQuery = ['state', 'scope', 'updated_after', 'order_by', 'sort', 'per_page', 'page'];

function listed({ state }: Played, { query }: RestCall, isRequest: boolean): PlayedThread[] {
  const [labels, after, branch, wanted] = ['labels', 'updated_after', 'source_branch', 'state'].map((name) => query.get(name));
  const by = query.get('order_by') === 'updated_at' ? 'updatedAt' : 'createdAt';
  const found = state.threads.filter(
    (thread) =>
      thread.isRequest === isRequest &&
      (!wanted || thread.isOpen === (wanted === 'opened')) &&
      (labels?.split(',') ?? []).every((label) => thread.labels.includes(label)) &&
      (!branch || thread.head === branch) &&
      (!after || thread.updatedAt.getTime() >= Date.parse(after)),
  );
  const sorted = found.toSorted((one, other) => one[by].getTime() - other[by].getTime());
  return query.get('sort') === 'asc' ? sorted : sorted.toReversed();
}

function noteRoutes(played: Played): Route[] {
  const { state } = played;
  return kinds.flatMap(({ kind, isRequest }): Route[] => {
    const at = `${rootOf(played)}/${kind}/:number`;
    return [
      {
        ...{ method: 'GET', path: `${at}/notes`, query: ['order_by', 'sort', 'per_page', 'page'] },
        answer: (call) =>
          answerList(played, call, isRequest, (thread) => {
            const notes = notesOf(thread);
            return call.query.get('sort') === 'asc' ? notes : notes.toReversed();
          }),
      },
      {
        ...{ method: 'GET', path: `${at}/discussions`, query: ['per_page', 'page'] },
        answer: (call) =>
          answerList(played, call, isRequest, (thread) =>
            notesOf(thread).map((note) => ({ id: String(note.id), individual_note: true, notes: [note] })),
          ),
      },
      {
        ...{ method: 'POST', path: `${at}/notes`, body: words },
        answer: ({ path, body, user }) => {
          const thread = state.find(Number(path.number), isRequest);
          if (!thread) return notFound;
          const comment = state.addComment(thread, (body as z.output<typeof words>).body, user);
          played.tell({ kind: 'comment', thread, comment });
          return created(noteOf(comment));
        },
      },
      {
        ...{ method: 'PUT', path: `${at}/notes/:id`, body: words },
        answer: ({ path, body, user }) => {
          const found = state.commentOf(Number(path.id));
          if (!found || found.thread !== state.find(Number(path.number), isRequest)) return notFound;
          if (found.comment.user !== user) return refused(403, '403 Forbidden');
          found.comment.text = (body as z.output<typeof words>).body;
          found.comment.updatedAt = touch(found.thread);
          return ok(noteOf(found.comment));
        },
      },
    ];
  });
}

const newRequest = z.strictObject({
  source_branch: z.string(),
  target_branch: z.string(),
  title: z.string().min(1).max(255),
  description: z.string(),
});

function requestRoutes(played: Played): Route[] {
  const { state } = played;
  return [
    {
      ...{ method: 'POST', path: `${rootOf(played)}/merge_requests`, body: newRequest },
      answer: async ({ body, user }) => {
        const { source_branch: head, target_branch: base, title, description: text } = body as z.output<typeof newRequest>;
        if (!mayWrite(user)) return refused(403, '403 Forbidden');
        if ((await played.headOf(base)) === null) return refused(400, 'target_branch does not exist');
        if ((await played.headOf(head)) === null) return refused(400, 'source_branch does not exist');
        if (state.threads.some((thread) => thread.isRequest && thread.isOpen && thread.head === head))
          return { status: 409, body: { message: [`Another open merge request already exists for this source branch: !1`] } };
        const thread = state.addThread({ title, text, by: user.login, isRequest: true, head, base, isDraft: title.startsWith('Draft: ') });
        return created(await threadOf(played, thread));
      },
    },
  ];
}

/** Each commit has one pipeline, with a job for each check. */
function pipelineRoutes(played: Played): Route[] {
  const { state, origin, repository } = played;
  const at = rootOf(played);
  const numberOf = (sha: string) => Number.parseInt(sha.slice(0, 8), 16);
  const checksOf = (sha: string | null) => state.checks.filter((check) => check.sha === sha);
  return [
    {
      ...{ method: 'GET', path: `${at}/pipelines`, query: ['sha', 'order_by', 'sort', 'per_page', 'page'] },
      answer: ({ query }) => {
        const sha = query.get('sha') ?? '';
        const outcomes = checksOf(sha).map(({ outcome }) => outcome);
        const status = outcomes.includes(null) ? 'running' : outcomes.includes('failure') ? 'failed' : 'success';
        const url = `${origin}/${repository}/-/pipelines/${numberOf(sha)}`;
        return ok(
          outcomes.length === 0
            ? []
            : [{ id: numberOf(sha), iid: 1, project_id: 7, sha, ref: 'branch', status, source: 'push', web_url: url }],
        );
      },
    },
    {
      ...{ method: 'GET', path: `${at}/pipelines/:id/jobs`, query: ['scope[]', 'per_page', 'page'] },
      answer: ({ path }) => {
        const failed = state.checks.filter(({ sha, outcome }) => numberOf(sha) === Number(path.id) && outcome === 'failure');
        return ok(
          failed.map(({ id, name }) => ({
            ...{ id, name, stage: 'test', status: 'failed', allow_failure: false, web_url: `${origin}/${repository}/-/jobs/${id}` },
          })),
        );
      },
    },
    {
      ...{ method: 'GET', path: `${at}/jobs/:id/trace` },
      answer: ({ path }) => {
        const check = state.checks.find(({ id }) => id === Number(path.id));
        return check ? { status: 200, body: check.log } : notFound;
      },
    },
  ];
}

function answerList({ state }: Played, call: RestCall, isRequest: boolean, list: (thread: PlayedThread) => object[]) {
  const thread = state.find(Number(call.path.number), isRequest);
  if (!thread) return notFound;
  const { entries, headers } = page(list(thread), call, 'per_page');
  return ok(entries, headers);
}

function userOf({ id, login }: PlayedUser) {
  return { id, username: login, name: login, state: 'active', web_url: `https://gitlab.example.com/${login}` };
}

function pageOf({ origin, repository }: Played, { isRequest, number }: PlayedThread): string {
  return `${origin}/${repository}/-/${isRequest ? 'merge_requests' : 'issues'}/${number}`;
}

async function threadOf(played: Played, thread: PlayedThread) {
  const { id, number, title, text, labels, user, isOpen, isRequest, head, base, isDraft, createdAt, updatedAt } = thread;
  return {
    ...{ id, iid: number, project_id: 7, title, description: text, state: isOpen ? 'opened' : 'closed', labels, author: userOf(user) },
    ...{ created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString(), web_url: pageOf(played, thread) },
    ...(isRequest && { source_branch: head, target_branch: base, draft: isDraft, sha: await played.headOf(head) }),
  };
}

function labelEventOf({ id, user, label, isSet, at }: PlayedThread['events'][number]) {
  return {
    id,
    user: userOf(user),
    created_at: at.toISOString(),
    resource_type: 'Issue',
    label: { id: 73, name: label },
    action: isSet ? 'add' : 'remove',
  };
}

function noteOf({ id, user, text, at, updatedAt }: PlayedComment, more: object = {}) {
  return {
    ...{ id, type: null, body: text, author: userOf(user), created_at: at.toISOString(), updated_at: updatedAt.toISOString() },
    ...{ system: false, resolvable: false, confidential: false, internal: false },
    ...more,
  };
}

/** All notes, the oldest first. A review is its notes; labels are notes of the system. */
function notesOf(thread: PlayedThread) {
  const onLine = ({ path, line, isResolved }: PlayedLine) => ({
    ...{ type: 'DiffNote', resolvable: true, resolved: isResolved },
    position: {
      base_sha: 'a',
      head_sha: 'b',
      start_sha: 'a',
      old_path: path,
      new_path: path,
      position_type: 'text',
      old_line: null,
      new_line: line,
    },
  });
  const system = thread.events.map(({ id, user, label, at }) =>
    noteOf({ id, user, text: `added ~"${label}" label`, at, updatedAt: at }, { system: true }),
  );
  const reviews = thread.reviews
    .filter(({ isPending, isApproval, text }) => !isPending && !isApproval && text !== '')
    .map((review) => noteOf(review));
  const pending = new Set(thread.reviews.filter(({ isPending }) => isPending).map(({ id }) => id));
  const lines = thread.lines.filter(({ reviewId }) => !pending.has(reviewId)).map((line) => noteOf(line, onLine(line)));
  return [...system, ...thread.comments.map((comment) => noteOf(comment)), ...reviews, ...lines].toSorted(
    (one, other) => one.id - other.id,
  );
}

function delivery(played: Played, event: PlayedEvent) {
  const project = { id: 7, path_with_namespace: played.repository, web_url: `${played.origin}/${played.repository}` };
  const named = (name: string) => ({ 'x-gitlab-event': name, 'x-gitlab-instance': played.origin, 'user-agent': 'GitLab/18.4.0' });
  if (event.kind === 'check') {
    const { id, sha, outcome } = event.check;
    const attributes = { id, ref: event.branch, sha, status: outcome === 'failure' ? 'failed' : (outcome ?? 'running') };
    return { headers: named('Pipeline Hook'), body: { object_kind: 'pipeline', object_attributes: attributes, project } };
  }
  const { thread } = event;
  const about = { id: thread.id, iid: thread.number, title: thread.title, description: thread.text, url: pageOf(played, thread) };
  if (event.kind === 'label') {
    const labels = { previous: [], current: thread.labels.map((title) => ({ title })) };
    const body = {
      object_kind: 'issue',
      event_type: 'issue',
      user: userOf(event.event.user),
      project,
      object_attributes: { ...about, action: 'update' },
    };
    return { headers: named('Issue Hook'), body: { ...body, labels: labels.current, changes: { labels } } };
  }
  const { id, text, user } = event.comment;
  const noteable = thread.isRequest ? 'MergeRequest' : 'Issue';
  const attributes = { id, note: text, noteable_type: noteable, system: false, action: 'create', url: `${about.url}#note_${id}` };
  const body = { object_kind: 'note', event_type: 'note', user: userOf(user), project, object_attributes: attributes };
  return { headers: named('Note Hook'), body: { ...body, [thread.isRequest ? 'merge_request' : 'issue']: about } };
}
