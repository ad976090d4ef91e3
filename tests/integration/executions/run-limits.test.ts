import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ErrorBody } from '../../../contract/errors.ts';
import type { Execution } from '../../../contract/executions/execution.ts';
import { exhaustAttempts } from '../../support/database/exhaust-attempts.ts';
import type { TestDatabase } from '../../support/open-test-database.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { startServerOnDatabase } from '../../support/server-on-database.ts';
import { type ModelServer, startModelServer } from '../../support/services/model-server.ts';
import type { TestServer } from '../../support/start-server.ts';

let models: ModelServer;
let database: TestDatabase;
let server: TestServer;

beforeEach(async () => {
  models = await startModelServer();
});
afterEach(async () => {
  await server?.stop();
  await Promise.all([database?.remove(), models?.close()]);
});

async function serve(env: Record<string, string> = {}) {
  ({ database, server } = await startServerOnDatabase({ OPENAI_BASE_URL: models.url, ...env }));
}

/** The task of a model call. */
const taskOf = (call: ModelServer['calls'][number]) => /Task \w+/.exec(JSON.stringify(call.body))?.[0];

const hasEnded = ({ status }: Pick<Execution, 'status'>) => status === 'completed' || status === 'failed' || status === 'cancelled';

test('R23.01 a second start beyond ARTEL_ACCOUNT_RUNS_STARTED is a plain 429 in both languages, until a run has ended', async () => {
  await serve({ ARTEL_ACCOUNT_RUNS_STARTED: '1' });
  const [ann, ben] = [await signUp(server.url), await signUp(server.url)];
  models.answer({ kind: 'hang' });
  const pipeline = await ann.pipeline('assistant');
  const first = await ann.start(pipeline, 'Task one');
  const made = await ann.call<Execution>('POST', '/PipelineExecution', { pipelineId: pipeline.id, initialTask: 'Task later' });
  expect(made.status).toBe(201);

  const messages = {
    en: 'Too many of your runs have not ended yet. Wait until some end, or stop some, and start again.',
    ru: 'Слишком много ваших запусков ещё не завершено. Дождитесь, пока часть завершится, или остановите лишние и запустите снова.',
  };
  for (const [language, message] of Object.entries(messages)) {
    for (const body of [
      { pipelineId: pipeline.id, inputData: { task: 'Task two' } },
      { pipelineId: pipeline.id, executionId: made.body.id },
    ]) {
      const refused = await ann.call<ErrorBody>('POST', '/PipelineExecution/start', body, { 'accept-language': language });
      expect([refused.status, refused.body.code, refused.body.message]).toEqual([429, 'too_many_runs', message]);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    }
  }
  expect((await ann.call<Execution[]>('GET', '/PipelineExecution')).body).toHaveLength(2);
  await ben.start(await ben.pipeline('assistant'), 'Task other');

  await ann.act(first.id, 'stop');
  models.answer({ kind: 'text', text: 'Done' });
  const second = await ann.start(pipeline, 'Task two');
  expect((await ann.until(second.id, hasEnded)).status).toBe('completed');
});

test('R23.01 paused runs keep no other from starting, and go on only below ARTEL_ACCOUNT_RUNS_STARTED', async () => {
  await serve({ ARTEL_ACCOUNT_RUNS_STARTED: '1' });
  const ann = await signUp(server.url);
  const pipeline = await ann.pipeline('assistant', 'qa');
  models.answer({ kind: 'hang' });
  const paused = await ann.start(pipeline, 'Task one');
  await models.call(1);
  expect((await ann.act(paused.id, 'pause')).status).toBe(200);
  // Withdrawing a pause starts nothing.
  expect((await ann.act(paused.id, 'resume')).status).toBe(200);
  expect((await ann.act(paused.id, 'pause')).status).toBe(200);
  models.release('Done');
  const { steps } = await ann.until(paused.id, ({ status }) => status === 'paused');

  const second = await ann.start(pipeline, 'Task two');
  await models.call(2);
  const next = steps.find(({ status }) => status === 'pending')?.stepId;
  for (const path of ['resume', 'next-step', `steps/${next}`]) {
    const refused = await ann.call<ErrorBody>('POST', `/PipelineExecution/${paused.id}/${path}`);
    expect([path, refused.status, refused.body.code]).toEqual([path, 429, 'too_many_runs']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect((await ann.details(paused.id)).status).toBe('paused');

  await ann.act(second.id, 'stop');
  models.answer({ kind: 'text', text: 'Done' });
  expect((await ann.act(paused.id, 'resume')).status).toBe(200);
  expect((await ann.until(paused.id, hasEnded)).status).toBe('completed');
});

test('R23.01 priority orders an account’s own runs, and puts none before those of another account', async () => {
  await serve({ ARTEL_ACCOUNT_RUNS_AT_ONCE: '1' });
  const [ann, ben] = [await signUp(server.url), await signUp(server.url)];
  const [anns, bens] = [await ann.pipeline('assistant'), await ben.pipeline('assistant')];
  models.answer((call) => (taskOf(call) === 'Task hold' ? { kind: 'hang' } : { kind: 'text', text: 'Done' }));
  const held = await ann.start(anns, 'Task hold');
  await models.call(1);
  const waiting: Execution[] = [];
  for (const [task, priority] of [
    ['Task low', 1],
    ['Task usual', 5],
    ['Task urgent', 10],
    ['Task also', 10],
  ] as const) {
    waiting.push(await ann.start(anns, task, { priority }));
  }
  // Ann's urgent runs wait for her own first one; Ben's least urgent run waits for none of hers.
  const other = await ben.start(bens, 'Task bens', { priority: 0 });
  expect((await ben.until(other.id, hasEnded)).status).toBe('completed');
  expect((await ann.details(waiting[2]?.id ?? '')).status).toBe('pending');

  models.answer({ kind: 'text', text: 'Done' });
  models.release('Done');
  for (const { id } of [held, ...waiting]) expect((await ann.until(id, hasEnded)).status).toBe('completed');
  expect(models.calls.map(taskOf)).toEqual(['Task hold', 'Task bens', 'Task urgent', 'Task also', 'Task usual', 'Task low']);
});

/**
 * Starts a run that hangs in its first step, and kills the server, as if its heartbeats had proved so many seconds of work. Its job's last
 * heartbeat is as old as one that has lost its process, so that the next server takes the job over at once.
 */
async function cutOff(ann: RunAccount, seconds: number, more: { timeoutSeconds: number }): Promise<Execution> {
  models.answer({ kind: 'hang' });
  const run = await ann.start(await ann.pipeline('assistant', 'qa'), 'Task cut', more);
  await models.call(1);
  await server.kill('SIGKILL');
  await database.pool.query(
    `UPDATE artel_queue.job SET heartbeat_on = heartbeat_on - make_interval(secs => heartbeat_seconds),
      data = jsonb_build_object('activeMs', $1::integer * 1000) WHERE state = 'active'`,
    [seconds],
  );
  models.answer({ kind: 'text', text: 'Done' });
  server = await server.restart();
  return run;
}

test('W9.03 the time that a cut-off attempt has proved is charged when the next one begins, so that the run times out', async () => {
  await serve();
  const ann = await signUp(server.url);
  const run = await cutOff(ann, 120, { timeoutSeconds: 100 });
  const failed = await ann.until(run.id, hasEnded);
  expect(failed).toMatchObject({ status: 'failed', error: { code: 'execution_timeout' } });
  expect(models.calls).toHaveLength(1);
});

test('W9.03 a cut-off run with time left continues, with that time charged', async () => {
  await serve();
  const ann = await signUp(server.url);
  const run = await cutOff(ann, 120, { timeoutSeconds: 3_000 });
  expect((await ann.until(run.id, hasEnded)).status).toBe('completed');
  const { activeMs } = (await ann.call<{ activeMs: number }>('GET', `/PipelineExecution/${run.id}/statistics`)).body;
  expect(activeMs).toBeGreaterThanOrEqual(120_000);
  expect(activeMs).toBeLessThan(600_000);
});

test('R23.01 a run whose five attempts were cut off fails with attempts_exhausted, in the log, the history and both languages', async () => {
  await serve();
  const sentences = { en: 'the run was interrupted again and again', ru: 'работа раз за разом прерывалась' };
  for (const language of ['en', 'ru'] as const) {
    const ann = await signUp(server.url, language);
    models.answer({ kind: 'hang' });
    const before = models.calls.length;
    const run = await ann.start(await ann.pipeline('assistant', 'qa'), 'Task poisoned');
    await models.call(before + 1);
    await exhaustAttempts(database.pool);
    const failed = await ann.until(run.id, hasEnded);
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'attempts_exhausted' } });
    expect(failed.error?.message).toContain(sentences[language]);
    expect(failed.steps.map(({ status }) => status)).toEqual(['failed', 'pending']);
    expect((await ann.logs(run.id)).at(-1)).toMatchObject({ type: 'execution.failed', error: { code: 'attempts_exhausted' } });
    expect(await ann.history()).toMatchObject([{ status: 3, finalResult: failed.error?.message }]);
  }
});
