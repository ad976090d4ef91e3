import { spawnSync } from 'node:child_process';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { makeLogger, withoutSecrets } from '../../../server/logging.ts';

test.each([
  ['/api/project', '/api/project'],
  ['/api/project?limit=20&offset=40', '/api/project?limit=20&offset=40'],
  [
    '/api/x?since=2026-01-02T03:04:05.000Z&id=018f0f3e-0000-7000-8000-000000000000',
    '/api/x?since=2026-01-02T03:04:05.000Z&id=018f0f3e-0000-7000-8000-000000000000',
  ],
  ['/api/natsws?token=abc.def.ghi', '/api/natsws?token=[redacted]'],
  ['/api/natsws?ticket=12345678', '/api/natsws?ticket=[redacted]'],
  ['/api/natsws?TOKEN=1234', '/api/natsws?TOKEN=[redacted]'],
  ['/x?a=1&access_token=1&apiKey=2&password=3&b=2', '/x?a=1&access_token=[redacted]&apiKey=[redacted]&password=[redacted]&b=2'],
  ['/x?q=another+user&q2', '/x?q=[redacted]&q2=[redacted]'],
  ['/x?a=b=c#token', '/x?a=[redacted]&token=[redacted]'],
  ['/x?', '/x?=[redacted]'],
  ['/q/q8Zt3kVb1mXs7yWc5dRf9gHj', '/q/[redacted]'],
  ['/api/q/q8Zt3kVb1mXs7yWc5dRf9gHj/?lang=en', '/api/q/[redacted]/?lang=[redacted]'],
  ['/Q/q8Zt3kVb1mXs7yWc5dRf9gHj', '/Q/[redacted]'],
])('R25.01 an address is logged without what may be a secret: %s', (url, logged) => expect(withoutSecrets(url)).toBe(logged));

test('R25.01 what is named like a secret is cut out of all that is logged, and so are the values of a query that failed', () => {
  const written: string[] = [];
  const log = makeLogger('trace', { write: (line) => written.push(line) });
  log.info(
    { password: 'p-1', headers: { authorization: 'p-2' }, body: { inner: { apiKey: 'p-3', refreshToken: 'p-4', secret: 'p-5' } } },
    'Hello',
  );
  log.error({ err: new Error('Failed query: select 1\nparams: p-6,p-7') }, 'Failed');
  const output = written.join('');
  expect(output).toContain('[redacted]');
  expect(output).toContain('Failed query: select 1');
  expect(output).not.toMatch(/p-\d/);
});

test('G8.22 what a reader does not see is logged as its number, and the line is the same JSON', () => {
  const written: string[] = [];
  const log = makeLogger('trace', { write: (line) => written.push(line) });
  const name = 'a\u001b[31m\u009b1m\u202etxt.exe\u2028';
  log.warn({ name }, `Left out: ${name}`);
  expect(written.join('').trimEnd()).toMatch(/^[\x20-\x7e]+$/);
  expect(JSON.parse(written.join(''))).toMatchObject({ name, msg: `Left out: ${name}` });
});

test.runIf(process.platform === 'linux')('a program whose terminal was closed goes on without its log, and ends', () => {
  const module = pathToFileURL(join(import.meta.dirname, '../../../server/logging.ts')).href;
  const program = `import { makeLogger } from ${JSON.stringify(module)}; makeLogger('info').info('lost'); process.exitCode = 7;`;
  // A write to the first byte of a memory fails as one to such a terminal does: EIO.
  const lost = openSync('/proc/self/mem', 'r+');
  const ended = spawnSync(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', lost, 'pipe'], timeout: 15_000 });
  expect([String(ended.stderr), ended.status]).toEqual(['', 7]);
  // The program behind its pipe has ended.
  const command = '{ "$0" --input-type=module -e "$1"; echo "ended with $?" >&2; } | true';
  const piped = spawnSync('sh', ['-c', command, process.execPath, program], { timeout: 15_000 });
  expect(String(piped.stderr)).toBe('ended with 7\n');
});
