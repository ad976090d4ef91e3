import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import type { CreatedTrigger, TriggerSettings } from '../../contract/trigger.ts';
import { limitOf, sampleOf } from '../support/amounts.ts';
import { type KillPoint, killedLine, type WritePoint } from '../support/faults/kill-at-write.ts';
import { killPointsOf } from '../support/faults/kill-points.ts';
import { preload } from '../support/preload.ts';
import { type RunAccount, signUp } from '../support/run-account.ts';
import { setUpDatabase, setUpFolder, setUpModelServer } from '../support/set-up/for-vitest.ts';
import { startServer, type TestServer } from '../support/start-server.ts';

const hook = preload('faults/kill-at-write.ts');
/** Servers that are killed and started again at the same time, each on its own database. */
const lanes = 3;

const folder = setUpFolder();
const models = setUpModelServer({ kind: 'text', text: 'Done' });
const database = setUpDatabase();

type Case = {
  settings: TriggerSettings;
  /** The beginning of the statement from which on writes are points. */
  from: string;
  /** Prepares the database of a stopped server. */
  prepare: (client: pg.Client, trigger: CreatedTrigger) => Promise<unknown>;
  /** Lets the event happen. */
  happen: (server: TestServer, trigger: CreatedTrigger) => Promise<number | null>;
  /** The answers of an event that happens again. */
  again: readonly (number | null)[];
};

/** What a server removes when it starts, at any moment, and its looks for jobs: no part of a fire. */
const upkeep = /^(?:commit of )?delete|former_secrets|active_group_count_map/i;
const delivery = randomUUID();
const cases: Record<string, Case> = {
  'a webhook': {
    settings: { kind: 'webhook', scheme: 'bearer', filter: [], fields: { title: 'title' } },
    from: 'INSERT INTO "rate_limits"',
    prepare: async () => {},
    happen: async (server, trigger) => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${trigger.secret}`, 'idempotency-key': delivery };
      return (await fetch(`${server.url}/hooks/${trigger.id}`, { method: 'POST', body: '{"title":"Dates"}', headers })).status;
    },
    again: [200, 202],
  },
  'a schedule': {
    // One instant a year: no other one comes while the test runs.
    settings: { kind: 'schedule', cron: '0 0 1 1 *', zone: 'UTC', input: { title: 'Each year' } },
    from: 'SELECT id, now() AS now FROM triggers WHERE job_id',
    prepare: async (client, { id }) => {
      await client.query("UPDATE triggers SET next_at = date_trunc('minute', now()) WHERE id = $1", [id]);
      await client.query('UPDATE artel_queue.job SET start_after = now() FROM triggers WHERE job.id = job_id AND triggers.id = $1', [id]);
    },
    happen: async () => null,
    again: [null],
  },
};

const urlOf = (name: string) => {
  const url = new URL(database.connectionString);
  url.pathname = `/${name}`;
  return url.href;
};
const serverOn = (name: string, more: Record<string, string> = {}) => {
  const env = { ARTEL_CLIENT: 'off', ARTEL_SECRET_KEY: 'a secret of at least thirty-two characters', OPENAI_BASE_URL: models.url };
  return startServer({ env: { ...env, DATABASE_URL: urlOf(name), ...more } });
};

async function inDatabase<T>(name: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: urlOf(name) });
  await client.connect();
  return work(client).finally(() => client.end());
}

describe.each(sampleOf(Object.entries(cases), { some: 1 }))('%s', (_kind, event) => {
  const base = `fire_${event.settings.kind}`;

  test(
    'L1.12 a server killed before or after a write of a fire leaves one fire, one run and one next job',
    async () => {
      const { trigger, ann, points } = await record(base, event);
      const kills = killPointsOf(points, { some: 4 });
      const broken: string[] = [];
      let next = 0;
      const lane = async () => {
        for (let at = next++; at < kills.length; at = next++) {
          const point = kills[at] as KillPoint;
          await killAt(point, { name: `${base}_${at}`, base, event, trigger, ann }).catch((error: Error) =>
            broken.push(`${point.when} ${point.label.slice(0, 100)}: ${error.message}`),
          );
        }
      };
      await Promise.all(Array.from({ length: lanes }, lane));
      expect(broken).toEqual([]);
      // The fire with its run and the clock's next job are one commit at least.
      expect(points.some(({ label }) => /^COMMIT/i.test(label))).toBe(true);
    },
    limitOf(300_000),
  );
});

/** Makes a trigger, leaves a database in the state before its event, and records the writes of that until the commit of its fire. */
async function record(base: string, event: Case): Promise<{ trigger: CreatedTrigger; ann: RunAccount; points: WritePoint[] }> {
  await database.pool.query(`CREATE DATABASE ${base}`);
  let server = await serverOn(base);
  const ann = await signUp(server.url);
  const pipeline = await ann.pipeline('assistant');
  const input = [{ kind: 'text', name: 'title' }];
  const release = { pipelineId: pipeline.id, slug: 'team', title: 'A team', task: 'Mend: {title}', input };
  const team = (await ann.call<{ id: string }>('POST', '/project/default/released-teams', release)).body;
  const creation = { name: 'In', teamId: team.id, budget: { tokens: 1_000_000 }, settings: event.settings, graceSeconds: 86_400 };
  const { status, body: trigger } = await ann.call<CreatedTrigger>('POST', '/project/default/triggers', creation);
  expect(status).toBe(201);
  await server.stop();
  await inDatabase(base, (client) => event.prepare(client, trigger));

  await database.pool.query(`CREATE DATABASE ${base}_recorded TEMPLATE ${base}`);
  const log = join(folder.path, base);
  server = await serverOn(`${base}_recorded`, { NODE_OPTIONS: hook, WRITE_LOG: log, WRITES_FROM: event.from });
  try {
    await event.happen(server, trigger);
    await expect.poll(() => pointsIn(log)).not.toEqual([]);
    return { trigger, ann, points: (await pointsIn(log)).filter(({ label }) => !upkeep.test(label)) };
  } finally {
    await server.stop();
  }
}

/** Returns the recorded writes until the commit of a fire; none before it. */
async function pointsIn(log: string): Promise<WritePoint[]> {
  const lines = (await readFile(log, 'utf8').catch(() => '')).split('\n').filter(Boolean);
  const points = lines.map((line) => JSON.parse(line) as WritePoint);
  const fire = points.findIndex(({ label }) => /^insert into "fires"/i.test(label));
  return fire < 0 ? [] : points.slice(0, points.findIndex(({ label }, at) => at > fire && /^commit/i.test(label)) + 1);
}

type Kill = { name: string; base: string; event: Case; trigger: CreatedTrigger; ann: RunAccount };

async function killAt(point: KillPoint, { name, base, event, trigger, ann }: Kill): Promise<void> {
  await database.pool.query(`CREATE DATABASE ${name} TEMPLATE ${base}`);
  let server = await serverOn(name, { NODE_OPTIONS: hook, KILL_AT: JSON.stringify(point), WRITES_FROM: event.from });
  try {
    await event.happen(server, trigger).catch(() => null);
    await expect.poll(server.logs, { interval: 20 }).toContain(killedLine);
    await server.stop();
    // As if the pause of a silent process had passed.
    await inDatabase(name, (client) =>
      client.query("UPDATE artel_queue.job SET heartbeat_on = heartbeat_on - interval '1 minute' WHERE state = 'active'"),
    );
    server = await serverOn(name);
    expect(event.again).toContain(await event.happen(server, trigger));
    await inDatabase(name, async (client) => {
      const ends = `SELECT (SELECT json_agg(json_build_array(f.outcome, e.status)) FROM fires f LEFT JOIN executions e ON e.id = f.execution_id) AS fires,
        (SELECT count(*)::integer FROM executions) AS runs,
        (SELECT count(*)::integer FROM artel_queue.job WHERE name = 'trigger' AND state IN ('created', 'retry', 'active')) AS jobs,
        (SELECT count(*)::integer FROM triggers JOIN artel_queue.job ON job.id = job_id WHERE next_at > now()) AS next`;
      const jobs = event.settings.kind === 'schedule' ? 1 : 0;
      const whole = { fires: [['started', 'completed']], runs: 1, jobs, next: jobs };
      await expect.poll(async () => (await client.query(ends)).rows[0]).toEqual(whole);
    });
    expect((await ann.at(server).call('GET', `/project/default/triggers/${trigger.id}`)).status).toBe(200);
  } finally {
    await server.stop();
    await database.pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
  }
}
