import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CommandState } from '../../contract/command.ts';
import { type FreezePoint, frozenLine } from '../support/faults/freeze-at-fetch.ts';
import type { TestDatabase } from '../support/open-test-database.ts';
import { preload } from '../support/preload.ts';
import { type RunAccount, signUp } from '../support/run-account.ts';
import { type ServerAmongOthers, startServerOnDatabase } from '../support/server-on-database.ts';
import { type ModelServer, startModelServer } from '../support/services/model-server.ts';
import type { TestServer } from '../support/start-server.ts';

const hook = preload('faults/freeze-at-fetch.ts');

let models: ModelServer;
let database: TestDatabase;
/** Suspends itself at its first job. */
let frozen: ServerAmongOthers;
let other: TestServer | null;

async function open(at: FreezePoint): Promise<RunAccount> {
  const env = { OPENAI_BASE_URL: models.url, NODE_OPTIONS: hook, FREEZE_AT: at };
  ({ database, server: frozen } = await startServerOnDatabase(env));
  return signUp(frozen.url);
}
const openOther = async () => {
  other = await frozen.beside({ NODE_OPTIONS: '' });
  return other;
};
const untilFrozen = () => expect.poll(() => frozen.logs()).toContain(frozenLine);

beforeEach(async () => {
  other = null;
  models = await startModelServer();
});
afterEach(async () => {
  // A suspended process would not receive the signal to end.
  process.kill(frozen.pid, 'SIGCONT');
  await other?.stop();
  await frozen.stop();
  await database.remove();
  await models.close();
});

const hasEnded = ({ status }: { status: string }) => status === 'completed' || status === 'failed' || status === 'cancelled';

/** How a run and a command are begun, and how they end. */
const kinds = {
  run: async (ann: RunAccount) => {
    const pipeline = await ann.pipeline('assistant');
    return {
      begin: async (task: string) => (await ann.start(pipeline, task)).id,
      ended: async (id: string) => (await ann.until(id, hasEnded)).result,
    };
  },
  command: async (ann: RunAccount) => ({
    begin: async (request: string) =>
      (await ann.call<CommandState>('POST', '/agentcommand/execute-async', { agentId: ann.agent('qa').id, request })).body.id,
    ended: async (id: string) => {
      const read = async () => (await ann.call<CommandState>('GET', `/agentcommand/status/${id}`)).body;
      await expect.poll(async () => hasEnded(await read())).toBe(true);
      return (await read()).response;
    },
  }),
};

test.each(['run', 'command'] as const)(
  'R23.01 a node that is suspended between taking the job of a %s and beginning it changes nothing when it resumes',
  async (kind) => {
    const { begin, ended } = await kinds[kind](await open('fetched'));
    models.answer({ kind: 'hang' });
    const begun = begin('The first task');
    await untilFrozen();
    await openOther();
    // As the queue does with the job of a node that sends no heartbeat.
    const { rowCount } = await database.pool.query(
      "UPDATE artel_queue.job SET state = 'retry', start_after = now() WHERE state = 'active'",
    );
    expect(rowCount).toBe(1);
    await models.call(1);

    // Only now: the other node has taken the job, and the frozen one still believes that it has it.
    process.kill(frozen.pid, 'SIGCONT');
    const id = await begun;
    // The node has gone on with its first job when it has stored a second one.
    const next = await begin('The second task');
    await models.call(2);
    models.release('Done elsewhere');
    expect([await ended(id), await ended(next)]).toEqual(['Done elsewhere', 'Done elsewhere']);
    const tasks = models.calls.map(({ body }) => /The \w+ task/.exec(body.messages.at(-1)?.content ?? '')?.[0]);
    expect(tasks).toEqual(['The first task', 'The second task']);
  },
);

test('R23.01 a node that is suspended while it takes a job does not keep others from theirs', async () => {
  const ann = await open('fetching');
  models.answer({ kind: 'text', text: 'Done' });
  const pipeline = await ann.pipeline('assistant');
  const begun = ann.start(pipeline, 'The first task');
  await untilFrozen();
  const elsewhere = ann.at(await openOther());
  const run = await elsewhere.start(pipeline, 'The second task');
  expect(await elsewhere.until(run.id, hasEnded)).toMatchObject({ status: 'completed' });

  // Only now: the other node has worked while this one stood still.
  process.kill(frozen.pid, 'SIGCONT');
  expect(await ann.until((await begun).id, hasEnded)).toMatchObject({ status: 'completed', result: 'Done' });
  expect(models.calls).toHaveLength(2);
});
