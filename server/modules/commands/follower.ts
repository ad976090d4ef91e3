import type { Bus } from '../../platform/bus/bus.ts';
import { type ExecutionStandings, placeKey, type StepPlace } from '../executions/index.ts';
import type { Finish } from './finish.ts';
import { mirrorStep } from './mirror-step.ts';
import type { CommandRepository } from './repository.ts';
import type { CommandRow } from './rows.ts';
import type { Work, Works } from './works.ts';

export type FollowerDeps = {
  repository: Pick<CommandRepository, 'stepBegan'>;
  standings: ExecutionStandings['standings'];
  works: Works;
  finish: Finish;
  bus: Pick<Bus, 'subscribe'>;
  now: () => Date;
  log: { warn: (about: object, line: string) => void };
};

/** How often followed steps are looked at (ms), beside when the bus tells of them. */
const lookMs = 2_000;

type Followed = { work: Work; row: CommandRow; place: StepPlace; begun: boolean };

/** Lets commands that have joined a step of a run end as the step does. They ask no model. */
export function createFollower({ repository, standings, works, finish, bus, now, log }: FollowerDeps) {
  const followed = new Map<string, Followed>();

  const look = async (those: readonly Followed[]): Promise<void> => {
    const found = await standings(those.map(({ place }) => place));
    for (const one of those) await mirror(one, mirrorStep(found.get(placeKey(one.place))));
  };

  const mirror = async (one: Followed, mirrored: ReturnType<typeof mirrorStep>): Promise<void> => {
    const { work, row } = one;
    if (work.dropped.aborted || followed.get(work.id) !== one) return;
    if (mirrored.kind === 'ended') {
      works.close(work, await finish(row, { ending: mirrored.ending, thoughts: null }));
    } else if (mirrored.status === 'running' && !one.begun) {
      one.begun = true;
      await repository.stepBegan(work, now());
    }
  };

  const quietly = (looking: Promise<void>): void => {
    looking.catch((error: unknown) => log.warn({ err: error }, 'Steps that commands wait for could not be looked at now.'));
  };

  const clock = setInterval(() => {
    if (followed.size > 0) quietly(look([...followed.values()]));
  }, lookMs);
  clock.unref();

  return {
    /** Follows the step that the command has joined, until it ends or the command is dropped. */
    follow(work: Work, row: CommandRow): void {
      const { executionId, stepId } = row;
      if (executionId === null || stepId === null) throw new Error('The command has joined no step.');
      const one: Followed = { work, row, place: { executionId, stepId }, begun: row.status === 'running' };
      followed.set(work.id, one);
      const unsubscribe = bus.subscribe(row.userId, (message) => {
        if (message.type === 'pipeline_update' && message.executionId === executionId) quietly(look([one]));
      });
      void work.ended.then(() => {
        unsubscribe();
        if (followed.get(work.id) === one) followed.delete(work.id);
      });
      quietly(look([one]));
    },
    close: () => clearInterval(clock),
  };
}

export type Follower = ReturnType<typeof createFollower>;
