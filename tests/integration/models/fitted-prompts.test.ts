import { expect, test } from 'vitest';
import type { ModelCall, Reply } from '../../support/services/model-server.ts';
import { setUpAccount, setUpModelServer, setUpServer } from '../../support/set-up/for-vitest.ts';

const models = setUpModelServer();
const server = setUpServer(() => ({ OPENAI_API_KEY: 'sk-server-wide', OPENAI_BASE_URL: models.url }));
const ann = setUpAccount(server);

const ended = (id: string) => ann.until(id, ({ status }) => ['completed', 'failed', 'cancelled'].includes(status));
const lengthOf = ({ body }: ModelCall) => JSON.stringify(body).length;
const turnsOf = ({ body }: ModelCall) => body.messages.filter(({ role }) => role === 'assistant').length;
const prices = 'Bread costs 3 euros, a cake costs 19 euros and a coffee costs 2 euros.\n'.repeat(200);
const calling = (name: string, args: object): Reply => ({ kind: 'calls', calls: [{ id: name, name, arguments: JSON.stringify(args) }] });

/** Answers as a server with a small window: longer prompts are refused with its sentence. */
function withWindow(characters: number, tokens: number, answer: (call: ModelCall) => Reply): void {
  models.answer((call) => {
    if (lengthOf(call) <= characters) return answer(call);
    const message = `This model's maximum context length is ${tokens} tokens. However, you requested ${Math.ceil(lengthOf(call) / 4)} tokens.`;
    return { kind: 'status', status: 400, message };
  });
}

async function runWithFile(): Promise<string> {
  const inputSetId = await ann.giveFile('prices.md', prices);
  return (await ann.start(await ann.pipeline('developer'), 'Read the prices', { inputSetId })).id;
}

test('M4.15 a step drops results that do not fit, reads one result again, and reports the dropped results on its card and in the log', async () => {
  withWindow(30_000, 9_000, (call) => {
    if (turnsOf(call) < 3) return calling('read_file', { path: 'prices.md' });
    if (turnsOf(call) === 3) return calling('read_earlier_result', { result: 1, length: 100 });
    return { kind: 'text', text: '# Answer\n\nRead.' };
  });
  const id = await runWithFile();
  const run = await ended(id);
  expect(run).toMatchObject({ status: 'completed', result: 'Read.' });
  expect(run.steps[0]?.marks).toContain('shortened');
  expect(run.steps[0]?.shortened?.results).toBeGreaterThan(0);
  const events = (await ann.logs(id)).filter(({ type }) => type === 'prompt.shortened');
  expect(events.at(-1)?.step?.shortened).toEqual(run.steps[0]?.shortened);
  const last = models.calls.at(-1);
  expect(JSON.stringify(last?.body)).toContain('Left out to fit the model');
  expect(JSON.stringify(last?.body.messages.at(-1))).toContain('[Characters up to 100 of');
  expect(last?.body.tools?.map((tool) => JSON.stringify(tool)).join()).toContain('read_earlier_result');
});

test('M4.15 the model summarises turns that are too long in themselves, and that is counted', async () => {
  const isSummary = ({ body }: ModelCall) => JSON.stringify(body).includes('Summarise the work below');
  withWindow(34_000, 9_000, (call) => {
    if (isSummary(call)) return { kind: 'text', text: 'I wrote the first two parts of the list.' };
    const isSummarised = JSON.stringify(call.body).includes('I wrote the first two parts');
    if (!isSummarised) return calling('write_file', { path: `part-${turnsOf(call)}.md`, content: prices.slice(0, 7_000) });
    return { kind: 'text', text: '# Answer\n\nWritten.' };
  });
  const id = await runWithFile();
  const run = await ended(id);
  expect(run).toMatchObject({ status: 'completed', result: 'Written.' });
  expect(models.calls.filter(isSummary)).toHaveLength(1);
  expect(run.steps[0]?.shortened?.summarised).toBeGreaterThan(0);
  expect(JSON.stringify(models.calls.at(-1)?.body)).toContain('I wrote the first two parts of the list.');
});

test('M4.15 a task that no window of the model holds fails with both numbers', async () => {
  withWindow(5_000, 1_200, () => ({ kind: 'text', text: 'Never.' }));
  const { id } = await ann.start(await ann.pipeline('developer'), prices.slice(0, 9_000));
  const run = await ended(id);
  expect(run).toMatchObject({ status: 'failed', error: { code: 'prompt_over_window' } });
  expect(run.error?.message).toMatch(/about \d{4,5} tokens, and the model reads 1200/);
  expect(models.calls).toHaveLength(1);
});
