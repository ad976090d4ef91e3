import { readdirSync, readFileSync } from 'node:fs';
import type { RunnerProcess } from '../runner/start-runner.ts';
import { rowsOf, type Storm } from './storm.ts';

/** What may wait in the queue of a server that has nothing to do: its own clocks. */
const clocks = ['trigger', 'forge'];

/**
 * Rows that stay after a storm though no process works on them, by what they are. Sets that no run has and reservations go after a time: `letTimePass` comes
 * before.
 */
const leftRows: Record<string, string> = {
  'runs that have not ended': `SELECT id, status FROM executions WHERE status NOT IN ('completed')`,
  'runs of triggers without a fire': `SELECT e.id FROM executions e JOIN triggers t ON t.key_id = e.key_id
    WHERE NOT EXISTS (SELECT FROM fires f WHERE f.execution_id = e.id)`,
  'runs of several fires': 'SELECT execution_id FROM fires WHERE execution_id IS NOT NULL GROUP BY execution_id HAVING count(*) > 1',
  'fires that wait': `SELECT key FROM fires WHERE outcome = 'waiting'`,
  'fires whose runs are not settled': `SELECT key FROM fires WHERE outcome = 'started' AND NOT is_settled`,
  'open questions': `SELECT id FROM questions WHERE state = 'open'`,
  'unsent sets': 'SELECT id FROM input_sets WHERE sealed_at IS NULL',
  'sets of no run': `SELECT s.id FROM input_sets s WHERE sealed_at IS NOT NULL
    AND NOT EXISTS (SELECT FROM executions e WHERE to_jsonb(e)->>'input_set_id' = s.id::text)`,
  'reserved bytes': 'SELECT user_id, reserved FROM storage_uses WHERE reserved > 0 AND reserved_until > now()',
  'reserved calls': `SELECT id, state FROM spend WHERE state = 'reserved'`,
  'claimed keys': 'SELECT key FROM idempotency_keys WHERE status IS NULL AND claimed_until > now()',
  'dead letters': 'SELECT queue, reason FROM dead_letters',
  jobs: `SELECT name, state, data FROM artel_queue.job WHERE name NOT IN (${clocks.map((name) => `'${name}'`).join()})
    AND state IN ('created', 'retry', 'active')`,
};

/** Lets the time pass after which the work of killed processes counts as left. */
export async function letTimePass({ pool }: Pick<Storm, 'pool'>): Promise<void> {
  await pool.query("UPDATE input_sets SET starts_until = now() - interval '1 second' WHERE starts_until IS NOT NULL");
  await pool.query("UPDATE storage_uses SET reserved_until = now() - interval '1 second'");
  await pool.query("UPDATE idempotency_keys SET claimed_until = now() - interval '1 second' WHERE status IS NULL");
}

/** Returns what the database still has, in words. */
export async function rowsLeft(storm: Pick<Storm, 'pool'>): Promise<string[]> {
  const left: string[] = [];
  for (const [what, text] of Object.entries(leftRows)) {
    const rows = await rowsOf<object>(storm, text);
    if (rows.length > 0) left.push(`${rows.length} ${what}: ${JSON.stringify(rows.slice(0, 5))}`);
  }
  return left;
}

/** Returns the processes of a runner's jobs, and the folders of jobs that are there. */
export function jobsLeft(runner: RunnerProcess, workDir: string): string[] {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === runner.pid);
  return [...processes.map((pid) => `a process of a job: ${pid}`), ...readdirSync(workDir).map((name) => `a folder of a job: ${name}`)];
}

function parentOf(pid: string): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    // It has ended.
    return null;
  }
}
