import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ReleasedTeams } from '../../../server/modules/released-teams/index.ts';
import { storingTeam } from '../../../server/modules/team-versions/team-sql.ts';
import { createForgeStates } from '../../../server/modules/triggers/forge/forge-states.ts';
import { Triggers } from '../../../server/modules/triggers/service.ts';
import { drizzle } from '../../../server/platform/database/drizzle.ts';
import { asOwner } from '../../../server/platform/owner-id.ts';
import { openTestDatabase, type TestDatabase } from '../../support/open-test-database.ts';

const perKind = 20;
const [user, project, pipeline, run] = [v7(), v7(), v7(), v7()];
const kinds = {
  webhook: { scheme: 'bearer', filter: [] },
  schedule: { cron: '0 3 * * *', zone: 'UTC' },
  forge: { label: 'artel', everyMinutes: 2 },
};
let database: TestDatabase;
let statements: string[] = [];
let costsRead = 0;

beforeAll(async () => {
  database = await openTestDatabase();
  const { pool } = database;
  await pool.query(`INSERT INTO users (id, email, name, password_hash) VALUES ($1, 'ann@example.com', 'Ann', '')`, [user]);
  await pool.query(`INSERT INTO projects (id, user_id, name, status) VALUES ($1, $2, 'Triggers', 'active')`, [project, user]);
  await pool.query(`INSERT INTO pipelines (id, user_id, project_id, name, status) VALUES ($1, $2, $3, 'Run', 'ready')`, [
    pipeline,
    user,
    project,
  ]);
  await pool.query(
    `INSERT INTO executions (id, user_id, project_id, pipeline_id, status, initial_task, language, steps_total, timeout_seconds)
      VALUES ($1, $2, $3, $4, 'completed', 'Task', 'en', 1, 60)`,
    [run, user, project, pipeline],
  );
  for (const [kind, settings] of Object.entries(kinds)) for (let at = 0; at < perKind; at++) await store(kind, settings, at);
});
afterAll(async () => {
  await database?.remove();
});

/** Stores a trigger with as many fires as its number says, and the reading of a forge's repository for every second one. */
async function store(kind: string, settings: object, at: number): Promise<void> {
  const { pool } = database;
  const [id, key] = [v7(), v7()];
  await pool.query(
    `INSERT INTO api_keys (id, user_id, project_id, name, prefix, hash, scopes, created_at) VALUES ($1, $2, $3, 'trigger', 'artel', $1::uuid::text, '{run}', now())`,
    [key, user, project],
  );
  await pool.query(
    `INSERT INTO triggers (id, project_id, kind, name, run_as, settings, key_id, overlap, missed, grace_seconds, created_at, updated_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, 'skip', 'skip', 60, now(), now())`,
    [id, project, kind, `${kind} ${at}`, user, JSON.stringify({ kind, fields: {}, input: {}, ...settings }), key],
  );
  await pool.query(
    `INSERT INTO fires (trigger_id, key, due_at, at, source, outcome, execution_id)
      SELECT $1, 'id:' || n, now(), now() + n * interval '1 s', '{}', 'started', CASE WHEN n % 2 = 0 THEN $3::uuid END FROM generate_series(1, $2::integer) AS n`,
    [id, at, run],
  );
  if (kind === 'forge' && at % 2 === 0)
    await pool.query(`INSERT INTO forge_readings (trigger_id, url, login, read_at) VALUES ($1, $2, 'bot', now())`, [
      id,
      'https://git.example.com/a',
    ]);
}

/** The triggers of the project, whose statements are counted. */
function counted(): Triggers {
  const db = drizzle({ client: database.pool, logger: { logQuery: (query) => void statements.push(query) } });
  const targetOf = async () => ({ url: 'https://git.example.com/a', forge: 'gitea' as const });
  const deps = {
    ...{ db, now: () => new Date(), address: () => 'https://artel.example.com', resolveProject: async () => project },
    teams: {
      list: async () => [],
      lastCosts: async () => {
        costsRead += 1;
        return [];
      },
    },
    budgets: { ofAccount: async () => new Map() },
    forges: createForgeStates({ db, targetOf: targetOf as never }),
    queue: { wake: () => {}, noteUse: () => {} },
  };
  statements = [];
  return new Triggers(deps as unknown as ConstructorParameters<typeof Triggers>[0]);
}

test('L4.01 the list of a project takes four statements, with the last fire and the repository of each of its triggers', async () => {
  const triggers = counted();
  const listed = await triggers.list(asOwner(user), project);
  const reads = [...statements];
  expect(listed).toHaveLength(3 * perKind);
  for (const one of listed) {
    const {
      fires,
      next: _next,
      costOfRun: _cost,
      firesADay: _perDay,
      threads: _threads,
      ...alone
    } = await triggers.get({
      userId: asOwner(user),
      project,
      triggerId: one.id,
    });
    expect(one).toEqual(alone);
    expect(one.lastFire).toEqual(fires[0] ?? null);
  }
  expect(listed.filter(({ lastFire }) => lastFire?.run)).toHaveLength(3 * Math.floor((perKind - 1) / 2));
  expect(listed.filter(({ forge }) => forge?.login === 'bot')).toHaveLength(perKind / 2);
  expect(reads).toHaveLength(4);
});

test('L3.06 an edit answers with the trigger, and reads neither its fires nor its costs for it', async () => {
  const triggers = counted();
  const last = (await triggers.list(asOwner(user), project)).at(-1);
  const key = { userId: asOwner(user), project, triggerId: last?.id ?? '' };
  [statements, costsRead] = [[], 0];
  const changed = await triggers.update(key, { graceSeconds: 60 }, 'en');
  expect(changed).toEqual(last);
  expect(costsRead).toBe(0);
  expect(statements.filter((text) => text.includes('"fires"'))).toHaveLength(1);
  expect(statements.filter((text) => text.includes('"forge_threads"'))).toEqual([]);
});

test('K4.14 the list of released teams takes two statements, with the live release of each', async () => {
  const { pool } = database;
  const version = v7();
  await pool.query(storingTeam({ id: version, userId: asOwner(user), projectId: project, agentIds: [], createdBy: user, at: new Date() }));
  for (let team = 1; team <= 8; team++) {
    const id = v7();
    await pool.query(
      `INSERT INTO released_teams (id, project_id, run_as, slug, title, task, input, at_once, created_at, updated_at)
        VALUES ($1, $2, $3, $4, 'Team', '', '[]', 1, now(), now())`,
      [id, project, user, `team-${team}`],
    );
    await pool.query(
      `INSERT INTO team_releases (team_id, number, team_version_id, pipeline_id, released_by, released_at)
        SELECT $1, n, $2, $3, 'Ann', now() FROM generate_series(1, $4::integer) AS n`,
      [id, version, pipeline, team],
    );
  }
  statements = [];
  const db = drizzle({ client: pool, logger: { logQuery: (query) => void statements.push(query) } });
  const deps = { db, address: () => '', projects: { resolve: async () => project } };
  const teams = await new ReleasedTeams(deps as unknown as ConstructorParameters<typeof ReleasedTeams>[0]).list(asOwner(user), project);
  expect(teams.map(({ slug, live }) => [slug, live.number])).toEqual(Array.from({ length: 8 }, (_, at) => [`team-${at + 1}`, at + 1]));
  expect(statements).toHaveLength(2);
});
