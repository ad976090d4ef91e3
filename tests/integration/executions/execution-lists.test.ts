import { drizzle } from 'drizzle-orm/node-postgres';
import { expect, test } from 'vitest';
import type { Command } from '../../../contract/command.ts';
import type { Execution } from '../../../contract/executions/execution.ts';
import type { ResultItem } from '../../../contract/executions/result.ts';
import { ExecutionRepository, listedResult } from '../../../server/modules/executions/store/repository.ts';
import { listedFinalResult } from '../../../server/modules/results/repository.ts';
import { asOwner } from '../../../server/platform/owner-id.ts';
import { copyRun } from '../../support/database/copy-run.ts';
import { signUp } from '../../support/run-account.ts';
import { setUpModelServer, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';

const models = setUpModelServer();
const { database, server } = setUpServerOnDatabase(() => ({ OPENAI_BASE_URL: models.url }), { ownProcess: 'Large lists load it.' });

const mebibyte = 1024 * 1024;

test('W7.06 a list of runs holds the beginning of each result and no prompts; a single run holds the whole results', async () => {
  const ann = await signUp(server.url);
  const result = `Begins. ${'x'.repeat(mebibyte)}`;
  models.answer({ kind: 'text', text: result.slice(0, 900_000) });
  const first = await ann.start(await ann.pipeline('assistant'), 'Write much', {
    inputData: { task: 'Write much', note: 'y'.repeat(100_000) },
  });
  const done = await ann.until(first.id, ({ status }) => status === 'completed');
  const copies = await copyRun(
    database.pool,
    first.id,
    30,
    { status: 'completed', completed_at: new Date().toISOString() },
    { status: 'completed', result },
  );
  expect(copies).toHaveLength(30);

  for (const path of [
    '/PipelineExecution',
    `/PipelineExecution/pipeline/${first.pipelineId}`,
    '/PipelineExecution/status/completed',
    `/PipelineExecution/user/${ann.userId}`,
  ]) {
    const { body } = await ann.call<Execution[]>('GET', path);
    expect(body).toHaveLength(31);
    expect(body.map((one) => [one.result?.length, one.resultIsCut])).toEqual(Array(31).fill([listedResult, true]));
    expect(JSON.stringify(body).length).toBeLessThan(31 * (listedResult + 2_000));
  }
  expect((await ann.call<Execution>('GET', `/PipelineExecution/${first.id}`)).body.result).toBe(done.result);
  expect((await ann.details(copies[0] as string)).result).toBe(result);
});

test('W7.06 the query of a list reads neither the input nor a whole result', async () => {
  const queries: string[] = [];
  const { userId } = await signUp(server.url);
  const logged = drizzle(database.pool, { logger: { logQuery: (query) => queries.push(query) } });
  await new ExecutionRepository(logged).list(asOwner(userId), { limit: 10, offset: 0 });
  const [query = ''] = queries.filter((text) => text.includes('order by'));
  expect(query).toMatch(new RegExp(`left\\(\\(SELECT step.result [^()]*\\), ${listedResult}\\)`));
  expect(query).not.toMatch(/"input"/);
});

test('W7.06 the history and the commands of an agent are listed with the beginning of each result too', async () => {
  const ann = await signUp(server.url);
  const short = await ann.start(await ann.pipeline('assistant'), 'Write little');
  await ann.until(short.id, ({ status }) => status === 'completed');
  const long = `Begins. ${'x'.repeat(mebibyte)}`;
  await database.pool.query('UPDATE execution_steps SET result = $2 WHERE execution_id = $1', [short.id, long]);
  const listed = { finalResult: long.slice(0, listedFinalResult), finalResultIsCut: true };
  const history = '/ProjectResultHistory/project/default';
  for (const path of ['', '/status/2', '/type/2', '/search?q=little', '/recent', `/user/${ann.userId}`]) {
    const { status, body } = await ann.call<ResultItem[]>('GET', history + path);
    if (status === 200) expect([path, body]).toMatchObject([path, [listed]]);
  }

  const agentId = (await ann.details(short.id)).steps[0]?.agentId;
  await ann.call('POST', '/agentcommand/execute', { agentId, request: 'Say it' });
  await database.pool.query('UPDATE agent_commands SET result = $2 WHERE agent_id = $1', [agentId, long]);
  const [command] = (await ann.call<Command[]>('GET', `/agentcommand/history/${agentId}`)).body;
  expect([command?.result?.length, command?.resultIsCut]).toEqual([4_000, true]);
  const { body: whole } = await ann.call<Command>('GET', `/agentcommand/status/${command?.id}`);
  expect([whole.result === long, whole.resultIsCut]).toEqual([true, undefined]);
});
