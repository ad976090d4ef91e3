import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CreatedTrigger } from '../../contract/trigger.ts';
import type { ForgeNumber } from '../../server/platform/git/forges/forge.ts';
import { limitOf } from '../support/amounts.ts';
import { exhaustAttempts } from '../support/database/exhaust-attempts.ts';
import { makeOpenFolder } from '../support/database/make-open-folder.ts';
import { type KillPoint, killedLine, type WritePoint } from '../support/faults/kill-at-write.ts';
import { killPointsOf } from '../support/faults/kill-points.ts';
import { addForgeTrigger, keptComment, label, mendLibrary, startLibraryForge, triggerDetails, wish } from '../support/forges/issue-team.ts';
import type { PlayedForge } from '../support/forges/played-forge.ts';
import { openTestDatabase, type TestDatabase } from '../support/open-test-database.ts';
import { preload } from '../support/preload.ts';
import { type RunAccount, signUp } from '../support/run-account.ts';
import { startReferenceRunner } from '../support/runner/reference-runner.ts';
import { type ModelServer, startModelServer } from '../support/services/model-server.ts';
import { startServer, type TestServer } from '../support/start-server.ts';

const runnerToken = 'a runner token of the tests';
const hook = preload('faults/kill-at-write.ts');
const nowhere = JSON.stringify({ label: 'none', occurrence: 1, when: 'before' } satisfies KillPoint);
/** The longest wait for a step of an issue since its last restart (ms). */
const patienceMs = 240_000;

let folder: Awaited<ReturnType<typeof makeOpenFolder>>;
let models: ModelServer;
let runner: Awaited<ReturnType<typeof startReferenceRunner>>;
let database: TestDatabase;
let forge: PlayedForge;
let server: TestServer;
let ann: RunAccount;
let trigger: CreatedTrigger;

beforeEach(async () => {
  folder = await makeOpenFolder();
  models = await startModelServer();
  models.answer(mendLibrary);
  runner = await startReferenceRunner({ token: runnerToken });
  database = await openTestDatabase();
  forge = await startLibraryForge('github');
  server = await startServer({
    env: {
      ...{ ARTEL_CLIENT: 'off', ARTEL_SECRET_KEY: 'a secret of at least thirty-two characters', DATABASE_URL: database.connectionString },
      ...{ OPENAI_BASE_URL: models.url, ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on', NODE_OPTIONS: hook },
      // The first statement of each reading.
      WRITES_FROM: 'insert into "forge_readings"',
      ...{ ARTEL_RUNNER_URL: runner.url, ARTEL_RUNNER_TOKEN: runnerToken, WRITE_LOG: join(folder.path, 'writes') },
    },
  });
  ann = await signUp(server.url);
  trigger = await addForgeTrigger(ann, forge);
});
afterEach(async () => {
  await server?.stop();
  await forge?.close();
  await database?.remove();
  await runner?.close();
  await models?.close();
  await folder?.remove();
});

/** Starts a killed server again, lets the time pass that its jobs were its own, and has the forge tell again what it told meanwhile. */
async function revive(env: Record<string, string> = {}): Promise<void> {
  server = await server.restart(env);
  await database.pool.query("UPDATE artel_queue.job SET heartbeat_on = heartbeat_on - interval '1 minute' WHERE state = 'active'");
  for (const delivery of forge.deliveries.slice(-3)) await forge.redeliver(delivery);
}

type Killer = { isKilled: () => boolean; next: () => Record<string, string> };

/** A reading in which the server was killed six times and more rests for minutes: they pass. */
const restIsOver = "UPDATE artel_queue.job SET start_after = now() WHERE name = 'forge' AND state = 'retry' AND start_after > now()";

/** Waits for something, and revives the server whenever it was killed. */
async function until(fits: () => Promise<boolean> | boolean, killer: Killer, what: string): Promise<void> {
  let end = performance.now() + patienceMs;
  while (!(await Promise.resolve(fits()).catch(() => false))) {
    if (killer.isKilled()) {
      await revive(killer.next());
      end = performance.now() + patienceMs;
    }
    await database.pool.query(restIsOver);
    if (performance.now() > end)
      throw new Error(`This did not happen: ${what}. ${forge.refusals.join(' ')} ${server.logs().slice(-2_000)}`);
    await wait(50);
  }
}

/** An issue from its label to the second commit of its pull request. */
async function playIssue(killer: Killer, onReview = () => {}): Promise<void> {
  const issue = forge.open({ title: 'Days are counted in hours', by: 'eve' });
  const before = forge.requests().length;
  forge.label(issue, label, 'bob');
  await until(() => stateOf(issue).then((state) => state === 'published'), killer, 'a pull request');
  const request = forge.requests()[before];
  const head = request?.head ?? '';
  expect(await forge.commits(head)).toHaveLength(1);
  onReview();
  forge.review({ number: request?.number ?? 0, isRequest: true }, { lines: [{ path: 'src/days.js', line: 1, text: wish }], by: 'ann' });
  await until(async () => (await forge.commits(head)).length === 2 && (await stateOf(issue)) === 'published', killer, 'a second commit');
  await until(() => keptComment(forge, issue)?.includes(`#${request?.number}`) ?? false, killer, 'the comment');

  expect(forge.requests()).toHaveLength(before + 1);
  expect(await forge.commits(head)).toHaveLength(2);
  expect(await forge.fileAt(head, 'src/days.js')).toContain('Math.round((to - from) / 86_400_000)');
  expect(forge.comments(issue).filter(({ by }) => by === 'artel-bot')).toHaveLength(1);
  const { rows } = await database.pool.query("SELECT 1 FROM fires WHERE outcome = 'started' AND source->>'thread' = $1", [
    String(issue.number),
  ]);
  expect(rows).toHaveLength(2);
}

async function stateOf(issue: ForgeNumber): Promise<string | undefined> {
  const { threads } = await triggerDetails(ann.at(server), trigger);
  return threads.find(({ number }) => number === issue.number)?.state;
}

/** Expects so many runs to have ended well. One that failed since a server on its way was away is repeated, and its fire counts that. */
async function expectRuns(count: number): Promise<void> {
  const { rows } = await database.pool.query<{ status: string }>(
    'SELECT executions.id, status, error, executions.created_at, executions.completed_at FROM executions JOIN triggers ON triggers.key_id = executions.key_id ORDER BY executions.created_at',
  );
  const { rows: fires } = await database.pool.query<{ tries: number }>(
    'SELECT key, at, outcome, reason, tries, execution_id, source FROM fires ORDER BY at',
  );
  const said = JSON.stringify({ rows, fires }, null, 1);
  expect(rows.filter(({ status }) => status === 'completed').length, said).toBe(count);
  expect(rows.length - count, said).toBe(fires.reduce((sum, { tries }) => sum + tries, 0));
}

test('L5.12 a server that is killed before and after each write to the forge leaves one pull request, two commits and one comment', async () => {
  const phases = new Map<string, number>();
  let isKilled = false;
  const kills: string[] = [];
  forge.watchWrites(async (write, when) => {
    const name = write.replace(/\d+/g, 'N');
    const phase = phases.get(name) ?? 0;
    if (when !== (['before', 'after'] as const)[phase]) return true;
    phases.set(name, phase + 1);
    kills.push(`${when} ${name}`);
    isKilled = true;
    await server.kill('SIGKILL');
    return false;
  });
  const killer = {
    isKilled: () => isKilled,
    next: () => {
      isKilled = false;
      return {};
    },
  };
  await playIssue(killer, () => phases.clear());
  // The comment, its changes, a push and the pull request; then a push and a change again.
  expect(kills.length).toBeGreaterThanOrEqual(10);
  for (const write of ['push', 'POST /vN/repos/ann/shop/pulls', 'POST /vN/repos/ann/shop/issues/N/comments'])
    expect(kills).toContain(`after ${write}`);
  await expectRuns(2);
  expect(await forge.branches()).toEqual(forge.requests().map(({ head }) => head));
  console.info(`killed at ${kills.length} writes to the forge: ${kills.join(', ')}`);
}, 900_000);

test('L5.12 a review that a hook tells during a reading that is given up is read soon after it, and not after the usual pause', async () => {
  // The usual pause is longer than this test waits on a busy machine.
  await database.pool.query(`UPDATE triggers SET settings = settings || '{"everyMinutes": 10}'`);
  const killed = Promise.withResolvers<void>();
  let isPublished = false;
  forge.watchWrites(async (write, when) => {
    if (write.endsWith('/pulls') && when === 'after') isPublished = true;
    if (!isPublished || !write.includes('/issues/comments/')) return true;
    isPublished = false;
    review();
    await forge.delivered();
    await server.kill('SIGKILL');
    await exhaustAttempts(database.pool, ['forge']);
    killed.resolve();
    return false;
  });
  const review = () =>
    forge.review(
      { number: forge.requests()[0]?.number ?? 0, isRequest: true },
      { lines: [{ path: 'src/days.js', line: 1, text: wish }], by: 'ann' },
    );
  forge.label(forge.open({ title: 'Days are counted in hours', by: 'eve' }), label, 'bob');
  await killed.promise;
  server = await server.restart();
  const commits = () => forge.commits(forge.requests()[0]?.head ?? '');
  await expect.poll(async () => (await commits()).length, { timeout: patienceMs }).toBe(2);
}, 580_000);

test(
  'L5.12 a server that is killed before and after its writes to the database leaves one pull request, two commits and one comment',
  async () => {
    await playIssue({ isKilled: () => false, next: () => ({}) });
    const lines = (await readFile(join(folder.path, 'writes'), 'utf8')).trim().split('\n');
    const labels = [...new Set(lines.map((line) => (JSON.parse(line) as WritePoint).label))];
    const points = labels.map((label): WritePoint => ({ label, occurrence: 1 }));
    const waiting = killPointsOf(points, { some: 2 });
    const chosen = waiting.length;
    let kills = 0;
    const killer = {
      isKilled: () => server.logs().includes(killedLine),
      next: () => {
        kills += 1;
        const point = waiting.shift();
        return { KILL_AT: point ? JSON.stringify(point) : nowhere };
      },
    };
    let issues = 1;
    // A point that an issue does not come to is left to the next one, and given up after that.
    for (; waiting.length > 0 && issues <= chosen; issues += 1) {
      await server.kill('SIGKILL');
      await revive(killer.next());
      await playIssue(killer);
    }
    await expectRuns(issues * 2);
    expect(kills).toBeGreaterThanOrEqual(chosen / 2);
    console.info(`${labels.length} statements write; killed ${kills} times in ${issues} issues`);
  },
  limitOf(900_000),
);
