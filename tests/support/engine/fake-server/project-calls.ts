import type { Agent } from '../../../../contract/agent.ts';
import type { CallInput } from '../../../../contract/call.ts';
import type { CanvasDocument, CanvasPatch } from '../../../../contract/canvas.ts';
import type { CanvasMark } from '../../../../contract/canvas-version.ts';
import type { Project } from '../../../../contract/project.ts';
import { documentDifferences } from '../../../../src/model/document/document-differences.ts';
import type { RouteMap } from '../../../../src/workers/engine/backends/port.ts';
import { projectId, team, userId, uuid } from '../samples.ts';
import { fullFor, missing, now, type Once, ok, staleAnswer } from './answers.ts';
import type { FakeServer } from './fake-server.ts';

/** The calls about projects, their canvas with its versions, and agents. `clientId` names the tab that makes them. */
export function projectCalls(server: FakeServer, once: Once, clientId: () => string) {
  return {
    'project.get': ({ params: { id } }) => {
      const project = server.projects.find((one) => one.id === id || id === 'default');
      return project ? ok({ ...structuredClone(project), canvasVersion: server.canvas.version }) : missing;
    },
    'project.list': () => ok(structuredClone(server.projects)),
    'project.create': ({ body, idempotencyKey }) =>
      once('project', idempotencyKey, () => {
        const made = { ...sampleProject, ...body, id: uuid(server.nextNumber(), 8) };
        server.projects.push(made);
        return ok(structuredClone(made));
      }),
    'project.update': ({ params: { id }, body: { maxTurns, maxCalls, installs, ...words } = {} }) =>
      server.changeProject(id, {
        ...words,
        maxTurns: maxTurns ?? undefined,
        maxCalls: maxCalls ?? undefined,
        installs: installs === 'manifest' ? undefined : installs,
      }),
    'project.setStatus': ({ params: { id }, body: { status } }) => server.changeProject(id, { status: status as Project['status'] }),
    'project.remove': ({ params: { id } }) => {
      const left = server.projects.filter((project) => project.id !== id);
      if (left.length === server.projects.length) return missing;
      server.projects = left;
      return ok(undefined);
    },
    'project.statistics': () =>
      ok({
        ...{ totalAgents: 3, activeAgents: 2, totalPipelines: 1, activePipelines: 0 },
        ...{ totalExecutions: 4, successfulExecutions: 3, failedExecutions: 1, averageExecutionTime: null, lastActivity: now },
      }),
    'project.canvas': () => ok(structuredClone(server.canvas)),
    'project.patchCanvas': ({ body: { baseVersion, patches }, idempotencyKey = '' }) =>
      once('patch', idempotencyKey, () => {
        if (baseVersion !== server.canvas.version) return staleAnswer;
        server.saves.push({ baseVersion, patches: structuredClone(patches) as CanvasPatch[], key: idempotencyKey, writer: clientId() });
        for (const patch of patches) {
          if (patch.op === 'remove') delete server.canvas[patch.collection][patch.id];
          else (server.canvas[patch.collection] as Record<string, unknown>)[patch.id] = structuredClone(patch.value);
        }
        return server.storeCanvas(clientId());
      }),
    'project.putCanvas': ({ body: { nodes, connections, baseVersion }, idempotencyKey }) =>
      once('put', idempotencyKey, () => {
        if (baseVersion !== server.canvas.version) return staleAnswer;
        server.canvas = { ...(structuredClone({ nodes, connections }) as CanvasDocument), version: baseVersion };
        return server.storeCanvas(clientId());
      }),
    'teamVersion.list': () => ok({ items: [], next: null }),
    'releasedTeam.list': () => ok([]),
    'trigger.list': () => ok([]),
    'teamVersion.check': () => ok({ problems: [], changes: [], seen: '' }),
    'teamVersion.get': ({ params: { version } }) => {
      const team = server.teams.get(String(version));
      return team ? ok(structuredClone(team)) : missing;
    },
    'teamVersion.restore': ({ params: { version }, idempotencyKey }) =>
      once('restoreTeam', idempotencyKey, () => {
        server.restoredTeams.push(Number(version));
        return ok({ changes: 1, before: { number: Number(version) + 1, seen: 'before' } });
      }),
    'agent.changes': () => ok({ items: [], next: null }),
    'project.promptChanges': () => ok([]),
    'project.versions': () =>
      ok({ items: [], next: null, current: server.canvas.version, bytes: 0, maxBytes: 1, keepDays: 30, trimmed: null }),
    'project.version': ({ params: { version } }) => {
      const found = server.versions.get(version);
      return found ? ok({ ...structuredClone(found), version }) : missing;
    },
    'project.compareVersions': ({ query }) => {
      const [left, right] = [Number(query?.left), Number(query?.right)];
      const [before, after] = [server.versions.get(left), server.versions.get(right)];
      if (!before || !after) return missing;
      const differing = documentDifferences(before, after);
      const of = (collection: 'nodes' | 'connections') =>
        differing.flatMap(({ collection: other, id }) =>
          other === collection ? [{ id, left: before[collection][id], right: after[collection][id] }] : [],
        ) as never[];
      return ok(structuredClone({ left, right, nodes: of('nodes'), connections: of('connections') }));
    },
    'project.putMark': ({ params: { version }, body: { name, note = '' } }) => {
      const mark: CanvasMark = { version, kind: 'hand', name, note, at: new Date(0).toISOString() };
      server.marks.set(version, mark);
      return ok(mark);
    },
    'project.removeMark': ({ params: { version } }) => (server.marks.delete(version) ? ok(undefined) : missing),
    'agent.list': ({ query }) => ok(server.agents.slice(Number(query?.offset), Number(query?.offset) + Number(query?.limit))),
    'agent.create': ({ body, idempotencyKey }) =>
      once('agent', idempotencyKey, () => {
        const made = newAgent(server, body);
        server.agents = [...server.agents, made];
        return ok(made);
      }),
    'agent.createMany': ({ body: { agents: given }, idempotencyKey }) =>
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
    'agent.removeUnused': ({ body: { agentIds }, idempotencyKey }) =>
      once('unused', idempotencyKey, () => {
        const removed = agentIds.filter((id) => !server.worked.has(id) && !team.some((agent) => agent.id === id));
        server.agents = server.agents.filter(({ id }) => !removed.includes(id));
        return ok({ removed });
      }),
    'agent.setModels': ({ body: { agentIds, connectionId, model } }) => {
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
    'agent.update': ({ params: { id }, body: { configuration } = {} }) => {
      const agent = server.agents.find((one) => one.id === id);
      return agent ? ok({ ...agent, configuration: { ...agent.configuration, ...configuration } }) : missing;
    },
    'agent.putApiConfiguration': ({ params: { id }, body: { apiKey: _, ...settings } = {} }) => {
      const agent = server.agents.find((one) => one.id === id);
      return agent ? ok({ ...agent.apiConfiguration, ...(settings as Partial<Agent['apiConfiguration']>) }) : missing;
    },
  } satisfies Partial<RouteMap>;
}

function newAgent(server: FakeServer, { configuration, ...words }: CallInput<'agent.create'>['body']): Agent {
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
