import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunnerProcess, sandboxes, startRunner } from '../../support/runner/start-runner.ts';

const archive = zipSync({
  'a.txt': strToU8('now\n'),
  'new.txt': strToU8('new\n'),
  'run.sh': [strToU8('#!/bin/sh\n'), { os: 3, attrs: 0o100755 << 16 }],
});
/** A Node that ends by itself before its output is read. */
const node = (program: string) => `node -e "${program}"`;
const lines = "for (let i = 0; i < 200000; i++) console.log('line ' + i); console.log('END'); process.exit(2)";

describe.each(sandboxes)('in the sandbox %s', (sandbox) => {
  let runner: RunnerProcess;
  beforeAll(async () => {
    runner = await startRunner({ ARTEL_RUNNER_SANDBOX: sandbox });
  });
  afterAll(() => runner?.stop());
  const logOf = async (command: string) => (await runner.execute({ command, archive })).log;

  test.for<[string, string, number]>([
    ['lines', node(lines), 2],
    ['one piece', node("process.stdout.write('a'.repeat(2000000)); console.log('END'); process.exit(2)"), 2],
    ['the standard error', node("process.stderr.write('a'.repeat(2000000)); console.error('END'); process.exit(2)"), 2],
    ['a pipe of the shell', `${node(lines)} | cat`, 0],
    ['Python', `python3 -c "import os, sys; sys.stdout.write('a' * 2000000); print('END', flush=True); os._exit(2)"`, 2],
  ])('C5.14 all that a command writes before it ends is in its log: %s', async ([, command, exitCode]) => {
    const end = await runner.execute({ command, archive });
    expect(end).toMatchObject({ exitCode });
    expect(end.log.length).toBeGreaterThan(2_000_000);
    expect(end.log.slice(-5)).toBe('\nEND\n'.slice(-5).replace(/^\n/, end.log.at(-5) ?? ''));
  });

  test('C5.14 a command opens its output by name, and what it leaves running holds up no job', async () => {
    expect(await logOf('echo x > /dev/stdout; echo y > /dev/stderr; echo z | tee /dev/stderr >/dev/null; sleep 60 & echo w')).toBe(
      'x\ny\nz\nw\n',
    );
  });

  test('C5.15 a job has what each CI has: a user with a name, an address of its host, and no wait for a registry', async () => {
    expect(await logOf(node("console.log(require('os').userInfo().username)"))).toBe('job\n');
    expect(await logOf('whoami; id -gn; test "$HOME" = "$(getent passwd "$(id -u)" | cut -d: -f6)" && echo home')).toBe('job\njob\nhome\n');
    expect(await logOf(node("require('dns').lookup(require('os').hostname(), (e, address) => console.log(e || address))"))).toBe(
      '127.0.0.1\n',
    );
    const { exitCode, log } = (await runner.execute({ command: 'npx --yes no-such-package-of-the-tests', archive })) as {
      exitCode: number;
      log: string;
    };
    expect(exitCode).toBe(1);
    expect(log).toContain('ENOTCACHED');
  });

  test('C5.15 the files are a repository whose commit is the base, and whose index has them as they are', async () => {
    const base = { archive: zipSync({ 'a.txt': strToU8('before\n'), 'gone.txt': strToU8('gone\n') }), added: ['new.txt'] };
    const command =
      'git status --porcelain; git show HEAD:a.txt; git ls-files; git diff --exit-code && echo same; git log --format=%an; ls';
    const { log } = await runner.execute({ command, archive, base });
    expect(log).toBe('M  a.txt\nD  gone.txt\nA  new.txt\nbefore\na.txt\nnew.txt\nrun.sh\nsame\njob\na.txt\nnew.txt\nrun.sh\n');
    expect(
      await logOf(
        'git status --porcelain; git ls-files -s run.sh | cut -d" " -f1; git commit -qm x --allow-empty && git rev-list --count HEAD',
      ),
    ).toBe('100755\n2\n');
  });

  test('C5.15 files that Git ignores or reads as options are in the commit, and a repository that a job brings stays as it is', async () => {
    const odd = zipSync({ '.gitignore': strToU8('*\n'), '-f': strToU8('x'), ':(top)x': strToU8('x'), имя: strToU8('x') });
    const listed = await runner.execute({
      command: 'git -c core.quotePath=off ls-tree --name-only HEAD; git status --short',
      archive: odd,
      base: { archive: null, added: ['-f'] },
    });
    expect(listed.log).toBe('.gitignore\n:(top)x\nимя\nA  -f\n');
    const own = zipSync({ '.git/config': strToU8('[core]\n\tfsmonitor = "touch /tmp/executed; false"\n'), 'a.txt': strToU8('a') });
    expect((await runner.execute({ command: 'ls /tmp; ls -A .git', archive: own })).log).toBe('config\n');
  });

  test('C5.15 where Git refuses the files the log says that there is no repository, and the command is executed', async () => {
    const files = zipSync({ '.gitattributes': strToU8('* working-tree-encoding=no-such-encoding\n'), 'a.txt': strToU8('é') });
    const end = await runner.execute({ command: 'test -e .git || echo none', archive: files });
    expect(end).toMatchObject({ exitCode: 0 });
    expect(end.log).toMatch(/The runner made no Git repository of the files: .*\nnone\n$/s);
  });

  test('C5.15 a base that is refused ends no job: the commit has the files as they are', async () => {
    const base = { archive: zipSync({ z: new Uint8Array(40 * 1_024 * 1_024) }), added: [] };
    const end = await runner.execute({ command: 'git rev-list --count HEAD', archive: zipSync({ 'a.txt': strToU8('a') }), base });
    expect(end).toMatchObject({ exitCode: 0 });
    expect(end.log).toMatch(/as they are, not their base: .*\n1\n$/);
  });

  test('C5.09 an install step that is longer than the system takes fails as one, and a second job is as well off', async () => {
    const names = Array.from({ length: 300 }, (_, at) => `"a${at}${"'".repeat(250)}"`);
    const archive = zipSync({ 'pyproject.toml': strToU8(`[project]\nname = "a"\nversion = "1"\ndependencies = [${names.join(', ')}]\n`) });
    for (const _ of [1, 2]) expect(await runner.execute({ command: 'true', archive })).toMatchObject({ reason: 'install_failed' });
    expect(await runner.execute({ command: 'true', archive: zipSync({ 'a.txt': strToU8('a') }) })).toMatchObject({ exitCode: 0 });
  });
});
