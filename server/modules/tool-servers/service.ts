import { v5 } from 'uuid';
import type { z } from 'zod';
import {
  type AgentTools,
  type ServerTool,
  type ToolPolicy,
  type ToolServer,
  type ToolServerTest,
  type toolServerCreation,
  toolServerLimits,
  type toolServerUpdate,
} from '../../../contract/tool-server.ts';
import { ApiError, orNotFound } from '../../http/api-error.ts';
import type { Language, StoreIdempotentResponse } from '../../http/call.ts';
import { AdmissionQueue } from '../../http/limits/admission-queue.ts';
import type { Db } from '../../platform/database/database.ts';
import { defaultsOf } from '../../platform/database/statement.ts';
import { lastOfEach } from '../../platform/database/unique-rows.ts';
import type { Egress } from '../../platform/egress/egress.ts';
import type { PrivateHosts } from '../../platform/egress/private-hosts.ts';
import { McpFailed } from '../../platform/mcp/mcp-failed.ts';
import type { OperatorServer } from '../../platform/mcp/operator-servers.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { AgentService } from '../agents/index.ts';
import type { ProjectService } from '../projects/index.ts';
import type { ConnectServer } from './connect-servers.ts';
import { policiesOf } from './definitions.ts';
import { type ServerToolRow, ToolServerRepository, type ToolServerRow } from './repository.ts';
import { serverAddress } from './server-address.ts';
import { type GivenAuth, keyColumns } from './server-key.ts';
import { createSignIns } from './sign-ins.ts';
import { storeToolList, type ToolList } from './store-tool-list.ts';
import { toolServers } from './tables.ts';
import { definitionIn, toServerTool, toServerTools, toToolServer } from './to-api.ts';
import { ToolsRefused } from './tools-refused.ts';

export type ToolServersDeps = {
  db: Db;
  projects: Pick<ProjectService, 'resolve'>;
  agents: Pick<AgentService, 'get'>;
  secrets: SecretBox;
  connect: ConnectServer;
  /** The operator's servers, by name. */
  operatorServers: ReadonlyMap<string, OperatorServer>;
  egress: Egress;
  /** The address by which users reach this server: a sign-in leads back to it. */
  address: () => string;
  isHostAllowed: (address: string) => Promise<boolean>;
  /** Whether servers may be reached without encryption, on hosts of the operator's network. */
  allowPrivateHosts: PrivateHosts;
  newId: () => string;
  now: () => Date;
};

/** Names the operator's servers in projects that have not tested them yet. */
const operatorNamespace = 'b0c1a6ad-5e3c-4d0f-9a55-6f0d6a9f4b1e';
/** A test takes a connection and up to a minute, nearly all of it spent waiting for the far side: it is limited by account. */
const testLimits = { atOnce: 500, atOncePerAccount: 4, maxWaiting: 500, maxPerAccount: 20 };
/** The most tools that are counted of a server. */
export const maxListed = 1_000;

/** The tool servers of projects, their tools, and which agents may call them. */
export class ToolServers {
  readonly signIns;
  readonly #deps: ToolServersDeps;
  readonly #repository;
  readonly #tests = new AdmissionQueue(testLimits);

  constructor(deps: ToolServersDeps) {
    this.#deps = deps;
    this.#repository = new ToolServerRepository(deps.db);
    const servers = { find: this.#find.bind(this), shown: this.#shown.bind(this), tests: this.#tests };
    this.signIns = createSignIns(deps, servers);
  }

  async list(userId: OwnerId, project: string, language: Language): Promise<ToolServer[]> {
    const projectId = await this.#deps.projects.resolve(userId, project);
    const [stored, states] = await Promise.all([this.#repository.list(projectId), this.#statesOf(projectId)]);
    const known = new Set(stored.map(({ id }) => id));
    const others = [...this.#deps.operatorServers.values()].map((one) => this.#untested(projectId, one)).filter(({ id }) => !known.has(id));
    return [...others, ...stored].filter((row) => this.#isOffered(row)).map((row) => toToolServer(row, states(row.id), language));
  }

  async create(
    userId: OwnerId,
    project: string,
    given: z.output<typeof toolServerCreation>,
    language: Language,
    storeIdempotentResponse: StoreIdempotentResponse,
  ): Promise<ToolServer> {
    const projectId = await this.#deps.projects.resolve(userId, project);
    const url = await this.#checkedAddress(given.url, ['address', 'host']);
    const auth = await this.#checkedAuth(given.auth);
    if ((auth.kind === 'key' && auth.key === undefined) || (auth.kind === 'client' && auth.secret === undefined))
      throw new ToolsRefused('key_missing');
    const id = this.#deps.newId();
    return this.#deps.db.transaction(async (tx) => {
      const inside = new ToolServerRepository(tx);
      await inside.lockProject(projectId);
      const count = (await inside.list(projectId)).filter(({ kind }) => kind === 'http').length;
      if (count >= toolServerLimits.servers) throw new ToolsRefused('server_limit', { limit: toolServerLimits.servers });
      const moment = this.#deps.now();
      const columns = keyColumns(this.#deps.secrets, id, url, auth, null);
      const about = { id, projectId, kind: 'http' as const, name: given.name, url, createdAt: moment, updatedAt: moment };
      const row = await inside.add({ ...about, ...columns });
      const server = toToolServer(row, { pinned: 0, changed: 0, missing: 0 }, language);
      await storeIdempotentResponse(tx, server);
      return server;
    });
  }

  /** A key belongs to its hosts: it goes when one of them changes without a new key. */
  async update(
    userId: OwnerId,
    project: string,
    id: string,
    given: z.output<typeof toolServerUpdate>,
    language: Language,
  ): Promise<ToolServer> {
    const projectId = await this.#deps.projects.resolve(userId, project);
    if ((await this.#find(projectId, id)).kind === 'operator') throw new ToolsRefused('operator');
    const url = given.url === undefined ? null : await this.#checkedAddress(given.url, ['address', 'host']);
    const auth = given.auth === undefined ? null : await this.#checkedAuth(given.auth);
    const row = await this.#deps.db.transaction(async (tx) => {
      const inside = new ToolServerRepository(tx);
      const before = await inside.lock(projectId, id);
      if (before?.url == null) throw new ApiError('not_found');
      const to = url ?? before.url;
      const columns = keyColumns(this.#deps.secrets, id, to, auth ?? before.auth, before);
      const isSame = to === before.url && auth === null;
      const untested = isSame ? {} : { testedAt: null, problem: null };
      return inside.update(projectId, id, {
        url: to,
        name: given.name ?? before.name,
        ...columns,
        ...untested,
        updatedAt: this.#deps.now(),
      });
    });
    return this.#shown(row as ToolServerRow, language);
  }

  async remove(userId: OwnerId, project: string, id: string): Promise<void> {
    const projectId = await this.#deps.projects.resolve(userId, project);
    if ((await this.#find(projectId, id)).kind === 'operator') throw new ToolsRefused('operator');
    if (!(await this.#repository.remove(projectId, id))) throw new ApiError('not_found');
  }

  /** Asks a server for its tools. Tools that are new are pinned as they are, others are compared with what a person has seen. */
  async test(userId: OwnerId, project: string, id: string, language: Language, signal: AbortSignal): Promise<ToolServerTest> {
    const projectId = await this.#deps.projects.resolve(userId, project);
    const server = await this.#find(projectId, id);
    const test = async () => {
      const list = await this.#readToolList(server, signal);
      const row = orNotFound(await storeToolList(this.#deps, server, list, { addsTools: true }));
      const [found, tools] = await Promise.all([this.#shown(row, language), this.#repository.tools(projectId, id)]);
      return { server: found, tools: await toServerTools(tools) };
    };
    return this.#tests.run(userId, test, signal);
  }

  async tools(
    userId: OwnerId,
    project: string,
    { serverId, limit, offset }: { serverId?: string | undefined; limit: number; offset: number },
  ): Promise<{ items: ServerTool[]; total: number }> {
    const projectId = await this.#deps.projects.resolve(userId, project);
    if (serverId !== undefined) await this.#find(projectId, serverId);
    const servers = serverId === undefined ? await this.#offeredServers(projectId) : [serverId];
    const { items, total } = await this.#repository.toolsOf(projectId, servers, { limit, offset });
    return { items: await toServerTools(items), total };
  }

  setPolicy(userId: OwnerId, project: string, toolId: string, policy: ToolPolicy): Promise<ServerTool> {
    return this.#changeTool(userId, project, toolId, (tool) => {
      if (!policiesOf(definitionIn(tool.pinned)).includes(policy)) throw new ToolsRefused('not_read_only');
      return { policy };
    });
  }

  /** Pins the definition that a person has seen. Throws `tool_changed` when the server says something else by now. */
  accept(userId: OwnerId, project: string, toolId: string, hash: string): Promise<ServerTool> {
    return this.#changeTool(userId, project, toolId, (tool) => {
      if (hash === tool.pinnedHash && tool.current === null) return null;
      if (tool.current === null || tool.currentHash !== hash) throw new ApiError('tool_changed');
      const allowed = policiesOf(definitionIn(tool.current));
      return {
        pinned: tool.current,
        pinnedHash: hash,
        pinnedAt: this.#deps.now(),
        current: null,
        currentHash: null,
        // `always` was said of the definition before.
        policy: !allowed.includes(tool.policy) ? 'ask' : tool.policy === 'always' ? 'auto' : tool.policy,
      };
    });
  }

  async agentTools(userId: OwnerId, project: string, agentId: string): Promise<AgentTools> {
    const [projectId] = await Promise.all([this.#deps.projects.resolve(userId, project), this.#deps.agents.get(userId, agentId)]);
    const offered = new Set(await this.#offeredServers(projectId));
    const tools = await toServerTools(
      (await this.#repository.agentTools(projectId, agentId)).filter(({ serverId }) => offered.has(serverId)),
    );
    return { toolIds: tools.map(({ id }) => id), tokens: tools.reduce((sum, { definition }) => sum + definition.tokens, 0) };
  }

  async putAgentTools(userId: OwnerId, project: string, agentId: string, toolIds: readonly string[]): Promise<AgentTools> {
    const [projectId] = await Promise.all([this.#deps.projects.resolve(userId, project), this.#deps.agents.get(userId, agentId)]);
    const wanted = lastOfEach(toolIds, (toolId) => toolId);
    await this.#deps.db.transaction(async (tx) => {
      const inside = new ToolServerRepository(tx);
      if ((await inside.knownTools(projectId, wanted)) !== wanted.length) throw new ApiError('not_found');
      await inside.setAgentTools(projectId, agentId, wanted);
    });
    return this.agentTools(userId, projectId, agentId);
  }

  /** Changes a tool under its lock. `change` returns null for one that stays as it is. */
  async #changeTool(
    userId: OwnerId,
    project: string,
    toolId: string,
    change: (tool: ServerToolRow) => Partial<ServerToolRow> | null,
  ): Promise<ServerTool> {
    const projectId = await this.#deps.projects.resolve(userId, project);
    return this.#deps.db.transaction(async (tx) => {
      const inside = new ToolServerRepository(tx);
      const tool = orNotFound(await inside.lockTool(projectId, toolId));
      const changes = change(tool);
      return toServerTool(changes ? orNotFound(await inside.updateTool(projectId, toolId, changes)) : tool);
    });
  }

  /** An operator's server as a project has it before its first test. */
  #untested(projectId: string, { name }: OperatorServer): ToolServerRow {
    return {
      ...defaultsOf(toolServers),
      id: v5(`${projectId} ${name}`, operatorNamespace),
      projectId,
      kind: 'operator',
      name,
      auth: { kind: 'none' },
      createdAt: this.#deps.now(),
      updatedAt: this.#deps.now(),
    };
  }

  /** A server that the operator has removed from the file is not offered; its rows stay for its return. */
  #isOffered({ kind, name }: ToolServerRow) {
    return kind === 'http' || this.#deps.operatorServers.has(name);
  }

  async #find(projectId: string, id: string): Promise<ToolServerRow> {
    const stored = await this.#repository.find(projectId, id);
    const row =
      stored ?? [...this.#deps.operatorServers.values()].map((one) => this.#untested(projectId, one)).find((one) => one.id === id);
    if (!row || !this.#isOffered(row)) throw new ApiError('not_found');
    return row;
  }

  async #statesOf(projectId: string): Promise<(serverId: string) => ToolServer['tools']> {
    const states = await this.#repository.states(projectId);
    return (serverId) => {
      const sum = { pinned: 0, changed: 0, missing: 0 };
      for (const { serverId: id, isMissing, isChanged, total } of states)
        if (id === serverId) sum[isMissing ? 'missing' : isChanged ? 'changed' : 'pinned'] += total;
      return sum;
    };
  }

  async #shown(row: ToolServerRow, language: Language): Promise<ToolServer> {
    return toToolServer(row, (await this.#statesOf(row.projectId))(row.id), language);
  }

  async #checkedAddress(given: string, [form, host]: ['address', 'host'] | ['token_address', 'token_host']): Promise<string> {
    const url = serverAddress(given, this.#deps.allowPrivateHosts);
    if (url === null) throw new ToolsRefused(form);
    if (!(await this.#deps.isHostAllowed(url))) throw new ToolsRefused(host);
    return url;
  }

  async #checkedAuth(auth: GivenAuth): Promise<GivenAuth> {
    if ((auth.kind === 'client' || auth.kind === 'account') && auth.tokenUrl !== undefined)
      return { ...auth, tokenUrl: await this.#checkedAddress(auth.tokenUrl, ['token_address', 'token_host']) };
    return auth;
  }

  async #offeredServers(projectId: string): Promise<string[]> {
    return (await this.#repository.list(projectId)).filter((row) => this.#isOffered(row)).map(({ id }) => id);
  }

  async #readToolList(server: ToolServerRow, signal: AbortSignal): Promise<ToolList> {
    try {
      const session = await this.#deps.connect(server, signal);
      try {
        return { about: session.about, raw: await session.listTools(maxListed, signal) };
      } finally {
        void session.close();
      }
    } catch (error) {
      if (error instanceof McpFailed) return { problem: error.reason };
      throw error;
    }
  }
}
