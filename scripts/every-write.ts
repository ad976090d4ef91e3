import { startVitest } from 'vitest/node';

/**
 * `npm run faults:every-write`: kills a server before and after every write of a run and of what a forge starts, and lets two people answer a thousand questions at once.
 * The suite does a sample of each.
 */
process.env.ARTEL_EVERY_WRITE = 'on';
const vitest = await startVitest(
  'test',
  ['tests/faults/kill-every-write.test.ts', 'tests/faults/kill-forge.test.ts', 'tests/faults/one-answer.test.ts'],
  {
    project: ['faults-rest'],
    run: true,
  },
);
await vitest.close();
