import type { Command } from '../../../model/commands.ts';
import { done } from '../../../model/problem.ts';
import { loadAgents } from '../agents/agent-list.ts';
import { refusal } from '../backends/port.ts';
import { retryLostCall } from '../backends/retry-lost-call.ts';
import type { EngineContext } from '../engine-context.ts';
import type { EngineModule } from '../engine-module.ts';

type ModelConnectionType = Extract<Command['type'], `modelConnection.${string}`>;

/** Connects servers of models, and has agents use them. Whether a card's agent is simulated may change with each. M3.22 */
export function createModelConnectionsModule(context: EngineContext): EngineModule<ModelConnectionType> {
  const { backend, environment } = context;
  const readAgents = () => loadAgents(context, { quietly: true });

  return {
    handlers: {
      'modelConnection.add': async ({ connection }) => {
        const key = { idempotencyKey: environment.newId() };
        const made = await retryLostCall(context, () => backend.createConnection(connection, key));
        return made.ok ? { ok: true, value: { modelConnection: made.value } } : refusal(made.fault);
      },
      'modelConnection.update': async ({ connectionId, changes }) => {
        const changed = await backend.updateConnection(connectionId, changes);
        if (!changed.ok) return refusal(changed.fault);
        await readAgents();
        return { ok: true, value: { modelConnection: changed.value } };
      },
      'modelConnection.remove': async ({ connectionId, evenIfUsed }) => {
        const removed = await backend.removeConnection(connectionId, evenIfUsed);
        if (!removed.ok) return refusal(removed.fault);
        await readAgents();
        return done;
      },
      'modelConnection.readModels': async ({ connectionId }) => {
        const read = await backend.readModels(connectionId);
        return read.ok ? done : refusal(read.fault);
      },
      'modelConnection.test': async ({ connectionId, model }) => {
        const tested = await backend.testConnection(connectionId, model);
        return tested.ok ? { ok: true, value: { connectionTest: tested.value } } : refusal(tested.fault);
      },
      'modelConnection.use': async ({ connectionId, agentIds, model }) => {
        const used = await backend.useConnection(connectionId, { agentIds, model });
        if (!used.ok) return refusal(used.fault);
        await readAgents();
        return done;
      },
    },
  };
}
