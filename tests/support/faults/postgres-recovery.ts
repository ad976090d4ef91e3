import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createClient } from '../../../server/platform/database/create-connection.ts';
import { embeddedAddress } from '../database/embedded-address.ts';

/** Returns the process of the PostgreSQL in a data folder. */
export function postmasterOf(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
}

/**
 * Kills a process of PostgreSQL, so that it recovers, and stops the process that recovers: while it prepares, before it reads the log, or in the middle of
 * replaying it. Returns that process. PostgreSQL has a table `kept` with as many rows as it says. Works on Linux.
 */
export async function stopRecovery(dataDir: string, when: 'preparing' | 'replaying'): Promise<{ pid: number; rows: number }> {
  const rows = 400_000;
  const client = createClient({ connectionString: await embeddedAddress(dataDir) });
  await client.connect();
  // Without a later checkpoint the recovery replays all of this, which takes it long enough to be found at work.
  await client.query('CHECKPOINT');
  await client.query('CREATE TABLE IF NOT EXISTS kept (text text); TRUNCATE kept');
  await client.query(`INSERT INTO kept SELECT repeat('x', 150) FROM generate_series(1, ${rows})`);
  const { rows: backends } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const postmaster = postmasterOf(dataDir);
  const log = join(dataDir, 'postgres.log');
  const logged = statSync(log).size;
  process.kill(backends[0]?.pid as number, 'SIGKILL');
  for (;;) {
    const isThere = when === 'preparing' || readFileSync(log).subarray(logged).includes('redo starts at');
    const pid = isThere ? recoveringProcess(postmaster) : null;
    if (pid !== null) {
      process.kill(pid, 'SIGSTOP');
      return { pid, rows };
    }
    // Both last only a moment: they are looked for without a pause.
    await nextTurn();
  }
}

/** Returns the child that recovers; null where there is none yet. */
function recoveringProcess(postmaster: number): number | null {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      if (!readFileSync(`/proc/${name}/cmdline`, 'latin1').startsWith('postgres: startup')) continue;
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === postmaster) return Number(name);
    } catch {
      // It has ended.
    }
  }
  return null;
}
