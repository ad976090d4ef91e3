import { expect, test } from 'vitest';
import { createSetUp } from '../support/set-up/create-set-up.ts';
import { startServer } from '../support/start-server.ts';

type Run = () => Promise<void>;

/** Sets parts up as a test runner does; returns the errors of its hooks. Playwright runs the hooks after one that has failed. */
async function runHooks(use: (setUp: ReturnType<typeof createSetUp>['setUp']) => void): Promise<string[]> {
  const [before, after]: [Run[], Run[]] = [[], []];
  use(
    createSetUp({ beforeAll: (run) => before.push(run), afterAll: (run) => after.push(run), beforeEach: () => {} }, { start: startServer })
      .setUp,
  );
  const errors: string[] = [];
  for (const run of [...before, ...after]) await run().catch((error: Error) => errors.push(error.message));
  return errors;
}

test('a failed start is the only error: later parts do not start, earlier ones end in the opposite order', async () => {
  const log: string[] = [];
  const errors = await runHooks((setUp) => {
    const part = (name: string, isBroken = false) =>
      setUp(
        async () => {
          log.push(`start ${name}`);
          if (isBroken) throw new Error(`${name} is broken`);
          return { name };
        },
        async (started) => log.push(`end ${started.name}`),
      );
    for (const name of ['first', 'second']) part(name);
    part('third', true);
    part('fourth');
  });
  expect(errors).toEqual(['third is broken']);
  expect(log).toEqual(['start first', 'start second', 'start third', 'end second', 'end first']);
});

test('each part ends, also when the end of another fails', async () => {
  const ended: string[] = [];
  const errors = await runHooks((setUp) => {
    for (const name of ['first', 'second', 'third'])
      setUp(
        async () => ({ name }),
        async () => {
          ended.push(name);
          if (name !== 'first') throw new Error(`${name} stays`);
        },
      );
  });
  expect(ended).toEqual(['third', 'second', 'first']);
  expect(errors).toEqual(['third stays\nsecond stays']);
});
