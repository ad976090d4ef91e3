import { expect, test } from 'vitest';
import { readLack } from '../../../../server/modules/executions/test-runs/read-lack.ts';

const lackOf = (exitCode: number, log: string, command = 'npm test', counts: Parameters<typeof readLack>[0]['counts'] = null) =>
  readLack({ command, exitCode, counts, log });

test.for<[name: string, exitCode: number, log: string, missing: string]>([
  ['npm', 127, '> p-queue@9.3.5 test\n> xo && ava\n\nsh: 1: xo: not found\n', 'xo'],
  ['pnpm', 1, 'sh: 1: vitest: not found\n\u2009ELIFECYCLE\u2009 Test failed. See above for more details.\n', 'vitest'],
  ['Yarn', 127, '/bin/sh: 1: jest: not found\nerror Command failed with exit code 127.\n', 'jest'],
  ['later Yarn', 1, 'command not found: mocha\n', 'mocha'],
  ['Bash', 127, '/bin/bash: line 1: ./run-tests: command not found\n', './run-tests'],
  ['make', 2, 'make: tox: No such file or directory\nmake: *** [Makefile:2: test] Error 127\n', 'tox'],
  ['make without such a target', 2, "make: *** No rule to make target 'check'.  Stop.\n", 'check'],
  ['npm without such a script', 1, 'npm error Missing script: "test"\nnpm error\n', 'test'],
  ['npx', 1, 'npm error code EAI_AGAIN\nnpm error request to https://registry.npmjs.org/vitest failed, reason: getaddrinfo\n', 'vitest'],
  ['Python', 1, '/usr/bin/python3: No module named pytest\n', 'pytest'],
  ['a file of Python', 1, "ModuleNotFoundError: No module named 'pytest'\n", 'pytest'],
  ['Node', 1, "\u001b[31mError\u001b[39m: Cannot find module '/work/node_modules/jest/bin/jest.js'\n", 'jest'],
  ['a loader of Node', 1, "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'tsx' imported from /work/\n", 'tsx'],
  ['Vitest', 1, " MISSING DEPENDENCY  Cannot find dependency 'jsdom'\n", 'jsdom'],
  ['Jest', 1, '  Test environment jest-environment-jsdom cannot be found. Make sure\n', 'jest-environment-jsdom'],
  ['Cargo', 101, 'error: no such command: `nextest`\n', 'nextest'],
  ['a shell that says nothing', 127, '', 'npm'],
])('C5.10 a command that cannot start is told from one whose tests fail: %s', ([, exitCode, log, missing]) => {
  expect(lackOf(exitCode, log)).toBe(missing);
});

test.for<[name: string, exitCode: number, log: string]>([
  ['all is well', 0, 'sh: 1: xo: not found\n'],
  ['a test fails', 1, 'not ok 1 - adds\n'],
  ['a module of the project is missing', 1, "Error: Cannot find module './days.js'\n"],
  ['a package of the project is missing', 1, "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'lodash' imported from /work/src/a.js\n"],
  ['a module of Python is missing', 1, "ModuleNotFoundError: No module named 'shop.cart'\n"],
  ['a test prints what a shell does', 1, 'sh: 1: frobnicate: not found\n'],
  ['a line has no end', 1, `sh: 1: ${'x'.repeat(100_000)}: not found`],
  ['a file that others are made of is missing', 2, "make: *** No rule to make target 'cart.h', needed by 'cart.o'.  Stop.\n"],
])('C5.10 a fault that agents mend is a failed test: %s', ([, exitCode, log]) => {
  expect(lackOf(exitCode, log)).toBeNull();
});

test('C5.10 a command that has counted tests lacks no program, since it has started', () => {
  expect(lackOf(127, 'sh: 1: tsd: not found\n', 'npm test', { passed: 3, failed: 0 })).toBeNull();
  expect(lackOf(127, 'sh: 1: tsd: not found\n', 'npm test', { passed: 0, failed: 0 })).toBe('tsd');
});

test('C5.10 the name of a missing program is cut between whole characters, so that it can be stored', () => {
  expect(lackOf(127, `sh: 1: ${'x'.repeat(79)}\u{1f600}: not found\n`)?.isWellFormed()).toBe(true);
});
