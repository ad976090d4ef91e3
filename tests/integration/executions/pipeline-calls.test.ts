import { describe, expect, test } from 'vitest';
import type { Canvas } from '../../../contract/canvas.ts';
import type { Pipeline, PipelineProblem } from '../../../contract/executions/pipeline.ts';
import { setUpAccount, setUpModelServer, setUpServer } from '../../support/set-up/for-vitest.ts';

type Step = Pipeline['steps'][number];

const models = setUpModelServer({ kind: 'text', text: 'Done' });
const server = setUpServer(() => ({ OPENAI_BASE_URL: models.url }));
const ann = setUpAccount(server);

const read = async (id: string) => (await ann.call<Pipeline>('GET', `/Pipeline/${id}`)).body;
const names = (steps: Step[]) => steps.map(({ name }) => name);
const inTurn = (steps: Step[]) => steps.map(({ orderIndex }) => orderIndex);

describe('a pipeline', () => {
  test('W7.05 a change of a pipeline sets the fields that it names, and keeps the rest', async () => {
    const { id, ...before } = await ann.pipeline('assistant', 'qa');
    const answer = await ann.call<Pipeline>('PUT', `/Pipeline/${id}`, { name: ' Renamed ', maxExecutionTimeSeconds: 60 });
    expect(answer).toMatchObject({ status: 200, body: { name: 'Renamed', maxExecutionTimeSeconds: 60, steps: before.steps } });
    expect(await read(id)).toEqual(answer.body);
    expect(answer.body).toMatchObject({ description: before.description, configuration: before.configuration, status: 'ready' });
  });

  test('W7.05 a pipeline takes a new list of steps, and a known step in the list keeps its id', async () => {
    const { id, steps } = await ann.pipeline('assistant', 'qa', 'developer');
    const [, second] = steps;
    const agentId = ann.agent('analyst').id;
    const wanted = [
      { name: 'New', agentId, order: 1 },
      { ...second, name: 'Kept', order: 0, orderIndex: undefined },
    ];
    const { body } = await ann.call<Pipeline>('PUT', `/Pipeline/${id}`, { steps: wanted });
    expect(body.steps.map(({ name, orderIndex }) => [name, orderIndex])).toEqual([
      ['Kept', 0],
      ['New', 1],
    ]);
    expect(body.steps[0]?.id).toBe(second?.id);
    expect(await read(id)).toEqual(body);
    expect((await ann.call('PUT', `/Pipeline/${id}`, { steps: [] })).body).toMatchObject({ code: 'pipeline_empty' });
    expect((await ann.call('PUT', `/Pipeline/${id}`, { steps: [body.steps[0], body.steps[0]] })).status).toBe(400);
    expect((await ann.call('PUT', `/Pipeline/${id}`, { name: '' })).status).toBe(400);
    expect(await read(id)).toEqual(body);
  });

  test('W7.05 a pipeline has the status that a user sets, by name or number, but never `running`', async () => {
    const { id } = await ann.pipeline('qa');
    const set = (status: unknown) => ann.call<Pipeline>('PATCH', `/Pipeline/${id}/status`, { status });
    expect((await set('draft')).body.status).toBe('draft');
    expect((await set(1)).body.status).toBe('ready');
    expect((await set('ARCHIVED')).body.status).toBe('archived');
    expect((await read(id)).status).toBe('archived');
    expect((await set('ready')).body.status).toBe('ready');
    for (const running of ['running', 2]) {
      expect(await set(running)).toMatchObject({ status: 409, body: { code: 'illegal_state', details: { status: 'ready' } } });
    }
    for (const unknown of ['finished', 4, null]) expect((await set(unknown)).status).toBe(400);
  });

  test('W7.05 a pipeline is shown as running while one of its executions runs, also in the list, and its stored status stays', async () => {
    models.answer({ kind: 'hang' });
    const { id, ...pipeline } = await ann.pipeline('assistant');
    const execution = await ann.start({ id, ...pipeline }, 'Run');
    await models.call(1);
    expect((await read(id)).status).toBe('running');
    const listed = (await ann.call<Pipeline[]>('GET', '/Pipeline')).body;
    expect(listed.find((other) => other.id === id)?.status).toBe('running');
    expect(await ann.call('PATCH', `/Pipeline/${id}/status`, { status: 'draft' })).toMatchObject({
      ...{ status: 409, body: { details: { status: 'running' } } },
    });
    models.release('Done');
    await ann.until(execution.id, ({ status }) => status === 'completed');
    expect((await read(id)).status).toBe('ready');
  });

  test('W7.05 a draft or archived pipeline is not started, and an archived pipeline is not changed', async () => {
    const { id, steps } = await ann.pipeline('qa');
    const start = () => ann.call('POST', '/PipelineExecution/start', { pipelineId: id, inputData: { task: 'Go' } });
    for (const status of ['draft', 'archived']) {
      await ann.call('PATCH', `/Pipeline/${id}/status`, { status });
      expect(await start()).toMatchObject({ status: 409, body: { code: 'illegal_state', details: { status } } });
    }
    expect((await start()).body).toMatchObject({ message: expect.stringContaining('archived') });
    const refused = { status: 409, body: { details: { status: 'archived' } } };
    expect(await ann.call('PUT', `/Pipeline/${id}`, { name: 'No' })).toMatchObject(refused);
    expect(await ann.call('PUT', `/Pipeline/steps/${steps[0]?.id}`, { name: 'No' })).toMatchObject(refused);
    expect((await ann.call('DELETE', `/Pipeline/${id}`)).status).toBe(204);
    expect((await ann.call('GET', `/Pipeline/${id}`)).status).toBe(404);
  });
});

describe('its steps', () => {
  test('W7.05 the steps of a pipeline are listed in order, in pages', async () => {
    const { id, steps } = await ann.pipeline('assistant', 'qa', 'developer');
    expect((await ann.call<Step[]>('GET', `/Pipeline/${id}/steps`)).body).toEqual(steps);
    const page = await ann.call<Step[]>('GET', `/Pipeline/${id}/steps?limit=1&offset=1`);
    expect(page.body).toEqual(steps.slice(1, 2));
    expect(page.headers.get('x-total-count')).toBe('3');
    expect((await ann.call('GET', `/Pipeline/${id}/steps?limit=0`)).status).toBe(400);
  });

  test('W7.05 steps are added at the end or at a given place, and the steps behind a new step move on', async () => {
    const { id } = await ann.pipeline('assistant', 'qa');
    const add = (name: string, more: object) =>
      ann.call<Step>('POST', `/Pipeline/${id}/steps`, { name, agentId: ann.agent('developer').id, ...more });
    expect(await add('Last', {})).toMatchObject({ status: 201, body: { name: 'Last', orderIndex: 2, timeoutSeconds: 1_800, type: 1 } });
    expect((await add('First', { order: 0 })).body.orderIndex).toBe(0);
    expect((await add('Far', { orderIndex: 99 })).body.orderIndex).toBe(4);
    const { steps } = await read(id);
    expect(names(steps)).toEqual(['First', ann.agent('assistant').title, ann.agent('qa').title, 'Last', 'Far']);
    expect(inTurn(steps)).toEqual([0, 1, 2, 3, 4]);
    expect((await add('', {})).status).toBe(400);
    expect((await add('Too long', { timeoutSeconds: 1_801 })).status).toBe(400);
  });

  test('W7.05 the steps of a pipeline are changed and moved one by one', async () => {
    const { id, steps } = await ann.pipeline('assistant', 'qa', 'developer');
    const first = steps[0] as Step;
    const path = `/Pipeline/steps/${first.id}`;
    const renamed = await ann.call<Step>('PUT', path, { name: 'Renamed', timeoutSeconds: 5, nodeId: null });
    expect(renamed).toMatchObject({ status: 200, body: { ...first, name: 'Renamed', timeoutSeconds: 5, nodeId: null } });
    expect((await ann.call<Step>('PUT', path, { order: 1 })).body).toEqual({ ...renamed.body, orderIndex: 1 });
    const after = await read(id);
    expect(after.steps.map((step) => step.id)).toEqual([steps[1]?.id, first.id, steps[2]?.id]);
    expect(inTurn(after.steps)).toEqual([0, 1, 2]);
    expect((await ann.call('PUT', path, {})).status).toBe(200);
    expect((await ann.call('PUT', path, { timeoutSeconds: 0 })).status).toBe(400);
    expect((await ann.call('PUT', '/Pipeline/steps/none', { name: 'x' })).status).toBe(400);
  });

  test('W7.05 steps of a pipeline are removed, but never the last step', async () => {
    const { id, steps } = await ann.pipeline('assistant', 'qa', 'developer');
    for (const step of steps.slice(0, 2)) expect((await ann.call('DELETE', `/Pipeline/steps/${step.id}`)).status).toBe(204);
    expect((await ann.call('DELETE', `/Pipeline/steps/${steps[0]?.id}`)).status).toBe(404);
    const refused = await ann.call('DELETE', `/Pipeline/steps/${steps[2]?.id}`);
    expect(refused).toMatchObject({ status: 422, body: { code: 'pipeline_empty' } });
    expect((await read(id)).steps).toEqual([{ ...steps[2], orderIndex: 0 }]);
  });

  test('W7.05 change places by the full list of their ids', async () => {
    const { id, steps } = await ann.pipeline('assistant', 'qa', 'developer');
    const ids = steps.map((step) => step.id);
    const reorder = (stepIds: unknown) => ann.call<Step[]>('PUT', `/Pipeline/${id}/steps/reorder`, { stepIds });
    const turned = await reorder(ids.toReversed());
    expect(turned.status).toBe(200);
    expect(turned.body.map((step) => [step.id, step.orderIndex])).toEqual(ids.toReversed().map((stepId, place) => [stepId, place]));
    expect((await read(id)).steps).toEqual(turned.body);
    expect(await reorder(ids.slice(1))).toMatchObject({ status: 409, body: { details: { stepIds: ids.toReversed() } } });
    expect((await reorder([...ids.slice(1), ids[1]])).status).toBe(400);
    const foreign = (await ann.pipeline('qa')).steps[0]?.id;
    expect((await reorder([...ids.slice(1), foreign])).status).toBe(409);
    expect((await reorder('all')).status).toBe(400);
    expect((await read(id)).steps).toEqual(turned.body);
  });

  test('W7.05 a running execution has its own steps: an edit of the pipeline applies to the next execution', async () => {
    models.answer((call) => (call.number === 1 ? { kind: 'hang' } : { kind: 'text', text: 'Done' }));
    const pipeline = await ann.pipeline('assistant', 'qa');
    const execution = await ann.start(pipeline, 'Edited meanwhile');
    await models.call(1);
    expect((await ann.call('DELETE', `/Pipeline/steps/${pipeline.steps[1]?.id}`)).status).toBe(204);
    expect((await ann.call('PUT', `/Pipeline/steps/${pipeline.steps[0]?.id}`, { name: 'Renamed' })).status).toBe(200);
    models.release('Done');
    const done = await ann.until(execution.id, ({ status }) => status === 'completed');
    expect(done.steps.map(({ name, status }) => [name, status])).toEqual(pipeline.steps.map(({ name }) => [name, 'completed']));
  });

  test('W7.05 steps that many callers add at the same time each get a place of their own', async () => {
    const { id } = await ann.pipeline('assistant');
    const body = { agentId: ann.agent('qa').id, order: 0 };
    const added = await Promise.all(
      [1, 2, 3, 4, 5].map((name) => ann.call('POST', `/Pipeline/${id}/steps`, { ...body, name: `S${name}` })),
    );
    expect(added.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(inTurn((await read(id)).steps)).toEqual([0, 1, 2, 3, 4, 5]);
  });
});

describe('diagnostics', () => {
  type Told = { errors: PipelineProblem[]; warnings: PipelineProblem[] };
  const diagnose = async (id: string, language = 'en') =>
    (await ann.call<Told>('GET', `/Pipeline/${id}/diagnostics`, undefined, { 'accept-language': language })).body;

  test('W7.05 say nothing bad of a pipeline made from the canvas of a new account', async () => {
    const { body: canvas } = await ann.call<Canvas>('GET', '/project/default/canvas');
    const cards = Object.values(canvas.nodes).filter(({ type }) => type === 'agent');
    const steps = cards.map((node) => ({ name: node.title || node.id, agentId: node.serverAgentId, nodeId: node.id }));
    const configuration = JSON.stringify({ connections: Object.values(canvas.connections), flowType: 'sequential' });
    const { body } = await ann.call<Pipeline>('POST', '/Pipeline', { name: 'Full', projectId: 'default', steps, configuration });
    expect((await diagnose(body.id)).errors).toEqual([]);
  });

  test('W7.05 diagnostics name each error with its code, its card and a sentence in the caller’s language', async () => {
    const { id } = await ann.pipeline('assistant', 'qa');
    const link = { id: 'one', from: { agentId: 'node-qa', port: 'out' }, to: { agentId: 'node-assistant', port: 'in' } };
    const lost = { id: 'two', from: { agentId: 'node-qa', port: 'out' }, to: { agentId: 'lost', port: 'in' } };
    await ann.call('PUT', `/Pipeline/${id}`, { configuration: JSON.stringify({ connections: [link, lost] }) });
    const told = await diagnose(id);
    expect(told.errors).toEqual([
      { code: 'link.targetMissing', message: 'The card the link leads to is not on the canvas', nodeId: 'node-qa' },
    ]);
    expect(told.warnings.map(({ code, nodeId }) => [code, nodeId])).toEqual([
      ['step.cardMissing', 'node-assistant'],
      ['step.cardMissing', 'node-qa'],
      ['link.backward', 'node-qa'],
    ]);
    expect((await diagnose(id, 'ru')).errors[0]?.message).toBe('Карточки, к которой идёт связь, нет на холсте');
  });

  test('W7.05 report a configuration that is not JSON as an error', async () => {
    const { id } = await ann.pipeline('qa');
    await ann.call('PUT', `/Pipeline/${id}`, { configuration: '{' });
    expect((await diagnose(id)).errors).toMatchObject([{ code: 'pipeline.configurationUnreadable', nodeId: null }]);
  });
});
