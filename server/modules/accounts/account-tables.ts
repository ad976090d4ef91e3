/**
 * How the rows of a table leave with an export. `of`: the SQL condition of the rows of the place, whose id is `$1`. `hides`: columns that
 * are left out beside the secret ones, because they repeat others or are exported as files. `addresses`: columns with an address, or with an object
 * that has one as its `url`: a key in it, of an earlier version, is not shown.
 */
export type ExportedTable =
  | ({ place: 'account'; file: AccountFile; of: string } & ShownColumns)
  | ({ place: 'project' | 'run'; field: string; of: string; isOne?: true } & ShownColumns)
  | { place: 'canvas' }
  | { place: 'none'; because: string };

type ShownColumns = { hides?: readonly string[]; addresses?: readonly string[] };

/** The JSON files at the top of an export, without their extension. */
export const accountFiles = [
  'account',
  'sessions',
  'api-keys',
  'telegram',
  'push-devices',
  'agents',
  'agent-relationships',
  'agent-changes',
  'connections',
  'commands',
  'thoughts',
  'budgets',
  'budget-uses',
  'costs',
  'tokens-of-today',
] as const;
export type AccountFile = (typeof accountFiles)[number];

const ofUser = 'user_id = $1';
const ofProject = 'project_id = $1';
const ofRun = 'execution_id = $1';
const ofTriggers = 'trigger_id IN (SELECT id FROM triggers WHERE project_id = $1)';
const ofProjectSets = 'set_id IN (SELECT id FROM input_sets WHERE project_id = $1)';

/** Every table with rows of an account. The removal deletes them all; this record says where an export has them. G8.06, G8.09 */
export const accountTables = {
  users: { place: 'account', file: 'account', of: 'id = $1' },
  sessions: { place: 'account', file: 'sessions', of: ofUser },
  api_keys: { place: 'account', file: 'api-keys', of: ofUser },
  telegram_chats: { place: 'account', file: 'telegram', of: ofUser },
  push_devices: { place: 'account', file: 'push-devices', of: ofUser },
  telegram_links: { place: 'none', because: 'keys of links, for 15 minutes' },
  storage_uses: { place: 'none', because: 'counts of what is exported' },
  refresh_tokens: { place: 'none', because: 'keys of sessions' },
  socket_tickets: { place: 'none', because: 'keys of sockets, for 30 seconds' },
  password_resets: { place: 'none', because: 'keys of links in emails' },
  email_verifications: { place: 'none', because: 'keys of links in emails' },
  idempotency_keys: { place: 'none', because: 'answers to repeated calls: what they wrote is exported' },
  token_usage: { place: 'account', file: 'tokens-of-today', of: ofUser },
  agents: { place: 'account', file: 'agents', of: ofUser, addresses: ['base_url'] },
  agent_changes: { place: 'account', file: 'agent-changes', of: 'agent_id IN (SELECT id FROM agents WHERE user_id = $1)' },
  agent_relationships: { place: 'account', file: 'agent-relationships', of: ofUser },
  connections: { place: 'account', file: 'connections', of: ofUser, addresses: ['address'] },
  agent_commands: { place: 'account', file: 'commands', of: ofUser },
  agent_thoughts: { place: 'account', file: 'thoughts', of: ofUser },
  budgets: {
    place: 'account',
    file: 'budgets',
    of: `${ofUser} OR project_id IN (SELECT id FROM projects WHERE user_id = $1) OR execution_id IN (SELECT id FROM executions WHERE user_id = $1)
      OR key_id IN (SELECT id FROM api_keys WHERE user_id = $1)`,
  },
  budget_uses: { place: 'account', file: 'budget-uses', of: ofUser },
  spend: { place: 'account', file: 'costs', of: ofUser },
  dead_letters: { place: 'none', because: 'work that was given up: its run or command says so' },

  projects: { place: 'project', field: 'project', of: 'id = $1', isOne: true },
  canvas_nodes: { place: 'canvas' },
  canvas_connections: { place: 'canvas' },
  canvas_changes: { place: 'project', field: 'changes', of: ofProject, hides: ['patches', 'inverse'] },
  canvas_marks: { place: 'project', field: 'namedVersions', of: ofProject },
  team_versions: { place: 'project', field: 'teamVersions', of: ofProject },
  latest_teams: { place: 'none', because: 'names the newest team version' },
  canvas_snapshots: { place: 'none', because: 'copies of canvases: named versions are exported whole' },
  released_teams: { place: 'project', field: 'releasedTeams', of: ofProject },
  team_releases: {
    place: 'project',
    field: 'teamReleases',
    of: 'team_id IN (SELECT id FROM released_teams WHERE project_id = $1)',
  },
  team_runs: { place: 'run', field: 'teamCall', of: ofRun, isOne: true },
  pipelines: { place: 'project', field: 'pipelines', of: ofProject },
  pipeline_steps: { place: 'project', field: 'pipelineSteps', of: 'pipeline_id IN (SELECT id FROM pipelines WHERE project_id = $1)' },
  git_targets: { place: 'project', field: 'gitTarget', of: ofProject, addresses: ['url'] },
  hooks_out: { place: 'project', field: 'hooks', of: ofProject, addresses: ['url'] },
  hook_deliveries: { place: 'project', field: 'hookDeliveries', of: ofProject },
  triggers: { place: 'project', field: 'triggers', of: ofProject },
  fires: { place: 'project', field: 'fires', of: ofTriggers },
  forge_threads: { place: 'project', field: 'forgeThreads', of: ofTriggers, addresses: ['url', 'request_url'] },
  forge_readings: { place: 'project', field: 'forgeReadings', of: ofTriggers, addresses: ['url'] },
  forge_seen: { place: 'project', field: 'forgeSeen', of: ofTriggers },
  telegram_projects: { place: 'project', field: 'telegram', of: ofProject },
  tool_servers: { place: 'project', field: 'toolServers', of: ofProject, addresses: ['url'] },
  server_tools: { place: 'project', field: 'tools', of: ofProject },
  agent_tools: { place: 'project', field: 'agentTools', of: ofProject },
  input_sets: { place: 'project', field: 'inputSets', of: ofProject, addresses: ['git'] },
  input_files: { place: 'project', field: 'inputFiles', of: ofProjectSets, hides: ['content', 'text'] },
  replaced_git_files: { place: 'project', field: 'replacedFiles', of: ofProjectSets, hides: ['content', 'text'] },
  git_bases: { place: 'none', because: 'trees of repositories: a set names their address and commit' },
  git_base_files: { place: 'none', because: 'names of files of the repositories: a set names the address and the commit' },
  git_blobs: { place: 'none', because: 'contents of repositories: they are at the address of the set that names them' },

  executions: { place: 'run', field: 'run', of: 'id = $1', isOne: true },
  execution_steps: { place: 'run', field: 'steps', of: ofRun },
  execution_events: { place: 'run', field: 'events', of: ofRun },
  execution_contexts: { place: 'run', field: 'addedTexts', of: ofRun },
  execution_files: { place: 'run', field: 'files', of: ofRun, hides: ['content'] },
  results: { place: 'run', field: 'result', of: 'pipeline_execution_id = $1', hides: ['search_text', 'answer_search_text'] },
  questions: { place: 'run', field: 'questions', of: ofRun },
  model_turns: { place: 'run', field: 'modelTurns', of: ofRun, hides: ['opaque'] },
  tool_calls: { place: 'run', field: 'toolCalls', of: ofRun },
  test_runs: { place: 'run', field: 'testRuns', of: ofRun },
  publications: { place: 'run', field: 'publication', of: ofRun, addresses: ['url', 'request_url'] },
} as const satisfies Record<string, ExportedTable>;

export type AccountTable = keyof typeof accountTables;

/** Tables without rows of an account, or whose rows stay after its deletion, each with the reason. */
export const otherTables = {
  local_runner: 'the runner that the server executes tests with: it belongs to the server, not to an account',
  telegram_updates: 'the number of the next message to the bot of the server',
  schema_migrations: 'the versions of the database',
  left_spend: 'sums of the costs of deleted accounts on the keys of the operator, by month and model: they name no person',
  rate_limits: 'counters under hashed keys, which end by themselves within an hour',
  model_traits: 'what models were found to refuse, under a hash for each account, for thirty days: they name no person',
  leads: 'requests from the landing page: they are given and withdrawn without an account',
  lead_comments: 'notes of staff on these requests',
} as const;

/** Every table of the database. */
export type StoredTable = AccountTable | keyof typeof otherTables;

/** Columns with keys, or with what proves them: no export has them. */
export function isSecretColumn(name: string): boolean {
  return /sealed|hash|secret|password|^token_/.test(name);
}
