import type { Db } from './database.ts';
import {
  and,
  eq,
  getTableColumns,
  getTableName,
  type PgColumn,
  type PgTable,
  type PgUpdateSetSource,
  type SelectedFields,
  type SelectResultFields,
  type SQL,
  sql,
} from './drizzle.ts';

/**
 * `owner`: the column with the id of the account or the project. `where`: which of its rows are meant, where not all are. `turn`: what the lock
 * of a count is named by, where that is not the table: earlier releases beside this one lock the same name.
 */
type Owned<Columns> = { owner: PgColumn; order: SQL[]; where?: SQL; columns?: Columns; turn?: string };

/** Reads and counts the rows of a table by their owner. Every statement names it, so that a foreign row is like a missing one. */
export function ownedRows<Table extends PgTable & { id: PgColumn }, Columns extends SelectedFields = Table['_']['columns']>(
  table: Table,
  { owner, order, where, columns, turn = getTableName(table) }: Owned<Columns>,
) {
  type Row = SelectResultFields<Columns>;
  const shown: SelectedFields = columns ?? getTableColumns(table);
  const of = (ownerId: string, id?: string) => and(id === undefined ? undefined : eq(table.id, id), eq(owner, ownerId), where);
  const select = (db: Db, condition: SQL | undefined) =>
    db
      .select(shown)
      .from(table as PgTable)
      .where(condition);
  const first = (rows: readonly unknown[]) => (rows[0] ?? null) as Row | null;
  return {
    /** Returns the rows in their order. `more`: a further condition. */
    list: async (db: Db, ownerId: string, more?: SQL) => (await select(db, and(of(ownerId), more)).orderBy(...order)) as Row[],

    find: async (db: Db, ownerId: string, id: string) => first(await select(db, of(ownerId, id))),

    /** Like `find`, and locks the row until the transaction ends. */
    lock: async (tx: Db, ownerId: string, id: string) => first(await select(tx, of(ownerId, id)).for('update')),

    update: async (db: Db, ownerId: string, id: string, change: PgUpdateSetSource<Table>) =>
      first(
        await db
          .update(table as PgTable)
          .set(change)
          .where(of(ownerId, id))
          .returning(shown as typeof table._.columns),
      ),

    /** Returns whether there was such a row. */
    remove: async (db: Db, ownerId: string, id: string) => ((await db.delete(table).where(of(ownerId, id))).rowCount ?? 0) > 0,

    /** Counts the rows in a transaction. No other one counts those of this owner until it ends, so that none is added beyond a limit. */
    countAlone: async (tx: Db, ownerId: string, more?: SQL) => {
      await lockByName(tx, `${turn} ${ownerId}`);
      return tx.$count(table, and(of(ownerId), more));
    },
  };
}

/** Locks a name until the transaction ends: another one that locks it waits. */
export async function lockByName(tx: Db, name: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}

/** Reads a page of rows, and how many there are in all. */
export async function readPage<Table extends PgTable, Columns extends SelectedFields = Table['_']['columns']>(
  db: Db,
  { table, columns, where, order }: { table: Table; columns?: Columns; where: SQL | undefined; order: SQL[] },
  { limit, offset }: { limit: number; offset: number },
): Promise<{ items: SelectResultFields<NoInfer<Columns>>[]; total: number }> {
  const [items, total] = await Promise.all([
    db
      .select((columns ?? getTableColumns(table)) as SelectedFields)
      .from(table as PgTable)
      .where(where)
      .orderBy(...order)
      .limit(limit)
      .offset(offset),
    db.$count(table, where),
  ]);
  return { items: items as SelectResultFields<NoInfer<Columns>>[], total };
}
