import type { Command } from '../../../model/commands.ts';
import { loadAgents } from '../agents/agent-list.ts';
import { outcomeOfCall, resultAs } from '../backends/outcome-of-call.ts';
import { retryLostCall } from '../backends/retry-lost-call.ts';
import type { EngineContext } from '../engine-context.ts';
import type { EngineModule } from '../engine-module.ts';

type ModelConnectionType = Extract<Command['type'], `modelConnection.${string}`>;

/** Connects servers of models, and has agents use them. M3.22 */
export function createModelConnectionsModule(context: EngineContext): EngineModule<ModelConnectionType> {
  const { backend, environment } = context;

  /** Reads the agents again afterwards: their connections, and whether they are simulated, may have changed. */
  const withAgents: typeof outcomeOfCall = async (call, result) => {
    const changed = await outcomeOfCall(call, result);
    if (changed.ok) await loadAgents(context, { quietly: true });
    return changed;
  };

  return {
    handlers: {
      'modelConnection.add': ({ connection }) => {
        const key = { idempotencyKey: environment.newId() };
        const made = retryLostCall(context, () => backend.createConnection(connection, key));
        return outcomeOfCall(made, resultAs('modelConnection'));
      },
      'modelConnection.update': ({ connectionId, changes }) =>
        withAgents(backend.updateConnection(connectionId, changes), resultAs('modelConnection')),
      'modelConnection.remove': ({ connectionId, evenIfUsed }) => withAgents(backend.removeConnection(connectionId, evenIfUsed)),
      'modelConnection.readModels': ({ connectionId }) => outcomeOfCall(backend.readModels(connectionId)),
      'modelConnection.test': ({ connectionId, model }) =>
        outcomeOfCall(backend.testConnection(connectionId, model), resultAs('connectionTest')),
      'modelConnection.use': ({ connectionId, agentIds, model }) => withAgents(backend.useConnection(connectionId, { agentIds, model })),
    },
  };
}
