import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Health } from '../../contract/health.ts';
import { createClient } from '../../server/platform/database/create-connection.ts';
import { amountOf } from '../support/amounts.ts';
import { embeddedAddress } from '../support/database/embedded-address.ts';
import { postmasterOf, stopRecovery } from '../support/faults/postgres-recovery.ts';
import { setUpServer } from '../support/set-up/for-vitest.ts';

const isWhole = amountOf({ some: false, whole: true });

describe.runIf(process.platform === 'linux')('a recovery of the embedded database (needs Linux)', () => {
  const server = setUpServer({}, { ownProcess: 'Its embedded database is stopped.' });
  const health = async () => (await (await fetch(`${server.url}/health`)).json()) as Health;

  async function countKept(): Promise<number> {
    const client = createClient({ connectionString: await embeddedAddress(server.dataDir) });
    await client.connect();
    const { rows } = await client.query<{ count: number }>('SELECT count(*)::int AS count FROM kept');
    await client.end();
    return rows[0]?.count ?? 0;
  }

  /** Collects what `/health` says of the database until it answers again. It is asked often: a restart lasts only a moment. */
  async function statesUntilUp(timeout: number): Promise<string[]> {
    const states: string[] = [];
    const look = async () => {
      const { database } = await health();
      if (states.at(-1) !== database) states.push(database);
      return database;
    };
    await expect.poll(look, { timeout, interval: 10 }).toBe('up');
    return states;
  }

  test('R23.01 PostgreSQL that refuses all calls after its recovery has died, as after a disk error, is ended and started again, and `/health` says so', async () => {
    const postmaster = postmasterOf(server.dataDir);
    const { pid, rows } = await stopRecovery(server.dataDir, 'preparing');
    process.kill(pid, 'SIGKILL');
    // PostgreSQL stays in this state: it starts no second recovery.
    const states = await statesUntilUp(90_000);
    expect(states).toContain('recovering');
    expect(states.slice(states.indexOf('recovering'))).toContain('restarting');
    expect(postmasterOf(server.dataDir)).not.toBe(postmaster);
    expect(await countKept()).toBe(rows);
  });

  // It waits for the whole minute, so a nightly run plays it.
  test.runIf(isWhole)('R23.01 PostgreSQL whose recovery stands still is ended and started again', { timeout: 240_000 }, async () => {
    const postmaster = postmasterOf(server.dataDir);
    const { rows } = await stopRecovery(server.dataDir, 'replaying');
    await statesUntilUp(200_000);
    expect(postmasterOf(server.dataDir)).not.toBe(postmaster);
    expect(await countKept()).toBe(rows);
  });

  test('R23.01 a slow recovery that makes progress is not ended', async () => {
    const postmaster = postmasterOf(server.dataDir);
    const { pid, rows } = await stopRecovery(server.dataDir, 'replaying');
    expect(await health()).toMatchObject({ status: 'unavailable', database: 'recovering' });
    // It works for a moment each second, for longer than PostgreSQL may be without a process that recovers.
    for (let second = 0; second < 15; second += 1) {
      await wait(1_000);
      process.kill(pid, 'SIGCONT');
      await wait(1);
      process.kill(pid, 'SIGSTOP');
    }
    expect(await health()).toMatchObject({ database: 'recovering' });
    process.kill(pid, 'SIGCONT');
    await statesUntilUp(60_000);
    expect(postmasterOf(server.dataDir)).toBe(postmaster);
    expect(await countKept()).toBe(rows);
  });
});
