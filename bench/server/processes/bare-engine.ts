import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { DBOS } from '@dbos-inc/dbos-sdk';
import type { Database } from '../../../server/platform/database/database.ts';
import { type Block, keepInFlight } from './keep-in-flight.ts';

export type BareEngine = {
  run: (load: { inFlight: number; stepMs: number; seconds: number }) => Promise<Block>;
  stop: () => Promise<void>;
};

/** Plain DBOS: workflows of five steps, each of which is a wait and a short text. */
export async function startBareEngine({ pool, connectionString }: Pick<Database, 'pool' | 'connectionString'>): Promise<BareEngine> {
  const workflow = DBOS.registerWorkflow(
    async (stepMs: number) => {
      for (let step = 1; step <= 5; step += 1) {
        await DBOS.runStep(
          async () => {
            if (stepMs > 0) await wait(stepMs);
            return 'A short answer.';
          },
          { name: `step ${step}` },
        );
      }
    },
    { name: 'five steps' },
  );
  const quiet = { debug() {}, info() {}, warn() {}, error: (entry: unknown) => console.error(String(entry)) };
  DBOS.setConfig({
    name: 'bench',
    systemDatabaseUrl: connectionString,
    systemDatabasePool: pool,
    systemDatabaseSchemaName: 'durable',
    logger: quiet,
  });
  await DBOS.launch();
  return {
    run: ({ inFlight, stepMs, seconds }) =>
      keepInFlight(inFlight, seconds, async () => {
        const handle = await DBOS.startWorkflow(workflow, { workflowID: randomUUID() })(stepMs);
        await handle.getResult();
      }),
    stop: () => DBOS.shutdown(),
  };
}
