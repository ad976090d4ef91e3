import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Cost } from '../../../contract/cost.ts';
import type { ExecutionEvent } from '../../../contract/executions/execution-event.ts';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import { addCosts } from '../../../rules/cost/cost-of.ts';
import type { Claim } from '../../../server/modules/executions/transitions/claim.ts';
import { createTransitions } from '../../../server/modules/executions/transitions/transitions.ts';
import { createStoreCancelledCost } from '../../../server/modules/executions/work/cancelled-cost.ts';
import { createRecorder } from '../../../server/modules/results/index.ts';
import { createPreparedStatements } from '../../../server/platform/database/prepared-statements.ts';
import { writePrices } from '../../support/price-file.ts';
import { setUpAccount, setUpFolder, setUpModelServer, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';

const folder = setUpFolder();
const models = setUpModelServer();
const { database, server } = setUpServerOnDatabase(
  async () => ({
    OPENAI_API_KEY: 'sk-server-wide',
    OPENAI_BASE_URL: models.url,
    ARTEL_DAILY_TOKENS: '0',
    ARTEL_PRICES_FILE: await writePrices(join(folder.path, 'prices.jsonl'), models.url, [
      { model: 'gpt-4', input: 1_000_000, output: 1_000_000 },
    ]),
  }),
  { ownProcess: 'It is killed.' },
);
const ann = setUpAccount(server);

const estimated = { isEstimated: true, amounts: [{ currency: 'USD', micros: expect.any(Number) }] };
const historyOf = async (id: string) => {
  const item = (await ann.history()).find(({ pipelineExecutionId }) => pipelineExecutionId === id);
  return JSON.parse(item?.metadata ?? '{}') as { cost?: Cost; tokenUsage?: { totalTokens: number } };
};
const isCharged = ({ type }: ExecutionEvent) => type === 'step.charged';

/** Waits for the cost of so many steps that were cut off, and returns the log. */
async function charged(id: string, count = 1): Promise<ExecutionEvent[]> {
  await expect.poll(async () => (await ann.logs(id)).filter(isCharged).length).toBe(count);
  const log = await ann.logs(id);
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_event, at) => at + 1));
  return log;
}

test.each([undefined, { calls: 9 }])(
  'G4.02 after a stop during a call, log, step and history say what it has cost, as estimated (budget: %j)',
  async (budget) => {
    models.answer({ kind: 'hang' });
    const socket = await ann.socket();
    const { id } = await ann.start(await ann.pipeline('developer', 'qa'), 'Stop me', budget && { budget });
    await models.call(1);
    await ann.act(id, 'stop');
    const heard = await socket.until(({ type, event }) => type === 'pipeline_update' && event.executionId === id && isCharged(event));
    const last = (await charged(id)).at(-1);
    expect(last).toMatchObject({ type: 'step.charged', status: 'cancelled', step: { status: 'cancelled', cost: estimated } });
    expect(heard.event).toEqual(last);
    const { steps, lastSeq } = await ann.details(id);
    expect([steps[0]?.cost, steps[0]?.usage, lastSeq]).toEqual([last?.step?.cost, last?.step?.usage, last?.seq]);
    const told = await historyOf(id);
    expect(told.cost).toEqual(steps[0]?.cost);
    expect(told.tokenUsage?.totalTokens).toBe(steps[0]?.usage?.totalTokens);
    expect(told.tokenUsage?.totalTokens).toBeGreaterThan(0);
    await socket.close();
  },
);

test('G4.02 when a step fails its run, the history has the cost of the failed step and of those that were cut off', async () => {
  const step = (name: string) => ({ name, agentId: ann.agent('developer').id, nodeId: name });
  const { body: pipeline } = await ann.call<Pipeline>('POST', '/Pipeline', {
    ...{ name: 'Fan', projectId: 'default', maxParallel: 8 },
    steps: ['first', 'a', 'b', 'c'].map(step),
    links: ['a', 'b', 'c'].map((name) => ({ id: `first>${name}`, from: 'first', to: name })),
  });
  models.answer(({ number }) => (number === 1 ? { kind: 'text', text: 'Begin.' } : { kind: 'hang' }));
  const { id } = await ann.start(pipeline, 'Fail beside others');
  await models.call(4);
  // An answer without text is asked for once more, and both calls are paid.
  for (const call of [2, 5]) {
    await models.call(call);
    models.release({ kind: 'empty', ended: true }, ({ number }) => number === call);
  }
  const log = await charged(id, 2);
  const usage = { promptTokens: 40, completionTokens: 20, totalTokens: 60 };
  const paid = { amounts: [{ currency: 'USD', micros: 60 }] };
  expect(log.find(({ type }) => type === 'step.failed')?.step).toMatchObject({ error: { code: 'model_empty_answer' }, usage, cost: paid });
  const { status, steps } = await ann.details(id);
  expect([status, steps.filter((one) => one.status === 'cancelled').map(({ cost }) => cost)]).toEqual(['failed', [estimated, estimated]]);
  const told = await historyOf(id);
  expect(told.cost).toEqual(addCosts(steps.map(({ cost }) => cost)));
  expect(told.tokenUsage?.totalTokens).toBe(steps.reduce((sum, one) => sum + (one.usage?.totalTokens ?? 0), 0));
});

test('G4.02 a step that is stopped after model turns keeps the cost of these turns', async () => {
  models.answer(({ number }) =>
    number === 1 ? { kind: 'calls', calls: [{ id: 'one', name: 'list_files', arguments: '{}' }] } : { kind: 'hang' },
  );
  const inputSetId = await ann.giveFile('a.txt', 'Some text');
  const { id } = await ann.start(await ann.pipeline('developer'), 'Read it', { inputData: { task: 'Read it' }, inputSetId });
  await models.call(2);
  await ann.act(id, 'stop');
  const step = (await charged(id)).at(-1)?.step;
  expect(step?.usage?.totalTokens).toBeGreaterThan(30);
  expect(step?.cost?.amounts[0]?.micros).toBeGreaterThan(30);
  expect((await historyOf(id)).cost).toEqual(step?.cost);
});

test('G4.02 an attempt whose step another one has taken over changes neither the cost of the step nor the calls', async () => {
  models.answer({ kind: 'hang' });
  const { id } = await ann.start(await ann.pipeline('developer'), 'Take me over');
  await models.call(1);
  const { rows } = await database.pool.query('SELECT lease_epoch AS epoch FROM executions WHERE id = $1', [id]);
  await ann.act(id, 'stop');
  const before = await charged(id);
  const run = createPreparedStatements(database.pool);
  const bus = { publish: () => {} } as unknown as Parameters<typeof createTransitions>[0]['bus'];
  const { transition } = createTransitions({ db: database.db, run, bus, onTold: () => {}, now: () => new Date() });
  const store = createStoreCancelledCost({ transition, recorder: createRecorder(crypto.randomUUID, () => new Date()) });
  const { stepId } = (await ann.details(id)).steps[0] as { stepId: string };
  const usage = { promptTokens: 900, completionTokens: 99, totalTokens: 999 };
  const late = (epoch: number) =>
    store({ row: { id, leaseEpoch: epoch }, step: { stepId } } as unknown as Claim, {
      ...{ cost: { amounts: [{ currency: 'USD', micros: 999 }] }, usage, spend: [] },
    });
  await late(rows[0].epoch - 1);
  await late(rows[0].epoch + 1);
  expect(await ann.logs(id)).toEqual(before);
  expect((await historyOf(id)).cost).toEqual(before.at(-1)?.step?.cost);
  await late(rows[0].epoch);
  expect((await historyOf(id)).cost).toEqual({ amounts: [{ currency: 'USD', micros: 999 }] });
});

test('G4.04 a step with a budget that outlives the end of its server, twice, says what all of its calls have cost', async () => {
  models.answer(({ number }) =>
    number === 1 ? { kind: 'calls', calls: [{ id: 'one', name: 'list_files', arguments: '{}' }] } : { kind: 'hang' },
  );
  const more = { inputSetId: await ann.giveFile('a.txt', 'Some text'), budget: { calls: 9 } };
  const { id } = await ann.start(await ann.pipeline('developer'), 'Outlive it', more);
  for (const [signal, call] of [
    ['SIGTERM', 2],
    ['SIGKILL', 3],
  ] as const) {
    await models.call(call);
    await server.kill(signal);
    await server.restart();
  }
  await models.call(4);
  models.release('Done.');
  const again = ann.at(server);
  const { status, steps } = await again.until(id, (run) => run.status === 'completed');
  const spent = 'SELECT count(*)::int AS calls, sum(micros)::int AS micros FROM spend WHERE execution_id = $1';
  const [{ calls, micros }] = (await database.pool.query(spent, [id])).rows;
  expect([status, calls, steps[0]?.cost]).toEqual(['completed', 4, { amounts: [{ currency: 'USD', micros }], isEstimated: true }]);
  const item = (await again.history()).find(({ pipelineExecutionId }) => pipelineExecutionId === id);
  expect(JSON.parse(item?.metadata ?? '{}').cost).toEqual(steps[0]?.cost);
});
