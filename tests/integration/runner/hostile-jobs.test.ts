import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type ListenOptions, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { amountOf } from '../../support/amounts.ts';
import { type RunnerProcess, sandboxes, startRunner } from '../../support/runner/start-runner.ts';

const empty = zipSync({ 'a.txt': strToU8('a') });
const withLock = (more: Record<string, Uint8Array> = {}) => zipSync({ 'package-lock.json': strToU8('1'), ...more });

const listen = (server: Server, at: ListenOptions) => new Promise<void>((done) => server.listen(at, done));

describe.each(amountOf({ some: sandboxes.slice(0, 1), whole: sandboxes }))('in the sandbox %s', (sandbox) => {
  let runner: RunnerProcess;
  let installing: RunnerProcess;
  const workDir = `/var/lib/artel-runner-hostile-${process.pid}-${sandbox}`;
  const settings = { ARTEL_RUNNER_SANDBOX: sandbox, ARTEL_RUNNER_WORK_DIR: workDir };
  beforeAll(async () => {
    mkdirSync('/var/lib', { recursive: true });
    runner = await startRunner(settings);
    // What the files of a job say is executed as its install step.
    const install = { ARTEL_RUNNER_INSTALL: 'bash ./install.sh', ARTEL_RUNNER_WORK_DIR: `${workDir}-installing` };
    installing = await startRunner({ ...settings, ...install });
  });
  afterAll(async () => {
    await runner?.stop();
    await installing?.stop();
    rmSync(workDir, { recursive: true, force: true });
  });

  test('C5.01 jobs at the same time share no folder, whatever they open to all', async () => {
    const places = ['/tmp', '/var/tmp', '/dev/shm', '/run/lock', '/dev/mqueue'];
    const opened = 'cp /bin/sh shell; chmod 4777 shell; chmod 777 . .. $HOME $TMPDIR 2>/dev/null';
    const stop = new AbortController();
    let seen = '';
    const look = async () => {
      const { log } = await runner.execute({
        command: `cat ${places.map((one) => `${one}/mark`).join(' ')} 2>&1; ls ${workDir}/0/work 2>&1`,
        archive: empty,
      });
      seen = log;
      expect(statSync(join(workDir, '0')).mode & 0o007).toBe(0);
      stop.abort();
    };
    let looked: Promise<void> | undefined;
    const job = runner.execute({
      command: `for one in ${places.join(' ')}; do echo of-another > $one/mark; done 2>/dev/null; ${opened}; echo begun; sleep 60`,
      archive: empty,
      signal: stop.signal,
      onLog: (log) => {
        if (log.includes('begun')) looked ??= look();
      },
    });
    await expect(job).rejects.toThrow();
    await looked;
    expect(seen).toContain('/tmp/mark: No such file');
    expect(seen).not.toMatch(/of-another|shell/);
  });

  test('C5.01 a job can neither end the runner, nor set the clock, nor reach a service of the machine', async () => {
    const harm =
      'date -s 2020-01-01 >/dev/null 2>&1 && test "$(date +%Y)" = 2020 && echo jumped; for one in 1 $PPID -1; do kill -9 $one; done';
    await runner.execute({ command: harm, archive: empty });
    const { log } = await runner.execute({ command: 'echo works', archive: empty });
    expect(log).toBe('works\n');
    if (sandbox === 'container') return;
    const closed = await runner.execute({
      command: 'unshare -Ur true 2>/dev/null && echo nested; find / -type s 2>/dev/null',
      archive: empty,
    });
    expect(closed.log).toBe('');
  });

  test('C5.08 an install step reaches registries alone: no service of the machine, no private address, no other host', async () => {
    const service = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nof the machine'));
    const abstract = createServer((socket) => socket.end('of the machine'));
    const name = `artel-test-${process.pid}-${sandbox}`;
    await Promise.all([listen(service, { port: 0, host: '0.0.0.0' }), listen(abstract, { path: `\0${name}` })]);
    const { port } = service.address() as AddressInfo;
    const own = Object.values(networkInterfaces()).flatMap(
      (all) => all?.flatMap(({ address, family }) => (family === 'IPv4' ? [address] : [])) ?? [],
    );
    const program = `
import socket, urllib.request
def read(connect):
  try: print(connect())
  except Exception as error: print('closed', getattr(error, 'code', ''))
for host in ${JSON.stringify([...new Set(['127.0.0.1', ...own])])}:
  read(lambda: socket.create_connection((host, ${port}), 5).recv(99))
  read(lambda: urllib.request.urlopen(f'http://{host}:${port}/', timeout=5).read())
  read(lambda: urllib.request.urlopen(f'https://{host}:${port}/', timeout=5).read())
one = socket.socket(socket.AF_UNIX)
read(lambda: one.connect('\\0${name}') or one.recv(99))
read(lambda: urllib.request.urlopen('http://169.254.169.254/latest/meta-data/', timeout=5).read())
read(lambda: urllib.request.urlopen('https://evil.example/', timeout=5).read())
`;
    const archive = zipSync({ 'install.sh': strToU8('python3 ask.py'), 'ask.py': strToU8(program) });
    const { log } = await installing.execute({ command: 'echo tested', archive });
    service.close();
    abstract.close();
    expect(log).not.toContain('of the machine');
    expect(log.match(/^closed/gm)).toHaveLength(3 * new Set(['127.0.0.1', ...own]).size + 3);
    expect(log).toContain('evil.example is not in the list of registries. The operator of the runner sets it: ARTEL_RUNNER_REGISTRIES.');
    expect(log).toMatch(/tested\n$/);
  });

  test('C5.11 an install step that needs a host says which, and what wants it; with the host allowed for the job it is not refused', async () => {
    const ask = 'python3 -c "import urllib.request; urllib.request.urlopen(\\"https://files.example/\\", timeout=5)"';
    const archive = zipSync({ 'install.sh': strToU8(ask), 'requirements.txt': strToU8('https://files.example/a.whl\n') });
    const { log, ...end } = await installing.execute({ command: 'echo tested', archive });
    expect(end).toEqual({
      reason: 'install_failed',
      needs: { step: 'bash ./install.sh', hosts: [{ host: 'files.example', wantedBy: ['requirements.txt'] }] },
    });
    expect(log).toContain('files.example is not in the list of registries.');
    const allowed = await installing.execute({ command: 'echo tested', archive, hosts: ['files.example'] });
    expect(allowed.log).not.toContain('is not in the list of registries');
    const metadata = zipSync({ 'install.sh': strToU8(ask.replace('files.example', '169.254.169.254')) });
    const never = await installing.execute({ command: 'echo tested', archive: metadata, hosts: ['169.254.169.254'] });
    expect(never).toEqual({ reason: 'install_failed', log: expect.stringContaining('169.254.169.254 is not in the list of registries.') });
    const closed = await startRunner({
      ...settings,
      ARTEL_RUNNER_INSTALL: 'bash ./install.sh',
      ARTEL_RUNNER_WORK_DIR: `${workDir}-closed`,
      ARTEL_RUNNER_ASK: 'off',
    });
    const refused = await closed.execute({ command: 'echo tested', archive, hosts: ['files.example'] });
    expect(refused).toEqual({ reason: 'install_failed', log: expect.stringContaining('files.example is not in the list of registries.') });
    await closed.stop();
  });

  test('C5.08 scripts of packages are executed when no registry is in reach any more, and what they make is there', async () => {
    const scripts = { preinstall: 'node look.js >> found.txt' };
    const look = `
const { connect } = require('node:net');
const { HTTPS_PROXY = '' } = process.env;
const end = (text) => { console.log(text, HTTPS_PROXY); process.exit(); };
connect(3128, '127.0.0.1', () => end('a proxy')).on('error', () => end('no proxy'));`;
    const lock = { name: 'a', lockfileVersion: 3, requires: true, packages: { '': { name: 'a', hasInstallScript: true } } };
    const json = (value: object) => strToU8(JSON.stringify(value));
    const archive = zipSync({
      'package.json': json({ name: 'a', scripts }),
      'package-lock.json': json(lock),
      'look.js': strToU8(look),
    });
    const { log } = await runner.execute({ command: 'cat found.txt', archive, seconds: 120 });
    expect(log).toMatch(/^\$ npm ci --ignore-scripts[\s\S]*^\$ npm ci --offline[\s\S]*^no proxy \n$/m);
  });

  test('C5.03 a job takes no more of the disk than its limit, also in files without a name, and says so', async () => {
    const own = await startRunner({
      ...settings,
      ARTEL_RUNNER_WORK_DIR: `${workDir}-full`,
      ARTEL_RUNNER_DISK_MB: '64',
      ARTEL_RUNNER_MEMORY_MB: '256',
    });
    const fill = 'dd if=/dev/zero bs=1M count=100 2>/dev/null';
    const jobs = {
      named: `${fill} of=large; sleep 60`,
      temporary: `${fill} of=/tmp/large; sleep 60`,
      closed: `mkdir closed; ${fill} of=closed/large; chmod 0 closed; sleep 60`,
      unnamed: `exec 3> large; rm large; ${fill} >&3; sleep 60`,
    };
    for (const command of Object.values(jobs)) {
      const { log, ...end } = await own.execute({ command, archive: empty });
      expect({ command, ...end }).toEqual({ command, exitCode: -1 });
      expect(log).toContain('the files of the job took more than 64 MiB of the disk (ARTEL_RUNNER_DISK_MB).');
    }
    const inMemory = 'import os, time\nfile = os.memfd_create("a")\nfor n in range(300): os.write(file, bytes(2**20))\ntime.sleep(60)\n';
    const hidden = await own.execute({ command: 'python3 a.py', archive: zipSync({ 'a.py': strToU8(inMemory) }) });
    expect(hidden).toMatchObject({ exitCode: -1, log: expect.stringContaining('more than 256 MiB of memory (ARTEL_RUNNER_MEMORY_MB).') });
    if (sandbox === 'container') {
      // Bubblewrap has no right to bound these; what the machine has left does.
      const segment = 'import ctypes\nprint(ctypes.CDLL(None).shmget(0, ctypes.c_size_t(300 * 2**20), 0o1600))\n';
      const unmapped = await own.execute({ command: 'python3 a.py', archive: zipSync({ 'a.py': strToU8(segment) }) });
      expect(unmapped).toEqual({ exitCode: 0, log: '-1\n' });
    }
    expect(await own.execute({ command: 'cat a.txt', archive: empty })).toEqual({ exitCode: 0, log: 'a' });
    await own.stop();
  });

  test('C5.03 shared memory has a size, and a disk with less left than the operator wants ends a job, which says so', async () => {
    const { log } = await runner.execute({ command: 'dd if=/dev/zero of=/dev/shm/a bs=1M count=100 2>&1; ls /dev/shm', archive: empty });
    if (sandbox === 'bubblewrap') expect(log).toContain('No space left on device');
    const own = await startRunner({ ...settings, ARTEL_RUNNER_WORK_DIR: `${workDir}-floor`, ARTEL_RUNNER_FREE_DISK_MB: '1000000' });
    const end = await own.execute({ command: 'sleep 60', archive: empty });
    expect(end).toMatchObject({ exitCode: -1, log: expect.stringContaining('less than 1000000 MiB (ARTEL_RUNNER_FREE_DISK_MB)') });
    await own.stop();
  });

  test('C5.04 what an install step leaves harms neither the runner nor another project', async () => {
    const cache = join(installing.dataDir, 'runner-cache');
    const install = `mkdir node_modules; cd node_modules; ln -s /etc etc; ln -s ${cache} cache; ln -s ../../../../installing.json token
      cp /bin/sh shell; chmod 4755 shell; mkfifo pipe; touch -- "$(printf 'odd\\nname')" '-rf' '*'; mkdir closed; chmod 0 closed
      for i in $(seq 2000); do : > file$i; done
      for i in $(seq 40); do mkdir ${'deep'.repeat(50)}; cd ${'deep'.repeat(50)}; done`;
    const hostile = withLock({ 'install.sh': strToU8(install) });
    const plain = withLock({ 'install.sh': strToU8('mkdir node_modules') });
    const command = 'ls -A node_modules | wc -l; cat node_modules/cache/* node_modules/token 2>/dev/null';
    const first = await installing.execute({ command, archive: hostile, project: 'one' });
    expect(first).toMatchObject({ exitCode: 1, log: expect.stringMatching(/^20\d\d$/m) });
    expect(first.log).not.toMatch(/token|"port"/);
    expect(await installing.execute({ command, archive: hostile, project: 'one' })).toMatchObject({ exitCode: 1 });
    const other = await installing.execute({ command: 'ls -A node_modules', archive: plain, project: 'two' });
    expect(other).toMatchObject({ exitCode: 0, log: '$ bash ./install.sh\n' });
    expect(readdirSync(`${workDir}-installing`)).toEqual([]);
  });

  test('C5.04 two jobs of a project that install at the same time both get all of it', async () => {
    const install = withLock({ 'install.sh': strToU8('mkdir node_modules; sleep 0.3; echo whole > node_modules/a') });
    const job = { command: 'cat node_modules/a', archive: install, project: 'three' };
    const ends = await Promise.all([installing.execute(job), installing.execute(job)]);
    for (const end of [...ends, await installing.execute(job)])
      expect(end).toMatchObject({ exitCode: 0, log: expect.stringMatching(/whole\n$/) });
  });

  test('C5.01 what a killed runner has left is gone when it starts again', async () => {
    const own = { ...settings, DATA_DIR: runner.dataDir, ARTEL_RUNNER_WORK_DIR: `${workDir}-killed` };
    const killed = await startRunner(own);
    // The job has made its folder when it says so.
    const onLog = (log: string) => log.includes('begun') && process.kill(killed.pid, 'SIGKILL');
    expect(await killed.execute({ command: 'mkdir -p a/b; chmod 0 a; echo begun; sleep 60', archive: empty, onLog })).toMatchObject({
      reason: 'cut_off',
    });
    expect(readdirSync(own.ARTEL_RUNNER_WORK_DIR)).toEqual(['0']);
    const part = join(runner.dataDir, 'runner-cache', 'key.part');
    mkdirSync(part);
    writeFileSync(join(part, 'file'), '');
    const again = await startRunner(own);
    expect(readdirSync(own.ARTEL_RUNNER_WORK_DIR)).toEqual([]);
    expect(readdirSync(join(runner.dataDir, 'runner-cache')).filter((name) => name.endsWith('.part'))).toEqual([]);
    process.kill(again.pid, 'SIGTERM');
    await again.exited;
    expect(readdirSync('/var/lib')).not.toContain(own.ARTEL_RUNNER_WORK_DIR.slice('/var/lib/'.length));
  });
});
