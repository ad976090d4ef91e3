import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { startServerOnDatabase } from '../../../tests/support/server-on-database.ts';
import { openAccount } from '../client/account.ts';
import { httpClient } from '../client/http-client.ts';
import type { Scenario } from '../scenario.ts';

const patienceMs = 180_000;
/** The number of simultaneous starts. */
const startsAtOnce = 32;

/** One of two nodes killed while it works on two thousand runs, each in its third step: the other claims them. */
export const takeoverScenario: Scenario = {
  name: 'takeover',
  run: async (bench) => {
    const runs = bench.quick ? 200 : 2_000;
    const calls = async () => Number(await bench.models.ask({ kind: 'calls' }));
    const limits = { ARTEL_ACCOUNT_RUNS_AT_ONCE: String(runs), ARTEL_ACCOUNT_RUNS_STARTED: String(runs) };
    const { database, server } = await startServerOnDatabase({
      ...{ OPENAI_BASE_URL: String(await bench.models.ask({ kind: 'url' })), LOG_LEVEL: 'warn', ARTEL_DAILY_TOKENS: '0', ...limits },
    });
    const client = httpClient(server.url);
    try {
      const account = await openAccount(client, 'held-third');
      const before = await calls();
      await bench.models.ask({ kind: 'hold', on: true });
      for (let started = 0; started < runs; started += startsAtOnce) {
        await Promise.all(Array.from({ length: Math.min(startsAtOnce, runs - started) }, account.start));
      }
      await until(async () => (await calls()) - before === runs * 3);
      const other = await server.beside();
      try {
        await server.kill('SIGKILL');
        const killed = performance.now();
        await bench.models.ask({ kind: 'hold', on: false });
        const counted = () => countRuns(database.pool);
        await until(async () => (await counted()).moved === runs);
        const movedMs = performance.now() - killed;
        await until(async () => (await counted()).ended === runs);
        const endedMs = performance.now() - killed;
        const { completed, excess } = await counted();
        const what = `node killed with ${runs} runs in step 3`;
        return [
          { what: `${what}, completed`, unit: 'runs', value: completed, floor: { atLeast: runs } },
          { what: `${what}, with an attempt more than the one that was lost`, unit: 'runs', value: excess, floor: { atMost: 0 } },
          { what: `${what}, model calls`, unit: 'calls', value: (await calls()) - before, floor: { atMost: runs * 6 } },
          { what: `${what}, until the other node has taken the last`, unit: 's', value: movedMs / 1_000, floor: { atMost: 30 } },
          { what: `${what}, until the last end`, unit: 's', value: endedMs / 1_000, floor: { atMost: 90 } },
        ];
      } finally {
        await other.stop();
      }
    } finally {
      client.close();
      await server.stop();
      await database.remove();
    }
  },
};

/** Counts of runs: third step restarted, ended, completed, and with more attempts than one lost node explains. */
async function countRuns(pool: pg.Pool): Promise<{ moved: number; ended: number; completed: number; excess: number }> {
  const { rows } = await pool.query(
    `SELECT (SELECT count(*)::integer FROM execution_steps WHERE order_index = $1 AND attempts >= 2) AS moved,
      (SELECT count(*)::integer FROM executions WHERE status IN ('completed', 'failed', 'cancelled')) AS ended,
      (SELECT count(*)::integer FROM executions WHERE status = 'completed') AS completed,
      (SELECT count(DISTINCT execution_id)::integer FROM execution_steps
        WHERE attempts > CASE WHEN order_index = $1 THEN 2 ELSE 1 END) AS excess`,
    [thirdStep],
  );
  return rows[0];
}

const thirdStep = 2;

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const limit = performance.now() + patienceMs; !(await holds()); await wait(200)) {
    if (performance.now() > limit) throw new Error('what was waited for did not come about');
  }
}
