import { expect, test } from 'vitest';
import { amountOf } from '../support/amounts.ts';
import { copyRun } from '../support/database/copy-run.ts';
import { signUp } from '../support/run-account.ts';
import { setUpModelServer, setUpServerOnDatabase } from '../support/set-up/for-vitest.ts';
import { timesSlower } from '../support/times-slower.ts';

const queued = amountOf({ some: 1_000, whole: 5_000 });
const tries = 9;

const models = setUpModelServer();
const { database, server } = setUpServerOnDatabase(() => ({ OPENAI_BASE_URL: models.url }), {
  ownProcess: "Another account's waits are measured.",
});

test(`R23.01 the run of another account starts within a second while one account has ${queued} runs in the queue`, async () => {
  const [ann, ben] = [await signUp(server.url), await signUp(server.url)];
  const pipeline = await ben.pipeline('assistant');
  /** How long Ben's runs wait for their first step (ms): the median. */
  const wait = async (): Promise<number> => {
    const delays: number[] = [];
    for (let one = 0; one < tries; one += 1) {
      const asked = performance.now();
      const run = await ben.start(pipeline, 'Alone');
      const begun = await ben.until(run.id, ({ steps }) => steps[0]?.status !== 'pending');
      delays.push(performance.now() - asked);
      expect(begun.status).not.toBe('failed');
    }
    return delays.toSorted((a, b) => a - b)[Math.floor(tries / 2)] as number;
  };
  const alone = await wait();
  const isAnns = (task: string) => task.includes('Crowd');
  // Ann's runs end all the time, so the queue repeatedly fetches the next ones.
  models.answer(({ body }) =>
    isAnns(body.messages.at(-1)?.content ?? '') ? { kind: 'text', text: 'Done', afterMs: 500 } : { kind: 'text', text: 'Done' },
  );
  const first = await ann.start(await ann.pipeline('assistant'), 'Crowd');
  await ann.until(first.id, ({ status }) => status === 'completed');
  await copyRun(database.pool, first.id, queued);
  const waiting = async () => {
    const { rows } = await database.pool.query<{ many: number }>(
      "SELECT count(*)::integer AS many FROM artel_queue.job WHERE name = 'execution' AND state = 'created'",
    );
    return rows[0]?.many ?? 0;
  };
  await expect.poll(waiting).toBeGreaterThan(queued * 0.8);

  const beside = await wait();
  console.info(`started after ${Math.round(beside)} ms with ${await waiting()} queued, after ${Math.round(alone)} ms with none`);
  expect(await waiting()).toBeGreaterThan(queued * 0.5);
  // More only where the machine itself makes runs wait.
  expect(beside).toBeLessThan(Math.max(1_000 * timesSlower(), 5 * alone));
});
