import type { Command } from '../../../model/commands.ts';
import { outcomeInProject, outcomeOfCall, resultAs } from '../backends/outcome-of-call.ts';
import type { EngineContext } from '../engine-context.ts';
import type { EngineModule } from '../engine-module.ts';

type ToolsType = Extract<Command['type'], `tools.${string}`>;

/** Connects tool servers to the open project, and gives their tools to agents. */
export function createToolsModule(context: EngineContext): EngineModule<ToolsType> {
  const { backend, environment } = context;
  return {
    handlers: {
      'tools.addServer': ({ server }) =>
        outcomeInProject(
          context,
          (id) => backend.call('toolServer.create', { params: { id }, body: server, idempotencyKey: environment.newId() }),
          resultAs('toolServer'),
        ),
      'tools.updateServer': ({ serverId, changes }) =>
        outcomeInProject(
          context,
          (id) => backend.call('toolServer.update', { params: { id, serverId }, body: changes }),
          resultAs('toolServer'),
        ),
      'tools.removeServer': ({ serverId }) =>
        outcomeInProject(context, (id) => backend.call('toolServer.remove', { params: { id, serverId } })),
      'tools.test': ({ serverId }) =>
        outcomeInProject(
          context,
          (id) => backend.call('toolServer.test', { params: { id, serverId } }),
          ({ server }) => ({ toolServer: server }),
        ),
      'tools.signIn': ({ serverId }) =>
        outcomeInProject(context, (id) => backend.call('toolServer.signIn', { params: { id, serverId } }), resultAs('signIn')),
      'tools.endSignIn': ({ projectId, serverId, end }) =>
        outcomeOfCall(backend.call('toolServer.endSignIn', { params: { id: projectId, serverId }, body: end }), resultAs('toolServer')),
      'tools.setPolicy': ({ toolId, policy }) =>
        outcomeInProject(
          context,
          (id) => backend.call('toolServer.setPolicy', { params: { id, toolId }, body: { policy } }),
          resultAs('tool'),
        ),
      'tools.accept': ({ toolId, hash }) =>
        outcomeInProject(context, (id) => backend.call('toolServer.accept', { params: { id, toolId }, body: { hash } }), resultAs('tool')),
      'tools.setAgentTools': ({ agentId, toolIds }) =>
        outcomeInProject(
          context,
          (id) => backend.call('toolServer.putAgentTools', { params: { id, agentId }, body: { toolIds } }),
          resultAs('agentTools'),
        ),
    },
  };
}
