import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { signUp } from '../../support/run-account.ts';
import { setUp, setUpModelServer, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';

const maxAtWork = 3;
const runs = 120;
/** The duration of a call (ms). */
const callMs = 20;

const models = setUpModelServer();
const { database, server } = setUpServerOnDatabase(
  () => ({
    OPENAI_BASE_URL: models.url,
    ARTEL_ACCOUNT_RUNS_AT_ONCE: String(maxAtWork),
  }),
  { ownProcess: 'Many runs at once load it.' },
);
const otherServer = setUp(
  () => server.beside(),
  ({ stop }) => stop(),
);

/** The maximum number of active jobs of a group at the same time, polled as often as the database answers. */
async function watchJobs(isOver: () => boolean): Promise<number> {
  let most = 0;
  while (!isOver()) {
    const { rows } = await database.pool.query<{ many: number }>(
      "SELECT count(*)::integer AS many FROM artel_queue.job WHERE name = 'execution' AND state = 'active'",
    );
    most = Math.max(most, rows[0]?.many ?? 0);
    // The highest number may last a moment only: it is looked for without a longer pause.
    await wait(1);
  }
  return most;
}

test('R23.01 two nodes that race for the last free place of an account never put one run too many to work', async () => {
  const calls = { made: 0, atOnce: 0, maxAtOnce: 0 };
  models.answer(() => {
    calls.made += 1;
    calls.atOnce += 1;
    calls.maxAtOnce = Math.max(calls.maxAtOnce, calls.atOnce);
    // Set before the timer of the answer, so that it ends first.
    setTimeout(() => {
      calls.atOnce -= 1;
    }, callMs);
    return { kind: 'text', text: 'Done', afterMs: callMs };
  });
  const ann = await signUp(server.url);
  const [first, second] = [ann, ann.at(otherServer)];
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
  expect(calls.made).toBe(runs);
  expect(await most).toBe(maxAtWork);
  expect(calls.maxAtOnce).toBeLessThanOrEqual(maxAtWork);
});
