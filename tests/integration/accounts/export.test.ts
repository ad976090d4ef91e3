import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { accountTables, type ExportedTable } from '../../../server/modules/accounts/account-tables.ts';
import { furnishAccount, plantedSecret, plantedWord } from '../../support/account-with-everything.ts';
import { callerOf, signUp } from '../../support/call-api.ts';
import { type RunAccount, signUp as signUpToRun } from '../../support/run-account.ts';
import { setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';
import { unzip } from '../../support/unzip.ts';

const { database, server } = setUpServerOnDatabase();

const linkOf = async (person: RunAccount) => (await person.call<{ path: string }>('POST', '/account/export-link')).body.path;
const download = async (path = '') => fetch(`${server.url}${path}`);
const exportOf = async (person: RunAccount) => unzip(await (await download(await linkOf(person))).bytes());

test('G8.06 G8.09 an export has rows of each table, the files, the canvas and its named versions, and no key; its README names each place', async () => {
  const ann = await signUpToRun(server.url, 'en');
  const stranger = await signUpToRun(server.url);
  const { projectId, runId, startedRunId } = await furnishAccount(ann, database.pool);
  await database.pool.query('UPDATE agents SET api_key_sealed = $1 WHERE user_id = $2', [plantedSecret, ann.userId]);
  const keyed = `https://keyed.example/x?api_key=${plantedSecret}`;
  await database.pool.query('UPDATE agents SET base_url = $1 WHERE user_id = $2', [keyed, ann.userId]);
  await database.pool.query('UPDATE connections SET address = $1 WHERE user_id = $2', [keyed, ann.userId]);
  for (const table of ['tool_servers', 'git_targets'])
    await database.pool.query(`UPDATE ${table} SET url = $1 WHERE project_id = $2`, [keyed, projectId]);
  await database.pool.query('UPDATE input_sets SET git = $1 WHERE project_id = $2', [{ url: keyed, ref: 'main', sha: 'a' }, projectId]);
  await database.pool.query('UPDATE publications SET url = $1, request_url = $1 WHERE execution_id = $2', [keyed, runId]);
  await database.pool.query(`UPDATE projects SET name = '../evil: "a" | CON' WHERE id = $1`, [projectId]);
  const files = await exportOf(ann);
  const paths = [...files.keys()];
  const textOf = (path: string) => files.get(path)?.toString() ?? '';
  const json = (path: string) => JSON.parse(textOf(path));
  const whole = [...files.values()].map(String).join('\n');

  const project = paths.find((path) => path.endsWith('/project.json'))?.replace('/project.json', '') ?? '';
  expect(project).toBe(`projects/_evil_ _a_ _ CON-${projectId.slice(-12)}`);
  const runs = paths.filter((path) => path.endsWith('/run.json'));
  expect(runs.map((path) => json(path).run.id).sort()).toEqual([runId, startedRunId].sort());
  const run = runs.find((path) => json(path).run.id === runId) ?? '';
  const emptyOf = ([name, exported]: [string, ExportedTable]) => {
    if (exported.place === 'none') return [];
    if (exported.place === 'canvas') return Object.keys(json(`${project}/canvas.json`).nodes).length > 0 ? [] : [name];
    if (exported.place === 'account') return /[\w"]/.test(textOf(`${exported.file}.json`)) ? [] : [name];
    const holders = exported.place === 'project' ? [`${project}/project.json`] : runs;
    return holders.some((path) => JSON.stringify(json(path)[exported.field]).length > 2) ? [] : [name];
  };
  expect(Object.entries(accountTables).flatMap(emptyOf)).toEqual([]);

  expect(textOf(run.replace('run.json', 'files/docs/план.md'))).toBe(`docs/план.md: ${plantedWord}`);
  expect(paths.filter((path) => path.includes('/inputs/')).map(textOf)).toEqual([`Read this: ${plantedWord}`]);
  const { body: canvas } = await ann.call<{ nodes: object; connections: object }>('GET', `/project/${projectId}/canvas`);
  expect(json(`${project}/canvas.json`)).toEqual({ nodes: canvas.nodes, connections: canvas.connections });
  const [version, ...others] = paths.filter((path) => path.includes('/versions/'));
  expect(others).toEqual([]);
  expect(json(version ?? '')).toMatchObject({ nodes: canvas.nodes });
  expect(json('account.json')).toMatchObject({ id: ann.userId, email: ann.email });
  expect(json('costs.json')).toHaveLength(3);

  expect(whole).not.toContain(plantedSecret);
  expect(whole.match(/https:\/\/keyed\.example\/x\?api_key=\*\*\*/g)?.length).toBeGreaterThanOrEqual(6);
  expect(whole).not.toMatch(/password_hash|_sealed|\$argon2/);
  expect(whole).not.toContain(stranger.userId);
  const places = paths.map((path) =>
    path
      .replace(/^projects\/[^/]+/, 'projects/*')
      .replace(/\/runs\/[^/]+/, '/runs/*')
      .replace(/\/(versions|inputs|files)\/.*/, '/$1/')
      .replace(/.*\/(replaced-inputs)\/.*/, '$1'),
  );
  expect([...new Set(places)].filter((place) => place !== 'README.txt' && !textOf('README.txt').includes(place))).toEqual([]);
  expect(paths.filter((path) => /(^|\/)\.\.?(\/|$)|\\|^\/|[<>:"|?*\p{Cc}]/u.test(path))).toEqual([]);
});

test('G8.09 each column with an address is named, so that an export does not show a key in it', async () => {
  const { rows } = await database.pool.query<{ table: string; column: string }>(
    `SELECT table_name AS table, column_name AS column FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name ~ '(^|_)(url|address)$|^git$' AND table_name = ANY($1) ORDER BY 1, 2`,
    [Object.keys(accountTables)],
  );
  const named = Object.entries<ExportedTable>(accountTables).flatMap(([table, exported]) =>
    'addresses' in exported ? (exported.addresses ?? []).map((column) => ({ table, column })) : [],
  );
  const inOrder = (one: { table: string; column: string }) => `${one.table}.${one.column}`;
  expect(named.map(inOrder).sort()).toEqual(rows.map(inOrder).sort());
});

test('G8.06 an export of many large rows is read page by page: none is missing, none is twice', async () => {
  const ann = await signUpToRun(server.url);
  const run = await ann.start(await ann.pipeline('assistant'), 'Many');
  await ann.until(run.id, ({ status }) => status === 'completed');
  const many = 1_200;
  await database.pool.query(
    `INSERT INTO agent_thoughts (id, user_id, agent_id, content) SELECT gen_random_uuid(), $1, $2, n || repeat('x', CASE WHEN n % 50 = 0 THEN 900000 ELSE 10 END)
      FROM generate_series(1, ${many}) AS n`,
    [ann.userId, ann.agent('assistant').id],
  );
  await database.pool.query(
    `INSERT INTO execution_events (execution_id, seq, event) SELECT $1, 1000 + n, '{"type":"x"}' FROM generate_series(1, ${many}) AS n`,
    [run.id],
  );
  const files = await exportOf(ann);
  const thoughts = JSON.parse(String(files.get('thoughts.json'))) as { content: string }[];
  const numbers = thoughts.map(({ content }) => Number.parseInt(content, 10)).filter((n) => !Number.isNaN(n));
  expect(new Set(numbers).size).toBe(many);
  expect(thoughts.filter(({ content }) => content.length > 900_000)).toHaveLength(many / 50);
  const path = [...files.keys()].find((name) => name.endsWith('/run.json')) ?? '';
  const { events } = JSON.parse(String(files.get(path))) as { events: { seq: number }[] };
  expect(events.map(({ seq }) => seq)).toEqual([...events.map(({ seq }) => seq)].sort((a, b) => a - b));
  expect(events.filter(({ seq }) => seq > 1_000)).toHaveLength(many);
});

test('G8.06 a link to an export works only while its session is open; a foreign or changed token opens nothing', async () => {
  const ann = await signUpToRun(server.url);
  const path = await linkOf(ann);
  const body = await ann.call('POST', '/account/deletion', { currentPassword: 'a long quiet river' });
  expect(body.status).toBe(202);
  const locked = await download(await linkOf(ann));
  expect(locked.status).toBe(200);
  expect(locked.headers.get('content-disposition')).toMatch(/^attachment; filename="artel-\d{4}-\d\d-\d\d\.zip"/);
  expect((await unzip(await locked.bytes())).has('account.json')).toBe(true);
  await callerOf(server.url).ask('auth.logout', { body: { refreshToken: ann.refreshToken } });
  expect((await download(path)).status).toBe(401);
  for (const token of [ann.accessToken, `${path.split('token=')[1]}x`, 'x'])
    expect(await callerOf(server.url).refused('account.export', { query: { token } })).toMatchObject({ status: 401 });
  expect(server.logs()).not.toContain(path.split('token=')[1]);
});

test('G8.06 exports are limited: ten links an hour, and one download at a time, also after a client that has gone', async () => {
  const member = await signUp(server.url);
  await database.pool.query(
    `INSERT INTO agent_thoughts (id, user_id, agent_id, content)
      SELECT gen_random_uuid(), $1, $1, (SELECT string_agg(md5(random()::text), '') FROM generate_series(1, 30000 + n)) FROM generate_series(1, 20) AS n`,
    [member.id],
  );
  const [path, second, third] = await Promise.all([1, 2, 3].map(async () => (await member.ask('account.exportLink')).path));
  const leave = new AbortController();
  const first = await fetch(`${server.url}${path}`, { signal: leave.signal });
  expect(first.status).toBe(200);
  expect((await download(path)).status).toBe(401);
  expect((await download(second)).status).toBe(429);
  leave.abort();
  await expect.poll(async () => (await download(third)).status).toBe(200);
  for (let n = 3; n < 10; n++) await member.ask('account.exportLink');
  expect(await member.refused('account.exportLink')).toMatchObject({ status: 429 });
});

test('G8.06 R19.01 a small export is whole before large ones of others that began before it', async () => {
  const members = await Promise.all(['large', 'larger', 'small'].map(() => signUp(server.url)));
  const [one, other, small] = members;
  // Letters by chance, a megabyte in a row: no archive makes them shorter.
  const words = randomBytes(480_000).toString('hex');
  for (const member of [one, other])
    await database.pool.query(
      'INSERT INTO agent_thoughts (id, user_id, agent_id, content) SELECT gen_random_uuid(), $1, $1, $2 FROM generate_series(1, 40)',
      [member?.id, words],
    );
  const ended: string[] = [];
  const begin = async (member: (typeof members)[number] | undefined) => {
    const response = await download((await member?.ask('account.exportLink'))?.path);
    expect(response.status).toBe(200);
    return { whole: async () => void (await response.arrayBuffer()) };
  };
  const large = [await begin(one), await begin(other)].map(async ({ whole }) => {
    await whole();
    ended.push('large');
  });
  await (await begin(small)).whole();
  ended.push('small');
  await Promise.all(large);
  expect(ended).toEqual(['small', 'large', 'large']);
});
