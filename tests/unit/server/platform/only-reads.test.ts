import { expect, test } from 'vitest';
import { isReadOnly } from '../../../../server/platform/database/serving-pool.ts';

test.each([
  'select "id", "updated_at", "deleted" from "projects" where "share_count" = $1',
  '\n  SELECT 1',
  'WITH one AS (SELECT 1) SELECT * FROM one',
  "SELECT current_setting('transaction_read_only')",
])('R10.01 %j only reads', (text) => {
  expect(isReadOnly(text)).toBe(true);
});

test.each([
  'INSERT INTO nodes (id) VALUES ($1)',
  'update "projects" set "name" = $1',
  'WITH changed AS (UPDATE executions SET seq = seq + 1 RETURNING id) SELECT * FROM changed',
  'select "id" from "projects" where "id" = $1 for update',
  'select "id" from "projects" FOR NO KEY UPDATE',
  'SELECT id FROM projects FOR KEY SHARE',
  "SELECT nextval('numbers')",
  'SELECT pg_try_advisory_xact_lock($1)',
  'begin',
  'LOCK TABLE nodes',
])('R10.01 %j may write or wait for a lock', (text) => {
  expect(isReadOnly(text)).toBe(false);
});
