import { makeOpenFolder } from '../database/make-open-folder.ts';
import { openTestDatabase, type TestDatabase } from '../open-test-database.ts';
import { type RunAccount, signUp } from '../run-account.ts';
import type { RunningServer } from '../server/open-test-server.ts';
import type { ServerOptions } from '../server/server-environment.ts';
import { type ServerAmongOthers, startServerOn } from '../server-on-database.ts';
import { type ModelServer, startModelServer } from '../services/model-server.ts';
import { startServer, type TestServer } from '../start-server.ts';

type Hook = (run: () => Promise<void>) => void;
type Settings = Record<string, string>;
/** A server's settings; a function where they need what was set up before, as an address. */
type SettingsOrMake = Settings | (() => Settings | Promise<Settings>);
type Script = Parameters<ModelServer['answer']>[0];
/** Why the server of a file needs a process of its own, as "It is killed." or "Its memory is measured." */
type OwnProcess = { ownProcess: string };

/**
 * Makes functions that start something for all tests of a file and end it after them. Each returns an object at once, which has its
 * properties when the first test begins. What started last ends first, also when a later start or an end has failed.
 */
export function createSetUp<Default extends RunningServer>(
  { beforeAll, afterAll, beforeEach }: { beforeAll: Hook; afterAll: Hook; beforeEach: Hook },
  { start, common = {} }: { start: (options: { env: Settings }) => Promise<Default>; common?: Settings },
) {
  const ends: (() => Promise<unknown>)[] = [];
  let hasFailed = false;

  function setUp<T extends object>(start: () => Promise<T>, end: (started: T) => Promise<unknown> = async () => {}): T {
    const part = {} as T;
    beforeAll(async () => {
      // Playwright runs the hooks after one that has failed.
      if (hasFailed) return;
      hasFailed = true;
      Object.assign(part, await start());
      hasFailed = false;
      ends.push(() => end(part));
    });
    afterAll(endAll);
    return part;
  }

  /** The first hook ends all parts, so that the order does not depend on the order of the hooks. */
  async function endAll(): Promise<void> {
    const errors: unknown[] = [];
    for (let end = ends.pop(); end; end = ends.pop()) await end().catch((error) => errors.push(error));
    hasFailed = false;
    if (errors.length > 0)
      throw errors.length === 1 ? errors[0] : new AggregateError(errors, errors.map((error) => (error as Error).message).join('\n'));
  }

  /** A model server. Each test begins without calls; until it says otherwise, they are answered with this script. */
  function setUpModelServer(script: Script = ({ number }) => ({ kind: 'text', text: `Answer ${number}` })): ModelServer {
    const models = setUp(
      () => startModelServer(),
      ({ close }) => close(),
    );
    beforeEach(async () => {
      models.calls.length = 0;
      models.answer(script);
    });
    return models;
  }

  const settingsOf = async (given: SettingsOrMake) => ({ ...common, ...(typeof given === 'function' ? await given() : given) });

  /** Starts a server in its own process. Its `restart` gives this object the properties of the restarted one. */
  function setUpRestartable<S extends TestServer>(startProcess: () => Promise<S>): S {
    const restartable = (started: S): S => ({
      ...started,
      restart: async (env) => Object.assign(server, restartable({ ...started, ...(await started.restart(env)) })),
    });
    const server: S = setUp(
      async () => restartable(await startProcess()),
      ({ stop }) => stop(),
    );
    return server;
  }

  function setUpServer(given?: SettingsOrMake): Default;
  function setUpServer(given: SettingsOrMake, options: OwnProcess & Omit<ServerOptions, 'env'>): TestServer;
  function setUpServer(given: SettingsOrMake = {}, options?: OwnProcess & Omit<ServerOptions, 'env'>): RunningServer {
    if (options) return setUpRestartable(async () => startServer({ ...options, env: await settingsOf(given) }));
    return setUp(
      async () => start({ env: await settingsOf(given) }),
      ({ stop }) => stop(),
    );
  }

  const setUpFolder = () => setUp(makeOpenFolder, ({ remove }) => remove());

  const setUpDatabase = (): TestDatabase => setUp(openTestDatabase, ({ remove }) => remove());

  /** A server on a database that the tests can query, and that outlives the server. */
  function setUpServerOnDatabase(given?: SettingsOrMake): { database: TestDatabase; server: ServerAmongOthers<Default> };
  function setUpServerOnDatabase(given: SettingsOrMake, options: OwnProcess): { database: TestDatabase; server: ServerAmongOthers };
  function setUpServerOnDatabase(given: SettingsOrMake = {}, options?: OwnProcess) {
    const database = setUpDatabase();
    if (options) return { database, server: setUpRestartable(async () => startServerOn(startServer, database, await settingsOf(given))) };
    const server = setUp(
      async () => startServerOn(start, database, await settingsOf(given)),
      ({ stop }) => stop(),
    );
    return { database, server };
  }

  const setUpAccount = (server: { url: string }, language?: 'ru' | 'en'): RunAccount => setUp(() => signUp(server.url, language));

  return { setUp, setUpModelServer, setUpServer, setUpFolder, setUpDatabase, setUpServerOnDatabase, setUpAccount };
}
