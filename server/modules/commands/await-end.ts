import type { Bus } from '../../platform/bus/bus.ts';
import type { CommandRepository } from './repository.ts';
import { type CommandRow, hasEnded } from './rows.ts';
import type { Works } from './works.ts';

export type AwaitEndDeps = {
  works: Pick<Works, 'find'>;
  repository: Pick<CommandRepository, 'find'>;
  bus: Pick<Bus, 'subscribe'>;
};

/** How often a command that another node works on is looked at (ms), beside when the bus tells that it has ended. */
const lookMs = 500;

/** Lets callers wait for commands to end, on whatever node that happens. */
export function createAwaitEnd({ works, repository, bus }: AwaitEndDeps) {
  /** Ends each wait that is under way. */
  const waits = new Set<() => void>();
  let closed = false;

  /** Looks at the row until it has ended or is gone, or until `stop` is called. */
  const watch = (userId: string, id: string) => {
    let stop = () => {};
    const ended = new Promise<CommandRow | null>((resolve) => {
      const look = () => {
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
      stop = () => {
        clearInterval(clock);
        unsubscribe();
      };
      look();
    });
    return { ended, stop: () => stop() };
  };

  return {
    /** The command as it ended; as it stands when it takes longer than `ms` or the server ends; null when there is none. */
    async awaitEnd(userId: string, id: string, ms: number): Promise<CommandRow | null> {
      let over = closed;
      let release = () => {};
      const limit = new Promise<null>((resolve) => {
        release = () => {
          over = true;
          clearTimeout(timer);
          waits.delete(release);
          resolve(null);
        };
        const timer = setTimeout(release, ms);
        if (closed) release();
        else waits.add(release);
      });
      let stop = () => {};
      try {
        const here = await Promise.race([works.find(id)?.ended ?? null, limit]);
        if (here || over) return here ?? (await repository.find(userId, id));
        const elsewhere = watch(userId, id);
        stop = elsewhere.stop;
        return (await Promise.race([elsewhere.ended, limit])) ?? (await repository.find(userId, id));
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
