import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ExecutionDetails } from '../../../contract/executions/execution.ts';
import type { Question, QuestionDetails } from '../../../contract/executions/question.ts';
import type { StepRow } from '../../../server/modules/executions/store/rows.ts';
import { readTurns } from '../../../server/modules/executions/tools/stored-turns.ts';
import type { TestDatabase } from '../../support/open-test-database.ts';
import { preload } from '../../support/preload.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { type ServerAmongOthers, startServerOnDatabase } from '../../support/server-on-database.ts';
import { type ModelServer, startModelServer } from '../../support/services/model-server.ts';

const hook = preload('tools/scripted-tools.ts');

let models: ModelServer;
let database: TestDatabase;
let server: ServerAmongOthers;
let ann: RunAccount;

beforeAll(async () => {
  models = await startModelServer();
  // The model says what it does in each turn, and never ends by itself.
  models.answer(({ body }) => {
    const turn = body.messages.filter(({ role }) => role === 'assistant').length;
    return { kind: 'calls', text: `Part ${turn + 1}.`, calls: [{ id: 'c', name: 'count', arguments: '{"text":"x"}' }] };
  });
  const env = { OPENAI_API_KEY: 'sk-server-wide', OPENAI_BASE_URL: models.url, NODE_OPTIONS: hook };
  ({ database, server } = await startServerOnDatabase(env));
  ann = await signUp(server.url);
  await ann.call('PUT', '/project/default', { maxTurns: 2 });
});
afterAll(async () => {
  await server?.stop();
  await database?.remove();
  await models?.close();
});

/** Starts a run, and waits for the question of its step. */
async function asking(task: string): Promise<{ id: string; question: Question }> {
  const { id } = await ann.start(await ann.pipeline('assistant'), task);
  await ann.until(id, ({ openQuestions }) => openQuestions === 1);
  const { body } = await ann.call<Question[]>('GET', `/PipelineExecution/${id}/questions`);
  return { id, question: body[0] as Question };
}
const ended = (id: string): Promise<ExecutionDetails> =>
  ann.until(id, ({ status }) => ['completed', 'failed', 'cancelled'].includes(status));

test('C3.03 without an answer in time the step hands on what it has said', async () => {
  const { id, question } = await asking('Wait for no answer');
  await database.pool.query("UPDATE questions SET due_at = now() - interval '1 second' WHERE id = $1", [question.id]);
  const run = await ended(id);
  expect(run).toMatchObject({ status: 'completed', result: 'Part 1.\n\nPart 2.', steps: [{ marks: ['cut'] }] });
  const { body } = await ann.call<QuestionDetails>('GET', `/question/${question.id}`);
  expect(body).toMatchObject({ state: 'expired', draft: 'Part 1.\n\nPart 2.' });
});

test('C3.03 an edited text is handed on in the place of what the step has said, and the question keeps both', async () => {
  const { id, question } = await asking('Edit it');
  const { body } = await ann.call<QuestionDetails>('POST', `/question/${question.id}/answer`, { action: 'handOn', text: 'Mine.' });
  expect(body.answer).toEqual({ action: 'handOn', text: 'Mine.' });
  expect(await ended(id)).toMatchObject({ status: 'completed', result: 'Mine.', steps: [{ isEdited: true, marks: ['cut'] }] });
  expect((await ann.call<QuestionDetails>('GET', `/question/${question.id}`)).body.draft).toBe('Part 1.\n\nPart 2.');
});

test('C3.03 no link opens the question to a person without an account; a stop ends the run', async () => {
  const { id, question } = await asking('Stop it');
  expect((await ann.call('POST', `/question/${question.id}/link`)).status).toBe(404);
  expect((await ann.call('POST', `/question/${question.id}/answer`, { action: 'stop' })).status).toBe(200);
  expect(await ended(id)).toMatchObject({ status: 'cancelled' });
});

test('C3.04 only the last of many results with images are sent again with their images', async () => {
  const { id } = await asking('Many images');
  const { rows } = await database.pool.query('SELECT step_id FROM execution_steps WHERE execution_id = $1', [id]);
  const stepId: string = rows[0].step_id;
  await database.pool.query('DELETE FROM tool_calls WHERE execution_id = $1', [id]);
  await database.pool.query(
    `INSERT INTO tool_calls (execution_id, step_id, turn, call_id, position, tool, effect, args, state, result, images, created_at)
      SELECT $1, $2, at / 10, 'c' || at, at % 10, 'look', 'read', '{}', 'done', '',
        CASE WHEN at % 2 = 0 THEN '[{"mime":"image/png","base64":"AAAA"}]'::jsonb END, now() FROM generate_series(0, 19) AS at`,
    [id, stepId],
  );
  const step = { executionId: id, stepId, turns: 2, turnsFrom: 0 } as StepRow;
  const imagesOf = async () =>
    (await readTurns(database.db, step, () => null)).flatMap(({ calls }) =>
      calls.flatMap(({ images }) => images?.map(({ base64 }) => base64) ?? []),
    );
  expect(await imagesOf()).toEqual(Array(10).fill('AAAA'));
  await database.pool.query(
    `INSERT INTO tool_calls (execution_id, step_id, turn, call_id, position, tool, effect, args, state, result, images, created_at)
      SELECT $1, $2, 1, 'd' || at, at, 'look', 'read', '{}', 'done', '', '[{"mime":"image/png","base64":"BBBB"}]'::jsonb, now()
        FROM generate_series(10, 23) AS at`,
    [id, stepId],
  );
  expect(await imagesOf()).toEqual([...Array(8).fill(''), ...Array(2).fill('AAAA'), ...Array(14).fill('BBBB')]);
});
