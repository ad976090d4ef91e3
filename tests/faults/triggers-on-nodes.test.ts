import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CreatedTrigger, TriggerCreation } from '../../contract/trigger.ts';
import { findNats } from '../../scripts/cluster/local-nats.ts';
import { amountOf } from '../support/amounts.ts';
import { openCluster, type TestCluster } from '../support/cluster.ts';
import { preload } from '../support/preload.ts';
import { type RunAccount, signUp } from '../support/run-account.ts';
import { setUpFolder } from '../support/set-up/for-vitest.ts';

const jumpingClock = preload('faults/jumping-clock.ts');
/**
 * In a whole run 10,000 schedules fire in real time for so many minutes, while a node is killed every fifteen seconds and the database is away for two minutes.
 * Else some schedules catch up with what they have missed while nodes are killed.
 */
const isWhole = amountOf({ some: false, whole: true });
const schedules = 30;
const minutes = 6;
const folder = setUpFolder();
const clockFile = () => join(folder.path, 'clock');

describe.runIf(findNats() !== null)('triggers on three nodes (needs the program nats-server)', () => {
  let cluster: TestCluster;
  let client: pg.Client;

  beforeEach(async () => {
    writeFileSync(clockFile(), '0');
    cluster = await openCluster(3, { NODE_OPTIONS: jumpingClock, CLOCK_JUMP_FILE: clockFile() });
    cluster.models.answer({ kind: 'text', text: 'Done' });
    client = await connected();
  });
  afterEach(async () => {
    await client?.end().catch(() => {});
    await cluster?.stop();
  });

  async function connected(): Promise<pg.Client> {
    const opened = new pg.Client({ connectionString: cluster.postgres.url });
    // The database goes away in these tests.
    opened.on('error', () => {});
    await opened.connect();
    return opened;
  }
  const query = async <T>(text: string, values: unknown[] = []) => (await client.query(text, values)).rows as T[];

  async function addTrigger(owner: RunAccount, settings: TriggerCreation['settings'], more: Partial<TriggerCreation> = {}) {
    const pipeline = await owner.pipeline('assistant');
    const release = { pipelineId: pipeline.id, slug: `team-${randomUUID().slice(0, 8)}`, title: 'A team', task: 'Work', atOnce: 100 };
    const team = (await owner.call<{ id: string }>('POST', '/project/default/released-teams', release)).body;
    const creation = { name: 'In', teamId: team.id, budget: { calls: 1_000_000 }, settings, ...more };
    const { status, body } = await owner.call<CreatedTrigger>('POST', '/project/default/triggers', creation);
    expect(status).toBe(201);
    return body;
  }

  const deliver = async (
    node: number,
    { id, secret }: CreatedTrigger,
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string>,
  ) => {
    const all = { 'content-type': 'application/json', authorization: `Bearer ${secret}`, ...headers };
    const answer = await fetch(`${cluster.node(node).url}/hooks/${id}`, { method: 'POST', body, headers: all });
    const { outcome, run } = (await answer.json()) as { outcome?: string; run?: { id: string } };
    return { status: answer.status, outcome, run: run?.id, retryAfter: answer.headers.get('retry-after') };
  };

  const deliveries = amountOf({ some: 200, whole: 1_000 });

  test('L1.03 the same delivery many times at once on two nodes starts one run, and every sender is answered', async () => {
    const hook = await addTrigger(await signUp(cluster.node(1).url), { kind: 'webhook', scheme: 'bearer' });
    const key = { 'idempotency-key': 'the same' };
    const answers = await Promise.all(Array.from({ length: deliveries }, (_, index) => deliver((index % 2) + 1, hook, '{}', key)));
    const statuses = Map.groupBy(answers, ({ status }) => status);
    // A node without a free connection to its database refuses as one over the rate does: with the seconds until another attempt.
    const busy = statuses.get(503) ?? [];
    expect([...statuses.keys()].filter((status) => status !== 503).toSorted()).toEqual([200, 202, 429]);
    expect([...(statuses.get(429) ?? []), ...busy].filter(({ retryAfter }) => !(Number(retryAfter) > 0))).toEqual([]);
    expect(statuses.get(202)).toHaveLength(1);
    expect(statuses.get(200)?.every(({ outcome }) => outcome === 'duplicate')).toBe(true);
    expect(new Set(answers.flatMap(({ run }) => run ?? [])).size).toBe(1);
    // All nodes count together.
    expect((statuses.get(200)?.length ?? 0) + 1 + busy.length).toBeGreaterThanOrEqual(60);
    expect((statuses.get(200)?.length ?? 0) + 1).toBeLessThanOrEqual(60);
    expect(await query('SELECT count(*)::integer AS runs FROM executions')).toEqual([{ runs: 1 }]);
  });

  test('L1.06 forged, late, huge, slow and malformed bodies start nothing, and no node fails', async () => {
    const ann = await signUp(cluster.node(1).url);
    const [bearer, standard] = [
      await addTrigger(ann, { kind: 'webhook', scheme: 'bearer' }),
      await addTrigger(ann, { kind: 'webhook', scheme: 'standard' }),
    ];
    const huge = 'x'.repeat(3_000_000);
    const sent = [
      deliver(1, bearer, '{}', { authorization: 'Bearer wrong' }),
      deliver(1, standard, '{}', { 'webhook-id': 'a', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' }),
      deliver(2, standard, '{}', {
        'webhook-id': '\u00ff'.repeat(200),
        'webhook-timestamp': '9'.repeat(20),
        'webhook-signature': 'v1, v1,, ,',
      }),
      deliver(2, bearer, huge, {}),
      deliver(2, bearer, '{', {}),
      deliver(1, bearer, `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`, {}),
      deliver(1, bearer, Uint8Array.from([0xff, 0xfe]), {}),
      deliver(1, bearer, '<x/>', { 'content-type': 'text/xml' }),
      deliver(2, bearer, 'payload=%7B', { 'content-type': 'application/x-www-form-urlencoded' }),
      deliver(2, bearer, '{}', { 'content-type': 'multipart/form-data; boundary=x' }),
    ];
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses).toEqual([401, 401, 401, 413, 400, 400, 400, 415, 400, 415]);
    await sendSlowly(cluster.node(1).url, bearer);
    expect(await query('SELECT count(*)::integer AS fires FROM fires')).toEqual([{ fires: 0 }]);
    expect(cluster.nodes.map((node) => node.running())).toEqual([true, true, true]);
  });

  /** Copies a trigger with its key and budget to `count` others, whose times are given by SQL over `number`. */
  async function copySchedules(id: string, count: number, { cron, next }: { cron: string; next: string }): Promise<void> {
    const changed = (table: string, alias: string, changes: string) =>
      `SELECT (jsonb_populate_record(NULL::${table}, to_jsonb(${alias}) || jsonb_build_object(${changes}))).*`;
    await client.query(
      `CREATE TEMP TABLE copies AS SELECT number, gen_random_uuid() AS id, gen_random_uuid() AS key_id FROM generate_series(0, ${count - 1}) AS number`,
    );
    const from = (table: string, condition: string) => `FROM ${table} AS t CROSS JOIN copies WHERE t.${condition}`;
    const keyId = `(SELECT key_id FROM triggers WHERE id = '${id}')`;
    await client.query(
      `INSERT INTO api_keys ${changed('api_keys', 't', "'id', copies.key_id, 'hash', copies.key_id::text")} ${from('api_keys', `id = ${keyId}`)}`,
    );
    await client.query(
      `INSERT INTO budgets ${changed('budgets', 't', "'id', gen_random_uuid(), 'key_id', copies.key_id")} ${from('budgets', `key_id = ${keyId}`)}`,
    );
    const own = `'id', copies.id, 'key_id', copies.key_id, 'name', copies.number::text, 'job_id', NULL, 'next_at', ${next},
      'settings', t.settings || jsonb_build_object('cron', ${cron})`;
    await client.query(`INSERT INTO triggers ${changed('triggers', 't', own)} ${from('triggers', `id = '${id}'`)}`);
    await client.query('DROP TABLE copies');
  }

  /** Kills a node, and starts it with a clock that is off. */
  async function killOne(): Promise<void> {
    const node = cluster.node(1 + Math.floor(Math.random() * 3));
    await node.kill('SIGKILL');
    writeFileSync(clockFile(), String([0, 2 * 3_600_000, -3 * 86_400_000][Math.floor(Math.random() * 3)]));
    await node.start();
    const other = cluster.nodes.find((one) => one !== node && one.running());
    other?.signal('SIGUSR2');
  }

  test.runIf(!isWhole)(
    `L2.08 while nodes are killed and their clocks jump, ${schedules} schedules fire each instant that they have missed, once`,
    async () => {
      const ann = await signUp(cluster.node(1).url);
      const first = await addTrigger(ann, { kind: 'schedule', cron: '0 0 1 1 *', zone: 'UTC' }, { graceSeconds: 7_200 });
      const start = new Date(Math.floor(Date.now() / 600_000) * 600_000 - 1_800_000).toISOString();
      await copySchedules(first.id, schedules, { cron: `'*/10 * * * *'`, next: `'${start}'` });
      for (let kills = 0; kills < 3; kills += 1) {
        await killOne();
        await wait(1_000);
      }
      const left = 'SELECT count(*)::integer AS left FROM triggers WHERE next_at <= now()';
      // A busy machine needs minutes for the runs of all instants.
      await expect.poll(async () => query(left), { timeout: 300_000 }).toEqual([{ left: 0 }]);
      const fired = `SELECT t.id, count(*)::integer AS fires, count(DISTINCT f.due_at)::integer AS instants, min(f.due_at) AS first, max(f.due_at) AS last
      FROM triggers t JOIN fires f ON f.trigger_id = t.id GROUP BY t.id`;
      const rows = await query<{ fires: number; instants: number; first: Date; last: Date }>(fired);
      expect(rows).toHaveLength(schedules);
      for (const { fires, instants, first: begin, last } of rows) {
        expect(begin.toISOString()).toBe(start);
        expect([fires, instants]).toEqual(Array(2).fill((last.getTime() - begin.getTime()) / 600_000 + 1));
        expect(fires).toBeGreaterThanOrEqual(4);
      }
      await expectOneRunEach();
    },
    420_000,
  );

  test.runIf(isWhole)(
    'L2.08 ten thousand schedules on three nodes that are killed, with a database that goes away: one fire an instant, none missing',
    async () => {
      const minuteOf = '(number % 60)';
      const next = `date_trunc('hour', now()) + make_interval(hours => CASE WHEN ${minuteOf} > extract(minute FROM now()) THEN 0 ELSE 1 END, mins => ${minuteOf})`;
      for (let account = 0; account < 10; account += 1) {
        const owner = await signUp(cluster.node(1).url);
        const first = await addTrigger(owner, { kind: 'schedule', cron: '0 0 1 1 *', zone: 'UTC' }, { graceSeconds: 7_200 });
        await copySchedules(first.id, 1_000, { cron: `${minuteOf}::text || ' * * * *'`, next });
      }
      const waiting = `SELECT count(*)::integer AS left FROM triggers t WHERE next_at IS NOT NULL AND NOT EXISTS
        (SELECT FROM artel_queue.job j WHERE j.id = t.job_id AND j.start_after > now())`;
      await expect
        .poll(async () => (await query<{ left: number }>(waiting))[0]?.left, { timeout: 300_000, interval: 2_000 })
        .toBeLessThan(400);
      const begun = Math.ceil(Date.now() / 60_000) * 60_000;
      const until = begun + minutes * 60_000;
      let [kills, awayFrom, awayUntil] = [0, 0, 0];
      await wait(begun - Date.now());
      while (Date.now() < until - 30_000) {
        await wait(15_000);
        if (awayFrom === 0 && Date.now() > begun + 150_000) {
          await client.end().catch(() => {});
          awayFrom = Date.now();
          await cluster.postgres.stop();
          await wait(120_000);
          await cluster.postgres.start();
          awayUntil = Date.now();
          client = await connected();
        }
        await killOne();
        kills += 1;
      }
      await wait(Math.max(0, until + 45_000 - Date.now()));
      const counted = `FROM triggers t JOIN fires f ON f.trigger_id = t.id WHERE f.due_at >= $1 AND f.due_at < $2`;
      const range = [new Date(begun), new Date(until)];
      const expected = `SELECT count(*)::integer AS missing FROM triggers t
        JOIN generate_series($1::timestamptz, $2::timestamptz - interval '1 s', '1 minute') AS due ON extract(minute FROM due)::integer = t.name::integer % 60
        WHERE t.name ~ '^\\d+$' AND NOT EXISTS (SELECT FROM fires f WHERE f.trigger_id = t.id AND f.due_at = due)`;
      const lag = (condition: string) =>
        `SELECT count(*)::integer AS fires, ${[0.5, 0.95, 0.99, 1]
          .map((part) => `percentile_cont(${part}) WITHIN GROUP (ORDER BY extract(epoch FROM f.at - f.due_at))::float8 AS p${part * 100}`)
          .join(', ')} ${counted} AND ${condition}`;
      const away = `f.due_at BETWEEN to_timestamp(${awayFrom / 1_000 - 5}) AND to_timestamp(${awayUntil / 1_000 + 10})`;
      console.log({
        ...{ kills, awaySeconds: (awayUntil - awayFrom) / 1_000 },
        outcomes: await query(`SELECT f.outcome, f.reason, count(*)::integer ${counted} GROUP BY 1, 2`, range),
        outside: await query(lag(`NOT (${away})`), range),
        inside: await query(lag(away), range),
        lagByMinute: await query(
          `SELECT f.due_at, count(*)::integer, max(extract(epoch FROM f.at - f.due_at))::float8 AS max ${counted} GROUP BY 1 ORDER BY 1`,
          range,
        ),
        missing: await query(expected, range),
      });
      expect(await query(expected, range)).toEqual([{ missing: 0 }]);
      await expectOneRunEach();
    },
    1_800_000,
  );

  /** No fire has two runs, and no run is without its fire. */
  async function expectOneRunEach(): Promise<void> {
    const alone = `SELECT (SELECT count(*)::integer FROM executions e WHERE NOT EXISTS (SELECT FROM fires f WHERE f.execution_id = e.id)) AS without,
      (SELECT count(*)::integer FROM (SELECT FROM fires WHERE execution_id IS NOT NULL GROUP BY execution_id HAVING count(*) > 1) AS shared) AS shared`;
    expect(await query(alone)).toEqual([{ without: 0, shared: 0 }]);
  }
});

/** Sends a body byte by byte, and leaves before its end. */
async function sendSlowly(url: string, { id, secret }: CreatedTrigger): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(
    `POST /hooks/${id} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${secret}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n`,
  );
  for (let sent = 0; sent < 20; sent += 1) {
    socket.write('{');
    // The pause is what is tested.
    await wait(50);
  }
  socket.destroy();
}
