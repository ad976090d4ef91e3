import { expect, test } from 'vitest';
import type { ExecutionFiles } from '../../../contract/executions/file.ts';
import type { Fork } from '../../../contract/executions/fork.ts';
import type { ModelCall } from '../../support/services/model-server.ts';
import { setUpAccount, setUpModelServer, setUpServer } from '../../support/set-up/for-vitest.ts';

const models = setUpModelServer();
const server = setUpServer(() => ({ OPENAI_API_KEY: 'sk-server-wide', OPENAI_BASE_URL: models.url }), { ownProcess: 'It is killed.' });
const ann = setUpAccount(server);

const ended = (id: string) => ann.until(id, ({ status }) => ['completed', 'failed', 'cancelled'].includes(status));
const promptOf = ({ body }: ModelCall) => body.messages.find(({ role }) => role === 'user')?.content ?? '';
const saidBefore = ({ body }: ModelCall) => body.messages.filter(({ role }) => role === 'assistant').map(({ content }) => content);
const isSecond = (call: ModelCall) => promptOf(call).includes('Results of the agents before you');

test('M2.20 an answer that the limit has cut goes on by itself, over the end of a file', async () => {
  const made = await ann.pipeline('developer', 'qa');
  const parts = ['# Answer\n\n```ts path=src/a.ts\nexport const on', 'e = 1;\n```\n\nDone.'];
  models.answer((call) => {
    if (isSecond(call)) return { kind: 'text', text: 'Checked.' };
    const at = saidBefore(call).length;
    return { kind: 'text', text: parts[at] ?? '', end: at === 0 ? 'length' : 'stop' };
  });
  const { id } = await ann.start(made, 'Write it');
  const run = await ended(id);
  expect(run.status).toBe('completed');
  expect(run.steps[0]).toMatchObject({
    result: '```ts path=src/a.ts\nexport const one = 1;\n```\n\nDone.',
    usage: { totalTokens: expect.any(Number) },
  });
  expect(run.steps[0]).not.toHaveProperty('marks');
  expect(saidBefore(await models.call(2))).toEqual([parts[0]]);
  const { body } = await ann.call<ExecutionFiles>('GET', `/PipelineExecution/${id}/files`);
  expect(body.files).toMatchObject([{ path: 'src/a.ts' }]);
  expect((await ann.logs(id)).filter(({ type }) => type === 'step.continued')).toHaveLength(1);
});

test('M2.21 M2.27 a step that cannot go on completes as cut, its unclosed file is none, and the next agent is told', async () => {
  const made = await ann.pipeline('developer', 'qa');
  models.answer((call) => {
    if (isSecond(call)) return { kind: 'text', text: 'Checked.' };
    return saidBefore(call).length === 0
      ? { kind: 'text', text: 'Half:\n\n```ts path=src/a.ts\nexport const on', end: 'length' }
      : { kind: 'status', status: 400, message: 'No.' };
  });
  const { id } = await ann.start(made, 'Write it');
  const run = await ended(id);
  expect(run.steps[0]).toMatchObject({ status: 'completed', marks: ['cut', 'noFile'], result: expect.stringContaining('export const on') });
  const { body } = await ann.call<ExecutionFiles>('GET', `/PipelineExecution/${id}/files`);
  expect(body).toMatchObject({ files: [], refused: [{ path: 'src/a.ts', reason: 'unclosed' }] });
  expect(promptOf(models.calls.at(-1) as ModelCall)).toContain('(Cut off: the model’s limit ended this result before its end.');
  const [completed] = (await ann.logs(id)).filter(({ type }) => type === 'step.completed');
  expect(completed?.step?.marks).toEqual(['cut', 'noFile']);
});

test('M2.29 a wait that is longer than the step ends it at once and says how long the server asked to wait', async () => {
  const made = await ann.pipeline('developer');
  models.answer({ kind: 'status', status: 429, retryAfter: '86400' });
  const { id } = await ann.start(made, 'Write it');
  expect(await ended(id)).toMatchObject({
    status: 'failed',
    error: { code: 'model_rate_limited', message: expect.stringContaining('asks to wait 86400 s') },
  });
  expect(models.calls).toHaveLength(1);
});

test('M2.29 the wait before another call is in the log of the run', async () => {
  const made = await ann.pipeline('developer');
  models.answer((call) => (call.number === 1 ? { kind: 'status', status: 429, retryAfter: '1' } : { kind: 'text', text: 'Done.' }));
  const { id } = await ann.start(made, 'Write it');
  expect(await ended(id)).toMatchObject({ status: 'completed' });
  const waits = (await ann.logs(id)).flatMap(({ step }) => step?.wait ?? []);
  expect(waits).toEqual([{ ms: 1_000, reason: expect.objectContaining({ code: 'model_rate_limited' }) }]);
});

test('M2.28 a cut step is continued by a fork that begins with its text; the next agents work with the whole one', async () => {
  const made = await ann.pipeline('developer', 'qa');
  const half = '# Answer\n\n```ts path=src/a.ts\nexport const ';
  models.answer((call) => {
    if (isSecond(call)) return { kind: 'text', text: 'Checked.' };
    return saidBefore(call).length === 0 ? { kind: 'text', text: half, end: 'length' } : { kind: 'status', status: 400, message: 'No.' };
  });
  const { id } = await ann.start(made, 'Write it');
  const first = (await ended(id)).steps[0];
  const asked = { from: { stepId: first?.stepId }, continues: true };
  models.answer((call) => ({ kind: 'text', text: isSecond(call) ? 'Checked again.' : 'one = 1;\n```' }));
  const before = models.calls.length;
  const { body, status } = await ann.call<Fork>('POST', `/PipelineExecution/${id}/fork`, asked);
  expect(status).toBe(202);
  const run = await ended(body.execution?.id ?? '');
  expect(run).toMatchObject({ status: 'completed', result: 'Checked again.' });
  expect(run.steps[0]).toMatchObject({ result: '```ts path=src/a.ts\nexport const one = 1;\n```' });
  expect(run.steps[0]).not.toHaveProperty('marks');
  expect(saidBefore(models.calls[before] as ModelCall)).toEqual([half]);
  const files = await ann.call<ExecutionFiles>('GET', `/PipelineExecution/${run.id}/files`);
  expect(files.body).toMatchObject({ files: [{ path: 'src/a.ts' }], refused: [] });
  const whole = { ...asked, from: { stepId: run.steps[0]?.stepId } };
  expect(await ann.call('POST', `/PipelineExecution/${run.id}/fork`, whole)).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'continues' }] },
  });
});

test('M2.23 after a crash a step goes on with its turns as its provider had written them', async () => {
  const made = await ann.pipeline('developer');
  models.answer((call) =>
    saidBefore(call).length === 0
      ? { kind: 'text', thoughts: 'One is odd.', text: '# Answer\n\nOne', end: 'length' }
      : call.number === 2
        ? { kind: 'hang' }
        : { kind: 'text', text: ' and two.' },
  );
  const { id } = await ann.start(made, 'Count');
  await models.call(2);
  await server.kill('SIGKILL');
  await server.restart();
  expect(await ended(id)).toMatchObject({ status: 'completed', result: 'One and two.' });
  const [before, after] = [await models.call(2), await models.call(3)];
  const turn = after.body.messages.find(({ role }) => role === 'assistant');
  expect(turn).toMatchObject({ content: '# Answer\n\nOne', reasoning_content: 'One is odd.' });
  expect(after.body.messages).toEqual(before.body.messages);
});
