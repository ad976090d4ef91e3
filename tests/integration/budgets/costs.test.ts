import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ExecutionDetails } from '../../../contract/executions/execution.ts';
import { writePrices } from '../../support/price-file.ts';
import { setUpAccount, setUpFolder, setUpModelServer, setUpServer } from '../../support/set-up/for-vitest.ts';
import { startServerThatExits } from '../../support/start-server.ts';

const folder = setUpFolder();
const models = setUpModelServer({ kind: 'text', text: 'Done.' });
const server = setUpServer(async () => ({
  OPENAI_API_KEY: 'sk-server-wide',
  OPENAI_BASE_URL: models.url,
  ARTEL_PRICES_FILE: await writePrices(join(folder.path, 'prices.jsonl'), models.url, [
    { model: 'gpt-4', input: 2_000_000, output: 10_000_000 },
    { model: 'gpt-4-turbo', currency: 'RUB', input: 200_000_000, output: 200_000_000 },
  ]),
}));
const ann = setUpAccount(server);

const ended = (id: string) => ann.until(id, ({ status }) => ['completed', 'failed', 'cancelled'].includes(status));
const costs = ({ steps }: ExecutionDetails) => steps.map(({ cost }) => cost);
const useModel = (name: string, configuration: object) =>
  ann.call('PUT', `/nuroagent/${ann.agent(name).id}/api-configuration`, configuration);

test('G4.02 each step shows its cost in the currency of its model, and the history shows the cost of the run', async () => {
  await useModel('analyst', { model: 'gpt-4-turbo' });
  await useModel('qa', { model: 'gpt-3.5-turbo' });
  await useModel('assistant', { providerType: 'simulated' });
  const { id } = await ann.start(await ann.pipeline('developer', 'analyst', 'qa', 'assistant'), 'Price it');
  const done = await ended(id);
  expect(done.status).toBe('completed');
  const usage = done.steps[0]?.usage ?? { promptTokens: 0, completionTokens: 0 };
  expect(costs(done)).toEqual([
    { amounts: [{ currency: 'USD', micros: usage.promptTokens * 2 + usage.completionTokens * 10 }] },
    { amounts: [{ currency: 'RUB', micros: (usage.promptTokens + usage.completionTokens) * 200 }] },
    { amounts: [], isUnknown: true },
    { amounts: [] },
  ]);
  const item = (await ann.history()).find(({ pipelineExecutionId }) => pipelineExecutionId === id);
  expect(JSON.parse(item?.metadata ?? '{}').cost).toEqual({
    amounts: [
      { currency: 'RUB', micros: (usage.promptTokens + usage.completionTokens) * 200 },
      { currency: 'USD', micros: usage.promptTokens * 2 + usage.completionTokens * 10 },
    ],
    isUnknown: true,
  });
});

test('G4.02 an answer that broke off is paid as estimated and marked, and a refused call is not paid', async () => {
  const developer = await ann.pipeline('developer');
  models.answer(({ number }) => (number === 1 ? { kind: 'status', status: 500 } : { kind: 'text', text: 'Done.' }));
  const [refused] = costs(await ended((await ann.start(developer, 'Refuse it')).id));
  models.calls.length = 0;
  models.answer(({ number }) => (number === 1 ? { kind: 'cut', text: 'Half an answer' } : { kind: 'text', text: 'Done.' }));
  const [cut] = costs(await ended((await ann.start(developer, 'Cut it')).id));
  expect(refused?.isEstimated).toBeUndefined();
  expect(cut?.isEstimated).toBe(true);
  expect(cut?.amounts[0]?.micros).toBeGreaterThan(refused?.amounts[0]?.micros ?? 0);
  models.answer({ kind: 'cut', text: 'Half an answer' });
  const failed = await ended((await ann.start(developer, 'Fail it')).id);
  expect(failed.status).toBe('failed');
  expect(failed.steps[0]?.cost).toMatchObject({ isEstimated: true, amounts: [{ currency: 'USD', micros: expect.any(Number) }] });
});

test('G4.01 the server names the line of a wrong price and does not start', async () => {
  const file = join(folder.path, 'wrong.jsonl');
  await writeFile(file, '\n{"provider":"openai","model":"gpt-4","validFrom":"2026-01-01","currency":"USD","input":-1}\n');
  const { code, output } = await startServerThatExits({ PORT: '0', DATA_DIR: join(folder.path, 'data'), ARTEL_PRICES_FILE: file });
  expect(code).toBe(1);
  expect(output).toMatch(/^Artel cannot start: .*wrong\.jsonl, line 2: "input" must be a whole number/);
  const missing = await startServerThatExits({
    PORT: '0',
    DATA_DIR: join(folder.path, 'data'),
    ARTEL_PRICES_FILE: join(folder.path, 'none'),
  });
  expect([missing.code, missing.output]).toEqual([1, expect.stringContaining('none cannot be read.')]);
});
