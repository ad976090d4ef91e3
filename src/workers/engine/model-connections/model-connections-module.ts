import type { Command, CommandResult } from '../../../model/commands.ts';
import type { Outcome } from '../../../model/problem.ts';
import { loadAgents } from '../agents/agent-list.ts';
import { type Answer, refusal } from '../backends/port.ts';
import { retryLostCall } from '../backends/retry-lost-call.ts';
import type { EngineContext } from '../engine-context.ts';
import type { EngineModule } from '../engine-module.ts';

type ModelConnectionType = Extract<Command['type'], `modelConnection.${string}`>;

/** Connects servers of models, and has agents use them. M3.22 */
export function createModelConnectionsModule(context: EngineContext): EngineModule<ModelConnectionType> {
  const { backend, environment } = context;

  const outcome = async <T>(call: Promise<Answer<T>>, result?: (value: T) => CommandResult): Promise<Outcome<CommandResult>> => {
    const answer = await call;
    return answer.ok ? { ok: true, value: result?.(answer.value) } : refusal(answer.fault);
  };
  /** Reads the agents again afterwards: their connections, and whether they are simulated, may have changed. */
  const withAgents: typeof outcome = async (call, result) => {
    const changed = await outcome(call, result);
    if (changed.ok) await loadAgents(context, { quietly: true });
    return changed;
  };

  return {
    handlers: {
      'modelConnection.add': ({ connection }) => {
        const key = { idempotencyKey: environment.newId() };
        const made = retryLostCall(context, () => backend.createConnection(connection, key));
        return outcome(made, (modelConnection) => ({ modelConnection }));
      },
      'modelConnection.update': ({ connectionId, changes }) =>
        withAgents(backend.updateConnection(connectionId, changes), (modelConnection) => ({ modelConnection })),
      'modelConnection.remove': ({ connectionId, evenIfUsed }) => withAgents(backend.removeConnection(connectionId, evenIfUsed)),
      'modelConnection.readModels': ({ connectionId }) => outcome(backend.readModels(connectionId)),
      'modelConnection.test': ({ connectionId, model }) =>
        outcome(backend.testConnection(connectionId, model), (connectionTest) => ({ connectionTest })),
      'modelConnection.use': ({ connectionId, agentIds, model }) => withAgents(backend.useConnection(connectionId, { agentIds, model })),
    },
  };
}
