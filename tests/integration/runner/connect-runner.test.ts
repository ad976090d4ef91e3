import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuthConfig } from '../../../contract/account.ts';
import type { Project } from '../../../contract/project.ts';
import type { RunnerState } from '../../../contract/runner.ts';
import type { TestDatabase } from '../../support/open-test-database.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { type RunnerProcess, sandboxes, startRunner } from '../../support/runner/start-runner.ts';
import { type ServerAmongOthers, startServerOnDatabase } from '../../support/server-on-database.ts';
import { type ModelServer, startModelServer } from '../../support/services/model-server.ts';

let models: ModelServer;
let runner: RunnerProcess | null = null;
let database: TestDatabase;
let server: ServerAmongOthers;
/** The first account, and another one. */
let ann: RunAccount;
let bob: RunAccount;

beforeAll(async () => {
  models = await startModelServer();
  ({ database, server } = await startServerOnDatabase({ OPENAI_BASE_URL: models.url }));
  ann = await signUp(server.url);
  bob = await signUp(server.url);
});
afterAll(async () => {
  await server?.stop();
  await Promise.all([database?.remove(), models?.close(), runner?.stop()]);
});

const state = async (who: RunAccount) => (await who.call<RunnerState>('GET', '/runner')).body;
const hasRunner = async () => (await ann.call<AuthConfig>('GET', '/auth/config')).body.runner;

test('C5.06 a server of this machine offers no runner where none answers', async () => {
  expect(await state(ann)).toEqual({ connected: null, mayConnect: true, local: null });
  expect((await ann.call('POST', '/runner')).status).toBe(404);
  // A file that an ended runner has left, and one that is none.
  for (const text of ['{"port":9,"token":"a token of an ended runner"}', 'x', '{"port":"http://example.com","token":1}']) {
    writeFileSync(join(server.dataDir, 'runner.json'), text);
    expect((await ann.call('POST', '/runner')).status).toBe(404);
  }
  expect(await hasRunner()).toBe(false);
});

test.skipIf(sandboxes.length === 0)('C5.06 one press connects the runner of this machine, and the next run is tested by it', async () => {
  runner = await startRunner({ ARTEL_RUNNER_SANDBOX: sandboxes[0] ?? '', DATA_DIR: server.dataDir });
  const local = { sandbox: sandboxes[0], network: false };
  expect(await state(ann)).toEqual({ connected: null, mayConnect: true, local });
  // Others of the server neither see nor press it, and nothing does from behind a proxy.
  expect(await state(bob)).toEqual({ connected: null, mayConnect: false, local: null });
  expect((await bob.call('POST', '/runner')).status).toBe(403);
  const proxied = { authorization: `Bearer ${ann.accessToken}`, 'x-forwarded-for': '203.0.113.9' };
  expect((await fetch(`${server.url}/api/runner`, { method: 'POST', headers: proxied })).status).toBe(403);

  const { body } = await ann.call<RunnerState>('POST', '/runner');
  expect(body).toEqual({ connected: 'local', mayConnect: true, local });
  expect(await hasRunner()).toBe(true);
  models.answer({ kind: 'text', text: 'Done.\n\n```sh path=check.sh\necho real; exit 4\n```\n' });
  await ann.call<Project>('PUT', '/project/default', { testCommand: 'sh check.sh' });
  const { id } = await ann.start(await ann.pipeline('developer', 'qa'), 'Print');
  const run = await ann.until(id, ({ status }) => status === 'completed');
  expect(run.steps.find(({ role }) => role === 'QA')?.testRun).toMatchObject({ state: 'ended', exitCode: 4 });
  expect(runner.output()).toContain(`${id}/`);

  expect((await bob.call('DELETE', '/runner')).status).toBe(403);
  expect((await ann.call('DELETE', '/runner')).status).toBe(204);
  expect([await hasRunner(), (await state(ann)).connected]).toEqual([false, null]);
});

test.skipIf(sandboxes.length === 0)(
  'C5.02 a command is ended at its time limit with a process that left its session, and has no network',
  async () => {
    const command = "setsid sh -c 'setsid sleep 60 & sleep 0.1'; grep -c : /proc/net/dev; sleep 60";
    // Its log ends only when no process holds it.
    expect(await runner?.execute({ command, archive: zipSync({}), seconds: 2 })).toEqual({ reason: 'timeout', log: '1\n' });
  },
);

test.skipIf(sandboxes.length === 0)(
  'C5.06 a server that other machines reach uses no runner of its own machine, also a runner that was connected before',
  async () => {
    expect((await ann.call('POST', '/runner')).status).toBe(200);
    const hosted = await server.beside({ PUBLIC_URL: 'https://artel.example.com' });
    const there = ann.at(hosted);
    expect((await there.call<AuthConfig>('GET', '/auth/config')).body.runner).toBe(false);
    expect((await there.call<RunnerState>('GET', '/runner')).body).toEqual({ connected: null, mayConnect: false, local: null });
    expect((await there.call('POST', '/runner')).status).toBe(403);
    await hosted.stop();
  },
);
