import { type Pipeline, pipeline, pipelineStep } from '../../../contract/executions/pipeline.ts';
import type { Db } from '../../platform/database/database.ts';
import { and, asc, count, desc, eq, getTableColumns, inArray, isNull, lt, ne, notInArray, sql } from '../../platform/database/drizzle.ts';
import { builderSql } from '../../platform/database/statement.ts';
import { distinct, recordset } from '../../platform/database/unique-rows.ts';
import { viewOf } from '../../platform/database/view-of.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { countInTurn } from '../storage/index.ts';
import { pageWithinBytes } from './page-within-bytes.ts';
import { pipelineSteps, pipelines } from './tables.ts';

export type PipelineStep = Pipeline['steps'][number];
export type NewPipeline = Omit<Pipeline, 'createdAt' | 'updatedAt'> & { userId: OwnerId; isOfRelease?: boolean };
type PipelineChange = Partial<
  Pick<Pipeline, 'name' | 'description' | 'configuration' | 'maxExecutionTimeSeconds' | 'status' | 'links' | 'groups' | 'maxParallel'>
>;
type StepRow = typeof pipelineSteps.$inferSelect;
/** Rows of one statement: PostgreSQL takes 65,535 values. */
const insertedAtOnce = 2_000;

type StepChange = Partial<Omit<PipelineStep, 'id' | 'orderIndex' | 'type'>>;

/** `running` is never stored: it follows from the executions, whose table belongs to another module and is only read here. */
const shownStatus = sql<Pipeline['status']>`CASE WHEN EXISTS (
    SELECT 1 FROM executions WHERE executions.pipeline_id = pipelines.id
      AND executions.status IN ('pending', 'running', 'paused') AND NOT executions.not_started
  ) THEN 'running' ELSE ${pipelines.status} END`;
const columns = { ...getTableColumns(pipelines), status: shownStatus };
type PipelineRow = typeof pipelines.$inferSelect;

const keyOfStep = ({ id }: Pick<PipelineStep, 'id'>) => id;
const placeOfStep = ({ orderIndex }: Pick<PipelineStep, 'orderIndex'>) => orderIndex;

/** Pipelines as their owner sees them, without removed ones and other users'. Those of releases can be read, and are neither listed nor changed. */
export class PipelineRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async find(userId: OwnerId, id: string): Promise<Pipeline | null> {
    const rows = await this.#db
      .select(columns)
      .from(pipelines)
      .where(and(eq(pipelines.id, id), there(userId)));
    return (await this.#withSteps(rows))[0] ?? null;
  }

  async addSteps(pipelineId: string, steps: readonly PipelineStep[]): Promise<StepRow[]> {
    const rows = steps.map(({ type: _type, ...step }) => ({ ...step, pipelineId }));
    const stored: StepRow[] = [];
    for (let at = 0; at < rows.length; at += insertedAtOnce)
      stored.push(
        ...(await this.#db
          .insert(pipelineSteps)
          .values(distinct(rows.slice(at, at + insertedAtOnce), keyOfStep, placeOfStep))
          .returning()),
      );
    return stored.sort((one, other) => one.orderIndex - other.orderIndex);
  }

  async list(userId: OwnerId, limit: number, offset: number): Promise<{ items: Pipeline[]; total: number }> {
    const total = await this.countOf(userId);
    const ids = await pageWithinBytes(this.#db, userId, limit, offset);
    const rows = await this.#db
      .select(columns)
      .from(pipelines)
      .where(and(inArray(pipelines.id, ids), visible(userId)))
      .orderBy(desc(pipelines.createdAt), desc(pipelines.id));
    return { items: await this.#withSteps(rows), total };
  }

  /** Counts the listed pipelines of a project that are not archived. */
  async countIn(projectId: string): Promise<number> {
    const here = and(eq(pipelines.projectId, projectId), ne(pipelines.status, 'archived'), listed);
    return (await this.#db.select({ total: count() }).from(pipelines).where(here))[0]?.total ?? 0;
  }

  /** Whether the pipeline is or was the user's: its executions stay readable when it is removed. */
  async owned(userId: OwnerId, id: string): Promise<boolean> {
    const own = and(eq(pipelines.id, id), eq(pipelines.userId, userId));
    return (await this.#db.select({ id: pipelines.id }).from(pipelines).where(own)).length > 0;
  }

  /** Returns a pipeline that may be changed, locked until the transaction ends. */
  async lock(userId: OwnerId, id: string): Promise<Pipeline | null> {
    const locked = await this.#db
      .select({ id: pipelines.id })
      .from(pipelines)
      .where(and(eq(pipelines.id, id), visible(userId)))
      .for('update');
    return locked.length === 0 ? null : this.find(userId, id);
  }

  /** Returns the pipeline that a step belongs to. */
  async pipelineOf(stepId: string): Promise<string | null> {
    const [row] = await this.#db.select({ id: pipelineSteps.pipelineId }).from(pipelineSteps).where(eq(pipelineSteps.id, stepId));
    return row?.id ?? null;
  }

  /** Stores a pipeline with its steps, in the caller's transaction. */
  async add(pipeline: NewPipeline): Promise<Pipeline> {
    const { steps, ...row } = pipeline;
    const [saved] = await this.#db.insert(pipelines).values(row).returning();
    if (!saved) throw new Error('The pipeline was not stored.');
    return toPipeline(saved, await this.addSteps(row.id, steps));
  }

  async change(id: string, change: PipelineChange): Promise<void> {
    await this.#db
      .update(pipelines)
      .set({ ...change, updatedAt: sql`now()` })
      .where(eq(pipelines.id, id));
  }

  async changeStep(id: string, change: StepChange): Promise<void> {
    if (Object.keys(change).length > 0) await this.#db.update(pipelineSteps).set(change).where(eq(pipelineSteps.id, id));
  }

  /** Removes the steps of a pipeline that are not among `kept`. */
  async keepSteps(pipelineId: string, kept: readonly string[]): Promise<void> {
    const others = kept.length === 0 ? undefined : notInArray(pipelineSteps.id, [...kept]);
    await this.#db.delete(pipelineSteps).where(and(eq(pipelineSteps.pipelineId, pipelineId), others));
  }

  /** Numbers the steps of a pipeline from 0 in the given order. */
  async orderSteps(pipelineId: string, ids: readonly string[]): Promise<void> {
    const places = distinct(
      ids.map((id, position) => ({ id, position })),
      ({ id }) => id,
    );
    await this.#db.execute(sql`
        UPDATE ${pipelineSteps} SET order_index = place.position
        FROM ${builderSql((place) => recordset(places, { name: 'place', shape: 'id uuid, position integer', place }))}
        WHERE ${pipelineSteps.id} = place.id AND ${pipelineSteps.pipelineId} = ${pipelineId}`);
  }

  /** Counts the listed pipelines of an account. */
  async countOf(userId: OwnerId): Promise<number> {
    return (await this.#db.select({ total: count() }).from(pipelines).where(visible(userId)))[0]?.total ?? 0;
  }

  /** The same, near the limit in the account's turn: two counts then never see the same number. */
  countBelow(userId: OwnerId, limit: number): Promise<number> {
    return countInTurn(this.#db, { userId, limit, count: () => this.countOf(userId) });
  }

  /** Hides a pipeline, and keeps its executions, which have copies of its steps. False when the owner has no such pipeline. */
  async remove(userId: OwnerId, id: string): Promise<boolean> {
    const removed = await this.#db
      .update(pipelines)
      .set({ removedAt: sql`now()`, updatedAt: sql`now()`, configuration: '{}', links: null, groups: null })
      .where(and(eq(pipelines.id, id), visible(userId)))
      .returning({ id: pipelines.id });
    if (removed.length > 0) await this.#db.delete(pipelineSteps).where(eq(pipelineSteps.pipelineId, id));
    return removed.length > 0;
  }

  /** Removes pipelines without executions and releases that were last changed before `before`. Returns how many. */
  async removeUnused(userId: OwnerId, before: Date): Promise<number> {
    const removed = await this.#db.delete(pipelines).where(and(eq(pipelines.userId, userId), lt(pipelines.updatedAt, before), unused));
    return removed.rowCount ?? 0;
  }

  async #withSteps(rows: PipelineRow[]): Promise<Pipeline[]> {
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    const steps = await this.#db
      .select()
      .from(pipelineSteps)
      .where(inArray(pipelineSteps.pipelineId, ids))
      .orderBy(asc(pipelineSteps.orderIndex));
    const stepsOf = Map.groupBy(steps, ({ pipelineId }) => pipelineId);
    return rows.map((row) => toPipeline(row, stepsOf.get(row.id) ?? []));
  }
}

const listed = and(isNull(pipelines.removedAt), eq(pipelines.isOfRelease, false));
/** A pipeline that no run and no release has. Their tables belong to other modules, and are only read here. */
export const unused = sql`NOT EXISTS (SELECT FROM executions WHERE executions.pipeline_id = pipelines.id)
  AND NOT EXISTS (SELECT FROM team_releases WHERE team_releases.pipeline_id = pipelines.id)`;

function there(userId: OwnerId) {
  return and(eq(pipelines.userId, userId), isNull(pipelines.removedAt));
}

function visible(userId: OwnerId) {
  return and(eq(pipelines.userId, userId), listed);
}

const showPipeline = viewOf(pipeline);
const showStep = viewOf(pipelineStep);

function toPipeline(row: PipelineRow, steps: StepRow[]): Pipeline {
  return showPipeline(row, { steps: steps.map((step) => showStep(step, { type: 1 })) });
}
