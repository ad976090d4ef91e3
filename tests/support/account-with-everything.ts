import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Pipeline } from '../../contract/executions/pipeline.ts';
import type { RunAccount } from './run-account.ts';

/** A word that stands in the texts of the account, and nowhere else. */
export const plantedWord = 'Heron-of-Ann';
/** A word that stands where keys are stored. */
export const plantedSecret = 'kept-secret-of-Ann';

type Furnished = { projectId: string; runId: string; startedRunId: string };

/**
 * Gives an account at least one row in each table that can hold rows of an account. Rows that only outside services cause are written into the
 * database itself.
 */
export async function furnishAccount(ann: RunAccount, pool: pg.Pool): Promise<Furnished> {
  const agent = ann.agent('assistant').id;
  const pipeline = await ann.pipeline('assistant', 'developer');
  const inputSetId = await ann.giveFile('notes/Отчёт 1.txt', `Read this: ${plantedWord}`);
  const run = await ann.start(pipeline, `A task for ${plantedWord}`, { inputSetId });
  await ann.until(run.id, ({ status }) => status === 'completed');
  const asking = await ann.call<Pipeline>('POST', '/Pipeline', {
    ...{ name: 'Ask', projectId: 'default', links: [{ id: 'ask>next', from: 'ask', to: 'next' }] },
    steps: [
      { name: 'ask', agentId: agent, nodeId: 'ask', settings: { person: { question: plantedWord } } },
      { name: 'next', agentId: agent, nodeId: 'next' },
    ],
  });
  const waiting = await ann.start(asking.body, `Wait for ${plantedWord}`);
  await ann.until(waiting.id, ({ openQuestions }) => openQuestions === 1);
  await ann.call('POST', `/PipelineExecution/${waiting.id}/context`, { type: 'user_input', content: plantedWord, source: 'test' });
  const relation = `?sourceAgentId=${agent}&targetAgentId=${ann.agent('developer').id}&relationshipType=delegates-to`;
  await ann.call('POST', `/nuroagent/relationships${relation}`, undefined, { 'idempotency-key': randomUUID() });
  await ann.call('POST', '/agentthought/publish', { agentId: agent, content: plantedWord });
  await ann.call('POST', '/agentcommand/execute', { agentId: agent, request: plantedWord, projectId: 'default' });
  await ann.call('POST', '/auth/socket-ticket');
  await ann.call('POST', '/project/default/released-teams', { pipelineId: pipeline.id, slug: 'everything', title: plantedWord });
  await ann.call('POST', '/api-keys', { name: plantedWord, scopes: ['read'] });
  await ann.call('PUT', '/budget', { scope: 'user', span: 'month', tokens: 1_000_000_000 });
  const { projectId } = pipeline;
  const { body: canvas } = await ann.call<{ version: number }>('GET', `/project/${projectId}/canvas`);
  await ann.call('PUT', `/project/${projectId}/versions/${canvas.version}/mark`, { name: `Named: ${plantedWord}/..` });
  const { rows } = await pool.query<{ step_id: string }>(
    'SELECT step_id FROM execution_steps WHERE execution_id = $1 ORDER BY order_index',
    [run.id],
  );
  const stepId = rows[0]?.step_id ?? '';
  await writeRows(pool, { userId: ann.userId, email: ann.email, agent, projectId, runId: run.id, stepId, inputSetId });
  return { projectId, runId: run.id, startedRunId: waiting.id };
}

type Places = { userId: string; email: string; agent: string; projectId: string; runId: string; stepId: string; inputSetId: string };

/** Rows of tool servers, Git, files of agents, emails and dead jobs. */
async function writeRows(pool: pg.Pool, { userId, email, agent, projectId, runId, stepId, inputSetId }: Places): Promise<void> {
  const [serverId, toolId, hash] = [randomUUID(), randomUUID(), `${plantedSecret} ${userId}`];
  const insert = (text: string, values: unknown[]) => pool.query(`INSERT INTO ${text}`, values);
  await insert(
    `connections (id, user_id, name, provider, address, key_sealed, headers_sealed) VALUES ($1, $2, $3, 'compatible', 'https://models.example', $4, $4)`,
    [randomUUID(), userId, plantedWord, plantedSecret],
  );
  await insert(
    `tool_servers (id, project_id, kind, name, url, auth, key_sealed, secret_sealed) VALUES ($1, $2, 'http', $3, 'https://tools.example', '{"kind":"none"}', $4, $4)`,
    [serverId, projectId, plantedWord, plantedSecret],
  );
  await insert(
    `server_tools (id, project_id, server_id, name, call_name, pinned, pinned_hash, pinned_at, policy) VALUES ($1, $2, $3, $4, 'find', '{}', 'h', now(), 'ask')`,
    [toolId, projectId, serverId, plantedWord],
  );
  await insert(`agent_changes (agent_id, number, before, after, author, cause) VALUES ($1, 1, $2, '', $3, 'person')`, [
    agent,
    plantedWord,
    userId,
  ]);
  const hookId = randomUUID();
  await insert(
    `hooks_out (id, project_id, url, secret_sealed, former_secrets, events, with_texts, created_at)
      VALUES ($1, $2, $3, $4, jsonb_build_array(jsonb_build_object('sealed', $4::text, 'until', now())), '{published}', true, now())`,
    [hookId, projectId, `https://hooks.example/${plantedWord}`, plantedSecret],
  );
  await insert(
    `hook_deliveries (id, hook_id, event_id, user_id, project_id, event, about, created_at, status) VALUES ($1, $2, $1, $3, $4, 'published', $5, now(), 'delivered')`,
    [randomUUID(), hookId, userId, projectId, { texts: { task: plantedWord } }],
  );
  const triggerId = randomUUID();
  await insert(
    `triggers (id, project_id, kind, name, team_id, run_as, settings, secret_sealed, key_id, overlap, missed, grace_seconds, created_at, updated_at)
      SELECT $1, $2, 'webhook', $3, team.id, $4, '{"kind":"webhook"}', $5, key.id, 'skip', 'once', 60, now(), now()
      FROM released_teams AS team, api_keys AS key WHERE team.run_as = $4 AND key.user_id = $4`,
    [triggerId, projectId, plantedWord, userId, plantedSecret],
  );
  await insert(`fires (trigger_id, key, due_at, at, source, body, outcome) VALUES ($1, 'a', now(), now(), '{}', $2, 'filtered')`, [
    triggerId,
    plantedWord,
  ]);
  await insert(`forge_readings (trigger_id, url) VALUES ($1, $2)`, [triggerId, `https://git.example/${plantedWord}`]);
  await insert(`forge_seen (trigger_id, what) VALUES ($1, $2)`, [triggerId, plantedWord]);
  await insert(
    `forge_threads (id, trigger_id, url, number, title, issue_text, author, page, state, updated_at)
      VALUES ($1, $2, 'https://git.example/x', 1, $3, $3, 'eve', 'https://git.example/x/issues/1', 'published', now())`,
    [randomUUID(), triggerId, plantedWord],
  );
  await insert(`telegram_chats (user_id, chat_id, name, bound_at) VALUES ($1, $2, $3, now())`, [
    ...[userId, Math.floor(Math.random() * 1e12)],
    plantedWord,
  ]);
  await insert(`telegram_projects (user_id, project_id, events) VALUES ($1, $2, '{published}')`, [userId, projectId]);
  await insert(`telegram_links (hash, user_id, project_id, expires_at) VALUES ($1, $2, $3, now())`, [hash, userId, projectId]);
  await insert(
    `push_devices (id, user_id, session_id, endpoint_hash, subscription_sealed, name, events, added_at)
      SELECT $1, user_id, id, $2, $2, $3, '{published}', now() FROM sessions WHERE user_id = $4 LIMIT 1`,
    [randomUUID(), hash, plantedWord, userId],
  );
  await insert('agent_tools (agent_id, tool_id, project_id) VALUES ($1, $2, $3)', [agent, toolId, projectId]);
  await insert(
    `git_targets (project_id, url, base_branch, prefix, forge, token_sealed) VALUES ($1, 'https://git.example/x', 'main', 'artel', 'none', $2)`,
    [projectId, plantedSecret],
  );
  await insert(
    `publications (execution_id, url, branch, sha, base_sha, published_at) VALUES ($1, 'https://git.example/x', $2, 'a', 'b', now())`,
    [runId, plantedWord],
  );
  for (const path of ['docs/план.md', 'src/main.ts'])
    await insert('execution_files (execution_id, path, step_id, order_index, content, size) VALUES ($1, $2, $3, 0, $4, 12)', [
      ...[runId, path, stepId],
      `${path}: ${plantedWord}`,
    ]);
  await insert(`canvas_snapshots (project_id, version, document, bytes) VALUES ($1, 900, $2, 1)`, [projectId, { nodes: plantedWord }]);
  await insert(`model_turns (execution_id, step_id, turn, text, created_at) VALUES ($1, $2, 50, $3, now())`, [runId, stepId, plantedWord]);
  await insert(
    `tool_calls (execution_id, step_id, turn, call_id, position, tool, effect, args, state, created_at) VALUES ($1, $2, 50, 'c', 0, 'find', 'read', $3, 'done', now())`,
    [runId, stepId, plantedWord],
  );
  await insert(
    `team_releases (team_id, number, team_version_id, pipeline_id, released_by, released_at)
      SELECT id, 2, team_version_id, pipeline_id, $1, now() FROM released_teams JOIN team_releases ON team_id = id WHERE run_as = $2`,
    [plantedWord, userId],
  );
  await insert(
    `team_runs (execution_id, team_id, release, called_by, called_at) SELECT $1, id, 1, $2, now() FROM released_teams WHERE run_as = $3`,
    [...[runId, plantedWord], userId],
  );
  await insert('test_runs (execution_id, step_id, log) VALUES ($1, $2, $3)', [runId, stepId, plantedWord]);
  await insert(
    `replaced_git_files (set_id, path, mime, kind, bytes, sha256, executable, content) VALUES ($1, 'old.bin', 'application/octet-stream', 'binary', 3, 'c', false, $2)`,
    [inputSetId, Buffer.from(plantedWord)],
  );
  await insert(`git_blobs (user_id, oid, bytes, sha256, kind, mime, text) VALUES ($1, 'b1', 3, 'c', 'text', 'text/plain', $2)`, [
    userId,
    plantedWord,
  ]);
  const baseId = randomUUID();
  await insert(`git_bases (id, user_id, tree, paths, files) VALUES ($1, $2, 't1', '', 1)`, [baseId, userId]);
  await insert(
    `git_base_files (base_id, path, user_id, oid, executable, bytes, sha256, kind, mime, replaced)
      VALUES ($1, $2, $3, 'b1', false, 3, 'c', 'text', 'text/plain', 0)`,
    [baseId, plantedWord, userId],
  );
  await pool.query('UPDATE input_sets SET base_id = $2 WHERE id = $1', [inputSetId, baseId]);
  await insert(`password_resets (hash, user_id, expires_at) VALUES ($1, $2, now() + interval '1 hour')`, [hash, userId]);
  await insert(`email_verifications (hash, user_id, email, expires_at) VALUES ($1, $2, $3, now() + interval '1 hour')`, [
    hash,
    userId,
    email,
  ]);
  await insert('token_usage (user_id, day, tokens) VALUES ($1, now(), 5)', [userId]);
  await insert(`dead_letters (id, queue, job_id, group_id, reason, died_at) VALUES ($1, 'command', $1, $2, $3, now())`, [
    ...[randomUUID(), agent],
    plantedWord,
  ]);
  await insert(
    `budget_uses (budget_id, user_id, period) SELECT id, $1, '2020-01' FROM budgets WHERE user_id = $1 LIMIT 1 ON CONFLICT DO NOTHING`,
    [userId],
  );
  for (const [usesOperatorKey, micros] of [
    [true, 40],
    [true, 2],
    [false, 700],
  ])
    await insert(
      `spend (id, user_id, project_id, execution_id, provider, model, is_lent, prompt_tokens, completion_tokens, currency, micros, state, created_at)
        VALUES ($1, $2, $3, $4, 'openai', 'a-model', $5, 10, 5, 'USD', $6, 'settled', '2026-03-31T23:30:00Z')`,
      [randomUUID(), userId, projectId, runId, usesOperatorKey, micros],
    );
}

/** All tables of the server and of its queue. */
export async function allTables(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    "SELECT schemaname || '.' || tablename AS name FROM pg_tables WHERE schemaname IN ('public', 'artel_queue') ORDER BY 1",
  );
  return rows.map(({ name }) => name);
}

/** The tables with a row that has one of these texts in any column, bytes included. */
export async function tablesWith(pool: pg.Pool, texts: readonly string[]): Promise<string[]> {
  const needles = texts.flatMap((text) => [text, Buffer.from(text).toString('hex')]);
  const found: string[] = [];
  for (const table of await allTables(pool)) {
    const { rowCount } = await pool.query(
      `SELECT 1 FROM ${table} AS t WHERE EXISTS (SELECT FROM unnest($1::text[]) AS needle WHERE strpos(t::text, needle) > 0) LIMIT 1`,
      [needles],
    );
    if (rowCount) found.push(table);
  }
  return found;
}
