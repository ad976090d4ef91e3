import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ModelConnection } from '../../../contract/model-connection.ts';
import { writePrices } from '../../support/price-file.ts';
import type { ModelCall } from '../../support/services/model-server.ts';
import { setUpAccount, setUpFolder, setUpModelServer, setUpServer } from '../../support/set-up/for-vitest.ts';

const [first, second] = [setUpModelServer(), setUpModelServer()];
const folder = setUpFolder();
const server = setUpServer(async () => ({
  ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on',
  ARTEL_PRICES_FILE: await writePrices(join(folder.path, 'prices.jsonl'), second.url, [{ model: 'spare', provider: 'compatible' }]),
}));
const ann = setUpAccount(server);

const ended = (id: string) => ann.until(id, ({ status }) => ['completed', 'failed', 'cancelled'].includes(status));
const connect = async (address: string) =>
  (await ann.call<ModelConnection>('POST', '/model-connections', { provider: 'compatible', address })).body.id;
const busy = { kind: 'status', status: 429, retryAfter: '0', message: 'Busy' } as const;
const saidBefore = ({ body }: ModelCall) => body.messages.filter(({ role }) => role === 'assistant').map(({ content }) => content);

/** Runs a developer with two connections. */
async function run(task: string, more: Parameters<typeof ann.start>[2] = {}) {
  const agentId = ann.agent('developer').id;
  const settings = {
    connectionId: await connect(first.url),
    model: 'main',
    fallback: { connectionId: await connect(second.url), model: 'spare' },
    work: { fileAccess: 'write' },
  };
  expect((await ann.call('POST', '/nuroagent/api-configuration', { agentId, ...settings })).status).toBeLessThan(300);
  return ended((await ann.start(await ann.pipeline('developer'), task, more)).id);
}

test('M5.01 M5.03 after the retries of a busy server the second connection answers, is named on the step, and has its own price', async () => {
  first.answer(busy);
  second.answer({ kind: 'text', text: 'From the spare one.' });
  const details = await run('Plan');
  expect(details).toMatchObject({ status: 'completed', result: 'From the spare one.' });
  expect([first.calls.length, second.calls.length]).toEqual([3, 1]);
  const [step] = details.steps;
  expect(step).toMatchObject({ provider: 'compatible', model: 'spare', marks: ['fallback'], cost: { amounts: [{ currency: 'USD' }] } });
  expect(step?.cost).not.toHaveProperty('isUnknown');
  const told = (await ann.logs(details.id)).findLast(({ type }) => type === 'step.retrying');
  expect(told).toMatchObject({ step: { model: 'spare', marks: ['fallback'] }, error: { code: 'model_rate_limited' } });
});

test('M5.01 the second connection goes on with the text that the first one has begun', async () => {
  first.answer((call) => (saidBefore(call).length === 0 ? { kind: 'text', text: '# Answer\n\nOne', end: 'length' } : busy));
  second.answer({ kind: 'text', text: ' and two.' });
  const details = await run('Count');
  expect(details).toMatchObject({ status: 'completed', result: 'One and two.' });
  expect(details.steps[0]).toMatchObject({ marks: ['fallback'] });
  expect(saidBefore(second.calls.at(-1) as ModelCall)).toEqual(['# Answer\n\nOne']);
});

test('M5.01 M5.04 a spent account is left after a call of a tool, and the second connection gets ids that every server takes', async () => {
  first.answer((call) =>
    call.body.messages.some(({ role }) => role === 'tool')
      ? { kind: 'status', status: 429, message: 'insufficient_quota: You exceeded your current quota.' }
      : { kind: 'calls', calls: [{ id: 'call_PTLP8xhu3uwZk4l3nlnrrJha', name: 'list_files', arguments: '{}' }] },
  );
  second.answer({ kind: 'text', text: 'From the spare one.' });
  const details = await run('Look', { inputSetId: await ann.giveFile('a.txt', 'hello') });
  expect(details).toMatchObject({
    status: 'completed',
    result: 'From the spare one.',
    steps: [{ marks: expect.arrayContaining(['fallback']) }],
  });
  const { messages } = (second.calls.at(-1) as ModelCall).body;
  const called = messages.flatMap(({ tool_calls }) => (tool_calls as { id: string }[] | undefined) ?? []).map(({ id }) => id);
  expect(called).toEqual([expect.stringMatching(/^[a-zA-Z0-9]{9}$/)]);
  expect(messages.flatMap(({ tool_call_id }) => tool_call_id ?? [])).toEqual(called);
});

test('M5.01 a second connection that fails too ends the step with its own failure, and a refused request is not sent to it', async () => {
  first.answer(busy);
  second.answer({ kind: 'status', status: 401 });
  expect(await run('Plan')).toMatchObject({ status: 'failed', error: { code: 'model_unauthorized' }, steps: [{ model: 'spare' }] });
  const before = second.calls.length;
  first.answer({ kind: 'status', status: 401 });
  expect(await run('Plan')).toMatchObject({ status: 'failed', error: { code: 'model_unauthorized' }, steps: [{ model: 'main' }] });
  expect(second.calls).toHaveLength(before);
});
