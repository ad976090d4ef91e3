import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEgress, type Egress } from '../../../server/platform/egress/egress.ts';
import { createScrubber } from '../../../server/platform/egress/scrubber.ts';
import { createForge } from '../../../server/platform/git/forges/create-forge.ts';
import type { ForgeNumber } from '../../../server/platform/git/forges/forge.ts';
import { PlayedForge } from '../../support/forges/played-forge.ts';
import {
  deviationsOf,
  exampleOf,
  type MadeCall,
  type Operation,
  operationOf,
  publishedOf,
  recording,
} from '../../support/forges/published/published-operations.ts';

/** Calls that a document of this date does not have, which the product can do without. */
const unpublished = { github: [], gitlab: [], gitea: [/\/actions\//] };

describe.each(['github', 'gitlab', 'gitea'] as const)('%s', (kind) => {
  const published = publishedOf(kind);
  let played: PlayedForge;
  let made: MadeCall[];
  beforeAll(async () => {
    played = await PlayedForge.start(kind);
    await played.commit({ 'src/cart.ts': 'export const total = 1;\n' }, 'Begin');
    made = await everyCall(played);
  });
  afterAll(() => played.close());

  /** Has the product make each of its calls to a played forge, and returns them with the answers. */
  async function everyCall(forge: PlayedForge): Promise<MadeCall[]> {
    const { egress, made: all } = recording(createEgress({ allowPrivate: true, proxies: null }), published.root);
    const place = { forge: kind, url: forge.url, token: forge.token };
    const product = createForge(egress);
    const issue = forge.open({ title: 'The total is wrong', text: 'Words', by: 'eve' });
    forge.label(issue, 'artel', 'bob');
    forge.say(issue, 'Words', 'bob');
    await forge.commit({ 'src/cart.ts': 'export const total = 2;\n' }, 'Change', { branch: 'artel/cart' });
    const { number } = await product.openDraft(place, { head: 'artel/cart', base: 'main', title: 'Total', body: 'Text' });
    const request: ForgeNumber = { number, isRequest: true };
    forge.review(request, { text: 'Nearly.', lines: [{ path: 'src/cart.ts', line: 1, text: 'Why?' }], by: 'ann' });
    forge.review(request, { text: 'Good.', by: 'bob', isApproval: true });
    await forge.check('artel/cart', { name: 'tests', outcome: 'failure', log: 'not ok\n' });
    const self = await product.self(place);
    await product.labelled(place, 'artel');
    await product.changed(place, new Date(Date.now() - 60_000).toISOString());
    for (const at of [issue, request]) await product.thread(place, at);
    await product.lastLabelling(place, issue, 'artel');
    for (const at of [issue, request]) await product.comments(place, at);
    await product.mayWrite(place, self);
    const comment = await product.addComment(place, issue, 'Started');
    await product.changeComment(place, issue, comment, 'Done');
    await product.failure(place, (await forge.headOf('artel/cart')) ?? '');
    // What is not there is told from a repository that cannot be read by a call to the repository.
    await product.thread(place, { number: 999, isRequest: false });
    return all.filter(({ path }) => !path.startsWith('/_logs') && !unpublished[kind].some((one) => one.test(path)));
  }

  test('L5.21 each call of the product, and each answer of the played forge, is as the forge publishes it', () => {
    expect(made.flatMap((call) => deviationsOf(published, call))).toEqual([]);
    const called = new Set(made.map((call) => operationOf(published, call)));
    // Read where the checks of a commit are closed to the token, and where comments are too long.
    const optional = ({ path }: Operation) => /\/actions\/runs/.test(path);
    expect(published.operations.filter((one) => !called.has(one) && !optional(one)).map(({ method, path }) => `${method} ${path}`)).toEqual(
      [],
    );
  });

  // Only GitHub says which fields are always there.
  const sizes = kind === 'github' ? (['least', 'most'] as const) : (['most'] as const);
  test.each(sizes)('L5.21 the product reads each answer that the forge publishes: with the %s fields', async (size) => {
    const place = { forge: kind, url: 'https://git.example.com/ann/shop', token: 'a-secret-token' };
    const product = createForge(answering(size));
    const issue: ForgeNumber = { number: 7, isRequest: false };
    const request: ForgeNumber = { number: 7, isRequest: true };
    const read = {
      self: (await product.self(place)).login !== '',
      thread: (await product.thread(place, issue))?.number,
      request: (await product.thread(place, request))?.number,
      changed: (await product.changed(place, '2026-01-01T00:00:00.000Z')).length > 0,
      comments: (await product.comments(place, issue)).map(({ id }) => id),
      comment: await product.addComment(place, issue, 'Words'),
      changed_comment: await product.changeComment(place, issue, 'comment:7', 'Words'),
    };
    expect(read).toEqual({
      ...{ self: true, thread: 7, request: 7, changed: true },
      // Without its text a comment says nothing, and a note of GitLab with a place is on a line.
      ...{ comments: size === 'least' ? [] : [kind === 'gitlab' ? 'line:7' : 'comment:7'], comment: 'comment:7', changed_comment: true },
    });
    const said = await product.comments(place, request);
    // A review without words and lines says nothing.
    if (size === 'most') expect(said.length).toBeGreaterThan(0);
    await product.lastLabelling(place, issue, 'words');
    await product.mayWrite(place, { id: '7', login: 'words', isBot: false });
    await product.failure(place, 'f00d');
  });

  test('L5.21 what is not published is found: a path, a parameter and its value, a field of a body and of an answer', () => {
    const list = made.find((call) => /\/issues$/.test(call.path)) as MadeCall;
    const post = made.find((call) => call.method === 'POST' && /\/(?:comments|notes)$/.test(call.path)) as MadeCall;
    const wrong: MadeCall[] = [
      { ...list, path: `${list.path}s` },
      { ...list, query: new URLSearchParams({ flavour: 'plum' }) },
      { ...list, query: new URLSearchParams({ state: 'half' }) },
      { ...list, answer: [{ flavour: 'plum' }] },
      { ...list, answer: [{ title: 5 }] },
      { ...post, body: { text: 'Words' } },
      { ...post, body: {} },
    ];
    for (const call of wrong) expect(deviationsOf(published, call)).not.toEqual([]);
    expect([list, post].flatMap((call) => deviationsOf(published, call))).toEqual([]);
  });

  /** Answers each call as the document says. */
  function answering(size: 'least' | 'most'): Egress {
    return async (address, request = {}) => {
      const url = new URL(address);
      const operation = operationOf(published, { method: request.method ?? 'GET', path: url.pathname.slice(published.root.length) });
      const [status = '404', schema] = Object.entries(operation?.responses ?? {}).find(([code]) => code.startsWith('2')) ?? [];
      const isFirst = (url.searchParams.get('page') ?? '1') === '1';
      const body = schema && isFirst ? exampleOf(schema, size) : [];
      const said = JSON.stringify(status === '404' ? { message: 'Not Found' } : body);
      return {
        status: Number(status),
        ok: status !== '404',
        headers: {},
        body: (async function* () {
          yield Buffer.from(said);
        })(),
        text: async () => said,
        scrubber: createScrubber([]),
      };
    };
  }
});
