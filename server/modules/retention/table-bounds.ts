import type { RouteName } from '../../../contract/routes.ts';
import type { StoredTable } from '../accounts/index.ts';

/** What the server does of itself to what it stores, in this order: what may take long comes last. */
export const housekeepingTasks = [
  ...(['lostCalls', 'expiredSignIns', 'oldTokens', 'oldKeys', 'oldDeliveries', 'oldFires', 'oldForgeWork', 'oldLinks'] as const),
  ...(['oldAnswers', 'unsentFiles', 'leftTrials', 'oversizedVersions', 'oldDeadLetters', 'oldThoughts', 'oldRuns', 'oldEvents'] as const),
  ...(['unusedBases', 'unreleasedPipelines', 'unusedTeams', 'oldCalls', 'oldVersions'] as const),
] as const;
export type HousekeepingTask = (typeof housekeepingTasks)[number];

/**
 * What keeps a table from growing without end. `removedBy`: a person makes the rows, and removes them with this call. `of`: each row of another table has only
 * so many, and they go with it. `thinnedBy`: the server removes old rows of itself. `capped`: each write keeps to a number, which is named.
 */
export type TableBound = { removedBy: RouteName } | { of: StoredTable } | { thinnedBy: HousekeepingTask } | { capped: string };

/** Every table of the database. The compiler asks for a decision about a new one: what grows by itself needs a task that thins it. */
export const tableBounds = {
  users: { removedBy: 'account.delete' },
  sessions: { thinnedBy: 'expiredSignIns' },
  refresh_tokens: { thinnedBy: 'oldTokens' },
  socket_tickets: { thinnedBy: 'expiredSignIns' },
  password_resets: { thinnedBy: 'expiredSignIns' },
  email_verifications: { thinnedBy: 'expiredSignIns' },
  api_keys: { thinnedBy: 'oldKeys' },
  idempotency_keys: { thinnedBy: 'oldAnswers' },
  push_devices: { removedBy: 'push.remove' },
  telegram_chats: { removedBy: 'telegram.remove' },
  telegram_projects: { of: 'projects' },
  telegram_links: { thinnedBy: 'oldLinks' },
  telegram_updates: { capped: 'one row for the bot' },
  storage_uses: { of: 'users' },
  left_spend: { capped: 'one row for each month and model with costs of deleted accounts' },
  token_usage: { capped: 'nothing writes to it any more' },
  rate_limits: { capped: 'counters that have ended are removed by their library' },
  model_traits: { capped: 'each write removes those of its account that are older than thirty days or too many' },
  local_runner: { capped: 'one row' },
  schema_migrations: { capped: 'one row for each migration' },
  leads: { removedBy: 'lead.remove' },
  lead_comments: { of: 'leads' },

  projects: { removedBy: 'project.remove' },
  canvas_nodes: { of: 'projects' },
  canvas_connections: { of: 'projects' },
  canvas_changes: { thinnedBy: 'oldVersions' },
  canvas_snapshots: { thinnedBy: 'oversizedVersions' },
  canvas_marks: { thinnedBy: 'oversizedVersions' },
  team_versions: { thinnedBy: 'unusedTeams' },
  latest_teams: { of: 'projects' },
  released_teams: { removedBy: 'releasedTeam.withdraw' },
  team_releases: { capped: 'each release removes those of its team that are no longer shown' },
  git_targets: { of: 'projects' },
  hooks_out: { removedBy: 'hook.remove' },
  hook_deliveries: { thinnedBy: 'oldDeliveries' },
  triggers: { removedBy: 'trigger.remove' },
  fires: { thinnedBy: 'oldFires' },
  forge_readings: { of: 'triggers' },
  forge_threads: { thinnedBy: 'oldForgeWork' },
  forge_seen: { thinnedBy: 'oldForgeWork' },
  tool_servers: { removedBy: 'toolServer.remove' },
  server_tools: { of: 'tool_servers' },
  agent_tools: { of: 'agents' },

  agents: { removedBy: 'agent.remove' },
  agent_changes: { thinnedBy: 'oldVersions' },
  agent_relationships: { of: 'agents' },
  connections: { removedBy: 'modelConnection.remove' },
  agent_commands: { removedBy: 'command.clearHistory' },
  agent_thoughts: { thinnedBy: 'oldThoughts' },

  pipelines: { removedBy: 'storage.free' },
  pipeline_steps: { of: 'pipelines' },
  budgets: { removedBy: 'budget.remove' },
  budget_uses: { thinnedBy: 'oldCalls' },
  spend: { thinnedBy: 'oldCalls' },
  dead_letters: { thinnedBy: 'oldDeadLetters' },

  input_sets: { thinnedBy: 'unsentFiles' },
  input_files: { of: 'input_sets' },
  replaced_git_files: { of: 'input_sets' },
  git_bases: { thinnedBy: 'unusedBases' },
  git_base_files: { of: 'git_bases' },
  git_blobs: { thinnedBy: 'unusedBases' },

  executions: { removedBy: 'storage.free' },
  execution_steps: { of: 'executions' },
  execution_events: { thinnedBy: 'oldEvents' },
  execution_contexts: { of: 'executions' },
  execution_files: { of: 'execution_steps' },
  results: { removedBy: 'result.remove' },
  questions: { of: 'executions' },
  model_turns: { thinnedBy: 'oldEvents' },
  tool_calls: { thinnedBy: 'oldEvents' },
  test_runs: { of: 'executions' },
  publications: { of: 'executions' },
  team_runs: { of: 'executions' },
} as const satisfies Record<StoredTable, TableBound>;
