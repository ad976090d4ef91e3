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

/**
 * What programs write that cannot begin. `certain`: the program says it of what it was told to execute. Else the name says whether it belongs to the
 * tests, or to the code that is tested.
 */
const messages: readonly { line: RegExp; certain: boolean }[] = [
  { line: /^(?:\S*sh|env|bash|dash)(?:: line \d+|: \d+)?: (\S+): (?:command )?not found$/, certain: false },
  { line: /^(?:\S*\/)?env: ['‘](\S+)['’]: No such file or directory$/, certain: false },
  { line: /^command not found: (\S+)$/, certain: false },
  { line: /^make(?:\[\d+\])?: (\S+): No such file or directory$/, certain: true },
  { line: /^make: \*\*\* No rule to make target ['‘`](\S+)['’]\. {2}Stop\.$/, certain: true },
  { line: /^npm (?:error|ERR!) Missing script: "(\S+)"$/, certain: true },
  {
    line: /^npm (?:error|ERR!) (?:npx canceled due to missing packages.*\["([^"]+)"|could not determine executable to run)/,
    certain: true,
  },
  { line: /^npm (?:error|ERR!) request to https:\/\/registry\.npmjs\.org\/(\S+) failed/, certain: true },
  { line: /^\S*python[\d.]*: No module named (\S+)$/, certain: true },
  { line: /^\S*python[\d.]*: can't open file '(\S+)': /, certain: true },
  { line: /^(?:E\s+)?ModuleNotFoundError: No module named '(\S+)'$/, certain: false },
  { line: /\bCannot find (?:module|package|dependency) '([^'\s]+)'/, certain: false },
  { line: /\bTest environment (\S+) cannot be found\b/, certain: true },
  { line: /^bundler: command not found: (\S+)$/, certain: true },
  { line: /\bcannot load such file -- (\S+)/, certain: false },
  { line: /^error: no such command: `(\S+)`$/, certain: true },
];

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
    for (const { line: message, certain } of messages) {
      const found = message.exec(text);
      if (!found) continue;
      const name = packageOf(found[1] ?? '');
      if (certain || isShellCode || testTools.has(name)) return name === '' ? firstWord(command) : name.slice(0, maxName);
    }
  }
  return isShellCode ? firstWord(command) : null;
}

/** Returns the package in a path of `node_modules`, and the first part of a module of Python; without a version. */
function packageOf(name: string): string {
  const [, inModules] = /node_modules\/(?:\.bin\/)?((?:@[^/]+\/)?[^/]+)/.exec(name) ?? [];
  if (inModules !== undefined) return inModules;
  if (/^[./]/.test(name)) return name;
  const [, scoped = name] = /^((?:@[^/@]+\/)?[^/@]+)/.exec(name) ?? [];
  return /^[\w.]+$/.test(scoped) ? (scoped.split('.')[0] ?? scoped) : scoped;
}

function firstWord(command: string): string {
  return (command.trim().split(/\s+/)[0] ?? '').slice(0, maxName);
}
