import { expect, test } from 'vitest';
import type { Budgets } from '../../contract/budget.ts';
import type { Pipeline } from '../../contract/executions/pipeline.ts';
import type { Question } from '../../contract/executions/question.ts';
import { signUp } from '../support/run-account.ts';
import { setUpModelServer, setUpServer } from '../support/set-up/for-vitest.ts';

const models = setUpModelServer();
const server = setUpServer(() => ({ OPENAI_API_KEY: 'sk-server-wide', OPENAI_BASE_URL: models.url }));

test('G4.04 G4.03 killed in the middle of its calls, a run never makes a call past its budget, and lost calls stay as estimated', async () => {
  models.answer(({ number }) => (number === 1 ? { kind: 'text', text: 'Begin.' } : { kind: 'hang' }));
  const ann = await signUp(server.url);
  const names = Array.from({ length: 8 }, (_, at) => `b${at}`);
  const step = (name: string) => ({ name, agentId: ann.agent('developer').id, nodeId: name });
  const { body: pipeline } = await ann.call<Pipeline>('POST', '/Pipeline', {
    ...{ name: 'Fan', projectId: 'default', maxParallel: 8 },
    steps: [step('first'), ...names.map(step)],
    links: names.map((name) => ({ id: `first>${name}`, from: 'first', to: name })),
  });
  const { id } = await ann.start(pipeline, 'Kill it', { budget: { calls: 12 } });
  await models.call(9);
  await server.kill('SIGKILL');
  models.answer({ kind: 'text', text: 'Done.' });
  await server.restart();
  const again = ann.at(server);
  await again.until(id, ({ openQuestions }) => openQuestions === 1);
  await again.until(id, ({ steps }) => steps.every(({ status }) => status !== 'running'));
  expect(models.calls).toHaveLength(12);
  const { body } = await again.call<Budgets>('GET', `/budget?executionId=${id}`);
  expect(body.budgets[0]?.used).toMatchObject({ calls: 12, reservedTokens: 0 });
  const { body: questions } = await again.call<Question[]>('GET', `/PipelineExecution/${id}/questions`);
  const open = questions.find(({ state }) => state === 'open');
  await again.call('POST', `/question/${open?.id}/answer`, { action: 'newLimit', limit: 100 });
  const done = await again.until(id, ({ status }) => status === 'completed');
  expect(done.steps.filter(({ cost }) => cost?.isEstimated)).toHaveLength(8);
  expect(done.limited).toBeUndefined();
});
