import type { StorageKind } from '../../../contract/storage.ts';

/** How the rows of a table belong to an account: by a column of their own, or by their project, run, pipeline, set of files, agent, released team or trigger. */
type Owner = 'account' | 'project' | 'run' | 'pipeline' | 'inputSet' | 'agent' | 'releasedTeam' | 'trigger';

type MeasuredTable = {
  kind: StorageKind;
  owner: Owner;
  /** Columns of any length: of texts and bytes their whole length counts, of JSON its stored size. */
  texts?: readonly string[];
  json?: readonly string[];
  /** An expression for bytes that are known already. */
  known?: string;
};

/**
 * Every table that holds data of users, with what it counts as. A test compares it with the tables of the database, so a new table is either here or
 * in `unmeasuredTables`.
 */
export const measuredTables: Readonly<Record<string, MeasuredTable>> = {
  executions: {
    kind: 'runs',
    owner: 'account',
    texts: ['initial_task', 'source', 'dialog_node_id', 'called_from'],
    json: ['graph', 'input', 'holds', 'approved_tools', 'install_hosts', 'error'],
  },
  execution_steps: {
    kind: 'runs',
    owner: 'run',
    texts: ['system_prompt', 'result', 'name', 'agent_title', 'role', 'node_id', 'choice', 'model'],
    json: [
      'refused_files',
      'hand_off',
      'revision',
      'read_files',
      'test_run',
      'shortened',
      'room',
      'marks',
      'tried_model',
      'reused_from',
      'tool_use',
      'cost',
      'usage',
      'error',
    ],
  },
  execution_events: { kind: 'runs', owner: 'run', json: ['event'] },
  execution_contexts: { kind: 'runs', owner: 'run', texts: ['content', 'type', 'source', 'dialog_node_id', 'dialog_node_title'] },
  execution_files: { kind: 'runs', owner: 'run', texts: ['content', 'path', 'moved_from'] },
  questions: { kind: 'runs', owner: 'run', texts: ['draft', 'node_id', 'email', 'answered_by'], json: ['asked', 'answer', 'when_due'] },
  model_turns: { kind: 'runs', owner: 'run', texts: ['text', 'opaque', 'summary'], json: ['usage'] },
  tool_calls: { kind: 'runs', owner: 'run', texts: ['args', 'result', 'call_id', 'tool', 'tool_key', 'source'], json: ['images'] },
  test_runs: { kind: 'runs', owner: 'run', texts: ['log'], json: ['answer'] },
  publications: {
    kind: 'runs',
    owner: 'run',
    json: ['pushed', 'renamed'],
    texts: ['problem_text', 'url', 'branch', 'base_branch', 'files_sha', 'request_url'],
  },
  results: {
    kind: 'runs',
    owner: 'account',
    texts: ['user_request', 'final_result', 'summary', 'metadata', 'tags', 'search_text', 'answer_search_text'],
  },
  input_sets: { kind: 'inputs', owner: 'account', json: ['git', 'follows', 'left_out'] },
  input_files: { kind: 'inputs', owner: 'inputSet', texts: ['path', 'mime', 'content', 'text', 'encoding'] },
  replaced_git_files: { kind: 'inputs', owner: 'inputSet', texts: ['path', 'mime', 'content', 'text', 'encoding'] },
  git_blobs: { kind: 'inputs', owner: 'account', texts: ['oid', 'sha256', 'mime', 'content', 'text', 'encoding', 'reason'] },
  git_bases: { kind: 'inputs', owner: 'account', texts: ['tree', 'paths'] },
  git_base_files: { kind: 'inputs', owner: 'account', texts: ['path', 'oid', 'sha256', 'mime', 'encoding', 'reason'] },
  projects: { kind: 'canvases', owner: 'account', texts: ['name', 'description', 'test_command'], json: ['fetch_hosts'] },
  canvas_nodes: { kind: 'canvases', owner: 'project', texts: ['id'], json: ['value'] },
  canvas_connections: { kind: 'canvases', owner: 'project', texts: ['id'], json: ['value'] },
  git_targets: {
    kind: 'canvases',
    owner: 'project',
    texts: ['url', 'base_branch', 'prefix', 'author_name', 'author_email', 'token_sealed'],
    json: ['paths'],
  },
  hooks_out: { kind: 'canvases', owner: 'project', texts: ['url', 'secret_sealed', 'off_because'], json: ['events', 'former_secrets'] },
  hook_deliveries: { kind: 'runs', owner: 'account', texts: ['event'], json: ['about'] },
  triggers: { kind: 'canvases', owner: 'project', texts: ['name', 'secret_sealed', 'earlier_secret_sealed'], json: ['settings'] },
  fires: { kind: 'runs', owner: 'trigger', texts: ['key', 'body', 'detail'], json: ['source'] },
  forge_readings: { kind: 'runs', owner: 'trigger', texts: ['url', 'login', 'since', 'problem_text'], json: ['unread', 'rights'] },
  forge_threads: {
    kind: 'runs',
    owner: 'trigger',
    json: ['owed'],
    texts: [
      ...(['url', 'title', 'issue_text', 'author', 'page', 'detail', 'subject', 'note', 'branch', 'base', 'head_sha'] as const),
      ...(['request_url', 'checked_sha', 'comment_id', 'comment_sha'] as const),
    ],
  },
  forge_seen: { kind: 'runs', owner: 'trigger', texts: ['what'] },
  tool_servers: {
    kind: 'canvases',
    owner: 'project',
    json: ['auth'],
    texts: ['name', 'url', 'refused', 'key_sealed', 'key_host', 'secret_sealed', 'sign_in_sealed', 'about_name', 'about_version'],
  },
  server_tools: { kind: 'canvases', owner: 'project', texts: ['name', 'call_name', 'pinned', 'current'] },
  agent_tools: { kind: 'canvases', owner: 'project' },
  canvas_changes: { kind: 'versions', owner: 'project', known: 't.bytes' },
  canvas_snapshots: { kind: 'versions', owner: 'project', known: 't.bytes' },
  team_versions: { kind: 'versions', owner: 'project', texts: ['hash', 'name', 'note'], json: ['document', 'agents', 'settings'] },
  latest_teams: { kind: 'versions', owner: 'project', texts: ['key'], json: ['agent_ids'] },
  canvas_marks: { kind: 'versions', owner: 'project', texts: ['name', 'note'] },
  pipelines: { kind: 'pipelines', owner: 'account', texts: ['name', 'description', 'configuration'], json: ['links', 'groups'] },
  pipeline_steps: { kind: 'pipelines', owner: 'pipeline', texts: ['name', 'description', 'node_id', 'group_id'], json: ['settings'] },
  released_teams: { kind: 'pipelines', owner: 'project', texts: ['slug', 'title', 'task'], json: ['input', 'budget'] },
  team_releases: { kind: 'pipelines', owner: 'releasedTeam', texts: ['released_by'] },
  team_runs: { kind: 'runs', owner: 'run', texts: ['called_by'] },
  connections: {
    kind: 'agents',
    owner: 'account',
    texts: ['name', 'address', 'folder_id', 'key_sealed', 'key_host', 'headers_sealed', 'default_model', 'models_problem'],
    json: ['header_names', 'extra_body', 'models', 'told_prices', 'tested'],
  },
  agents: {
    kind: 'agents',
    owner: 'account',
    json: ['skills', 'fallback', 'work'],
    texts: [
      ...['name', 'title', 'description', 'role', 'specialization', 'icon_type', 'system_prompt', 'plan', 'model', 'base_url', 'folder_id'],
      ...['api_key_sealed', 'api_key_host', 'effort'],
    ],
  },
  agent_changes: { kind: 'versions', owner: 'agent', texts: ['before', 'after'] },
  agent_relationships: { kind: 'agents', owner: 'account', texts: ['description'] },
  agent_commands: {
    kind: 'commands',
    owner: 'account',
    texts: ['request', 'initial_task', 'task', 'result', 'model'],
    json: ['parameters', 'data', 'messages', 'usage', 'error'],
  },
  agent_thoughts: { kind: 'thoughts', owner: 'account', texts: ['content'] },
  idempotency_keys: { kind: 'answers', owner: 'account', texts: ['key'], json: ['answer'] },
};

/** Tables without data of users that grows: sign-ins, what calls have cost, and the server's own. */
export const unmeasuredTables: readonly string[] = [
  ...['users', 'sessions', 'refresh_tokens', 'password_resets', 'email_verifications', 'socket_tickets', 'api_keys'],
  ...['telegram_chats', 'telegram_projects', 'telegram_links', 'telegram_updates', 'push_devices'],
  ...[
    'budgets',
    'budget_uses',
    'spend',
    'leads',
    'local_runner',
    'lead_comments',
    'dead_letters',
    'rate_limits',
    'token_usage',
    'schema_migrations',
    'storage_uses',
    'left_spend',
    'model_traits',
  ],
];

/** What a row takes beside its columns of any length (bytes): its head, ids, times and places in indexes. */
const rowBytes = 160;

const joins: Readonly<Record<Owner, { join: string; owner: string }>> = {
  account: { join: '', owner: 't' },
  project: { join: 'JOIN projects AS owner ON owner.id = t.project_id', owner: 'owner' },
  run: { join: 'JOIN executions AS owner ON owner.id = t.execution_id', owner: 'owner' },
  pipeline: { join: 'JOIN pipelines AS owner ON owner.id = t.pipeline_id', owner: 'owner' },
  agent: { join: 'JOIN agents AS owner ON owner.id = t.agent_id', owner: 'owner' },
  inputSet: { join: 'JOIN input_sets AS owner ON owner.id = t.set_id', owner: 'owner' },
  trigger: {
    join: 'JOIN triggers AS trigger ON trigger.id = t.trigger_id JOIN projects AS owner ON owner.id = trigger.project_id',
    owner: 'owner',
  },
  releasedTeam: {
    join: 'JOIN released_teams AS team ON team.id = t.team_id JOIN projects AS owner ON owner.id = team.project_id',
    owner: 'owner',
  },
};

/** SQL text: the kinds and bytes of every table, of the account `$1`. No value is read for it, only its length. */
export const measuredRows = Object.entries(measuredTables)
  .map(([table, { kind, owner, texts = [], json = [], known }]) => {
    const lengths = [
      ...texts.map((column) => `coalesce(octet_length(t.${column}), 0)`),
      ...json.map((column) => `coalesce(pg_column_size(t.${column}), 0)`),
      ...(known === undefined ? [] : [known]),
    ];
    const { join, owner: of } = joins[owner];
    return `SELECT '${kind}' AS kind, coalesce(sum(${[rowBytes, ...lengths].join(' + ')}), 0)::bigint AS bytes FROM ${table} AS t ${join} WHERE ${of}.user_id = $1`;
  })
  .join('\nUNION ALL ');
