import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { executionDetails } from '../../contract/executions/execution.ts';
import type { Pipeline } from '../../contract/executions/pipeline.ts';
import { makeOpenFolder } from '../support/database/make-open-folder.ts';
import { preload } from '../support/preload.ts';
import { type RunAccount, signUp } from '../support/run-account.ts';
import { type ModelServer, startModelServer } from '../support/services/model-server.ts';
import { startServer, type TestServer } from '../support/start-server.ts';

const hourMs = 60 * 60 * 1_000;

let folder: Awaited<ReturnType<typeof makeOpenFolder>>;
let models: ModelServer;
let server: TestServer;

beforeEach(async () => {
  folder = await makeOpenFolder();
  models = await startModelServer();
  await writeFile(join(folder.path, 'jump'), '0');
  server = await startServer({
    env: {
      ...{ ARTEL_CLIENT: 'off', OPENAI_BASE_URL: models.url, CLOCK_JUMP_FILE: join(folder.path, 'jump') },
      NODE_OPTIONS: preload('faults/jumping-clock.ts'),
    },
  });
});
afterEach(async () => {
  await server?.stop();
  await models?.close();
  await folder?.remove();
});

/** Sets the offset of the server's clock (ms), and resolves when the server confirms it. */
async function setClockOff(ms: number): Promise<void> {
  await writeFile(join(folder.path, 'jump'), String(ms));
  process.kill(server.pid, 'SIGUSR2');
  await expect.poll(server.logs).toContain(`The clock is off by ${ms} ms.`);
}

test.each([
  ['two hours ahead', 2 * hourMs],
  ['three days back', -72 * hourMs],
])('R23.01 a clock that jumps %s while an agent works ends no run, and times are still those that passed', async (_jump, ms) => {
  const ann = await signUp(server.url);
  models.answer((call) => (call.number === 2 ? { kind: 'hang' } : { kind: 'text', text: 'Done' }));
  const run = await ann.start(await ann.pipeline('assistant', 'developer', 'qa'), 'Never mind the clock', { pauseBetweenStepsMs: 200 });
  await models.call(2);
  await setClockOff(ms);
  models.release('Done');

  const renewed = await ann.call<{ accessToken: string }>('POST', '/auth/refresh', { refreshToken: ann.refreshToken });
  expect(renewed.status).toBe(200);
  const now = ann.with(renewed.body.accessToken);
  const done = await now.until(run.id, ({ status }) => status !== 'running' && status !== 'pending');
  expect(done).toMatchObject({ status: 'completed', error: null });
  expect(done.steps.map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
  for (const step of done.steps) expect(step.durationMs).toBeLessThan(60_000);
  const events = await now.logs(run.id);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
  const shown = Date.parse(events.at(-1)?.at ?? '') - Date.now();
  expect(Math.abs(shown - ms)).toBeLessThan(60_000);

  const next = await now.start(await now.pipeline('assistant'), 'And on');
  expect(await now.until(next.id, ({ status }) => status !== 'running' && status !== 'pending')).toMatchObject({ status: 'completed' });
  expect(models.calls).toHaveLength(4);
});

/** Two branches beside each other and a join; the first branch is a person's card where `asks`. */
async function branches(ann: RunAccount, { asks }: { asks: boolean }): Promise<Pipeline> {
  const settings = { person: { question: 'Which way?' } };
  const answer = await ann.call<Pipeline>('POST', '/Pipeline', {
    name: 'Branches',
    projectId: 'default',
    maxParallel: 2,
    steps: [
      { name: 'one', agentId: ann.agent('assistant').id, nodeId: 'one', ...(asks && { settings }) },
      { name: 'two', agentId: ann.agent('developer').id, nodeId: 'two' },
      { name: 'join', agentId: ann.agent('qa').id, nodeId: 'join' },
    ],
    links: ['one', 'two'].map((from) => ({ id: `${from}-join`, from, to: 'join' })),
  });
  expect(answer.status).toBe(201);
  return answer.body;
}

test.each([
  ['two hours ahead', 2 * hourMs],
  ['three days back', -72 * hourMs],
])('R23.01 a clock that jumps %s ends no run with links, and its time is the time that passed', async (_jump, ms) => {
  const ann = await signUp(server.url);
  models.answer((call) => (call.number <= 2 ? { kind: 'hang' } : { kind: 'text', text: 'Done' }));
  const run = await ann.start(await branches(ann, { asks: false }), 'Never mind the clock', { timeoutSeconds: 600 });
  await models.call(2);
  await setClockOff(ms);
  models.release('Done');

  const renewed = await ann.call<{ accessToken: string }>('POST', '/auth/refresh', { refreshToken: ann.refreshToken });
  const now = ann.with(renewed.body.accessToken);
  const done = await now.until(run.id, ({ status }) => status !== 'running' && status !== 'pending');
  expect(done).toMatchObject({ status: 'completed', error: null });
  expect(done.steps.map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
  const { body: statistics } = await now.call<{ activeMs: number }>('GET', `/PipelineExecution/${run.id}/statistics`);
  expect(statistics.activeMs).toBeGreaterThan(0);
  expect(statistics.activeMs).toBeLessThan(60_000);
});

test('R23.01 a question that is answered after the clock went back has taken no negative time, and the run can be read', async () => {
  const ann = await signUp(server.url);
  const run = await ann.start(await branches(ann, { asks: true }), 'Ask me');
  await ann.until(run.id, ({ openQuestions }) => openQuestions === 1);
  await setClockOff(-72 * hourMs);

  const renewed = await ann.call<{ accessToken: string }>('POST', '/auth/refresh', { refreshToken: ann.refreshToken });
  const now = ann.with(renewed.body.accessToken);
  const { body: questions } = await now.call<{ id: string }[]>('GET', `/PipelineExecution/${run.id}/questions`);
  const answer = await now.call('POST', `/question/${questions[0]?.id}/answer`, { action: 'answer', text: 'Left' });
  expect(answer.status).toBe(200);
  const done = await now.until(run.id, ({ status }) => status !== 'running' && status !== 'pending');
  expect(done.status).toBe('completed');
  expect(executionDetails.parse(done).steps[0]?.durationMs).toBe(0);
  for (const { step } of await now.logs(run.id)) expect(step?.durationMs ?? 0).toBeGreaterThanOrEqual(0);
});
