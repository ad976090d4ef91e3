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
          (id) => backend.createToolServer(id, server, { idempotencyKey: environment.newId() }),
          resultAs('toolServer'),
        ),
      'tools.updateServer': ({ serverId, changes }) =>
        outcomeInProject(context, (id) => backend.updateToolServer(id, serverId, changes), resultAs('toolServer')),
      'tools.removeServer': ({ serverId }) => outcomeInProject(context, (id) => backend.removeToolServer(id, serverId)),
      'tools.test': ({ serverId }) =>
        outcomeInProject(
          context,
          (id) => backend.testToolServer(id, serverId),
          ({ server }) => ({ toolServer: server }),
        ),
      'tools.signIn': ({ serverId }) => outcomeInProject(context, (id) => backend.signInToToolServer(id, serverId), resultAs('signIn')),
      'tools.endSignIn': ({ projectId, serverId, end }) =>
        outcomeOfCall(backend.endToolSignIn(projectId, serverId, end), resultAs('toolServer')),
      'tools.setPolicy': ({ toolId, policy }) =>
        outcomeInProject(context, (id) => backend.setToolPolicy(id, toolId, policy), resultAs('tool')),
      'tools.accept': ({ toolId, hash }) => outcomeInProject(context, (id) => backend.acceptTool(id, toolId, hash), resultAs('tool')),
      'tools.setAgentTools': ({ agentId, toolIds }) =>
        outcomeInProject(context, (id) => backend.putAgentTools(id, agentId, toolIds), resultAs('agentTools')),
    },
  };
}
