import { stripVTControlCharacters } from 'node:util';
import type { TestCounts } from '../../../../contract/executions/test-run.ts';

/** The lines of a log that are read, from its end. */
const maxLines = 400;
/** A longer line is no message of these (UTF-16 units). */
const maxLine = 400;
const maxName = 80;

/** The codes of a shell for a command that it cannot find, and for one that it cannot execute. */
const shellCodes = [126, 127];

/** Programs and packages that execute tests or are needed before the first one. A module of the project that is missing is a fault that agents mend. */
const testTools = new Set([
  ...['vitest', 'jest', 'jest-cli', 'mocha', 'ava', 'tap', 'tape', 'jasmine', 'karma', 'uvu', 'qunit', 'tsd', 'playwright', 'cypress'],
  ...[
    'xo',
    'eslint',
    'standard',
    'biome',
    'c8',
    'nyc',
    'cross-env',
    'del-cli',
    'rimraf',
    'run-s',
    'run-p',
    'npm-run-all',
    'turbo',
    'nx',
    'lerna',
  ],
  ...[
    'tsx',
    'ts-node',
    'ts-jest',
    'tsc',
    'typescript',
    'babel-jest',
    '@babel/core',
    '@swc/jest',
    '@swc/core',
    'esbuild',
    'vite',
    'jsdom',
    'happy-dom',
  ],
  ...['pytest', 'nose', 'nose2', 'tox', 'nox', 'coverage', 'unittest2', 'hypothesis', 'pip', 'uv', 'poetry', 'hatch', 'pdm'],
  ...['rspec', 'minitest', 'rake', 'bundler', 'bundle', 'cargo', 'cargo-nextest', 'go', 'gotestsum', 'make', 'just', 'mvn', 'gradle'],
  ...['npm', 'npx', 'pnpm', 'yarn', 'bun', 'deno', 'node', 'python', 'python3'],
]);

/** Reads what is missing from a line; null for another line. Empty: the line does not name it. */
type ReadName = (line: string) => string | null;

/**
 * What programs write that cannot begin. `certain`: the program says it of what it was told to execute. Else the name says whether it belongs to the
 * tests, or to the code that is tested.
 */
const messages: readonly { read: ReadName; certain: boolean }[] = [
  { read: notFoundByShell, certain: false },
  { read: (line) => between(line, 'env: ‘', '’: No such file') ?? between(line, "env: '", "': No such file"), certain: false },
  { read: (line) => (line.startsWith('command not found: ') ? after(line, 'command not found: ') : null), certain: false },
  { read: (line) => (line.startsWith('make') ? partBefore(line, ['No such file or directory']) : null), certain: true },
  // With "needed by" a file of the project is missing.
  { read: (line) => (line.includes("', needed by '") ? null : between(line, "*** No rule to make target '", "'.  Stop.")), certain: true },
  { read: (line) => between(line, 'Missing script: "', '"'), certain: true },
  { read: (line) => (line.includes('npx canceled due to missing packages') ? between(line, '["', '"]') : null), certain: true },
  { read: (line) => (line.includes('could not determine executable to run') ? '' : null), certain: true },
  { read: (line) => between(line, 'request to https://registry.npmjs.org/', ' failed'), certain: true },
  { read: (line) => (isPython(line) ? after(line, ': No module named ') : null), certain: true },
  { read: (line) => (isPython(line) ? between(line, ": can't open file '", "': ") : null), certain: true },
  { read: (line) => between(line, "ModuleNotFoundError: No module named '", "'"), certain: false },
  { read: (line) => between(line, "Cannot find module '", "'"), certain: false },
  { read: (line) => between(line, "Cannot find package '", "'"), certain: false },
  { read: (line) => between(line, "Cannot find dependency '", "'"), certain: false },
  { read: (line) => between(line, 'Test environment ', ' cannot be found'), certain: true },
  { read: (line) => after(line, 'bundler: command not found: '), certain: true },
  { read: (line) => after(line, 'cannot load such file -- '), certain: false },
  { read: (line) => between(line, 'error: no such command: `', '`'), certain: true },
];

/** Reads `sh: 1: xo: not found`, as shells write it. */
function notFoundByShell(line: string): string | null {
  const program = line.split(': ', 1)[0] ?? '';
  return program.endsWith('sh') || program === 'env' ? partBefore(line, ['not found', 'command not found']) : null;
}

/** Whether a line begins with the name of an interpreter: `/usr/bin/python3: `. */
function isPython(line: string): boolean {
  return line.split(': ', 1)[0]?.split('/').at(-1)?.startsWith('python') ?? false;
}

/** Returns the part before one of these ends of a line, between colons. */
function partBefore(line: string, ends: readonly string[]): string | null {
  const parts = line.split(': ');
  return ends.includes(parts.at(-1) ?? '') ? (parts.at(-2) ?? null) : null;
}

function after(line: string, start: string): string | null {
  const at = line.indexOf(start);
  return at < 0 ? null : (line.slice(at + start.length).split(' ', 1)[0] ?? null);
}

function between(line: string, start: string, end: string): string | null {
  const from = line.indexOf(start) + start.length;
  const to = from < start.length ? -1 : line.indexOf(end, from);
  return to < 0 ? null : line.slice(from, to);
}

type EndedCommand = { command: string; exitCode: number; counts: TestCounts | null; log: string };

/**
 * Returns what a test command lacks that ended before its first test: the name of a program, a package or a script. Null where tests have begun, or may
 * have. A command that cannot start says nothing about the code, and no agent mends it.
 */
export function readLack({ command, exitCode, counts, log }: EndedCommand): string | null {
  if (exitCode === 0 || (counts && counts.passed + counts.failed > 0)) return null;
  const isShellCode = shellCodes.includes(exitCode);
  const lines = stripVTControlCharacters(log).split('\n').slice(-maxLines);
  for (const line of lines) {
    const text = line.trim();
    if (text.length > maxLine) continue;
    for (const { read, certain } of messages) {
      const found = read(text);
      if (found === null) continue;
      const name = packageOf(found);
      if (certain || isShellCode || testTools.has(name)) return name === '' ? firstWord(command) : name.slice(0, maxName).toWellFormed();
    }
  }
  return isShellCode ? firstWord(command) : null;
}

/** Returns the package in a path of `node_modules`, and the first part of a module of Python; without a version. */
function packageOf(name: string): string {
  const inModules = name.split('node_modules/').at(-1) ?? name;
  if (inModules === name && (name.startsWith('.') || name.startsWith('/'))) return name;
  const [first = '', second = ''] = (inModules.startsWith('.bin/') ? inModules.slice('.bin/'.length) : inModules).split('/');
  if (first.startsWith('@')) return `${first}/${second.split('@')[0]}`;
  const unversioned = first.split('@')[0] ?? first;
  return inModules === name && /^[\w.]+$/.test(unversioned) ? (unversioned.split('.')[0] ?? unversioned) : unversioned;
}

function firstWord(command: string): string {
  return (command.trim().split(/\s+/)[0] ?? '').slice(0, maxName).toWellFormed();
}
