import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Pipeline, PipelineLink } from '../../../contract/executions/pipeline.ts';
import type { Question } from '../../../contract/executions/question.ts';
import type { PersonSettings } from '../../../contract/executions/run-graph.ts';
import { createRecoverExecutions } from '../../../server/modules/executions/recover-executions.ts';
import { createTransitions } from '../../../server/modules/executions/transitions/transitions.ts';
import { runIn } from '../../../server/platform/database/prepared-statements.ts';
import { lettersTo } from '../../support/read-outbox.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { startServer, type TestServer } from '../../support/start-server.ts';
import { type FreshDatabase, makeDatabase } from '../../support/test-services.ts';
import { verifyEmail } from '../../support/verify-email.ts';

let database: FreshDatabase;
let stored: pg.Client;
let server: TestServer;
let ann: RunAccount;

beforeAll(async () => {
  const made = await makeDatabase();
  if (!made) throw new Error('These tests read the database of their server.');
  database = made;
  stored = new pg.Client({ connectionString: database.url });
  await stored.connect();
  server = await startServer({
    env: { ARTEL_CLIENT: 'off', DATABASE_URL: database.url, ARTEL_SECRET_KEY: 'k'.repeat(48), ARTEL_ACCOUNT_RUNS_STARTED: '3' },
  });
  ann = await signUp(server.url);
});
afterAll(async () => {
  await stored?.end();
  await server?.stop();
  await database?.remove();
});

async function asking(person: Partial<PersonSettings>, after: Omit<PipelineLink, 'id'>[] = [], account = ann) {
  const made = await account.call<Pipeline>('POST', '/Pipeline', {
    ...{ name: 'Ask', projectId: 'default', links: after.map((link) => ({ id: `${link.from}>${link.to}`, ...link })) },
    steps: ['qa', 'developer', 'analyst'].map((name) => ({
      ...{ name, agentId: account.agent(name).id, nodeId: name },
      ...(name === 'qa' && { settings: { person } }),
    })),
  });
  expect(made.status).toBe(201);
  const { id } = await account.start(made.body, 'Plan a bakery');
  await account.until(id, ({ openQuestions }) => openQuestions === 1);
  const [question] = (await account.call<Question[]>('GET', `/PipelineExecution/${id}/questions`)).body;
  if (!question) throw new Error('The run asks nothing.');
  return { id, question };
}

test('G2.07 a run that waits for people gets no job, also while no run has one', async () => {
  const { id } = await asking({});
  await ann.until(id, ({ openQuestions }) => openQuestions === 1);
  const jobOf = async () => (await stored.query('SELECT job_id FROM executions WHERE id = $1', [id])).rows[0].job_id;
  await expect.poll(jobOf).toBeNull();
  const pool = new pg.Pool({ connectionString: database.url });
  const sent: unknown[] = [];
  const noJobs = () => 'SELECT NULL::uuid WHERE false';
  const none = { unfinishedJobs: noJobs, exhaustedJobs: noJobs, send: async (...job: unknown[]) => void sent.push(job) };
  const newId = () => '01a1fab3-094b-73bf-a485-a91fccff0c5d';
  await createRecoverExecutions({ pool, queue: none as never, transition: null as never, runEnds: null as never, newId })();
  await pool.end();
  expect([sent, await jobOf()]).toEqual([[], null]);
  await ann.act(id, 'stop');
});

test('G2.07 a change of a run reads its steps from the database once, however often its rules ask for them', async () => {
  const { id } = await asking({});
  const pool = new pg.Pool({ connectionString: database.url });
  const queries: string[] = [];
  const db = drizzle({ client: pool, logger: { logQuery: (query) => void queries.push(query) } });
  const { transition } = createTransitions({ db, run: runIn(db), bus: {} as never, onTold: () => {}, now: () => new Date() });
  const read = await transition({ id }, async (it) => [
    await it.steps(),
    await it.steps(),
    ...(await Promise.all([it.steps(), it.steps()])),
  ]);
  await pool.end();
  expect(read?.value.map((steps) => steps.map(({ name }) => name))).toEqual(Array(4).fill(['qa', 'developer', 'analyst']));
  expect(queries.filter((query) => query.includes('from "execution_steps"'))).toHaveLength(1);
  await ann.act(id, 'stop');
});

const makeDue = (id: string) => stored.query("UPDATE questions SET due_at = now() - interval '1 second' WHERE id = $1", [id]);
const ended = (id: string, account = ann) => account.until(id, ({ status }) => ['completed', 'failed', 'cancelled'].includes(status));

// The server looks every five seconds for what is due: these tests wait at the same time, each with an account of its own.
test.concurrent.each([
  ['fails its run', { whenDue: 'fail' as const }, ['failed', 'failed', 'pending', 'pending']],
  ['is skipped, with what it leads to', { whenDue: 'skip' as const }, ['completed', 'skipped', 'skipped', 'skipped']],
  ['counts one of its buttons as pressed', { whenDue: { choose: 'No' } }, ['completed', 'completed', 'skipped', 'completed']],
])('G2.05 a card that is due %s', async (_, person, expected) => {
  const bob = await signUp(server.url);
  const links = [
    { from: 'qa', to: 'developer', label: 'Yes' },
    { from: 'qa', to: 'analyst', label: 'No' },
  ];
  const { id, question } = await asking(person, links, bob);
  expect(Date.parse(question.dueAt) - Date.parse(question.openedAt)).toBe(30 * 24 * 60 * 60_000);
  await makeDue(question.id);
  const done = await ended(id, bob);
  expect([done.status, ...done.steps.map(({ status }) => status)]).toEqual(expected);
  if (done.status === 'failed') expect(done.error).toMatchObject({ code: 'question_expired' });
  const late = await bob.call('POST', `/question/${question.id}/answer`, { action: 'answer', label: 'Yes' });
  expect(late).toMatchObject({ status: 409, body: { code: 'question_answered', details: { question: { state: 'expired' } } } });
});

test.concurrent('G2.05 hundreds of questions that are due together end within one poll, and do not delay the question of another account', async ({
  expect,
}) => {
  const [bob, cleo] = await Promise.all([signUp(server.url), signUp(server.url)]);
  const many = await asking({ whenDue: 'skip' }, [{ from: 'qa', to: 'developer' }], bob);
  const one = await asking({ whenDue: 'skip' }, [{ from: 'qa', to: 'developer' }], cleo);
  await stored.query(
    `WITH runs AS (INSERT INTO executions SELECT (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid(), 'job_id', NULL))).*
        FROM executions e, generate_series(1, 400) WHERE e.id = $1 RETURNING id),
      steps AS (INSERT INTO execution_steps SELECT (jsonb_populate_record(s, jsonb_build_object('execution_id', runs.id))).*
        FROM execution_steps s, runs WHERE s.execution_id = $1)
      INSERT INTO questions SELECT (jsonb_populate_record(q, jsonb_build_object('id', gen_random_uuid(), 'execution_id', runs.id,
        'due_at', now() - interval '1 hour'))).* FROM questions q, runs WHERE q.id = $2`,
    [many.id, many.question.id],
  );
  await makeDue(one.question.id);
  const openOf = async (account: RunAccount) =>
    (
      await stored.query(`SELECT count(*)::int AS open FROM questions WHERE user_id = $1 AND state = 'open' AND due_at <= now()`, [
        account.userId,
      ])
    ).rows[0].open;
  expect((await ended(one.id, cleo)).status).toBe('completed');
  await expect.poll(() => openOf(bob)).toBe(0);
});

test.concurrent('G2.05 D5.05 an unverified account gets no email; a verified one gets it after a minute, and the person of a card gets a link', async ({
  expect,
}) => {
  const bob = await signUp(server.url);
  const soon = (id: string) => stored.query('UPDATE questions SET letter_due_at = now() WHERE id = $1', [id]);
  const unsent = (id: string) => stored.query<{ at: Date | null }>('SELECT letter_due_at AS at FROM questions WHERE id = $1', [id]);
  const silent = await asking({}, [], bob);
  const { at } = (await unsent(silent.question.id)).rows[0] ?? {};
  expect((at?.getTime() ?? 0) - Date.parse(silent.question.openedAt)).toBe(60_000);
  await soon(silent.question.id);
  await expect.poll(async () => (await unsent(silent.question.id)).rows[0]?.at).toBeNull();
  await bob.act(silent.id, 'stop');
  const unasked = await asking({ email: 'miller@example.org' }, [], bob);
  const letterOf = async (run: string) => (await bob.call<Question[]>('GET', `/PipelineExecution/${run}/questions`)).body[0]?.letter;
  await expect.poll(() => letterOf(unasked.id)).toEqual({ to: 'miller@example.org', state: 'unconfirmed' });
  await bob.act(unasked.id, 'stop');

  await verifyEmail(server, bob.email);
  const { id, question } = await asking({ question: 'Which oven?' }, [], bob);
  await soon(question.id);
  const [, letter] = await lettersTo(server.dataDir, bob.email, 2);
  expect(letter?.subject).toContain('qa');
  expect(letter?.text).toContain('Which oven?');
  expect(letter?.text).toContain(`question=${question.id}`);
  await bob.act(id, 'stop');

  const other = await asking({ question: 'Which flour?', email: 'baker@example.org' }, [], bob);
  const [invitation] = await lettersTo(server.dataDir, 'baker@example.org', 1);
  const token = /\/q\/([\w-]{43})\?lang=en$/m.exec(invitation?.text ?? '')?.[1];
  const answered = await fetch(`${server.url}/api/q/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ action: 'answer', text: 'Rye' }),
  });
  expect(answered.status).toBe(204);
  expect((await ended(other.id, bob)).status).toBe('completed');
  const [row] = (await bob.call<Question[]>('GET', `/PipelineExecution/${other.id}/questions`)).body;
  expect(row).toMatchObject({ answeredBy: 'baker@example.org', answer: { text: 'Rye' } });
  // Without a mail server the letter is only stored, which the question says.
  expect(await letterOf(other.id)).toEqual({ to: 'baker@example.org', state: 'outbox' });
});

test.concurrent('G2.04 a link says that its question is withdrawn or expired, to the holder of its token alone', async () => {
  const bob = await signUp(server.url);
  const linkTo = async (question: Question) => (await bob.call<{ path: string }>('POST', `/question/${question.id}/link`)).body.path;
  const responseOf = async (path: string, body?: object, language = 'en') => {
    const headers = { 'accept-language': language, ...(body && { 'content-type': 'application/json' }) };
    const response = await fetch(`${server.url}/api${path}`, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers });
    const { requestId: _requestId, ...shown } = (await response.json()) as Record<string, unknown>;
    return [response.status, shown];
  };
  const answer = { action: 'answer', text: 'Rye' };
  const withdrawn = await asking({}, [], bob);
  const unseen = await asking({ whenDue: 'skip' }, [], bob);
  const expired = await asking({ whenDue: 'skip' }, [], bob);
  const answered = await asking({}, [], bob);
  const paths = await Promise.all([withdrawn, unseen, expired, answered].map(({ question }) => linkTo(question)));
  const [pathOfWithdrawn = '', pathOfUnseen = '', pathOfExpired = '', pathOfAnswered = ''] = paths;

  await bob.act(withdrawn.id, 'stop');
  await makeDue(expired.question.id);
  await ended(expired.id, bob);
  expect((await bob.call('POST', `/question/${answered.question.id}/answer`, answer)).status).toBe(200);
  // Links that are over, of a question that no node has ended yet and of one that was answered.
  const over = [unseen.question.id, answered.question.id];
  await stored.query("UPDATE questions SET token_expires_at = now() - interval '1 second' WHERE id = ANY($1::uuid[])", [over]);

  const gone = (code: string, message: string) => [410, { code, message }];
  for (const body of [undefined, answer]) {
    expect(await responseOf(pathOfWithdrawn, body)).toEqual(gone('link_withdrawn', 'This question is no longer asked.'));
    expect(await responseOf(pathOfUnseen, body)).toEqual(gone('link_expired', 'The time to answer this question is over.'));
    expect(await responseOf(pathOfExpired, body)).toEqual(gone('link_expired', 'The time to answer this question is over.'));
    expect(await responseOf(pathOfAnswered, body)).toMatchObject([409, { code: 'question_answered' }]);
    expect(await responseOf(`/q/${'x'.repeat(43)}`, body)).toMatchObject([404, { code: 'not_found' }]);
  }
  expect(await responseOf(pathOfWithdrawn, undefined, 'ru')).toEqual(gone('link_withdrawn', 'Этот вопрос больше не задан.'));
  expect(await responseOf(pathOfExpired, undefined, 'ru')).toEqual(gone('link_expired', 'Срок ответа на этот вопрос истёк.'));
  await bob.act(unseen.id, 'stop');
});

test('G2.04 guesses at a signed link are limited by address, in both languages, and a right one from there is served all the same', async () => {
  const { id, question } = await asking({});
  const { path } = (await ann.call<{ path: string }>('POST', `/question/${question.id}/link`)).body;
  const get = (address: string, language = 'en') => fetch(`${server.url}/api${address}`, { headers: { 'accept-language': language } });
  // The counters of the tests before this one.
  await stored.query("DELETE FROM rate_limits WHERE key LIKE 'question%'");
  expect((await get(path)).status).toBe(200);
  // Right calls are no guesses, also those that are refused for what they answer.
  const headers = { 'content-type': 'application/json' };
  const stop = () => fetch(`${server.url}/api${path}`, { method: 'POST', headers, body: JSON.stringify({ action: 'stop' }) });
  const inARow = Array.from({ length: 20 });
  for (let rounds = 0; rounds < 8; rounds += 1)
    for (const response of await Promise.all(inARow.flatMap(() => [get(path), stop()]))) expect([200, 400]).toContain(response.status);
  const statuses = await Promise.all(
    Array.from({ length: 300 }, async (_, at) => (await get(`/q/${String(at).padStart(43, 'x')}`)).status),
  );
  expect(new Set(statuses)).toEqual(new Set([404]));
  const guess = `/q/${'y'.repeat(43)}`;
  const refused = await get(guess);
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
  expect(await refused.json()).toMatchObject({ code: 'too_many_requests', message: expect.stringMatching(/[a-z]/) });
  expect(await (await get(guess, 'ru')).json()).toMatchObject({ code: 'too_many_requests', message: expect.stringMatching(/[а-я]/) });
  expect((await get(path)).status).toBe(200);
  expect((await stop()).status).toBe(400);
  await ann.act(id, 'stop');
});

test('G2.07 runs that wait have no job and no active time, do not count as started, and continue after a restart', async () => {
  const waiting: Awaited<ReturnType<typeof asking>>[] = [];
  for (let many = 0; many < 5; many += 1) waiting.push(await asking({}));
  const ids = waiting.map(({ id }) => id);
  const stateOf = async () => {
    const { rows } = await stored.query<{ job_id: string | null; active_ms: string; status: string }>(
      'SELECT job_id, active_ms, status FROM executions WHERE id = ANY($1::uuid[]) ORDER BY id',
      [ids],
    );
    return rows;
  };
  await expect.poll(async () => (await stateOf()).map(({ job_id }) => job_id)).toEqual(ids.map(() => null));
  const waitingSince = await stateOf();
  expect(waitingSince.map(({ status }) => status)).toEqual(ids.map(() => 'running'));

  const starting = (index: number) =>
    ann.call('POST', '/PipelineExecution/start', { pipelineId: waiting[0]?.question.pipelineId, inputData: { task: `Run ${index}` } });
  const more: string[] = [];
  // Twenty waiting runs for each of the three that may be started.
  while (more.length < 60 - waiting.length) {
    const started = await starting(more.length);
    expect(started.status).toBe(202);
    const { id } = started.body as { id: string };
    await ann.until(id, ({ openQuestions }) => openQuestions === 1);
    more.push(id);
  }
  expect(await starting(60)).toMatchObject({ status: 429, body: { code: 'too_many_runs' } });
  // The seconds in which they waited are no active time.
  expect(await stateOf()).toEqual(waitingSince);
  await Promise.all(more.map((id) => ann.act(id, 'stop')));

  await server.kill('SIGKILL');
  server = await server.restart();
  ann = ann.at(server);
  for (const { question } of waiting)
    expect((await ann.call('POST', `/question/${question.id}/answer`, { action: 'answer', text: 'Yes' })).status).toBe(200);
  for (const id of ids) expect((await ended(id)).steps.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
});
