import { describe, expect, test } from 'vitest';
import { type Egress, type EgressRequest, HostRefused } from '../../../../../server/platform/egress/egress.ts';
import { createScrubber } from '../../../../../server/platform/egress/scrubber.ts';
import type { KnownForge } from '../../../../../server/platform/git/forge-calls.ts';
import { createForge } from '../../../../../server/platform/git/forges/create-forge.ts';

type Call = { address: string; request: EgressRequest };
type Reply = { status: number; body: unknown } | Error;

/** Answers calls in order, and keeps them. */
function recorded(replies: Reply[]): { egress: Egress; calls: Call[] } {
  const calls: Call[] = [];
  const egress: Egress = async (address, request = {}) => {
    calls.push({ address, request });
    const reply = replies[calls.length - 1];
    if (!reply || reply instanceof Error) throw reply ?? new Error('No answer is left.');
    const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
    const body = (async function* () {})();
    return {
      status: reply.status,
      ok: reply.status >= 200 && reply.status < 300,
      headers: {},
      body,
      text: async () => text,
      scrubber: createScrubber([token]),
    };
  };
  return { egress, calls };
}

const token = 'a-secret-token';
const about = { head: 'artel/bread-1', base: 'main', title: 'Bake bread', body: '## Task' };
const openDraft = (egress: Egress, forge: KnownForge, url: string) => createForge(egress).openDraft({ forge, url, token }, about);
const sent = ({ request }: Call) => JSON.parse(String(request.body));

const gitHubAnswer = {
  id: 1,
  number: 7,
  state: 'open',
  draft: true,
  html_url: 'https://github.com/ann/shop/pull/7',
  head: { ref: about.head },
};
const gitLabAnswer = {
  id: 84,
  iid: 7,
  state: 'opened',
  draft: true,
  web_url: 'https://gitlab.com/a/b/-/merge_requests/7',
  source_branch: about.head,
};

describe('G3.26 the calls of each server', () => {
  test('GitHub has a field for drafts, and an address of its own for calls', async () => {
    const { egress, calls } = recorded([
      { status: 200, body: [] },
      { status: 201, body: gitHubAnswer },
    ]);
    const opened = await openDraft(egress, 'github', 'https://github.com/ann/shop.git');
    expect(opened).toEqual({ url: gitHubAnswer.html_url, number: 7 });
    expect(calls.map(({ address }) => address)).toEqual([
      'https://api.github.com/repos/ann/shop/pulls?state=open&head=ann%3Aartel%2Fbread-1',
      'https://api.github.com/repos/ann/shop/pulls',
    ]);
    expect(sent(calls[1] as Call)).toEqual({ title: 'Bake bread', head: about.head, base: 'main', body: '## Task', draft: true });
    expect(calls[1]?.request).toMatchObject({ method: 'POST', headers: { authorization: 'Bearer a-secret-token', 'user-agent': 'Artel' } });
  });

  test('a GitHub repository without drafts gets an ordinary request, and the caller learns of it', async () => {
    const refused = { message: 'Validation Failed', errors: [{ message: 'Draft pull requests are not supported in this repository.' }] };
    const { egress, calls } = recorded([
      { status: 200, body: [] },
      { status: 422, body: refused },
      { status: 201, body: gitHubAnswer },
    ]);
    const opened = await openDraft(egress, 'github', 'https://github.com/ann/shop');
    expect(opened).toEqual({ url: gitHubAnswer.html_url, number: 7, hasNoDrafts: true });
    expect(calls.slice(1).map((call) => sent(call as Call))).toMatchObject([{ draft: true }, { draft: false }]);
  });

  test('a GitHub of a company is called on its own host', async () => {
    const { egress, calls } = recorded([{ status: 200, body: [gitHubAnswer] }]);
    await openDraft(egress, 'github', 'https://git.example.com/ann/shop');
    expect(calls.map(({ address }) => new URL(address).pathname)).toEqual(['/api/v3/repos/ann/shop/pulls']);
  });

  test('GitLab knows a draft by its title, and a project by its whole path', async () => {
    const { egress, calls } = recorded([
      { status: 200, body: [] },
      { status: 201, body: gitLabAnswer },
    ]);
    const opened = await openDraft(egress, 'gitlab', 'https://gitlab.com/group/team/shop');
    expect(opened).toEqual({ url: gitLabAnswer.web_url, number: 7 });
    expect(calls[1]?.address).toBe('https://gitlab.com/api/v4/projects/group%2Fteam%2Fshop/merge_requests');
    expect(calls[1]?.request.headers).toMatchObject({ 'private-token': 'a-secret-token' });
    expect(sent(calls[1] as Call)).toEqual({
      ...{ source_branch: about.head, target_branch: 'main', title: 'Draft: Bake bread', description: '## Task' },
    });
  });

  test('Gitea below a folder is called there', async () => {
    const { egress, calls } = recorded([
      { status: 200, body: [] },
      { status: 201, body: gitHubAnswer },
    ]);
    await openDraft(egress, 'gitea', 'https://example.com/git/ann/shop');
    expect(calls[1]?.address).toBe('https://example.com/git/api/v1/repos/ann/shop/pulls');
    expect(calls[1]?.request.headers).toMatchObject({ authorization: 'token a-secret-token' });
    expect(sent(calls[1] as Call)).toMatchObject({ title: 'WIP: Bake bread', head: about.head, base: 'main' });
  });
});

describe('G3.26 a request that is not opened', () => {
  const open = (...replies: Reply[]) => openDraft(recorded(replies).egress, 'github', 'https://github.com/ann/shop');

  test('an open pull request of the branch is returned, also when another call opened that request meanwhile', async () => {
    expect(await open({ status: 200, body: [gitHubAnswer] })).toMatchObject({ number: 7 });
    const exists = { status: 422, body: { message: 'Validation Failed', errors: [{ message: 'A pull request already exists.' }] } };
    expect(await open({ status: 200, body: [] }, exists, { status: 200, body: [gitHubAnswer] })).toMatchObject({ number: 7 });
  });

  test.each([
    [{ status: 401, body: { message: 'Bad credentials' } }, 'needs_token', 'Bad credentials'],
    [{ status: 403, body: { message: 'Forbidden' } }, 'needs_token', 'Forbidden'],
    [{ status: 404, body: { message: ['404', 'Project Not Found'] } }, 'not_found', '404 Project Not Found'],
    [{ status: 502, body: '<html>' }, 'unreachable', ''],
    [{ status: 200, body: '<html>' }, 'refused', ''],
    [new HostRefused('git.example.com'), 'host', ''],
    [new Error('ECONNREFUSED'), 'unreachable', ''],
  ] as [Reply, string, string][])('%j', async (reply, reason, text) => {
    await expect(open(reply)).rejects.toMatchObject({ reason, text });
  });

  test('a refusal is told in short, and an address that is no web page is not shown', async () => {
    const long = { status: 422, body: { message: 'x'.repeat(10_000) } };
    const failure = await open({ status: 200, body: [] }, long, { status: 200, body: [] }).catch((error) => error);
    expect(failure).toMatchObject({ reason: 'refused' });
    expect(failure.text).toHaveLength(300);
    const hostile = { status: 201, body: { ...gitHubAnswer, html_url: 'javascript:alert(1)' } };
    await expect(open({ status: 200, body: [] }, hostile)).rejects.toMatchObject({ reason: 'refused' });
  });
});

test('L5.18 a request of a repository that another account owns by now is found there', async () => {
  const refusal = {
    status: 422,
    body: { message: 'Validation Failed', errors: [{ message: 'A pull request already exists for ben:artel/bread-1.' }] },
  };
  const none = { status: 200, body: [] };
  const { egress, calls } = recorded([
    none,
    refusal,
    none,
    { status: 200, body: { owner: { login: 'ben' } } },
    { status: 200, body: [gitHubAnswer] },
  ]);
  const opened = await openDraft(egress, 'github', 'https://github.com/ann/shop');
  expect(opened).toEqual({ url: gitHubAnswer.html_url, number: 7 });
  expect(calls.at(-1)?.address).toContain('head=ben%3Aartel%2Fbread-1');
});
