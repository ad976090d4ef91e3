import type { Agent } from '../../../../contract/agent.ts';
import type { CanvasMark } from '../../../../contract/canvas-version.ts';
import type { Project } from '../../../../contract/project.ts';
import { documentDifferences } from '../../../../src/model/document/document-differences.ts';
import type { Backend } from '../../../../src/workers/engine/backends/port.ts';
import { projectId, team, userId, uuid } from '../samples.ts';
import { fullFor, missing, now, type Once, ok, staleAnswer } from './answers.ts';
import type { FakeServer } from './fake-server.ts';

/** The calls about projects, their canvas with its versions, and agents. `clientId` names the tab that makes them. */
export function projectCalls(server: FakeServer, once: Once, clientId: () => string) {
  return {
    openProject: async (id) => {
      const project = server.projects.find((one) => one.id === id || id === 'default');
      return project ? ok({ ...structuredClone(project), canvasVersion: server.canvas.version }) : missing;
    },
    listProjects: async () => ok(structuredClone(server.projects)),
    createProject: async (words, { idempotencyKey }) =>
      once('project', idempotencyKey, () => {
        const made = { ...sampleProject, ...words, id: uuid(server.nextNumber(), 8) };
        server.projects.push(made);
        return ok(structuredClone(made));
      }),
    updateProject: async (id, { maxTurns, maxCalls, installs, ...words }) =>
      server.changeProject(id, {
        ...words,
        maxTurns: maxTurns ?? undefined,
        maxCalls: maxCalls ?? undefined,
        installs: installs === 'manifest' ? undefined : installs,
      }),
    setProjectStatus: async (id, status) => server.changeProject(id, { status }),
    removeProject: async (id) => {
      const left = server.projects.filter((project) => project.id !== id);
      if (left.length === server.projects.length) return missing;
      server.projects = left;
      return ok(undefined);
    },
    projectStatistics: async () =>
      ok({
        ...{ totalAgents: 3, activeAgents: 2, totalPipelines: 1, activePipelines: 0 },
        ...{ totalExecutions: 4, successfulExecutions: 3, failedExecutions: 1, averageExecutionTime: null, lastActivity: now },
      }),
    readCanvas: async () => ok(structuredClone(server.canvas)),
    patchCanvas: async (_, { baseVersion, patches }, { idempotencyKey }) =>
      once('patch', idempotencyKey, () => {
        if (baseVersion !== server.canvas.version) return staleAnswer;
        server.saves.push({ baseVersion, patches: structuredClone(patches), key: idempotencyKey, writer: clientId() });
        for (const patch of patches) {
          if (patch.op === 'remove') delete server.canvas[patch.collection][patch.id];
          else (server.canvas[patch.collection] as Record<string, unknown>)[patch.id] = structuredClone(patch.value);
        }
        return server.storeCanvas(clientId());
      }),
    putCanvas: async (_, { nodes, connections, baseVersion }, { idempotencyKey }) =>
      once('put', idempotencyKey, () => {
        if (baseVersion !== server.canvas.version) return staleAnswer;
        server.canvas = { ...structuredClone({ nodes, connections }), version: baseVersion };
        return server.storeCanvas(clientId());
      }),
    listTeamVersions: async () => ok({ items: [], next: null }),
    listReleasedTeams: async () => ok([]),
    listTriggers: async () => ok([]),
    checkTeamVersion: async () => ok({ problems: [], changes: [], seen: '' }),
    readTeamVersion: async (_, version) => {
      const team = server.teams.get(String(version));
      return team ? ok(structuredClone(team)) : missing;
    },
    createTeamVersion: async () => missing,
    restoreTeam: async (_, version, _seen, { idempotencyKey }) =>
      once('restoreTeam', idempotencyKey, () => {
        server.restoredTeams.push(version);
        return ok({ changes: 1, before: { number: version + 1, seen: 'before' } });
      }),
    listAgentChanges: async () => ok({ items: [], next: null }),
    listPromptChanges: async () => ok([]),
    listVersions: async () =>
      ok({ items: [], next: null, current: server.canvas.version, bytes: 0, maxBytes: 1, keepDays: 30, trimmed: null }),
    readVersion: async (_, version) => {
      const found = server.versions.get(version);
      return found ? ok({ ...structuredClone(found), version }) : missing;
    },
    compareVersions: async (_, left, right) => {
      const [before, after] = [server.versions.get(left), server.versions.get(right)];
      if (!before || !after) return missing;
      const differing = documentDifferences(before, after);
      const of = (collection: 'nodes' | 'connections') =>
        differing.flatMap(({ collection: other, id }) =>
          other === collection ? [{ id, left: before[collection][id], right: after[collection][id] }] : [],
        ) as never[];
      return ok(structuredClone({ left, right, nodes: of('nodes'), connections: of('connections') }));
    },
    putMark: async (_, version, { name, note }) => {
      const mark: CanvasMark = { version, kind: 'hand', name, note, at: new Date(0).toISOString() };
      server.marks.set(version, mark);
      return ok(mark);
    },
    removeMark: async (_, version) => (server.marks.delete(version) ? ok(undefined) : missing),
    listAgents: async () => ok(server.agents),
    createAgent: async (words, { idempotencyKey }) =>
      once('agent', idempotencyKey, () => {
        const made = newAgent(server, words);
        server.agents = [...server.agents, made];
        return ok(made);
      }),
    createAgents: async (given, { idempotencyKey }) =>
      once('agents', idempotencyKey, () => {
        if (given.length > server.agentRoom) return fullFor(server.agentRoom);
        server.agentRoom -= given.length;
        const made = given.map((one) => {
          if (!('copyOf' in one)) return newAgent(server, one);
          const original = server.agents.find(({ id }) => id === one.copyOf);
          if (!original) return null;
          const { willSimulate: _, ...settings } = original.apiConfiguration;
          const apiConfiguration = { ...settings, hasKey: false, keyLast4: null };
          return { ...original, apiConfiguration, id: uuid(server.nextNumber(), 9), title: one.title };
        });
        const all = made.filter((agent) => agent !== null);
        if (all.length < made.length) return missing;
        server.agents = [...server.agents, ...all];
        return ok(all.map(({ id, title, createdAt }) => ({ id, title, createdAt })));
      }),
    // Agents that were made here have not worked yet.
    removeUnusedAgents: async (_, ids, { idempotencyKey }) =>
      once('unused', idempotencyKey, () => {
        const removed = ids.filter((id) => !server.worked.has(id) && !team.some((agent) => agent.id === id));
        server.agents = server.agents.filter(({ id }) => !removed.includes(id));
        return ok({ removed });
      }),
    setAgentModels: async ({ agentIds, connectionId, model }) => {
      const chosen = server.agents.filter(({ id }) => agentIds.includes(id));
      const before = chosen.map(({ id: agentId, apiConfiguration: had }) => ({
        agentId,
        connectionId: had.connectionId,
        model: had.model,
      }));
      server.agents = server.agents.map((agent) =>
        chosen.includes(agent) ? { ...agent, apiConfiguration: { ...agent.apiConfiguration, connectionId, model } } : agent,
      );
      return ok({ agents: before });
    },
    configureAgent: async (agent, { systemPrompt = agent.configuration.systemPrompt, apiKey: _, ...settings }) =>
      ok({
        ...agent,
        configuration: { ...agent.configuration, systemPrompt },
        apiConfiguration: { ...agent.apiConfiguration, ...settings },
      }),
  } satisfies Partial<Backend>;
}

function newAgent(server: FakeServer, { configuration, ...words }: Parameters<Backend['createAgent']>[0]): Agent {
  return {
    ...(team[0] as Agent),
    ...words,
    id: uuid(server.nextNumber(), 9),
    configuration: { systemPrompt: '', plan: '', ...configuration },
  };
}

export const sampleProject: Project = {
  ...{ id: projectId, name: 'Project', description: '', status: 'active', isDemo: false, userId },
  ...{ createdAt: now, updatedAt: now },
};
