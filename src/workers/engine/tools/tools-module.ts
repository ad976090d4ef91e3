import type { Command, CommandResult } from '../../../model/commands.ts';
import { failed, type Outcome } from '../../../model/problem.ts';
import { type Answer, refusal } from '../backends/port.ts';
import type { EngineContext } from '../engine-context.ts';
import type { EngineModule } from '../engine-module.ts';

type ToolsType = Extract<Command['type'], `tools.${string}`>;

/** Connects tool servers to the open project, and gives their tools to agents. */
export function createToolsModule({ backend, store, environment }: EngineContext): EngineModule<ToolsType> {
  /** Makes a call for the open project. */
  const inProject = async <T>(
    call: (projectId: string) => Promise<Answer<T>>,
    result: (value: T) => CommandResult,
  ): Promise<Outcome<CommandResult>> => {
    const { project } = store.state;
    if (!project) return failed('workspace.opening');
    const answer = await call(project.id);
    return answer.ok ? { ok: true, value: result(answer.value) } : refusal(answer.fault);
  };

  return {
    handlers: {
      'tools.addServer': ({ server }) =>
        inProject(
          (id) => backend.createToolServer(id, server, { idempotencyKey: environment.newId() }),
          (toolServer) => ({ toolServer }),
        ),
      'tools.updateServer': ({ serverId, changes }) =>
        inProject(
          (id) => backend.updateToolServer(id, serverId, changes),
          (toolServer) => ({ toolServer }),
        ),
      'tools.removeServer': ({ serverId }) =>
        inProject(
          (id) => backend.removeToolServer(id, serverId),
          () => undefined,
        ),
      'tools.test': ({ serverId }) =>
        inProject(
          (id) => backend.testToolServer(id, serverId),
          ({ server }) => ({ toolServer: server }),
        ),
      'tools.signIn': ({ serverId }) =>
        inProject(
          (id) => backend.signInToToolServer(id, serverId),
          (signIn) => ({ signIn }),
        ),
      'tools.endSignIn': async ({ projectId, serverId, end }) => {
        const answer = await backend.endToolSignIn(projectId, serverId, end);
        return answer.ok ? { ok: true, value: { toolServer: answer.value } } : refusal(answer.fault);
      },
      'tools.setPolicy': ({ toolId, policy }) =>
        inProject(
          (id) => backend.setToolPolicy(id, toolId, policy),
          (tool) => ({ tool }),
        ),
      'tools.accept': ({ toolId, hash }) =>
        inProject(
          (id) => backend.acceptTool(id, toolId, hash),
          (tool) => ({ tool }),
        ),
      'tools.setAgentTools': ({ agentId, toolIds }) =>
        inProject(
          (id) => backend.putAgentTools(id, agentId, toolIds),
          (agentTools) => ({ agentTools }),
        ),
    },
  };
}
