import { expect, test } from 'vitest';
import type { Canvas } from '../../../contract/canvas.ts';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import type { Project } from '../../../contract/project.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { setUpAccount, setUpModelServer, setUpServer } from '../../support/set-up/for-vitest.ts';

const models = setUpModelServer();
const server = setUpServer(() => ({ OPENAI_BASE_URL: models.url }));
const ann = setUpAccount(server);
const bob = setUpAccount(server);

const creation = (steps: object[], more: object = {}) => ({ name: 'Bakery', projectId: 'default', steps, ...more });
const stepOf = (account: RunAccount, name: string, more: object = {}) => ({ name, agentId: account.agent(name).id, ...more });

test('W3.05 a pipeline keeps its steps in the order that was asked for', async () => {
  const steps = [
    stepOf(ann, 'qa', { order: 2 }),
    stepOf(ann, 'assistant', { orderIndex: 0 }),
    stepOf(ann, 'developer', { order: 1, nodeId: 'n7' }),
  ];
  const { status, body } = await ann.call<Pipeline>('POST', '/Pipeline', creation(steps, { configuration: '{"flowType":"sequential"}' }));
  expect(status).toBe(201);
  expect(body.steps.map(({ name, orderIndex }) => [name, orderIndex])).toEqual([
    ['assistant', 0],
    ['developer', 1],
    ['qa', 2],
  ]);
  expect(body).toMatchObject({ status: 'ready', configuration: '{"flowType":"sequential"}', isDemo: false });
  expect(body.steps[1]).toMatchObject({ nodeId: 'n7', timeoutSeconds: 1_800, type: 1 });
  expect((await ann.call<Pipeline>('GET', `/pipeline/${body.id}`)).body).toEqual(body);
  expect((await ann.call<Pipeline[]>('GET', '/Pipeline')).body[0]).toEqual(body);
});

test('W5.03 a pipeline without a step is refused', async () => {
  const answer = await ann.call('POST', '/Pipeline', creation([]));
  expect(answer.status).toBe(422);
  expect(answer.body).toMatchObject({ code: 'pipeline_empty' });
});

test('G8.31 a pipeline of a canvas that was changed since is refused, and nothing of it is stored', async () => {
  const [project] = (await ann.call<Project[]>('GET', '/project')).body;
  const version = project?.canvasVersion ?? 0;
  expect((await ann.call<Canvas>('GET', '/project/default/canvas')).body.version).toBe(version);
  const made = await ann.call('POST', '/Pipeline', creation([stepOf(ann, 'qa')], { canvasVersion: version }));
  expect(made.status).toBe(201);
  expect((await ann.call('PATCH', '/project/default/canvas', { baseVersion: version, patches: [] })).status).toBe(200);
  const before = (await ann.call<Pipeline[]>('GET', '/Pipeline')).body.length;
  const refused = await ann.call('POST', '/Pipeline', creation([stepOf(ann, 'qa')], { canvasVersion: version }));
  expect(refused).toMatchObject({ status: 409, body: { code: 'canvas_stale' } });
  expect((await ann.call<Pipeline[]>('GET', '/Pipeline')).body).toHaveLength(before);
});

test('R19.01 a list of large pipelines comes in several pages, and none is left out', async () => {
  const cy = await signUp(server.url);
  const made: string[] = [];
  for (let count = 0; count < 7; count += 1) {
    const more = { configuration: JSON.stringify('x'.repeat(700_000)) };
    made.unshift((await cy.call<Pipeline>('POST', '/Pipeline', creation([stepOf(cy, 'qa')], more))).body.id);
  }
  const pages: string[][] = [];
  while (pages.flat().length < made.length) {
    const { body, headers } = await cy.call<Pipeline[]>('GET', `/Pipeline?offset=${pages.flat().length}`);
    expect(headers.get('x-total-count')).toBe('7');
    pages.push(body.map(({ id }) => id));
  }
  expect(pages.map((page) => page.length)).toEqual([3, 3, 1]);
  expect(pages.flat()).toEqual(made);
  expect((await cy.call<Pipeline[]>('GET', '/Pipeline?offset=5&limit=1')).body.map(({ id }) => id)).toEqual(made.slice(5, 6));
  expect((await cy.call<Pipeline[]>('GET', '/Pipeline?offset=7')).body).toEqual([]);
});

test('R15.01 another user’s agent, project and pipeline answer as if they did not exist', async () => {
  expect((await bob.call('POST', '/Pipeline', creation([stepOf(ann, 'qa')]))).status).toBe(404);
  const [project] = (await ann.call<{ id: string }[]>('GET', '/project')).body;
  expect((await bob.call('POST', '/Pipeline', creation([stepOf(bob, 'qa')], { projectId: project?.id }))).status).toBe(404);
  const own = await ann.pipeline('qa');
  for (const method of ['GET', 'DELETE']) expect((await bob.call(method, `/Pipeline/${own.id}`)).status).toBe(404);
  expect((await ann.call('GET', `/Pipeline/${own.id}`)).status).toBe(200);
});

test('R23.01 a pipeline whose creation is sent twice is there once', async () => {
  const headers = { 'idempotency-key': 'one-pipeline' };
  const body = creation([stepOf(ann, 'qa')]);
  const first = await ann.call<Pipeline>('POST', '/Pipeline', body, headers);
  const second = await ann.call<Pipeline>('POST', '/Pipeline', body, headers);
  expect(second.body).toEqual(first.body);
});

test('R40.01 a pipeline with a run under way cannot be removed; later it goes and its evidence stays', async () => {
  models.answer({ kind: 'hang' });
  const pipeline = await ann.pipeline('assistant');
  const execution = await ann.start(pipeline, 'Keep me');
  await models.call(1);
  const refused = await ann.call('DELETE', `/Pipeline/${pipeline.id}`);
  expect(refused.status).toBe(409);
  expect(refused.body).toMatchObject({ code: 'illegal_state', details: { status: 'running' } });

  models.release('Kept');
  await ann.until(execution.id, ({ status }) => status === 'completed');
  expect((await ann.call('DELETE', `/Pipeline/${pipeline.id}`)).status).toBe(204);
  expect((await ann.call('GET', `/Pipeline/${pipeline.id}`)).status).toBe(404);
  expect((await ann.call('DELETE', `/Pipeline/${pipeline.id}`)).status).toBe(404);
  const again = { pipelineId: pipeline.id, inputData: { task: 'Once more' } };
  expect((await ann.call('POST', '/PipelineExecution/start', again)).status).toBe(404);
  expect((await ann.details(execution.id)).result).toBe('Kept');
  expect((await ann.logs(execution.id)).at(-1)?.type).toBe('execution.completed');
  expect((await ann.history())[0]).toMatchObject({ pipelineExecutionId: execution.id, finalResult: 'Kept' });
});
