import { join } from 'node:path';
import { expect } from 'vitest';
import { type Cluster, type ClusterNode, startCluster } from '../../scripts/cluster/start-cluster.ts';
import { compileCache } from '../../scripts/test-run/compile-cache.ts';
import { makeOpenFolder } from './database/make-open-folder.ts';
import { type ModelServer, startModelServer } from './services/model-server.ts';
import { bundledServer } from './test-services.ts';

export type TestCluster = Cluster & {
  /** The node with this number, from 1. */
  node: (number: number) => ClusterNode;
  models: ModelServer;
  /** Waits until the state of a node fits; a node that does not answer does not fit. */
  untilHealth: (node: ClusterNode, fits: (health: { status: string; bus: { connected: boolean } }) => boolean) => Promise<void>;
  /** The folder of the PostgreSQL. */
  folder: string;
};

/** Several nodes on one PostgreSQL and one NATS, whose agents call a counting model server. `more` are further settings. `stop` removes everything. */
export async function openCluster(count: number, more: Record<string, string> = {}): Promise<TestCluster> {
  const made = await makeOpenFolder();
  const folder = join(made.path, 'data');
  const models = await startModelServer();
  const remove = async () => {
    await models.close();
    await made.remove();
  };
  const env = { ...compileCache, ARTEL_CLIENT: 'off', LOG_LEVEL: 'info', OPENAI_BASE_URL: models.url, ...more };
  const cluster = await startCluster({ folder, nodes: count, env, ...(bundledServer && { program: bundledServer }) }).catch(
    async (error) => {
      await remove();
      throw error;
    },
  );
  return {
    ...cluster,
    models,
    folder,
    node: (number) => {
      const found = cluster.nodes[number - 1];
      if (!found) throw new Error(`There is no node ${number}.`);
      return found;
    },
    untilHealth: async ({ url }, fits) => {
      const isSo = () =>
        fetch(`${url}/health`)
          .then(async (answer) => fits((await answer.json()) as Parameters<typeof fits>[0]))
          .catch(() => false);
      await expect.poll(isSo, { interval: 50 }).toBe(true);
    },
    stop: async () => {
      // A stopped process would not receive the signal to end.
      for (const node of cluster.nodes) if (node.running()) node.signal('SIGCONT');
      await cluster.stop();
      await remove();
    },
  };
}
