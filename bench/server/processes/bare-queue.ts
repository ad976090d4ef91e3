import { setTimeout as wait } from 'node:timers/promises';
import { PgBoss } from 'pg-boss';
import type { Database } from '../../../server/platform/database/database.ts';
import { type Block, keepInFlight } from './keep-in-flight.ts';

export type BareQueue = {
  run: (load: { inFlight: number; stepMs: number; seconds: number }) => Promise<Block>;
  stop: () => Promise<void>;
};

const name = 'five-steps';

/** Plain pg-boss: jobs of five waits, of which only the sending, the claim and the end are stored. */
export async function startBareQueue({ connectionString }: Pick<Database, 'connectionString'>): Promise<BareQueue> {
  const boss = new PgBoss({ connectionString, schema: 'bare_queue', max: 10, useListenNotify: true });
  boss.on('error', (error) => console.error(error));
  await boss.start();
  await boss.createQueue(name, { notify: true });
  const ends = new Map<string, () => void>();
  return {
    async run({ inFlight, stepMs, seconds }) {
      const worker = await boss.work<{ stepMs: number }>(
        name,
        { localConcurrency: inFlight, pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 0.5 },
        async ([job]) => {
          for (let step = 1; step <= 5; step += 1) if (stepMs > 0) await wait(stepMs);
          if (job) ends.get(job.id)?.();
        },
      );
      const block = await keepInFlight(inFlight, seconds, async () => {
        const id = crypto.randomUUID();
        const ended = new Promise<void>((resolve) => ends.set(id, resolve));
        await boss.send(name, { stepMs }, { id });
        await ended;
        ends.delete(id);
      });
      await boss.offWork(name, { id: worker });
      return block;
    },
    stop: () => boss.stop({ graceful: false }),
  };
}
