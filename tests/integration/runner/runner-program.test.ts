import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, type Zippable, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../../server/platform/database/embedded/free-port.ts';
import { sampleOf } from '../../support/amounts.ts';
import { type RunnerProcess, sandboxes, startRunner } from '../../support/runner/start-runner.ts';

/** The mode of an entry is in the upper half of its attributes. */
const file = (text: string, mode = 0o100644): Zippable[string] => [strToU8(text), { attrs: (mode << 16) >>> 0, os: 3 }];
const empty = zipSync({ 'a.txt': file('a') });

/** Starts a process that has left its parent, its group and its session, and holds no pipe. */
const doubleFork = (mark: string) => `setsid sh -c 'setsid sleep ${mark} </dev/null >/dev/null 2>&1 & sleep 0.1'`;

/** Whether a process of this machine has this word in its arguments. */
function isAlive(word: string): boolean {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0').includes(word);
      } catch {
        return false;
      }
    });
}

test.skipIf(sandboxes.length === 2)(
  `C5.01 not executed here: this machine has the sandboxes ${sandboxes.join(', ') || 'none'} of two`,
  () => {},
);

describe.each(sampleOf(sandboxes, { some: 1 }))('in the sandbox %s', (sandbox) => {
  let runner: RunnerProcess;
  const settings = {
    ...{ ARTEL_RUNNER_SANDBOX: sandbox, ARTEL_RUNNER_MEMORY_MB: '256', ARTEL_RUNNER_PROCESSES: '64', ARTEL_RUNNER_LOG_MB: '4' },
    ARTEL_RUNNER_JOBS: '2',
  };
  beforeAll(async () => {
    runner = await startRunner(settings);
    expect(runner.output()).toContain(`Sandbox: ${sandbox}.`);
  });
  afterAll(() => runner?.stop());

  test('C5.01 a command has the files with their modes, its own exit code, and nothing of the runner', async () => {
    const archive = zipSync({
      'src/run.sh': file('#!/bin/sh\necho ran "$@"\nexit 7\n', 0o100755),
      'src/plain.sh': file('x'),
      'имя.txt': file('y'),
    });
    const end = await runner.execute({
      command: 'ls; src/run.sh one; code=$?; test -x src/plain.sh || echo plain; env; cat /proc/*/environ 2>/dev/null; exit $code',
      archive,
    });
    expect(end).toMatchObject({ exitCode: 7 });
    expect(end.log).toContain('src\nимя.txt\nran one\nplain\n');
    expect(end.log).not.toMatch(/SECRET_OF_OPERATOR|ARTEL_RUNNER|node_modules/);
    expect(end.log).not.toContain(runner.token);
    expect(await runner.execute({ command: 'kill -9 $$', archive: empty })).toMatchObject({ exitCode: 137 });
    expect(await runner.execute({ command: 'exit 0', archive: empty })).toMatchObject({ exitCode: 0 });
  });

  test('C5.01 a command sees no files of the operator, of an earlier job or of one beside it', async () => {
    await runner.execute({
      command: 'echo left > /tmp/left-by-a-job; echo left > $HOME/left; echo left > left; mkdir -p deep; chmod 0 deep',
      archive: empty,
    });
    const search = `ls -A . $HOME; ls ${runner.dataDir} ${join(process.cwd(), 'package.json')} /root/.bashrc 2>&1; cat ${join(runner.dataDir, 'runner.json')} 2>&1`;
    const { log } = await runner.execute({ command: search, archive: empty });
    expect(log).not.toMatch(/left|token/);
    expect(log).toContain('a.txt');
    if (sandbox === 'bubblewrap') expect(log.match(/No such file/g)?.length).toBeGreaterThan(2);
  });

  test('C5.02 without leave a command has no network but its own loopback', async () => {
    const { log } = await runner.execute({ command: 'cat /proc/net/dev', archive: empty });
    expect(log).toContain('lo:');
    expect(log).not.toMatch(/eth\d|ens\d|enp\d|docker\d/);
    const port = new URL(runner.url).port;
    const program = [
      'import socket',
      's = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(); socket.create_connection(s.getsockname()); print("own loopback")',
      `try: socket.create_connection(("127.0.0.1", ${port}), 2); print("reached the runner")`,
      'except OSError: print("runner unreachable")',
    ];
    const tried = await runner.execute({ command: 'python3 connect.py', archive: zipSync({ 'connect.py': file(program.join('\n')) }) });
    expect(tried.log).toBe('own loopback\nrunner unreachable\n');
  });

  test('C5.02 a command that takes too long is ended with all that it has started', async () => {
    const end = await runner.execute({
      command: `${doubleFork(`98761.${process.pid}`)}; echo begun; sleep 60`,
      archive: empty,
      seconds: 2,
    });
    expect(end).toMatchObject({ reason: 'timeout', log: 'begun\n' });
    await expect.poll(() => isAlive(`98761.${process.pid}`)).toBe(false);
  });

  test('C5.02 the end of a command also ends the processes that the command left running', async () => {
    expect(await runner.execute({ command: `${doubleFork(`98762.${process.pid}`)}; exit 3`, archive: empty })).toMatchObject({
      exitCode: 3,
    });
    await expect.poll(() => isAlive(`98762.${process.pid}`)).toBe(false);
  });

  test('C5.02 a closed connection ends a command with all that it has started', async () => {
    const stop = new AbortController();
    const onLog = (log: string) => log.includes('begun') && stop.abort();
    const job = runner.execute({
      command: `${doubleFork(`98763.${process.pid}`)}; echo begun; sleep 60`,
      archive: empty,
      signal: stop.signal,
      onLog,
    });
    await expect(job).rejects.toThrow();
    await expect.poll(() => isAlive(`98763.${process.pid}`)).toBe(false);
  });

  test('C5.03 processes, memory and output have limits, and the runner works on', async () => {
    // Where its first shell cannot fork any more the bomb ends by itself, else at its time limit.
    await runner.execute({ command: `bomb() { sleep 98766.${process.pid} & bomb | bomb & }; bomb; sleep 20`, archive: empty, seconds: 3 });
    expect(isAlive(`98766.${process.pid}`)).toBe(false);
    const program =
      'import subprocess\nn = 0\ntry:\n  while n < 500: subprocess.Popen(["sleep", "30"]); n += 1\nexcept OSError: print(n)\n';
    const counted = await runner.execute({ command: 'python3 fork.py', archive: zipSync({ 'fork.py': file(program) }) });
    expect(counted).toMatchObject({ exitCode: 0 });
    expect(Number(counted.log)).toBeGreaterThan(10);
    expect(Number(counted.log)).toBeLessThan(64);
    const one = await runner.execute({ command: `python3 -c 'x = bytearray(900 * 1024 * 1024)'`, archive: empty });
    expect(one).toMatchObject({ exitCode: 1, log: expect.stringContaining('MemoryError') });
    const many = `for i in 1 2 3 4; do python3 -c 'import time; x = bytearray(120 * 1024 * 1024); time.sleep(30)' & done; wait`;
    const together = await runner.execute({ command: many, archive: empty });
    expect(together).toMatchObject({ exitCode: -1, log: expect.stringContaining('more than 256 MiB of memory') });
    const endless = await runner.execute({ command: 'yes endless', archive: empty });
    expect(endless).toMatchObject({ reason: 'log_too_long' });
    const [written = '', why = ''] = endless.log.split('\nThe runner ended the command: ');
    expect(written.length).toBeLessThanOrEqual(4 * 1024 * 1024);
    expect(why).toContain('more than 4 MiB');
    expect(await runner.execute({ command: 'exit 5', archive: empty })).toMatchObject({ exitCode: 5 });
  });

  test('C5.03 more jobs than places are refused as busy, and a place is free again', async () => {
    const stop = new AbortController();
    const begun = [0, 1].map(
      () =>
        new Promise<void>((done) => {
          const onLog = () => done();
          runner.execute({ command: 'echo begun; sleep 60', archive: empty, signal: stop.signal, onLog }).catch(() => {});
        }),
    );
    await Promise.all(begun);
    expect(await runner.execute({ command: 'true', archive: empty })).toMatchObject({ reason: 'busy' });
    stop.abort();
    await expect.poll(() => runner.execute({ command: 'true', archive: empty })).toMatchObject({ exitCode: 0 });
  });

  test('C5.04 an install step runs once for the locks of a project, and each job has a copy of what it left', async () => {
    const install = 'test ! -e broken && mkdir -p node_modules/.bin "$GOPATH" && date +%N > node_modules/made && echo m > $GOPATH/m';
    const own = await startRunner({ ...settings, ARTEL_RUNNER_INSTALL: install });
    const withLock = (lock: string) => zipSync({ 'package-lock.json': file(lock), 'package.json': file('{}') });
    const command = 'cat node_modules/made $GOPATH/m && rm $GOPATH/m && echo spoilt > node_modules/made';
    const made = async (lock: string, project: string | null) => {
      const { log } = await own.execute({ command, archive: withLock(lock), project });
      return { isInstalled: log.includes('$ test'), number: /^\d+$/m.exec(log)?.[0], hasModule: /^m$/m.test(log) };
    };
    const first = await made('1', 'one');
    expect(first).toMatchObject({ isInstalled: true, hasModule: true });
    expect(await made('1', 'one')).toEqual({ ...first, isInstalled: false });
    for (const [lock, project] of [
      ['2', 'one'],
      ['1', 'two'],
      ['1', null],
      ['1', null],
    ] as const) {
      expect(await made(lock, project)).toMatchObject({ isInstalled: true, hasModule: true });
    }
    const broken = await own.execute({ command: 'echo never', archive: zipSync({ broken: file('') }), project: 'one' });
    expect(broken).toMatchObject({ reason: 'install_failed', log: expect.stringContaining('install step ended with code 1') });
    expect(broken.log).not.toContain('never\n');
    await own.stop();
  });

  test('C5.01 the runner ends with its jobs, also when it is killed', async () => {
    const own = await startRunner({ ...settings, DATA_DIR: runner.dataDir });
    // The job has forked when it says so.
    const onLog = (log: string) => log.includes('begun') && process.kill(own.pid, 'SIGKILL');
    const job = await own.execute({
      command: `${doubleFork(`98764.${process.pid}`)}; echo begun; sleep 98765.${process.pid}`,
      archive: empty,
      onLog,
    });
    expect(job).toMatchObject({ reason: 'cut_off' });
    await expect.poll(() => isAlive(`98764.${process.pid}`) || isAlive(`98765.${process.pid}`)).toBe(false);
  });
});

test.skipIf(sandboxes.length === 0)(
  'C5.05 the token is where its user alone reads it, and stays when the runner is started again',
  async () => {
    const runner = await startRunner({ ARTEL_RUNNER_SANDBOX: sandboxes[0] ?? '' });
    expect(statSync(join(runner.dataDir, 'runner.json')).mode & 0o777).toBe(0o600);
    const again = await startRunner({ ARTEL_RUNNER_SANDBOX: sandboxes[0] ?? '', DATA_DIR: runner.dataDir });
    expect(again.token).toBe(runner.token);
    const about = await fetch(runner.url, { headers: { authorization: `Bearer ${runner.token}` } });
    expect(await about.json()).toEqual({ runner: 'artel', sandbox: sandboxes[0], network: false, jobs: 2 });
    expect((await fetch(runner.url)).status).toBe(401);
    expect((await fetch(runner.url, { method: 'POST', headers: { authorization: `Bearer ${runner.token}x` } })).status).toBe(401);
    await again.stop();
    await runner.stop();
  },
);

test.skipIf(sandboxes.length === 0)('C5.01 a runner whose port another one has ends, and leaves the jobs of that one alone', async () => {
  const port = { ARTEL_RUNNER_SANDBOX: sandboxes[0] ?? '', ARTEL_RUNNER_PORT: String(await freePort()) };
  const first = await startRunner(port);
  const left = join(tmpdir(), `artel-runner-${port.ARTEL_RUNNER_PORT}`, 'left');
  writeFileSync(left, 'of a job');
  const second = await startRunner(port);
  expect([await second.exited, second.output()]).toEqual([1, expect.stringContaining('EADDRINUSE')]);
  expect(readFileSync(left, 'utf8')).toBe('of a job');
  await first.stop();
});

test.skipIf(sandboxes.length === 0)('C5.03 a hostile archive is refused, and the next job is executed', async () => {
  const runner = await startRunner({ ARTEL_RUNNER_SANDBOX: sandboxes[0] ?? '' });
  const bomb = zipSync({ bomb: new Uint8Array(400 * 1024 * 1024) }, { level: 9 });
  expect(await runner.execute({ command: 'true', archive: bomb })).toMatchObject({ reason: 'files_too_large' });
  for (const archive of [zipSync({ '../out': file('x') }), zipSync({ link: file('/etc/passwd', 0o120777) }), new Uint8Array(100)]) {
    expect(await runner.execute({ command: 'true', archive })).toMatchObject({ reason: 'refused' });
  }
  expect(await runner.execute({ command: 'true', archive: empty })).toMatchObject({ exitCode: 0 });
  await runner.stop();
});

test('C5.01 without a sandbox the runner does not start, and says what to install', async () => {
  const runner = await startRunner({ PATH: '/nonexistent' });
  expect(runner.isRunning).toBe(false);
  expect(await runner.exited).toBe(1);
  expect(runner.output()).toMatch(/does not start.*bubblewrap/);
  const shared = await startRunner({ ARTEL_RUNNER_SANDBOX: 'container', ARTEL_RUNNER_WORK_DIR: '/tmp/jobs' });
  expect(shared.output()).toMatch(/must not be in a folder that jobs have of their own|for a container in which the runner is root/);
  const open = await startRunner({ ARTEL_RUNNER_HOST: '0.0.0.0' });
  expect(open.output()).toBe('ARTEL_RUNNER_TOKEN must be set where other machines reach the runner.\n');
});
