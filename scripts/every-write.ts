import { startVitest } from 'vitest/node';

/** `npm run faults:every-write`: kills a server before and after every write of a run; the suite only does so for a sample of them. */
process.env.ARTEL_EVERY_WRITE = 'on';
const vitest = await startVitest('test', ['tests/faults/kill-every-write.test.ts'], { project: ['faults'], run: true });
await vitest.close();
