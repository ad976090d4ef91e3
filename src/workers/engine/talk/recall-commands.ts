import { consoleAgents } from '../../../model/console-command.ts';
import { earlierCommands } from '../../../model/earlier-commands.ts';
import type { ConsoleMessage } from '../../../model/workspace-state.ts';
import type { Backend } from '../backends/port.ts';
import type { Console } from '../store/console.ts';
import type { Store } from '../store/store.ts';

/** Commands of each agent that come back. */
const mostRecalled = 25;

/** Writes to the console what was asked for in it before the page was loaded; what cannot be read is left out. */
export async function recallCommands(store: Store, backend: Backend, console: Console): Promise<void> {
  const { agents, project } = store.state;
  if (!project) return;
  const recalled = await Promise.all(
    consoleAgents(agents).map(async (agent): Promise<ConsoleMessage[]> => {
      const listed = await backend.listCommands(agent.id, mostRecalled);
      return listed.ok ? earlierCommands(agent, listed.value.toReversed(), project.id) : [];
    }),
  );
  console.restore(recalled.flat());
}
