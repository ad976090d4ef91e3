import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import type { Fork } from '../../contract/executions/fork.ts';
import { type KillPoint, killedLine, type WritePoint } from '../support/faults/kill-at-write.ts';
import { killPointsOf } from '../support/faults/kill-points.ts';
import { preload } from '../support/preload.ts';
import { type RunAccount, signUp } from '../support/run-account.ts';
import { setUpDatabase, setUpFolder, setUpModelServer } from '../support/set-up/for-vitest.ts';
import { startServer } from '../support/start-server.ts';

const hook = preload('faults/kill-at-write.ts');
/** Servers that are killed and started again at the same time, each on its own database. */
const lanes = 4;

const folder = setUpFolder();
const models = setUpModelServer(({ number }) => ({ kind: 'text', text: `Answer ${number}\n\n\`\`\`ts path=a${number}.ts\nfile\n\`\`\`` }));
const database = setUpDatabase();

const urlOf = (name: string) => {
  const url = new URL(database.connectionString);
  url.pathname = `/${name}`;
  return url.href;
};
const serverOn = (name: string, more: Record<string, string> = {}) => {
  const env = { ARTEL_CLIENT: 'off', ARTEL_SECRET_KEY: 'a secret of at least thirty-two characters', OPENAI_BASE_URL: models.url };
  return startServer({ env: { ...env, DATABASE_URL: urlOf(name), ...more } });
};

type Ready = { ann: RunAccount; original: string; from: string };

const forkAt = (ann: RunAccount, { original, from }: Omit<Ready, 'ann'>) =>
  ann.call<Fork>('POST', `/PipelineExecution/${original}/fork`, { from: { stepId: from } }, { 'idempotency-key': 'one-fork' });

test('G5.09 a server killed before or after any write of the start of a fork leaves it whole or not at all, and the repeated call makes one', async () => {
  const { ready, points } = await recordStart();
  // The claim of the key, the fork with all that it keeps, and the answer of the key.
  expect(points.length).toBeGreaterThanOrEqual(3);
  const waiting = killPointsOf(points, { some: 4 });
  const broken: string[] = [];
  let next = 0;
  const lane = async () => {
    for (let at = next++; at < waiting.length; at = next++) {
      const point = waiting[at] as KillPoint;
      await killAt(point, `fork_${at}`, ready).catch((error: Error) =>
        broken.push(`${point.when} ${point.label.slice(0, 100)}: ${error.message}`),
      );
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  expect(broken).toEqual([]);
}, 300_000);

/** Completes a run, forks it once to record the writes, and leaves a database in the state before the fork. */
async function recordStart(): Promise<{ ready: Ready; points: WritePoint[] }> {
  await database.pool.query('CREATE DATABASE fork_base');
  let server = await serverOn('fork_base');
  const ann = await signUp(server.url);
  const { id } = await ann.start(await ann.pipeline('assistant', 'developer', 'qa'), 'Survive');
  const done = await ann.until(id, ({ status }) => status === 'completed');
  await server.stop();
  const ready = { ann, original: id, from: done.steps[2]?.stepId ?? '' };

  await database.pool.query('CREATE DATABASE fork_recorded TEMPLATE fork_base');
  const log = join(folder.path, 'writes');
  server = await serverOn('fork_recorded', { NODE_OPTIONS: hook, WRITE_LOG: log });
  const answer = await forkAt(ann.at(server), ready);
  expect(answer.status).toBe(202);
  await server.stop();
  const lines = (await readFile(log, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as WritePoint);
  const answered = lines.findIndex(({ label }) => label.startsWith('UPDATE idempotency_keys'));
  // Commits of other work may come between, and the removal of what is old: the next server does it at another moment.
  return { ready, points: lines.slice(0, answered + 1).filter(({ label }) => !/^(?:commit|delete)\b/i.test(label)) };
}

async function killAt(point: KillPoint, name: string, { ann, ...ready }: Ready): Promise<void> {
  await database.pool.query(`CREATE DATABASE ${name} TEMPLATE fork_base`);
  let server = await serverOn(name, { NODE_OPTIONS: hook, KILL_AT: JSON.stringify(point) });
  try {
    await forkAt(ann.at(server), ready).catch(() => null);
    await expect.poll(server.logs, { interval: 20 }).toContain(killedLine);
    await server.stop();
    const client = new pg.Client({ connectionString: urlOf(name) });
    await client.connect();
    const { rows } = await client.query<{ kept: number; files: number; events: number; items: number; jobs: number }>(
      `SELECT (SELECT count(*)::integer FROM execution_steps WHERE execution_id = fork.id AND status = 'reused') AS kept,
        (SELECT count(*)::integer FROM execution_files WHERE execution_id = fork.id) AS files,
        (SELECT count(*)::integer FROM execution_events WHERE execution_id = fork.id AND event->>'type' = 'step.reused') AS events,
        (SELECT count(*)::integer FROM results WHERE pipeline_execution_id = fork.id) AS items,
        (SELECT count(*)::integer FROM artel_queue.job WHERE id = fork.job_id) AS jobs
      FROM executions AS fork WHERE parent_id IS NOT NULL`,
    );
    expect(rows.length).toBeLessThanOrEqual(1);
    for (const row of rows) expect(row).toEqual({ kept: 2, files: 2, events: 1, items: 1, jobs: 1 });
    await client.query("UPDATE artel_queue.job SET heartbeat_on = heartbeat_on - interval '1 minute' WHERE state = 'active'");
    await client.query("UPDATE idempotency_keys SET claimed_until = now() - interval '1 second' WHERE status IS NULL");
    await client.end();

    server = await serverOn(name);
    const again = ann.at(server);
    const answer = await forkAt(again, ready);
    expect(answer.status).toBe(202);
    const done = await again.until(answer.body.execution?.id ?? '', ({ status }) => status === 'completed');
    expect(done.steps.map(({ status }) => status)).toEqual(['reused', 'reused', 'completed']);
    const forks = (await again.history()).filter(({ parentExecutionId }) => parentExecutionId !== undefined);
    expect(forks).toHaveLength(1);
    expect((await again.details(ready.original)).status).toBe('completed');
  } finally {
    await server.stop();
    await database.pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
  }
}
