import { beforeAll, describe, expect, test } from 'vitest';
import type { ResultItem, ResultStatistics } from '../../../contract/executions/result.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { setUpAccount, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';

const { database, server } = setUpServerOnDatabase();
const ann = setUpAccount(server);
const bob = setUpAccount(server, 'ru');

const base = '/ProjectResultHistory';

/** Starts a run that is paused before its second step; returns its history item too. */
async function paused(account: RunAccount, task: string) {
  const { id } = await account.start(await account.pipeline('assistant', 'qa'), task, { pauseBetweenStepsMs: 60_000 });
  await account.until(id, ({ steps }) => steps[0]?.status !== 'pending');
  await account.act(id, 'pause');
  await account.until(id, ({ status }) => status === 'paused');
  const item = (await account.history()).find(({ pipelineExecutionId }) => pipelineExecutionId === id) as ResultItem;
  return { id, item };
}

const metadataOf = ({ metadata }: ResultItem) => JSON.parse(metadata) as Record<string, unknown>;

describe('changing an item', () => {
  test('W4.14 W7.07 a change with a response makes a history item Completed and a Success, and notes the time', async () => {
    const { item } = await paused(ann, 'Answer me');
    expect(item).toMatchObject({ status: 1, type: 1, finalResult: 'Processing...' });
    const { body, status } = await ann.call<ResultItem>('PUT', `${base}/${item.id}`, { agentResponse: 'Here you are' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: item.id, finalResult: 'Here you are', status: 2, type: 2, userRequest: 'Answer me', tags: item.tags });
    expect(metadataOf(body)).toEqual({ ...metadataOf(item), responseTimestamp: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect((await ann.call<ResultItem>('GET', `${base}/${item.id}`)).body).toEqual(body);
  });

  test('W7.07 a change of a history item takes the names that clients save results by, and metadata as an object', async () => {
    const { item } = await paused(ann, 'Fail me');
    const saved = {
      ...{ userRequest: 'Fail me, please', agentResponse: 'It failed', resultType: 4, resultStatus: 3 },
      metadata: { source: 'dialog', executionTime: 12, tokenUsage: { totalTokens: 5 }, agents: [{ serverAgentId: 'a', title: 'A' }] },
    };
    const { body } = await ann.call<ResultItem>('PUT', `${base}/${item.id}`, saved);
    expect(body).toMatchObject({ userRequest: 'Fail me, please', finalResult: 'It failed', status: 3, type: 4 });
    expect(metadataOf(body)).toMatchObject({ ...saved.metadata, executionId: item.pipelineExecutionId });
    const byWords = await ann.call<ResultItem>('PUT', `${base}/${item.id}`, { status: 'success' });
    expect(byWords.body).toMatchObject({ status: 2, type: 2, finalResult: 'It failed' });
  });

  test('W7.07 a change of a history item keeps omitted fields, and never sets an ended run back to Processing', async () => {
    const { id, item } = await paused(ann, 'Leave me');
    await ann.act(id, 'stop');
    const { body } = await ann.call<ResultItem>('PUT', `${base}/${item.id}`, {
      status: 1,
      finalResult: 'Processing...',
      tags: 'mine, new',
    });
    expect(body).toMatchObject({
      status: 4,
      type: 4,
      finalResult: 'The run was stopped. Steps done: 1 of 2.',
      tags: 'mine, new',
      userRequest: 'Leave me',
    });
    expect((await ann.call<ResultItem>('PUT', `${base}/${item.id}`, {})).body).toMatchObject({ status: 4, tags: 'mine, new' });
  });

  test('W7.07 a change of a history item is refused when no item can have its values', async () => {
    const { item } = await paused(ann, 'Check me');
    const put = async (body: object) => (await ann.call('PUT', `${base}/${item.id}`, body)).status;
    for (const body of [{ status: 5 }, { type: 3 }, { status: 'unheard' }, { metadata: 7 }, { tags: 'x'.repeat(2_001) }]) {
      expect([body, await put(body)]).toEqual([body, 400]);
    }
    const filler = (name: string) => ({ metadata: { [name]: 'x'.repeat(90_000) } });
    expect([await put(filler('a')), await put(filler('b')), await put(filler('c'))]).toEqual([200, 200, 400]);
    expect((await ann.call('PUT', `${base}/nothing`, {})).status).toBe(400);
  });

  test('W4.14 W7.07 a dialog’s record is Processing without a response and Completed with one', async () => {
    const { id, item } = await paused(ann, 'Talk');
    const record = { projectId: 'default', pipelineExecutionId: id, userRequest: 'Talk', tags: 'dialog,A,chat', summary: 'Dialog with A' };
    const without = await ann.call<ResultItem>('POST', base, { ...record, agentResponse: null });
    expect(without).toMatchObject({ status: 201, body: { id: item.id, status: 1, type: 1, finalResult: 'Processing...' } });
    const answered = await ann.call<ResultItem>('POST', base, { ...record, agentResponse: 'Spoken' });
    expect(answered.body).toMatchObject({ id: item.id, status: 2, type: 2, finalResult: 'Spoken', summary: 'Dialog with A' });
    const { userRequest: _, ...unasked } = record;
    expect(await ann.call('POST', base, unasked)).toMatchObject({ status: 400, body: { errors: [{ path: 'userRequest' }] } });
  });

  test('W5.08 W7.07 creating a history item needs a project and an execution, and the execution’s task becomes the user request', async () => {
    const { id, item } = await paused(ann, 'Given task');
    const needed = { projectId: 'default', pipelineExecutionId: id };
    expect(await ann.call('POST', base, { ...needed, summary: 'Mine' })).toMatchObject({
      status: 201,
      body: { id: item.id, userRequest: 'Given task', summary: 'Mine' },
    });
    await database.pool.query('DELETE FROM results WHERE id = $1', [item.id]);
    expect(await ann.call('POST', base, needed)).toMatchObject({ status: 201, body: { userRequest: 'Given task', status: 1, type: 1 } });
    for (const name of ['projectId', 'pipelineExecutionId']) {
      expect(await ann.call('POST', base, { ...needed, [name]: undefined })).toMatchObject({
        status: 400,
        body: { errors: [{ path: name }] },
      });
    }
  });
});

describe('the item of an execution', () => {
  const from = (id: string, account = ann, body?: object) =>
    account.call<ResultItem>('POST', `${base}/from-pipeline-execution/${id}`, body);

  test('R47.01 W7.07 saving the item of an execution returns the existing item, whatever result the caller claims, and restores a removed item', async () => {
    const { id, item } = await paused(ann, 'Mine');
    expect((await from(id)).body).toEqual(item);
    expect((await from(id, ann, { result: 'Invented', status: 'success', message: 'Saved' })).body).toEqual(item);
    await ann.call('DELETE', `${base}/${item.id}`);
    expect(await from(id)).toMatchObject({ status: 200, body: { id: item.id, userRequest: 'Mine' } });
    expect((await ann.history()).map((other) => other.id)).toContain(item.id);
  });

  test('R47.01 the missing history item of an execution is made once, from what the execution did', async () => {
    const { id, item } = await paused(ann, 'Lost');
    const forget = () => database.pool.query('DELETE FROM results WHERE id = $1', [item.id]);
    await forget();
    const made = await Promise.all([from(id), from(id), from(id)]);
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
    expect(made[0]?.body).toMatchObject({ pipelineExecutionId: id, userRequest: 'Lost', status: 1, stepsCount: 2 });
    await ann.act(id, 'resume');
    const done = await ann.until(id, ({ status }) => status === 'completed');
    await database.pool.query('DELETE FROM results WHERE pipeline_execution_id = $1', [id]);
    const { body } = await from(id);
    expect(body).toMatchObject({ status: 2, type: 2, finalResult: done.result });
    expect(metadataOf(body)).toMatchObject({
      executionId: id,
      completedAt: done.completedAt,
      simulated: true,
      executionTime: expect.any(Number),
    });
  });

  test('R47.01 the history item of an execution is not made before the execution has begun', async () => {
    const { id: pipelineId } = await ann.pipeline('qa');
    const { body } = await ann.call<{ id: string }>('POST', '/PipelineExecution', { pipelineId, initialTask: 'Later' });
    expect(await from(body.id)).toMatchObject({ status: 409, body: { details: { status: 'pending' } } });
    expect((await from(body.id, bob)).status).toBe(404);
  });
});

describe('looking for items', () => {
  let cleo: RunAccount;
  let project: string;
  const texts = async (path: string) => {
    const { status, body, headers } = await cleo.call<ResultItem[]>('GET', `${base}/project/${project}${path}`);
    expect([path, status]).toEqual([path, 200]);
    return [body.map(({ userRequest }) => userRequest), headers.get('x-total-count')];
  };

  beforeAll(async () => {
    cleo = await signUp(server.url);
    const { id, item } = await paused(cleo, 'seed');
    await cleo.act(id, 'stop');
    project = item.projectId;
    await database.pool.query('DELETE FROM results WHERE id = $1', [item.id]);
    // The runs are inserted directly: the test shows how they are found.
    const items: [request: string, result: string, summary: string, tags: string, type: number, status: number, day: string][] = [
      ['Пекарня на Лесной', 'Готовый ЛЕНДИНГ', 'Dialog with Ann', 'dialog,Ann,chat', 2, 2, '2026-03-01'],
      ['100% cotton_shirt', 'a\\b', '', 'pipeline', 4, 3, '2026-03-02'],
      ['100 cottonXshirt', 'nothing', 'Stopped early', 'pipeline,Late', 4, 4, '2026-03-03'],
      ['Still at it', 'Processing...', '', 'dialog,Bob,chat', 1, 1, '2026-03-04'],
    ];
    for (const [request, result, summary, tags, type, status, day] of items) {
      await database.pool.query(
        `WITH run AS (INSERT INTO executions (id, user_id, project_id, pipeline_id, status, initial_task, language, steps_total, timeout_seconds)
           SELECT gen_random_uuid(), user_id, project_id, pipeline_id, 'completed', $2, 'en', 1, 1 FROM executions WHERE id = $1 RETURNING *)
         INSERT INTO results (id, user_id, project_id, pipeline_execution_id, user_request, final_result, summary, tags, type, status, metadata, created_at)
           SELECT gen_random_uuid(), user_id, project_id, id, $2, $3, $4, $5, $6, $7, $8, $9 FROM run`,
        [
          id,
          request,
          result,
          summary,
          tags,
          type,
          status,
          JSON.stringify({ executionTime: 10 * status, tokenUsage: { totalTokens: 7 } }),
          `${day}T12:00:00Z`,
        ],
      );
    }
  });

  const all = ['Still at it', '100 cottonXshirt', '100% cotton_shirt', 'Пекарня на Лесной'];

  test.each<[string, string[]]>([
    ['', all],
    ['?q=лендинг', ['Пекарня на Лесной']],
    ['?q=ПЕКАРНЯ', ['Пекарня на Лесной']],
    ['?q=dialog%20WITH', ['Пекарня на Лесной']],
    // The words in another order, `ё` for `е`, and both normal forms.
    ['?q=with%20dialog', ['Пекарня на Лесной']],
    [`?q=${encodeURIComponent('лёсной пекарня')}`, ['Пекарня на Лесной']],
    [`?q=${encodeURIComponent('лесной пекарни')}`, []],
    [`?q=${encodeURIComponent('Лесной'.normalize('NFD'))}`, ['Пекарня на Лесной']],
    ['?q=late', ['100 cottonXshirt']],
    ['?q=100%25%20cotton_', ['100% cotton_shirt']],
    ['?q=_', ['100% cotton_shirt']],
    ['?q=%25', ['100% cotton_shirt']],
    ['?q=a%5Cb', ['100% cotton_shirt']],
    ['?q=cotton&status=4', ['100 cottonXshirt']],
    ['?q=nowhere', []],
    ['?q=%20%20', all],
    ['?tags=Dialog', ['Still at it', 'Пекарня на Лесной']],
    ['?tags=dialog,%20bob', ['Still at it']],
    ['?tags=dialog,late', []],
    ['?status=processing', ['Still at it']],
    ['?type=failure', ['100 cottonXshirt', '100% cotton_shirt']],
    ['?from=2026-03-02&to=2026-03-03', ['100 cottonXshirt', '100% cotton_shirt']],
    ['?from=2026-03-03T12:00:01Z', ['Still at it']],
    ['?to=2026-03-01', ['Пекарня на Лесной']],
  ])('W7.07 a search%s finds what it should, newest first', async (query, found) => {
    expect(await texts(`/search${query}`)).toEqual([found, String(found.length)]);
  });

  test('W7.07 a search with a misspelled parameter is refused with the correct name; an unrelated parameter is ignored', async () => {
    const ask = (query: string) => cleo.call('GET', `${base}/project/${project}/search?${query}`, undefined, { 'accept-language': 'en' });
    for (const [query, path, name] of [
      ['query=cotton', 'query', 'q'],
      ['q=cotton&pageSize=1', 'pageSize', 'limit'],
      ['q=cotton&ofset=1', 'ofset', 'offset'],
    ]) {
      const errors = [{ path, message: expect.stringContaining(`${name}`) }];
      expect(await ask(query as string)).toMatchObject({ status: 400, body: { code: 'bad_request', errors } });
    }
    expect(await ask('q=cotton&utm_source=letter')).toMatchObject({ status: 200, body: [expect.anything(), expect.anything()] });
  });

  test('W7.07 a search comes in pages with the total of all', async () => {
    expect(await texts('/search?q=cotton&limit=1')).toEqual([['100 cottonXshirt'], '2']);
    expect(await texts('/search?q=cotton&limit=1&offset=1')).toEqual([['100% cotton_shirt'], '2']);
    expect(await texts('/search?q=cotton&offset=9')).toEqual([[], '2']);
  });

  test('W7.07 a search with impossible values is refused', async () => {
    for (const query of [
      '?limit=0',
      '?limit=201',
      '?status=9',
      '?type=3',
      '?from=yesterday',
      '?from=2026-03-02&to=2026-03-01',
      `?q=${'x'.repeat(201)}`,
    ]) {
      expect([query, (await cleo.call('GET', `${base}/project/${project}/search${query}`)).status]).toEqual([query, 400]);
    }
  });

  test.each([
    ['/type/2', ['Пекарня на Лесной']],
    ['/type/Success', ['Пекарня на Лесной']],
    ['/type/failure', ['100 cottonXshirt', '100% cotton_shirt']],
    ['/status/3', ['100% cotton_shirt']],
    ['/status/error', ['100% cotton_shirt']],
    ['/status/Cancelled', ['100 cottonXshirt']],
    ['/status/in_progress', ['Still at it']],
  ])('W7.07 %s lists items by number, name and other spelling', async (path, found) => {
    expect(await texts(path)).toEqual([found, String(found.length)]);
  });

  test('W7.07 a type or status that does not exist is refused', async () => {
    for (const path of ['/type/3', '/type/other', '/status/0', '/status/5']) {
      expect((await cleo.call('GET', `${base}/project/${project}${path}`)).status).toBe(400);
    }
  });

  test('W7.07 the newest ones are ten unless a count says otherwise', async () => {
    expect(await texts('/recent')).toEqual([all, '4']);
    expect(await texts('/recent?count=2')).toEqual([all.slice(0, 2), '4']);
    for (const count of ['0', '201', 'many']) {
      expect((await cleo.call('GET', `${base}/project/${project}/recent?count=${count}`)).status).toBe(400);
    }
  });

  test('W7.07 a user’s own are listed by user and project', async () => {
    const mine = await cleo.call<ResultItem[]>('GET', `${base}/user/${cleo.userId}/project/default`);
    expect(mine.body.map(({ userRequest }) => userRequest)).toEqual(all);
    expect((await cleo.call('GET', `${base}/user/${ann.userId}/project/default`)).status).toBe(404);
  });

  test('W7.07 statistics count how the runs ended', async () => {
    const { body } = await cleo.call<ResultStatistics>('GET', `${base}/project/${project}/statistics`);
    expect(body).toEqual({
      ...{ total: 4, processing: 1, completed: 1, failed: 1, cancelled: 1, successRate: 33, averageExecutionTime: 20, totalTokens: 28 },
      ...{ firstAt: '2026-03-01T12:00:00.000Z', lastAt: '2026-03-04T12:00:00.000Z' },
    });
    const dora = await signUp(server.url);
    expect((await dora.call<ResultStatistics>('GET', `${base}/project/default/statistics`)).body).toEqual({
      ...{ total: 0, processing: 0, completed: 0, failed: 0, cancelled: 0, successRate: null, averageExecutionTime: null, totalTokens: 0 },
      ...{ firstAt: null, lastAt: null },
    });
  });

  test('W7.07 statistics count only the plausible numbers that clients wrote', async () => {
    const [first] = (await cleo.call<ResultItem[]>('GET', `${base}/project/${project}/recent?count=1`)).body;
    const path = `${base}/${first?.id}`;
    for (const executionTime of ['"soon"', '1e308', '-5', '{"a":1}']) {
      const metadata = `{"executionTime":${executionTime},"tokenUsage":[1]}`;
      expect((await cleo.call('PUT', path, { metadata, status: 2 })).status).toBe(200);
      const { body } = await cleo.call<ResultStatistics>('GET', `${base}/project/${project}/statistics`);
      expect(body).toMatchObject({ completed: 2, averageExecutionTime: 20, totalTokens: 21 });
    }
  });

  test('W7.07 a search goes through ten thousand items and counts what it finds', async () => {
    const eve = await signUp(server.url);
    const { id } = await paused(eve, 'seed');
    // A busy machine stores them all in more time than a statement may take.
    for (let last = 1_000; last <= 10_000; last += 1_000)
      await database.pool.query(
        `WITH runs AS (INSERT INTO executions (id, user_id, project_id, pipeline_id, status, initial_task, language, steps_total, timeout_seconds)
           SELECT gen_random_uuid(), user_id, project_id, pipeline_id, 'completed', 'Task ' || number, 'en', 1, 1
           FROM executions, generate_series($2::integer - 999, $2) AS number WHERE id = $1 RETURNING *)
         INSERT INTO results (id, user_id, project_id, pipeline_execution_id, user_request, final_result, type, status)
           SELECT gen_random_uuid(), user_id, project_id, id, initial_task, repeat('Ответ на задачу. ', 100) || initial_task, 2, 2 FROM runs`,
        [id, last],
      );
    const find = async (q: string) => {
      const { body, headers } = await eve.call<ResultItem[]>('GET', `${base}/project/default/search?limit=3&q=${encodeURIComponent(q)}`);
      return [body.length, headers.get('x-total-count')];
    };
    expect(await find('ответ НА задачу')).toEqual([3, '10000']);
    // 777, 7770 to 7779, and the others that end with it.
    expect(await find('task 777')).toEqual([3, '19']);
    expect(await find('task 10001')).toEqual([0, '0']);
  });
});
