import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProcessChannel } from '../../../../server/platform/mcp/process-channel.ts';
import { makeControlGroup } from '../../../../server/platform/processes/control-group.ts';
import { isAlive } from '../../../../server/platform/processes/is-alive.ts';

const folder = mkdtempSync(join(tmpdir(), 'artel-processes-'));
const running = (program: string) => ({ name: 'one', command: process.execPath, args: ['-e', program], environment: {} });
const failure = (channel: Awaited<ReturnType<typeof createProcessChannel>>) =>
  new Promise((resolve) => {
    channel.watch({ onFailure: resolve, onProgress: () => {} });
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

test('G3.33 processes that a program started end with its channel, also in their own session, without environment or parent', async () => {
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

const group = await makeControlGroup('artel-tool-test');
await group?.end();

test.runIf(group !== null)(
  'G3.33 a program that hides by another environment, folder, session and parent ends with its channel, where the system has control groups',
  async () => {
    const file = join(folder, 'hidden');
    writeFileSync(file, '');
    const hidden = `
    const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore', env: {}, cwd: '/' });
    require('node:fs').writeFileSync(${JSON.stringify(file)}, String(child.pid));
    child.unref();`;
    const channel = await createProcessChannel(
      running(`
      const { spawn } = require('node:child_process');
      const begun = spawn(process.execPath, ['-e', ${JSON.stringify(hidden)}], { detached: true, stdio: 'ignore', env: {}, cwd: '/' });
      begun.on('exit', () => require('node:fs').appendFileSync(${JSON.stringify(file)}, ' alone'));
      setInterval(() => {}, 1000);
    `),
    );
    await channel.transport.start();
    await expect.poll(() => readFileSync(file, 'utf8'), { timeout: 20_000 }).toMatch(/^\d+ alone$/);
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
    expect(readFileSync(`/proc/${pid}/cgroup`, 'utf8')).toMatch(/^0::.*\/artel-tool-\w+$/m);
    await channel.close();
    await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
  },
);

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

test('G3.33 a process is killed when what it has started holds too much memory together with it', async () => {
  const file = join(folder, 'large');
  const large = 'const held = Buffer.alloc(300 * 1024 * 1024, 1); setInterval(() => held.length, 1000)';
  const channel = await createProcessChannel(
    running(`
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', ${JSON.stringify(large)}], { detached: true, stdio: 'ignore' });
      require('node:fs').writeFileSync(${JSON.stringify(file)}, String(child.pid));
      setInterval(() => {}, 1000);
    `),
    { memoryBytes: 256 * 1024 * 1024 },
  );
  expect(await failure(channel)).toMatchObject({ reason: 'process' });
  await channel.close();
  await expect.poll(() => isAlive(Number(readFileSync(file, 'utf8'))), { timeout: 10_000 }).toBe(false);
});

test.runIf(process.platform === 'linux')(
  'G3.33 what a program has started ends when this server is killed, also in a session of its own and without its environment',
  async () => {
    const file = join(folder, 'left');
    writeFileSync(file, '');
    const stay = 'setInterval(() => {}, 1000)';
    const started = (place: string) =>
      `spawn(process.execPath, ['-e', ${JSON.stringify(stay)}], { detached: true, stdio: 'ignore', env: {}, cwd: ${place} })`;
    // One has only its parent, the other only its folder: its parent ends at once.
    const orphan = `
      const { spawn } = require('node:child_process');
      const child = ${started('process.cwd()')};
      require('node:fs').appendFileSync(${JSON.stringify(file)}, child.pid + ' ');
      child.unref();`;
    const program = `
      const { spawn } = require('node:child_process');
      spawn(process.execPath, ['-e', ${JSON.stringify(orphan)}], { detached: true, stdio: 'ignore' });
      const child = ${started("'/'")};
      require('node:fs').appendFileSync(${JSON.stringify(file)}, child.pid + ' ' + process.pid + ' ');
      ${stay};`;
    const module = new URL('../../../../server/platform/mcp/process-channel.ts', import.meta.url).href;
    const server = spawn(
      process.execPath,
      [
        ...['--input-type=module', '-e'],
        `const { createProcessChannel } = await import(${JSON.stringify(module)});
         const channel = await createProcessChannel(${JSON.stringify(running(program))});
         await channel.transport.start();`,
      ],
      { stdio: 'ignore' },
    );
    const pids = () => readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number);
    await expect.poll(() => pids().filter(isAlive).length, { timeout: 20_000 }).toBe(3);
    server.kill('SIGKILL');
    await expect.poll(() => pids().filter(isAlive), { timeout: 20_000 }).toEqual([]);
  },
);
