import type { Bus, BusMessage } from '../../platform/bus/bus.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import type { CommandRepository } from './repository.ts';
import { type CommandRow, hasEnded } from './rows.ts';

type CommandWaitsDeps = { repository: Pick<CommandRepository, 'find'>; bus: Pick<Bus, 'publish' | 'subscribe'> };

/** Ends a wait with the ended command; with null it is read once more. */
type EndWait = (row: CommandRow | null) => void;

/** How often the state of another node's command is read (ms), in addition to messages of the bus. */
const pollMs = 500;

/** Lets callers wait for the end of commands on any node. */
export class CommandWaits {
  readonly #deps: CommandWaitsDeps;
  /** The current waits, by command. */
  readonly #waits = new Map<string, Set<EndWait>>();
  #isClosed = false;

  constructor(deps: CommandWaitsDeps) {
    this.#deps = deps;
  }

  /** Publishes that a command has ended here. Callers of this process get its row. */
  publishEnd(row: CommandRow): void {
    for (const end of this.#waits.get(row.id) ?? []) end(row);
    this.#deps.bus.publish(row.userId, resultMessage(row));
  }

  /**
   * Returns the ended command; its current state after `ms` or at the server's end; null for an unknown one. `isNew`: this process has stored it
   * just now, unfinished, so that its row has no news yet.
   */
  async awaitEnd(userId: OwnerId, id: string, ms: number, isNew: boolean): Promise<CommandRow | null> {
    const { repository, bus } = this.#deps;
    const { promise, resolve } = Promise.withResolvers<CommandRow | null>();
    let isOver = false;
    const end: EndWait = (row) => {
      isOver = true;
      resolve(row);
    };
    const look = async () => {
      const row = isOver ? undefined : await repository.find(userId, id).catch(() => undefined);
      if (row === null || (row && hasEnded(row))) end(row);
    };
    const timer = setTimeout(() => end(null), ms);
    const clock = setInterval(() => void look(), pollMs);
    const unsubscribe = bus.subscribe(userId, (message) => {
      if (message.type === 'agent_command_result' && message.commandId === id) void look();
    });
    const waits = this.#waits.get(id) ?? new Set();
    this.#waits.set(id, waits.add(end));
    if (this.#isClosed) end(null);
    if (!isNew) void look();
    try {
      return (await promise) ?? (await repository.find(userId, id));
    } finally {
      clearTimeout(timer);
      clearInterval(clock);
      unsubscribe();
      waits.delete(end);
      if (waits.size === 0 && this.#waits.get(id) === waits) this.#waits.delete(id);
    }
  }

  /** Ends every wait with the command's current state. */
  close(): void {
    this.#isClosed = true;
    for (const waits of this.#waits.values()) for (const end of waits) end(null);
  }
}

/** Returns the bus message of an ended command. */
function resultMessage({ id: commandId, agentId, projectId, status, result, error }: CommandRow): BusMessage {
  const text = result ?? error?.message ?? '';
  return { type: 'agent_command_result', agentId, result: text, projectId, executionId: null, commandId, status };
}
