import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProcessChannel } from '../../../server/platform/mcp/process-channel.ts';
import { removeOldToolFolders } from '../../../server/platform/mcp/tool-folders.ts';
import { isAlive } from '../../support/is-alive.ts';

const folder = mkdtempSync(join(tmpdir(), 'artel-processes-'));
const running = (program: string) => ({ name: 'one', command: process.execPath, args: ['-e', program], environment: {} });
const failure = (channel: Awaited<ReturnType<typeof createProcessChannel>>) =>
  new Promise((resolve) => {
    channel.watch(resolve);
    void channel.transport.start();
  });

test('G3.33 the output of a program that has left the group is not read after the end of its channel', async () => {
  const file = join(folder, 'pid');
  const flood = "process.stdout.on('error', () => process.exit()); setInterval(() => process.stdout.write('x'.repeat(65536)), 5)";
  const channel = await createProcessChannel(
    running(`
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', ${JSON.stringify(flood)}], { detached: true, stdio: ['ignore', 'inherit', 'ignore'] });
      require('node:fs').writeFileSync(${JSON.stringify(file)}, String(child.pid));
      setInterval(() => {}, 1000);
    `),
  );
  expect(await failure(channel)).toMatchObject({ reason: 'too_large' });
  const pid = Number(readFileSync(file, 'utf8'));
  await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
  await channel.close();
});

test('G3.33 what a program has started ends with its channel, also in a session of its own, without its environment, and without its parent', async () => {
  const file = join(folder, 'escaped');
  const stay = 'setInterval(() => {}, 1000)';
  // Its parent ends at once, so that nothing but environment or folder leads to it.
  const orphan = (options: string) => `
    const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, ['-e', ${JSON.stringify(stay)}], { detached: true, stdio: 'ignore', ${options} });
    require('node:fs').appendFileSync(${JSON.stringify(file)}, child.pid + ' ');
    child.unref();`;
  const channel = await createProcessChannel(
    running(`
      const { spawn } = require('node:child_process');
      const fs = require('node:fs');
      for (const program of ${JSON.stringify([orphan("env: process.env, cwd: '/'"), orphan('env: {}')])})
        spawn(process.execPath, ['-e', program], { detached: true, stdio: 'ignore' });
      const child = spawn(process.execPath, ['-e', ${JSON.stringify(stay)}], { detached: true, stdio: 'ignore', env: {}, cwd: '/' });
      fs.appendFileSync(${JSON.stringify(file)}, child.pid + ' ');
      ${stay};
    `),
  );
  await channel.transport.start();
  const pids = () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ').map(Number) : []);
  await expect.poll(() => pids().filter(isAlive).length, { timeout: 20_000 }).toBe(3);
  await channel.close();
  // The system removes them a moment after their end.
  await expect.poll(() => pids().filter(isAlive), { timeout: 10_000 }).toEqual([]);
});

test.runIf(process.getuid?.() === 0)('G3.33 a program runs as the user that the operator names, in a folder of that user', async () => {
  const file = join(folder, 'user');
  writeFileSync(file, '');
  chmodSync(folder, 0o755);
  chmodSync(file, 0o666);
  const told = `echo "$(id -u) $(id -g) $(id -G) $(stat -c %u .) $(cat /proc/${process.pid}/environ >/dev/null 2>&1 && echo read || echo closed)" > ${file}`;
  const channel = await createProcessChannel({
    name: 'one',
    command: '/bin/sh',
    args: ['-c', told],
    environment: { PATH: '/usr/bin:/bin' },
    uid: 65_534,
    gid: 65_534,
  });
  await failure(channel);
  await channel.close();
  expect(readFileSync(file, 'utf8').trim()).toBe('65534 65534 65534 65534 closed');
});

test('G3.33 a process that holds too much memory is killed', async () => {
  const channel = await createProcessChannel(running('setInterval(() => {}, 1000)'), { memoryBytes: 10 * 1024 * 1024 });
  expect(await failure(channel)).toMatchObject({ reason: 'process' });
  await channel.close();
});

test('G3.33 folders that a killed server has left are removed after a day; others stay', async () => {
  const day = 24 * 60 * 60;
  const now = Date.now();
  const made = (name: string, ageSeconds: number) => {
    const path = join(folder, name);
    mkdirSync(path);
    writeFileSync(join(path, 'file'), 'text');
    utimesSync(path, now / 1000 - ageSeconds, now / 1000 - ageSeconds);
    return path;
  };
  const old = made('artel-tool-old', day + 60);
  const kept = [made('artel-tool-new', day - 60), made('other', 2 * day)];
  symlinkSync(join(folder, 'other'), join(folder, 'artel-tool-link'));
  await removeOldToolFolders(now, folder);
  expect(existsSync(old)).toBe(false);
  expect([...kept.map((path) => join(path, 'file')), join(folder, 'artel-tool-link')].filter((path) => !existsSync(path))).toEqual([]);
});
