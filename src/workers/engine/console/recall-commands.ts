import type { Agent } from '../../../../contract/agent.ts';
import type { Command } from '../../../../contract/command.ts';
import { consoleAgents } from '../../../model/console/console-command.ts';
import { earlierCommands, isConsoleCommand } from '../../../model/console/earlier-commands.ts';
import type { EngineContext } from '../engine-context.ts';
import { hasEnded } from './command-watch.ts';

/** Commands of each agent that are shown again. */
const maxRecalled = 25;

/** A command of an earlier visit, and the agent that it was given to. */
export type RecalledCommand = { agent: Agent; command: Command };

/**
 * Writes the commands of earlier visits to the console, with their results, and returns the unanswered ones, oldest first.
 * Agents whose commands cannot be read are left out.
 */
export async function recallCommands(context: EngineContext): Promise<RecalledCommand[]> {
  const { store, backend, console } = context;
  const { agents, project } = store.state;
  if (!project) return [];
  const recalled = await Promise.all(
    consoleAgents(agents).map(async (agent) => {
      const listed = await backend.call('command.history', { params: { agentId: agent.id }, query: { limit: maxRecalled } });
      const commands = listed.ok ? listed.value.toReversed().filter((command) => isConsoleCommand(command, project.id)) : [];
      return { agent, commands: await Promise.all(commands.map((command) => withWholeResult(context, command))) };
    }),
  );
  console.restore(recalled.flatMap(({ agent, commands }) => earlierCommands(agent, commands)));
  return recalled
    .flatMap(({ agent, commands }) => commands.filter((command) => !hasEnded(command)).map((command) => ({ agent, command })))
    .sort((a, b) => Date.parse(a.command.createdAt) - Date.parse(b.command.createdAt));
}

/** The command with its whole result: a list has only the beginning of a long one. When it cannot be read, the beginning stays. */
async function withWholeResult({ backend }: EngineContext, command: Command): Promise<Command> {
  if (!command.resultIsCut) return command;
  const whole = await backend.call('command.status', { params: { id: command.id } });
  return whole.ok ? { ...command, result: whole.value.result } : command;
}
