import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import type { TestDatabase } from '../support/open-test-database.ts';
import { type RunAccount, signUp } from '../support/run-account.ts';
import { startServerOnDatabase } from '../support/server-on-database.ts';
import type { TestServer } from '../support/start-server.ts';

const maxAtWork = 3;
const runs = 120;
/** The minimum duration of a call (ms). Two calls that start within this time overlap. */
const callMs = 20;

let models: ModelServer;
let database: TestDatabase;
let nodes: TestServer[] = [];

beforeAll(async () => {
  models = await startModelServer();
  const { database: made, server } = await startServerOnDatabase({
    OPENAI_BASE_URL: models.url,
    ARTEL_ACCOUNT_RUNS_AT_ONCE: String(maxAtWork),
  });
  database = made;
  nodes = [server, await server.beside()];
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  await Promise.all([database?.remove(), models?.close()]);
});

/** The maximum number of calls at the same moment. */
function mostAtOnce(began: readonly number[]): number {
  return Math.max(...began.map((moment) => began.filter((other) => other <= moment && moment < other + callMs).length));
}

/** The maximum number of active jobs of a group at the same time, polled as often as the database answers. */
async function watchJobs(isOver: () => boolean): Promise<number> {
  let most = 0;
  while (!isOver()) {
    const { rows } = await database.pool.query<{ many: number }>(
      "SELECT count(*)::integer AS many FROM artel_queue.job WHERE name = 'execution' AND state = 'active'",
    );
    most = Math.max(most, rows[0]?.many ?? 0);
    await wait(1);
  }
  return most;
}

test('R23.01 two nodes that race for the last free place of an account never put one run too many to work', async () => {
  const began: number[] = [];
  models.answer(() => {
    began.push(performance.now());
    return { kind: 'text', text: 'Done', afterMs: callMs };
  });
  const ann = await signUp((nodes[0] as TestServer).url);
  const [first, second] = nodes.map(({ url }) => ann.at({ url })) as [RunAccount, RunAccount];
  const pipeline = await ann.pipeline('assistant');
  const ids: string[] = [];
  let isOver = false;
  const most = watchJobs(() => isOver);
  for (let at = 0; at < runs; at += 6) {
    const started = await Promise.all(
      Array.from({ length: 6 }, (_, one) => (one % 2 === 0 ? first : second).start(pipeline, `Run ${at + one}`)),
    );
    ids.push(...started.map(({ id }) => id));
  }
  for (const id of ids) await ann.until(id, ({ status }) => status === 'completed');
  isOver = true;
  expect(began).toHaveLength(runs);
  expect(await most).toBe(maxAtWork);
  expect(mostAtOnce(began)).toBeLessThanOrEqual(maxAtWork);
});
