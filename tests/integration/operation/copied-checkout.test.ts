import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../server/platform/database/embedded/free-port.ts';
import { copyCheckout } from '../../support/docs/copied-checkout.ts';

let copy: Awaited<ReturnType<typeof copyCheckout>>;
beforeAll(async () => {
  copy = await copyCheckout();
});
afterAll(() => copy.remove());
/** A busy machine needs minutes to build the server of the suite. */
const inTime = 400_000;

test(
  'R10.01 npm run dev passes on every call, reads no page of the benchmarks, and ends with npm: client, server and PostgreSQL',
  async () => {
    const port = String(await freePort());
    const dev = copy.run('exec npm run dev', { PORT: port });
    await dev.printed(/^Artel is in development at/m);
    const url = `http://127.0.0.1:${port}`;
    const kindOf = async (path: string) => (await fetch(url + path)).headers.get('content-type')?.split(';')[0];
    const kinds = await Promise.all(
      ['/live', '/ready', '/health', '/api/v1', '/hooks/none', '/mcp', '/metrics', '/', '/public-test'].map(kindOf),
    );
    expect(kinds, dev.output()).toEqual([...Array(6).fill('application/json'), 'text/plain', 'text/html', 'text/html']);
    dev.end();
    await dev.ended;
    expect(dev.output()).not.toMatch(/bench|error/i);
    await expect(fetch(`${url}/live`)).rejects.toThrow();
    await expect.poll(() => existsSync(join(copy.path, 'data', 'postgres', 'postmaster.pid'))).toBe(false);
  },
  inTime,
);

test.each([
  "node node_modules/vitest/vitest.mjs run --project faults tests/faults/kill-every-write.test.ts -t 'a run, a chain'",
  'npm run test:unit -- tests/unit/server/inputs/extract-text.test.ts',
])(
  'R10.01 tests pass there by %s: they start its own server and processes',
  async (command) => {
    const tests = copy.run(command);
    expect([await tests.ended, tests.output()]).toEqual([0, expect.stringMatching(/Tests .*[1-9]\d* passed/)]);
  },
  inTime,
);
