import { expect, test } from 'vitest';
import type { ThreadRow } from '../../../../server/modules/triggers/forge/kept-comment.ts';
import { KeptComments } from '../../../../server/modules/triggers/forge/kept-comments.ts';
import { RequestFailed } from '../../../../server/platform/git/forge-calls.ts';

const place = { number: 7, requestNumber: 8, requestUrl: 'https://forge.example.com/a/b/pulls/8' };

/** The comment of one issue, on a forge that carries out each write; `lose` has the answer of the next one lost. */
function keptComment() {
  let thread = { ...place, id: 'one', state: 'started', detail: null, note: null, problem: null } as unknown as ThreadRow;
  thread = { ...thread, commentId: null, commentSha: null, toldAt: null, updatedAt: new Date(0) };
  let changes = 0;
  let isLost = false;
  const shown: string[] = [];
  const write = <Answer>(text: string, answer: Answer) => {
    shown.push(text);
    if (!isLost) return answer;
    isLost = false;
    throw new RequestFailed('unreachable');
  };
  const change = async (_id: string, values: Partial<ThreadRow>) => {
    thread = { ...thread, ...values };
  };
  const threads = {
    firstWaiting: async () => null,
    untold: async () => (thread.toldAt?.getTime() === thread.updatedAt.getTime() ? [] : [thread]),
    told: change,
    tells: (id: string) => change(id, { commentSha: null }),
  };
  const forge = {
    comments: async () => [],
    addComment: async (_target: unknown, _issue: unknown, text: string) => write(text, 'comment:1'),
    changeComment: async (_target: unknown, _issue: unknown, _id: string, text: string) => write(text, true),
  };
  const asked = {
    ...{ trigger: { id: 'trigger', projectId: 'project' }, target: { url: 'https://forge.example.com/a/b' }, team: 'mend', language: 'en' },
    ...{ settings: { label: 'artel', takesMentions: false }, assertLease: async () => {} },
  };
  const alone = (work: () => Promise<void>) =>
    work().then(
      () => true,
      () => false,
    );
  const within = { self: { id: '1', login: 'artel-bot', isBot: true }, alone, isRefused: () => false };
  const kept = new KeptComments({ forge, threads, address: () => 'https://artel.example.com' } as never, asked as never, within);
  return {
    shown,
    lose: () => {
      isLost = true;
    },
    tell: (state: ThreadRow['state']) => {
      thread = { ...thread, state, updatedAt: new Date(++changes) };
      return kept.tell();
    },
  };
}

test('L5.12 a comment whose change was carried out, but whose answer was lost, does not count as saying what it said before', async () => {
  const { shown, lose, tell } = keptComment();
  await tell('published');
  lose();
  await tell('started');
  await tell('published');
  expect(shown).toHaveLength(3);
  expect(shown[2]).toBe(shown[0]);
});

test('L5.12 a comment that already says what has become of an issue is not written again', async () => {
  const { shown, tell } = keptComment();
  await tell('published');
  await tell('published');
  expect(shown).toHaveLength(1);
});
