import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Figure } from '../../../bench/figure.ts';
import { formatFigures } from '../../../bench/figure-report.ts';
import { goalRecords, goalSentences } from '../../../bench/goal-report.ts';
import { goals, toward } from '../../../bench/server/goals.ts';

const folder = join(import.meta.dirname, '../../../bench/server/scenarios');

const beside = [{ name: 'with models', value: 100 }];
const figures: Figure[] = [
  toward(goals.runRate, { what: 'runs', unit: 'runs/s', value: 28, beside }),
  toward(goals.commandRate, { what: 'commands', unit: 'commands/s', value: 700 }),
  toward(goals.idleMemory, { what: 'idle', unit: 'MB', value: 194 }),
  { what: 'sockets', unit: 'messages/s', value: 1 },
];

test('the table has the goal beside its figure and says whether it is missed; a peer gives the measure of a multiple', () => {
  const lines = formatFigures(figures).split('\n');
  expect(lines[1]).toMatch(/^runs +28 runs\/s +0\.95 x with models or more +MISSED: 0\.28 +0\.28 x with models \(100\)$/);
  expect(lines[2]).toMatch(/^commands +700 commands\/s +650 commands\/s or more +reached$/);
  expect(lines[3]).toMatch(/^idle +194 MB +160 MB at most +MISSED: 194$/);
  expect(lines[4]).toMatch(/^sockets +1 messages\/s$/);
});

test('the report names the missed goals and those without a figure', () => {
  const { runRate, commandRate, idleMemory, canvasSave } = goals;
  expect(goalSentences({ runRate, commandRate, idleMemory, canvasSave }, figures)).toEqual([
    'Goals: 1 of 4 reached.',
    'Goals missed: runs-16: five-step runs, 16 in flight; start: memory, idle.',
    'Goals not measured: canvas: canvas of 5,000 nodes saved.',
  ]);
  expect(goalSentences({}, figures)).toEqual([]);
});

test('the line of JSON has each goal with its value, and null for one without a figure', () => {
  const { runRate, canvasSave } = goals;
  expect(goalRecords({ runRate, canvasSave }, figures)).toEqual([
    { name: 'runRate', ...runRate, value: 0.28, reached: false },
    { name: 'canvasSave', ...canvasSave, value: null, reached: null },
  ]);
});

test('a goal is not measured if its peer was not, or if no call ended in time', () => {
  const alone = [
    toward(goals.runRate, { what: 'runs', unit: 'runs/s', value: 200 }),
    toward(goals.branches, { what: '64 branches', unit: 'ms', value: Number.NaN }),
  ];
  expect(goalSentences({ runRate: goals.runRate, branches: goals.branches }, alone)).toEqual([
    'Goals: 0 of 2 reached.',
    'Goals not measured: runs-16: five-step runs, 16 in flight; graphs: 64 branches, model answers in 50 ms.',
  ]);
  expect(formatFigures(alone).match(/not measured/g)).toHaveLength(2);
});

test('each goal has one figure, in the file of its scenario', () => {
  const sources = globSync('*.ts', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'));
  const found = Object.entries(goals).map(([name, { scenario }]) => ({
    name,
    files: sources.filter((source) => source.includes(`name: '${scenario}'`) && source.split(`goals.${name},`).length === 2).length,
    uses: sources.reduce((sum, source) => sum + source.split(`goals.${name},`).length - 1, 0),
  }));
  expect(found.filter(({ files, uses }) => files !== 1 || uses !== 1)).toEqual([]);
});

test('the guide for contributors names each scenario with the folders whose changes it measures, and no other', () => {
  const root = join(folder, '../../..');
  const guide = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const named = new Set([...guide.matchAll(/`server ([\w,-]+)`/g)].flatMap(([, names = '']) => names.split(',')));
  const sources = [join(folder, '../run.ts'), ...globSync(join(folder, '*.ts'))].map((file) => readFileSync(file, 'utf8'));
  const scenarios = sources.flatMap((source) => [...source.matchAll(/^ {2,4}name: '([\w-]+)',$/gm)].map(([, name = '']) => name));
  expect(scenarios.length).toBeGreaterThan(15);
  expect([...named].toSorted()).toEqual(scenarios.toSorted());
});
