import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CreatedApiKey, KeyScope } from '../../../contract/api-key.ts';
import type { Canvas, CanvasNode } from '../../../contract/canvas.ts';
import type { ExecutionEvent } from '../../../contract/executions/execution-event.ts';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import type { Project } from '../../../contract/project.ts';
import type { ReleasedTeam, ReleasedTeamDetails, TeamQuestion, TeamRelease, TeamResult, TeamRun } from '../../../contract/released-team.ts';
import type { TeamCheck } from '../../../contract/team-version.ts';
import { removeAccount } from '../../../server/modules/accounts/remove-account.ts';
import { removeUnreleased } from '../../../server/modules/pipelines/index.ts';
import { asOwner } from '../../../server/platform/owner-id.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { setUpAccount, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';

const { database, server } = setUpServerOnDatabase();
const ann = setUpAccount(server);
const bob = setUpAccount(server);

const teams = '/project/default/released-teams';
let names = 0;

async function release(more: Partial<TeamRelease> = {}, person = ann, pipeline?: Pipeline): Promise<ReleasedTeam> {
  const { id } = pipeline ?? (await person.pipeline('assistant'));
  const slug = `team-${++names}`;
  const { status, body } = await person.call<ReleasedTeam>('POST', teams, {
    pipelineId: id,
    slug,
    title: 'A team',
    task: 'Do it',
    ...more,
  });
  expect([status, body]).toMatchObject([201, { slug: more.slug ?? slug }]);
  return body;
}

/** A team whose only step asks a person. */
async function asking(person = ann): Promise<Pipeline> {
  const steps = [{ name: 'Ask', agentId: person.agent('assistant').id, nodeId: 'ask', settings: { person: {} } }];
  return (await person.call<Pipeline>('POST', '/Pipeline', { name: 'Ask', projectId: 'default', steps })).body;
}

async function keyOf(scopes: KeyScope[], projectId: string | null = null, person: RunAccount = ann): Promise<string> {
  const { body } = await person.call<CreatedApiKey>('POST', '/api-keys', { name: 'Bot', scopes, projectId });
  return body.key;
}

type Failed = { code: string; message: string; errors?: { path: string; message: string }[]; details?: Record<string, unknown> };

async function callWith<T = TeamRun & Failed>(
  key: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const isForm = body instanceof FormData;
  const answer = await fetch(`${server.url}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      'accept-language': 'en',
      ...(!isForm && body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: (text === '' ? null : JSON.parse(text)) as T };
}

let key = '';
beforeAll(async () => {
  key = await keyOf(['read', 'run', 'answer']);
});

describe('a call of a released team', () => {
  test('K4.01 fills the task by the names of the fields, starts a run, and returns its result', async () => {
    const input: TeamRelease['input'] = [
      { kind: 'text', name: 'topic' },
      { kind: 'choice', name: 'tone', choices: ['plain', 'warm'], title: 'Tone' },
      { kind: 'number', name: 'words', isOptional: true },
    ];
    const team = await release({ task: 'Write about {topic}, and {nothing}.', input });
    const started = await callWith(key, 'POST', `/team/${team.slug}/runs`, { input: { topic: '{tone}', tone: 'warm', words: 20 } });
    expect(started).toMatchObject({ status: 202, body: { team: team.slug, release: 1, status: 'queued' } });
    const run = await ann.until(started.body.id, ({ status }) => status === 'completed');
    expect(run.initialTask).toBe('Write about {tone}, and {nothing}.\n\nTone: warm\nwords: 20');
    expect((await callWith(key, 'GET', `/team/${team.slug}/runs/${run.id}`)).body).toMatchObject({ status: 'completed', progress: 100 });
    const result = await callWith<TeamResult>(key, 'GET', `/team/${team.slug}/runs/${run.id}/result`);
    expect(result.body).toMatchObject({ status: 'completed', text: run.result, error: null });
    const { body: shown } = await ann.call<ReleasedTeamDetails>('GET', `${teams}/${team.id}`);
    expect(shown.calls).toMatchObject([{ runId: run.id, by: 'Bot', from: '127.0.0.1', release: 1, status: 'completed' }]);
  });

  test('K4.02 takes files as a form, and the same form with the same key starts one run', async () => {
    const team = await release({
      input: [
        { kind: 'file', name: 'report' },
        { kind: 'number', name: 'pages' },
      ],
      task: 'Sum up {report}',
    });
    const form = (text: string) => {
      const parts = new FormData();
      parts.set('report', new Blob([text]), 'Отчёт 1.txt');
      parts.set('pages', '3');
      return parts;
    };
    const once = { 'idempotency-key': crypto.randomUUID() };
    const [one, again] = [
      await callWith(key, 'POST', `/team/${team.slug}/runs`, form('Sold: 7'), once),
      await callWith(key, 'POST', `/team/${team.slug}/runs`, form('Sold: 7'), once),
    ];
    expect([one.status, again.status, again.body.id]).toEqual([202, 202, one.body.id]);
    const other = await callWith(key, 'POST', `/team/${team.slug}/runs`, form('Sold: 8'), once);
    expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_mismatch' } });
    const run = await ann.until(one.body.id, ({ status }) => status === 'completed');
    expect(run.initialTask).toBe('Sum up Отчёт 1.txt\n\npages: 3');
    const { body: files } = await ann.call<{ files: unknown }>('GET', `/inputSet/${run.inputSetId}`);
    expect(files).toMatchObject({ files: [{ path: 'Отчёт 1.txt', bytes: 7 }] });
  });

  test('K4.03 refuses by name what the team does not take', async () => {
    const team = await release({
      input: [
        { kind: 'choice', name: 'tone', choices: ['plain'] },
        { kind: 'number', name: 'count' },
        { kind: 'text', name: 'note' },
      ],
    });
    const path = `/team/${team.slug}/runs`;
    const refused = await callWith(key, 'POST', path, { input: { tone: 'loud', count: 'many', extra: 1 } });
    expect(refused).toMatchObject({ status: 400, body: { code: 'bad_request', details: { fields: ['tone', 'count', 'note'] } } });
    expect(refused.body.errors?.map(({ path: place }) => place)).toEqual(
      expect.arrayContaining(['input.tone', 'input.count', 'input.note', 'input']),
    );
    expect(refused.body.errors?.find(({ path: place }) => place === 'input')?.message).toContain('extra');
    for (const raised of [{ scopes: ['edit'] }, { runAs: bob.userId }, { budget: null }, { teamVersionId: crypto.randomUUID() }]) {
      const answer = await callWith(key, 'POST', path, { input: { tone: 'plain', count: 1, note: 'x' }, ...raised });
      expect([raised, answer.status, answer.body.errors?.[0]?.message]).toEqual([
        raised,
        400,
        expect.stringContaining(Object.keys(raised)[0] ?? ''),
      ]);
    }
    const many: TeamRelease['input'] = [
      { kind: 'file', name: 'first' },
      { kind: 'file', name: 'second' },
      { kind: 'text', name: 'note' },
      { kind: 'number', name: 'count' },
    ];
    const other = await release({ input: many });
    const right = { first: { name: 'a.txt', content: 'x' }, second: { name: 'b.txt', content: 'y' }, note: 'A note', count: '1.5' };
    for (const [field, value, place, words] of [
      ['second', { name: 'a.txt', content: 'y' }, 'input.second', 'The file of the field “first” has the path a.txt too'],
      ['second', { name: 'b.txt', content: 5 }, 'input.second.content', 'must be text'],
      ['note', 'A NUL \0', 'input.note', 'characters that are not allowed'],
      ['note', ' ', 'input.note', 'must not be empty'],
      ['count', 'Infinity', 'input.count', 'must be a number'],
      ['count', undefined, 'input.count', 'required'],
    ] as const) {
      const answer = await callWith(key, 'POST', `/team/${other.slug}/runs`, { input: { ...right, [field]: value } });
      const expected = [{ path: place, message: expect.stringContaining(words) }];
      expect([field, answer.status, answer.body.errors]).toEqual([field, 400, expected]);
    }
    const large = new FormData();
    for (const [name, value] of Object.entries({ ...right, first: new Blob(['x']), second: new Blob(['x'.repeat(10 * 1024 * 1024 + 1)]) }))
      large.set(name, value);
    const tooLarge = await callWith(key, 'POST', `/team/${other.slug}/runs`, large);
    const places = [{ path: 'input.second.content', message: expect.stringContaining('too much data') }];
    expect([tooLarge.status, tooLarge.body.errors]).toEqual([400, expect.arrayContaining(places)]);
    expect((await callWith(key, 'POST', `/team/${other.slug}/runs`, { input: right })).status).toBe(202);
    const twice = new FormData();
    twice.append('note', 'a');
    twice.append('note', 'b');
    expect(await callWith(key, 'POST', path, twice)).toMatchObject({ status: 400, body: { details: { part: 'note' } } });
    const malformed = await callWith(key, 'POST', path, 'not a form', { 'content-type': 'multipart/form-data; boundary=x' });
    expect(malformed).toMatchObject({ status: 400, body: { code: 'bad_request' } });
  });

  test('K4.04 runs no more at once than the team may, however many calls come together', async () => {
    const team = await release({ atOnce: 2 }, ann, await asking());
    const calls = await Promise.all(Array.from({ length: 6 }, () => callWith(key, 'POST', `/team/${team.slug}/runs`, {})));
    const started = calls.filter(({ status }) => status === 202);
    expect(started).toHaveLength(2);
    for (const { status, body } of calls) if (status !== 202) expect([status, body.code]).toEqual([429, 'team_busy']);
    const { body: shown } = await ann.call<ReleasedTeamDetails>('GET', `${teams}/${team.id}`);
    expect(shown.calls).toHaveLength(2);
    await ann.act(started[0]?.body.id ?? '', 'stop');
    expect((await callWith(key, 'POST', `/team/${team.slug}/runs`, {})).status).toBe(202);
  });
});

describe('what a refused call has given', () => {
  const stored = async () => {
    const { rows } =
      await database.pool.query(`SELECT (SELECT count(*) FROM input_sets)::int AS sets, (SELECT count(*) FROM input_files)::int AS files,
      (SELECT count(*) FROM executions)::int AS runs`);
    return rows[0] as Record<'sets' | 'files' | 'runs', number>;
  };
  const call = (slug: string, files: Record<string, string>, more: object = {}) =>
    callWith(key, 'POST', `/team/${slug}/runs`, {
      input: Object.fromEntries(Object.entries(files).map(([name, content]) => [name, { name: `${name}.txt`, content }])),
      ...more,
    });
  const report: TeamRelease['input'] = [{ kind: 'file', name: 'report' }];

  test('K4.15 fifty calls that a busy team refuses leave no file, also when they all come before its first run', async () => {
    const team = await release({ atOnce: 1, input: report }, ann, await asking());
    const before = await stored();
    const together = await Promise.all(Array.from({ length: 25 }, (_, at) => call(team.slug, { report: `Text ${at}` })));
    for (let at = 0; at < 26; at += 1) together.push(await call(team.slug, { report: `Text ${at}` }));
    const started = together.filter(({ status }) => status === 202);
    expect(started).toHaveLength(1);
    for (const { status, body } of together) if (status !== 202) expect([status, body.code]).toEqual([429, 'team_busy']);
    expect(await stored()).toEqual({ sets: before.sets + 1, files: before.files + 1, runs: before.runs + 1 });
    await ann.act(started[0]?.body.id ?? '', 'stop');
  }, 60_000);

  test('K4.15 neither does one whose second file or repository is refused, nor one of a team that has changed', async () => {
    const { body: made } = await ann.call<{ id: string }>('POST', '/nuroagent', { name: 'leaving', title: 'Leaving', role: 'developer' });
    const steps = [{ name: 'Work', agentId: made.id }];
    const { body: pipeline } = await ann.call<Pipeline>('POST', '/Pipeline', { name: 'p', projectId: 'default', steps });
    const team = await release({ input: [...report, { kind: 'file', name: 'second' }] }, ann, pipeline);
    const before = await stored();
    const outside = { report: { name: 'a.txt', content: 'Fine' }, second: { name: '../b.txt', content: 'Fine' } };
    expect(await callWith(key, 'POST', `/team/${team.slug}/runs`, { input: outside })).toMatchObject({ status: 422 });
    const far = { git: { url: 'https://127.0.0.1:1/none.git' } };
    expect((await call(team.slug, { report: 'Fine', second: 'Fine' }, far)).status).toBeGreaterThanOrEqual(400);
    await ann.call('DELETE', `/nuroagent/${made.id}`);
    expect(await call(team.slug, { report: 'Fine', second: 'Fine' })).toMatchObject({ status: 409, body: { code: 'team_changed' } });
    expect(await stored()).toEqual(before);
  });
});

describe('the pipeline of a release', () => {
  const pipelinesOf = async () => {
    const { rows } = await database.pool.query('SELECT id, is_of_release FROM pipelines WHERE user_id = $1', [ann.userId]);
    const { headers, body } = await ann.call<Pipeline[]>('GET', '/Pipeline?limit=100');
    return {
      rows: rows as { id: string; is_of_release: boolean }[],
      total: Number(headers.get('x-total-count')),
      ids: body.map(({ id }) => id),
    };
  };

  test('K4.16 is one for all its runs: calls add none, and no list shows it', async () => {
    const pipeline = await ann.pipeline('assistant');
    const before = await pipelinesOf();
    const team = await release({ atOnce: 100 }, ann, pipeline);
    const runs: string[] = [];
    for (let at = 0; at < 20; at += 1) runs.push((await callWith(key, 'POST', `/team/${team.slug}/runs`, {})).body.id);
    const ended = await Promise.all(runs.map((id) => ann.until(id, ({ status }) => status === 'completed')));
    await ann.call('POST', `${teams}/${team.id}/releases`, { release: 1 });
    const after = await pipelinesOf();
    expect([after.rows.length, after.total]).toEqual([before.rows.length + 1, before.total]);
    const [own] = [...new Set(ended.map(({ pipelineId }) => pipelineId))];
    expect(ended.every(({ pipelineId }) => pipelineId === own)).toBe(true);
    expect(after.ids).not.toContain(own);
    const history = await ann.history();
    for (const id of runs) expect(history.find((item) => item.pipelineExecutionId === id)).toMatchObject({ userRequest: 'Do it' });
    const { body: shown } = await ann.call<Pipeline>('GET', `/Pipeline/${own}`);
    expect(shown).toMatchObject({ name: pipeline.name, steps: [{ agentId: pipeline.steps[0]?.agentId }] });
    for (const [method, path, body] of [
      ['PUT', `/Pipeline/${own}`, { name: 'Changed' }],
      ['PATCH', `/Pipeline/${own}/status`, { status: 'archived' }],
      ['DELETE', `/Pipeline/${own}`],
      ['DELETE', `/Pipeline/steps/${shown.steps[0]?.id}`],
      ['POST', `/Pipeline/${own}/steps`, { name: 'More', agentId: shown.steps[0]?.agentId }],
    ] as const)
      expect([method, path, (await ann.call(method, path, body)).status]).toEqual([method, path, 404]);
    expect((await ann.call<Pipeline>('GET', `/Pipeline/${own}`)).body).toEqual(shown);
  }, 60_000);

  test('K4.16 stays while a release or a run has it, and goes with the last of them', async () => {
    const team = await release();
    const { body: run } = await callWith(key, 'POST', `/team/${team.slug}/runs`, {});
    const { pipelineId } = await ann.until(run.id, ({ status }) => status === 'completed');
    const isThere = async () => (await database.pool.query('SELECT FROM pipelines WHERE id = $1', [pipelineId])).rowCount === 1;
    await database.pool.query("UPDATE pipelines SET updated_at = now() - interval '90 days' WHERE id = $1", [pipelineId]);
    const clean = async () => {
      await removeUnreleased(database.work.db);
      await ann.call('DELETE', '/storage/pipelines?olderThanDays=0');
    };
    await database.pool.query('DELETE FROM executions WHERE id = $1', [run.id]);
    await clean();
    expect(await isThere()).toBe(true);
    const { body: second } = await callWith(key, 'POST', `/team/${team.slug}/runs`, {});
    await ann.until(second.id, ({ status }) => status === 'completed');
    await ann.call('DELETE', `${teams}/${team.id}`);
    await clean();
    expect(await isThere()).toBe(true);
    expect((await ann.call('GET', `/PipelineExecution/${second.id}`)).status).toBe(200);
    await database.pool.query('DELETE FROM executions WHERE id = $1', [second.id]);
    await removeUnreleased(database.work.db);
    expect(await isThere()).toBe(false);
  });
});

describe('a run that asks', () => {
  test('K4.05 says that it waits with the address of its question, which a key answers', async () => {
    const team = await release({}, ann, await asking());
    const { body: started } = await callWith(key, 'POST', `/team/${team.slug}/runs`, {});
    await ann.until(started.id, ({ openQuestions }) => openQuestions === 1);
    const { body: waiting } = await callWith(key, 'GET', `/team/${team.slug}/runs/${started.id}`);
    expect(waiting).toMatchObject({ status: 'waiting', questions: [{ kind: 'person', byPrograms: true }] });
    const question = waiting.questions[0];
    expect(question?.page).toContain(`question=${question?.id}`);
    const listed = await callWith<TeamQuestion[]>(key, 'GET', `/team/${team.slug}/runs/${started.id}/questions`);
    expect(listed.body).toMatchObject([{ id: question?.id, address: question?.address }]);
    const answer = { action: 'answer', text: 'Yes' };
    const path = question?.address.slice(question.address.indexOf('/api') + 4) ?? '';
    expect((await callWith(await keyOf(['read', 'run']), 'POST', path, answer)).status).toBe(403);
    expect(await callWith(key, 'POST', path, answer)).toMatchObject({
      status: 200,
      body: { answeredBy: expect.stringContaining('(Bot)') },
    });
    await ann.until(started.id, ({ status }) => status === 'completed');
  });

  test('K4.06 about money is not answered by a key', async () => {
    const team = await release({ budget: { tokens: 1 } });
    const { body: started } = await callWith(key, 'POST', `/team/${team.slug}/runs`, {});
    await ann.until(started.id, ({ openQuestions }) => openQuestions === 1);
    const { body: run } = await callWith(key, 'GET', `/team/${team.slug}/runs/${started.id}`);
    expect(run.questions).toMatchObject([{ kind: 'budget', byPrograms: false }]);
    const path = `/team/${team.slug}/runs/${started.id}/questions/${run.questions[0]?.id}/answer`;
    expect(await callWith(key, 'POST', path, { action: 'asMuchAgain' })).toMatchObject({ status: 403, body: { code: 'key_not_allowed' } });
    await ann.act(started.id, 'stop');
  });
});

test('K4.17 the limits of each run are set with a release, changed and removed, and hold from the next call on', async () => {
  const team = await release();
  expect(team.budget).toBeNull();
  const change = (budget: unknown) => ann.call<ReleasedTeam & Failed>('PUT', `${teams}/${team.id}`, { budget });
  const run = async () => {
    const { body } = await callWith(key, 'POST', `/team/${team.slug}/runs`, {});
    return ann.until(body.id, ({ completedAt, failedAt }) => completedAt !== null || failedAt !== null);
  };
  expect((await change({ calls: 1, tokens: 1, atLimit: 'stop' })).body.budget).toEqual({
    calls: 1,
    tokens: 1,
    atLimit: 'stop',
    warnAt: 80,
  });
  const limited = await run();
  expect([limited.status, limited.error?.code, limited.steps[0]?.status]).toEqual(['failed', 'budget_reached', 'skipped']);
  const { body: budgets } = await ann.call<{ budgets: unknown[] }>('GET', `/budget?executionId=${limited.id}`);
  expect(budgets.budgets).toMatchObject([{ scope: 'run', calls: 1, tokens: 1, atLimit: 'stop' }]);
  expect((await change(null)).body.budget).toBeNull();
  expect((await run()).steps.map(({ status }) => status)).toEqual(['completed']);
  const foreign = await change({ money: { micros: 5, currency: 'XTS' } });
  expect(foreign).toMatchObject({ status: 400, body: { errors: [{ path: 'budget.money.currency' }] } });
  for (const wrong of [{}, { tokens: 0 }, { tokens: -1 }, { atLimit: 'stop' }, { calls: 1.5 }, { tokens: 1e15 }])
    expect([wrong, (await change(wrong)).status]).toEqual([wrong, 400]);
});

describe('releases', () => {
  test('K4.07 a later edit of prompts, canvas and pipeline reaches no call, and going back is one more row', async () => {
    const pipeline = await ann.pipeline('developer');
    const agent = ann.agent('developer');
    const team = await release({}, ann, pipeline);
    const edited = await ann.call('PUT', `/nuroagent/${agent.id}`, { configuration: { systemPrompt: 'Changed after the release' } });
    expect(edited).toMatchObject({ status: 200, body: { configuration: { systemPrompt: 'Changed after the release' } } });
    await ann.call('PUT', `/Pipeline/${pipeline.id}`, { steps: [{ name: 'Another', agentId: ann.agent('analyst').id }] });
    const prompts = async (id: string) => {
      const { rows } = await database.pool.query('SELECT name, system_prompt FROM execution_steps WHERE execution_id = $1', [id]);
      return rows as { name: string; system_prompt: string }[];
    };
    const run = async () => {
      const { body } = await callWith(key, 'POST', `/team/${team.slug}/runs`, {});
      await ann.until(body.id, ({ status }) => status === 'completed');
      return { release: body.release, steps: await prompts(body.id) };
    };
    const before = await run();
    expect(before).toMatchObject({ release: 1, steps: [{ name: agent.title }] });
    expect(before.steps[0]?.system_prompt).not.toContain('Changed after');
    const present = await ann.pipeline('developer');
    expect((await ann.call('POST', `${teams}/${team.id}/releases`, { pipelineId: present.id })).status).toBe(201);
    expect(await run()).toMatchObject({ release: 2, steps: [{ system_prompt: 'Changed after the release' }] });
    expect((await ann.call('POST', `${teams}/${team.id}/releases`, { release: 1 })).status).toBe(201);
    expect(await run()).toEqual({ release: 3, steps: before.steps });
    const { body: shown } = await ann.call<ReleasedTeamDetails>('GET', `${teams}/${team.id}`);
    expect(shown.releases.map(({ number, version }) => [number, version])).toEqual([
      [3, shown.releases[2]?.version],
      [2, expect.any(Number)],
      [1, expect.any(Number)],
    ]);
    await expect(database.pool.query('UPDATE team_releases SET number = 9 WHERE team_id = $1', [team.id])).rejects.toThrow('never changes');
    const stale = await ann.call('POST', `${teams}/${team.id}/releases`, { pipelineId: present.id, canvasVersion: 999 });
    expect(stale).toMatchObject({ status: 409, body: { code: 'canvas_stale' } });
  });

  test('K4.13 any edits of prompts and canvas after a release change nothing in the rows of its runs, old or new', async () => {
    const pipeline = await ann.pipeline('qa', 'analyst');
    const team = await release({ task: 'Frozen' }, ann, pipeline);
    const agents = ['qa', 'analyst'].map((name) => ann.agent(name).id);
    const runIds: string[] = [];
    const rowsOfRun = async () => {
      const { body } = await callWith(key, 'POST', `/team/${team.slug}/runs`, {});
      runIds.push(body.id);
      await ann.until(body.id, ({ status }) => status === 'completed');
      const { rows } = await database.pool.query(
        `SELECT initial_task, graph IS NULL AS is_chain, priority, timeout_seconds, steps_total, team_version_id,
          (SELECT json_agg(json_build_array(order_index, name, agent_id, node_id, agent_title, role, system_prompt, timeout_seconds, provider, model)
            ORDER BY order_index) FROM execution_steps WHERE execution_id = id) AS steps FROM executions WHERE id = $1`,
        [body.id],
      );
      return rows[0];
    };
    const released = await rowsOfRun();
    /** All rows that the run and its release have, as they are stored. */
    const storedRows = async () => {
      const { rows } = await database.pool.query<{ stored: string }>(
        `SELECT concat_ws(E'\\n', run::text, run_of_team::text, version::text, release::text,
          (SELECT string_agg(step::text, E'\\n' ORDER BY step_id) FROM execution_steps AS step WHERE execution_id = run.id)) AS stored
        FROM executions AS run JOIN team_runs AS run_of_team ON execution_id = run.id JOIN team_versions AS version ON version.id = run.team_version_id
          JOIN team_releases AS release ON release.team_id = run_of_team.team_id WHERE run_of_team.team_id = $1 AND run.id = $2`,
        [team.id, runIds[0]],
      );
      return rows.map(({ stored }) => stored);
    };
    const stored = await storedRows();
    expect(stored).toEqual([expect.stringContaining('Frozen')]);
    const text = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme-ascii' }).filter((given) => given.trim() !== '');
    const agent = fc.constantFrom(...agents);
    const edit = fc.oneof(
      fc.record({
        kind: fc.constant('agent' as const),
        agent,
        change: fc.record({ configuration: fc.record({ systemPrompt: text }), title: text }),
      }),
      fc.record({
        kind: fc.constant('model' as const),
        agent,
        change: fc.record({ temperature: fc.constantFrom(0, 0.4, 1), maxTokens: fc.constantFrom(200, 900) }),
      }),
      fc.record({ kind: fc.constant('canvas' as const), title: text, x: fc.integer({ min: -900, max: 900 }) }),
      fc.constant({ kind: 'emptied' as const }),
      fc.constant({ kind: 'restored' as const }),
      fc.record({ kind: fc.constant('pipeline' as const), name: text }),
      fc.record({
        kind: fc.constant('project' as const),
        change: fc.record({ name: text, parallelSteps: fc.integer({ min: 1, max: 4 }) }),
      }),
    );
    const restoreFirst = async (): Promise<number> => {
      const path = '/project/default/team-versions/1';
      const { seen } = (await ann.call<TeamCheck>('GET', `${path}/check`)).body;
      return (await ann.call('POST', `${path}/restoration`, { seen })).status;
    };
    const carryOut = async (one: typeof edit extends fc.Arbitrary<infer T> ? T : never): Promise<number> => {
      if (one.kind === 'agent') return (await ann.call('PUT', `/nuroagent/${one.agent}`, one.change)).status;
      if (one.kind === 'model')
        return (await ann.call('PUT', `/nuroagent/${one.agent}/api-configuration`, { apiKey: null, ...one.change })).status;
      if (one.kind === 'pipeline') return (await ann.call('PUT', `/Pipeline/${pipeline.id}`, { name: one.name })).status;
      if (one.kind === 'project') return (await ann.call('PUT', '/project/default', one.change)).status;
      if (one.kind === 'restored') return restoreFirst();
      const { body: canvas } = await ann.call<Canvas>('GET', '/project/default/canvas');
      if (one.kind === 'emptied') {
        const removed = Object.keys(canvas.connections).map((id) => ({ op: 'remove', collection: 'connections', id }));
        const body = {
          baseVersion: canvas.version,
          patches: [...removed, ...Object.keys(canvas.nodes).map((id) => ({ op: 'remove', collection: 'nodes', id }))],
        };
        return body.patches.length === 0 ? 200 : (await ann.call('PATCH', '/project/default/canvas', body)).status;
      }
      const value: CanvasNode = { id: 'late', type: 'agent', title: one.title, x: one.x, y: 0, serverAgentId: agents[0] ?? '' };
      const patches = [{ op: 'set', collection: 'nodes', id: 'late', value }];
      return (await ann.call('PATCH', '/project/default/canvas', { baseVersion: canvas.version, patches })).status;
    };
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 6 }), async (edits) => {
        for (const one of edits) expect([one, await carryOut(one)]).toEqual([one, 200]);
        expect(await rowsOfRun()).toEqual(released);
        expect(await storedRows()).toEqual(stored);
      }),
      { numRuns: 8 },
    );
  }, 120_000);

  test('K4.08 a name is taken once in an account; another account may have it, and calls its own team', async () => {
    const team = await release();
    const { id } = await ann.pipeline('assistant');
    const taken = await ann.call<Failed>('POST', teams, { pipelineId: id, slug: team.slug.toUpperCase(), title: 'x' });
    expect(taken).toMatchObject({ status: 409, body: { code: 'slug_taken' } });
    const second = await release();
    const renamed = await ann.call<Failed>('PUT', `${teams}/${second.id}`, { slug: team.slug });
    expect(renamed).toMatchObject({ status: 409, body: { code: 'slug_taken' } });
    const bobs = await release({ slug: team.slug }, bob);
    const run = await callWith(await keyOf(['read', 'run'], null, bob), 'POST', `/team/${bobs.slug}/runs`, {});
    expect(run.status).toBe(202);
    expect((await callWith(key, 'GET', `/team/${team.slug}/runs/${run.body.id}`)).status).toBe(404);
    for (const slug of ['a', '-a', 'a--b', 'with space', 'x'.repeat(61)])
      expect([slug, (await ann.call('POST', teams, { pipelineId: id, slug, title: 'x' })).status]).toEqual([slug, 400]);
  });

  test('K4.09 a key of another project, of a removed one, and a withdrawn team are refused', async () => {
    const team = await release();
    const { body: other } = await ann.call<Project>('POST', '/project', { name: 'Another' });
    const foreign = await keyOf(['read', 'run'], other.id);
    const own = await keyOf(['read', 'run'], team.projectId);
    expect((await callWith(own, 'GET', `/team/${team.slug}`)).status).toBe(200);
    expect(await callWith(foreign, 'POST', `/team/${team.slug}/runs`, {})).toMatchObject({
      status: 403,
      body: { code: 'key_not_allowed' },
    });
    await ann.call('DELETE', `/project/${other.id}`);
    expect(await callWith(foreign, 'POST', `/team/${team.slug}/runs`, {})).toMatchObject({
      status: 401,
      body: { code: 'unauthorized', message: expect.stringContaining('its project was removed') },
    });
    expect((await callWith(key, 'POST', teams, {})).status).toBe(403);
    expect((await ann.call('DELETE', `${teams}/${team.id}`)).status).toBe(204);
    expect(await callWith(own, 'POST', `/team/${team.slug}/runs`, {})).toMatchObject({
      status: 404,
      body: { code: 'not_found', message: expect.stringContaining(`“${team.slug}”`) },
    });
  });

  test('K4.09 a call that meets the withdrawal of its team is answered like one after it, and starts nothing', async () => {
    const team = await release();
    const countOfRuns = async () => (await database.pool.query('SELECT FROM executions')).rowCount;
    const before = await countOfRuns();
    const client = await database.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query('DELETE FROM released_teams WHERE id = $1', [team.id]);
      const call = callWith(key, 'POST', `/team/${team.slug}/runs`, {});
      const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ILIKE '%team_runs%'`;
      await expect.poll(async () => (await database.pool.query(waiting)).rowCount).toBe(1);
      await client.query('COMMIT');
      expect(await call).toMatchObject({ status: 404, body: { code: 'not_found' } });
    } finally {
      client.release();
    }
    expect(await countOfRuns()).toBe(before);
  });

  test('K4.10 what the team needs and what was removed is named before a run', async () => {
    const { body: made } = await ann.call<{ id: string }>('POST', '/nuroagent', {
      name: 'short-lived',
      title: 'Short-lived',
      role: 'developer',
    });
    const steps = [{ name: 'Work', agentId: made.id }];
    const { body: pipeline } = await ann.call<Pipeline>('POST', '/Pipeline', { name: 'p', projectId: 'default', steps });
    const team = await release({}, ann, pipeline);
    expect((await ann.call('DELETE', `/nuroagent/${made.id}`)).status).toBe(204);
    const refused = await callWith(key, 'POST', `/team/${team.slug}/runs`, {});
    expect(refused).toMatchObject({ status: 409, body: { code: 'team_changed', message: expect.stringContaining('release a new one') } });
  });
});

test('K4.18 a call runs as the account that has released, within its budgets, and is refused by name once that account leaves', async () => {
  const carol = await signUp(server.url);
  const team = await release({}, carol);
  const own = await keyOf(['read', 'run', 'answer'], null, carol);
  const start = (secret = own) => callWith(secret, 'POST', `/team/${team.slug}/runs`, {});
  expect((await start(await keyOf(['read', 'run'], null, bob))).status).toBe(404);
  await carol.call('PUT', '/budget', { scope: 'user', span: 'month', tokens: 1 });
  const { body: run } = await start();
  const { rows } = await database.pool.query('SELECT user_id FROM executions WHERE id = $1', [run.id]);
  expect(rows).toEqual([{ user_id: carol.userId }]);
  await carol.until(run.id, ({ openQuestions }) => openQuestions === 1);
  expect((await callWith(own, 'GET', `/team/${team.slug}/runs/${run.id}`)).body.questions).toMatchObject([{ kind: 'budget' }]);
  await carol.act(run.id, 'stop');

  expect((await carol.call('POST', '/account/deletion', { currentPassword: 'a long quiet river' })).status).toBe(202);
  const path = `/team/${team.slug}`;
  for (const call of [start(), callWith(own, 'GET', path), callWith(own, 'GET', `${path}/runs/${run.id}/result`)])
    expect(await call).toMatchObject({ status: 403, body: { code: 'account_leaving' } });
  const tool = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'start_run', arguments: { team: team.slug } } };
  const answer = await fetch(`${server.url}/mcp`, {
    ...{ method: 'POST', body: JSON.stringify(tool) },
    headers: { authorization: `Bearer ${own}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  });
  expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'account_leaving' }]);
  expect((await carol.call('DELETE', '/account/deletion')).status).toBeLessThan(300);
  expect((await start()).status).toBe(202);
  await removeAccount({ pool: database.pool, forgetGroups: async () => {}, forgetEmails: async () => {} }, asOwner(carol.userId));
  expect(await start()).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  expect((await database.pool.query('SELECT FROM released_teams WHERE id = $1', [team.id])).rowCount).toBe(0);
});

describe('the events of a run', () => {
  async function events(path: string, headers: Record<string, string> = {}): Promise<ExecutionEvent[]> {
    const answer = await fetch(`${server.url}/api${path}`, {
      headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream', ...headers },
    });
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    const text = await answer.text();
    return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? '') as ExecutionEvent);
  }

  test('K4.11 are streamed in order to the end of the run, and from a position on', async () => {
    const team = await release({}, ann, await ann.pipeline('assistant', 'developer'));
    const { body: started } = await callWith(key, 'POST', `/team/${team.slug}/runs`, {});
    const path = `/team/${team.slug}/runs/${started.id}/events`;
    const all = await events(path);
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_event, at) => at + 1));
    expect(all.at(-1)).toMatchObject({ type: 'execution.completed' });
    const middle = all[2]?.seq ?? 0;
    expect(await events(`${path}?since=${middle}`)).toEqual(all.slice(3));
    expect(await events(path, { 'last-event-id': String(middle) })).toEqual(all.slice(3));
    // A client that returns with the last event has it all.
    expect(await events(path, { 'last-event-id': String(all.length) })).toEqual([]);
    const { body: listed } = await callWith<ExecutionEvent[]>(key, 'GET', `${path}?since=${middle}`);
    expect(listed).toEqual(all.slice(3));
  });

  test('K4.12 stay open for a key beyond a check of sessions, and end once it is revoked', async () => {
    const team = await release({}, ann, await asking());
    const { body: created } = await ann.call<CreatedApiKey>('POST', '/api-keys', { name: 'Reader', scopes: ['read', 'run'] });
    const { body: started } = await callWith(created.key, 'POST', `/team/${team.slug}/runs`, {});
    const answer = await fetch(`${server.url}/api/team/${team.slug}/runs/${started.id}/events`, {
      headers: { authorization: `Bearer ${created.key}`, accept: 'text/event-stream' },
    });
    let text = '';
    const read = (async () => {
      for await (const chunk of answer.body as ReadableStream<Uint8Array>) text += Buffer.from(chunk).toString();
    })().catch(() => {});
    // A connection is looked at every ten seconds, with a heartbeat.
    await expect.poll(() => text).toContain(': here');
    await ann.call('DELETE', `/api-keys/${created.id}`);
    const ended = await Promise.race([read.then(() => 'ended'), wait(15_000, 'open')]);
    expect(ended).toBe('ended');
    await ann.act(started.id, 'stop');
  }, 40_000);
});
