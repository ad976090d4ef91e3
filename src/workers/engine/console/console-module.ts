import { type Agent, agentStatuses } from '../../../../contract/agent.ts';
import { isFallback } from '../../../model/agents/fallback-agent.ts';
import type { ConsoleCommand } from '../../../model/commands.ts';
import { parseConsoleInput, takesText } from '../../../model/console/console-command.ts';
import { blankLine } from '../../../model/console/console-lines.ts';
import { commandName } from '../../../model/console/earlier-commands.ts';
import { done, failed, type Outcome, type Problem } from '../../../model/problem.ts';
import { isLocked } from '../../../model/workspace-state.ts';
import { refusal } from '../backends/port.ts';
import type { EngineContext } from '../engine-context.ts';
import type { EngineModule } from '../engine-module.ts';
import { hasEnded } from './command-watch.ts';
import { executeCommand, followCommand } from './execute-command.ts';
import { PendingCommand } from './pending-command.ts';
import { type RecalledCommand, recallCommands } from './recall-commands.ts';
import { helpReport } from './reports.ts';

/** The number of an agent's commands that are searched for the one to cancel. */
const maxLookedThrough = 25;

/** The console's command line: an agent or the server executes the input, and the console shows the result. W2.15 W2.16 */
export function createConsoleModule(context: EngineContext): EngineModule<ConsoleCommand['type']> {
  const { store, backend, console, environment, signal } = context;
  /** The command that the command line waits for. */
  let pending: PendingCommand | null = null;
  /** Pending commands of earlier visits, followed in addition. */
  const recalled = new Set<PendingCommand>();
  let hasRecalled = false;

  const followed = () => (pending ? [pending, ...recalled] : [...recalled]);

  async function run(command: PendingCommand, execute: () => Promise<Problem | null>): Promise<void> {
    pending = command;
    store.update(({ commandLine }) => {
      commandLine.status = null;
      commandLine.waiting = {
        agentTitle: command.agent.title,
        name: command.name,
        since: new Date(command.startedAt).toISOString(),
        cancelling: false,
      };
    });
    const status = await execute();
    command.end();
    pending = null;
    store.update(({ commandLine }) => {
      commandLine.waiting = null;
      commandLine.status = status;
    });
  }

  /** Accepts or refuses the command; its answer is written to the console later. */
  function send(written: string, agentId: string | null): Outcome {
    const input = parseConsoleInput(written);
    if (input.kind === 'empty') return failed('console.empty');
    if (isLocked(store.state.run)) return failed('console.disabled');
    if (pending) return failed('console.busy');
    if (input.kind === 'unknown') {
      echo(written, null);
      console.addEvent({ code: 'console.unknown', params: { command: input.shown } }, 'warning');
      return done;
    }
    const { name, text } = input;
    if (name === 'help') {
      echo(written, null);
      console.addEvent(helpReport());
      return done;
    }
    const agent = findAgent(agentId);
    if (!agent.ok) return agent;
    if (name === 'pipeline-info' && !store.state.run.execution) return failed('console.noPipeline');
    if (takesText(name) && text === '') return failed('console.textMissing', { command: `/${name}` });
    echo(written, agent.value);
    const command = new PendingCommand({ name, text, agent: agent.value, startedAt: environment.now(), requestId: environment.newId() });
    void run(command, () => executeCommand(context, command));
    return done;
  }

  /** Continues commands from before the page was loaded, oldest first. The command line waits for the newest one. */
  function resume(commands: readonly RecalledCommand[]): void {
    commands.forEach(({ agent, command: given }, index) => {
      const name = commandName(given);
      const startedAt = Date.parse(given.createdAt);
      const command = new PendingCommand({ name, text: given.request, agent, startedAt, requestId: '' });
      const status = name === 'command' ? 'console.status.command' : 'console.status.ai';
      const follow = () => followCommand(context, command, given.id, status);
      if (index === commands.length - 1 && !pending) void run(command, follow);
      else {
        recalled.add(command);
        void follow().then(() => recalled.delete(command));
      }
    });
  }

  /** Cancels the pending command, on the server too. */
  async function cancel(): Promise<Outcome> {
    const command = pending;
    if (!command) return done;
    showCancelling(true);
    const id = await idOf(command);
    const cancelled = id === null ? null : await backend.cancelCommand(id);
    command.watch?.wake();
    if (cancelled?.ok) return done;
    if (pending === command && store.state.commandLine.waiting) showCancelling(false);
    return cancelled ? refusal(cancelled.fault) : failed('console.notCancelled');
  }

  /**
   * Returns the id of a pending command on the server; null without one. A conversation gets its id only with its answer. Until
   * then the command is found by the conversation's request id, and by nothing else.
   */
  async function idOf(command: PendingCommand): Promise<string | null> {
    if (command.watch || command.name === 'command') return command.id();
    if (command.name !== 'ai' && command.name !== 'analyze') return null;
    const listed = await backend.listCommands(command.agent.id, maxLookedThrough);
    const own = listed.ok ? listed.value.find(({ parameters }) => requestIdOf(parameters) === command.requestId) : undefined;
    return own && !hasEnded(own) ? own.id : null;
  }

  /** Returns the agent of a command if it can take one. */
  function findAgent(agentId: string | null): Outcome<Agent> {
    const { byId, order } = store.state.agents;
    const agent = agentId === null ? undefined : byId[agentId];
    if (agentId !== null && !agent) return failed('agent.notFound', { id: agentId, available: order.length });
    if (agent && agent.status !== agentStatuses.inactive && !isFallback(agent.id)) return { ok: true, value: agent };
    store.update(({ commandLine }) => {
      commandLine.status = { code: 'console.status.noAgent' };
    });
    return failed('console.noAgent');
  }

  function showCancelling(cancelling: boolean): void {
    store.update(({ commandLine: { waiting } }) => {
      if (waiting) waiting.cancelling = cancelling;
    });
  }

  function echo(written: string, agent: Agent | null): void {
    console.add([
      {
        ...blankLine,
        id: environment.newId(),
        timestamp: new Date(environment.now()).toISOString(),
        type: 'message',
        isUser: true,
        text: written.trim(),
        toAgentTitle: agent?.title ?? null,
      },
    ]);
  }

  return {
    handlers: {
      'console.send': ({ text, agentId }) => send(text, agentId),
      'console.cancel': cancel,
      'console.toggled': ({ open }) => {
        console.addEvent({ code: open ? 'console.opened' : 'console.closed' });
        return done;
      },
      'console.announce': ({ name }) => {
        console.addEvent({ code: `console.announce.${name}` });
        return done;
      },
    },
    onMessage(message) {
      if (message.type !== 'agent_command_result') return;
      for (const command of followed()) command.resultHeard(message.commandId);
    },
    onProjectOpened() {
      // After a reload the console already has the whole answer.
      if (hasRecalled) return;
      hasRecalled = true;
      void recallCommands(context).then((commands) => signal.aborted || resume(commands));
    },
    close() {
      for (const { watch } of followed()) watch?.close();
    },
  };
}

function requestIdOf({ metadata }: Record<string, unknown>): unknown {
  return typeof metadata === 'object' && metadata !== null ? (metadata as Record<string, unknown>).requestId : undefined;
}
