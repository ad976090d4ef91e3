import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { RunningServer } from '../server/open-test-server.ts';
import { startServer } from '../start-server.ts';
import { databaseIsEmbedded } from '../test-services.ts';
import { createSetUp } from './create-set-up.ts';

/**
 * Starts a server in the process of the tests, or in its own where the suite shares no PostgreSQL: a server with an embedded one is ended with
 * it.
 */
export const startAnother: (options: { env?: Record<string, string> }) => Promise<RunningServer> = databaseIsEmbedded
  ? startServer
  : async (options) => (await import('../server/open-test-server.ts')).openTestServer(options);

/** The servers of these tests have no pages, unless a test asks for them. */
export const { setUp, setUpModelServer, setUpServer, setUpFolder, setUpDatabase, setUpServerOnDatabase, setUpAccount } = createSetUp(
  { beforeAll, afterAll, beforeEach },
  { start: startAnother, common: { ARTEL_CLIENT: 'off' } },
);
