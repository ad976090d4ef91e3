import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Question } from '../../../contract/executions/question.ts';
import type { ReleasedTeam } from '../../../contract/released-team.ts';
import type { CreatedTrigger, ForgeThreadShown, Trigger, TriggerCreation, TriggerDetails } from '../../../contract/trigger.ts';
import { removeOldForgeWork } from '../../../server/modules/triggers/index.ts';
import type { KnownForge } from '../../../server/platform/git/forge-calls.ts';
import type { ForgeNumber } from '../../../server/platform/git/forges/forge.ts';
import { lastReading, storedState } from '../../support/forges/issue-team.ts';
import { PlayedForge } from '../../support/forges/played-forge.ts';
import { setUpAccount, setUpModelServer, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';

const models = setUpModelServer();
const { database, server } = setUpServerOnDatabase(() => ({ OPENAI_BASE_URL: models.url, ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on' }));
const ann = setUpAccount(server);
const triggers = '/project/default/triggers';
const budget = { tokens: 1_000_000 };
const pace = { interval: 50 };
let names = 0;

beforeEach(async () => {
  for (const { id } of (await ann.call<Trigger[]>('GET', triggers)).body) await ann.call('DELETE', `${triggers}/${id}`);
});

async function begun(kind: KnownForge): Promise<PlayedForge> {
  const played = await PlayedForge.start(kind);
  await played.commit({ 'src/cart.ts': 'export const total = 1;\n' }, 'Begin');
  return played;
}

const cart = (total: number) => ({
  kind: 'text' as const,
  text: `\`\`\`ts path=src/cart.ts\nexport const total = ${total};\n\`\`\`\n`,
});

type Given = { settings?: object; more?: Partial<TriggerCreation>; team?: ReleasedTeam; hook?: boolean };

/** A trigger for the events of a forge, which is published to its repository. */
async function listen(forge: PlayedForge, { settings = {}, more = {}, team, hook = true }: Given = {}) {
  const target = { url: forge.url, baseBranch: 'main', forge: forge.kind, token: forge.token };
  expect((await ann.call('PUT', '/project/default/git-target', target)).status).toBe(200);
  const { id: teamId } = team ?? (await released());
  const given = { name: 'Issues', teamId, budget, settings: { kind: 'forge', everyMinutes: 10, ...settings }, ...more };
  const { status, body } = await ann.call<CreatedTrigger>('POST', triggers, given);
  expect([status, body]).toMatchObject([201, { kind: 'forge', overlap: 'queue' }]);
  await expect.poll(() => lastReading(database.pool, body), pace).not.toBeNull();
  if (hook) forge.addHook(String(body.address), String(body.secret));
  return body;
}

async function released(agent: 'developer' | 'assistant' = 'developer'): Promise<ReleasedTeam> {
  const pipeline = await ann.pipeline(agent);
  const given = { pipelineId: pipeline.id, slug: `forge-${++names}`, title: 'Menders', task: 'Do what the issue asks for.', input: [] };
  const { status, body } = await ann.call<ReleasedTeam>('POST', '/project/default/released-teams', given);
  expect(status).toBe(201);
  return body;
}

/** A team whose run waits for a person. */
async function asking(): Promise<ReleasedTeam> {
  const steps = [{ name: 'Ask', agentId: ann.agent('assistant').id, nodeId: 'ask', settings: { person: {} } }];
  const { body: pipeline } = await ann.call<{ id: string }>('POST', '/Pipeline', { name: 'Ask', projectId: 'default', steps });
  const given = { pipelineId: pipeline.id, slug: `forge-${++names}`, title: 'Askers', task: 'Ask', input: [] };
  return (await ann.call<ReleasedTeam>('POST', '/project/default/released-teams', given)).body;
}

const details = async (id: string) => (await ann.call<TriggerDetails>('GET', `${triggers}/${id}`)).body;
const threadOf = async (id: string): Promise<ForgeThreadShown | undefined> => (await details(id)).threads[0];
const untilState = (id: string, state: ForgeThreadShown['state']) =>
  expect.poll(() => storedState(database.pool, { id }), pace).toBe(state);
/** Sends the team to read once more, and waits until it has. */
async function readAgain(id: string, forge: PlayedForge): Promise<void> {
  const before = await lastReading(database.pool, { id });
  const [last] = forge.deliveries.slice(-1);
  if (!last) throw new Error('There was no delivery.');
  expect((await forge.redeliver(last)).at(-1)).toBe(202);
  await expect.poll(() => lastReading(database.pool, { id }), pace).not.toBe(before);
}
const lastPrompt = () => JSON.stringify(models.calls.at(-1)?.body ?? '');
/** The one comment of Artel on an issue. */
const keptOn = (forge: PlayedForge, number: number) => forge.comments({ number, isRequest: false }).filter(({ by }) => by === 'artel-bot');

// The story of GitHub is L5.11.
describe.each(['gitlab', 'gitea'] as const)('on %s', (kind: KnownForge) => {
  let forge: PlayedForge;
  beforeAll(async () => {
    forge = await begun(kind);
  });
  afterAll(() => forge.close());

  test('L6.01 L6.02 a label becomes a draft pull request, and a review a second commit on its branch', async () => {
    const { id } = await listen(forge);
    models.answer(cart(2));
    const issue = forge.open({ title: 'The total is wrong', text: 'It should be two.', by: 'eve' });
    forge.label(issue, 'artel', 'ann');
    await untilState(id, 'published');
    const [request, ...more] = forge.requests();
    expect(more).toEqual([]);
    expect(request).toMatchObject({ isDraft: true, base: 'main', isOpen: true });
    expect(request?.text).toContain(`Closes #${issue.number}`);
    const branch = (await forge.branches())[0] as string;
    expect(await forge.commits(branch)).toHaveLength(1);
    expect(lastPrompt()).toContain('It should be two.');

    models.answer(cart(3));
    forge.review(
      { number: request?.number ?? 0, isRequest: true },
      { lines: [{ path: 'src/cart.ts', line: 1, text: 'Make it three.' }], by: 'bob' },
    );
    await expect.poll(() => forge.pushes(), pace).toBe(2);
    expect(await forge.commits(branch)).toHaveLength(2);
    await untilState(id, 'published');
    expect(lastPrompt()).toContain('Make it three.');
    expect(await forge.fileAt(branch, 'src/cart.ts')).toContain('total = 3');
    expect(forge.requests()).toHaveLength(1);
    await expect
      .poll(() => keptOn(forge, issue.number).map(({ text }) => text), pace)
      .toEqual([expect.stringContaining(`#${request?.number}`)]);
    expect(forge.refusals).toEqual([]);
    forge.closeThread(issue);
  });
});

describe('on GitHub', () => {
  let forge: PlayedForge;
  beforeAll(async () => {
    forge = await begun('github');
  });
  afterAll(() => forge.close());

  test('L6.03 only people with rights start runs, and each refusal says why', async () => {
    const { id } = await listen(forge);
    const issue = forge.open({ title: 'Free coins', text: 'Please', by: 'eve' });
    forge.say(issue, '@artel-bot do it', 'eve');
    await expect
      .poll(async () => (await details(id)).fires.map(({ outcome, reason, detail }) => [outcome, reason, detail]), pace)
      .toEqual([['filtered', 'rights', 'eve']]);
    // The token may be that of a person who does not know it.
    forge.say(issue, '@artel-bot do it', 'artel-bot');
    // A member of the organization may be allowed to read only.
    forge.say(issue, '@artel-bot do it', 'rita');
    // Only GitHub says which accounts are programs.
    forge.say(issue, '@artel-bot do it', 'ci');
    await forge.delivered();
    await readAgain(id, forge);
    expect((await details(id)).threads).toEqual([]);
    expect((await details(id)).fires.map(({ outcome, reason, detail }) => [outcome, reason, detail])).toEqual([
      ['filtered', 'rights', 'rita'],
      ['filtered', 'own_words', 'artel-bot'],
      ['filtered', 'rights', 'eve'],
    ]);
    expect(keptOn(forge, issue.number).map(({ text }) => text)).toEqual(['@artel-bot do it']);
    // One whose membership is private may write, and is called a contributor.
    forge.say(issue, '@artel-bot. Please', 'otto');
    await expect.poll(() => storedState(database.pool, { id }), pace).toBeDefined();
    forge.closeThread(issue);
  });
});

describe('on GitHub, after a year', () => {
  let forge: PlayedForge;
  beforeAll(async () => {
    forge = await begun('github');
  });
  afterAll(() => forge.close());
  const longAgo = new Date(Date.now() - 400 * 86_400_000);
  const left = async (id: string) => {
    const counts = ['forge_seen', 'forge_threads'].map((table) => `(SELECT count(*)::int FROM ${table} WHERE trigger_id = $1) AS ${table}`);
    return (await database.pool.query(`SELECT ${counts.join()}`, [id])).rows[0];
  };
  /** Moves what has happened to a time of which the server keeps nothing but what is open. */
  const age = async (id: string, at: ForgeNumber) => {
    const { events, comments } = forge.state.thread(at.number);
    for (const one of [...events, ...comments]) one.at = longAgo;
    await database.pool.query('UPDATE triggers SET created_at = $2 WHERE id = $1', [id, longAgo]);
    await database.pool.query('UPDATE forge_seen SET seen_at = $2 WHERE trigger_id = $1', [id, longAgo]);
    await database.pool.query('UPDATE forge_threads SET updated_at = $2, told_at = $2 WHERE trigger_id = $1', [id, longAgo]);
    await database.pool.query('DELETE FROM fires WHERE trigger_id = $1', [id]);
  };

  test('L6.11 what was handled is forgotten, an open issue is not, and what is old is not taken again', async () => {
    const { id } = await listen(forge, { team: await released('assistant') });
    models.answer({ kind: 'text', text: 'It is two.' });
    const issue = forge.open({ title: 'The total is wrong', by: 'eve' });
    forge.label(issue, 'artel', 'ann');
    await untilState(id, 'answered');
    await readAgain(id, forge);
    await age(id, issue);
    expect(await removeOldForgeWork(database.work.db, new Date())).toBe(false);
    expect(await left(id)).toEqual({ forge_seen: 0, forge_threads: 1 });

    forge.say(issue, 'Is it done?', 'eve');
    await forge.delivered();
    await readAgain(id, forge);
    expect([(await details(id)).fires, await storedState(database.pool, { id })]).toEqual([[], 'answered']);

    forge.closeThread(issue);
    forge.say(issue, 'It is.', 'ann');
    await untilState(id, 'closed');
    await readAgain(id, forge);
    await age(id, issue);
    await removeOldForgeWork(database.work.db, new Date());
    expect(await left(id)).toEqual({ forge_seen: 0, forge_threads: 0 });

    forge.state.thread(issue.number).isOpen = true;
    forge.say(issue, 'It is wrong again.', 'eve');
    await forge.delivered();
    await readAgain(id, forge);
    expect([(await details(id)).fires, (await details(id)).threads]).toEqual([[], []]);
  });
});

describe('on Gitea', () => {
  let forge: PlayedForge;
  beforeAll(async () => {
    forge = await begun('gitea');
  });
  afterAll(() => forge.close());

  test('L6.04 without hooks the repository is read, and what is there is taken once', async () => {
    const issue = forge.open({ title: 'Already here', by: 'ann' });
    forge.label(issue, 'artel', 'ann');
    models.answer(cart(2));
    const { id } = await listen(forge, { hook: false });
    await untilState(id, 'published');
    expect((await details(id)).fires).toHaveLength(1);
    forge.closeThread(issue);
  });

  test('L6.05 a command by a person with rights stops, shows, answers; the kept comment says what was done', async () => {
    const { id } = await listen(forge, { team: await asking() });
    const issue = forge.open({ title: 'Which colour', by: 'bob' });
    forge.say(issue, '@artel-bot look', 'bob');
    await untilState(id, 'asked');
    await expect.poll(() => keptOn(forge, issue.number).at(-1)?.text, pace).toContain('/answer');
    forge.say(issue, '/budget nine', 'bob');
    await expect.poll(() => keptOn(forge, issue.number).at(-1)?.text, pace).toContain('2.50');
    // Gitea does not say with a comment whether its author has rights: each author is asked for.
    forge.say(issue, '/answer Red', 'eve');
    forge.say(issue, '/answer Blue', 'bob');
    await untilState(id, 'answered');
    const run = (await threadOf(id))?.run?.id;
    const { body } = await ann.call<Question[]>('GET', `/PipelineExecution/${run}/questions`);
    expect(body).toMatchObject([{ state: 'answered', answeredBy: expect.stringContaining('bob') }]);
    forge.say(issue, '/stop', 'bob');
    await expect.poll(() => keptOn(forge, issue.number).at(-1)?.text, pace).toContain('/stop: no run is under way.');
    expect(keptOn(forge, issue.number)).toHaveLength(1);
    forge.closeThread(issue);
  });

  test('L6.06 a failed CI is repaired three times, and then a person is asked', async () => {
    const { id } = await listen(forge, { settings: { repairs: true } });
    models.answer(cart(2));
    const issue = forge.open({ title: 'Repair me', by: 'ann' });
    forge.label(issue, 'artel', 'ann');
    await untilState(id, 'published');
    const branches = await forge.branches();
    const at = async () =>
      (await Promise.all(branches.map(async (branch) => (await forge.commits(branch)).length))).reduce((a, b) => a + b);
    for (const round of [1, 2, 3]) {
      const before = { commits: await at(), pushes: forge.pushes() };
      models.answer(cart(10 + round));
      const branch = String(branches.at(-1));
      await forge.check(branch, { log: `expected ${10 + round}\n` });
      await expect.poll(() => forge.pushes(), pace).toBe(before.pushes + 1);
      expect(await at()).toBe(before.commits + 1);
      await untilState(id, 'published');
      expect(lastPrompt()).toContain(`expected ${10 + round}`);
    }
    await forge.check(String(branches.at(-1)), { log: 'again\n' });
    await untilState(id, 'attention');
    forge.closeThread(issue);
  });

  test('L6.07 more than ten events of an issue in an hour pause it, and a label goes on', async () => {
    const { id } = await listen(forge, { team: await released('assistant') });
    const issue = forge.open({ title: 'Talk', by: 'bob' });
    forge.say(issue, '@artel-bot 1', 'bob');
    await untilState(id, 'answered');
    // Nine more of the same hour.
    await database.pool.query(
      `INSERT INTO fires (trigger_id, key, due_at, at, source, outcome, is_settled)
       SELECT trigger_id, key || number, due_at, at, source, outcome, true FROM fires, generate_series(1, 9) AS number WHERE trigger_id = $1`,
      [id],
    );
    forge.say(issue, '@artel-bot 11', 'bob');
    await untilState(id, 'paused');
    expect((await details(id)).fires[0]).toMatchObject({ outcome: 'refused', reason: 'thread_paused' });
    forge.label(issue, 'artel', 'ann');
    await untilState(id, 'answered');
    forge.closeThread(issue);
  });

  test('L6.10 words that start nothing are given to the next run, on the branch of the same pull request', async () => {
    const { id } = await listen(forge);
    models.answer(cart(2));
    const issue = forge.open({ title: 'Owed words', by: 'ann' });
    forge.label(issue, 'artel', 'ann');
    await untilState(id, 'published');
    const request = { number: (await threadOf(id))?.request?.number ?? 0, isRequest: true };
    const requests = forge.requests().length;
    expect((await ann.call('PUT', `${triggers}/${id}`, { budget: { tokens: 1 } })).status).toBe(200);
    forge.say(request, 'Make it five.', 'bob');
    await untilState(id, 'refused');
    expect((await details(id)).fires[0]).toMatchObject({ outcome: 'refused', reason: 'budget' });
    expect((await ann.call('PUT', `${triggers}/${id}`, { budget })).status).toBe(200);
    models.answer(cart(5));
    forge.label(issue, 'artel', 'ann');
    await untilState(id, 'published');
    expect(lastPrompt()).toContain('Make it five.');
    expect(forge.requests()).toHaveLength(requests);
    forge.closeThread(issue);
  });

  test('L6.08 a trigger of a project without a repository is refused, and another overlap than waiting', async () => {
    const { id: teamId } = await released();
    await ann.call('DELETE', '/project/default/git-target');
    const given = { name: 'Issues', teamId, budget, settings: { kind: 'forge' } };
    expect((await ann.call('POST', triggers, given)).body).toMatchObject({ errors: [{ path: 'settings' }] });
    await ann.call('PUT', '/project/default/git-target', { url: forge.url, baseBranch: 'main', forge: 'gitea', token: forge.token });
    expect((await ann.call('POST', triggers, { ...given, overlap: 'skip' })).body).toMatchObject({ errors: [{ path: 'overlap' }] });
  });
});
