import type { Bus } from '../../platform/bus/bus.ts';
import type { EndedCommands } from './ended-commands.ts';
import type { CommandRepository } from './repository.ts';
import { type CommandRow, hasEnded } from './rows.ts';

type AwaitEndDeps = {
  endedHere: Pick<EndedCommands, 'listen'>;
  repository: Pick<CommandRepository, 'find'>;
  bus: Pick<Bus, 'subscribe'>;
};

/** How often the state of another node's command is read (ms), in addition to messages of the bus. */
const pollMs = 500;

/** Lets callers wait for the end of commands on any node. */
export function createAwaitEnd({ endedHere, repository, bus }: AwaitEndDeps) {
  /** Ends every current wait. */
  const waits = new Set<() => void>();
  let closed = false;

  /** Waits until the command ends on this node, or its row has ended or is gone, or `stop` is called. */
  const watch = (userId: string, id: string, isNew: boolean) => {
    let stop = () => {};
    const ended = new Promise<CommandRow | null>((resolve) => {
      let isOver = false;
      const look = () => {
        if (isOver) return;
        repository.find(userId, id).then(
          (row) => {
            if (row === null || hasEnded(row)) resolve(row);
          },
          () => {},
        );
      };
      const clock = setInterval(look, pollMs);
      const unsubscribe = bus.subscribe(userId, (message) => {
        if (message.type === 'agent_command_result' && message.commandId === id) look();
      });
      const unlisten = endedHere.listen(id, (row) => {
        isOver = true;
        resolve(row);
      });
      stop = () => {
        clearInterval(clock);
        unsubscribe();
        unlisten();
      };
      if (!isNew) look();
    });
    return { ended, stop: () => stop() };
  };

  return {
    /**
     * Returns the ended command; its current state after `ms` or at the server's end; null for an unknown one. `isNew`: this process has stored it
     * just now, unfinished, so that its row has no news yet.
     */
    async awaitEnd(userId: string, id: string, ms: number, isNew: boolean): Promise<CommandRow | null> {
      let release = () => {};
      const limit = new Promise<null>((resolve) => {
        release = () => {
          clearTimeout(timer);
          waits.delete(release);
          resolve(null);
        };
        const timer = setTimeout(release, ms);
        if (closed) release();
        else waits.add(release);
      });
      const { ended, stop } = watch(userId, id, isNew);
      try {
        return (await Promise.race([ended, limit])) ?? (await repository.find(userId, id));
      } finally {
        stop();
        release();
      }
    },
    /** Ends every wait with the command's current state. */
    close() {
      closed = true;
      for (const release of waits) release();
    },
  };
}

export type AwaitEnd = ReturnType<typeof createAwaitEnd>['awaitEnd'];
