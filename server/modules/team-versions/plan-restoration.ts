import { isDeepStrictEqual } from 'node:util';
import type { AgentWork } from '../../../contract/agent.ts';
import type { TeamAgent, TeamAgents, TeamChange, TeamChangeField, TeamSettings } from '../../../contract/team-version.ts';
import type { ToolPolicy } from '../../../contract/tool-server.ts';
import { connectionProblem, type TeamNow, toolProblem } from './check-team.ts';

/** The fields of an agent that a restoration writes. Its tools are written beside it. */
type RestoredAgent = Omit<TeamAgent, 'connection' | 'fallbackConnection' | 'keyHost' | 'tools'>;

/** What a restoration shows, and what it writes. */
export type Restoration = {
  changes: TeamChange[];
  /** Agents that are gone and are made again. */
  made: { id: string; agent: RestoredAgent }[];
  changed: { id: string; change: Partial<RestoredAgent> }[];
  /** All tools of agents that get others. */
  ticked: { agentId: string; toolIds: string[] }[];
  policies: ReadonlyMap<string, ToolPolicy>;
  settings: Partial<TeamSettings>;
};

type Version = { agents: TeamAgents; settings: TeamSettings };
type Value = TeamChange['now'];

/**
 * Plans the changes that give agents and settings what they have in a version. A connection or a tool that is gone, or is another one by now, stays out:
 * `checkTeam` names it. The same team always has the same plan.
 */
export function planRestoration({ agents, settings }: Version, now: TeamNow): Restoration {
  const plan: Restoration & { policies: Map<string, ToolPolicy> } = {
    changes: [],
    made: [],
    changed: [],
    ticked: [],
    policies: new Map(),
    settings: changedOf(now.settings, settings, Object.keys(settings) as (keyof TeamSettings)[]),
  };
  for (const [id, then] of Object.entries(agents).sort(([one], [other]) => (one < other ? -1 : 1))) {
    const own = now.agents[id];
    if (own) planAgent(plan, { id, then, own }, now);
    else planMade(plan, { id, then }, now);
    planTools(plan, { id, then, own }, now);
  }
  for (const field of Object.keys(plan.settings) as (keyof TeamSettings)[]) {
    const [before, after] = [settingShown(now.settings[field]), settingShown(settings[field])];
    plan.changes.push({ field, agentId: null, agent: '', name: '', now: before, inVersion: after });
  }
  return plan;
}

const plainFields = [
  ...(['name', 'title', 'role', 'description', 'status', 'systemPrompt', 'contextAccessLevel'] as const),
  ...(['temperature', 'maxTokens', 'effort', 'mayGoWithoutTools'] as const),
] satisfies (keyof RestoredAgent & TeamChangeField)[];
/** What says whose model an agent calls: it is restored as a whole. */
const modelFields = ['connectionId', 'providerType', 'model', 'baseUrl', 'folderId'] satisfies (keyof RestoredAgent & TeamChangeField)[];
/** How the parts of an agent's work are named among the changes. */
const workFields = {
  fileAccess: 'fileAccess',
  runsTests: 'runsTests',
  maxTurns: 'ownTurns',
  maxCalls: 'ownCalls',
} as const satisfies Record<keyof AgentWork, TeamChangeField>;

type OfVersion = { id: string; then: TeamAgent };

/** Which parts of an agent in a version can be restored. */
function restorable(then: TeamAgent, now: TeamNow): readonly (keyof RestoredAgent)[] {
  const model = connectionProblem({ id: then.connectionId, known: then.connection }, now) === null ? modelFields : [];
  const { fallback, fallbackConnection } = then;
  const second = connectionProblem({ id: fallback?.connectionId ?? null, known: fallbackConnection }, now) === null;
  return [...plainFields, ...model, ...(second ? (['fallback'] as const) : []), 'work'];
}

function planAgent(plan: Restoration, { id, then, own }: OfVersion & { own: TeamAgent }, now: TeamNow): void {
  const change: Partial<RestoredAgent> = changedOf(own, then, restorable(then, now));
  if (Object.keys(change).length === 0) return;
  plan.changed.push({ id, change });
  const add = (field: TeamChangeField, before: Value, after: Value) =>
    plan.changes.push({ field, agentId: id, agent: own.title, name: '', now: before, inVersion: after });
  for (const field of Object.keys(change) as (keyof RestoredAgent)[]) {
    if (field === 'connectionId') add(field, connectionShown(own, now), connectionShown(then, now));
    else if (field === 'fallback') add(field, fallbackShown(own, now), fallbackShown(then, now));
    else if (field === 'work')
      for (const key of Object.keys(changedOf(own.work, then.work, Object.keys(workFields) as (keyof AgentWork)[])) as (keyof AgentWork)[])
        add(workFields[key], own.work[key] ?? null, then.work[key] ?? null);
    else add(field, own[field], then[field]);
  }
}

/** An agent whose connection is gone, or is another one, is made without it. */
function planMade(plan: Restoration, { id, then }: OfVersion, now: TeamNow): void {
  const fields = new Set(restorable(then, now));
  const { connection: _first, fallbackConnection: _second, keyHost: _host, tools: _tools, ...agent } = then;
  plan.made.push({
    id,
    agent: { ...agent, ...(!fields.has('connectionId') && { connectionId: null }), ...(!fields.has('fallback') && { fallback: null }) },
  });
  plan.changes.push({ field: 'made', agentId: id, agent: then.title, name: '', now: null, inVersion: then.title });
}

/** Tools that are still as they were are ticked as in the version, and have its policies. Others stay ticked, or not, as they are. */
function planTools(
  plan: Restoration & { policies: Map<string, ToolPolicy> },
  { id, then, own }: OfVersion & { own?: TeamAgent | undefined },
  now: TeamNow,
): void {
  const wanted = then.tools.filter((tool) => toolProblem(tool, now) === null);
  const inVersion = new Set(then.tools.map((tool) => tool.id));
  const ticked = own?.tools ?? [];
  const isTicked = new Set(ticked.map((tool) => tool.id));
  const about = { agentId: id, agent: own?.title ?? then.title };
  const added = wanted.filter((tool) => !isTicked.has(tool.id));
  const removed = ticked.filter((tool) => !inVersion.has(tool.id));
  const tick = (isAdded: boolean) => ({ now: !isAdded, inVersion: isAdded, field: 'tool', ...about }) as const;
  for (const tool of added) plan.changes.push({ ...tick(true), name: `${tool.server}: ${tool.name}` });
  for (const tool of removed) plan.changes.push({ ...tick(false), name: `${tool.server}: ${tool.name}` });
  if (added.length + removed.length > 0) {
    const kept = ticked.filter((tool) => inVersion.has(tool.id));
    plan.ticked.push({ agentId: id, toolIds: [...kept, ...added].map((tool) => tool.id) });
  }
  for (const tool of wanted) {
    const policy = now.tools[tool.id]?.policy;
    if (policy === undefined || policy === tool.policy || plan.policies.has(tool.id)) continue;
    plan.policies.set(tool.id, tool.policy);
    plan.changes.push({ field: 'policy', ...about, name: `${tool.server}: ${tool.name}`, now: policy, inVersion: tool.policy });
  }
}

function changedOf<T extends object, K extends keyof T>(own: T, then: T, fields: readonly K[]): Partial<Pick<T, K>> {
  const changed = fields.filter((field) => !isDeepStrictEqual(own[field], then[field]));
  return Object.fromEntries(changed.map((field) => [field, then[field]])) as Partial<Pick<T, K>>;
}

function connectionShown({ connectionId, connection }: TeamAgent, { operatorName }: TeamNow): string | null {
  return connectionId === null ? null : (connection?.name ?? operatorName(connectionId) ?? connectionId);
}

function fallbackShown({ fallback, fallbackConnection }: TeamAgent, { operatorName }: TeamNow): string | null {
  if (fallback === null) return null;
  return `${fallbackConnection?.name ?? operatorName(fallback.connectionId) ?? fallback.connectionId} · ${fallback.model}`;
}

function settingShown(value: TeamSettings[keyof TeamSettings]): Value {
  return Array.isArray(value) ? value.join(', ') : (value ?? null);
}
