import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { signUp } from '../../support/run-account.ts';
import { openTestServer } from '../../support/server/open-test-server.ts';

/** What keeps this process alive, by kind: connections, timers, threads. */
function openResources(): Record<string, number> {
  const kinds = Object.groupBy(process.getActiveResourcesInfo(), (kind) => kind);
  return Object.fromEntries(Object.entries(kinds).map(([kind, all = []]) => [kind, all.length]));
}

async function useServer(): Promise<void> {
  const server = await openTestServer({ env: { ARTEL_CLIENT: 'off' } });
  const ann = await signUp(server.url);
  const run = await ann.start(await ann.pipeline('assistant'), 'Write a poem');
  await ann.until(run.id, ({ status }) => status === 'completed');
  await server.stop();
}

test('a server that is closed leaves no connection, timer or thread in its process, and the next one works', async () => {
  await useServer();
  const before = openResources();
  await useServer();
  const added = () => Object.entries(openResources()).filter(([kind, count]) => count > (before[kind] ?? 0));
  // Not by `expect.poll`, which has timers of its own.
  for (const limit = Date.now() + 60_000; added().length > 0 && Date.now() < limit; ) await wait(20);
  expect(added()).toEqual([]);
});
