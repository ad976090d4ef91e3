import type { Sent } from '../probes/count-statements.ts';
import type { MeasuredServer } from './measured-server.ts';

const begins = 'WITH changed AS (UPDATE executions';

/** Forgets what statements have cost so far. */
export async function countFromHere({ database }: MeasuredServer): Promise<void> {
  await database.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  await database.query('SELECT pg_stat_statements_reset(0, (SELECT oid FROM pg_database WHERE datname = current_database()))');
}

/** Returns what the statement costs that stores a step in the middle of a run: it was sent `calls` times since. */
export async function costOfStepStatement({ database }: MeasuredServer, sent: readonly Sent[], calls: number) {
  const text = sent.flatMap(({ texts }) => texts).filter((one) => one.startsWith(begins));
  const middle = text.find((one) => text.filter((other) => other === one).length === calls) ?? '';
  const { rows } = await database.query<{ blocks: number; wal: number }>(
    `SELECT (shared_blks_hit + shared_blks_read) / calls::float AS blocks, wal_bytes::float / calls / 1024 AS wal
     FROM pg_stat_statements WHERE query LIKE $1 AND calls = $2
       AND dbid = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [`${begins}%`, calls],
  );
  const [cost] = rows;
  if (rows.length !== 1 || !cost) throw new Error(`${rows.length} statements were sent ${calls} times.`);
  return { ...cost, values: Math.max(...[...middle.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number))) };
}
