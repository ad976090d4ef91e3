import pg from 'pg';
import { type Block, keepInFlight } from './keep-in-flight.ts';

/** Commits single rows of 200 bytes, each in a transaction of its own, over so many connections. */
export async function commitRows(connectionString: string, load: { connections: number; seconds: number }): Promise<Block> {
  const clients = await Promise.all(
    Array.from({ length: load.connections }, async () => {
      const client = new pg.Client({ connectionString });
      await client.connect();
      return client;
    }),
  );
  try {
    await clients[0]?.query(
      'CREATE TABLE IF NOT EXISTS bench_rows (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, value text NOT NULL)',
    );
    const free = [...clients];
    const insert = { name: 'insert', text: 'INSERT INTO bench_rows (value) VALUES ($1)', values: ['x'.repeat(200)] };
    return await keepInFlight(load.connections, load.seconds, async () => {
      const client = free.pop() as pg.Client;
      await client.query(insert).finally(() => free.push(client));
    });
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}
