import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ExecutionDetails } from '../../../contract/executions/execution.ts';
import type { Fork, ForkRequest } from '../../../contract/executions/fork.ts';
import { writePrices } from '../../support/price-file.ts';
import { setUpAccount, setUpFolder, setUpModelServer, setUpServer } from '../../support/set-up/for-vitest.ts';

const rates = { input: 2_000_000, cachedInput: 2_000_000, output: 10_000_000, reasoning: 10_000_000 };
const long = (above: number) => ({ above, ...rates });
const folder = setUpFolder();
/** Each call uses 20 tokens of input and 10 of output. */
const models = setUpModelServer(({ number }) => ({ kind: 'text', text: `Answer ${number}.` }));
const server = setUpServer(async () => ({
  OPENAI_API_KEY: 'sk-server-wide',
  OPENAI_BASE_URL: models.url,
  ARTEL_PRICES_FILE: await writePrices(join(folder.path, 'prices.jsonl'), models.url, [
    { model: 'gpt-4', input: 1_000_000, output: 1_000_000 },
    { model: 'dear', input: 1_000_000, output: 10_000_000 },
    { model: 'stepped', input: 1_000_000, output: 1_000_000, steps: [long(15), long(20)] },
  ]),
}));
const ann = setUpAccount(server);

const run = async (...names: string[]) => {
  const { id } = await ann.start(await ann.pipeline(...names), 'Plan a bakery');
  return ann.until(id, ({ status }) => status === 'completed');
};
const placeOf = ({ steps }: ExecutionDetails, nodeId: string) => ({ stepId: steps.find((step) => step.nodeId === nodeId)?.stepId ?? '' });
const preview = async (id: string, request: ForkRequest) => {
  const { status, body } = await ann.call<Fork>('POST', `/PipelineExecution/${id}/fork`, { ...request, dryRun: true });
  expect([status, body]).toEqual([202, expect.anything()]);
  return body;
};
const setModel = async (name: string, model: string) =>
  expect((await ann.call('PUT', `/nuroagent/${ann.agent(name).id}/api-configuration`, { model })).status).toBe(200);
const usd = (micros: number) => [{ currency: 'USD', min: micros, max: micros }];
const tokens = { min: 30, max: 30 };

test('G5.08 a preview prices the tokens of earlier runs as the model of now costs now, or says that this is not known', async () => {
  const first = await run('assistant', 'developer', 'qa');
  const from = placeOf(first, 'node-developer');
  expect(await preview(first.id, { from })).toMatchObject({ tokens: { min: 60, max: 60 }, cost: usd(60) });

  await setModel('developer', 'dear');
  const dearer = await preview(first.id, { graph: 'now' });
  expect(dearer.steps.map(({ reason, cost }) => [reason, cost])).toEqual([
    ['same', []],
    ['settings', usd(120)],
    ['follows', usd(30)],
  ]);
  expect(dearer).toMatchObject({ tokens: { min: 60, max: 60 }, cost: usd(150) });
  expect(dearer.isCostUnknown).toBeUndefined();

  await setModel('developer', 'unpriced');
  const unpriced = await preview(first.id, { from });
  expect(unpriced.steps[1]).toMatchObject({ tokens, cost: [], isCostUnknown: true });
  expect(unpriced).toMatchObject({ cost: usd(30), isCostUnknown: true });
  await setModel('developer', 'gpt-4');
});

test('G5.08 a step that never ran has an unknown price', async () => {
  const first = await run('assistant', 'developer');
  const { id: pipelineId } = await ann.pipeline('assistant', 'developer', 'analyst');
  const planned = await preview(first.id, { graph: 'now', pipelineId });
  expect(planned.steps[2]).toMatchObject({ state: 'new', tokens: null, cost: [], isCostUnknown: true });
  expect(planned).toMatchObject({ tokens: { min: 0, max: 0 }, cost: [], isCostUnknown: true });
});

test('G5.07 G5.08 the preview of a trial is priced for its one step with the model that is tried', async () => {
  const first = await run('assistant', 'developer', 'qa');
  const from = placeOf(first, 'node-developer');
  const tried = (model: string) => preview(first.id, { from, onlyStep: true, model: { providerType: 'openai', model } });
  expect(await tried('dear')).toMatchObject({ tokens, cost: usd(120) });
  expect(await tried('gpt-4')).toMatchObject({ tokens, cost: usd(30) });
  expect(await tried('unpriced')).toMatchObject({ tokens, cost: [], isCostUnknown: true });
  // A step is the sum of its calls: one of them may have been beyond a step of the price.
  expect(await tried('stepped')).toMatchObject({ tokens, cost: [{ currency: 'USD', min: 30, max: 140 }] });
});
