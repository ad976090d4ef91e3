import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toolFolders } from '../../../../deploy/runner/bubblewrap.ts';
import { limited } from '../../../../deploy/runner/sandboxed-command.ts';
import { textOf } from '../../../../deploy/runner/system-files.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'home-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('C5.03 jobs get the lower limits of their runner where it has lower ones itself', () => {
  const own = 'Limit  Soft Limit  Hard Limit  Units\nMax open files            1024                 4096                 files\n';
  const limits = { memoryBytes: 1_024, diskBytes: 1, freeDiskBytes: 1, processes: 8, logBytes: 1 };
  expect(limited(limits, own)).toEqual(['prlimit', '--data=1024', '--nproc=8', '--fsize=2147483648', '--core=0', '--nofile=4096', '--']);
  expect(limited(limits, own.replace('4096', 'unlimited'))).toContain('--nofile=8192');
});

test.for<[string, string[]]>([
  ['.nvm/versions/node/v24/bin', ['.nvm/versions/node/v24', '.nvm/versions/node/v24/bin']],
  ['.local/bin', ['.local/bin', '.local/lib/node_modules', '.local/include/node']],
  ['bin', ['bin', 'lib/node_modules', 'include/node']],
])('C5.01 where Node is in %s of a home folder, commands see nothing else of it', ([folder, seen]) => {
  mkdirSync(join(home, folder), { recursive: true });
  writeFileSync(join(home, folder, 'node'), '');
  expect(toolFolders(`/nonexistent:${join(home, folder)}`, home)).toEqual(seen.map((name) => join(home, name)));
});

test('C5.15 the user and the host of a job are listed before those of the machine, and no other entry has the same ids', () => {
  const job = { uid: 1000, gid: 100, home: '/home/job', hostName: 'runner' };
  expect(textOf('passwd', 'root:x:0:0::/root:/bin/sh\nann:x:1000:1000::/home/ann:/bin/zsh\n', job)).toBe(
    'job:x:1000:100:job:/home/job:/bin/sh\nroot:x:0:0::/root:/bin/sh\n',
  );
  expect(textOf('group', 'root:x:0:\nusers:x:100:ann\n', job)).toBe('job:x:100:\nroot:x:0:\n');
  expect(textOf('hosts', '127.0.0.1 localhost\n172.17.0.2 runner\n10.0.0.1 runner-two\n', job)).toBe(
    '127.0.0.1\tlocalhost runner\n127.0.0.1 localhost\n10.0.0.1 runner-two\n',
  );
  expect(textOf('passwd', '', job)).toBe('job:x:1000:100:job:/home/job:/bin/sh\n');
});
