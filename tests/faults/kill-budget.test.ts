import { expect, test } from 'vitest';
import type { Budgets } from '../../contract/budget.ts';
import type { Pipeline } from '../../contract/executions/pipeline.ts';
import type { Question } from '../../contract/executions/question.ts';
import { awayFromMidnight } from '../support/away-from-midnight.ts';
import { type RunAccount, signUp } from '../support/run-account.ts';
import { setUpModelServer, setUpServer } from '../support/set-up/for-vitest.ts';

const models = setUpModelServer();
const server = setUpServer(() => ({ OPENAI_API_KEY: 'sk-server-wide', OPENAI_BASE_URL: models.url, ARTEL_CALLS_PER_KEY: '64' }), {
  ownProcess: 'It is killed.',
});

/** A pipeline whose first step hands on to as many others at once. */
async function fan(who: RunAccount, branches: number): Promise<Pipeline> {
  const names = Array.from({ length: branches }, (_, at) => `b${at}`);
  const step = (name: string) => ({ name, agentId: who.agent('developer').id, nodeId: name });
  const { body } = await who.call<Pipeline>('POST', '/Pipeline', {
    ...{ name: 'Fan', projectId: 'default', maxParallel: branches },
    steps: [step('first'), ...names.map(step)],
    links: names.map((name) => ({ id: `first>${name}`, from: 'first', to: name })),
  });
  return body;
}

test('G4.04 G4.03 killed in the middle of its calls, a run never makes a call past its budget, and lost calls are estimated', async () => {
  models.answer(({ number }) => (number === 1 ? { kind: 'text', text: 'Begin.' } : { kind: 'hang' }));
  const ann = await signUp(server.url);
  const pipeline = await fan(ann, 8);
  const { id } = await ann.start(pipeline, 'Kill it', { budget: { calls: 12 } });
  await models.call(9);
  // Nine calls are made, and eight of them have no answer yet.
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

test('G4.03 64 branches of four runs, killed twice in the middle of their calls, never make a call past the budget of their account', async () => {
  await awayFromMidnight();
  const isFirst = new Set<string>();
  // The first call of each run is answered, and those of its branches hang.
  models.answer(({ headers }) => {
    const run = String(headers['idempotency-key']).split(':')[0] ?? '';
    if (isFirst.has(run)) return { kind: 'hang' };
    isFirst.add(run);
    return { kind: 'text', text: 'Begin.' };
  });
  const ann = await signUp(server.url);
  const calls = 4 + 64 + 20;
  await ann.call('PUT', '/budget', { scope: 'user', span: 'day', calls });
  const pipeline = await fan(ann, 16);
  const runs = await Promise.all(Array.from({ length: 4 }, (_, at) => ann.start(pipeline, `Kill ${at}`)));
  for (const made of [4 + 64, calls]) {
    await models.call(made);
    // All calls under way are reserved and none is settled.
    await server.kill('SIGKILL');
    await server.restart();
  }
  models.answer({ kind: 'text', text: 'Done.' });
  const again = ann.at(server);
  const asking = await Promise.all(
    runs.map(({ id }) =>
      again.until(id, ({ openQuestions, steps }) => openQuestions === 1 && steps.every(({ status }) => status !== 'running')),
    ),
  );
  expect(models.calls).toHaveLength(calls);
  const used = async () => (await again.call<Budgets>('GET', '/budget')).body.budgets[0]?.used;
  expect(await used()).toMatchObject({ calls });
  for (const { id } of asking) {
    const { body: questions } = await again.call<Question[]>('GET', `/PipelineExecution/${id}/questions`);
    const open = questions.find(({ state }) => state === 'open');
    await again.call('POST', `/question/${open?.id}/answer`, { action: 'newLimit', limit: 1_000 });
  }
  const done = await Promise.all(runs.map(({ id }) => again.until(id, ({ status }) => status === 'completed')));
  expect(done.flatMap(({ steps }) => steps.filter(({ cost }) => cost?.isEstimated))).toHaveLength(64);
  // Each killed call counts like the one that repeated it: 30 tokens.
  expect(await used()).toMatchObject({ calls: calls + 64, reservedTokens: 0, tokens: 30 * (calls + 64) });
  expect(models.calls).toHaveLength(calls + 64);
});
