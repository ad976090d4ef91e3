import { type ResultItem, type ResultStatistics, resultItem } from '../../../contract/executions/result.ts';
import { writtenWords } from '../../../rules/text/search-key.ts';
import type { Db } from '../../platform/database/database.ts';
import { and, count, eq, getTableColumns, gte, inArray, isNull, lt, or, type SQL, sql } from '../../platform/database/drizzle.ts';
import { excerptOf } from '../../platform/database/excerpt-of.ts';
import { insertion, type SqlFragment } from '../../platform/database/statement.ts';
import { viewOf } from '../../platform/database/view-of.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { results } from './tables.ts';

/** The answer of a run's last step. The names fit a select from `results` and what a write of it returns. */
const answerOfRun = sql<string | null>`(SELECT step.result FROM execution_steps AS step
  WHERE step.execution_id = results.pipeline_execution_id AND step.result IS NOT NULL
  ORDER BY step.kind NULLS FIRST, step.order_index DESC, step.round DESC, step.item DESC LIMIT 1)`;
const shownResult = sql<string>`coalesce(results.final_result, ${answerOfRun}, '')`;

/** All columns but what searches read, with the result as it is shown. */
const { searchText, answerSearchText, finalResult: _own, ...stored } = getTableColumns(results);
const ofFork = {
  parentExecutionId: sql<string | null>`(SELECT parent_id FROM executions WHERE id = results.pipeline_execution_id)`,
  forkedAt: sql<Date | null>`(SELECT forked_at FROM executions WHERE id = results.pipeline_execution_id)`.mapWith(results.createdAt),
  publishedBranch: sql<string | null>`(SELECT branch FROM publications WHERE execution_id = results.pipeline_execution_id)`,
  followsExecutionId: sql<string | null>`(SELECT follows->>'executionId' FROM input_sets WHERE id =
    (SELECT input_set_id FROM executions WHERE id = results.pipeline_execution_id))`,
};
/** The runs of a trigger have its key. */
const ofTrigger = {
  trigger: sql<{ id: string; name: string } | null>`(SELECT json_build_object('id', triggers.id, 'name', triggers.name)
    FROM executions JOIN triggers ON triggers.key_id = executions.key_id WHERE executions.id = results.pipeline_execution_id)`,
};
const columns = { ...stored, ...ofFork, ...ofTrigger, finalResult: shownResult };
/** The characters of a result in a list. A call for one item returns all of it. */
export const listedFinalResult = 1_000;
const { excerpt, isCut } = excerptOf(shownResult, listedFinalResult);
const listed = { ...stored, ...ofFork, ...ofTrigger, finalResult: sql<string>`${excerpt}`, finalResultIsCut: isCut };

export type ResultRow = Omit<typeof results.$inferSelect, 'searchText' | 'answerSearchText' | 'finalResult'> & {
  finalResult: string;
  parentExecutionId: string | null;
  forkedAt: Date | null;
  followsExecutionId: string | null;
  publishedBranch: string | null;
  trigger: { id: string; name: string } | null;
};
export type NewResult = typeof results.$inferInsert;

export type ResultFilter = {
  type?: ResultItem['type'] | undefined;
  status?: ResultItem['status'] | undefined;
  /** Each of its words is searched in request, result, summary and tags, in any case. */
  text?: string | undefined;
  /** Each is searched in the tags, in any case. */
  tags?: readonly string[] | undefined;
  from?: Date | undefined;
  before?: Date | undefined;
  triggerId?: string | undefined;
};
/** The largest accepted number in metadata. */
const largestTold = 1_000_000_000_000;
type Page = { limit: number; offset: number };

/** History items as their owner sees them. */
export function resultRepository(db: Db) {
  const ofOwner = (userId: OwnerId) => and(eq(results.userId, userId), isNull(results.removedAt));
  return {
    /** Newest first. A text is searched once, for the page and the total together. */
    async list(userId: OwnerId, projectId: string, filter: ResultFilter, { limit, offset }: Page) {
      const here = and(ofOwner(userId), eq(results.projectId, projectId), ...conditionsOf(filter));
      const newestFirst = sql`created_at DESC, id DESC`;
      const [found] = (
        await db.execute<{ total: number; ids: string[] }>(sql`
          WITH found AS MATERIALIZED (SELECT id, created_at FROM ${results} WHERE ${here})
          SELECT (SELECT count(*)::integer FROM found) AS total,
            ARRAY(SELECT id FROM found ORDER BY ${newestFirst} LIMIT ${limit} OFFSET ${offset}) AS ids`)
      ).rows;
      if (!found) throw new Error('A count has no row.');
      if (found.ids.length === 0) return { items: [], total: found.total };
      const rows = await db.select(listed).from(results).where(inArray(results.id, found.ids)).orderBy(newestFirst);
      const items = rows.map(({ finalResultIsCut, ...row }) => ({ ...toResultItem(row), ...(finalResultIsCut && { finalResultIsCut }) }));
      return { items, total: found.total };
    },

    statistics: (userId: OwnerId, projectId: string) => readStatistics(db, and(ofOwner(userId), eq(results.projectId, projectId))),

    async find(userId: OwnerId, id: string): Promise<ResultItem | null> {
      const [row] = await db
        .select(columns)
        .from(results)
        .where(and(eq(results.id, id), ofOwner(userId)));
      return row ? toResultItem(row) : null;
    },

    /** Returns the owner's item, locked until the transaction ends. */
    async lock(userId: OwnerId, id: string): Promise<ResultRow | null> {
      const here = and(eq(results.id, id), ofOwner(userId));
      return (await db.select(columns).from(results).where(here).for('update'))[0] ?? null;
    },

    /** Returns the item of an execution, removed or not, locked until the transaction ends. */
    async lockByExecution(executionId: string): Promise<ResultRow | null> {
      const [row] = await db.select(columns).from(results).where(eq(results.pipelineExecutionId, executionId)).for('update');
      return row ?? null;
    },

    /** Creates the item of an execution. Null when another writer was first. */
    async insert(item: NewResult): Promise<ResultRow | null> {
      const finalResult = ownResult(item.finalResult, item.pipelineExecutionId);
      const [row] = await db
        .insert(results)
        .values({ ...item, finalResult })
        .onConflictDoNothing({ target: results.pipelineExecutionId })
        .returning(columns);
      return row ?? null;
    },

    async update(id: string, change: Partial<NewResult>): Promise<ResultRow> {
      const [row] = await db
        .update(results)
        .set({
          ...change,
          ...(change.finalResult !== undefined && { finalResult: ownResult(change.finalResult, sql`results.pipeline_execution_id`) }),
          updatedAt: new Date(),
        })
        .where(eq(results.id, id))
        .returning(columns);
      if (!row) throw new Error('The history item was not stored.');
      return row;
    },

    async remove(userId: OwnerId, id: string): Promise<boolean> {
      const removed = await db
        .update(results)
        .set({ removedAt: new Date(), updatedAt: new Date() })
        .where(and(eq(results.id, id), ofOwner(userId)))
        .returning({ id: results.id });
      return removed.length > 0;
    },
  };
}

/** Counts items by their status, and sums what clients have told of them. */
async function readStatistics(db: Db, here: SQL | undefined): Promise<ResultStatistics> {
  const withStatus = (status: ResultItem['status']) => count(sql`CASE WHEN ${results.status} = ${status} THEN 1 END`);
  const told = sql`${results.metadata}::jsonb`;
  // Clients write the metadata: only numbers are counted.
  const number = (value: SQL) =>
    sql`CASE WHEN jsonb_typeof(${value}) = 'number' AND (${value})::numeric BETWEEN 0 AND ${largestTold} THEN (${value})::float8 END`;
  const [row] = await db
    .select({
      total: count(),
      processing: withStatus(1),
      completed: withStatus(2),
      failed: withStatus(3),
      cancelled: withStatus(4),
      averageExecutionTime: sql<number | null>`avg(${number(sql`${told} -> 'executionTime'`)}) FILTER (WHERE ${results.status} = 2)`,
      totalTokens: sql<number>`coalesce(sum(${number(sql`${told} -> 'tokenUsage' -> 'totalTokens'`)}), 0)::float8`,
      firstAt: sql<Date | null>`min(${results.createdAt})`.mapWith(results.createdAt),
      lastAt: sql<Date | null>`max(${results.createdAt})`.mapWith(results.createdAt),
    })
    .from(results)
    .where(here);
  if (!row) throw new Error('A count has no row.');
  const { averageExecutionTime, firstAt, lastAt, ...counts } = row;
  const ended = counts.completed + counts.failed + counts.cancelled;
  return {
    ...counts,
    successRate: ended === 0 ? null : Math.round((counts.completed / ended) * 100),
    averageExecutionTime: averageExecutionTime === null ? null : Math.round(averageExecutionTime),
    firstAt: firstAt?.toISOString() ?? null,
    lastAt: lastAt?.toISOString() ?? null,
  };
}

function conditionsOf({ type, status, text, tags = [], from, before, triggerId }: ResultFilter): (SQL | undefined)[] {
  const holds = (column: SQL, sought: string) => sql<boolean>`strpos(${column}, search_key(${sought})) > 0`;
  return [
    type === undefined ? undefined : eq(results.type, type),
    status === undefined ? undefined : eq(results.status, status),
    from === undefined ? undefined : gte(results.createdAt, from),
    before === undefined ? undefined : lt(results.createdAt, before),
    triggerId === undefined
      ? undefined
      : sql`${results.pipelineExecutionId} IN
          (SELECT executions.id FROM executions JOIN triggers ON triggers.key_id = executions.key_id WHERE triggers.id = ${triggerId})`,
    ...tags.map((tag) => holds(sql`search_key(${results.tags})`, tag)),
    ...writtenWords(text ?? '').map((word) => or(holds(sql`${searchText}`, word), holds(sql`${answerSearchText}`, word))),
  ];
}

/** A result to store; null if it is the answer of the run, which its last step has. */
function ownResult(text: string | null | undefined, executionId: string | SQL): SQL<string | null> {
  return sql`nullif(${text ?? null}::text, (SELECT step.result FROM execution_steps AS step
    WHERE step.execution_id = ${executionId} AND step.result IS NOT NULL
      ORDER BY step.kind NULLS FIRST, step.order_index DESC, step.round DESC, step.item DESC LIMIT 1))`;
}

/** Returns SQL that writes the item of a run. */
export function firstWriting(item: NewResult): SqlFragment {
  return (source, place) => insertion(results, item, { source, place });
}

/** Returns SQL that writes the finished item of a run. Users' texts on an existing item stay, and `added` is merged into its metadata. */
export function completion(item: NewResult, added: string): SqlFragment {
  return (source, place) => `${insertion(results, item, { source, place })}
    ON CONFLICT (pipeline_execution_id) DO UPDATE SET final_result = excluded.final_result, answer_search_text = excluded.answer_search_text,
      type = excluded.type, status = excluded.status, steps_count = excluded.steps_count,
      metadata = (results.metadata::jsonb || ${place(added)}::jsonb)::text, updated_at = excluded.updated_at`;
}

/** Returns SQL that merges `added` into the metadata of a run's item. */
export function mergingMetadata(executionId: string, added: string, now: Date): SqlFragment {
  return (source, place) => `UPDATE results SET metadata = (metadata::jsonb || ${place(added)}::jsonb)::text, updated_at = ${place(now)}
    FROM ${source} WHERE pipeline_execution_id = ${place(executionId)}::uuid`;
}

const showItem = viewOf(resultItem);

export function toResultItem(row: ResultRow): ResultItem {
  return showItem(row);
}
