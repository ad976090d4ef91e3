import pg from 'pg';

/**
 * Makes a connection, which the caller opens. When it is lost, the statement that waits for an answer fails, and nothing else: without a
 * listener for errors the loss would end the process. The linter refuses `new pg.Client` and `new pg.Pool` elsewhere.
 */
export function createClient(config: pg.ClientConfig): pg.Client {
  const client = new pg.Client(config);
  client.on('error', () => {});
  return client;
}

/** Makes a pool without limits of time, for work before the server serves and for tools. Lost connections of it end no process either. */
export function createPool(config: pg.PoolConfig): pg.Pool {
  return outliveLosses(new pg.Pool(config));
}

/** Makes the loss of a connection harmless to the process, whether it is idle or a caller holds it. Returns the pool. */
export function outliveLosses<Pool extends pg.Pool>(pool: Pool): Pool {
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
