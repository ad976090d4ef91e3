import { glob, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { writeStatement } from '../../../../server/platform/database/statement.ts';
import { distinct, lastOfEach, mapRows, recordset } from '../../../../server/platform/database/unique-rows.ts';

const keyOf = ({ key }: { key: string }) => key;
const rows = [
  { key: 'a', value: 1 },
  { key: 'b', value: 2 },
  { key: 'a', value: 3 },
];

test('G8.21 the last of several rows with one key is taken, or all rows are refused', () => {
  expect(lastOfEach(rows, keyOf)).toEqual([
    { key: 'a', value: 3 },
    { key: 'b', value: 2 },
  ]);
  expect(() => distinct(rows, keyOf)).toThrow('Two rows of one statement have the key "a".');
  expect(() => distinct(rows, ({ value }) => value, keyOf)).toThrow('"a"');
  expect(distinct(rows, ({ value }) => value)).toEqual(rows);
});

test('G8.21 rows with unique keys are sent as one value of the statement', () => {
  const unique = mapRows(lastOfEach(rows, keyOf), ({ key }) => ({ key }));
  expect(writeStatement((place) => recordset(unique, { name: 'one', shape: 'key text', place }))).toEqual({
    text: 'jsonb_to_recordset($1::jsonb) AS one (key text)',
    values: ['[{"key":"a"},{"key":"b"}]'],
  });
});

/** SQL that makes rows of a value and may stand outside `unique-rows.ts`, with the reason why its keys are unique or do not matter. */
const elsewhere: Record<string, string> = {
  'server/modules/agents/repository.ts': 'only reads',
  'server/modules/agents/service.ts': 'only reads',
  'server/modules/budgets/recount-calls.ts': 'rows that SQL has aggregated by their key',
  'server/modules/connections/repository.ts': 'only reads',
  'server/modules/executions/forks/needs-of-steps.ts': 'only reads',
  'server/modules/executions/tools/stored-turns.ts': 'only reads',
  'server/modules/executions/recover-executions.ts': 'ids of rows that were selected and locked',
  'server/modules/hooks/deliveries.ts': 'ids of rows that were selected and locked',
  'server/modules/inputs/bases/base-neighbours.ts': 'only reads',
  'server/modules/inputs/bases/list-files.ts': 'only reads',
  'server/modules/inputs/input-files.ts': 'only reads',
  'server/modules/inputs/prompt-files/read-prompt-files.ts': 'only reads',
  'server/modules/projects/versions/named-records.ts': 'the keys of a JSON object, or of a Map',
  'server/modules/projects/versions/state-at.ts': 'only reads',
  'server/modules/projects/versions/stored-patches.ts': 'only reads',
  'server/modules/team-versions/team-sql.ts': 'only reads',
  'server/modules/triggers/clock-jobs.ts': 'ids of rows that were selected and locked',
  'server/modules/triggers/service.ts': 'only reads',
  'server/platform/database/backup/own-tables.ts': 'only reads',
  'server/platform/database/backup/take-backup.ts': 'only reads',
  'server/platform/llm/model-traits.ts': 'distinct names of one JSON value',
  'server/platform/work-queue/pg-boss/job-table.ts': 'jobs by the ids under which this process holds them',
};

test('G8.21 each statement that makes rows of a value takes rows with unique keys', async () => {
  const makesRows =
    /\b(unnest|json_each|jsonb_each\w*|jsonb?_array_elements\w*|jsonb?_to_recordset|jsonb?_populate_recordset|json_table)\s*\(/i;
  const found: string[] = [];
  for await (const path of glob('server/**/*.ts')) if (makesRows.test(await readFile(path, 'utf8'))) found.push(path.replaceAll('\\', '/'));
  const known = [...Object.keys(elsewhere), 'server/platform/database/unique-rows.ts'];
  expect(found.toSorted()).toEqual(known.toSorted());
});

test('G8.21 an INSERT that is written by hand has one row of values', async () => {
  const found: string[] = [];
  for await (const path of glob('server/**/*.ts')) {
    const text = await readFile(path, 'utf8');
    for (const [values] of text.matchAll(/\bVALUES\b[^;]{0,400}/g))
      if (/\)\s*,\s*\(|join\(/.test(values.split(/ON CONFLICT|`/)[0] ?? '')) found.push(path);
  }
  expect(found).toEqual([]);
});
