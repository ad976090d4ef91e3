import type { Durable } from '../../platform/durable/durable.ts';
import type { ExecutionRepository } from './repository.ts';
import type { StepRunner } from './step-runner.ts';
import type { RunTransition } from './transition.ts';

/** How often executions without a worker are looked for (ms), and how long one may be quiet before it is looked at. */
const watchMs = 10_000;
const quietMs = 10_000;
/** How long the engine's notes of an ended leg are kept, for somebody who looks into a fault (ms). What a run did is in its own rows. */
const keptMs = 24 * 60 * 60 * 1_000;

export type LegsDeps = {
  durable: Durable;
  runner: StepRunner;
  repository: ExecutionRepository;
  transition: RunTransition;
  now: () => Date;
  log: { warn: (about: object, line: string) => void };
};

/** The durable stretches of work of all executions. Nothing waits in one: a paused execution has no leg until it is resumed. */
export function createLegs({ durable, runner, repository, transition, now, log }: LegsDeps) {
  durable.register(bodyName, async (flow, input) => {
    const { executionId, leg } = parseLegId(input);
    for (let turn = 1; ; turn += 1) {
      const advance = await flow.step(`advance ${turn}`, () => runner.advance(executionId, leg));
      if (advance.next === 'end') return;
      await flow.sleep(advance.pauseMs);
    }
  });

  /** Puts the execution's leg to work. When that fails, the row is there and the watch finds it. */
  const start = async (executionId: string, leg: number): Promise<void> => {
    const id = legId(executionId, leg);
    await durable.start(bodyName, id, id).catch((error: unknown) => log.warn({ err: error, executionId }, 'A run starts a little later.'));
  };

  /** Gives a new leg to each execution that should be at work and has none: its start or its end was cut off. */
  const takeUpLost = async (): Promise<void> => {
    const quiet = await repository.quietSince(new Date(now().getTime() - quietMs));
    const underWay = await durable.underWay(quiet.map(({ id, leg }) => legId(id, leg)));
    for (const { id, leg } of quiet) {
      if (underWay.has(legId(id, leg))) continue;
      const done = await transition({ id }, async ({ row, set }) => {
        const lost = row.leg === leg && (row.status === 'pending' || row.status === 'running');
        if (lost) set({ leg: leg + 1 });
        return lost;
      });
      if (done?.value) await start(id, done.row.leg);
    }
  };

  let timer: NodeJS.Timeout | null = null;
  return {
    start,
    takeUpLost,
    /** Forgets the engine's notes of legs that ended long ago. */
    tidy: () => durable.forget(new Date(now().getTime() - keptMs)),
    /** Looks after lost executions from now on. */
    watch() {
      timer = setInterval(() => {
        takeUpLost().catch((error: unknown) => log.warn({ err: error }, 'Lost runs could not be looked for now.'));
      }, watchMs);
      timer.unref();
    },
    close() {
      if (timer) clearInterval(timer);
    },
  };
}

export type Legs = ReturnType<typeof createLegs>;

const bodyName = 'execution.leg';

function legId(executionId: string, leg: number): string {
  return `${executionId}:${leg}`;
}

function parseLegId(id: string): { executionId: string; leg: number } {
  const [executionId = '', leg = ''] = id.split(':');
  return { executionId, leg: Number(leg) };
}
