import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import type { Canvas } from '../../contract/canvas.ts';
import { type KillPoint, killedLine, type WritePoint } from '../support/faults/kill-at-write.ts';
import { killPointsOf } from '../support/faults/kill-points.ts';
import { preload } from '../support/preload.ts';
import { type RunAccount, signUp } from '../support/run-account.ts';
import { setUpDatabase, setUpFolder } from '../support/set-up/for-vitest.ts';
import { startServer } from '../support/start-server.ts';

const hook = preload('faults/kill-at-write.ts');
/** Servers that are killed and started again at the same time, each on its own database. */
const lanes = 4;

const folder = setUpFolder();
const database = setUpDatabase();

const urlOf = (name: string) => {
  const url = new URL(database.connectionString);
  url.pathname = `/${name}`;
  return url.href;
};
const serverOn = (name: string, more: Record<string, string> = {}) => {
  const env = { ARTEL_CLIENT: 'off', ARTEL_SECRET_KEY: 'a secret of at least thirty-two characters' };
  return startServer({ env: { ...env, DATABASE_URL: urlOf(name), ...more } });
};
const card = { id: 'new', type: 'start', title: 'Saved', x: 0, y: 0 };
const save = (ann: RunAccount, baseVersion: number) =>
  ann.call<{ version: number }>(
    'PATCH',
    '/project/default/canvas',
    { baseVersion, patches: [{ op: 'set', collection: 'nodes', id: 'new', value: card }] },
    { 'idempotency-key': 'one-save' },
  );

test('G6.01 a server killed before or after any write of a save leaves canvas and version whole or as they were, and the repeated save is one version', async () => {
  await database.pool.query('CREATE DATABASE save_base');
  let server = await serverOn('save_base');
  const ann = await signUp(server.url);
  const { version } = (await ann.call<Canvas>('GET', '/project/default/canvas')).body;
  await server.stop();

  await database.pool.query('CREATE DATABASE save_recorded TEMPLATE save_base');
  const log = join(folder.path, 'writes');
  server = await serverOn('save_recorded', { NODE_OPTIONS: hook, WRITE_LOG: log });
  expect((await save(ann.at(server), version)).body).toEqual({ version: version + 1 });
  await server.stop();
  const points = (await readFile(log, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as WritePoint)
    .filter(({ label }) => !/^delete\b/i.test(label));
  // The claim of the key, the change with its version, the answer of the key, and their commit.
  expect(points.length).toBeGreaterThanOrEqual(4);
  const waiting = killPointsOf(points, { some: 4 });
  const broken: string[] = [];
  let next = 0;
  const lane = async () => {
    for (let at = next++; at < waiting.length; at = next++) {
      const point = waiting[at] as KillPoint;
      await killAt(point, `save_${at}`, ann, version).catch((error: Error) =>
        broken.push(`${point.when} ${point.label.slice(0, 100)}: ${error.message}`),
      );
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  expect(broken).toEqual([]);
}, 300_000);

async function killAt(point: KillPoint, name: string, ann: RunAccount, version: number): Promise<void> {
  await database.pool.query(`CREATE DATABASE ${name} TEMPLATE save_base`);
  let server = await serverOn(name, { NODE_OPTIONS: hook, KILL_AT: JSON.stringify(point) });
  const client = new pg.Client({ connectionString: urlOf(name) });
  const whole = async () => {
    const { rows } = await client.query<{ saved: number; changes: number; cards: number; isCounted: boolean }>(
      `SELECT canvas_version - $1::integer AS saved,
        (SELECT count(*)::integer FROM canvas_changes WHERE project_id = projects.id AND version > $1::integer) AS changes,
        (SELECT count(*)::integer FROM canvas_nodes WHERE project_id = projects.id AND id = 'new') AS cards,
        versions_bytes = (SELECT coalesce(sum(bytes), 0) FROM canvas_changes WHERE project_id = projects.id)
          + (SELECT coalesce(sum(bytes), 0) FROM canvas_snapshots WHERE project_id = projects.id) AS "isCounted"
      FROM projects`,
      [version],
    );
    return rows;
  };
  try {
    await save(ann.at(server), version).catch(() => null);
    await expect.poll(server.logs, { interval: 20 }).toContain(killedLine);
    await server.stop();
    await client.connect();
    const [left] = await whole();
    expect([0, 1]).toContain(left?.saved);
    expect(left).toEqual({ saved: left?.saved, changes: left?.saved, cards: left?.saved, isCounted: true });
    await client.query("UPDATE idempotency_keys SET claimed_until = now() - interval '1 second' WHERE status IS NULL");

    server = await serverOn(name);
    expect(await save(ann.at(server), version)).toMatchObject({ status: 200, body: { version: version + 1 } });
    expect(await whole()).toEqual([{ saved: 1, changes: 1, cards: 1, isCounted: true }]);
  } finally {
    await client.end();
    await server.stop();
    await database.pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
  }
}
