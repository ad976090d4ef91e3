import { expect, test } from 'vitest';
import type { Egress } from '../../../../server/platform/egress/egress.ts';
import { createScrubber } from '../../../../server/platform/egress/scrubber.ts';
import { createReviewComments } from '../../../../server/platform/git/review-comments.ts';

/** Answers calls by the ends of their addresses. */
function answering(answers: Record<string, unknown>, status = 200) {
  const calls: { address: string; request: Parameters<Egress>[1] }[] = [];
  const egress = (async (address: string, request: Parameters<Egress>[1]) => {
    calls.push({ address, request });
    const [, body] = Object.entries(answers).find(([end]) => address.endsWith(end)) ?? ['', []];
    return { status, ok: status < 300, headers: {}, text: async () => JSON.stringify(body), scrubber: createScrubber(['a-token']) };
  }) as unknown as Egress;
  return { read: createReviewComments(egress), calls };
}

const by = (login: string, type = 'User') => ({ login, __typename: type });
const nodes = (...all: [string, ReturnType<typeof by>][]) => ({ nodes: all.map(([body, author]) => ({ body, author })) });

test('C7.05 GitHub: open threads with path and line come first, then what people say of the whole; bots and resolved ones do not', async () => {
  const pullRequest = {
    reviewThreads: {
      nodes: [
        { isResolved: true, path: 'old.ts', line: 1, comments: nodes(['Done', by('ann')]) },
        { isResolved: false, path: 'src/a.ts', line: 3, comments: nodes(['Why?', by('ann')], ['Because', by('bob')]) },
      ],
    },
    reviews: nodes(['', by('ann')], ['Nearly.', by('ann')]),
    comments: nodes(['Coverage 80 %', by('codecov', 'Bot')], ['Please a test', by('bob')]),
  };
  const { read, calls } = answering({ '/graphql': { data: { repository: { pullRequest } } } });
  expect(await read({ forge: 'github', url: 'https://github.com/ann/shop.git', token: 'a-token', number: 7 })).toEqual([
    { author: 'ann', path: 'src/a.ts', line: 3, text: 'Why?' },
    { author: 'bob', path: 'src/a.ts', line: 3, text: 'Because' },
    { author: 'ann', path: null, line: null, text: 'Nearly.' },
    { author: 'bob', path: null, line: null, text: 'Please a test' },
  ]);
  expect(calls.map(({ address }) => address)).toEqual(['https://api.github.com/graphql']);
  expect(JSON.parse(String(calls[0]?.request?.body)).variables).toEqual({ owner: 'ann', name: 'shop', number: 7 });
  const own = answering({ '/graphql': {} });
  await own.read({ forge: 'github', url: 'https://git.example.com/ann/shop', token: 'a-token', number: 7 });
  expect(own.calls[0]?.address).toBe('https://git.example.com/api/graphql');
});

test('C7.05 GitLab: notes of the system, of bots and resolved ones are left out', async () => {
  const note = (body: string, changes = {}) => ({
    body,
    system: false,
    resolved: false,
    author: { username: 'ann', bot: false },
    ...changes,
  });
  const { read, calls } = answering({
    '/discussions?per_page=100': [
      { notes: [note('Nearly.'), note('changed the title', { system: true }), note('Scan', { author: { username: 'b', bot: true } })] },
      { notes: [note('Why?', { position: { new_path: 'src/a.ts', new_line: 3 } }), note('Done', { resolved: true })] },
    ],
  });
  expect(await read({ forge: 'gitlab', url: 'https://gitlab.com/group/team/shop', token: 'a-token', number: 7 })).toEqual([
    { author: 'ann', path: 'src/a.ts', line: 3, text: 'Why?' },
    { author: 'ann', path: null, line: null, text: 'Nearly.' },
  ]);
  expect(calls[0]?.address).toContain('/api/v4/projects/group%2Fteam%2Fshop/merge_requests/7/discussions');
});

test('C7.05 Gitea: comments of reviews without a resolver, and those on the whole', async () => {
  const user = { login: 'ann' };
  const { read } = answering({
    '/pulls/7/reviews?limit=50': [{ id: 2, body: 'Nearly.', user, comments_count: 2 }],
    '/reviews/2/comments': [
      { body: 'Why?', user, path: 'src/a.ts', position: 3, resolver: null },
      { body: 'Done', user, path: 'src/a.ts', position: 4, resolver: user },
    ],
    '/issues/7/comments': [{ body: 'Please a test', user }],
  });
  expect(await read({ forge: 'gitea', url: 'https://codeberg.org/ann/shop', token: 'a-token', number: 7 })).toEqual([
    { author: 'ann', path: 'src/a.ts', line: 3, text: 'Why?' },
    { author: 'ann', path: null, line: null, text: 'Nearly.' },
    { author: 'ann', path: null, line: null, text: 'Please a test' },
  ]);
});

test('C7.05 number and lengths of comments are bounded, hidden characters are shown, and a refusal has its reason', async () => {
  const many = Array.from({ length: 200 }, (_, at) => ({ body: `${at}\u202e${'x'.repeat(5_000)}`, user: { login: 'a\nb' } }));
  const { read } = answering({ '/issues/7/comments': many });
  const request = { forge: 'gitea', url: 'https://codeberg.org/ann/shop', token: 'a-token', number: 7 } as const;
  const comments = await read(request);
  expect(comments.length).toBeLessThanOrEqual(50);
  expect(comments.reduce((sum, { text }) => sum + text.length, 0)).toBe(30_000);
  expect(comments[0]).toMatchObject({ author: 'a b', text: expect.stringMatching(/^0\\u202e/) });
  await expect(answering({}, 403).read(request)).rejects.toMatchObject({ reason: 'needs_token' });
});
