import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readOptions } from '../../../bench/server/options.ts';

const bench = join(import.meta.dirname, '../../../bench/server');

test('a quick look at the server leaves out what takes minutes, and --only names others', () => {
  const only = (...args: string[]) => readOptions(args, ['inputs', 'start']);
  expect(only('--quick')).toMatchObject({ quick: true, only: expect.not.arrayContaining(['inputs']) });
  expect(only('--quick')).toMatchObject({ only: { length: 9 } });
  expect(only('--quick', '--only', 'inputs')).toMatchObject({ quick: true, only: ['inputs'] });
  expect(only()).toMatchObject({ quick: false, only: [] });
});

test('a scenario writes its files one by one: a process may not have thousands open at once', () => {
  const writesAtOnce = /\bwriteFile\(/;
  const scenarios = globSync('scenarios/*.ts', { cwd: bench });
  expect(scenarios.length).toBeGreaterThan(10);
  expect(scenarios.filter((file) => writesAtOnce.test(readFileSync(join(bench, file), 'utf8')))).toEqual([]);
});
