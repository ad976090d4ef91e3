import { v7, validate } from 'uuid';
import type { Agent, AgentModels, AgentModelsSet, ApiConfiguration } from '../../../contract/agent.ts';
import type { AgentChangePage } from '../../../contract/agent-change.ts';
import { agentStatuses } from '../../../contract/agent-statuses.ts';
import { ApiError, orNotFound } from '../../http/api-error.ts';
import type { Language, StoreIdempotentResponse } from '../../http/call.ts';
import { type ServerText, translate } from '../../http/language.ts';
import type { Db } from '../../platform/database/database.ts';
import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import { writeStatement } from '../../platform/database/statement.ts';
import { holdsSecret } from '../../platform/egress/address-secrets.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { connectionRepository, lastFour, modelHost, type OperatorConnection, operatorIds } from '../connections/index.ts';
import {
  type AgentCopy,
  type AgentCreation,
  type AgentEdit,
  type ApiConfigurationUpdate,
  changeOf,
  defaultModel,
  namesOwnServer,
  withoutAbsent,
  withoutTemperature,
} from './agent-change.ts';
import { changeRepository } from './change-repository.ts';
import { type AgentModelConfig, aboutKey, toModelConfig } from './model-config.ts';
import { relationshipRepository } from './relationship-repository.ts';
import {
  type AgentChange,
  type AgentFilter,
  type AgentRow,
  agentRepository,
  type ModelConfigRow,
  type NewAgent,
  type NewAgentRow,
  type ServedAgentRow,
  selectModelConfigs,
} from './repository.ts';
import { type Lending, toAgent, toApiConfiguration } from './to-api.ts';
import type { AgentWork } from './work-counts.ts';

/** The model settings of new agents. */
export type NewAgentModel = Pick<ApiConfiguration, 'providerType' | 'model' | 'temperature' | 'maxTokens' | 'connectionId'>;

type AgentDependencies = {
  db: Db;
  run: RunStatement;
  secrets: SecretBox;
  /** Whether this server may call an address that a user entered. */
  isHostAllowed: (address: string) => Promise<boolean>;
  /** The operator's connections by id. */
  operator: ReadonlyMap<string, OperatorConnection>;
  newAgentModel: () => NewAgentModel;
  now: () => Date;
};

/** The agents of each account. A foreign agent is answered like a missing one. */
export class AgentService {
  private readonly deps: AgentDependencies;
  private readonly lending: Lending;

  constructor(deps: AgentDependencies) {
    this.deps = deps;
    this.lending = {
      operator: deps.operator,
      providers: new Set([...deps.operator.values()].map(({ provider }) => provider)),
      formerIds: new Set(operatorIds.filter((id) => !deps.operator.has(id))),
    };
  }

  async list(
    userId: OwnerId,
    page: { limit: number; offset: number },
    filter: AgentFilter = {},
  ): Promise<{ items: Agent[]; total: number }> {
    const { items, total } = await agentRepository(this.deps.db).list(userId, filter, page);
    return { items: items.map((row) => this.agentOf(row)), total };
  }

  async get(userId: OwnerId, id: string): Promise<Agent> {
    return this.agentOf(await this.find(userId, id));
  }

  create(userId: OwnerId, given: AgentCreation, storeIdempotentResponse: StoreIdempotentResponse): Promise<Agent> {
    return this.deps.db.transaction(async (tx) => {
      const [agent] = await this.createAll(tx, userId, [given]);
      if (!agent) throw new Error('The agent was not stored.');
      await storeIdempotentResponse(tx, agent);
      return agent;
    });
  }

  /** Creates several agents in the caller's transaction, and returns them in the given order. */
  async createAll(db: Db, userId: OwnerId, given: readonly AgentCreation[]): Promise<Agent[]> {
    const rows = given.map((creation) => this.newRow(userId, creation));
    return (await agentRepository(db).add(rows)).map((row) => this.agentOf(row));
  }

  /** A row that is not stored yet, with the model settings of new agents. */
  newRow(userId: OwnerId, creation: AgentCreation): NewAgentRow {
    const model = this.deps.newAgentModel();
    return {
      ...model,
      ...changeOf(model.temperature === null ? withoutTemperature(creation) : creation),
      id: v7(),
      userId,
      name: creation.name,
      title: creation.title,
      role: creation.role,
    };
  }

  /** Copies of agents for which there is a title, without their keys. Throws `not_found` for one that is not the user's. */
  async copiesOf(db: Db, userId: OwnerId, copies: readonly AgentCopy[]): Promise<NewAgentRow[]> {
    if (copies.length === 0) return [];
    const originals = new Map(
      (await agentRepository(db).holdAll(userId, [...new Set(copies.map(({ copyOf }) => copyOf))])).map((row) => [row.id, row]),
    );
    const ids = new Set([...originals.values()].flatMap(({ connectionId, fallback }) => [connectionId, fallback?.connectionId ?? null]));
    const held = await this.standing(db, userId, ids);
    return copies.map(({ copyOf, title }) => {
      const original = originals.get(copyOf);
      if (!original) throw new ApiError('not_found');
      const { createdAt: _createdAt, updatedAt: _updatedAt, connectionId, fallback, ...row } = original;
      return {
        ...row,
        id: v7(),
        title,
        status: agentStatuses.active,
        hasTools: false,
        apiKeySealed: null,
        apiKeyLast4: null,
        apiKeyHost: null,
        connectionId: held.has(connectionId) ? connectionId : null,
        fallback: held.has(fallback?.connectionId ?? null) ? fallback : null,
      };
    });
  }

  /** Changes the given fields. Another prompt is kept in the agent's history. */
  update(userId: OwnerId, id: string, { cause, ...given }: AgentEdit): Promise<Agent> {
    const change = changeOf(given);
    const after = given.configuration?.systemPrompt;
    if (after === undefined) return this.change(userId, id, change);
    return this.deps.db.transaction(async (tx) => {
      const repository = agentRepository(tx);
      const before = await repository.lock(userId, id);
      const row = before && (await repository.update(userId, id, change));
      if (!row) throw new ApiError('not_found');
      const { systemPrompt } = before;
      if (systemPrompt !== after)
        await changeRepository(tx).add({ agentId: id, before: systemPrompt, after, author: userId, cause, at: this.deps.now() });
      return this.agentOf(row);
    });
  }

  /** Makes agents again with their ids, and changes others, in the caller's transaction, which has locked them. Another prompt is kept in the history. */
  async restore(
    tx: Db,
    userId: OwnerId,
    { made, changed }: { made: { id: string; agent: NewAgent }[]; changed: { id: string; change: AgentChange }[] },
  ): Promise<void> {
    const repository = agentRepository(tx);
    if (made.length > 0) await repository.add(made.map(({ id, agent: given }) => ({ id, userId, ...given })));
    for (const { id, change } of changed) {
      const before = await repository.find(userId, id);
      const after = change.systemPrompt;
      if (before && after !== undefined)
        await changeRepository(tx).add({
          agentId: id,
          before: before.systemPrompt,
          after,
          author: userId,
          cause: 'person',
          at: this.deps.now(),
        });
      await repository.update(userId, id, change);
    }
  }

  /** Returns the changes of an agent's prompt, newest first. */
  async changes(userId: OwnerId, id: string, { before, limit }: { before?: number | undefined; limit: number }): Promise<AgentChangePage> {
    await this.find(userId, id);
    const found = await changeRepository(this.deps.db).list(id, { before, limit: limit + 1 });
    const items = found.slice(0, limit);
    return { items, next: found.length > limit ? (items.at(-1)?.number ?? null) : null };
  }

  /** Returns the changes of the prompts on the canvas of a project that is known to be the user's, newest first. */
  promptChanges(projectId: string, page: { limit: number; offset: number }) {
    return changeRepository(this.deps.db).ofProject(projectId, page);
  }

  setStatus(userId: OwnerId, id: string, status: Agent['status']): Promise<Agent> {
    return this.change(userId, id, { status });
  }

  /**
   * Removes an agent and its relationships. Its questions and answers stay with the runs; pipelines and nodes
   * keep its id. Throws `illegal_state` while unfinished work needs it.
   */
  async remove(userId: OwnerId, id: string, work: Pick<AgentWork, 'unfinishedStatus'>): Promise<void> {
    await this.deps.db.transaction(async (tx) => {
      const repository = agentRepository(tx);
      if (!(await repository.lock(userId, id))) throw new ApiError('not_found');
      const status = await work.unfinishedStatus(tx, userId, id);
      if (status !== null) throw new ApiError('illegal_state', { details: { status } });
      await relationshipRepository(tx).removeOf(userId, id);
      await repository.remove(userId, id);
    });
  }

  async apiConfiguration(userId: OwnerId, id: string): Promise<ApiConfiguration> {
    return toApiConfiguration(await this.find(userId, id), this.lending);
  }

  /**
   * Drops a key when the host or the provider changes without a new key, since a key belongs to the host it was saved for. Throws
   * `bad_request` for an address that the server may not call.
   */
  async putApiConfiguration(
    userId: OwnerId,
    id: string,
    given: ApiConfigurationUpdate,
    language: Language,
    storeIdempotentResponse?: StoreIdempotentResponse,
  ): Promise<ApiConfiguration> {
    await this.find(userId, id);
    if (typeof given.baseUrl === 'string') await this.checkAddress(given.baseUrl, language);
    return this.deps.db.transaction(async (tx) => {
      const repository = agentRepository(tx);
      const current = orNotFound(await repository.lock(userId, id));
      const { apiKey, ...settings } = given;
      const chosen = await this.holdConnections(tx, userId, given);
      const ofConnection = given.connectionId && given.connectionId !== current.connectionId ? chosen.get(given.connectionId) : null;
      const change: AgentChange = {
        ...(namesOwnServer(given) && { connectionId: null }),
        ...defaultModel(current, given),
        ...(ofConnection && { model: ofConnection }),
        ...withoutAbsent(settings),
      };
      const host = modelHost({ ...current, ...change });
      if (typeof apiKey === 'string') {
        change.apiKeySealed = this.deps.secrets.seal(apiKey, aboutKey(id, host));
        change.apiKeyLast4 = lastFour(apiKey);
        change.apiKeyHost = host;
      } else if (apiKey === null || (current.apiKeySealed !== null && current.apiKeyHost !== host)) {
        change.apiKeySealed = null;
        change.apiKeyLast4 = null;
        change.apiKeyHost = null;
      }
      const row = orNotFound(await repository.update(userId, id, change));
      const configuration = toApiConfiguration(row, this.lending);
      await storeIdempotentResponse?.(tx, configuration);
      return configuration;
    });
  }

  /**
   * Returns the model configurations of those of these agents that the user owns, in no particular order. With `teamVersionId` they are as in this version
   * of their team.
   */
  async modelConfigs(userId: OwnerId, ids: readonly string[], teamVersionId: string | null = null): Promise<AgentModelConfig[]> {
    if (ids.length === 0) return [];
    const rows = await this.deps.run(
      writeStatement((place) => selectModelConfigs(userId, `SELECT unnest(${place(ids)}::uuid[])`, place, teamVersionId)),
    );
    return rows.map(({ agent }) => toModelConfig(this.deps, agent as ModelConfigRow));
  }

  /** Returns the model configuration of one of the user's agents, or null when there is none. */
  async modelConfig(userId: OwnerId, id: string): Promise<AgentModelConfig | null> {
    const [row] = await this.deps.run(writeStatement((place) => selectModelConfigs(userId, place(id), place)));
    return row ? toModelConfig(this.deps, row.agent as ModelConfigRow) : null;
  }

  /** The model configuration of a row that `selectModelConfigs` found, or null for no row. */
  modelConfigFrom(found: unknown): AgentModelConfig | null {
    return found === null ? null : toModelConfig(this.deps, found as ModelConfigRow);
  }

  /** Returns the states of those of these agents that the user owns, in no particular order. Ignores malformed ids. */
  async statusesOf(userId: OwnerId, ids: readonly string[]): Promise<Pick<Agent, 'id' | 'status'>[]> {
    const rows = await agentRepository(this.deps.db).findAll(
      userId,
      ids.filter((id) => validate(id)),
    );
    return rows.map(({ id, status }) => ({ id, status }));
  }

  /** Counts how many of these agents the user has, and how many of them are active or busy. Ignores malformed ids. */
  async countOf(userId: OwnerId, ids: readonly string[]): Promise<{ total: number; active: number }> {
    const rows = await this.statusesOf(userId, ids);
    return { total: rows.length, active: rows.filter(({ status }) => status !== 0).length };
  }

  /** Has agents use a connection and one of its models. Returns those that change; with `isPreview` nothing does. */
  async switchConnection(
    userId: OwnerId,
    { id, model, nameOf }: { id: string; model: string; nameOf: (id: string) => string | null },
    { ids, isPreview }: { ids: readonly string[]; isPreview: boolean },
  ): Promise<{ agentId: string; title: string; before: string; after: string }[]> {
    const changed = await this.changeModels(userId, { agentIds: ids, connectionId: id, model }, isPreview);
    const after = `${nameOf(id) ?? id} · ${model}`;
    return changed.map(({ id: agentId, title, connectionId, providerType, model: before }) => {
      return { agentId, title, before: `${(connectionId && nameOf(connectionId)) ?? providerType} · ${before}`, after };
    });
  }

  /** Gives agents a model and the connection that serves it. Returns those that change, with what they had. */
  async setModels(userId: OwnerId, models: AgentModels): Promise<AgentModelsSet> {
    const changed = await this.changeModels(userId, models, false);
    return { agents: changed.map(({ id, connectionId, model }) => ({ agentId: id, connectionId, model })) };
  }

  /** Returns the rows that change, as they were. Throws `not_found` for a foreign agent or connection. */
  private async changeModels(
    userId: OwnerId,
    { agentIds, connectionId, model }: { agentIds: readonly string[]; connectionId: string | null; model: string },
    isPreview: boolean,
  ): Promise<AgentRow[]> {
    const wanted = [...new Set(agentIds)].sort();
    return this.deps.db.transaction(async (tx) => {
      const repository = agentRepository(tx);
      if (!isPreview) await this.holdConnections(tx, userId, { connectionId });
      const rows = await repository.findAll(userId, wanted);
      if (rows.length !== wanted.length) throw new ApiError('not_found');
      const changed = rows.filter((row) => row.connectionId !== connectionId || row.model !== model);
      const ids = changed.map(({ id }) => id);
      if (!isPreview) await repository.updateAll(userId, ids, { connectionId, model });
      return changed;
    });
  }

  /**
   * Returns the default models of the connections that a change names, by their ids. These connections stay until the transaction ends. Throws
   * `not_found` for one that is neither the user's nor the operator's.
   */
  private async holdConnections(
    tx: Db,
    userId: OwnerId,
    { connectionId, fallback }: Pick<ApiConfigurationUpdate, 'connectionId' | 'fallback'>,
  ): Promise<Map<string, string | null>> {
    const named = new Set([connectionId, fallback?.connectionId].filter((id) => id != null));
    const { operator } = this.deps;
    const known = new Map([...operator.values()].map(({ id, defaultModel: model }) => [id, model]));
    const own = [...named].filter((id) => !known.has(id));
    if (own.length > 0) for (const row of await connectionRepository(tx).hold(userId, own)) known.set(row.id, row.defaultModel);
    if (own.some((id) => !known.has(id))) throw new ApiError('not_found');
    return known;
  }

  /** Those of these connections that are there, and stay until the transaction ends. */
  private async standing(tx: Db, userId: OwnerId, ids: ReadonlySet<string | null>): Promise<ReadonlySet<string | null>> {
    const operator = new Set([...this.deps.operator.values()].map(({ id }) => id));
    const own = [...ids].filter((id) => id !== null && !operator.has(id)) as string[];
    const held = own.length > 0 ? await connectionRepository(tx).hold(userId, own) : [];
    return new Set([...operator, ...held.map(({ id }) => id)]);
  }

  private async checkAddress(address: string, language: Language): Promise<void> {
    const refuse = (text: ServerText) => new ApiError('bad_request', { errors: [{ path: 'baseUrl', message: translate(language, text) }] });
    if (holdsSecret(new URL(address))) throw refuse('field.host_with_login');
    if (!(await this.deps.isHostAllowed(address))) throw refuse('field.closed_host');
  }

  private async change(userId: OwnerId, id: string, change: AgentChange): Promise<Agent> {
    return this.agentOf(orNotFound(await agentRepository(this.deps.db).update(userId, id, change)));
  }

  private agentOf(row: ServedAgentRow): Agent {
    return toAgent(row, this.lending);
  }

  private async find(userId: OwnerId, id: string): Promise<ServedAgentRow> {
    return orNotFound(await agentRepository(this.deps.db).find(userId, id));
  }
}
