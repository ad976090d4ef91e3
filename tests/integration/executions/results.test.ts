import { expect, test } from 'vitest';
import type { ResultItem } from '../../../contract/executions/result.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { setUpAccount, setUpModelServer, setUpServer, startAnother } from '../../support/set-up/for-vitest.ts';

const models = setUpModelServer({ kind: 'text', text: 'The answer' });
const server = setUpServer(() => ({ OPENAI_BASE_URL: models.url }));
const ann = setUpAccount(server);
const bob = setUpAccount(server, 'ru');

const fromDialog = { inputData: { task: 'Bake', source: 'dialog', dialogNode: { id: 'dialog', title: 'Ask', goal: 'Bake' } } };
const itemsOf = async (account: RunAccount, executionId: string) =>
  (await account.history()).filter((item) => item.pipelineExecutionId === executionId);

/** An execution that hangs in its first step. */
async function underWay(account: RunAccount) {
  models.answer({ kind: 'hang' });
  const execution = await account.start(await account.pipeline('assistant'), 'Bake', fromDialog);
  await models.call(1);
  return execution;
}

test('W4.14 R47.01 a run has its history item from the start, which its end completes', async () => {
  const execution = await underWay(ann);
  const [processing] = await itemsOf(ann, execution.id);
  const agent = ann.agent('assistant');
  expect(processing).toMatchObject({
    userRequest: 'Bake',
    finalResult: 'Processing...',
    summary: `Dialog with ${agent.title}`,
    tags: `dialog,${agent.title},chat`,
    status: 1,
    type: 1,
    agentsCount: 1,
    stepsCount: 1,
  });

  models.release('Baked');
  await ann.until(execution.id, ({ status }) => status === 'completed');
  const items = await itemsOf(ann, execution.id);
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject({ id: processing?.id, finalResult: 'Baked', status: 2, type: 2 });
  expect(JSON.parse(items[0]?.metadata ?? '')).toMatchObject({
    dialogType: 'user-agent-chat',
    agentName: agent.title,
    executionId: execution.id,
    pipelineId: execution.pipelineId,
    agents: [{ serverAgentId: agent.id, title: agent.title }],
    tokenUsage: { promptTokens: 20, completionTokens: 10, totalTokens: 30 },
    executionTime: expect.any(Number),
    completedAt: expect.any(String),
    simulated: false,
  });
});

test('R47.01 a failed and a stopped run are in the history too, in the language of their start', async () => {
  models.answer({ kind: 'status', status: 401 });
  const failed = await bob.start(await bob.pipeline('assistant'), 'Испеки', fromDialog);
  await bob.until(failed.id, ({ status }) => status === 'failed');
  expect(await itemsOf(bob, failed.id)).toMatchObject([{ status: 3, type: 4, finalResult: expect.stringContaining('не принял ключ') }]);

  models.calls.length = 0;
  const stopped = await underWay(bob);
  await bob.act(stopped.id, 'stop');
  expect(await itemsOf(bob, stopped.id)).toMatchObject([{ status: 4, finalResult: 'Запуск остановлен. Выполнено шагов: 0 из 1.' }]);
});

test('R47.01 a client’s own item for the run is the same item, and a late one does not undo the end', async () => {
  const execution = await underWay(ann);
  const body = {
    projectId: 'default',
    pipelineExecutionId: execution.id,
    userRequest: 'Bake, said I',
    metadata: '{"from":"client"}',
    tags: 'mine',
  };
  const early = await ann.call<ResultItem>('POST', '/ProjectResultHistory', body);
  expect(early.status).toBe(201);
  models.release('Baked');
  await ann.until(execution.id, ({ status }) => status === 'completed');
  const late = await ann.call<ResultItem>('POST', '/ProjectResultHistory', { ...body, tags: 'later' });
  const items = await itemsOf(ann, execution.id);
  expect(items).toHaveLength(1);
  expect(late.body.id).toBe(early.body.id);
  expect(items[0]).toMatchObject({
    id: early.body.id,
    finalResult: 'Baked',
    status: 2,
    type: 2,
    userRequest: 'Bake, said I',
    tags: 'later',
  });
  expect(JSON.parse(items[0]?.metadata ?? '')).toMatchObject({ from: 'client', executionId: execution.id });
});

test('W4.14 W7.07 the history of a project is newest first, in pages', async () => {
  const pipeline = await ann.pipeline('assistant');
  for (const task of ['One', 'Two', 'Three']) {
    const { id } = await ann.start(pipeline, task);
    await ann.until(id, ({ status }) => status === 'completed');
  }
  const page = await ann.call<ResultItem[]>('GET', '/projectresulthistory/project/default?limit=2&offset=1');
  expect(page.body.map(({ userRequest }) => userRequest)).toEqual(['Two', 'One']);
  expect(Number(page.headers.get('x-total-count'))).toBeGreaterThanOrEqual(3);
  const [first] = page.body;
  expect((await ann.call<ResultItem>('GET', `/ProjectResultHistory/${first?.id}`)).body).toEqual(first);
});

test('W7.07 an item that was removed stays away, also when its run ends', async () => {
  const execution = await underWay(ann);
  const [item] = await itemsOf(ann, execution.id);
  expect((await ann.call('DELETE', `/ProjectResultHistory/${item?.id}`)).status).toBe(204);
  models.release('Baked');
  await ann.until(execution.id, ({ status }) => status === 'completed');
  expect(await itemsOf(ann, execution.id)).toEqual([]);
  expect((await ann.call('GET', `/ProjectResultHistory/${item?.id}`)).status).toBe(404);
  expect((await ann.call('DELETE', `/ProjectResultHistory/${item?.id}`)).status).toBe(404);
});

test('R15.01 another user’s item, run and project answer as if they did not exist', async () => {
  const execution = await ann.start(await ann.pipeline('assistant'), 'Mine');
  await ann.until(execution.id, ({ status }) => status === 'completed');
  const [item] = await itemsOf(ann, execution.id);
  for (const method of ['GET', 'DELETE']) expect((await bob.call(method, `/ProjectResultHistory/${item?.id}`)).status).toBe(404);
  expect((await bob.call('GET', `/ProjectResultHistory/project/${item?.projectId}`)).status).toBe(404);
  const forged = { projectId: 'default', pipelineExecutionId: execution.id, userRequest: 'Not mine' };
  expect((await bob.call('POST', '/ProjectResultHistory', forged)).status).toBe(404);
  expect((await itemsOf(ann, execution.id))[0]?.userRequest).toBe('Mine');
});

test('R25.01 a text of the simulated model is marked wherever it is stored', async () => {
  const simulated = await startAnother({ env: { ARTEL_CLIENT: 'off' } });
  try {
    const cleo = await signUp(simulated.url, 'ru');
    const execution = await cleo.start(await cleo.pipeline('assistant', 'qa'), 'Сделай лендинг для пекарни');
    const done = await cleo.until(execution.id, ({ status }) => status === 'completed');
    expect(done.steps).toMatchObject([
      { simulated: true, provider: 'simulated', result: expect.stringContaining('пекарни') },
      { simulated: true, provider: 'simulated', result: expect.stringContaining('Не выполнялось') },
    ]);
    expect(JSON.parse((await cleo.history())[0]?.metadata ?? '')).toMatchObject({ simulated: true });
  } finally {
    await simulated.stop();
  }
});
