import type { Db } from '../../platform/database/database.ts';
import { getTableColumns, sql } from '../../platform/database/drizzle.ts';
import { lockByName } from '../../platform/database/owned-rows.ts';
import { type BindValue, type Statement, writeStatement } from '../../platform/database/statement.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { projects } from '../projects/index.ts';

/** The columns of an agent that a version has under the same names. Its connections and tools are read beside them. */
const agentColumns = {
  name: 'name',
  title: 'title',
  role: 'role',
  description: 'description',
  status: 'status',
  systemPrompt: 'system_prompt',
  contextAccessLevel: 'context_access_level',
  providerType: 'provider_type',
  model: 'model',
  temperature: 'temperature',
  maxTokens: 'max_tokens',
  effort: 'effort',
  connectionId: 'connection_id',
  fallback: 'fallback',
  mayGoWithoutTools: 'may_go_without_tools',
  work: 'work',
  folderId: 'folder_id',
} as const;

const settingColumns = ['parallelSteps', 'holdHandOffs', 'testCommand', 'installs', 'fetchHosts', 'maxTurns', 'maxCalls'] as const;

/** SQL of an address without a login or a query: one of an earlier version of the product may hold a key there. */
const bare = (address: string) => `regexp_replace(${address}, '(//)[^/]*@|[?#].*$', '\\1', 'g')`;

const connectionJson = `jsonb_build_object('name', connections.name, 'provider', connections.provider, 'address', ${bare('connections.address')})`;
const ownConnection = `(SELECT ${connectionJson} FROM connections WHERE connections.id = agents.connection_id)`;
const secondConnection = `CASE WHEN agents.fallback IS NOT NULL THEN (SELECT ${connectionJson} FROM connections WHERE connections.id = (agents.fallback->>'connectionId')::uuid) END`;

/** The ticked tools of projects: rows of `agent_id`, `project_id` and what a version keeps of a tool. */
const tickedTools = `SELECT ticked.agent_id, ticked.project_id, tool.id, server.name AS server, tool.name, tool.pinned_hash, tool.policy
  FROM agent_tools AS ticked JOIN server_tools AS tool ON tool.id = ticked.tool_id JOIN tool_servers AS server ON server.id = tool.server_id`;

/** SQL of a project's settings in a row of `projects`, as JSON. */
const settingsJson = `jsonb_build_object(${settingColumns.map((key) => `'${key}', projects.${getTableColumns(projects)[key].name}`).join(', ')})`;

/** SQL of an agent in a row of `agents` as JSON. `project`: SQL of the project whose tools it has. */
function agentJson(project: string): string {
  const pairs = Object.entries(agentColumns).map(([key, column]) => `'${key}', agents.${column}`);
  const tools = `coalesce((SELECT jsonb_agg(jsonb_build_object('id', tool.id, 'server', tool.server, 'name', tool.name, 'pinnedHash', tool.pinned_hash,
    'policy', tool.policy) ORDER BY tool.id) FROM (${tickedTools}) AS tool WHERE tool.agent_id = agents.id AND tool.project_id = ${project}), '[]')`;
  return `jsonb_build_object(${[...pairs, `'baseUrl', ${bare('agents.base_url')}`, `'keyHost', agents.api_key_host`, `'connection', ${ownConnection}`, `'fallbackConnection', ${secondConnection}`, `'tools', ${tools}`].join(', ')})`;
}

/**
 * SQL of one text that changes with each change of a project's team: its canvas, its settings, these agents, their tools and the names of their
 * connections. It reads no card and no prompt. `project` and `agentIds` are SQL.
 */
function keyOfTeam(project: string, agentIds: string): string {
  return `(SELECT md5(concat_ws(' ', projects.canvas_version, extract(epoch FROM projects.updated_at),
      (SELECT string_agg(concat_ws(' ', agents.id, extract(epoch FROM agents.updated_at), agents.connection_id, ${ownConnection}, ${secondConnection}), ','
        ORDER BY agents.id) FROM agents WHERE agents.id = ANY(${agentIds})),
      (SELECT string_agg(concat_ws(' ', tool.agent_id, tool.id, tool.server, tool.name, tool.pinned_hash, tool.policy), ',' ORDER BY tool.agent_id, tool.id)
        FROM (${tickedTools}) AS tool WHERE tool.project_id = ${project})))
    FROM projects WHERE projects.id = ${project})`;
}

/** SQL of the id of the version that a pipeline's team has now; null where that is not known without reading the team. Part of a statement on `pipelines`. */
export const versionOfPipeline = `(SELECT latest.team_version_id FROM latest_teams AS latest WHERE latest.project_id = pipelines.project_id
  AND latest.key = ${keyOfTeam('latest.project_id', 'latest.agent_ids')}
  AND NOT EXISTS (SELECT agent_id FROM pipeline_steps WHERE pipeline_id = pipelines.id EXCEPT SELECT unnest(latest.agent_ids)))`;

type Team = { userId: OwnerId; projectId: string; agentIds: readonly string[] };

/** SQL of the ids of a team's agents: those of its cards, and those of `agentIds` that the account has. */
function memberIds({ userId, projectId, agentIds }: Team, place: BindValue): string {
  return `SELECT agents.id FROM agents WHERE agents.user_id = ${place(userId)}::uuid AND (agents.id = ANY(${place(agentIds)}::uuid[]) OR agents.id::text IN (
    SELECT value->>'serverAgentId' FROM canvas_nodes WHERE project_id = ${place(projectId)}::uuid AND value->>'type' = 'agent'))`;
}

/** Returns the bytes that a new version of the team takes at most. */
export function bytesOfTeam(team: Team): Statement {
  return writeStatement((place) => {
    const project = `${place(team.projectId)}::uuid`;
    const size = (table: string) =>
      `(SELECT coalesce(sum(octet_length(id) + pg_column_size(value)), 0) FROM ${table} WHERE project_id = ${project})`;
    return `SELECT ${size('canvas_nodes')} + ${size('canvas_connections')} + (SELECT coalesce(sum(pg_column_size(agents.*)), 0) FROM agents
      WHERE agents.id IN (${memberIds(team, place)})) AS bytes`;
  });
}

type NewVersion = Team & { id: string; createdBy: string | null; at: Date };

/** Stores the team of a project as a version, unless it has one: one row of `id`, `number` and `isNew`. The project must be locked. */
export function storingTeam({ id, createdBy, at, ...team }: NewVersion): Statement {
  return writeStatement((place) => {
    const project = `${place(team.projectId)}::uuid`;
    const records = (table: string) => `coalesce((SELECT jsonb_object_agg(id, value) FROM ${table} WHERE project_id = ${project}), '{}')`;
    return `WITH members AS MATERIALIZED (${memberIds(team, place)}),
      made AS MATERIALIZED (SELECT projects.canvas_version, ${settingsJson} AS settings,
        jsonb_build_object('nodes', ${records('canvas_nodes')}, 'connections', ${records('canvas_connections')}) AS document,
        coalesce((SELECT jsonb_object_agg(agents.id, ${agentJson(project)}) FROM agents WHERE agents.id IN (SELECT id FROM members)), '{}') AS agents
        FROM projects WHERE projects.id = ${project}),
      hashed AS MATERIALIZED (SELECT made.*,
        encode(sha256(convert_to(concat_ws(E'\\n', document::text, agents::text, settings::text), 'UTF8')), 'hex') AS hash FROM made),
      stored AS (INSERT INTO team_versions (id, project_id, number, canvas_version, document, agents, settings, hash, created_by, at)
        SELECT ${place(id)}::uuid, ${project}, 1 + coalesce((SELECT max(number) FROM team_versions WHERE project_id = ${project}), 0),
          canvas_version, document, agents, settings, hash, ${place(createdBy)}::uuid, ${place(at)}::timestamptz FROM hashed
        ON CONFLICT (project_id, hash) DO NOTHING RETURNING id, number),
      found AS (SELECT id, number, true AS is_new FROM stored UNION ALL
        SELECT version.id, version.number, false FROM team_versions AS version, hashed WHERE version.project_id = ${project} AND version.hash = hashed.hash),
      latest AS (INSERT INTO latest_teams (project_id, team_version_id, key, agent_ids)
        SELECT ${project}, found.id, ${keyOfTeam(project, 'members.ids')}, members.ids
        FROM found, (SELECT coalesce(array_agg(id), '{}') AS ids FROM members) AS members
        ON CONFLICT (project_id) DO UPDATE SET team_version_id = EXCLUDED.team_version_id, key = EXCLUDED.key, agent_ids = EXCLUDED.agent_ids)
      SELECT id, number, is_new AS "isNew" FROM found`;
  });
}

/** Selects what there is now of a version's agents, of the account's connections and of the project: one value `now`, as `TeamNow`. */
export function selectTeamNow({ userId, projectId, agentIds }: Team): Statement {
  return writeStatement((place) => {
    const project = `${place(projectId)}::uuid`;
    const user = `${place(userId)}::uuid`;
    return `SELECT jsonb_build_object(
      'agents', coalesce((SELECT jsonb_object_agg(agents.id, ${agentJson(project)}) FROM agents
        WHERE agents.user_id = ${user} AND agents.id = ANY(${place(agentIds)}::uuid[])), '{}'),
      'settings', (SELECT ${settingsJson} FROM projects WHERE projects.id = ${project}),
      'connections', coalesce((SELECT jsonb_object_agg(connections.id, ${connectionJson}) FROM connections WHERE connections.user_id = ${user}), '{}'),
      'tools', coalesce((SELECT jsonb_object_agg(tool.id, jsonb_build_object('pinnedHash', tool.pinned_hash, 'policy', tool.policy, 'isMissing', tool.is_missing,
        'isChanged', tool.current IS NOT NULL)) FROM server_tools AS tool WHERE tool.project_id = ${project}), '{}')) AS now`;
  });
}

/** Locks agents of the account, and the tools of the project, until the transaction ends: of one account, one call after another. The project must be locked. */
export async function lockTeam(tx: Db, { userId, projectId, agentIds }: Team): Promise<void> {
  const ids = sql.param([...agentIds]);
  // An agent that is gone has no row to lock: two projects may make it again.
  await lockByName(tx, `restored-teams ${userId}`);
  await tx.execute(sql`SELECT FROM agents WHERE user_id = ${userId} AND id = ANY(${ids}::uuid[]) ORDER BY id FOR UPDATE`);
  await tx.execute(sql`SELECT FROM server_tools WHERE project_id = ${projectId} ORDER BY id FOR NO KEY UPDATE`);
}
