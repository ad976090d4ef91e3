import type { Agent } from '../../../../contract/agent.ts';
import type { SlashCommand } from '../../../model/console/console-command.ts';
import type { CommandWatch } from './command-watch.ts';

/** A console command that an agent or the server has not answered yet. */
export class PendingCommand {
  /** Help is shown immediately and is never pending. */
  readonly name: Exclude<SlashCommand, 'help'>;
  readonly text: string;
  readonly agent: Agent;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** The request id of a conversation, which the server reports with the command. */
  readonly requestId: string;
  #watch: CommandWatch | null = null;
  #hasEnded = false;
  /** Commands whose results arrived before this command's id was known. */
  readonly #heardIds = new Set<string | undefined>();
  #onGiven: ((id: string | null) => void)[] = [];

  constructor({ name, text, agent, startedAt, requestId }: Pick<PendingCommand, 'name' | 'text' | 'agent' | 'startedAt' | 'requestId'>) {
    this.name = name;
    this.text = text;
    this.agent = agent;
    this.startedAt = startedAt;
    this.requestId = requestId;
  }

  /** Follows the command on the server; null until its id is known. */
  get watch(): CommandWatch | null {
    return this.#watch;
  }

  followedBy(watch: CommandWatch): void {
    this.#watch = watch;
    if (this.#heardIds.has(watch.id)) watch.wake();
    this.#settle(watch.id);
  }

  /** The server sent a message about the result of a command, which may be this one. */
  resultHeard(commandId: string | undefined): void {
    if (!this.#watch) this.#heardIds.add(commandId);
    else if (this.#watch.id === commandId) this.#watch.wake();
  }

  /** No command of the server's follows any more. */
  end(): void {
    this.#hasEnded = true;
    this.#settle(null);
  }

  /** Resolves with the id of the command on the server once it is known; null when the command ended without one. */
  id(): Promise<string | null> {
    if (this.#watch || this.#hasEnded) return Promise.resolve(this.#watch?.id ?? null);
    return new Promise((resolve) => this.#onGiven.push(resolve));
  }

  #settle(id: string | null): void {
    for (const resolve of this.#onGiven) resolve(id);
    this.#onGiven = [];
  }
}
