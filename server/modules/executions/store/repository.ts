import { type Execution, type ExecutionDetails, type ExecutionStatus, runBeginning } from '../../../../contract/executions/execution.ts';
import type { ExecutionEvent } from '../../../../contract/executions/execution-event.ts';
import { manySteps } from '../../../../rules/run-graph/many-steps.ts';
import type { Db } from '../../../platform/database/database.ts';
import {
  and,
  asc,
  avg,
  count,
  countDistinct,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  max,
  type SQL,
  sql,
} from '../../../platform/database/drizzle.ts';
import { excerptOf } from '../../../platform/database/excerpt-of.ts';
import { readPage } from '../../../platform/database/owned-rows.ts';
import type { OwnerId } from '../../../platform/owner-id.ts';
import { readSteps } from './read-steps.ts';
import { type ExecutionRow, finalAnswer, type StepRow, toExecution, toStepRun } from './rows.ts';
import { lacksFinalAnswer, stepWithoutAnswer, withAnswer } from './stored-events.ts';
import { executionContexts, executionEvents, executionSteps, executions } from './tables.ts';

/** Started and unfinished. An execution that waits for its start is not active. */
const unfinished = and(inArray(executions.status, ['pending', 'running', 'paused']), eq(executions.notStarted, false));

/** The length of a run's result in a list (characters). `get` and `details` return all of it. */
export const listedResult = 4_000;

/** The columns of a list item: no input, no graph. */
const { input: _input, graph: _graph, ...withoutInput } = getTableColumns(executions);
/** The answer of the last step of a completed execution. */
const answer = sql<string | null>`(SELECT step.result FROM execution_steps AS step
  WHERE step.execution_id = executions.id AND executions.status = 'completed' AND step.result IS NOT NULL
  ORDER BY step.kind NULLS FIRST, step.order_index DESC, step.round DESC, step.item DESC LIMIT 1)`;
const { excerpt, isCut } = excerptOf(answer, listedResult);
const listed = { row: withoutInput, excerpt, isCut };

/** The queries on executions. Every change is made by a transition. */
export class ExecutionRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async find(userId: OwnerId, id: string): Promise<Execution | null> {
    const [found] = await this.#db.select({ row: withoutInput, answer }).from(executions).where(own(userId, id));
    return found ? toExecution(found.row, found.answer) : null;
  }

  /** Returns an execution with its steps. */
  async details(userId: OwnerId, id: string): Promise<ExecutionDetails | null> {
    const [row] = await this.#db
      .select({ ...withoutInput, begunWith: sql<unknown>`${executions.input}->'begunWith'` })
      .from(executions)
      .where(own(userId, id));
    if (!row) return null;
    const begunWith = runBeginning.safeParse(row.begunWith).data;
    const steps = await this.#stepsOf(row);
    return { ...toExecution(row, finalAnswer(row, steps)), ...(begunWith && { begunWith }), steps: steps.map(toStepRun) };
  }

  /** Returns the graph of an execution and what its links follow from, as JSON: the texts of the largest ones are not parsed here. */
  async graphTexts(userId: OwnerId, id: string) {
    const [row] = await this.#db
      .select({ graph: sql<string | null>`${executions.graph}::text`, status: executions.status })
      .from(executions)
      .where(own(userId, id));
    if (!row) return null;
    if (row.graph === null) return { ...row, graph: null, steps: '[]', count: 0 };
    const { stepId, pipelineStepId, orderIndex, round, item, status, choice, handOff } = executionSteps;
    const state = sql`json_build_object('id', ${stepId}, 'nodeId', coalesce(${pipelineStepId}, ${stepId}), 'round', ${round}, 'item', ${item},
        'status', ${status}, 'choice', ${choice}, 'handOff', ${handOff})`;
    const [read] = await this.#db
      .select({
        steps: sql<string>`coalesce(json_agg(${state} ORDER BY ${orderIndex}, ${item}, ${round}), '[]')::text`,
        count: count(),
      })
      .from(executionSteps)
      .where(eq(executionSteps.executionId, id));
    return { ...row, graph: row.graph, steps: read?.steps ?? '[]', count: read?.count ?? 0 };
  }

  /** Returns the number of steps of an execution; 0 for an unknown one. */
  async countSteps(key: { id: string } | { jobId: string }): Promise<number> {
    const here = 'id' in key ? eq(executions.id, key.id) : eq(executions.jobId, key.jobId);
    const [row] = await this.#db.select({ steps: executions.stepsTotal }).from(executions).where(here);
    return row?.steps ?? 0;
  }

  /** Returns an execution with its steps and the texts that users added, all in order. */
  async whole(userId: OwnerId, id: string) {
    const row = await this.#one(userId, id);
    if (!row) return null;
    const [steps, contexts] = await Promise.all([
      this.#stepsOf(row),
      this.#db.select().from(executionContexts).where(eq(executionContexts.executionId, id)).orderBy(asc(executionContexts.position)),
    ]);
    return { row, steps, contexts };
  }

  /** Returns executions, newest first. */
  async list(
    userId: OwnerId,
    filter: {
      projectId?: string | undefined;
      pipelineId?: string | undefined;
      status?: ExecutionStatus | undefined;
      triggerId?: string | undefined;
      limit: number;
      offset: number;
    },
  ) {
    const here = and(
      eq(executions.userId, userId),
      filter.projectId === undefined ? undefined : eq(executions.projectId, filter.projectId),
      filter.pipelineId === undefined ? undefined : eq(executions.pipelineId, filter.pipelineId),
      filter.status === undefined ? undefined : eq(executions.status, filter.status),
      // The runs of a trigger have its key. Those of another account are not the user's.
      filter.triggerId === undefined ? undefined : sql`${executions.keyId} = (SELECT key_id FROM triggers WHERE id = ${filter.triggerId})`,
    );
    const newest = [desc(executions.createdAt), desc(executions.id)];
    const { items: rows, total } = await readPage(this.#db, { table: executions, columns: listed, where: here, order: newest }, filter);
    const items = rows.map(({ row, excerpt, isCut }) => ({ ...toExecution(row, excerpt), ...(isCut && { resultIsCut: true }) }));
    return { items, total };
  }

  /** Returns project, pipeline and last event number of those executions that are the user's. Unknown ids are left out. */
  places(userId: OwnerId, ids: readonly string[]) {
    return this.#db
      .select({
        id: executions.id,
        projectId: executions.projectId,
        pipelineId: executions.pipelineId,
        lastSeq: executions.lastSeq,
      })
      .from(executions)
      .where(and(inArray(executions.id, [...ids]), eq(executions.userId, userId)));
  }

  /** Returns the events after `since` in order, or null when the user has no such execution. */
  async events(userId: OwnerId, id: string, since: number, limit: number): Promise<ExecutionEvent[] | null> {
    if ((await this.#db.select({ id: executions.id }).from(executions).where(own(userId, id))).length === 0) return null;
    const rows = await this.#db
      .select({ event: executionEvents.event })
      .from(executionEvents)
      .where(and(eq(executionEvents.executionId, id), gt(executionEvents.seq, since)))
      .orderBy(asc(executionEvents.seq))
      .limit(limit);
    const events = rows.map(({ event }) => event);
    const stepIds = events.flatMap((event) => stepWithoutAnswer(event) ?? []);
    const [steps, [execution]] = await Promise.all([
      stepIds.length === 0
        ? []
        : this.#db
            .select({ stepId: executionSteps.stepId, result: executionSteps.result })
            .from(executionSteps)
            .where(and(eq(executionSteps.executionId, id), inArray(executionSteps.stepId, stepIds))),
      events.some(lacksFinalAnswer) ? this.#db.select({ answer }).from(executions).where(own(userId, id)) : [],
    ]);
    const ofSteps = new Map(steps.map(({ stepId, result }) => [stepId, result]));
    return events.map((event) => withAnswer(event, { ofSteps, final: execution?.answer ?? null }));
  }

  /** Returns task and project of the user's execution; null for an unknown one. */
  taskOf(userId: OwnerId, id: string): Promise<Pick<ExecutionRow, 'projectId' | 'initialTask'> | null> {
    return this.#one(userId, id);
  }

  /** Returns the status of an active execution of the pipeline, or null. */
  unfinishedStatus(pipelineId: string): Promise<ExecutionStatus | null> {
    return this.#unfinishedStatus(eq(executions.pipelineId, pipelineId));
  }

  /** Returns the status of an active execution in the project, or null. */
  unfinishedStatusIn(projectId: string): Promise<ExecutionStatus | null> {
    return this.#unfinishedStatus(eq(executions.projectId, projectId));
  }

  /** Counts the executions of a project by outcome; times in ms. */
  async countsOf(projectId: string) {
    const when = (status: ExecutionStatus, value: unknown) => sql`CASE WHEN ${executions.status} = ${status} THEN ${value} END`;
    const atWork = sql`CASE WHEN ${unfinished} THEN ${executions.pipelineId} END`;
    const [row] = await this.#db
      .select({
        totalExecutions: count(),
        successfulExecutions: count(when('completed', executions.id)),
        failedExecutions: count(when('failed', executions.id)),
        activePipelines: countDistinct(atWork),
        averageExecutionTime: avg(when('completed', executions.activeMs)),
        lastActivity: max(executions.updatedAt),
      })
      .from(executions)
      .where(eq(executions.projectId, projectId));
    if (!row) throw new Error('A count has no row.');
    return { ...row, averageExecutionTime: row.averageExecutionTime === null ? null : Math.round(Number(row.averageExecutionTime)) };
  }

  /** Counts the executions by status. Fails after two seconds: a figure must not delay other queries. */
  async countByStatus(): Promise<Record<ExecutionStatus, number>> {
    const rows = await this.#db.transaction(async (tx) => {
      await tx.execute(sql`SET LOCAL statement_timeout = 2000`);
      return tx.select({ status: executions.status, many: count() }).from(executions).groupBy(executions.status);
    });
    const none = { pending: 0, running: 0, paused: 0, completed: 0, failed: 0, cancelled: 0 };
    return { ...none, ...Object.fromEntries(rows.map(({ status, many }) => [status, many])) };
  }

  async #unfinishedStatus(where: SQL): Promise<ExecutionStatus | null> {
    const [row] = await this.#db.select({ status: executions.status }).from(executions).where(and(where, unfinished)).limit(1);
    return row?.status ?? null;
  }

  /** Many steps are read by several statements of one snapshot, and other requests are served between them. */
  #stepsOf(row: Pick<ExecutionRow, 'id' | 'stepsTotal'>): Promise<StepRow[]> {
    return row.stepsTotal < manySteps ? readSteps(this.#db, row) : this.#db.transaction((tx) => readSteps(tx, row), snapshot);
  }

  async #one(userId: OwnerId, id: string): Promise<ExecutionRow | null> {
    const [row] = await this.#db.select().from(executions).where(own(userId, id));
    return row ?? null;
  }
}

function own(userId: OwnerId, id: string) {
  return and(eq(executions.id, id), eq(executions.userId, userId));
}

const snapshot = { isolationLevel: 'repeatable read', accessMode: 'read only' } as const;
