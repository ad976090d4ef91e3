import { beforeEach, expect, test } from 'vitest';
import type { ApiKey, ApiKeyCreation, CreatedApiKey } from '../../../contract/api-key.ts';
import type { Budget } from '../../../contract/budget.ts';
import type { CommandState } from '../../../contract/command.ts';
import type { Fork } from '../../../contract/executions/fork.ts';
import type { Question } from '../../../contract/executions/question.ts';
import { awayFromMidnight } from '../../support/away-from-midnight.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { setUpModelServer, setUpServer } from '../../support/set-up/for-vitest.ts';

const models = setUpModelServer(({ number }) => ({ kind: 'text', text: `Answer ${number}.` }));
const server = setUpServer(() => ({ OPENAI_API_KEY: 'sk-server-wide', OPENAI_BASE_URL: models.url }));
let ann: RunAccount;
/** Calls with the key that `withBudget` made last. */
let program: RunAccount;

beforeEach(async () => {
  await awayFromMidnight();
  ann = await signUp(server.url);
});

async function withBudget(budget: ApiKeyCreation['budget']): Promise<CreatedApiKey> {
  const { status, body } = await ann.call<CreatedApiKey>('POST', '/api-keys', { name: 'n', scopes: ['read', 'run', 'answer'], budget });
  expect(status).toBe(201);
  program = ann.with(body.key);
  return body;
}

const used = async () => (await ann.call<ApiKey[]>('GET', '/api-keys')).body[0]?.budget?.used;
const execute = (account: RunAccount) =>
  account.call<CommandState>('POST', '/agentcommand/execute', { agentId: ann.agent('assistant').id, request: 'Go' });

test('K2.08 a run of a key asks at the budget of the key; a person lets it go on, and runs of the account are not limited', async () => {
  const { budget } = await withBudget({ calls: 2, span: 'month' });
  expect(budget).toMatchObject({ calls: 2, span: 'month', atLimit: 'ask', used: { calls: 0 } });
  const pipeline = await ann.pipeline('developer', 'qa', 'analyst');
  const own = await ann.start(pipeline, 'By a person');
  await ann.until(own.id, ({ status }) => status === 'completed');
  expect(await used()).toMatchObject({ calls: 0 });
  models.answer({ kind: 'hang' });
  const before = models.calls.length;
  const { id } = await program.start(pipeline, 'By a program');
  await models.call(before + 1);
  const applying = async (run: string) => (await ann.call<{ budgets: Budget[] }>('GET', `/budget?executionId=${run}`)).body.budgets;
  // What the account has spent before is not of the key.
  expect(await applying(id)).toMatchObject([{ scope: 'key', span: 'month', calls: 2, used: { calls: 1 } }]);
  models.release('First');
  models.answer({ kind: 'text', text: 'Done' });
  await ann.until(id, ({ openQuestions }) => openQuestions === 1);
  const [question] = (await ann.call<Question[]>('GET', `/PipelineExecution/${id}/questions`)).body;
  expect(question).toMatchObject({ kind: 'budget', budget: { scope: 'key', span: 'month', kind: 'calls', limit: 2, used: 2 } });
  expect(await applying(id)).toMatchObject([{ scope: 'key', used: { calls: 2 } }]);
  expect(await applying(own.id)).toEqual([]);
  expect((await ann.call('DELETE', `/budget/${(await applying(id))[0]?.id}`)).status).toBe(404);
  const answer = { action: 'asMuchAgain' };
  expect((await program.call('POST', `/question/${question?.id}/answer`, answer)).status).toBe(403);
  expect((await ann.call('POST', `/question/${question?.id}/answer`, answer)).status).toBe(200);
  await ann.until(id, ({ status }) => status === 'completed');
  expect(await used()).toMatchObject({ calls: 3, tokens: expect.any(Number) });
});

test('K2.08 commands and forks of a key count in its budget, ten commands at once stay within it, and each key has its own', async () => {
  await withBudget({ calls: 3, span: 'day', atLimit: 'stop' });
  const first = program;
  const own = await ann.start(await ann.pipeline('assistant'), 'By a person');
  const done = await ann.until(own.id, ({ status }) => status === 'completed');
  const from = { stepId: done.steps[0]?.stepId, round: 0, item: 0 };
  const fork = await first.call<Fork>('POST', `/PipelineExecution/${own.id}/fork`, { from });
  expect(fork.status).toBe(202);
  await ann.until(fork.body.execution?.id ?? '', ({ status }) => status === 'completed');
  expect(await used()).toMatchObject({ calls: 1 });
  const commands = await Promise.all(Array.from({ length: 10 }, () => execute(first)));
  const statuses = commands.map(({ body }) => body.status);
  expect(statuses.filter((status) => status === 'completed')).toHaveLength(2);
  expect(await used()).toMatchObject({ calls: 3 });
  expect((await execute(ann)).body.status).toBe('completed');
  await withBudget({ calls: 1, span: 'day', atLimit: 'stop' });
  expect((await execute(program)).body.status).toBe('completed');
});

test('K2.08 a key with a budget does not go on with runs that it has not started: their calls would be paid by others', async () => {
  await withBudget({ calls: 1, span: 'day' });
  models.answer({ kind: 'hang' });
  const own = await ann.start(await ann.pipeline('assistant', 'qa'), 'By a person');
  await models.call(models.calls.length + 1);
  await ann.act(own.id, 'pause');
  models.release('One');
  models.answer({ kind: 'text', text: 'Done' });
  await ann.until(own.id, ({ status }) => status === 'paused');
  for (const action of ['resume', 'next-step'] as const) {
    expect(await program.act(own.id, action)).toMatchObject({ status: 403, body: { code: 'key_not_allowed' } });
  }
  expect((await program.call('GET', `/PipelineExecution/${own.id}`)).status).toBe(200);
  expect((await ann.act(own.id, 'resume')).status).toBe(200);
  await ann.until(own.id, ({ status }) => status === 'completed');
});

test('K2.08 a budget without a limit, of each run, or in a currency without prices is refused, and leaves no key', async () => {
  const refused = [{}, { calls: 1, span: 'run' }, { calls: 0 }, { money: { currency: 'XTS', micros: 1 } }, { tokens: 1e30 }];
  for (const budget of refused) {
    const answer = await ann.call('POST', '/api-keys', { name: 'n', scopes: ['read'], budget });
    expect([budget, answer.status]).toEqual([budget, 400]);
  }
  expect((await ann.call<ApiKey[]>('GET', '/api-keys')).body).toEqual([]);
});
