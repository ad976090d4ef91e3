import type { Command } from '../../../model/commands.ts';
import { loadAgents } from '../agents/agent-list.ts';
import { outcomeOfCall, resultAs } from '../backends/outcome-of-call.ts';
import { callOnce } from '../backends/retry-lost-call.ts';
import type { EngineContext } from '../engine-context.ts';
import type { EngineModule } from '../engine-module.ts';

type ModelConnectionType = Extract<Command['type'], `modelConnection.${string}`>;

/** Connects servers of models, and has agents use them. M3.22 */
export function createModelConnectionsModule(context: EngineContext): EngineModule<ModelConnectionType> {
  const { backend } = context;

  /** Reads the agents again afterwards: their connections, and whether they are simulated, may have changed. */
  const withAgents: typeof outcomeOfCall = async (call, result) => {
    const changed = await outcomeOfCall(call, result);
    if (changed.ok) await loadAgents(context, { quietly: true });
    return changed;
  };

  return {
    handlers: {
      'modelConnection.add': ({ connection }) => {
        const made = callOnce(context, 'modelConnection.create', { body: connection });
        return outcomeOfCall(made, resultAs('modelConnection'));
      },
      'modelConnection.update': ({ connectionId, changes }) =>
        withAgents(backend.call('modelConnection.update', { params: { id: connectionId }, body: changes }), resultAs('modelConnection')),
      'modelConnection.remove': ({ connectionId, evenIfUsed }) =>
        withAgents(
          backend.call('modelConnection.remove', { params: { id: connectionId }, query: { evenIfUsed: evenIfUsed ? 'true' : 'false' } }),
        ),
      'modelConnection.readModels': ({ connectionId }) =>
        outcomeOfCall(backend.call('modelConnection.readModels', { params: { id: connectionId } })),
      'modelConnection.test': ({ connectionId, model }) =>
        outcomeOfCall(
          backend.call('modelConnection.test', { params: { id: connectionId }, body: model === null ? {} : { model } }),
          resultAs('connectionTest'),
        ),
      'modelConnection.use': ({ connectionId, agentIds, model }) =>
        withAgents(backend.call('modelConnection.use', { params: { id: connectionId }, body: { agentIds, model } })),
    },
  };
}
