import { beforeEach, expect, test } from 'vitest';
import type { Budgets, BudgetUpdate, RunBudget } from '../../../contract/budget.ts';
import type { Fork } from '../../../contract/executions/fork.ts';
import type { Question, QuestionAnswer } from '../../../contract/executions/question.ts';
import { untilLocked } from '../../support/database/until-locked.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { setUpModelServer, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';

const models = setUpModelServer({ kind: 'text', text: 'Done.' });
const { database, server } = setUpServerOnDatabase(() => ({ OPENAI_API_KEY: 'sk-server-wide', OPENAI_BASE_URL: models.url }));
let ann: RunAccount;

beforeEach(async () => {
  ann = await signUp(server.url);
});

const put = async (update: BudgetUpdate) => expect((await ann.call('PUT', '/budget', update)).status).toBe(200);
const putOfRun = (executionId: string, budget: RunBudget) => put({ scope: 'run', executionId, ...budget });
const ofRun = async (id: string) => (await ann.call<Budgets>('GET', `/budget?executionId=${id}`)).body.budgets;
const answer = ({ id }: Pick<Question, 'id'>, body: QuestionAnswer) => ann.call<Question>('POST', `/question/${id}/answer`, body);
const endedOrAsking = (id: string) =>
  ann.until(id, ({ status, openQuestions = 0 }) => status === 'completed' || status === 'failed' || openQuestions > 0);
const statuses = ({ steps }: { steps: { status: string }[] }) => steps.map(({ status }) => status);

async function asked(id: string): Promise<Question> {
  await ann.until(id, ({ openQuestions }) => openQuestions === 1);
  const { body } = await ann.call<Question[]>('GET', `/PipelineExecution/${id}/questions`);
  return body.find(({ state }) => state === 'open') as Question;
}

/** A run of three agents that is paused after the call of the first one. */
async function pausedRun(budget: RunBudget): Promise<string> {
  models.answer({ kind: 'hang' });
  const { id } = await ann.start(await ann.pipeline('developer', 'qa', 'analyst'), 'Raise it', { budget });
  await models.call(1);
  await ann.act(id, 'pause');
  models.answer({ kind: 'text', text: 'Done.' });
  models.release('Begun.');
  await ann.until(id, ({ status }) => status === 'paused');
  return id;
}

/** Continues a paused run whose next call is refused, and calls `change` between the refusal and what the run makes of it. */
async function changeAfterRefusal(id: string, action: 'resume' | 'next-step', change: () => Promise<unknown>): Promise<void> {
  const [counts, run] = [await database.pool.connect(), await database.pool.connect()];
  try {
    // The second call waits with its refusal.
    await counts.query('BEGIN');
    await counts.query('SELECT FROM budget_uses WHERE execution_id = $1 FOR UPDATE', [id]);
    await ann.act(id, action);
    await untilLocked(database.pool, 'budget_uses');
    await run.query('BEGIN');
    await run.query('SELECT FROM executions WHERE id = $1 FOR NO KEY UPDATE', [id]);
    // It is refused, and its question waits.
    await counts.query('COMMIT');
    await untilLocked(database.pool, 'executions');
    await change();
    await run.query('COMMIT');
  } finally {
    counts.release(true);
    run.release(true);
  }
}

const raise = (id: string) => database.pool.query('UPDATE budget_uses SET extra_calls = 9 WHERE execution_id = $1', [id]);

test('G4.07 a limit that is raised between a refused call and its question is not asked about', async () => {
  const id = await pausedRun({ calls: 1 });
  await changeAfterRefusal(id, 'resume', () => raise(id));
  expect((await endedOrAsking(id)).status).toBe('completed');
  expect(models.calls).toHaveLength(3);
});

test('G4.08 a budget that stops, and is raised after a refused call, does not end the run', async () => {
  const id = await pausedRun({ calls: 1, atLimit: 'stop' });
  await changeAfterRefusal(id, 'resume', () => putOfRun(id, { calls: 9, atLimit: 'stop' }));
  expect(await endedOrAsking(id)).toMatchObject({ status: 'completed', steps: [{}, {}, { status: 'completed' }] });
});

test('G4.06 a call without a price is not asked about once its budget of money is gone or has another limit', async () => {
  const changes: ((id: string) => Promise<unknown>)[] = [
    (id) => putOfRun(id, { calls: 9 }),
    async (id) => ann.call('DELETE', `/budget/${(await ofRun(id))[0]?.id}`),
  ];
  for (const change of changes) {
    models.calls.length = 0;
    const id = await pausedRun({ calls: 9 });
    await putOfRun(id, { money: { currency: 'USD', micros: 1_000_000 } });
    await changeAfterRefusal(id, 'resume', () => change(id));
    expect((await endedOrAsking(id)).status).toBe('completed');
  }
});

test('G4.07 a run of one step carries out this step when its limit is raised: after the refused call, and by the answer', async () => {
  const early = await pausedRun({ calls: 1 });
  await changeAfterRefusal(early, 'next-step', () => raise(early));
  expect(statuses(await ann.until(early, ({ status }) => status === 'paused'))).toEqual(['completed', 'completed', 'pending']);
  models.calls.length = 0;
  const late = await pausedRun({ calls: 1 });
  await ann.act(late, 'next-step');
  const question = await asked(late);
  expect((await ann.details(late)).status).toBe('running');
  await answer(question, { action: 'asMuchAgain' });
  expect(statuses(await ann.until(late, ({ status }) => status === 'paused'))).toEqual(['completed', 'completed', 'pending']);
  expect(models.calls).toHaveLength(2);
});

test('G4.07 as much again, and a new figure, of a limit that the budget does not have any more let the run go on and raise nothing', async () => {
  for (const given of [{ action: 'asMuchAgain' }, { action: 'newLimit', limit: 5 }] as const) {
    const { id } = await ann.start(await ann.pipeline('developer', 'qa'), 'Changed meanwhile', { budget: { calls: 1 } });
    const question = await asked(id);
    await putOfRun(id, { tokens: 1_000_000 });
    expect((await answer(question, given)).status).toBe(200);
    expect((await endedOrAsking(id)).status).toBe('completed');
    expect((await ofRun(id))[0]).toMatchObject({ tokens: 1_000_000, extra: { calls: 0, tokens: 0 }, used: { calls: 2 } });
  }
});

test('G4.08 a question that is due ends the run at its budget, but not once the owner has raised the budget', async () => {
  const made = await ann.pipeline('developer', 'qa');
  const runs = await Promise.all(['Raised', 'Left'].map((task) => ann.start(made, task, { budget: { calls: 1 } })));
  const [raised, left] = runs.map(({ id }) => id) as [string, string];
  await Promise.all([asked(raised), asked(left)]);
  await putOfRun(raised, { calls: 2 });
  await database.pool.query("UPDATE questions SET due_at = now() - interval '1 second' WHERE execution_id = ANY($1::uuid[])", [
    [raised, left],
  ]);
  const ended = (id: string) => ann.until(id, ({ status }) => status === 'completed');
  expect([statuses(await ended(raised)), (await ended(raised)).limited]).toEqual([['completed', 'completed'], undefined]);
  expect([statuses(await ended(left)), (await ended(left)).limited]).toEqual([['completed', 'skipped'], true]);
});

test('G4.08 "end here" ends a paused run at once, and what it has skipped runs in a fork', async () => {
  const { id } = await ann.start(await ann.pipeline('developer', 'qa'), 'End it', { budget: { calls: 1 } });
  const question = await asked(id);
  expect((await ann.act(id, 'pause')).body.status).toBe('paused');
  expect((await answer(question, { action: 'endHere' })).status).toBe(200);
  const ended = await ann.details(id);
  expect([ended.status, ended.limited, statuses(ended)]).toEqual(['completed', true, ['completed', 'skipped']]);
  const { body } = await ann.call<Fork>('POST', `/PipelineExecution/${id}/fork`, { from: null, budget: { calls: 9 } });
  const fork = await ann.until(body.execution?.id ?? '', ({ status }) => status === 'completed');
  expect(statuses(fork)).toEqual(['reused', 'completed']);
  expect(models.calls).toHaveLength(2);
});

test('G4.08 a pause right after "end here" does not keep the run from its end', async () => {
  const { id } = await ann.start(await ann.pipeline('developer', 'qa'), 'End it', { budget: { calls: 1 } });
  const question = await asked(id);
  const run = await database.pool.connect();
  try {
    await run.query('BEGIN');
    await run.query('SELECT FROM executions WHERE id = $1 FOR UPDATE', [id]);
    const answering = answer(question, { action: 'endHere' });
    await untilLocked(database.pool, 'executions');
    const pausing = ann.act(id, 'pause');
    await untilLocked(database.pool, 'executions', 2);
    await run.query('COMMIT');
    expect((await answering).status).toBe(200);
    const paused: { status: number; body: { status?: string; details?: object } } = await pausing;
    // The pause ends the run, or finds that a worker has ended it.
    expect(paused.status === 409 ? paused.body.details : paused.body).toMatchObject({ status: 'completed' });
  } finally {
    run.release(true);
  }
  expect(await ann.details(id)).toMatchObject({ status: 'completed', limited: true, steps: [{}, { status: 'skipped' }] });
});

test('G4.07 a call of the run can be reserved while an answer raises its limit: neither waits for the other', async () => {
  const { id } = await ann.start(await ann.pipeline('developer', 'qa'), 'Raise it', { budget: { calls: 1 } });
  const question = await asked(id);
  const counts = await database.pool.connect();
  try {
    // As the reservation of a step under way: it has locked the counts, and then refers to the run.
    await counts.query('BEGIN');
    await counts.query('SELECT FROM budget_uses WHERE execution_id = $1 FOR UPDATE', [id]);
    const answering = answer(question, { action: 'asMuchAgain' });
    await untilLocked(database.pool, 'budget_uses');
    await counts.query('SELECT FROM executions WHERE id = $1 FOR KEY SHARE NOWAIT', [id]);
    await counts.query('COMMIT');
    expect((await answering).status).toBe(200);
  } finally {
    counts.release(true);
  }
  expect((await endedOrAsking(id)).status).toBe('completed');
});
