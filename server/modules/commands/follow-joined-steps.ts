import type { Bus } from '../../platform/bus/bus.ts';
import type { Job, JobOutcome } from '../../platform/work-queue/work-queue.ts';
import { placeKey, type StepPlace, type StepReads } from '../executions/index.ts';
import { deriveCommandState } from './derive-command-state.ts';
import type { FinishCommand } from './finish-command.ts';
import type { CommandRepository } from './repository.ts';
import type { CommandRow } from './rows.ts';

type JoinedStepFollowerDeps = {
  repository: Pick<CommandRepository, 'stepBegan'>;
  readSteps: StepReads['readSteps'];
  finish: FinishCommand;
  bus: Pick<Bus, 'subscribe'>;
  now: () => Date;
  log: { warn: (about: object, line: string) => void };
};

/** How often followed steps are read (ms), in addition to messages of the bus. */
const pollMs = 2_000;

type Followed = { row: CommandRow; place: StepPlace; begun: boolean; end: (how: JobOutcome) => void };

/** Ends commands that have joined a step of a run when the step ends. They call no model. */
export function createJoinedStepFollower({ repository, readSteps, finish, bus, now, log }: JoinedStepFollowerDeps) {
  const followed = new Map<string, Followed>();
  let clock: NodeJS.Timeout | null = null;

  const poll = async (those: readonly Followed[]): Promise<void> => {
    const found = await readSteps(those.map(({ place }) => place));
    for (const one of those) await apply(one, deriveCommandState(found.get(placeKey(one.place))));
  };

  const apply = async (one: Followed, derived: ReturnType<typeof deriveCommandState>): Promise<void> => {
    const { row } = one;
    if (followed.get(row.id) !== one) return;
    if (derived.kind === 'ended') {
      await finish(row, { ending: derived.ending, thoughts: null }, 'keep');
      one.end('done');
    } else if (derived.status === 'running' && !one.begun) {
      one.begun = true;
      await repository.stepBegan(row, now());
    }
  };

  const quietly = (looking: Promise<void>): void => {
    looking.catch((error: unknown) => log.warn({ err: error }, 'Steps that commands wait for could not be looked at now.'));
  };

  const watch = (): void => {
    clock ??= setInterval(() => quietly(poll([...followed.values()])), pollMs).unref();
  };

  return {
    /** Follows the joined step until it ends or this process has lost the job. */
    async follow(row: CommandRow, { signal, stopping }: Pick<Job, 'signal' | 'stopping'>): Promise<JobOutcome> {
      const { executionId, stepId } = row;
      if (executionId === null || stepId === null) throw new Error('The command has joined no step.');
      const release = new AbortController();
      const end = Promise.withResolvers<JobOutcome>();
      const one: Followed = { row, place: { executionId, stepId }, begun: row.status === 'running', end: end.resolve };
      followed.set(row.id, one);
      watch();
      const unsubscribe = bus.subscribe(row.userId, (message) => {
        if (message.type === 'pipeline_update' && message.executionId === executionId) quietly(poll([one]));
        if (message.type === 'agent_command_result' && message.commandId === row.id) end.resolve('done');
      });
      const cut = AbortSignal.any([signal, stopping]);
      cut.addEventListener('abort', () => end.resolve('released'), { signal: release.signal });
      if (cut.aborted) end.resolve('released');
      quietly(poll([one]));
      try {
        return await end.promise;
      } finally {
        release.abort();
        unsubscribe();
        followed.delete(row.id);
        if (followed.size === 0 && clock) {
          clearInterval(clock);
          clock = null;
        }
      }
    },
  };
}

export type JoinedStepFollower = ReturnType<typeof createJoinedStepFollower>;
