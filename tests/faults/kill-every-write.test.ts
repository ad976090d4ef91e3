import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ExecutionDetails } from '../../contract/executions/execution.ts';
import type { ExecutionEvent } from '../../contract/executions/execution-event.ts';
import type { AnswerAction, Question } from '../../contract/executions/question.ts';
import { makeOpenFolder } from '../support/database/make-open-folder.ts';
import { type KillPoint, killedLine, type WritePoint } from '../support/faults/kill-at-write.ts';
import { answerOf, chain, graph, type Kind, tools } from '../support/faults/killed-runs.ts';
import { openTestDatabase, type TestDatabase } from '../support/open-test-database.ts';
import { preload } from '../support/preload.ts';
import { type RunAccount, signUp } from '../support/run-account.ts';
import { startReferenceRunner } from '../support/runner/reference-runner.ts';
import { type ModelServer, startModelServer } from '../support/services/model-server.ts';
import { startServer } from '../support/start-server.ts';

/**
 * `npm run faults:every-write` kills at every point, `npm run test:rest` at every fifth one, `npm test` at five points of two kinds of runs.
 * They are always the same.
 */
const sampleOf = process.env.ARTEL_EVERY_WRITE === 'on' ? 1 : 5;
const isShort = process.env.ARTEL_TEN_KILLS === 'on';
const pointsOfShort = 5;
/** Servers that are killed and restarted at the same time, each on its own database. */
const lanes = 4;
const hook = preload('faults/kill-at-write.ts');

let folder: Awaited<ReturnType<typeof makeOpenFolder>>;
let models: ModelServer;
let database: TestDatabase;
let runner: Awaited<ReturnType<typeof startReferenceRunner>>;
const runnerToken = 'a runner token of the tests';

beforeAll(async () => {
  folder = await makeOpenFolder();
  models = await startModelServer();
  runner = await startReferenceRunner({ token: runnerToken });
  models.answer(answerOf);
  database = await openTestDatabase();
});
afterAll(async () => {
  await database?.remove();
  await models?.close();
  await runner?.close();
  await folder?.remove();
});

const urlOf = (name: string) => {
  const url = new URL(database.connectionString);
  url.pathname = `/${name}`;
  return url.href;
};
const serverOn = (name: string, more: Record<string, string> = {}) =>
  startServer({
    env: {
      ...{ ARTEL_CLIENT: 'off', ARTEL_SECRET_KEY: 'a secret of at least thirty-two characters', OPENAI_BASE_URL: models.url },
      ...{ DATABASE_URL: urlOf(name), ...more },
    },
  });

test.each(isShort ? [chain, graph] : [chain, graph, tools])(
  'R23.01 a server killed before or after any write of a run, a $name, loses nothing of it, and no finished step is called again',
  async (kind) => {
    const { ann, pipelineId, points } = await recordRun(kind);
    // The start, its job, its key and their commit; the fetch; a claim and the steps; the end of the job.
    expect(points.length).toBeGreaterThanOrEqual(13);
    const all = points.flatMap((point): KillPoint[] => [
      { ...point, when: 'before' },
      { ...point, when: 'after' },
    ]);
    const distance = isShort ? Math.ceil(all.length / pointsOfShort) : sampleOf;
    const chosen = all.map((point, index) => ({ point, index })).filter(({ index }) => index % distance === 0);
    const begun = performance.now();
    const waiting = [...chosen];
    const broken: string[] = [];
    let missed = 0;
    const lane = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const { point, index } = next;
        try {
          if ((await killAt(point, `${idOf(kind)}_${index}`, { ann, pipelineId, kind })) === 'missed') missed += 1;
        } catch (error) {
          broken.push(`${point.when} ${point.label.slice(0, 120)} (${point.occurrence}): ${(error as Error).message}`);
        }
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    const seconds = Math.round((performance.now() - begun) / 1_000);
    console.info(
      `${points.length} writes, ${all.length} points, killed at ${chosen.length} of them in ${seconds} s, ${missed} missed, ${broken.length} broken`,
    );
    expect(broken.join('\n')).toBe('');
    expect(missed).toBeLessThanOrEqual(chosen.length / 5);
  },
  600_000,
);

type Recorded = { ann: RunAccount; pipelineId: string; kind: Kind };

const idOf = ({ name }: Kind) => name.replaceAll(' ', '_');
const recordedBy = (kind: Kind) => `recorded_${idOf(kind)}`;
const toolHook = preload('tools/scripted-tools.ts');
const toolLog = (name: string) => join(folder.path, `${name}.tools`);
/** The environment of a server for a kind of run. */
const envOf = ({ hasTools }: Kind, name: string, options = ''): Record<string, string> => ({
  NODE_OPTIONS: hasTools ? `${options} ${toolHook}` : options,
  TOOL_LOG: toolLog(name),
  ...(hasTools && { ARTEL_RUNNER_URL: runner.url, ARTEL_RUNNER_TOKEN: runnerToken }),
});

/** Runs once to the end and records its writes. Leaves the database in the state in which each point starts. */
async function recordRun(kind: Kind): Promise<Recorded & { points: WritePoint[] }> {
  const log = join(folder.path, `writes-${idOf(kind)}`);
  const recorded = recordedBy(kind);
  await database.pool.query(`CREATE DATABASE ${recorded}`);
  const server = await serverOn(recorded, { ...envOf(kind, recorded, hook), WRITE_LOG: log });
  try {
    const ann = await signUp(server.url);
    const { id: pipelineId } = await kind.pipeline(ann);
    const { id } = await start(ann, pipelineId, recorded);
    await answerUntilEnd(ann, id, () => false);
    await inDatabase(recorded, async (client) => {
      await noJobLeft(client);
      // The start of each point then stores its team, as the recorded one has.
      await client.query('DELETE FROM team_versions');
    });
    const lines = (await readFile(log, 'utf8')).trim().split('\n');
    return { ann, pipelineId, kind, points: lines.map((line) => JSON.parse(line) as WritePoint) };
  } finally {
    await server.stop();
  }
}

/** Kills a server at this point of a run, starts another in its place, and checks the result of the run. */
async function killAt(point: KillPoint, name: string, { ann, pipelineId, kind }: Recorded): Promise<'killed' | 'missed'> {
  await database.pool.query(`CREATE DATABASE ${name} TEMPLATE ${recordedBy(kind)}`);
  let server = await serverOn(name, { ...envOf(kind, name, hook), KILL_AT: JSON.stringify(point) });
  try {
    const first = await start(ann.at(server), pipelineId, name).catch(() => null);
    const isKilled = () => server.logs().includes(killedLine);
    if (first && (await answerUntilEnd(ann.at(server), first.id, isKilled)) && (await isOver(name, isKilled))) return 'missed';
    await expect.poll(server.logs, { timeout: 20_000, interval: 20 }).toContain(killedLine);
    await server.stop();
    const finished = await inDatabase(name, async (client) => {
      await letTimePass(client);
      const { rows } = await client.query<{ key: string }>(
        "SELECT execution_id || ':' || step_id AS key FROM execution_steps WHERE status = 'completed'",
      );
      return new Set(rows.map(({ key }) => key));
    });

    server = await serverOn(name, envOf(kind, name));
    const again = ann.at(server);
    const { id } = await start(again, pipelineId, name);
    if (first) expect(id).toBe(first.id);
    const done = await answerUntilEnd(again, id, () => false);
    expect(done).toMatchObject({ status: 'completed', result: 'Done', progress: 100 });
    const calls = models.calls.map(({ headers }) => String(headers['idempotency-key'])).filter((key) => key.startsWith(id));
    const counts = Map.groupBy(calls, (key) => key);
    expect(counts.size).toBe(kind.calls);
    for (const [key, { length }] of counts) expect(length).toBeLessThanOrEqual(finished.has(key) ? 1 : 2);
    expect(calls.length).toBeLessThanOrEqual(kind.calls + kind.atOnce);
    const events = await again.logs(id);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
    expect(events.filter(({ type }) => type === 'step.completed')).toHaveLength((kind.steps ?? kind.calls) + kind.persons);
    if (kind.hasTools) await checkTools(name, events);
    const answered = events.flatMap(({ type, question }) => (type === 'question.answered' && question ? [question.kind] : []));
    expect(answered.filter((one) => one === 'room')).toHaveLength(kind.rooms ?? 0);
    expect(answered.filter((one) => one !== 'room' && one !== 'unknown_outcome')).toHaveLength(kind.persons * 2);
    expect(events.filter(({ type }) => type === 'execution.completed')).toHaveLength(1);
    const items = (await again.history()).filter(({ pipelineExecutionId }) => pipelineExecutionId === id);
    expect(items).toMatchObject([{ status: 2, finalResult: 'Done' }]);
    await inDatabase(name, async (client) => {
      await noJobLeft(client);
      expect((await client.query('SELECT 1 FROM executions')).rowCount).toBe(2);
    });
    return 'killed';
  } finally {
    await server.stop();
    await database.pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
  }
}

/** No call is lost or carried out twice that may not be, and each file has one version of each step. */
async function checkTools(name: string, events: readonly ExecutionEvent[]): Promise<void> {
  expect(events.filter(({ type }) => type === 'tool.ended').map(({ call }) => call?.tool)).toEqual([
    'count',
    'send',
    'edit_file',
    'read_file',
    'write_file',
    'move_file',
    'delete_file',
    'run_tests',
  ]);
  const tests = events.findLast(({ call }) => call?.tool === 'run_tests');
  expect(tests?.step?.testRun).toMatchObject({ exitCode: 0, state: 'ended' });
  const carriedOut = (await readFile(toolLog(name), 'utf8')).split('\n');
  expect(carriedOut.filter((line) => line === 'send once').length).toBeLessThanOrEqual(1);
  await inDatabase(name, async (client) => {
    const { rows } = await client.query<{ path: string; content: string | null; removed: boolean }>(
      'SELECT path, content, removed FROM execution_files JOIN executions ON id = execution_id WHERE completed_at = (SELECT max(completed_at) FROM executions) ORDER BY path, execution_files.order_index',
    );
    expect(rows.map(({ path, content, removed }) => `${path} ${removed ? 'removed' : content}`)).toEqual([
      ...['a.ts first\n', 'a.ts second\n'],
      ...['b.ts removed', 'c.ts moved', 'd.ts first\n', 'd.ts removed'],
    ]);
  });
}

/** Answers the questions of a run until it ends, or until its server is killed. */
async function answerUntilEnd(ann: RunAccount, id: string, isKilled: () => boolean): Promise<ExecutionDetails | null> {
  for (;;) {
    try {
      const { body } = await ann.call<Question[]>('GET', `/PipelineExecution/${id}/questions`);
      for (const { id: question, state, kind } of body)
        if (state === 'open')
          await ann.call('POST', `/question/${question}/answer`, { action: actionFor(kind) }, { 'idempotency-key': question });
      const now = await ann.details(id);
      if (now.status !== 'pending' && now.status !== 'running') return now;
    } catch (error) {
      // The connection may break before the last line of the server arrives.
      await expect
        .poll(isKilled, { timeout: 2_000, interval: 20 })
        .toBe(true)
        .catch(() => Promise.reject(error));
    }
    if (isKilled()) return null;
    // The run takes a moment to its next question.
    await wait(20);
  }
}

function actionFor(kind: Question['kind']): AnswerAction {
  if (kind === 'room') return 'asMuchAgain';
  return kind === 'person' ? 'answer' : kind === 'unknown_outcome' ? 'skipCall' : 'handOn';
}

async function start(ann: RunAccount, pipelineId: string, key: string): Promise<{ id: string }> {
  const body = { pipelineId, inputData: { task: 'Survive' } };
  const answer = await ann.call<{ id: string }>('POST', '/PipelineExecution/start', body, { 'idempotency-key': key });
  expect(answer.status).toBe(202);
  return answer.body;
}

async function inDatabase<T>(name: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: urlOf(name) });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Expires what a dead server leaves: the heartbeat of its job (15 s) and its claim of the key (40 s). */
async function letTimePass(client: pg.Client): Promise<void> {
  await client.query("UPDATE artel_queue.job SET heartbeat_on = heartbeat_on - interval '1 minute' WHERE state = 'active'");
  await client.query("UPDATE idempotency_keys SET claimed_until = now() - interval '1 second' WHERE status IS NULL");
}

/**
 * Whether a run that has ended made its last write, the end of its job, without the kill. Another statement has then done the work of
 * the one that was waited for: a fetch of the recorded run was empty, or a person answered a little sooner or later.
 */
async function isOver(name: string, isKilled: () => boolean): Promise<boolean> {
  return inDatabase(name, async (client) => {
    // The last write comes shortly after the end of the run is told.
    await expect.poll(async () => isKilled() || (await jobsLeft(client)) === 0, { timeout: 20_000, interval: 50 }).toBe(true);
    return !isKilled();
  });
}

async function jobsLeft(client: pg.Client): Promise<number | null> {
  return (await client.query("SELECT 1 FROM artel_queue.job WHERE name = 'execution'")).rowCount;
}

async function noJobLeft(client: pg.Client): Promise<void> {
  // The job ends in a statement of its own, after the run.
  await expect.poll(() => jobsLeft(client), { timeout: 20_000, interval: 50 }).toBe(0);
}
