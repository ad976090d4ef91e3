import type { Agent } from '../../../../contract/agent.ts';
import { agentStatuses } from '../../../../contract/agent-statuses.ts';
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
  const line = new CommandLine(context);
  const addEvent = (code: string) => {
    context.console.addEvent({ code });
    return done;
  };
  return {
    handlers: {
      'console.send': ({ text, agentId }) => line.send(text, agentId),
      'console.cancel': () => line.cancel(),
      'console.toggled': ({ open }) => addEvent(open ? 'console.opened' : 'console.closed'),
      'console.announce': ({ name }) => addEvent(`console.announce.${name}`),
    },
    onMessage(message) {
      if (message.type === 'agent_command_result') line.resultHeard(message.commandId);
    },
    onProjectOpened: () => line.recall(),
    close: () => line.close(),
  };
}

/** The commands that were sent, and those of earlier visits that are still pending. */
class CommandLine {
  readonly #context: EngineContext;
  /** The command that the command line waits for. */
  #pending: PendingCommand | null = null;
  /** Pending commands of earlier visits, followed in addition. */
  readonly #recalled = new Set<PendingCommand>();
  #hasRecalled = false;

  constructor(context: EngineContext) {
    this.#context = context;
  }

  /** Accepts or refuses the command; its answer is written to the console later. */
  send(written: string, agentId: string | null): Outcome {
    const { store, console, environment } = this.#context;
    const input = parseConsoleInput(written);
    if (input.kind === 'empty') return failed('console.empty');
    if (isLocked(store.state.run)) return failed('console.disabled');
    if (this.#pending) return failed('console.busy');
    if (input.kind === 'unknown') {
      this.#echo(written, null);
      console.addEvent({ code: 'console.unknown', params: { command: input.shown } }, 'warning');
      return done;
    }
    const { name, text } = input;
    if (name === 'help') {
      this.#echo(written, null);
      console.addEvent(helpReport());
      return done;
    }
    const agent = this.#findAgent(agentId);
    if (!agent.ok) return agent;
    if (name === 'pipeline-info' && !store.state.run.execution) return failed('console.noPipeline');
    if (takesText(name) && text === '') return failed('console.textMissing', { command: `/${name}` });
    this.#echo(written, agent.value);
    const command = new PendingCommand({ name, text, agent: agent.value, startedAt: environment.now(), requestId: environment.newId() });
    void this.#run(command, () => executeCommand(this.#context, command));
    return done;
  }

  /** Cancels the pending command, on the server too. */
  async cancel(): Promise<Outcome> {
    const { store, backend } = this.#context;
    const command = this.#pending;
    if (!command) return done;
    this.#showCancelling(true);
    const id = await this.#idOf(command);
    const cancelled = id === null ? null : await backend.call('command.cancel', { params: { id } });
    command.watch?.wake();
    if (cancelled?.ok) return done;
    if (this.#pending === command && store.state.commandLine.waiting) this.#showCancelling(false);
    return cancelled ? refusal(cancelled.fault) : failed('console.notCancelled');
  }

  resultHeard(commandId: string | undefined): void {
    for (const command of this.#followed()) command.resultHeard(commandId);
  }

  /** Continues the commands of earlier visits. After a reload of the project the console already has the whole answer. */
  recall(): void {
    if (this.#hasRecalled) return;
    this.#hasRecalled = true;
    void recallCommands(this.#context).then((commands) => this.#context.signal.aborted || this.#resume(commands));
  }

  close(): void {
    for (const { watch } of this.#followed()) watch?.close();
  }

  #followed(): PendingCommand[] {
    return this.#pending ? [this.#pending, ...this.#recalled] : [...this.#recalled];
  }

  async #run(command: PendingCommand, execute: () => Promise<Problem | null>): Promise<void> {
    const { store } = this.#context;
    this.#pending = command;
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
    this.#pending = null;
    store.update(({ commandLine }) => {
      commandLine.waiting = null;
      commandLine.status = status;
    });
  }

  /** Continues commands from before the page was loaded, oldest first. The command line waits for the newest one. */
  #resume(commands: readonly RecalledCommand[]): void {
    commands.forEach(({ agent, command: given }, index) => {
      const name = commandName(given);
      const startedAt = Date.parse(given.createdAt);
      const command = new PendingCommand({ name, text: given.request, agent, startedAt, requestId: '' });
      const status = name === 'command' ? 'console.status.command' : 'console.status.ai';
      const follow = () => followCommand(this.#context, command, given.id, status);
      if (index === commands.length - 1 && !this.#pending) void this.#run(command, follow);
      else {
        this.#recalled.add(command);
        void follow().then(() => this.#recalled.delete(command));
      }
    });
  }

  /**
   * Returns the id of a pending command on the server; null without one. A conversation gets its id only with its answer. Until
   * then the command is found by the conversation's request id, and by nothing else.
   */
  async #idOf(command: PendingCommand): Promise<string | null> {
    if (command.watch || command.name === 'command') return command.id();
    if (command.name !== 'ai' && command.name !== 'analyze') return null;
    const listed = await this.#context.backend.call('command.history', {
      params: { agentId: command.agent.id },
      query: { limit: maxLookedThrough },
    });
    const own = listed.ok ? listed.value.find(({ parameters }) => requestIdOf(parameters) === command.requestId) : undefined;
    return own && !hasEnded(own) ? own.id : null;
  }

  /** Returns the agent of a command if it can take one. */
  #findAgent(agentId: string | null): Outcome<Agent> {
    const { store } = this.#context;
    const { byId, order } = store.state.agents;
    const agent = agentId === null ? undefined : byId[agentId];
    if (agentId !== null && !agent) return failed('agent.notFound', { id: agentId, available: order.length });
    if (agent && agent.status !== agentStatuses.inactive && !isFallback(agent.id)) return { ok: true, value: agent };
    store.update(({ commandLine }) => {
      commandLine.status = { code: 'console.status.noAgent' };
    });
    return failed('console.noAgent');
  }

  #showCancelling(cancelling: boolean): void {
    this.#context.store.update(({ commandLine: { waiting } }) => {
      if (waiting) waiting.cancelling = cancelling;
    });
  }

  #echo(written: string, agent: Agent | null): void {
    const { console, environment } = this.#context;
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
}

function requestIdOf({ metadata }: Record<string, unknown>): unknown {
  return typeof metadata === 'object' && metadata !== null ? (metadata as Record<string, unknown>).requestId : undefined;
}
