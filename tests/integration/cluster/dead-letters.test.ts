import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { CommandState } from '../../../contract/command.ts';
import type { DeadLetter } from '../../../contract/executions/dead-letter.ts';
import type { TriggerDetails } from '../../../contract/trigger.ts';
import { writeParts } from '../../../server/platform/database/backup/backup-file.ts';
import { restoreBackup } from '../../../server/platform/database/backup/restore-backup.ts';
import { takeBackup } from '../../../server/platform/database/backup/take-backup.ts';
import { readMigrations } from '../../../server/platform/database/migrate.ts';
import { callerOf, signUp as signUpCaller } from '../../support/call-api.ts';
import { exhaustAttempts } from '../../support/database/exhaust-attempts.ts';
import { migrationsFolder } from '../../support/open-test-database.ts';
import { readMetrics } from '../../support/read-metrics.ts';
import type { RunningServer } from '../../support/server/open-test-server.ts';
import { setUp, setUpAccount, setUpModelServer, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';
import { startToolServer, textResult } from '../../support/tools/tool-server.ts';
import { callTools, withTools } from '../../support/tools/with-tools.ts';
import { verifyEmail } from '../../support/verify-email.ts';

const models = setUpModelServer();
const { database, server } = setUpServerOnDatabase(() => ({
  OPENAI_BASE_URL: models.url,
  ARTEL_STAFF_EMAILS: 'chief@example.com',
  ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on',
}));
const chief = setUp(() => signUpCaller(server.url, { email: 'chief@example.com' }));
const ann = setUpAccount(server);

beforeAll(() => verifyEmail(server, 'chief@example.com'));

beforeEach(async () => {
  await database.pool.query('DELETE FROM dead_letters');
});

const missing = '01a1fab3-094b-73bf-a485-a91fccff0c5d';
const list = () => chief.ask('deadLetter.list');
const retry = (letter: Pick<DeadLetter, 'id'>) => chief.send('deadLetter.retry', { params: { id: letter.id } });

/** Starts a run of three steps that fails for good in its second one; returns it and its dead letter. */
async function deadRun(by = ann) {
  models.answer((call) => (call.body.messages.at(-1)?.content.includes('## ') ? { kind: 'hang' } : { kind: 'text', text: 'One' }));
  const run = await by.start(await by.pipeline('assistant', 'developer', 'qa'), 'A secret plan');
  await by.until(run.id, ({ steps }) => steps[1]?.status === 'running');
  return { run, letter: await letterOf(run.id) };
}

async function letterOf(workId: string): Promise<DeadLetter> {
  await exhaustAttempts(database.pool);
  let found: DeadLetter | undefined;
  await expect.poll(async () => (found = (await list()).find((letter) => letter.workId === workId))).toBeDefined();
  return found as DeadLetter;
}

test('R23.01 staff sees a failed run, its owner and its progress, and nothing that users wrote', async () => {
  const { run, letter } = await deadRun();
  expect(letter).toMatchObject({ kind: 'execution', workId: run.id, email: ann.email, stepsDone: 1, stepsTotal: 3 });
  expect(await ann.details(run.id)).toMatchObject({ status: 'failed', error: { code: 'attempts_exhausted' } });
  expect(JSON.stringify(await list())).not.toContain('secret');
  await expect.poll(async () => (await readMetrics(server.url)).value('artel_dead_letters')).toBe(1);
});

test('R23.01 a failed run continues at its step when staff retries it, and no finished step runs again', async () => {
  const { run, letter } = await deadRun();
  const before = models.calls.length;
  models.answer((call) => ({ kind: 'text', text: `Later ${call.number - before}` }));
  expect(await chief.ask('deadLetter.retry', { params: { id: letter.id } })).toEqual({ kind: 'execution', workId: run.id });
  const done = await ann.until(run.id, ({ status }) => status !== 'running');
  expect(done).toMatchObject({ status: 'completed', error: null, failedAt: null, result: 'Later 2' });
  expect(done.steps.map(({ result }) => result)).toEqual(['One', 'Later 1', 'Later 2']);
  expect(models.calls).toHaveLength(before + 2);
  const events = await ann.logs(run.id);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
  expect(events.find(({ type }) => type === 'execution.resumed')).toMatchObject({
    status: 'running',
    step: { status: 'pending', error: null },
  });
  const items = (await ann.history()).filter(({ pipelineExecutionId }) => pipelineExecutionId === run.id);
  expect(items).toMatchObject([{ status: 2, finalResult: 'Later 2' }]);
  expect(await list()).toEqual([]);
});

test('R23.01 G3.08 a retry asks about a call whose outcome is not known, and repeats none that has ended', async () => {
  const tools = await startToolServer();
  try {
    const person = withTools(ann);
    const inputSchema = { type: 'object' };
    tools.list(['mail', 'post'].map((name) => ({ name, description: name, inputSchema })));
    tools.answer(({ name }) => (name === 'mail' ? textResult('Sent.') : new Promise(() => {})));
    await person.tick('developer', (await person.connect(tools.url)).tools);
    callTools(models, [['tickets_mail', {}]], [['tickets_post', {}]]);
    const run = await ann.start(await ann.pipeline('developer'), 'Send it');
    await person.answer(await person.question(run.id), { action: 'approve' });
    await ann.until(run.id, ({ steps }) => steps[0]?.toolUse?.calls === 2 && steps[0].status === 'waiting');
    await person.answer(await person.question(run.id), { action: 'approve' });
    await expect.poll(() => tools.calls.length).toBe(2);
    const letter = await letterOf(run.id);
    expect((await person.calls(run.id)).map(({ tool, state }) => [tool, state])).toEqual([
      ['tickets_mail', 'done'],
      ['tickets_post', 'unknown'],
    ]);
    expect((await retry(letter)).status).toBe(202);
    const question = await person.question(run.id);
    expect(question).toMatchObject({ kind: 'unknown_outcome', reason: 'unknown', call: { tool: 'tickets_post' } });
    await person.answer(question, { action: 'enterResult', text: 'It was posted.' });
    expect(await person.ended(run.id)).toMatchObject({ status: 'completed' });
    expect(tools.calls.map(({ name }) => name)).toEqual(['mail', 'post']);
  } finally {
    await tools.close();
  }
});

test('R23.01 a backup and its restore keep the list, what was removed from it stays away, and a run can be retried there', async () => {
  const { letter: removed } = await deadRun();
  await chief.ask('deadLetter.remove', { params: { id: removed.id } });
  const { run, letter } = await deadRun();
  const there = await restoredElsewhere();
  try {
    const chiefThere = callerOf(there.server.url, chief.accessToken);
    expect(await chiefThere.ask('deadLetter.list')).toEqual([letter]);
    models.answer({ kind: 'text', text: 'Elsewhere' });
    expect(await chiefThere.ask('deadLetter.retry', { params: { id: letter.id } })).toEqual({ kind: 'execution', workId: run.id });
    const done = await ann.at(there.server).until(run.id, ({ status }) => status !== 'running');
    expect(done).toMatchObject({ status: 'completed', result: 'Elsewhere' });
    expect(await chiefThere.ask('deadLetter.list')).toEqual([]);
  } finally {
    await there.server.stop();
    await there.remove();
  }
});

/** A server on a new database with the restored backup of this one. */
async function restoredElsewhere(): Promise<{ server: RunningServer; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'artel-dead-'));
  const path = join(folder, 'whole.backup');
  const migrations = await readMigrations(migrationsFolder);
  const about = { createdAt: new Date().toISOString(), version: '0.1.0', secret: { check: 'x' } };
  const never = new AbortController().signal;
  const parts = takeBackup({
    ...{ connection: { connectionString: database.connectionString }, migrations, about, signal: never },
    onDone: () => {},
  });
  await pipeline(writeParts(parts), createGzip(), createWriteStream(path));
  await database.pool.query('DROP DATABASE IF EXISTS restored_dead WITH (FORCE)');
  await database.pool.query('CREATE DATABASE restored_dead');
  const url = new URL(database.connectionString);
  url.pathname = '/restored_dead';
  await restoreBackup(path, { connection: { connectionString: url.href }, migrations, replace: false, signal: never });
  await rm(folder, { recursive: true });
  return {
    server: await server.beside({ DATABASE_URL: url.href }),
    remove: async () => {
      await database.pool.query('DROP DATABASE restored_dead WITH (FORCE)');
    },
  };
}

test('R23.01 one of several retries at the same time is done, and the other retries get the error that the job is gone', async () => {
  const { run, letter } = await deadRun();
  const before = models.calls.length;
  models.answer({ kind: 'text', text: 'Done' });
  const statuses = (await Promise.all(Array.from({ length: 8 }, () => retry(letter)))).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([202, ...Array(7).fill(404)]);
  await ann.until(run.id, ({ status }) => status === 'completed');
  expect(models.calls).toHaveLength(before + 2);
  expect((await ann.logs(run.id)).filter(({ type }) => type === 'execution.resumed')).toHaveLength(1);
  expect((await retry(letter)).status).toBe(404);
});

test('R23.01 a retry is refused with a reason when the run is gone with its project, and the letter can be removed from the list', async () => {
  const project = (await ann.call<{ id: string }>('POST', '/project', { name: 'Short-lived' })).body;
  const { run, letter } = await deadRun();
  await database.pool.query('UPDATE executions SET project_id = $2 WHERE id = $1', [run.id, project.id]);
  expect((await ann.call('DELETE', `/project/${project.id}`)).status).toBe(204);
  expect(await list()).toMatchObject([{ id: letter.id, workId: null, email: null }]);
  expect(await chief.refused('deadLetter.retry', { params: { id: letter.id } })).toMatchObject({ status: 409, code: 'work_gone' });
  await chief.ask('deadLetter.remove', { params: { id: letter.id } });
  expect(await list()).toEqual([]);
  expect(await chief.refused('deadLetter.remove', { params: { id: letter.id } })).toMatchObject({ status: 404 });
});

test('R23.01 a failed command continues when staff retries it, once', async () => {
  models.answer({ kind: 'hang' });
  const body = { agentId: ann.agent('qa').id, request: 'Answer' };
  const { id } = (await ann.call<CommandState>('POST', '/agentcommand/execute-async', body)).body;
  const status = async () => (await ann.call<CommandState>('GET', `/agentcommand/status/${id}`)).body;
  await expect.poll(async () => (await status()).status).toBe('running');
  const letter = await letterOf(id);
  expect(letter).toMatchObject({ kind: 'command', email: ann.email, stepsTotal: null });
  expect(await status()).toMatchObject({ status: 'failed', error: { code: 'attempts_exhausted' } });
  models.answer({ kind: 'text', text: 'At last' });
  const statuses = (await Promise.all([retry(letter), retry(letter)])).map((answer) => answer.status);
  expect(statuses.toSorted()).toEqual([202, 404]);
  await expect.poll(status).toMatchObject({ status: 'completed', response: 'At last', error: null });
});

/** A schedule that fires once a year, and whose instant is due now in its last attempt. */
async function givenUpInstant() {
  models.answer({ kind: 'text', text: 'Each year' });
  const { id: pipelineId } = await ann.pipeline('assistant');
  const team = { pipelineId, slug: `team-${pipelineId.slice(-12)}`, title: 'A team', task: 'Begin', input: [] };
  const { id: teamId } = (await ann.call<{ id: string }>('POST', '/project/default/released-teams', team)).body;
  const settings = { kind: 'schedule', cron: '0 0 1 1 *', zone: 'UTC', input: {} };
  const made = await ann.call<{ id: string }>('POST', triggers, { name: 'Yearly', teamId, settings, budget: { tokens: 100_000 } });
  expect([made.status, made.body]).toMatchObject([201, {}]);
  const { id } = made.body;
  await giveUp(id);
  const letter = async () => (await list()).find(({ workId }) => workId === id);
  await expect.poll(letter).toBeDefined();
  return { id, letter: (await letter()) as DeadLetter };
}

async function giveUp(id: string): Promise<void> {
  await database.pool.query('UPDATE triggers SET next_at = now() WHERE id = $1', [id]);
  const exhausted = "state = 'retry', retry_count = retry_limit, started_on = now(), start_after = now()";
  await database.pool.query(`UPDATE artel_queue.job SET ${exhausted} FROM triggers WHERE job.id = job_id AND triggers.id = $1`, [id]);
}

const triggers = '/project/default/triggers';
const firesOf = async (id: string) => (await ann.call<TriggerDetails>('GET', `${triggers}/${id}`)).body.fires;

test('R23.01 L1.03 an instant whose attempts are used up is listed with its account and project, and a retry starts its run', async () => {
  const { id, letter } = await givenUpInstant();
  const { name } = (await ann.call<{ name: string }>('GET', '/project/default')).body;
  expect(letter).toMatchObject({ kind: 'trigger', workId: id, email: ann.email, projectName: name, stepsTotal: null });
  expect(await firesOf(id)).toMatchObject([{ outcome: 'failed', reason: 'fault' }]);
  const statuses = (await Promise.all([retry(letter), retry(letter)])).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([202, 404]);
  await expect.poll(() => firesOf(id)).toMatchObject([{ outcome: 'started', reason: null }, { outcome: 'failed' }]);
  expect(await list()).toEqual([]);
  await ann.call('DELETE', `${triggers}/${id}`);
});

test('R23.01 L1.03 the letter of an instant goes when its schedule has moved on, and with its trigger', async () => {
  const [{ id }, gone] = [await givenUpInstant(), await givenUpInstant()];
  const ids = async () => (await list()).map(({ workId }) => workId).toSorted();
  expect(await ids()).toEqual([id, gone.id].toSorted());
  await ann.call('DELETE', `${triggers}/${gone.id}`);
  await expect.poll(ids).toEqual([id]);
  await database.pool.query('UPDATE triggers SET paused_at = now() WHERE id = $1', [id]);
  const [letter] = await list();
  expect(await chief.refused('deadLetter.retry', { params: { id: letter?.id ?? '' } })).toMatchObject({ status: 409, code: 'work_gone' });
  await database.pool.query('UPDATE triggers SET paused_at = NULL WHERE id = $1', [id]);
  await database.pool.query("UPDATE triggers SET next_at = date_trunc('minute', now()) - interval '1 minute' WHERE id = $1", [id]);
  await database.pool.query('UPDATE artel_queue.job SET start_after = now() FROM triggers WHERE job.id = job_id AND triggers.id = $1', [
    id,
  ]);
  await expect.poll(ids).toEqual([]);
  expect((await firesOf(id)).map(({ outcome }) => outcome)).toEqual(['started', 'failed']);
  await giveUp(id);
  await expect.poll(ids).toEqual([id]);
  // With the last trigger its letter goes too.
  await ann.call('DELETE', `${triggers}/${id}`);
  await expect.poll(ids).toEqual([]);
});

test.each(['deadLetter.list', 'deadLetter.retry', 'deadLetter.remove'] as const)(
  'R23.01 %s is for staff: a caller without a session gets 401, another user 403, and staff 404 for a missing id',
  async (name) => {
    const params = { id: missing };
    expect(await callerOf(server.url).refused(name, { params })).toMatchObject({ status: 401 });
    expect(await callerOf(server.url, ann.accessToken).refused(name, { params })).toMatchObject({ status: 403 });
    if (name !== 'deadLetter.list') expect(await chief.refused(name, { params })).toMatchObject({ status: 404 });
  },
);
