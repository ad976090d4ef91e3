import { expect, test } from 'vitest';
import { type Egress, type EgressRequest, HostRefused, ResponseTooLong } from '../../../../../server/platform/egress/egress.ts';
import { createScrubber } from '../../../../../server/platform/egress/scrubber.ts';
import type { KnownForge, RequestFailed } from '../../../../../server/platform/git/forge-calls.ts';
import { waitOf } from '../../../../../server/platform/git/forge-waits.ts';
import { createForge } from '../../../../../server/platform/git/forges/create-forge.ts';

type Reply = { status?: number; headers?: Record<string, string>; body: unknown } | Error;
type Call = { method: string; address: string; headers: Record<string, string>; body: unknown };

/** A server that answers these calls, by method and address without its host, and no others. */
function played(forge: KnownForge, replies: Record<string, Reply> | ((address: URL) => Reply)) {
  const calls: Call[] = [];
  const egress: Egress = async (address, request: EgressRequest = {}) => {
    const url = new URL(address);
    const sent = typeof request.body === 'string' ? JSON.parse(request.body) : null;
    const call = { method: request.method ?? 'GET', address, headers: request.headers ?? {}, body: sent };
    calls.push(call);
    const found = typeof replies === 'function' ? replies(url) : replies[`${call.method} ${url.pathname}${url.search}`];
    const reply = found ?? { status: 404, body: { message: 'Not Found' } };
    if (reply instanceof Error && !(reply instanceof ResponseTooLong)) throw reply;
    const { status = 200, headers = {}, body } = reply instanceof Error ? { body: '' } : reply;
    const said = typeof body === 'string' ? body : JSON.stringify(body);
    const pieces = (async function* () {
      for (let at = 0; at < said.length; at += 10_000) yield Buffer.from(said.slice(at, at + 10_000));
    })();
    return {
      status,
      ok: status >= 200 && status < 300,
      headers,
      body: pieces,
      text: async () => {
        if (reply instanceof Error) throw reply;
        return said;
      },
      scrubber: createScrubber([place.token]),
    };
  };
  const place = { forge, url: 'https://git.example.com/ann/shop', token: 'a-secret-token' };
  return { forge: createForge(egress), place, calls };
}

const issue = { number: 3, isRequest: false };
const request = { number: 4, isRequest: true };
const repository = { github: '/api/v3/repos/ann/shop', gitlab: '/api/v4/projects/ann%2Fshop', gitea: '/api/v1/repos/ann/shop' };
const at = (minute: number) => `2026-01-15T09:${String(minute).padStart(2, '0')}:00Z`;
const iso = (minute: number) => `2026-01-15T09:${String(minute).padStart(2, '0')}:00.000Z`;
const ann = { login: 'ann', id: 1, type: 'User' };

const gitHubIssue = {
  id: 444500041,
  number: 3,
  title: 'Spelling\u202e error',
  body: 'One\r\ntwo',
  user: ann,
  state: 'open',
  labels: [{ id: 1362934389, name: 'Artel' }],
  updated_at: at(1),
  html_url: 'https://git.example.com/ann/shop/issues/3',
};
const gitHubComment = (id: number, changes = {}) => ({
  ...{ id, user: ann, body: `Words ${id}`, created_at: at(id), author_association: 'MEMBER' },
  ...changes,
});
/** A comment on a line, of a review. */
const gitHubLine = (id: number, review: number, changes = {}) => ({
  ...gitHubComment(id, { pull_request_review_id: review, path: 'src/a.ts', line: 7, original_line: 6 }),
  ...changes,
});
const gitHubReview = (id: number, changes = {}) => ({
  ...{ id, user: ann, body: `Review ${id}`, state: 'COMMENTED', submitted_at: at(id), author_association: 'NONE' },
  ...changes,
});

test('L5.01 what a forge says comes bounded, its hidden characters are shown, and an entry of another form is left out', async () => {
  const odd = [{ ...gitHubIssue, number: 'three' }, null, 'text', { ...gitHubIssue, updated_at: 'yesterday' }];
  const long = { ...gitHubIssue, number: 5, body: `<!-- artel:1 -->${'x'.repeat(30_000)}`, html_url: 'javascript:alert(1)' };
  const query = 'state=open&labels=artel&sort=created&direction=asc&per_page=100&page=1';
  const { forge, place } = played('github', { [`GET ${repository.github}/issues?${query}`]: { body: [...odd, gitHubIssue, long] } });
  const threads = await forge.labelled(place, 'artel');
  expect(threads[0]).toEqual({
    ...{ number: 3, isRequest: false, title: 'Spelling\\u202e error', text: 'One\ntwo', isOpen: true, labels: ['Artel'] },
    ...{ author: { id: 'ann', login: 'ann', isBot: false }, updatedAt: iso(1), url: gitHubIssue.html_url },
  });
  expect(threads).toHaveLength(2);
  expect([threads[1]?.text.length, threads[1]?.url]).toEqual([20_000, '']);
  expect(threads[1]?.text).toMatch(/^<!-- artel:1 -->x/);
});

test('L5.02 GitHub: a review comes once with its lines, a reply by itself, and what is pending or without a word does not come', async () => {
  const { forge, place } = played('github', {
    [`GET ${repository.github}/issues/4/comments?per_page=100&page=1`]: {
      body: [gitHubComment(20, { user: { login: 'ci[bot]', type: 'Bot' }, author_association: 'NONE' })],
    },
    [`GET ${repository.github}/pulls/4/reviews?per_page=100&page=1`]: {
      body: [gitHubReview(30), gitHubReview(31, { state: 'PENDING' }), gitHubReview(32, { body: '' }), gitHubReview(33, { body: null })],
    },
    [`GET ${repository.github}/pulls/4/comments?sort=created&direction=desc&per_page=100&page=1`]: {
      body: [gitHubLine(13, 33, { line: null }), gitHubLine(12, 32, { in_reply_to_id: 11 }), gitHubLine(11, 30)],
    },
  });
  const line = (id: number, of: number) => ({ path: 'src/a.ts', line: of, text: `Words ${id}` });
  expect(await forge.comments(place, request)).toMatchObject([
    { id: 'line:12', text: '', lines: [line(12, 7)], at: iso(12) },
    { id: 'comment:20', author: { login: 'ci[bot]', isBot: true } },
    { id: 'review:30', text: 'Review 30', lines: [line(11, 7)] },
    { id: 'review:33', text: '', lines: [line(13, 6)] },
  ]);
});

test('L5.02 GitHub: lines of a review that came between two calls come once, with their review', async () => {
  const submitted = [gitHubReview(33, { body: '' }), gitHubReview(40, { body: '' })];
  const read = async (reviews: object[]) => {
    const { forge, place } = played('github', {
      [`GET ${repository.github}/issues/4/comments?per_page=100&page=1`]: { body: [] },
      [`GET ${repository.github}/pulls/4/reviews?per_page=100&page=1`]: { body: reviews },
      [`GET ${repository.github}/pulls/4/comments?sort=created&direction=desc&per_page=100&page=1`]: {
        body: [gitHubLine(16, 40), gitHubLine(15, 39, { in_reply_to_id: 13 }), gitHubLine(13, 33), gitHubLine(12, 20)],
      },
    });
    return (await forge.comments(place, request)).map(({ id, lines }) => [id, lines.length]);
  };
  // A review before those that are read has lines that stand alone.
  expect(await read(submitted.slice(0, 1))).toEqual([
    ['line:12', 1],
    ['line:15', 1],
    ['review:33', 1],
  ]);
  expect(await read(submitted)).toEqual([
    ['line:12', 1],
    ['line:15', 1],
    ['review:33', 1],
    ['review:40', 1],
  ]);
  expect(await read([])).toEqual([['line:15', 1]]);
});

test.each([
  [{ body: { message: 'Bad gateway' }, status: 502 }, 'unreachable'],
  [{ body: { message: 'Too many' }, status: 429 }, 'limited'],
])('L5.02 GitHub: a reading waits where it cannot be told for now which lines are resolved', async (reply, reason) => {
  const { forge, place } = played('github', (address) =>
    address.pathname.endsWith('/graphql')
      ? reply
      : {
          body: address.pathname.endsWith('/pulls/4/comments') ? [gitHubComment(11, { path: 'src/a.ts', line: 7, original_line: 6 })] : [],
        },
  );
  await expect(forge.comments(place, request)).rejects.toMatchObject({ reason });
});

test('L5.02 Gitea: the first comment on a line is of the review, and others are replies', async () => {
  const on = (id: number, user: object, position = 7) => ({
    ...{ id, user, body: `Words ${id}`, created_at: at(id), path: 'src/a.ts', position, original_position: 0 },
  });
  const bob = { login: 'bob', id: 2 };
  const { forge, place } = played('gitea', {
    [`GET ${repository.gitea}/issues/4/comments`]: { body: [] },
    [`GET ${repository.gitea}/pulls/4/reviews?limit=50&page=1`]: {
      headers: { 'x-total-count': '3' },
      body: [
        { id: 8, user: ann, body: 'Nearly.', state: 'COMMENT', comments_count: 4, submitted_at: at(9) },
        { id: 9, user: ann, body: 'Later', state: 'PENDING', comments_count: 1, submitted_at: at(10) },
        { id: 10, user: bob, body: '', state: 'REQUEST_REVIEW', comments_count: 0, submitted_at: at(11) },
      ],
    },
    [`GET ${repository.gitea}/pulls/4/reviews/8/comments`]: { body: [on(14, ann), on(13, bob), on(12, ann), on(15, ann, 9)] },
  });
  const comments = await forge.comments(place, request);
  expect(comments.map(({ id, lines }) => [id, ...lines.map(({ line, text }) => `${line} ${text}`)])).toEqual([
    ['review:8', '7 Words 12', '9 Words 15'],
    ['line:13', '7 Words 13'],
    ['line:14', '7 Words 14'],
  ]);
  expect(comments[1]?.author.login).toBe('bob');
});

test('L5.03 of many comments the newest 200 come, and a page that is longer than an answer may be is read in parts', async () => {
  const paged = (size: number, page: number) => ({
    headers: { link: `<https://git.example.com/x?per_page=${size}&page=${450 / size}>; rel="last"` },
    body: Array.from({ length: Math.min(size, 450 - (page - 1) * size) }, (_, index) =>
      gitHubComment((page - 1) * size + index + 1, { created_at: at(0) }),
    ),
  });
  const path = `GET ${repository.github}/issues/3/comments`;
  const tooLong = new ResponseTooLong();
  const { forge, place, calls } = played('github', {
    [`${path}?per_page=100&page=1`]: { ...paged(100, 1), headers: { link: '<https://git.example.com/x?page=5&per_page=100>; rel="last"' } },
    ...Object.fromEntries([3, 4].map((page) => [`${path}?per_page=100&page=${page}`, paged(100, page)])),
    [`${path}?per_page=100&page=5`]: tooLong,
    ...Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`${path}?per_page=10&page=${41 + index}`, paged(10, 41 + index)])),
    [`${path}?per_page=10&page=42`]: tooLong,
    ...Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`${path}?per_page=1&page=${411 + index}`, paged(1, 411 + index)])),
    [`${path}?per_page=1&page=415`]: tooLong,
  });
  const ids = (await forge.comments(place, issue)).map(({ id }) => Number(id.slice('comment:'.length)));
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([200, 250, 450]);
  expect(ids).not.toContain(415);
  expect(calls).toHaveLength(4 + 10 + 10);
});

test('L5.04 the end of a log comes, without the token, from another host that is not told the token', async () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `\u001b[31mline ${index}\u001b[0m\r\n`).join('');
  const check = {
    id: 12,
    name: 'build',
    status: 'completed',
    conclusion: 'failure',
    html_url: 'https://git.example.com/x',
    app: { slug: 'github-actions' },
  };
  const checks = (all: object[]) => ({ body: { total_count: all.length, check_runs: all } });
  const commit = `GET ${repository.github}/commits/f00d`;
  const { forge, place, calls } = played('github', {
    [`${commit}/check-runs?filter=latest&per_page=100&page=1`]: checks([{ ...check, id: 13, name: 'lint' }, check]),
    [`${commit}/status?per_page=100&page=1`]: { body: { statuses: [] } },
    [`GET ${repository.github}/actions/jobs/12/logs`]: {
      status: 302,
      headers: { location: 'https://logs.example.com/12?sig=x' },
      body: '',
    },
    'GET /12?sig=x': { body: lines },
  });
  const failure = await forge.failure(place, 'f00d');
  expect(failure).toMatchObject({ name: 'build', url: 'https://git.example.com/x' });
  expect(failure?.log.length).toBeLessThanOrEqual(64 * 1024);
  expect(failure?.log).toMatch(/^line \d+\n[\s\S]*line 19999\n$/);
  expect(calls.map(({ headers }) => headers.authorization)).toEqual([...Array(3).fill('Bearer a-secret-token'), undefined]);

  const unsafe = played('github', {
    [`${commit}/check-runs?filter=latest&per_page=100&page=1`]: checks([check]),
    [`${commit}/status?per_page=100&page=1`]: { body: { statuses: [] } },
    [`GET ${repository.github}/actions/jobs/12/logs`]: { status: 302, headers: { location: 'http://logs.example.com/12' }, body: '' },
  });
  await expect(unsafe.forge.failure(unsafe.place, 'f00d')).rejects.toMatchObject({ reason: 'refused' });
  expect(unsafe.calls).toHaveLength(3);
});

test.each<[string, object[], object[], string | null]>([
  ['a check that runs', [{ status: 'in_progress' }, { status: 'completed', conclusion: 'failure' }], [], null],
  ['a status that waits', [{ status: 'completed', conclusion: 'failure' }], [{ state: 'pending' }], null],
  [
    'nothing failed',
    [
      { status: 'completed', conclusion: 'success' },
      { status: 'completed', conclusion: 'cancelled' },
    ],
    [],
    null,
  ],
  ['a failed status', [{ status: 'completed', conclusion: 'neutral' }], [{ state: 'failure' }], 'The build is red.'],
  [
    'a check of another program',
    [{ status: 'completed', conclusion: 'timed_out', output: { title: 'Slow', summary: 'It took', text: null } }],
    [],
    'Slow\n\nIt took',
  ],
])('L5.05 CI has failed once all has ended: %s', async (_, runs, statuses, log) => {
  const { forge, place } = played('github', {
    [`GET ${repository.github}/commits/f00d/check-runs?filter=latest&per_page=100&page=1`]: {
      body: { check_runs: runs.map((run, id) => ({ id, name: 'ci', html_url: 'https://git.example.com/x', app: { slug: 'ci' }, ...run })) },
    },
    [`GET ${repository.github}/commits/f00d/status?per_page=100&page=1`]: {
      body: { statuses: statuses.map((one) => ({ context: 'ci/build', target_url: null, description: 'The build is red.', ...one })) },
    },
  });
  expect((await forge.failure(place, 'f00d'))?.log ?? null).toBe(log);
});

test('L5.05 GitHub: a token that may not read checks reads the jobs of Actions', async () => {
  const refused = { status: 403, body: { message: 'Resource not accessible by personal access token' } };
  const job = { id: 12, name: 'build', status: 'completed', conclusion: 'failure', html_url: 'https://git.example.com/x' };
  const commit = `GET ${repository.github}/commits/f00d`;
  const replies = {
    [`${commit}/check-runs?filter=latest&per_page=100&page=1`]: refused,
    [`${commit}/status?per_page=100&page=1`]: refused,
    [`GET ${repository.github}/actions/runs?head_sha=f00d&per_page=100&page=1`]: { body: { workflow_runs: [{ id: 3 }] } },
    [`GET ${repository.github}/actions/runs/3/jobs?filter=latest&per_page=100&page=1`]: { body: { jobs: [job] } },
    [`GET ${repository.github}/actions/jobs/12/logs`]: { body: ' 10 %\r100 %\n\u001b[31mnot ok 1\u001b[0m\n' },
  };
  const { forge, place } = played('github', replies);
  expect(await forge.failure(place, 'f00d')).toEqual({ name: 'build', url: 'https://git.example.com/x', log: '100 %\nnot ok 1\n' });
  const closed = played('github', { ...replies, [`GET ${repository.github}/actions/runs?head_sha=f00d&per_page=100&page=1`]: refused });
  await expect(closed.forge.failure(closed.place, 'f00d')).rejects.toMatchObject({ reason: 'needs_token' });
});

test.each<[KnownForge, number, Record<string, string>, object | string, string, string]>([
  ['github', 403, { 'x-ratelimit-remaining': '0' }, { message: 'API rate limit exceeded.' }, 'limited', 'API rate limit exceeded.'],
  ['github', 403, { 'retry-after': '60' }, { message: 'Slow down.' }, 'limited', 'Slow down.'],
  [
    ...(['github', 403, { 'x-ratelimit-remaining': '4990' }, { message: 'You have exceeded a secondary rate limit.' }] as const),
    ...(['limited', 'You have exceeded a secondary rate limit.'] as const),
  ],
  ['github', 403, { 'x-ratelimit-remaining': '4999' }, { message: 'Resource not accessible.' }, 'needs_token', 'Resource not accessible.'],
  ['github', 403, {}, { message: 'Repository was archived so is read-only.' }, 'locked', 'Repository was archived so is read-only.'],
  ['gitlab', 429, { 'retry-after': '7' }, 'Retry later\n', 'limited', 'Retry later'],
  ['github', 502, {}, '<html>Unicorn!</html>', 'unreachable', ''],
  ['gitea', 423, {}, { message: 'Repo is archived' }, 'locked', 'Repo is archived'],
  ['gitea', 401, {}, { message: 'token is required' }, 'needs_token', 'token is required'],
  ['gitea', 500, {}, {}, 'unreachable', ''],
])('L5.06 %s: a refusal has its reason: %i %j', async (kind, status, headers, body, reason, text) => {
  const user = { github: '/api/v3/user', gitlab: '/api/v4/user', gitea: '/api/v1/user' }[kind];
  const { forge, place } = played(kind, { [`GET ${user}`]: { status, headers, body } });
  await expect(forge.self(place)).rejects.toMatchObject({ reason, text });
  const closed = played(kind, { [`GET ${user}`]: new HostRefused('git.example.com') });
  await expect(closed.forge.self(closed.place)).rejects.toMatchObject({ reason: 'host' });
  const another = played(kind, { [`GET ${user}`]: { body: { name: 'none' } } });
  await expect(another.forge.self(another.place)).rejects.toMatchObject({ reason: 'refused' });
});

const moment = Date.parse('2026-01-15T09:00:00Z');
test.each<[string, number, Record<string, string>, string, number | null | undefined]>([
  ['seconds', 429, { 'retry-after': '60' }, '', 60],
  [
    'a date, by the clock of the server',
    429,
    { 'retry-after': 'Thu, 15 Jan 2026 10:05:00 GMT', date: 'Thu, 15 Jan 2026 10:00:00 GMT' },
    '',
    300,
  ],
  ['the primary limit of GitHub', 403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(moment / 1_000 + 2_400) }, '', 2_400],
  ['the limit of GitLab', 429, { 'ratelimit-remaining': '0', 'ratelimit-reset': String(moment / 1_000 + 600) }, 'Retry later', 600],
  [
    'the limit that is used up, beside another one',
    429,
    { 'x-ratelimit-remaining': '4990', 'x-ratelimit-reset': '1999999999', 'ratelimit-remaining': '0', 'ratelimit-reset': '600' },
    '',
    600,
  ],
  ['a time from now', 429, { 'ratelimit-reset': '30' }, '', 30],
  ['an instant that has passed', 429, { 'x-ratelimit-reset': String(moment / 1_000 - 5) }, '', 1],
  ['years', 429, { 'retry-after': '999999999' }, '', 86_400],
  [
    'a secondary limit without a wait',
    403,
    { 'x-ratelimit-remaining': '4990', 'x-ratelimit-reset': '1999999999' },
    'You have exceeded a secondary rate limit',
    null,
  ],
  ['abuse, as older servers call it', 403, {}, 'You have triggered an abuse detection mechanism.', null],
  ['nonsense', 429, { 'retry-after': 'soon', 'x-ratelimit-reset': '-1' }, '', null],
  ['no limit', 403, { 'x-ratelimit-remaining': '4990' }, 'Must have push access', undefined],
  ['another refusal', 422, { 'x-ratelimit-remaining': '0' }, 'Validation Failed', undefined],
])('L5.17 the wait of a forge is read: %s', (_, status, headers, said, seconds) => {
  expect(waitOf(status, headers, { said, now: moment })).toEqual(seconds === undefined ? null : { seconds });
});

test.each([301, 302, 307, 308])(
  'L5.18 a repository with another name is followed on the same host, also by a write: %i',
  async (status) => {
    const moved = (path: string) => ({
      status,
      headers: { location: `https://git.example.com/api/v3/repositories/7${path}` },
      body: { message: 'Moved Permanently' },
    });
    const { forge, place, calls } = played('github', {
      [`GET ${repository.github}/issues/3`]: moved('/issues/3'),
      'GET /api/v3/repositories/7/issues/3': { body: gitHubIssue },
      [`POST ${repository.github}/issues/3/comments`]: moved('/issues/3/comments'),
      'POST /api/v3/repositories/7/issues/3/comments': { status: 201, body: gitHubComment(9) },
    });
    expect(await forge.thread(place, issue)).toMatchObject({ number: 3 });
    expect(await forge.addComment(place, issue, 'Words')).toBe('comment:9');
    expect(calls.at(-1)).toMatchObject({ method: 'POST', body: { body: 'Words' }, headers: { authorization: 'Bearer a-secret-token' } });
  },
);

test('L5.18 a repository that has gone to another host is not followed with the token, and a circle ends', async () => {
  const path = `GET ${repository.github}/issues/3`;
  const away = played('github', {
    [path]: { status: 301, headers: { location: 'https://other.example.com/api/v3/repos/ann/shop/issues/3' }, body: '' },
  });
  await expect(away.forge.thread(away.place, issue)).rejects.toMatchObject({ reason: 'moved', text: 'https://other.example.com' });
  expect(away.calls).toHaveLength(1);
  const circle = played('github', {
    [path]: { status: 301, headers: { location: `https://git.example.com${repository.github}/issues/3` }, body: '' },
  });
  await expect(circle.forge.thread(circle.place, issue)).rejects.toMatchObject({ reason: 'refused' });
  expect(circle.calls.length).toBeLessThan(10);
});

test('L5.18 GitLab: a write to a project by its earlier name goes to its number', async () => {
  const { forge, place, calls } = played('gitlab', {
    [`POST ${repository.gitlab}/issues/3/notes`]: {
      status: 405,
      body: { message: '405 Non GET methods are not allowed for moved projects' },
    },
    [`GET ${repository.gitlab}`]: { status: 301, headers: { location: 'https://git.example.com/api/v4/projects/7' }, body: '' },
    'GET /api/v4/projects/7': { body: { id: 7 } },
    'POST /api/v4/projects/7/issues/3/notes': { status: 201, body: { id: 9 } },
  });
  expect(await forge.addComment(place, issue, 'Words')).toBe('comment:9');
  expect(calls).toHaveLength(4);
});

test.each<[KnownForge, string]>([
  ['github', '/issues/3/comments'],
  ['gitlab', '/issues/3/notes'],
  ['gitea', '/issues/3/comments'],
])('L5.19 %s: an archived repository is told from a token without rights', async (kind, path) => {
  const refused = { status: 403, body: { message: '403 Forbidden' } };
  const reason = (archived: boolean) => {
    const { forge, place } = played(kind, {
      [`POST ${repository[kind]}${path}`]: refused,
      [`GET ${repository[kind]}`]: { body: { id: 1, archived } },
    });
    return forge.addComment(place, issue, 'Words').catch((error: RequestFailed) => error.reason);
  };
  expect([await reason(true), await reason(false)]).toEqual(['locked', 'needs_token']);
});

test('L5.20 an approval and a dismissed review come as what asks for nothing, also without words', async () => {
  const review = (id: number, state: string, body: string) => ({
    id,
    user: ann,
    body,
    state,
    submitted_at: at(id),
    dismissed: state === 'DISMISSED',
  });
  const all = [
    review(1, 'APPROVED', 'Looks good'),
    review(2, 'APPROVED', ''),
    review(3, 'COMMENTED', 'Why?'),
    review(4, 'CHANGES_REQUESTED', 'No.'),
    review(5, 'DISMISSED', 'Old'),
  ];
  const hub = played('github', {
    [`GET ${repository.github}/issues/4/comments?per_page=100&page=1`]: { body: [] },
    [`GET ${repository.github}/pulls/4/reviews?per_page=100&page=1`]: { body: all },
    [`GET ${repository.github}/pulls/4/comments?sort=created&direction=desc&per_page=100&page=1`]: { body: [] },
  });
  const asks = (comments: { id: string; asks: boolean }[]) => comments.map((one) => [one.id, one.asks]);
  expect(asks(await hub.forge.comments(hub.place, request))).toEqual([
    ['review:1', false],
    ['review:2', false],
    ['review:3', true],
    ['review:4', true],
    ['review:5', false],
  ]);
  const tea = played('gitea', {
    [`GET ${repository.gitea}/issues/4/comments`]: { body: [] },
    [`GET ${repository.gitea}/pulls/4/reviews?limit=50&page=1`]: {
      body: [
        { ...review(1, 'APPROVED', ''), comments_count: 0 },
        { ...review(2, 'REQUEST_CHANGES', 'No.'), comments_count: 0 },
        { ...review(3, 'REQUEST_CHANGES', 'Old'), comments_count: 0, dismissed: true },
      ],
    },
  });
  expect(asks(await tea.forge.comments(tea.place, request))).toEqual([
    ['review:1', false],
    ['review:2', true],
    ['review:3', false],
  ]);
});

test.each(['github', 'gitlab', 'gitea'] as const)(
  'L5.07 %s: what is gone is told from a repository that this token cannot read',
  async (kind) => {
    const gone = played(kind, { [`GET ${repository[kind]}`]: { body: { id: 1 } } });
    expect(await gone.forge.thread(gone.place, issue)).toBeNull();
    expect(await gone.forge.changeComment(gone.place, issue, 'comment:5', 'Words')).toBe(false);
    expect(await gone.forge.mayWrite(gone.place, { id: '7', login: 'eve', isBot: false })).toBe(false);
    const closed = played(kind, {});
    await expect(closed.forge.thread(closed.place, issue)).rejects.toMatchObject({ reason: 'not_found' });
    await expect(closed.forge.changeComment(closed.place, issue, 'comment:5', 'Words')).rejects.toMatchObject({ reason: 'not_found' });
  },
);

test('L5.08 GitHub: the newest label counts with the account that set it, of whichever case; no account has no rights', async () => {
  const labelled = (id: number, name: string, actor: object | null, event = 'labeled') => ({
    id,
    event,
    actor,
    label: { name },
    created_at: at(id),
  });
  const eve = { login: 'eve', type: 'User' };
  const read = (all: object[]) => {
    const { forge, place } = played('github', { [`GET ${repository.github}/issues/3/events?per_page=100&page=1`]: { body: all } });
    return forge.lastLabelling(place, issue, 'artel');
  };
  expect(
    await read([labelled(1, 'artel', ann), labelled(2, 'Artel', eve), labelled(3, 'artel', ann, 'unlabeled'), labelled(4, 'bug', ann)]),
  ).toEqual({
    id: '2',
    by: { id: 'eve', login: 'eve', isBot: false },
    at: '2026-01-15T09:02:00.000Z',
  });
  expect(await read([labelled(1, 'artel', ann), labelled(2, 'artel', null)])).toMatchObject({ id: '2', by: { login: 'ghost' } });
  expect(await read([labelled(1, 'bug', ann)])).toBeNull();
});

test('L5.09 Gitea: a label that the repository does not have finds nothing, and changes come in their order', async () => {
  const one = (number: number, minute: number, labels: object[] = []) => ({
    ...{
      number,
      title: `Issue ${number}`,
      body: '',
      user: ann,
      state: 'open',
      labels,
      updated_at: at(minute),
      html_url: '',
      pull_request: null,
    },
  });
  const { forge, place } = played('gitea', {
    [`GET ${repository.gitea}/issues?state=open&type=issues&labels=artel&limit=50&page=1`]: { body: [one(2, 5), one(1, 9)] },
    [`GET ${repository.gitea}/issues?state=all&since=2026-01-15T09%3A00%3A00.000Z&limit=50&page=1`]: {
      body: [one(3, 1), one(2, 5), one(1, 3)],
    },
  });
  expect(await forge.labelled(place, 'artel')).toEqual([]);
  expect((await forge.changed(place, iso(0))).map(({ number }) => number)).toEqual([3, 1, 2]);
});

test('L5.09 GitHub: a page of issues that changed just before hides no later change', async () => {
  const { forge, place } = played('github', ({ searchParams }) => {
    const page = Number(searchParams.get('page'));
    const all = Array.from({ length: 101 }, (_, index) => ({ ...gitHubIssue, number: index + 1, updated_at: index < 100 ? at(1) : at(2) }));
    expect(searchParams.get('since')).toBe('2026-01-15T09:01:59Z');
    const link = page === 1 ? '<https://git.example.com/x?page=2>; rel="next"' : '';
    return { headers: { link }, body: all.slice((page - 1) * 100, page * 100) };
  });
  expect((await forge.changed(place, iso(2))).map(({ number }) => number)).toEqual([101]);
});

test('L5.09 Gitea: where more has changed than is read, the earliest changes come first', async () => {
  const all = Array.from({ length: 1_200 }, (_, index) => ({
    ...{ number: 1_200 - index, title: 'Issue', body: '', user: ann, state: 'open', labels: null, html_url: '' },
    updated_at: new Date(Date.parse(iso(0)) + ((index * 7) % 1_200) * 1_000).toISOString(),
  }));
  const { forge, place } = played('gitea', ({ searchParams }) => {
    const before = searchParams.get('before');
    const found = all.filter(({ updated_at }) => before === null || Date.parse(updated_at) <= Date.parse(before));
    const page = Number(searchParams.get('page'));
    return { headers: { 'x-total-count': String(found.length) }, body: found.slice((page - 1) * 50, page * 50) };
  });
  const changes = (await forge.changed(place, iso(0))).map(({ updatedAt }) => updatedAt);
  expect(changes).toEqual(
    all
      .map(({ updated_at }) => updated_at)
      .toSorted()
      .slice(0, 100),
  );
});
