import type { z } from 'zod';
import type { Command, CommandState, CommandStatus, chatRequest, commandExecution } from '../../../contract/command.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Language, StoreIdempotentResponse } from '../../http/call.ts';
import type { Db } from '../../platform/database/database.ts';
import { type RunStatement, runIn } from '../../platform/database/prepared-statements.ts';
import { writeStatement } from '../../platform/database/statement.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import type { WorkQueue } from '../../platform/work-queue/work-queue.ts';
import { type AgentModelConfig, type AgentService, selectModelConfigs } from '../agents/index.ts';
import { selectProjectId } from '../projects/index.ts';
import type { AcceptCommand, CommandRequest } from './accept-command.ts';
import type { CommandWaits } from './command-waits.ts';
import { stepToJoin } from './joined-commands.ts';
import { type CommandRepository, commandRepository } from './repository.ts';
import { type CommandRow, toCommand, toState } from './rows.ts';

type CommandServiceDeps = {
  repository: CommandRepository;
  accepting: AcceptCommand;
  waits: CommandWaits;
  db: Db;
  queue: Pick<WorkQueue, 'cancel'>;
  /** Runs one statement that only reads. */
  run: RunStatement;
  agents: Pick<AgentService, 'modelConfigFrom' | 'get'>;
  now: () => Date;
};

/** How long a call waits for a result (ms): clients end their requests after 30 s. */
const answerTimeoutMs = 25_000;
/** The length of a conversation's last question in the history (characters). */
const shownQuestion = 2_000;

type Execution = z.output<typeof commandExecution>;
type Chat = z.output<typeof chatRequest>;
/** `keep` is null for a call without an idempotency key. */
type Caller = { userId: OwnerId; keyId: string | null; language: Language; keep: StoreIdempotentResponse | null };

/** The operations on commands to a user's agents. */
export class CommandService {
  readonly #deps: CommandServiceDeps;

  constructor(deps: CommandServiceDeps) {
    this.#deps = deps;
  }

  /** Stores a command and its job. Throws `not_found`, and `too_many_requests` when the account has too many. */
  async execute({ userId, keyId, language, keep }: Caller, given: Execution): Promise<CommandRow> {
    const { db, accepting } = this.#deps;
    const { agentId, request, initialTask, task, data, parameters = {} } = given;
    const { executionId } = parameters;
    const { modelConfig, projectId } = await this.#readPlace(userId, agentId, given.projectId);
    const asked: CommandRequest = {
      userId,
      keyId,
      projectId,
      request,
      parameters,
      messages: null,
      language,
      kind: 'execute',
      initialTask: initialTask ?? null,
      task: task ?? null,
      data: data ?? null,
      sentAt: given.timestamp === undefined ? null : new Date(given.timestamp),
    };
    if (!executionId) return accepting.accept(asked, modelConfig, keep);
    const joining = { executionId, stepId: parameters.stepId ?? null, nodeId: parameters.nodeId ?? null };
    return accepting.join(asked, agentId, await stepToJoin(db, userId, agentId, joining, language), keep);
  }

  /** The same for a conversation in OpenAI's format. */
  async converse(
    { userId, keyId, language, keep }: Caller,
    agentId: string,
    { messages, projectId: named, ...parameters }: Chat,
  ): Promise<CommandRow> {
    const { modelConfig, projectId } = await this.#readPlace(userId, agentId, named);
    const question = messages.findLast(({ role }) => role === 'user')?.content ?? '';
    const asked: CommandRequest = {
      userId,
      keyId,
      projectId,
      request: question.slice(0, shownQuestion).toWellFormed(),
      parameters,
      messages,
      language,
      kind: 'openai',
      initialTask: null,
      task: null,
      data: null,
      sentAt: null,
    };
    return this.#deps.accepting.accept(asked, modelConfig, keep);
  }

  /** Returns the ended command, or its state after 25 s. `isNew`: see `CommandWaits`. */
  async result(userId: OwnerId, id: string, isNew: boolean): Promise<CommandRow> {
    return found(await this.#deps.waits.awaitEnd(userId, id, answerTimeoutMs, isNew));
  }

  async status(userId: OwnerId, id: string): Promise<CommandState> {
    return toState(await this.#find(userId, id));
  }

  /** Cancels a command; a joined step continues. Throws `not_found`, and `illegal_state` for an ended command. */
  async cancel(userId: OwnerId, id: string): Promise<CommandState> {
    const { db, queue, waits, now } = this.#deps;
    const row = await db.transaction(async (tx) => {
      const cancelled = await commandRepository(tx).cancel(userId, id, now());
      if (cancelled?.executionId === null) await queue.cancel(runIn(tx), 'command', [id]);
      return cancelled;
    });
    if (!row) throw new ApiError('illegal_state', { details: { status: (await this.#find(userId, id)).status } });
    waits.publishEnd(row);
    return toState(row);
  }

  async history(
    userId: OwnerId,
    agentId: string,
    filter: { status?: CommandStatus | undefined; limit: number; offset: number },
  ): Promise<{ items: Command[]; total: number }> {
    const { items, total } = await this.#deps.repository.history(userId, agentId, filter);
    if (total === 0) await this.#deps.agents.get(userId, agentId);
    return { items: items.map(({ isCut, ...row }) => ({ ...toCommand(row), ...(isCut && { resultIsCut: true }) })), total };
  }

  /** Removes the ended commands of an agent, also of a deleted one. Throws `not_found` for an unknown agent. */
  async clearHistory(userId: OwnerId, agentId: string): Promise<void> {
    const removed = await this.#deps.repository.clear(userId, agentId);
    if (removed === 0) await this.#deps.agents.get(userId, agentId);
  }

  async #find(userId: OwnerId, id: string): Promise<CommandRow> {
    return found(await this.#deps.repository.find(userId, id));
  }

  /** Reads the agent's settings and the id of the named project in one statement. Throws `not_found`. */
  async #readPlace(
    userId: OwnerId,
    agentId: string,
    named: string | null | undefined,
  ): Promise<{ modelConfig: AgentModelConfig; projectId: string | null }> {
    const [row] = await this.#deps.run(
      writeStatement((place) => {
        const agent = selectModelConfigs(userId, place(agentId), place);
        return `SELECT (${agent}) AS agent, (${named == null ? 'NULL' : selectProjectId(userId, named, place)}) AS project`;
      }),
    );
    const modelConfig = found(this.#deps.agents.modelConfigFrom(row?.agent));
    return { modelConfig, projectId: named == null ? null : String(found(row?.project)) };
  }
}

function found<T>(value: T | null): T {
  if (value === null) throw new ApiError('not_found');
  return value;
}
