import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createSetUp } from './create-set-up.ts';

/** The servers of these tests have no pages, unless a test asks for them. */
export const { setUp, setUpModelServer, setUpServer, setUpFolder, setUpDatabase, setUpServerOnDatabase, setUpAccount } = createSetUp(
  { beforeAll, afterAll, beforeEach },
  { ARTEL_CLIENT: 'off' },
);
