import type { Bus } from '../../platform/bus/bus.ts';
import type { EndedCommands } from './ended-commands.ts';
import type { CommandRepository } from './repository.ts';
import { type CommandRow, hasEnded } from './rows.ts';

export type AwaitEndDeps = {
  endedHere: Pick<EndedCommands, 'listen'>;
  repository: Pick<CommandRepository, 'find'>;
  bus: Pick<Bus, 'subscribe'>;
};

/** How often a command that another node works on is looked at (ms), beside when the bus tells that it has ended. */
const lookMs = 500;

/** Lets callers wait for commands to end, on whatever node that happens. */
export function createAwaitEnd({ endedHere, repository, bus }: AwaitEndDeps) {
  /** Ends each wait that is under way. */
  const waits = new Set<() => void>();
  let closed = false;

  /** Waits until the command ends here, and looks at the row until it has ended or is gone, or until `stop` is called. */
  const watch = (userId: string, id: string) => {
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
      const clock = setInterval(look, lookMs);
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
      look();
    });
    return { ended, stop: () => stop() };
  };

  return {
    /** The command as it ended; as it stands when it takes longer than `ms` or the server ends; null when there is none. */
    async awaitEnd(userId: string, id: string, ms: number): Promise<CommandRow | null> {
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
      const { ended, stop } = watch(userId, id);
      try {
        return (await Promise.race([ended, limit])) ?? (await repository.find(userId, id));
      } finally {
        stop();
        release();
      }
    },
    /** Lets every caller go with the command as it stands. */
    close() {
      closed = true;
      for (const release of waits) release();
    },
  };
}

export type AwaitEnd = ReturnType<typeof createAwaitEnd>['awaitEnd'];
