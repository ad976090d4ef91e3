import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkWebhook } from '../../../server/modules/triggers/webhook-secret.ts';
import { createEgress } from '../../../server/platform/egress/egress.ts';
import { createForge } from '../../../server/platform/git/forges/create-forge.ts';
import type { ForgeNumber } from '../../../server/platform/git/forges/forge.ts';
import { readReviewComments } from '../../../server/platform/git/review-comments.ts';
import { botLogin, PlayedForge } from '../../support/forges/played-forge.ts';
import { startHookReceiver } from '../../support/services/hook-receiver.ts';

const egress = createEgress({ allowPrivate: true, proxies: null });
const forge = createForge(egress);
const draftOf = (head: string) => ({ head, base: 'main', title: 'Total', body: 'Text' });

describe.each(['github', 'gitlab', 'gitea'] as const)('%s', (kind) => {
  let played: PlayedForge;
  const place = () => ({ forge: kind, url: played.url, token: played.token });
  const since = new Date(Date.now() - 1_000).toISOString();

  beforeAll(async () => {
    played = await PlayedForge.start(kind);
    await played.commit({ 'src/cart.ts': 'export const total = 1;\n' }, 'Begin');
  });
  afterAll(() => played.close());

  /** A draft pull request of a branch with one commit. */
  async function request(branch: string): Promise<ForgeNumber> {
    await played.commit({ 'src/cart.ts': `export const total = '${branch}';\n` }, 'Change', { branch });
    const { number } = await forge.openDraft(place(), draftOf(branch));
    return { number, isRequest: true };
  }

  test('L5.10 finds open issues with the label, and who has set it, also when it is set again', async () => {
    expect(await forge.labelled(place(), 'artel')).toEqual([]);
    const issue = played.open({ title: 'Dates are wrong', text: 'All of them', by: 'eve' });
    const closed = played.open({ title: 'Old', by: 'ann' });
    played.open({ title: 'Other', by: 'ann' });
    played.label(issue, 'artel', 'bob');
    played.label(closed, 'artel', 'ann');
    played.closeThread(closed);
    const [found, ...others] = await forge.labelled(place(), 'artel');
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      ...issue,
      title: 'Dates are wrong',
      text: 'All of them',
      isOpen: true,
      labels: ['artel'],
      author: { login: 'eve' },
    });
    expect(found?.url).toMatch(/^http:.*issues\/\d+$/);

    const first = await forge.lastLabelling(place(), issue, 'artel');
    expect(first?.by.login).toBe('bob');
    played.unlabel(issue, 'artel', 'bob');
    expect(await forge.lastLabelling(place(), issue, 'artel')).toEqual(first);
    played.label(issue, 'artel', 'eve');
    const second = await forge.lastLabelling(place(), issue, 'artel');
    expect(second?.by.login).toBe('eve');
    expect(second?.id).not.toBe(first?.id);
    expect(await forge.lastLabelling(place(), issue, 'bug')).toBeNull();
  });

  test('L5.10 asks which accounts may change the repository', async () => {
    expect(await forge.self(place())).toMatchObject({ login: botLogin });
    const issue = played.open({ title: 'Rights', by: 'eve' });
    for (const person of ['ann', 'bob', 'eve', 'ci', 'rita', 'otto'] as const) played.say(issue, 'Words', person);
    const comments = await forge.comments(place(), issue);
    const rights = await Promise.all(comments.map(({ author }) => forge.mayWrite(place(), author)));
    // GitHub calls Rita a member, who may only read, and Otto a contributor, who may write.
    expect(rights).toEqual([true, true, false, true, false, true]);
    // Only GitHub says with a comment that its author is a program.
    const isGitHub = kind === 'github';
    expect(comments.map(({ author }) => author.isBot)).toEqual([false, false, false, isGitHub, false, false]);
  });

  test('L5.10 keeps one comment of its own', async () => {
    const issue = played.open({ title: 'Comment', by: 'ann' });
    const id = await forge.addComment(place(), issue, '<!-- artel:1 -->\nStarted');
    expect(await forge.changeComment(place(), issue, id, '<!-- artel:1 -->\nDone')).toBe(true);
    expect(await forge.changeComment(place(), issue, 'comment:999999', 'Words')).toBe(false);
    expect(await forge.changeComment(place(), issue, 'line:1', 'Words')).toBe(false);
    expect(played.comments(issue)).toEqual([{ by: botLogin, text: '<!-- artel:1 -->\nDone' }]);
    expect(await forge.comments(place(), issue)).toMatchObject([{ id, text: '<!-- artel:1 -->\nDone', author: { login: botLogin } }]);
  });

  test('L5.10 reads what was said about a pull request, each once and with the same name again', async () => {
    const at = await request('artel/said');
    expect(await forge.comments(place(), at)).toEqual([]);
    played.say(at, 'Please a test', 'bob');
    const [line = 0] = played.review(at, { text: 'Nearly.', lines: [{ path: 'src/cart.ts', line: 1, text: 'Why?' }], by: 'ann' });
    played.review(at, { text: 'Not yet', lines: [{ path: 'src/cart.ts', line: 1, text: 'Later' }], by: 'ann', isPending: true });
    played.reply(at, line, 'Because', 'bob');
    const said = await forge.comments(place(), at);
    const shown = said.map(({ author, text, lines }) => [author.login, text, ...lines.map((one) => `${one.path}:${one.line} ${one.text}`)]);
    const onLine = 'src/cart.ts:1 Why?';
    const review =
      kind === 'gitlab'
        ? [
            ['ann', 'Nearly.'],
            ['ann', '', onLine],
          ]
        : [['ann', 'Nearly.', onLine]];
    expect(shown).toEqual([['bob', 'Please a test'], ...review, ['bob', '', 'src/cart.ts:1 Because']]);
    expect(new Set(said.map(({ id }) => id)).size).toBe(said.length);
    expect(await forge.comments(place(), at)).toEqual(said);
    const { number } = at;
    const open = await readReviewComments(forge, place(), number);
    expect(open.map(({ text }) => text)).toEqual(expect.arrayContaining(['Why?', 'Because', 'Nearly.', 'Please a test']));
  });

  test('L5.22 what is resolved is left out, with its answers, by triggers and by a follow-up alike', async () => {
    const at = await request('artel/resolved');
    const lines = ['Old', 'Open'].map((text, index) => ({ path: 'src/cart.ts', line: index + 1, text }));
    const [old = 0, open = 0] = played.review(at, { text: 'Look.', lines, by: 'ann' });
    played.reply(at, old, 'Done', 'bob');
    played.reply(at, open, 'Not yet', 'bob');
    played.resolve(at, old);
    const said = await forge.comments(place(), at);
    const texts = said.flatMap(({ text, lines: all }) => [text, ...all.map((one) => one.text)]).filter((text) => text !== '');
    expect(texts.toSorted()).toEqual(['Look.', 'Not yet', 'Open']);
    const followed = await readReviewComments(forge, place(), at.number);
    expect(followed.map(({ text }) => text)).not.toContain('Old');
    expect(followed.map(({ text }) => text)).toEqual(expect.arrayContaining(['Look.', 'Open', 'Not yet']));
  });

  test('G3.26 opens a draft of a branch, and finds the one that is open', async () => {
    const { number } = await request('artel/draft');
    const again = await forge.openDraft(place(), draftOf('artel/draft'));
    expect(again).toEqual({ number, url: expect.stringMatching(new RegExp(`^http:.*/${number}$`)) });
    expect(played.state.thread(number, true)).toMatchObject({ isDraft: true, head: 'artel/draft' });
    expect((await request('artel/another')).number).toBeGreaterThan(number);
    played.closeThread({ number, isRequest: true });
    expect((await forge.openDraft(place(), draftOf('artel/draft'))).number).toBeGreaterThan(number);
  });

  test('L5.10 reads issues and pull requests in the order of their changes', async () => {
    const at = await request('artel/changed');
    const issue = played.open({ title: 'Changed', by: 'ann' });
    played.state.thread(at.number, true).updatedAt = new Date(Date.now() + 10_000);
    played.state.thread(issue.number, false).updatedAt = new Date(Date.now() + 5_000);
    const changed = await forge.changed(place(), since);
    expect(changed.slice(-2).map(({ number, isRequest }) => ({ number, isRequest }))).toEqual([issue, at]);
    const later = await forge.changed(place(), changed.at(-1)?.updatedAt ?? '');
    expect(later).toMatchObject([{ ...at, updatedAt: changed.at(-1)?.updatedAt }]);
    expect(await forge.thread(place(), at)).toMatchObject({ ...at, isOpen: true });
    expect(await forge.thread(place(), { number: 999, isRequest: false })).toBeNull();
  });

  test('L5.10 reads the failed check of a commit with its log, once all have ended', async () => {
    await request('artel/checked');
    const sha = (await played.headOf('artel/checked')) ?? '';
    expect(await forge.failure(place(), sha)).toBeNull();
    await played.check('artel/checked', { name: 'lint', outcome: null });
    await played.check('artel/checked', { name: 'tests', outcome: 'failure', log: 'not ok 1 - total\n' });
    expect(await forge.failure(place(), sha)).toBeNull();
    await played.check('artel/checked', { name: 'lint', outcome: 'success' });
    expect(await forge.failure(place(), sha)).toMatchObject({ name: expect.stringContaining('tests'), log: 'not ok 1 - total\n' });
    await played.check('artel/checked', { name: 'tests', outcome: 'success' });
    expect(await forge.failure(place(), sha)).toBeNull();
  });

  test('L5.10 a token that the forge does not know is refused', async () => {
    const wrong = { ...place(), token: 'another-token' };
    await expect(forge.self(wrong)).rejects.toMatchObject({ reason: 'needs_token' });
    await expect(forge.labelled(wrong, 'artel')).rejects.toMatchObject({ reason: 'needs_token' });
  });

  test('L1.02 what it tells a hook is signed as its kind does it, also when it is sent again', async () => {
    const receiver = await startHookReceiver();
    played.addHook(receiver.url, 'a secret');
    const issue = played.open({ title: 'Told', by: 'ann' });
    played.label(issue, 'artel', 'ann');
    played.say(issue, 'Words', 'bob');
    await played.delivered();
    expect(played.deliveries.map(({ status }) => status)).toEqual([204, 204]);
    for (const { headers, body } of receiver.calls) {
      const given = { headers, body: Buffer.from(body), now: new Date() };
      expect(checkWebhook(kind, ['a secret'], given)).toBe('genuine');
      expect(checkWebhook(kind, ['another'], given)).toBe('forged');
    }
    const [first] = played.deliveries;
    if (first) expect(await played.redeliver(first)).toEqual([204]);
    expect(receiver.calls.at(-1)?.body).toBe(receiver.calls[0]?.body);
    await receiver.close();
  });

  test('L5.10 takes all these calls: a forge that is as strict as a real one has refused none', async () => {
    // An unknown token, what is gone, and a person who is no member.
    const expected = [/Bad credentials/, /999/, /members/];
    expect(played.refusals.filter((refusal) => !expected.some((one) => one.test(refusal)))).toEqual([]);
    expect(played.writes.length).toBeGreaterThan(4);
  });
});

test('L5.10 a forge that is a program of its own is read as well', async () => {
  const child = spawn(process.execPath, ['tests/support/forges/serve.ts', 'gitlab'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async <T>() => JSON.parse(String((await lines.next()).value)) as T;
  const place = { forge: 'gitlab', ...(await read<{ url: string; token: string }>()) } as const;
  child.stdin.write(`${JSON.stringify({ call: 'open', args: [{ title: 'Dates are wrong', by: 'ann' }] })}\n`);
  const issue = await read<ForgeNumber>();
  expect(await forge.thread(place, issue)).toMatchObject({ ...issue, title: 'Dates are wrong' });
  child.stdin.end();
  expect(await once(child, 'exit')).toEqual([0, null]);
});
