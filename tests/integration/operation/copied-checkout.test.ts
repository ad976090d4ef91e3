import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../server/platform/database/embedded/free-port.ts';
import { copyRepository } from '../../support/repository-copy.ts';

/**
 * A copy of this checkout, with its packages and the server that the suites have bundled here, in a folder whose name has a space and Cyrillic
 * letters. The packages are links, so `npm install` finds them in place and needs no network.
 */
let copy: Awaited<ReturnType<typeof copyRepository>>;
beforeAll(async () => {
  copy = await copyRepository({ name: 'Мой проект', keepsCache: true });
});
/** A busy machine needs minutes to build the client, or the server of the suite. */
const inTime = 400_000;
const readyLine = /^Artel is ready at (http\S+)$/m;

test(
  'R10.01 npm install and npm start serve a checkout whose folder has a space and Cyrillic letters in its name',
  async () => {
    const installed = run('npm', ['install', '--offline', '--no-audit', '--no-fund']);
    expect([await installed.ended, installed.output()]).toEqual([0, expect.anything()]);
    const server = run('npm', ['start'], { PORT: '0' });
    try {
      await Promise.race([server.printed(readyLine), server.ended]);
      const [, url = ''] = readyLine.exec(server.output()) ?? [];
      expect([server.output(), url]).toEqual([expect.anything(), expect.stringContaining('http')]);
      expect((await fetch(`${url}/ready`)).status).toBe(200);
      expect(await (await fetch(url)).text()).toContain('<script type="module"');
    } finally {
      await server.stop();
    }
  },
  inTime,
);

test(
  'R10.01 npm run dev passes on every call, reads no page of the benchmarks, and ends with npm: client, server and PostgreSQL',
  async () => {
    const port = String(await freePort());
    const dev = run('npm', ['run', 'dev'], { PORT: port });
    await Promise.race([dev.printed(/^Artel is in development at/m), dev.ended]);
    const url = `http://127.0.0.1:${port}`;
    const kindOf = async (path: string) => (await fetch(url + path)).headers.get('content-type')?.split(';')[0];
    const kinds = await Promise.all(['/live', '/ready', '/health', '/api/v1', '/hooks/none', '/mcp', '/', '/public-test'].map(kindOf));
    expect(kinds).toEqual([...Array(6).fill('application/json'), 'text/html', 'text/html']);
    dev.end();
    await dev.ended;
    expect(dev.output()).not.toMatch(/bench|error/i);
    await expect(fetch(`${url}/live`)).rejects.toThrow();
    expect(existsSync(join(copy.path, 'data', 'postgres', 'postmaster.pid'))).toBe(false);
  },
  inTime,
);

test.each([
  ['faults', 'tests/faults/kill-every-write.test.ts', 'a run, a chain'],
  ['unit', 'tests/unit/server/inputs/extract-text.test.ts', ''],
])(
  'R10.01 tests of the suite %s pass there: they start its own server and processes',
  async (project, file, title) => {
    const tests = run('node', ['node_modules/vitest/vitest.mjs', 'run', '--project', project, file, ...(title ? ['-t', title] : [])]);
    expect([await tests.ended, tests.output()]).toEqual([0, expect.stringMatching(/Tests .*[1-9]\d* passed/)]);
  },
  inTime,
);

/** A test that has failed leaves none of its processes. */
const running: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  await Promise.all(running.map((stop) => stop()));
  await copy.remove();
});

function run(command: string, args: string[], settings: Record<string, string> = {}) {
  const path = `${join(copy.path, 'node_modules', '.bin')}:${process.env.PATH}`;
  const env = { PATH: path, HOME: process.env.HOME ?? '', TMPDIR: dirname(copy.path), NO_COLOR: '1', ...settings };
  const child = spawn(command, args, { cwd: copy.path, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let output = '';
  const readers: (() => void)[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (const read of readers) read();
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  /** Ends npm and what it has started. */
  const stop = () => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGTERM');
    return ended;
  };
  running.push(stop);
  const printed = (line: RegExp) => new Promise<void>((resolve) => readers.push(() => line.test(output) && resolve()));
  /** Ends npm alone, as the end of its terminal does. `ended` waits for all that writes to its output. */
  const end = () => child.kill('SIGTERM');
  return { ended, output: () => output, printed, stop, end };
}
