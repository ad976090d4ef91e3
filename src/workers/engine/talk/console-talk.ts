import { type Agent, agentStatuses } from '../../../../contract/agent.ts';
import type { ServerMessage } from '../../../../contract/realtime.ts';
import { isFallback } from '../../../model/agents/fallback-agent.ts';
import { parseConsoleInput, takesText } from '../../../model/console/console-command.ts';
import { blankLine } from '../../../model/console/console-lines.ts';
import { commandName } from '../../../model/console/earlier-commands.ts';
import { failed, type Outcome } from '../../../model/problem.ts';
import { isLocked } from '../../../model/workspace-state.ts';
import type { Backend } from '../backends/port.ts';
import type { Environment } from '../environment.ts';
import type { Console } from '../store/console.ts';
import type { Store } from '../store/store.ts';
import { carryOut, type Errand, follow } from './carry-out.ts';
import { hasEnded } from './command-watch.ts';
import type { Recalled } from './recall-commands.ts';
import { helpReport } from './report.ts';

export type TalkDependencies = {
  store: Store;
  backend: Backend;
  console: Console;
  environment: Pick<Environment, 'now' | 'newId' | 'later'>;
  language: () => string;
};

/** The console's line: takes what was written, has it done by an agent or the server, and writes what came of it. W2.15 W2.16 */
export class ConsoleTalk {
  readonly #dependencies: TalkDependencies;
  #errand: Errand | null = null;
  /** Of earlier visits, with nobody waiting for them here. */
  readonly #others = new Set<Errand>();

  constructor(dependencies: TalkDependencies) {
    this.#dependencies = dependencies;
  }

  /** Accepted or refused at once; the answer comes as messages. */
  send(written: string, agentId: string | null): Outcome {
    const { store, console } = this.#dependencies;
    const input = parseConsoleInput(written);
    if (input.kind === 'empty') return failed('console.empty');
    if (isLocked(store.state.run)) return failed('console.disabled');
    if (this.#errand) return failed('console.busy');
    if (input.kind === 'unknown') {
      this.#echo(written, null);
      console.says({ code: 'console.unknown', params: { command: input.shown } }, 'warning');
      return done;
    }
    const { name, text } = input;
    if (name === 'help') {
      this.#echo(written, null);
      console.says(helpReport());
      return done;
    }
    const agent = this.#agent(agentId);
    if (!agent.ok) return agent;
    if (name === 'pipeline-info' && !store.state.run.execution) return failed('console.noPipeline');
    if (takesText(name) && text === '') return failed('console.textMissing', { command: `/${name}` });
    this.#echo(written, agent.value);
    const errand = { name, text, agent: agent.value, startedAt: this.#dependencies.environment.now(), watch: null };
    void this.#run(errand, carryOut);
    return done;
  }

  /**
   * Goes on with what was asked before the page was loaded, oldest first: the newest is waited for as it was, the others are
   * answered when they are.
   */
  takeUp(recalled: readonly Recalled[]): void {
    recalled.forEach(({ agent, command }, index) => {
      const name = commandName(command);
      const errand: Errand = { name, text: command.request, agent, startedAt: Date.parse(command.createdAt), watch: null };
      const goOn: typeof carryOut = (dependencies) =>
        follow(dependencies, errand, command.id, name === 'command' ? 'console.status.command' : 'console.status.ai');
      if (index === recalled.length - 1 && !this.#errand) void this.#run(errand, goOn);
      else {
        this.#others.add(errand);
        void goOn(this.#dependencies, errand).then(() => this.#others.delete(errand));
      }
    });
  }

  /** Ends the command that is waited for, on the server too. */
  async cancel(): Promise<Outcome> {
    const { backend, store } = this.#dependencies;
    const errand = this.#errand;
    if (!errand) return done;
    this.#showCancelling(true);
    const id = errand.watch?.id ?? (await this.#underWay(errand.agent.id));
    const cancelled = id === null ? null : await backend.cancelCommand(id);
    errand.watch?.wake();
    if (cancelled?.ok) return done;
    if (this.#errand === errand && store.state.commandLine.waiting) this.#showCancelling(false);
    return cancelled ? { ok: false, error: cancelled.fault.problem } : failed('console.notCancelled');
  }

  receive(message: ServerMessage): void {
    if (message.type !== 'agent_command_result') return;
    for (const { watch } of this.#followed()) if (watch !== null && watch.id === message.commandId) watch.wake();
  }

  close(): void {
    for (const { watch } of this.#followed()) watch?.close();
  }

  #followed(): Errand[] {
    return this.#errand ? [this.#errand, ...this.#others] : [...this.#others];
  }

  async #run(errand: Errand, deed: typeof carryOut): Promise<void> {
    const { store } = this.#dependencies;
    this.#errand = errand;
    store.update(({ commandLine }) => {
      commandLine.status = null;
      commandLine.waiting = {
        agentTitle: errand.agent.title,
        name: errand.name,
        since: new Date(errand.startedAt).toISOString(),
        cancelling: false,
      };
    });
    const status = await deed(this.#dependencies, errand);
    this.#errand = null;
    store.update(({ commandLine }) => {
      commandLine.waiting = null;
      commandLine.status = status;
    });
  }

  /** The agent that a command is for, when it can take one. */
  #agent(agentId: string | null): Outcome<Agent> {
    const { store } = this.#dependencies;
    const { byId, order } = store.state.agents;
    const agent = agentId === null ? undefined : byId[agentId];
    if (agentId !== null && !agent) return failed('agent.notFound', { id: agentId, available: order.length });
    if (agent && agent.status !== agentStatuses.inactive && !isFallback(agent.id)) return { ok: true, value: agent };
    store.update(({ commandLine }) => {
      commandLine.status = { code: 'console.status.noAgent' };
    });
    return failed('console.noAgent');
  }

  /** The id of the agent's newest command, while it goes on: a conversation tells its own only with its answer. */
  async #underWay(agentId: string): Promise<string | null> {
    const newest = await this.#dependencies.backend.newestCommand(agentId);
    return newest.ok && newest.value && !hasEnded(newest.value) ? newest.value.id : null;
  }

  #showCancelling(cancelling: boolean): void {
    this.#dependencies.store.update(({ commandLine: { waiting } }) => {
      if (waiting) waiting.cancelling = cancelling;
    });
  }

  #echo(written: string, agent: Agent | null): void {
    const { console, environment } = this.#dependencies;
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

const done: Outcome = { ok: true, value: undefined };
