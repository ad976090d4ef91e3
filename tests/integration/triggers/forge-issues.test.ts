import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ReleasedTeam } from '../../../contract/released-team.ts';
import type { CreatedTrigger, ForgeThreadShown, Trigger, TriggerCreation, TriggerDetails } from '../../../contract/trigger.ts';
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

const details = async (id: string) => (await ann.call<TriggerDetails>('GET', `${triggers}/${id}`)).body;
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
/** The one comment of Artel on an issue. */
const keptOn = (forge: PlayedForge, number: number) => forge.comments({ number, isRequest: false }).filter(({ by }) => by === 'artel-bot');

const firesOf = async (id: string) => (await details(id)).fires.map(({ about, outcome, reason }) => [about, outcome, reason]);
const request = (forge: PlayedForge): ForgeNumber => ({ number: forge.requests().at(-1)?.number ?? 0, isRequest: true });

describe('on GitHub', () => {
  let forge: PlayedForge;
  beforeAll(async () => {
    forge = await begun('github');
  });
  afterAll(() => forge.close());

  test('L6.13 L6.14 request, branch and commits are named after what was asked, and an approval is noted and starts nothing', async () => {
    const { id } = await listen(forge);
    models.answer(cart(2));
    const issue = forge.open({ title: 'The total is wrong', text: 'Fixes #99, says the test.', by: 'eve' });
    forge.label(issue, 'artel', 'ann');
    await untilState(id, 'published');
    const [opened] = forge.requests();
    expect(opened?.title).toBe(`The total is wrong (#${issue.number})`);
    expect(opened?.head).toMatch(/^artel\/the-total-is-wrong-/);
    expect(opened?.text).not.toMatch(/fixes #/i);
    expect(opened?.text).toContain(`Closes #${issue.number}`);

    forge.review(request(forge), { text: 'Looks good to me, thanks!', by: 'bob', isApproval: true });
    forge.review(request(forge), { by: 'ann', isApproval: true });
    const noted = [`#${request(forge).number} request`, 'filtered', 'asks_nothing'];
    await expect.poll(async () => (await firesOf(id)).filter(([, outcome]) => outcome === 'filtered'), pace).toEqual([noted, noted]);
    expect([forge.pushes(), await storedState(database.pool, { id })]).toEqual([1, 'published']);

    models.answer(cart(3));
    forge.say(request(forge), 'Please make it three.\n\nThanks.', 'bob');
    await expect.poll(() => forge.pushes(), pace).toBe(2);
    expect((await forge.commits(String(opened?.head))).map(({ subject }) => subject)).toEqual([
      `The total is wrong (#${issue.number})`,
      `Please make it three. (#${issue.number})`,
    ]);
    await untilState(id, 'published');
    forge.closeThread(issue);
  });

  test('L6.16 an issue that is behind many waits and starts by itself, and one comment says how many wait', async () => {
    const { id } = await listen(forge, { team: await released('assistant') });
    const before = forge.open({ title: 'Before', by: 'eve' });
    forge.label(before, 'artel', 'ann');
    await untilState(id, 'answered');
    // More than webhooks may have, none of which has its turn yet.
    await database.pool.query(
      `INSERT INTO fires (trigger_id, key, due_at, at, source, outcome, reason, not_before)
       SELECT $1, 'before' || number, now(), now(), '{"about": null}', 'waiting', 'busy', now() + interval '1 h' FROM generate_series(1, 25) AS number`,
      [id],
    );
    const issues = ['One', 'Two', 'Three'].map((title) => forge.open({ title, by: 'eve' }));
    for (const issue of issues) forge.label(issue, 'artel', 'ann');
    const shown = () => Promise.all(issues.map(({ number }) => storedState(database.pool, { id }, number)));
    await expect.poll(shown, pace).toEqual(['waiting', 'waiting', 'waiting']);
    await readAgain(id, forge);
    expect(issues.flatMap(({ number }) => keptOn(forge, number)).map(({ text }) => text)).toEqual([
      expect.stringContaining('Issues that wait behind this one: 2'),
    ]);
    // A budget that is used up meanwhile refuses none of those that wait.
    const waitingFor = async () => {
      const { rows } = await database.pool.query<{ reason: string }>(
        `SELECT DISTINCT reason FROM fires WHERE trigger_id = $1 AND outcome = 'waiting' AND reason = 'budget'`,
        [id],
      );
      return rows.length;
    };
    expect((await ann.call('PUT', `${triggers}/${id}`, { budget: { tokens: 1 } })).status).toBe(200);
    await database.pool.query(`DELETE FROM fires WHERE trigger_id = $1 AND key LIKE 'before%'`, [id]);
    await expect.poll(waitingFor, pace).toBe(1);
    expect(await shown()).toEqual(['waiting', 'waiting', 'waiting']);
    expect((await ann.call('PUT', `${triggers}/${id}`, { budget })).status).toBe(200);
    await database.pool.query('UPDATE fires SET not_before = NULL WHERE trigger_id = $1', [id]);
    await expect.poll(shown, pace).toEqual(['answered', 'answered', 'answered']);
    for (const { number } of issues) await expect.poll(() => keptOn(forge, number).length, pace).toBe(1);
    for (const issue of [before, ...issues]) forge.closeThread(issue);
  });

  test('L6.17 an issue that is locked is a problem of this issue, whose run is published', async () => {
    const { id } = await listen(forge);
    models.answer(cart(4));
    const issue = forge.open({ title: 'Locked', by: 'eve' });
    const locked = { status: 403, body: { message: 'Unable to create comment because issue is locked.' } };
    forge.refuseOnce(new RegExp(`/issues/${issue.number}/comments$`), locked);
    forge.label(issue, 'artel', 'ann');
    const [problem, reading] = await expectProblem(id);
    expect([problem, reading]).toEqual(['locked', null]);
    await untilState(id, 'published');
    await expect.poll(() => keptOn(forge, issue.number).length, pace).toBe(1);
    await expect.poll(async () => (await details(id)).threads[0]?.problem, pace).toBeNull();
    forge.closeThread(issue);
  });

  test('L5.17 a secondary limit is told as a limit with the time until which it waits, and the next wait is longer', async () => {
    const { id } = await listen(forge);
    const limit = {
      status: 403,
      body: { message: 'You have exceeded a secondary rate limit.' },
      headers: { 'x-ratelimit-remaining': '4990' },
    };
    const waits: number[] = [];
    for (const _ of [1, 2]) {
      forge.refuseOnce(/\/user$/, limit);
      await database.pool.query('UPDATE forge_readings SET not_before = NULL, problem = NULL WHERE trigger_id = $1', [id]);
      const [last] = forge.deliveries.slice(-1);
      await database.pool.query(`UPDATE triggers SET next_at = now() + interval '1 h' WHERE id = $1`, [id]);
      if (last) await forge.redeliver(last);
      await expect.poll(async () => (await details(id)).forge?.problem, pace).toBe('limited');
      const { forge: state, nextAt } = await details(id);
      waits.push((Date.parse(state?.waitsUntil ?? '') - Date.now()) / 1_000);
      expect(Date.parse(nextAt ?? '')).toBeGreaterThanOrEqual(Date.parse(state?.waitsUntil ?? '') - 5_000);
    }
    expect(waits[0]).toBeGreaterThan(30);
    expect(waits[0]).toBeLessThanOrEqual(60);
    expect(waits[1]).toBeGreaterThan(90);
  });
});

/** Waits for a problem of the issue, and returns it with that of the repository. */
async function expectProblem(id: string) {
  await expect.poll(async () => (await details(id)).threads[0]?.problem ?? null, pace).not.toBeNull();
  const { threads, forge } = await details(id);
  return [threads[0]?.problem, forge?.problem];
}
