import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Budget, Budgets, BudgetUpdate, Forecast } from '../../../contract/budget.ts';
import type { ExecutionDetails } from '../../../contract/executions/execution.ts';
import type { Fork } from '../../../contract/executions/fork.ts';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import type { Question, QuestionAnswer } from '../../../contract/executions/question.ts';
import { awayFromMidnight } from '../../support/away-from-midnight.ts';
import { writePrices } from '../../support/price-file.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { setUpFolder, setUpModelServer, setUpServer } from '../../support/set-up/for-vitest.ts';

const folder = setUpFolder();
const models = setUpModelServer(({ number }) => ({ kind: 'text', text: `Answer ${number}.` }));
const server = setUpServer(async () => ({
  OPENAI_API_KEY: 'sk-server-wide',
  OPENAI_BASE_URL: models.url,
  ARTEL_DAILY_TOKENS: '0',
  ARTEL_PRICES_FILE: await writePrices(join(folder.path, 'prices.jsonl'), models.url, [
    { model: 'gpt-4', input: 1_000_000, output: 1_000_000 },
    { model: 'in-roubles', currency: 'RUB', input: 1_000_000, output: 1_000_000 },
  ]),
}));
let ann: RunAccount;

beforeEach(async () => {
  await awayFromMidnight();
  ann = await signUp(server.url);
  for (const name of ['developer', 'qa', 'analyst', 'assistant'])
    await ann.call('PUT', `/nuroagent/${ann.agent(name).id}/api-configuration`, { maxTokens: 100 });
});

const ended = (id: string) => ann.until(id, ({ status }) => ['completed', 'failed', 'cancelled'].includes(status));
const statuses = ({ steps }: ExecutionDetails) => steps.map(({ status }) => status);
const put = (update: BudgetUpdate) => ann.call<Budget>('PUT', '/budget', update);
const ofRun = async (id: string) => (await ann.call<Budgets>('GET', `/budget?executionId=${id}`)).body.budgets;
const answer = (question: Pick<Question, 'id'>, body: QuestionAnswer) =>
  ann.call<Question>('POST', `/question/${question.id}/answer`, body);
const errorsOf = ({ body }: { body: unknown }) => (body as { errors: { path: string; message: string }[] }).errors;

async function asked(id: string): Promise<Question> {
  await ann.until(id, ({ openQuestions }) => openQuestions === 1);
  const { body } = await ann.call<Question[]>('GET', `/PipelineExecution/${id}/questions`);
  const open = body.filter(({ state }) => state === 'open');
  expect(open).toHaveLength(1);
  return open[0] as Question;
}

/** A pipeline whose first agent hands on to as many others as it is told, at once. */
async function fan(branches: number): Promise<Pipeline> {
  const step = (name: string, agent: string) => ({ name, agentId: ann.agent(agent).id, nodeId: name });
  const names = Array.from({ length: branches }, (_, at) => `b${at}`);
  const made = await ann.call<Pipeline>('POST', '/Pipeline', {
    ...{ name: 'Fan', projectId: 'default', maxParallel: 8 },
    steps: [step('first', 'assistant'), ...names.map((name) => step(name, 'developer'))],
    links: names.map((name) => ({ id: `first>${name}`, from: 'first', to: name })),
  });
  expect([made.status, made.body]).toEqual([201, expect.anything()]);
  return made.body;
}

describe('at the limit', () => {
  test('G4.07 the run asks before the call that does not fit; as much again lets it go on, and nothing is done twice', async () => {
    const { id } = await ann.start(await ann.pipeline('developer', 'qa', 'analyst'), 'Ask me', { budget: { calls: 1 } });
    const question = await asked(id);
    expect(question).toMatchObject({ kind: 'budget', reason: 'budget', actions: ['asMuchAgain', 'newLimit', 'endHere'] });
    expect(question.budget).toMatchObject({ scope: 'run', span: 'run', kind: 'calls', limit: 1, used: 1, needed: 1 });
    expect(models.calls).toHaveLength(1);
    expect((await answer(question, { action: 'asMuchAgain' })).status).toBe(200);
    const again = await asked(id);
    expect(again.budget).toMatchObject({ limit: 2, used: 2 });
    expect((await answer(again, { action: 'newLimit' })).status).toBe(400);
    expect(errorsOf(await answer(again, { action: 'newLimit', limit: 2 }))).toMatchObject([{ path: 'limit' }]);
    expect((await answer(again, { action: 'newLimit', limit: 9 })).status).toBe(200);
    const done = await ended(id);
    expect([done.status, done.limited, statuses(done)]).toEqual(['completed', undefined, ['completed', 'completed', 'completed']]);
    expect(models.calls).toHaveLength(3);
    expect((await ofRun(id))[0]).toMatchObject({ calls: 1, extra: { calls: 8 }, used: { calls: 3, reservedTokens: 0 } });
  });

  test('G4.08 "end here" completes the run with what there is: steps under way finish, the others are skipped', async () => {
    const { id } = await ann.start(await fan(6), 'End it', { budget: { calls: 3 } });
    const question = await asked(id);
    await answer(question, { action: 'endHere' });
    const done = await ended(id);
    expect([done.status, done.limited, done.error]).toEqual(['completed', true, null]);
    expect(statuses(done).toSorted()).toEqual([...Array(3).fill('completed'), ...Array(4).fill('skipped')]);
    expect(done.result).toMatch(/^Answer/);
    expect(models.calls).toHaveLength(3);
    const item = (await ann.history()).find(({ pipelineExecutionId }) => pipelineExecutionId === id);
    expect([item?.status, JSON.parse(item?.metadata ?? '{}').limited]).toEqual([2, true]);
    const events = await ann.logs(id);
    expect(events.at(-1)).toMatchObject({ type: 'execution.completed', limited: true });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
  });

  test('G4.08 a budget that stops ends the run in the same way, without a question', async () => {
    const { id } = await ann.start(await ann.pipeline('developer', 'qa'), 'Stop it', { budget: { calls: 1, atLimit: 'stop' } });
    const done = await ended(id);
    expect([done.status, done.limited, statuses(done)]).toEqual(['completed', true, ['completed', 'skipped']]);
    expect(done.result).toBe('Answer 1.');
  });

  test('G4.08 a run whose budget has no room for its first call has failed, with the reason, and nothing of it is a result', async () => {
    const { id } = await ann.start(await ann.pipeline('developer', 'qa'), 'Begin', { budget: { tokens: 1, atLimit: 'stop' } });
    const done = await ended(id);
    expect([done.status, done.error?.code, done.result, done.limited]).toEqual(['failed', 'budget_reached', null, undefined]);
    expect(done.error?.message).toContain('Developer: a budget has no room for another call');
    expect(statuses(done)).toEqual(['skipped', 'skipped']);
    expect(models.calls).toEqual([]);
    const item = (await ann.history()).find(({ pipelineExecutionId }) => pipelineExecutionId === id);
    expect(item).toMatchObject({ status: 3, finalResult: done.error?.message });
    expect((await ann.logs(id)).at(-1)).toMatchObject({ type: 'execution.failed', error: { code: 'budget_reached' } });
  });

  test('G4.07 64 branches at once: the run asks one question, and never makes a call past its budget', async () => {
    const { id } = await ann.start(await fan(64), 'Fan out', { budget: { calls: 30 } });
    const question = await asked(id);
    // The question may come before calls that were reserved earlier.
    const isStill = () => ann.until(id, ({ steps }) => steps.every(({ status }) => status !== 'running'));
    await isStill();
    expect(models.calls).toHaveLength(30);
    await answer(question, { action: 'asMuchAgain' });
    const last = await asked(id);
    await isStill();
    expect(models.calls).toHaveLength(60);
    await answer(last, { action: 'newLimit', limit: 65 });
    const done = await ended(id);
    expect([done.status, models.calls.length]).toEqual(['completed', 65]);
    expect(new Set(statuses(done))).toEqual(new Set(['completed']));
  });

  test('G4.07 a stopped run withdraws the question', async () => {
    const { id } = await ann.start(await ann.pipeline('developer', 'qa'), 'Stop me', { budget: { calls: 1 } });
    const question = await asked(id);
    await ann.act(id, 'stop');
    expect((await ended(id)).status).toBe('cancelled');
    expect((await answer(question, { action: 'endHere' })).status).toBe(409);
  });
});

describe('a price that is not known', () => {
  test('G4.06 a budget of money asks before the first such call, and then no more in this run', async () => {
    for (const name of ['qa', 'analyst'])
      await ann.call('PUT', `/nuroagent/${ann.agent(name).id}/api-configuration`, { model: 'unpriced' });
    const budget = { money: { currency: 'USD', micros: 5_000_000 } };
    const { id } = await ann.start(await ann.pipeline('developer', 'qa', 'analyst'), 'Unknown', { budget });
    const question = await asked(id);
    expect(question).toMatchObject({
      reason: 'price',
      actions: ['goOn', 'endHere'],
      budget: { kind: 'price', model: 'unpriced', currency: 'USD' },
    });
    expect(models.calls).toHaveLength(1);
    await answer(question, { action: 'goOn' });
    const done = await ended(id);
    expect(done.status).toBe('completed');
    expect(done.steps.map(({ cost }) => cost?.isUnknown ?? false)).toEqual([false, true, true]);
    expect((await ofRun(id))[0]?.used).toMatchObject({ micros: 30, tokens: 90, calls: 3 });
  });
});

test('G4.13 an answer about money in a currency that the budget does not have any more raises nothing', async () => {
  const { id } = await ann.start(await ann.pipeline('developer'), 'Exchange', { budget: { money: { currency: 'USD', micros: 1 } } });
  const question = await asked(id);
  expect(question.budget).toMatchObject({ kind: 'money', currency: 'USD', limit: 1 });
  await put({ scope: 'run', executionId: id, money: { currency: 'RUB', micros: 1_000 } });
  expect((await answer(question, { action: 'newLimit', limit: 9_000_000 })).status).toBe(200);
  const again = await asked(id);
  expect(again.budget).toMatchObject({ kind: 'price', currency: 'RUB' });
  expect((await ofRun(id))[0]).toMatchObject({ money: { currency: 'RUB', micros: 1_000 }, extra: { micros: 0 } });
  expect((await answer(again, { action: 'goOn' })).status).toBe(200);
  expect((await ended(id)).status).toBe('completed');
});

describe('the budgets of a project and of an account', () => {
  test('G4.09 apply to every run, also to one that is under way, and a day’s is raised for this day only', async () => {
    await put({ scope: 'user', span: 'month', tokens: 1_000_000 });
    const { body: day } = await put({ scope: 'project', span: 'day', projectId: 'default', calls: 1 });
    const made = await ann.pipeline('developer');
    expect((await ended((await ann.start(made, 'One')).id)).status).toBe('completed');
    const { id } = await ann.start(made, 'Two');
    const question = await asked(id);
    expect(question.budget).toMatchObject({ budgetId: day.id, scope: 'project', span: 'day', kind: 'calls' });
    await answer(question, { action: 'asMuchAgain' });
    expect((await ended(id)).status).toBe('completed');
    const { body } = await ann.call<Budgets>('GET', '/budget?projectId=default');
    expect(body.currencies).toContain('USD');
    expect(body.budgets).toMatchObject([
      { scope: 'project', span: 'day', calls: 1, extra: { calls: 1 }, used: { calls: 2, tokens: 60 } },
      { scope: 'user', span: 'month', tokens: 1_000_000, used: { tokens: 60 } },
    ]);
    await put({ scope: 'project', span: 'day', projectId: 'default', calls: 50 });
    expect((await ended((await ann.start(made, 'Three')).id)).status).toBe('completed');
    expect((await ann.call('DELETE', `/budget/${day.id}`)).status).toBe(204);
    expect((await ann.call('DELETE', `/budget/${day.id}`)).status).toBe(404);
  });

  test('G4.09 a budget for each run counts every run apart', async () => {
    await put({ scope: 'project', span: 'run', projectId: 'default', calls: 1 });
    const made = await ann.pipeline('developer');
    for (const task of ['One', 'Two']) expect((await ended((await ann.start(made, task)).id)).status).toBe('completed');
  });

  test('G4.09 also hold for commands, which end with the reason', async () => {
    await put({ scope: 'user', span: 'day', calls: 1 });
    const command = { agentId: ann.agent('developer').id, request: 'Do it', projectId: 'default' };
    expect((await ann.call<{ status: string }>('POST', '/agentcommand/execute', command)).body.status).toBe('completed');
    const { body } = await ann.call<{ status: string; error: { code: string } }>('POST', '/agentcommand/execute', command);
    expect([body.status, body.error.code]).toEqual(['failed', 'budget_reached']);
    expect(models.calls).toHaveLength(1);
  });
});

describe('what was spent stays counted', () => {
  const ofProject = async (projectId: string) =>
    (await ann.call<Budgets>('GET', `/budget?projectId=${projectId}`)).body.budgets.map(({ scope, span, used }) => [
      `${scope} ${span}`,
      used?.calls,
    ]);

  test('G4.13 no removal of a run or a project gives a budget back, also when the budget is set anew', async () => {
    const { body: own } = await ann.call<{ id: string }>('POST', '/project', { name: 'Short' });
    const made = await ann.pipeline('developer');
    const { body: there } = await ann.call<Pipeline>('POST', '/Pipeline', {
      ...{ name: 'There', projectId: own.id, steps: [{ name: 'one', agentId: ann.agent('developer').id }] },
    });
    await put({ scope: 'user', span: 'month', calls: 50 });
    await put({ scope: 'user', span: 'day', calls: 3 });
    const runs = [await ann.start(made, 'One'), await ann.start(there, 'Two')];
    for (const { id } of runs) expect((await ended(id)).status).toBe('completed');
    expect((await ann.call('DELETE', `/PipelineExecution/${runs[0]?.id}`)).status).toBe(204);
    expect((await ann.call('DELETE', `/project/${own.id}`)).status).toBe(204);
    expect(await ofProject('default')).toEqual([
      ['user day', 2],
      ['user month', 2],
    ]);
    for (const { id } of (await ann.call<Budgets>('GET', '/budget')).body.budgets) await ann.call('DELETE', `/budget/${id}`);
    await put({ scope: 'user', span: 'day', calls: 2 });
    await put({ scope: 'project', span: 'month', projectId: 'default', calls: 1 });
    expect(await ofProject('default')).toEqual([
      ['project month', 1],
      ['user day', 2],
    ]);
    expect(await asked((await ann.start(made, 'Three')).id)).toMatchObject({ budget: { limit: 2, used: 2 } });
    expect(models.calls).toHaveLength(2);
  });

  test('G4.13 a budget whose currency changes counts spend in the new currency, names the old currency, and keeps all other values', async () => {
    const made = await ann.pipeline('developer');
    const dollars = { money: { currency: 'USD', micros: 1_000 }, calls: 1 };
    await put({ scope: 'user', span: 'day', ...dollars });
    const { id } = await ann.start(made, 'One');
    await ended(id);
    const second = await ann.start(made, 'Two');
    await answer(await asked(second.id), { action: 'asMuchAgain' });
    await ended(second.id);
    await ann.call('DELETE', `/PipelineExecution/${id}`);
    const roubles = await put({ scope: 'user', span: 'day', money: { currency: 'RUB', micros: 1_000 }, calls: 1 });
    expect(roubles.body).toMatchObject({
      used: { micros: 0, calls: 2, tokens: 60, otherMoney: [{ currency: 'USD', micros: 60 }] },
      extra: { calls: 1, micros: 0 },
    });
    const without = await put({ scope: 'user', span: 'day', calls: 1 });
    expect(without.body.used).toMatchObject({ micros: 0, calls: 2 });
    const back = await put({ scope: 'user', span: 'day', ...dollars });
    expect(back.body).toMatchObject({ used: { micros: 60, calls: 2 }, extra: { calls: 1 } });
    expect(back.body.used?.otherMoney).toBeUndefined();
  });
});

test('G4.10 the forecast is the range of the latest runs of the same team', async () => {
  const made = await ann.pipeline('developer', 'qa');
  for (const task of ['One', 'Two']) await ended((await ann.start(made, task)).id);
  const agentIds = ['qa', 'developer'].map((name) => ann.agent(name).id);
  const ofTeam = async (ids: string[]) =>
    (await ann.call<Forecast>('POST', '/budget/forecast', { projectId: 'default', agentIds: ids })).body;
  expect(await ofTeam(agentIds)).toMatchObject({
    ...{ runs: 2, tokens: { min: 60, max: 60 }, money: [{ currency: 'USD', min: 60, max: 60 }], simulated: false },
    total: { amounts: [{ currency: 'USD', micros: 120 }] },
  });
  expect(await ofTeam(agentIds.slice(1))).toMatchObject({ runs: 0, money: [] });
});

test('G4.10 a forecast counts whole runs only: people are not part of a team, and forks and runs that a budget ended are left out', async () => {
  const step = (name: string, more: object = {}) => ({ name, agentId: ann.agent(name).id, nodeId: name, ...more });
  const made = await ann.call<Pipeline>('POST', '/Pipeline', {
    ...{ name: 'With a person', projectId: 'default', maxParallel: 1 },
    // A person's step names an agent that the run does not call.
    steps: [
      step('developer'),
      { ...step('assistant'), nodeId: 'ann', settings: { person: { question: 'Which?', inputs: [] } } },
      step('qa'),
    ],
    links: [
      { id: 'a', from: 'developer', to: 'ann' },
      { id: 'b', from: 'ann', to: 'qa' },
    ],
  });
  const answered = async (more = {}) => {
    const { id } = await ann.start(made.body, 'Bake', more);
    expect((await answer(await asked(id), { action: 'answer', text: 'Rye.' })).status).toBe(200);
    return id;
  };
  const first = await ended(await answered());
  const qa = first.steps.find(({ nodeId }) => nodeId === 'qa');
  const forked = await ann.call<Fork>('POST', `/PipelineExecution/${first.id}/fork`, { from: { stepId: qa?.stepId } });
  expect((await ended(forked.body.execution?.id ?? '')).status).toBe('completed');
  const limited = await ended(await answered({ budget: { calls: 1, atLimit: 'stop' } }));
  expect(limited).toMatchObject({ status: 'completed', limited: true });
  const agentIds = ['qa', 'developer'].map((name) => ann.agent(name).id);
  const forecast = await ann.call<Forecast>('POST', '/budget/forecast', { projectId: 'default', agentIds });
  expect(forecast.body).toMatchObject({ runs: 1, tokens: { min: 60, max: 60 }, money: [{ currency: 'USD', min: 60, max: 60 }] });
});

describe('bad input', () => {
  test.each([
    ['0', { calls: 0 }, 'calls'],
    ['a negative one', { tokens: -5 }, 'tokens'],
    ['10^18', { money: { currency: 'USD', micros: 1e18 } }, 'money.micros'],
    ['a fraction', { calls: 1.5 }, 'calls'],
    ['a currency without prices', { money: { currency: 'EUR', micros: 5 } }, 'money.currency'],
    ['no limit', {}, ''],
    ['a warning past the limit', { calls: 1, warnAt: 101 }, 'warnAt'],
  ])('G4.11 a budget of %s is refused with a sentence, on its own and with a run, and the old one stays', async (_, limits, path) => {
    await put({ scope: 'user', span: 'day', calls: 7 });
    const refused = await put({ scope: 'user', span: 'day', ...limits } as BudgetUpdate);
    expect([refused.status, ...new Set(errorsOf(refused).map((error) => error.path))]).toEqual([400, path]);
    expect(errorsOf(refused)[0]?.message).toMatch(/\S+ \S+/);
    const pipeline = await ann.pipeline('developer');
    const started = await ann.call('POST', '/PipelineExecution/start', { pipelineId: pipeline.id, initialTask: 'No', budget: limits });
    expect(started.status).toBe(400);
    const { body } = await ann.call<Budgets>('GET', '/budget');
    expect(body.budgets).toMatchObject([{ calls: 7 }]);
  });

  test.each([
    ['a run without its id', { scope: 'run', calls: 1 }],
    ['a project without its id', { scope: 'project', span: 'day', calls: 1 }],
    ['an account with a project', { scope: 'user', span: 'day', projectId: 'default', calls: 1 }],
  ])('G4.11 a budget of %s is refused', async (_, update) => {
    expect((await put(update as BudgetUpdate)).status).toBe(400);
  });
});
