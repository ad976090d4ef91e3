import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findNats } from '../../../scripts/cluster/local-nats.ts';
import { type Cluster, startCluster } from '../../../scripts/cluster/start-cluster.ts';
import { signUp } from '../../support/run-account.ts';

describe.runIf(findNats() !== null)('three nodes from local processes (needs the program nats-server)', () => {
  let folder: string;
  let cluster: Cluster;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'artel-cluster-'));
    await chmod(folder, 0o755);
    cluster = await startCluster({ folder: join(folder, 'data'), env: { ARTEL_CLIENT: 'off', LOG_LEVEL: 'info' } });
  });
  afterAll(async () => {
    await cluster?.stop();
    await rm(folder, { recursive: true });
  });

  const health = async (url: string) => (await fetch(`${url}/api/health`)).json();

  test('R10.01 three nodes that start at once on an empty database are all ready, on one database and one bus', async () => {
    for (const node of cluster.nodes) {
      expect(await health(node.url)).toMatchObject({ status: 'ok', database: 'up', bus: { mode: 'nats', connected: true } });
    }
    const ann = await signUp(cluster.nodes[0]?.url ?? '');
    for (const node of cluster.nodes) {
      const profile = await fetch(`${node.url}/api/auth/profile`, { headers: { authorization: `Bearer ${ann.accessToken}` } });
      expect(await profile.json()).toMatchObject({ email: ann.email });
    }
  });

  test('R10.01 calls and sockets through the proxy go to the nodes in turn, with no node of their own, and past one that is gone', async () => {
    const ann = await signUp(cluster.url);
    const socket = await ann.socket();
    await socket.until((message) => message.type === 'connected');
    await cluster.nodes[1]?.kill('SIGKILL');
    for (let call = 0; call < 6; call += 1) expect((await ann.call('GET', '/project')).status).toBe(200);
    await cluster.nodes[1]?.start();
    expect(await health(cluster.nodes[1]?.url ?? '')).toMatchObject({ status: 'ok' });
    await socket.close();
  });
});
