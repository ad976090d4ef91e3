import pg from 'pg';

/**
 * A pool that survives connections which are lost while somebody holds them. Such a connection goes back to the pool at
 * once, to be thrown away, also when its holder forgets it (a failed BEGIN is forgotten by the query builder); its holder's
 * queries fail, and its holder's own release does nothing more. Without this the error would end the process, and each
 * forgotten connection would be missing from the pool for good.
 */
export class SteadyPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | undefined {
    if (!callback) return super.connect().then(releasedWhenLost);
    super.connect(callback);
    return undefined;
  }
}

type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void;

function releasedWhenLost(client: pg.PoolClient): pg.PoolClient {
  const release = client.release.bind(client);
  let held = true;
  const giveBack = (reason?: Error | boolean) => {
    if (!held) return;
    held = false;
    client.removeListener('error', giveBack);
    release(reason);
  };
  client.on('error', giveBack);
  client.release = giveBack;
  return client;
}
