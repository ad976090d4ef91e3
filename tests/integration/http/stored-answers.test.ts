import { expect, test } from 'vitest';
import type { ResultItem } from '../../../contract/executions/result.ts';
import { listedFinalResult } from '../../../server/modules/results/repository.ts';
import { signUp } from '../../support/run-account.ts';
import { setUpModelServer, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';

const models = setUpModelServer();
const { database, server } = setUpServerOnDatabase(() => ({ OPENAI_BASE_URL: models.url }));

/** The columns of the run's tables that contain a text, one entry for each row. */
async function placesOf(text: string): Promise<string[]> {
  const tables = ['executions', 'execution_steps', 'execution_events', 'results', 'agent_thoughts', 'idempotency_keys'];
  const found: string[] = [];
  for (const table of tables) {
    const { rows } = await database.pool.query<{ place: string }>(
      `SELECT '${table}.' || column_name AS place FROM ${table} AS one, jsonb_each_text(to_jsonb(one)) AS columns (column_name, value)
        WHERE position(lower($1) IN lower(value)) > 0`,
      [text],
    );
    found.push(...rows.map(({ place }) => place));
  }
  return found.sort();
}

test('W7.06 an answer is stored once and returned everywhere; a search reads the beginning of a long one', async () => {
  const ann = await signUp(server.url);
  const last = 'The very last words of the answer';
  const answer = `First words. ${'filling '.repeat(20_000)} ${last}`;
  models.answer({ kind: 'text', text: answer });
  const run = await ann.start(await ann.pipeline('assistant'), 'Write it');
  const done = await ann.until(run.id, ({ status }) => status === 'completed');
  expect(done.result).toBe(answer);

  const events = await ann.logs(run.id);
  expect(events.map(({ type, text, step }) => [type, text ?? step?.result ?? null])).toEqual([
    ['execution.started', null],
    ['step.started', null],
    ['step.completed', answer],
    ['execution.completed', answer],
  ]);
  expect(await ann.logs(run.id, 3)).toEqual(events.slice(3));
  expect(await placesOf(last)).toEqual(['execution_steps.result']);

  const search = async (text: string) => (await ann.call<unknown[]>('GET', `/ProjectResultHistory/project/default/search?q=${text}`)).body;
  expect(await search('FIRST%20words')).toHaveLength(1);
  expect(await search('write%20it')).toHaveLength(1);

  const [item] = await ann.history();
  expect(item?.finalResult).toBe(answer.slice(0, listedFinalResult));
  expect(item?.finalResultIsCut).toBe(true);
  const whole = async () => (await ann.call<ResultItem>('GET', `/ProjectResultHistory/${item?.id}`)).body;
  expect([(await whole()).finalResult, (await whole()).finalResultIsCut]).toEqual([answer, undefined]);
  await ann.call('PUT', `/ProjectResultHistory/${item?.id}`, { tags: 'peculiar' });
  expect(await search('peculiar')).toHaveLength(1);
  expect(await search('FIRST%20words')).toHaveLength(1);
  // A client that saves the answer it received makes no copy of it.
  await ann.call('PUT', `/ProjectResultHistory/${item?.id}`, { finalResult: answer });
  expect(await placesOf(last)).toEqual(['execution_steps.result']);
  await ann.call('PUT', `/ProjectResultHistory/${item?.id}`, { finalResult: 'Rewritten by hand' });
  expect(await search('BY%20HAND')).toHaveLength(1);
  expect(await search('first%20words')).toHaveLength(0);
  expect(await whole()).toMatchObject({ finalResult: 'Rewritten by hand', status: 2 });
  expect((await ann.details(run.id)).result).toBe(answer);
  await ann.call('PUT', `/ProjectResultHistory/${item?.id}`, { agentResponse: answer });
  expect(await placesOf(last)).toEqual(['execution_steps.result']);
  expect(await search('first%20words')).toHaveLength(1);
});
