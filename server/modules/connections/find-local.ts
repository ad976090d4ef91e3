import type { LocalServer } from '../../../contract/model-connection.ts';
import type { Egress } from '../../platform/egress/egress.ts';
import { localServers } from '../../platform/model-lists/local-servers.ts';
import { readModelList } from '../../platform/model-lists/read-model-list.ts';

/** The time that a server on this machine has to answer (ms). */
const answerMs = 300;

/** Returns the servers of models that answer on this machine. `egress` calls these addresses alone. */
export function createFindLocal(egress: Egress): () => Promise<LocalServer[]> {
  return async () => {
    const found = localServers.map(async ({ provider, address }): Promise<LocalServer[]> => {
      try {
        const server = { provider, address, apiKey: null, headers: null };
        const { models } = await readModelList(server, egress, AbortSignal.timeout(answerMs));
        return [{ provider, address, models: models.length }];
      } catch {
        // Most machines have none.
        return [];
      }
    });
    return (await Promise.all(found)).flat();
  };
}
