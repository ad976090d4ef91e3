import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Project } from '../../contract/project.ts';
import type { LocalPostgres } from '../../scripts/cluster/local-postgres.ts';
import { startLocalPostgres } from '../../scripts/cluster/local-postgres.ts';
import { makeOpenFolder } from '../support/database/make-open-folder.ts';
import { type RunAccount, signUp } from '../support/run-account.ts';
import { type ModelCall, type ModelServer, startModelServer } from '../support/services/model-server.ts';
import { startServer, type TestServer } from '../support/start-server.ts';
import { timesSlower } from '../support/times-slower.ts';

let folder: Awaited<ReturnType<typeof makeOpenFolder>>;
let postgres: LocalPostgres;
let models: ModelServer;
let server: TestServer;

beforeEach(async () => {
  folder = await makeOpenFolder();
  postgres = await startLocalPostgres(join(folder.path, 'postgres'));
  models = await startModelServer();
  const secret = { ARTEL_SECRET_KEY: 'a secret of at least thirty-two characters' };
  server = await startServer({ env: { ...secret, DATABASE_URL: postgres.url, ARTEL_CLIENT: 'off', OPENAI_BASE_URL: models.url } });
});
afterEach(async () => {
  await server?.stop();
  await models?.close();
  await postgres?.stop();
  await folder?.remove();
});

/** Stops an external PostgreSQL, either cleanly or as a power cut would. */
const endings = {
  'a fast stop': () => postgres.stop(),
  'a kill': async () => {
    const [pid] = (await readFile(join(folder.path, 'postgres', 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(pid), 'SIGKILL');
    await postgres.stop();
  },
};

test.each(Object.keys(endings) as (keyof typeof endings)[])(
  'R23.01 an external PostgreSQL comes back after %s: calls answer 503 meanwhile, runs go on, nothing acknowledged is missing',
  async (ending) => {
    const ann = await signUp(server.url);
    const pipeline = await ann.pipeline('assistant', 'developer', 'qa');
    // The second step of each run waits: its prompt contains one earlier result.
    const isSecond = (call: ModelCall) => (call.body.messages[1]?.content.match(/^## /gm) ?? []).length === 1;
    models.answer((call) => (isSecond(call) ? { kind: 'hang' } : { kind: 'text', text: 'Done' }));
    const runs = await Promise.all(Array.from({ length: 5 }, (_, index) => ann.start(pipeline, `Task ${index}`)));
    await models.call(10);
    const writing = keepWriting(ann);
    await writing.answered(201);

    await endings[ending]();
    const refused = await writing.answered(503);
    expect(refused.headers.get('retry-after')).not.toBeNull();
    expect((await ann.call('GET', '/project')).status).toBe(503);
    models.release('Answered meanwhile');

    await postgres.start();
    const back = performance.now();
    await writing.answered(201);
    expect(performance.now() - back).toBeLessThan(10_000 * timesSlower());
    const { acknowledged, statuses } = await writing.stop();
    expect([...statuses].sort()).toEqual([201, 503]);

    const projects = (await ann.call<Project[]>('GET', '/project')).body.map(({ name }) => name);
    expect(acknowledged.filter((name) => !projects.includes(name))).toEqual([]);
    const ended = await Promise.all(runs.map(({ id }) => ann.until(id, ({ status }) => status === 'completed' || status === 'failed')));
    expect(ended.map(({ status, steps }) => [status, steps.map(({ attempts }) => attempts)])).toEqual(
      runs.map(() => ['completed', [1, 1, 1]]),
    );
    expect(models.calls).toHaveLength(15);
  },
);

/** Creates one project after another, until it is stopped. */
function keepWriting(who: RunAccount) {
  const acknowledged: string[] = [];
  const statuses = new Set<number>();
  const waiting = new Set<(answer: Awaited<ReturnType<typeof who.call>>) => void>();
  let going = true;
  const done = (async () => {
    for (let number = 1; going; number += 1) {
      const name = `Project ${number}`;
      const answer = await who.call('POST', '/project', { name });
      statuses.add(answer.status);
      if (answer.status === 201) acknowledged.push(name);
      for (const look of waiting) look(answer);
      // Writes go on through the whole restart, ten in a second.
      await wait(100);
    }
  })();
  return {
    /** Resolves with the next answer that has this status. */
    answered: (status: number): Promise<Awaited<ReturnType<typeof who.call>>> =>
      new Promise((resolve) => {
        const look = (answer: Awaited<ReturnType<typeof who.call>>) => {
          if (answer.status !== status) return;
          waiting.delete(look);
          resolve(answer);
        };
        waiting.add(look);
      }),
    stop: async () => {
      going = false;
      await done;
      return { acknowledged, statuses };
    },
  };
}
