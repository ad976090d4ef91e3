import { createRequire } from 'node:module';

/**
 * Drizzle, as the server uses it. Its ES modules import each other in circles, which costs Node 0.3 s of a processor at every start. Its
 * CommonJS modules load in a quarter of that. A test checks that a started server has loaded none of its ES modules.
 */
const load = createRequire(import.meta.url);
const orm = load('drizzle-orm') as typeof import('drizzle-orm');
const columns = load('drizzle-orm/pg-core') as typeof import('drizzle-orm/pg-core');
const driver = load('drizzle-orm/node-postgres') as typeof import('drizzle-orm/node-postgres');

export const {
  and,
  asc,
  avg,
  count,
  countDistinct,
  desc,
  eq,
  getTableColumns,
  getTableName,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  max,
  ne,
  notInArray,
  or,
  sql,
  TransactionRollbackError,
} = orm;
export const { bigint, boolean, customType, doublePrecision, integer, jsonb, pgTable, primaryKey, smallint, text, timestamp, uuid } =
  columns;
export const { drizzle } = driver;

/** A column of a moment: the database stores UTC. */
export const moment = (name: string) => columns.timestamp(name, { withTimezone: true });
/** A column of a number beyond 32 bits that JavaScript can hold. */
export const figure = (name: string) => columns.bigint(name, { mode: 'number' });

export type { SQL } from 'drizzle-orm';
export type { NodePgDatabase, NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
export type {
  PgColumn,
  PgInsertBase,
  PgInsertValue,
  PgTable,
  PgUpdateSetSource,
  SelectedFields,
} from 'drizzle-orm/pg-core';
export type { SelectResultFields } from 'drizzle-orm/query-builders/select.types';
