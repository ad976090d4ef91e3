import { ApiError, orNotFound } from '../../http/api-error.ts';
import type { Language } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Db } from '../../platform/database/database.ts';
import { and, eq, getTableColumns, inArray, isNotNull, type SQL, sql } from '../../platform/database/drizzle.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { outcomeOfStep, type StepPlace, stepsOfAgent } from '../executions/index.ts';
import type { CommandWaits } from './command-waits.ts';
import { unfinished } from './repository.ts';
import { type CommandRow, hasEnded } from './rows.ts';
import { agentCommands } from './tables.ts';

type JoinedCommandsDeps = {
  /** For the worker. */
  db: Db;
  waits: Pick<CommandWaits, 'publishEnd'>;
  bus: Pick<Bus, 'subscribe'>;
  now: () => Date;
  log: { warn: (about: object, line: string) => void };
};

/** The execution and the step that a command asks to join. */
type Joining = { executionId: string; stepId: string | null; nodeId: string | null };

/** An execution that commands have joined, and its user. */
type JoinedExecution = { userId: OwnerId; executionId: string };

/** How often the steps of all joined commands are read (ms), in addition to messages of the bus. */
const pollMs = 2_000;

/**
 * Commands that have joined a step of a run, on any node: one statement moves them on when the step has. They call no model, so they have no job,
 * and no process holds them.
 */
export class JoinedCommands {
  readonly #deps: JoinedCommandsDeps;
  /** Ends the subscription for each execution that unfinished commands have joined. */
  readonly #followed = new Map<string, () => void>();
  #clock: NodeJS.Timeout | null = null;

  constructor(deps: JoinedCommandsDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#clock = setInterval(() => this.#quietly(this.#poll()), pollMs).unref();
    this.#quietly(this.#poll());
  }

  stop(): void {
    if (this.#clock) clearInterval(this.#clock);
    this.#clock = null;
    for (const unsubscribe of this.#followed.values()) unsubscribe();
    this.#followed.clear();
  }

  /** Moves commands on as soon as a message tells of their execution. A command of another process is found by the next poll. */
  follow(joined: JoinedExecution): void {
    this.#subscribe(joined);
    this.#settleExecution(joined);
  }

  #subscribe(joined: JoinedExecution): void {
    const { userId, executionId } = joined;
    if (this.#followed.has(executionId)) return;
    const unsubscribe = this.#deps.bus.subscribe(userId, (message) => {
      if (message.type === 'pipeline_update' && message.executionId === executionId) this.#settleExecution(joined);
    });
    this.#followed.set(executionId, unsubscribe);
  }

  #settleExecution({ executionId }: JoinedExecution): void {
    this.#quietly(this.#settle(sql`joined.execution_id = ${executionId}`));
  }

  async #poll(): Promise<void> {
    const { userId, executionId } = agentCommands;
    const open = await this.#deps.db
      .selectDistinct({ userId, executionId: sql<string>`${executionId}` })
      .from(agentCommands)
      .where(and(inArray(agentCommands.status, unfinished), isNotNull(executionId)));
    if (this.#clock === null) return;
    const ids = new Set(open.map((one) => one.executionId));
    for (const [id, unsubscribe] of this.#followed) {
      if (ids.has(id)) continue;
      unsubscribe();
      this.#followed.delete(id);
    }
    for (const one of open) this.#subscribe(one);
    if (open.length > 0) await this.#settle(sql`joined.execution_id IS NOT NULL`);
  }

  async #settle(which: SQL): Promise<void> {
    for (const row of await settleJoined(this.#deps.db, which, this.#deps.now())) if (hasEnded(row)) this.#deps.waits.publishEnd(row);
  }

  #quietly(work: Promise<void>): void {
    work.catch((error: unknown) => this.#deps.log.warn({ err: error }, 'Steps that commands wait for could not be looked at now.'));
  }
}

/**
 * Begins and ends unfinished commands as their steps did. `which`: a condition on `joined`, their table. A command whose execution was removed is
 * cancelled. Returns those that have changed; of several nodes only one changes each.
 */
export async function settleJoined(db: Db, which: SQL, now: Date): Promise<CommandRow[]> {
  const status = sql<CommandRow['status']>`coalesce(step.status, 'cancelled')`;
  const ofEnd = <T>(column: string) => sql<T>`CASE WHEN ${status} NOT IN ('pending', 'running') THEN ${sql.raw(column)} END`;
  const joined = sql`(SELECT joined.id AS command_id, outcome.* FROM agent_commands AS joined
      LEFT JOIN LATERAL (${sql.raw(outcomeOfStep('joined.execution_id', 'joined.step_id'))}) AS outcome ON true
      WHERE joined.status IN ('pending', 'running') AND ${which} FOR UPDATE OF joined SKIP LOCKED) AS step`;
  return db
    .update(agentCommands)
    .set({
      status,
      result: ofEnd('step.result'),
      error: ofEnd('step.error'),
      finish: ofEnd('step.finish'),
      provider: ofEnd('step.provider'),
      model: ofEnd('step.model'),
      simulated: sql`coalesce(${ofEnd('step.simulated')}, false)`,
      usage: ofEnd('step.usage'),
      executionTimeMs: ofEnd('step.duration_ms'),
      startedAt: sql`coalesce(${agentCommands.startedAt}, ${now.toISOString()}::timestamptz)`,
      completedAt: sql`CASE WHEN ${ofEnd('true')} THEN ${now.toISOString()}::timestamptz END`,
      updatedAt: now,
    })
    .from(joined)
    .where(and(eq(agentCommands.id, sql`step.command_id`), sql`${status} NOT IN ('pending', ${agentCommands.status})`))
    .returning(getTableColumns(agentCommands));
}

/**
 * Returns the step that a command joins: the named one, else the agent's first step without a command, else its
 * last. Throws `not_found` for an execution that is not the user's, and `bad_request` for one without such a step.
 */
export async function stepToJoin(db: Db, userId: OwnerId, agentId: string, joining: Joining, language: Language): Promise<StepPlace> {
  const { executionId, stepId, nodeId } = joining;
  const steps = orNotFound(await stepsOfAgent(db, userId, executionId, agentId));
  const named = steps.filter((step) => (stepId === null || step.stepId === stepId) && (nodeId === null || step.nodeId === nodeId));
  const joined = named.length > 1 ? await joinedSteps(db, userId, executionId) : new Set<string>();
  const chosen = named.find((step) => !joined.has(step.stepId)) ?? named.at(-1);
  if (!chosen) {
    throw new ApiError('bad_request', {
      errors: [{ path: 'parameters.executionId', message: translate(language, 'field.no_step_of_agent') }],
    });
  }
  return { executionId, stepId: chosen.stepId };
}

async function joinedSteps(db: Db, userId: OwnerId, executionId: string): Promise<Set<string>> {
  const here = and(eq(agentCommands.executionId, executionId), eq(agentCommands.userId, userId));
  const rows = await db.selectDistinct({ stepId: agentCommands.stepId }).from(agentCommands).where(here);
  return new Set(rows.flatMap(({ stepId }) => stepId ?? []));
}
