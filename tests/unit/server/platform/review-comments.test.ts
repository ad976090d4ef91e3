import { expect, test } from 'vitest';
import type { Egress } from '../../../../server/platform/egress/egress.ts';
import { createScrubber } from '../../../../server/platform/egress/scrubber.ts';
import { createForge } from '../../../../server/platform/git/forges/create-forge.ts';
import type { ForgePlace } from '../../../../server/platform/git/forges/forge.ts';
import { readReviewComments } from '../../../../server/platform/git/review-comments.ts';

/** Answers calls by the ends of their addresses. */
function answering(answers: Record<string, unknown>, status = 200) {
  const calls: { address: string; request: Parameters<Egress>[1] }[] = [];
  const egress = (async (address: string, request: Parameters<Egress>[1]) => {
    calls.push({ address, request });
    const [, body] = Object.entries(answers).find(([end]) => address.endsWith(end)) ?? ['', []];
    return { status, ok: status < 300, headers: {}, text: async () => JSON.stringify(body), scrubber: createScrubber(['a-token']) };
  }) as unknown as Egress;
  const forge = createForge(egress);
  return { read: (place: ForgePlace) => readReviewComments(forge, place, 7), calls };
}

const at = (minute: number) => `2026-01-15T09:${String(minute).padStart(2, '0')}:00Z`;
const person = { login: 'ann', id: 1, username: 'ann', type: 'User' };

test('C7.05 GitHub: comments on lines come first, then what people say of the whole; bots and resolved threads do not', async () => {
  const line = (id: number, changes = {}) => ({
    ...{ id, user: person, body: `Line ${id}`, created_at: at(id), author_association: 'MEMBER' },
    ...{ pull_request_review_id: 30, path: 'src/a.ts', line: id, original_line: 1 },
    ...changes,
  });
  const threads = [
    { isResolved: true, comments: { nodes: [{ databaseId: 12 }, { databaseId: 13 }] } },
    { isResolved: false, comments: { nodes: [{ databaseId: 11 }] } },
  ];
  const { read, calls } = answering({
    '/graphql': { data: { repository: { pullRequest: { reviewThreads: { nodes: threads } } } } },
    '/pulls/7/reviews?per_page=100&page=1': [
      { id: 30, user: person, body: 'Nearly.', state: 'COMMENTED', submitted_at: at(20), author_association: 'MEMBER' },
    ],
    '/pulls/7/comments?sort=created&direction=desc&per_page=100&page=1': [line(13, { in_reply_to_id: 12 }), line(12), line(11)],
    '/issues/7/comments?per_page=100&page=1': [
      { id: 1, user: { login: 'codecov', type: 'Bot' }, body: 'Coverage 80 %', created_at: at(1), author_association: 'NONE' },
      { id: 2, user: person, body: 'Please a test', created_at: at(2), author_association: 'MEMBER' },
    ],
  });
  expect(await read({ forge: 'github', url: 'https://github.com/ann/shop.git', token: 'a-token' })).toEqual([
    { author: 'ann', path: 'src/a.ts', line: 11, text: 'Line 11' },
    { author: 'ann', path: null, line: null, text: 'Please a test' },
    { author: 'ann', path: null, line: null, text: 'Nearly.' },
  ]);
  const query = calls.find(({ address }) => address === 'https://api.github.com/graphql');
  expect(JSON.parse(String(query?.request?.body)).variables).toEqual({ owner: 'ann', name: 'shop', number: 7 });
});

test('C7.05 GitLab: notes of the system, of bots and resolved ones are left out', async () => {
  const note = (id: number, body: string, changes = {}) => ({
    ...{ id, body, system: false, resolved: false, author: person, created_at: at(id) },
    ...changes,
  });
  const { read } = answering({
    '/notes?order_by=created_at&sort=desc&per_page=100&page=1': [
      note(5, 'Why?', { position: { new_path: 'src/a.ts', new_line: 3, old_line: null } }),
      note(4, 'Done', { resolved: true, position: { new_path: 'src/a.ts', new_line: 4, old_line: null } }),
      note(3, 'Scan', { author: { id: 9, username: 'b', bot: true } }),
      note(2, 'changed the title', { system: true }),
      note(1, 'Nearly.'),
    ],
  });
  expect(await read({ forge: 'gitlab', url: 'https://gitlab.com/group/team/shop', token: 'a-token' })).toEqual([
    { author: 'ann', path: 'src/a.ts', line: 3, text: 'Why?' },
    { author: 'ann', path: null, line: null, text: 'Nearly.' },
  ]);
});

test('C7.05 Gitea: lines that someone has resolved are left out with the replies to them', async () => {
  const line = (id: number, position: number, resolver: object | null = null) => ({
    ...{ id, body: `Line ${id}`, user: person, created_at: at(id), path: 'src/a.ts', position, original_position: 0, resolver },
  });
  const { read } = answering({
    '/pulls/7/reviews?limit=50&page=1': [
      { id: 2, body: 'Nearly.', user: person, state: 'COMMENT', comments_count: 3, submitted_at: at(9) },
    ],
    '/reviews/2/comments': [line(11, 3), line(12, 4, person), line(13, 4)],
    '/issues/7/comments': [{ id: 1, body: 'Please a test', user: person, created_at: at(1) }],
  });
  expect(await read({ forge: 'gitea', url: 'https://codeberg.org/ann/shop', token: 'a-token' })).toEqual([
    { author: 'ann', path: 'src/a.ts', line: 3, text: 'Line 11' },
    { author: 'ann', path: null, line: null, text: 'Please a test' },
    { author: 'ann', path: null, line: null, text: 'Nearly.' },
  ]);
});

test('C7.05 number and lengths of comments are bounded, hidden characters are shown, and a refusal has its reason', async () => {
  const many = Array.from({ length: 200 }, (_, at) => ({
    ...{ id: at, body: `${at}\u202e${'x'.repeat(5_000)}`, user: { id: 1, login: 'a\nb' }, created_at: '2026-01-15T09:00:00Z' },
  }));
  const { read } = answering({ '/issues/7/comments': many });
  const request = { forge: 'gitea', url: 'https://codeberg.org/ann/shop', token: 'a-token' } as const;
  const comments = await read(request);
  expect(comments.length).toBeLessThanOrEqual(50);
  expect(comments.reduce((sum, { text }) => sum + text.length, 0)).toBe(30_000);
  expect(comments[0]).toMatchObject({ author: 'a b', text: expect.stringMatching(/^150\\u202e/) });
  await expect(answering({}, 403).read(request)).rejects.toMatchObject({ reason: 'needs_token' });
});
