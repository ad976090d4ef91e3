import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ExecutionDetails } from '../../contract/executions/execution.ts';
import type { ExecutionEvent } from '../../contract/executions/execution-event.ts';
import type { AnswerAction, Question } from '../../contract/executions/question.ts';
import { amountOf, limitOf } from '../support/amounts.ts';
import { makeOpenFolder } from '../support/database/make-open-folder.ts';
import { type KillPoint, killedLine, type WritePoint } from '../support/faults/kill-at-write.ts';
import { killPointsOf } from '../support/faults/kill-points.ts';
import { answerOf, chain, graph, type Kind, tools } from '../support/faults/killed-runs.ts';
import { openTestDatabase, type TestDatabase } from '../support/open-test-database.ts';
import { preload } from '../support/preload.ts';
import { type RunAccount, signUp } from '../support/run-account.ts';
import { startReferenceRunner } from '../support/runner/reference-runner.ts';
import { type ModelServer, startModelServer } from '../support/services/model-server.ts';
import { startServer } from '../support/start-server.ts';

/** Servers that are killed and restarted at the same time, each on its own database. */
const lanes = amountOf({ few: 2, some: 3, whole: 4 });
/** A point that a run does not come to is tried again with further ones. */
const maxTries = 3;
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
  // No test of this file ends PostgreSQL.
  for (const setting of ['fsync', 'full_page_writes', 'autovacuum']) await database.pool.query(`ALTER SYSTEM SET ${setting} = off`);
  await database.pool.query('SELECT pg_reload_conf()');
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

test.each(amountOf({ few: [chain, graph], some: [chain, graph, tools], whole: [chain, graph, tools] }))(
  'R23.01 a server killed before or after any write of a run, a $name, loses nothing of it, and no finished step is called again',
  async (kind) => {
    const { ann, pipelineId, points } = await recordRun(kind);
    // The start, its job, its key and their commit; the fetch; a claim and the steps; the end of the job.
    expect(points.length).toBeGreaterThanOrEqual(13);
    const chosen = killPointsOf(points, { few: 5, some: 9 });
    const begun = performance.now();
    let killed = 0;
    const onKilled = () => {
      killed += 1;
    };
    const broken: string[] = [];
    const missed: KillPoint[] = [];
    const spare = killPointsOf(points, { some: Number.POSITIVE_INFINITY }).filter(
      (one) => !chosen.some((other) => isDeepStrictEqual(one, other)),
    );
    /** A busy machine may record statements that other runs need not: others are tried in their place, as many as were chosen. */
    const onMissed = (point: KillPoint) => {
      missed.push(point);
      return missed.length > chosen.length ? [] : spare.splice(spare.length / 2, 1);
    };
    const lane = async (number: number) => {
      const waiting = chosen.filter((_point, index) => index % lanes === number);
      for (let turn = 0; waiting.length > 0; turn += 1) {
        const name = `${idOf(kind)}_${number}_${turn}`;
        await killInTurn(waiting, name, { ann, pipelineId, kind, onMissed, onKilled }).catch((error) =>
          broken.push((error as Error).message),
        );
      }
    };
    await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));
    const seconds = Math.round((performance.now() - begun) / 1_000);
    const missedNames = missed.map(({ when, label, occurrence }) => `${when} ${label.slice(0, 120)} (${occurrence})`).join('\n');
    console.info(`${points.length} writes, killed at ${killed} of them in ${seconds} s, ${broken.length} broken, missed: ${missedNames}`);
    expect(broken.join('\n')).toBe('');
    expect(killed, missedNames).toBeGreaterThanOrEqual(chosen.length - Math.max(2, chosen.length / 5));
  },
  limitOf(600_000),
);

/** `onMissed` returns points that are tried in the place of one that runs do not come to. */
type Watch = { onMissed: (point: KillPoint) => KillPoint[]; onKilled: () => void };
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

/** Runs once to the end and records its writes. */
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
    await inDatabase(recorded, noJobLeft);
    const lines = (await readFile(log, 'utf8')).trim().split('\n');
    return { ann, pipelineId, kind, points: lines.map((line) => JSON.parse(line) as WritePoint) };
  } finally {
    await server.stop();
  }
}

/**
 * Kills servers at points of runs, one after another on one database, until no point is left or a run is not as it should be: the server that goes on
 * with one run is killed in the next. Takes the points from `waiting`.
 */
async function killInTurn(waiting: KillPoint[], name: string, recorded: Recorded & Watch): Promise<void> {
  const { ann, pipelineId, kind, onMissed, onKilled } = recorded;
  const keyOf = (run: number) => `${name}_${run}`;
  const killable = (run: number, [point] = waiting) =>
    serverOn(name, {
      ...envOf(kind, name, point && hook),
      ...(point && { KILL_AT: JSON.stringify(point), WRITES_WITH: keyOf(run) }),
    });
  await database.pool.query(`CREATE DATABASE ${name} TEMPLATE ${recordedBy(kind)} STRATEGY file_copy`);
  let server = await killable(0);
  const tries = new Map<KillPoint, number>();
  const killOnce = async (run: number, point: KillPoint) => {
    // The start stores its team, as the recorded one has.
    await inDatabase(name, (client) => client.query('DELETE FROM team_versions'));
    const sends = await sendsOf(name);
    const first = await start(ann.at(server), pipelineId, keyOf(run)).catch(() => null);
    const isKilled = () => server.logs().includes(killedLine);
    const isMissed = first && (await answerUntilEnd(ann.at(server), first.id, isKilled)) && (await isOver(name, isKilled));
    if (isMissed) {
      // Another statement may have done its work this time.
      tries.set(point, (tries.get(point) ?? 0) + 1);
      if ((tries.get(point) ?? 0) < maxTries) waiting.unshift(point);
      else waiting.unshift(...onMissed(point));
    } else {
      await expect.poll(server.logs, { interval: 20 }).toContain(killedLine);
      onKilled();
    }
    await server.stop();
    const finished = await afterKill(name);
    server = await killable(run + 1);
    const begun = { id: first?.id, key: keyOf(run), finished, sends, runs: run + 2 };
    if (!isMissed) await checkGoesOn(ann.at(server), name, recorded, begun);
  };
  try {
    for (let run = 0, point = waiting.shift(); point; run += 1, point = waiting.shift()) {
      const { when, label, occurrence } = point;
      await killOnce(run, point).catch((error) => {
        throw new Error(`${when} ${label.slice(0, 120)} (${occurrence}): ${(error as Error).message}`);
      });
    }
  } finally {
    await server.stop();
    await database.pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
  }
}

/** Lets the time pass that a dead server's work waits for. Returns the steps that had been completed. */
const afterKill = (name: string) =>
  inDatabase(name, async (client) => {
    await letTimePass(client);
    const { rows } = await client.query<{ key: string }>(
      "SELECT execution_id || ':' || step_id AS key FROM execution_steps WHERE status = 'completed'",
    );
    return new Set(rows.map(({ key }) => key));
  });

/** A run whose server was killed: `id` where its start was answered, `runs` with those before it, `sends` of their tools. */
type Begun = { id: string | undefined; key: string; finished: Set<string>; sends: number; runs: number };

/** Sends the start again, and checks that the run ends as if nothing had happened. */
async function checkGoesOn(again: RunAccount, name: string, { pipelineId, kind }: Recorded, begun: Begun): Promise<void> {
  const { id } = await start(again, pipelineId, begun.key);
  if (begun.id) expect(id).toBe(begun.id);
  const done = await answerUntilEnd(again, id, () => false);
  expect(done).toMatchObject({ status: 'completed', result: 'Done', progress: 100 });
  const calls = models.calls.map(({ headers }) => String(headers['idempotency-key'])).filter((key) => key.startsWith(id));
  const counts = Map.groupBy(calls, (key) => key);
  expect(counts.size).toBe(kind.calls);
  for (const [key, { length }] of counts) expect(length).toBeLessThanOrEqual(begun.finished.has(key) ? 1 : 2);
  expect(calls.length).toBeLessThanOrEqual(kind.calls + kind.atOnce);
  const events = await again.logs(id);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
  expect(events.filter(({ type }) => type === 'step.completed')).toHaveLength((kind.steps ?? kind.calls) + kind.persons);
  if (kind.hasTools) await checkTools(name, events, begun.sends);
  const answered = events.flatMap(({ type, question }) => (type === 'question.answered' && question ? [question.kind] : []));
  expect(answered.filter((one) => one === 'room')).toHaveLength(kind.rooms ?? 0);
  expect(answered.filter((one) => one !== 'room' && one !== 'unknown_outcome')).toHaveLength(kind.persons * 2);
  expect(events.filter(({ type }) => type === 'execution.completed')).toHaveLength(1);
  const items = (await again.history()).filter(({ pipelineExecutionId }) => pipelineExecutionId === id);
  expect(items).toMatchObject([{ status: 2, finalResult: 'Done' }]);
  await inDatabase(name, async (client) => {
    await noJobLeft(client);
    expect((await client.query('SELECT 1 FROM executions')).rowCount).toBe(begun.runs);
  });
}

/** How often the tool has sent that may send once only. */
async function sendsOf(name: string): Promise<number> {
  const log = await readFile(toolLog(name), 'utf8').catch(() => '');
  return log.split('\n').filter((line) => line === 'send once').length;
}

/** No call is lost or carried out twice that may not be, and each file has one version of each step. */
async function checkTools(name: string, events: readonly ExecutionEvent[], sends: number): Promise<void> {
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
  expect((await sendsOf(name)) - sends).toBeLessThanOrEqual(1);
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
    await expect.poll(async () => isKilled() || (await jobsLeft(client)) === 0, { interval: 50 }).toBe(true);
    return !isKilled();
  });
}

async function jobsLeft(client: pg.Client): Promise<number | null> {
  return (await client.query("SELECT 1 FROM artel_queue.job WHERE name = 'execution'")).rowCount;
}

async function noJobLeft(client: pg.Client): Promise<void> {
  // The job ends in a statement of its own, after the run.
  await expect.poll(() => jobsLeft(client), { interval: 50 }).toBe(0);
}
