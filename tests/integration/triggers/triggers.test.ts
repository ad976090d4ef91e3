import { createHmac, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Execution, ExecutionDetails } from '../../../contract/executions/execution.ts';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import type { ReleasedTeam, TeamRelease } from '../../../contract/released-team.ts';
import {
  type CreatedTrigger,
  type Fire,
  maxWaitingFires,
  type SchedulePreview,
  type Trigger,
  type TriggerCreation,
  type TriggerDetails,
  type WebhookScheme,
  webhooksPerMinute,
} from '../../../contract/trigger.ts';
import { amountOf } from '../../support/amounts.ts';
import { lettersTo } from '../../support/read-outbox.ts';
import { setUpAccount, setUpModelServer, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';

const models = setUpModelServer();
const { database, server } = setUpServerOnDatabase(() => ({ OPENAI_BASE_URL: models.url, ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on' }), {
  ownProcess: 'Floods of webhooks load it.',
});
const ann = setUpAccount(server);
const bob = setUpAccount(server);
const triggers = '/project/default/triggers';
const budget = { tokens: 1_000_000 };
let names = 0;

beforeEach(async () => {
  for (const { id } of (await ann.call<Trigger[]>('GET', triggers)).body) await ann.call('DELETE', `${triggers}/${id}`);
  const { rows } = await database.pool.query("SELECT id FROM executions WHERE status IN ('pending', 'running', 'paused')");
  for (const { id } of rows) await ann.call('POST', `/PipelineExecution/${id}/stop`);
});

async function release(pipeline: Pipeline, more: Partial<TeamRelease> = {}): Promise<ReleasedTeam> {
  const given = { pipelineId: pipeline.id, slug: `team-${++names}`, title: 'A team', task: 'Mend: {title}', ...more };
  const { status, body } = await ann.call<ReleasedTeam>('POST', '/project/default/released-teams', {
    input: [{ kind: 'text', name: 'title' }],
    ...given,
  });
  expect(status).toBe(201);
  return body;
}

const quick = async () => release(await ann.pipeline('assistant'));

/** A team whose run waits for a person. */
async function waiting(more: Partial<TeamRelease> = {}): Promise<ReleasedTeam> {
  const steps = [{ name: 'Ask', agentId: ann.agent('assistant').id, nodeId: 'ask', settings: { person: {} } }];
  return release((await ann.call<Pipeline>('POST', '/Pipeline', { name: 'Ask', projectId: 'default', steps })).body, more);
}

async function add(
  given: Omit<TriggerCreation, 'name' | 'budget'> & Partial<TriggerCreation>,
): Promise<CreatedTrigger & { secret: string }> {
  const { status, body } = await ann.call<CreatedTrigger>('POST', triggers, { name: 'In', budget, ...given });
  expect([status, body]).toMatchObject([201, {}]);
  return body as CreatedTrigger & { secret: string };
}

const webhook = (team: ReleasedTeam, more: object = {}, rest: Partial<TriggerCreation> = {}) =>
  add({ teamId: team.id, settings: { kind: 'webhook', scheme: 'standard', fields: { title: 'issue.title' }, ...more }, ...rest });

type Answer = {
  status: number;
  body: { outcome?: string; reason?: string; run?: { id: string }; code?: string; details?: { reason?: string } };
  text: string;
  retryAfter: string | null;
};

async function post(id: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}): Promise<Answer> {
  const answer = await fetch(`${server.url}/hooks/${id}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
  const text = await answer.text();
  return { status: answer.status, body: JSON.parse(text), text, retryAfter: answer.headers.get('retry-after') };
}

/** Sends a body as Standard Webhooks says. */
function send({ id, secret }: { id: string; secret: string }, event: unknown, { key = randomUUID() as string, at = new Date() } = {}) {
  const body = typeof event === 'string' ? event : JSON.stringify(event);
  const signature = new Webhook(secret).sign(key, at, body);
  return post(id, body, {
    'webhook-id': key,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signature,
  });
}

const event = { issue: { title: 'Dates are wrong' } };
const details = async (id: string) => (await ann.call<TriggerDetails>('GET', `${triggers}/${id}`)).body;
const runOf = async (id: string) => (await ann.call<ExecutionDetails>('GET', `/PipelineExecution/${id}`)).body;
const runsOf = async ({ id }: Trigger) =>
  (await database.pool.query('SELECT e.id FROM executions e JOIN triggers t ON t.key_id = e.key_id WHERE t.id = $1', [id])).rows;

/** Announces a body, sends none of it, and returns the answer that comes all the same. */
function announce(id: string, headers: Record<string, string>): Promise<{ status: number; body: { details?: { reason?: string } } }> {
  return new Promise((resolve, reject) => {
    const announced = { 'content-type': 'application/json', 'content-length': '1000000', ...headers };
    const call = request(`${server.url}/hooks/${id}`, { method: 'POST', headers: announced });
    call.on('response', async (response) => {
      const body = JSON.parse(Buffer.concat(await response.toArray()).toString());
      call.destroy();
      resolve({ status: response.statusCode ?? 0, body });
    });
    call.on('error', reject);
    call.flushHeaders();
  });
}

describe('webhooks', () => {
  test('L1.02 L1.06 nothing of a body is read before the trigger is known and the headers can prove the delivery', async () => {
    const team = await quick();
    const unknown = await announce(randomUUID(), {});
    expect(unknown.status).toBe(404);
    const now = String(Math.floor(Date.now() / 1_000));
    const signed = (at: string) => ({ 'webhook-id': 'x', 'webhook-timestamp': at, 'webhook-signature': `v1,${'A'.repeat(43)}=` });
    const refused: Record<WebhookScheme, [Record<string, string>, 'unsigned' | 'forged' | 'late'][]> = {
      standard: [
        [{}, 'unsigned'],
        [{ 'webhook-id': 'x', 'webhook-timestamp': now }, 'unsigned'],
        [{ ...signed('then') }, 'unsigned'],
        [signed('1700000000'), 'late'],
      ],
      github: [[{ 'x-hub-signature-256': 'sha256=00' }, 'unsigned']],
      gitea: [[{ 'x-gitea-signature': 'x'.repeat(64) }, 'unsigned']],
      gitlab: [[{ 'x-gitlab-token': 'a guess' }, 'forged']],
      bearer: [[{ authorization: 'Bearer a guess' }, 'forged']],
    };
    for (const [scheme, attempts] of Object.entries(refused)) {
      const hook = await webhook(team, { scheme });
      for (const [headers, reason] of attempts)
        expect([scheme, await announce(hook.id, headers)]).toMatchObject([scheme, { status: 401, body: { details: { reason } } }]);
    }
  });

  test('L1.01 a signed body starts one run of the released team, with its values in the task and the body as a file from outside', async () => {
    const hook = await webhook(await quick());
    const { status, body } = await send(hook, event, { key: 'delivery-1' });
    expect([status, body]).toEqual([
      202,
      { outcome: 'started', run: { id: expect.any(String), page: expect.stringContaining(hook.projectId) } },
    ]);
    const id = body.run?.id ?? '';
    await ann.until(id, (run) => run.status === 'completed');
    expect(await runOf(id)).toMatchObject({ initialTask: 'Mend: Dates are wrong' });
    const { rows } = await database.pool.query(
      'SELECT e.has_outside, f.path, f.text FROM executions e JOIN input_files f ON f.set_id = e.input_set_id WHERE e.id = $1',
      [id],
    );
    expect(rows).toEqual([{ has_outside: true, path: 'event.json', text: JSON.stringify(event) }]);
    expect((await details(hook.id)).fires).toMatchObject([{ outcome: 'started', run: { id, status: 'completed' }, hasBody: true }]);
  });

  test('L1.03 the same delivery fifty times at once starts one run, and each sender gets it', async () => {
    const hook = await webhook(await quick());
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(hook, event, { key: 'same' })));
    expect(new Set(answers.map(({ body }) => body.run?.id)).size).toBe(1);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(49).fill(200), 202]);
    expect(await runsOf(hook)).toHaveLength(1);
  });

  test('L1.03 equal bodies without an id are one event for ten minutes, and another one then', async () => {
    const hook = await webhook(await quick(), { scheme: 'bearer' });
    const headers = { authorization: `Bearer ${hook.secret}` };
    const first = await post(hook.id, JSON.stringify(event), headers);
    expect((await post(hook.id, JSON.stringify(event), headers)).body).toEqual({ ...first.body, outcome: 'duplicate' });
    await ann.until(first.body.run?.id ?? '', (run) => run.status === 'completed');
    await database.pool.query("UPDATE fires SET at = at - interval '11 minutes' WHERE trigger_id = $1", [hook.id]);
    const again = await Promise.all([1, 2, 3].map(() => post(hook.id, JSON.stringify(event), headers)));
    expect(new Set(again.map(({ body }) => body.run?.id)).size).toBe(1);
    expect(await runsOf(hook)).toHaveLength(2);
  });

  test('L1.02 what is forged, late, unsigned or for no trigger starts nothing, and nothing of it is sent back', async () => {
    const hook = await webhook(await quick());
    const secretWord = 'Heron';
    const answers = [
      await send({ id: hook.id, secret: `whsec_${Buffer.from('another secret, of thirty-two by').toString('base64')}` }, secretWord),
      await send(hook, secretWord, { at: new Date(Date.now() - 6 * 60_000) }),
      await post(hook.id, secretWord),
      await post(randomUUID(), secretWord),
      await post('nothing', secretWord),
    ];
    expect(answers.map(({ status, body }) => [status, body.code, body.details?.reason])).toEqual([
      [401, 'unauthorized', 'forged'],
      [401, 'unauthorized', 'late'],
      [401, 'unauthorized', 'unsigned'],
      [404, 'not_found', undefined],
      [404, 'not_found', undefined],
    ]);
    // A program cannot sign in: each answer names what proves a sender.
    for (const { text } of answers.slice(0, 3)) expect(text).toContain('webhook-signature');
    expect(answers.map(({ text }) => text).join()).not.toContain(secretWord);
    expect(await runsOf(hook)).toEqual([]);
    expect((await details(hook.id)).fires).toEqual([]);
  });

  test('L1.06 bodies that are too large, no JSON, another type or too deep are refused by name', async () => {
    const hook = await webhook(await quick(), { scheme: 'bearer' });
    const headers = { authorization: `Bearer ${hook.secret}` };
    const sent = async (body: string | Uint8Array<ArrayBuffer>, more: Record<string, string> = {}) => {
      const { status, body: answer } = await post(hook.id, body, { ...headers, ...more });
      return [status, answer.code];
    };
    expect(await sent('x'.repeat(1024 * 1024 + 1))).toEqual([413, 'too_large']);
    expect(await sent('{"a":')).toEqual([400, 'not_json']);
    expect(await sent(Uint8Array.from([0x22, 0xff, 0x22]))).toEqual([400, 'not_utf8']);
    expect(await sent('<a/>', { 'content-type': 'text/xml' })).toEqual([415, 'unsupported_media_type']);
    expect(await sent('['.repeat(100_000))).toEqual([400, 'not_json']);
    expect(await sent('{}', { 'content-type': '' })).toEqual([415, 'unsupported_media_type']);
    expect(await runsOf(hook)).toEqual([]);
  });

  test('L1.06 a body with escaped backslashes and with zeros is whole: it starts its run, and holds back no other', async () => {
    const hook = await webhook(await quick());
    for (const title of ['a\\u0000', 'b\u0000c', '\ud800']) {
      const { status, body } = await send(hook, { issue: { title } });
      expect([title, status, body.outcome]).toEqual([title, 202, 'started']);
      await ann.until(body.run?.id ?? '', (run) => run.status === 'completed');
    }
  });

  test('L1.06 more than sixty a minute are refused with a pause', async () => {
    const hook = await webhook(await quick(), { filter: [{ path: 'go', is: 'equal', value: 'yes' }] });
    const answers: Answer[] = [];
    for (let sent = 0; sent <= webhooksPerMinute; sent += 1) answers.push(await send(hook, {}));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(webhooksPerMinute);
    expect(answers.at(-1)).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
  });

  test('L1.06 what is forged spends nothing of the rate of its trigger, and is refused with a pause once one address sends too much', async () => {
    const hook = await webhook(await quick());
    const forged = Array.from({ length: 330 }, () => post(hook.id, '{}'));
    const statuses = (await Promise.all(forged)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(300);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
    const other = await webhook(await quick());
    for (let sent = 0; sent < webhooksPerMinute; sent += 1) expect((await post(other.id, '{}')).status).toBe(401);
    expect((await send(other, event)).status).toBe(202);
  });

  test('L1.06 a hundred bodies of a megabyte at once are taken in turns or refused for now, and each that is taken is stored once', async () => {
    const hook = await webhook(await quick(), { filter: [{ path: 'go', is: 'equal', value: 'yes' }] });
    const large = (number: number) => send(hook, JSON.stringify({ number, text: 'x'.repeat(1_000_000) }), { key: `large-${number}` });
    const answers = await Promise.all(Array.from({ length: 100 }, (_, number) => large(number)));
    const taken = answers.filter(({ status }) => status === 200);
    expect(taken.length).toBeGreaterThanOrEqual(20);
    const refused = answers.filter(({ status }) => status !== 200);
    expect([429, 503]).toEqual(expect.arrayContaining([...new Set(refused.map(({ status }) => status))]));
    expect(refused.every(({ retryAfter }) => Number(retryAfter) > 0)).toBe(true);
    const { rows } = await database.pool.query('SELECT count(*)::integer AS many FROM fires WHERE trigger_id = $1', [hook.id]);
    expect(rows).toEqual([{ many: taken.length }]);
  });

  test('L1.06 different deliveries of one account, many at once, are started, wait, or are refused with a code that tells the sender to repeat them', async () => {
    const [hooksAtOnce, deliveriesOfEach] = amountOf({ some: [3, 25], whole: [8, 50] });
    const teams = await Promise.all(Array.from({ length: hooksAtOnce }, quick));
    const hooks = await Promise.all(teams.map((team) => webhook(team, {}, { overlap: 'queue' })));
    const sent = hooks.flatMap((hook, of) =>
      Array.from({ length: deliveriesOfEach }, (_, at) => ({ hook, key: `burst-${at}`, told: { issue: { title: `Burst ${of} ${at}` } } })),
    );
    const answers = await Promise.all(sent.map(({ hook, told, key }) => send(hook, told, { key })));
    const refused = answers.filter(({ status }) => status !== 202);
    expect(refused.filter(({ status, retryAfter }) => ![429, 503].includes(status) || !(Number(retryAfter) > 0))).toEqual([]);
    const stored = await Promise.all(
      hooks.map(({ id }) =>
        database.pool.query<{ key: string; outcome: string }>('SELECT key, outcome FROM fires WHERE trigger_id = $1', [id]),
      ),
    );
    const taken = sent.filter((_, at) => answers[at]?.status === 202);
    expect(stored.flatMap(({ rows }) => rows).filter(({ outcome }) => outcome !== 'refused')).toHaveLength(taken.length);
    expect(new Set(stored.flatMap(({ rows }) => rows.map(({ outcome }) => outcome)).filter((outcome) => outcome !== 'refused'))).toEqual(
      new Set(['started', 'waiting']),
    );
    // What has waited starts by itself, and a set is left of no start.
    const left = `SELECT (SELECT count(*)::integer FROM fires WHERE outcome = 'waiting') AS waiting,
      (SELECT count(*)::integer FROM input_sets WHERE sealed_at IS NULL) AS sets`;
    await expect.poll(async () => (await database.pool.query(left)).rows, { timeout: 100_000 }).toEqual([{ waiting: 0, sets: 0 }]);
    expect((await Promise.all(hooks.map(runsOf))).flat()).toHaveLength(taken.length);
  });

  test('L1.05 a body that the filter does not let through is stored with the reason, and answered with it', async () => {
    const hook = await webhook(await quick(), { filter: [{ path: 'action', is: 'equal', value: 'labeled' }] });
    expect(await send(hook, { ...event, action: 'opened' }, { key: 'a' })).toMatchObject({
      status: 200,
      body: { outcome: 'filtered', reason: 'filter' },
    });
    expect((await send(hook, { ...event, action: 'labeled' })).body.outcome).toBe('started');
    expect((await details(hook.id)).fires.at(-1)).toMatchObject({ key: 'id:a', outcome: 'filtered', detail: 'action', run: null });
  });

  test('L1.05 a ping is noted as one and starts no run, whatever the filter says, also while the trigger is off', async () => {
    const hook = await webhook(await quick(), { scheme: 'github', filter: [{ path: 'action', is: 'equal', value: 'labeled' }] });
    const body = '{"zen":"Design for failure.","hook_id":1}';
    const signature = `sha256=${createHmac('sha256', hook.secret).update(body).digest('hex')}`;
    const ping = (delivery: string) =>
      post(hook.id, body, { 'x-hub-signature-256': signature, 'x-github-event': 'ping', 'x-github-delivery': delivery });
    expect(await ping('p1')).toMatchObject({ status: 200, body: { outcome: 'filtered', reason: 'ping' } });
    expect((await ping('p1')).body.outcome).toBe('duplicate');
    await ann.call('PUT', `${triggers}/${hook.id}`, { isOn: false });
    expect(await ping('p2')).toMatchObject({ status: 200, body: { outcome: 'filtered', reason: 'ping' } });
    expect(await runsOf(hook)).toEqual([]);
  });

  test('L1.05 a filter can name the kind of the event, also when the event waits or is sent again', async () => {
    const team = await waiting({
      task: 'Mend: {title} ({kind})',
      input: [
        { kind: 'text', name: 'title' },
        { kind: 'text', name: 'kind' },
      ],
    });
    const filter = [{ path: '$event', is: 'equal', value: 'issues' }];
    const more = { scheme: 'github', filter, fields: { title: 'issue.title', kind: '$event' } };
    const hook = await webhook(team, more, { overlap: 'queue' });
    const body = JSON.stringify({ action: 'labeled', ...event });
    const signature = `sha256=${createHmac('sha256', hook.secret).update(body).digest('hex')}`;
    const deliver = (kind: string, delivery: string) =>
      post(hook.id, body, { 'x-hub-signature-256': signature, 'x-github-event': kind, 'x-github-delivery': delivery });
    for (const kind of ['pull_request', 'discussion'])
      expect((await deliver(kind, kind)).body).toMatchObject({ outcome: 'filtered', reason: 'filter' });
    const first = await deliver('issues', 'one');
    expect(first.body.outcome).toBe('started');
    expect((await runOf(first.body.run?.id ?? '')).initialTask).toBe('Mend: Dates are wrong (issues)');
    expect((await deliver('issues', 'two')).body.outcome).toBe('waiting');
    await ann.call('POST', `/PipelineExecution/${first.body.run?.id}/stop`);
    await expect.poll(async () => (await details(hook.id)).fires.find(({ key }) => key === 'id:two')?.outcome).toBe('started');
    const again = await ann.call<Fire>('POST', `${triggers}/${hook.id}/fires/${encodeURIComponent('id:discussion')}/again`);
    expect(again.body).toMatchObject({ outcome: 'filtered', about: 'discussion' });
    const tried = (given: object) => ann.call('POST', `${triggers}/${hook.id}/trial`, { body, ...given });
    expect((await tried({ event: 'issues' })).body).toMatchObject({ passes: true, task: 'Mend: Dates are wrong (issues)' });
    expect((await tried({})).body).toMatchObject({ passes: false, reason: 'filter', detail: '$event' });
  });

  test('L1.05 of an event that starts nothing a short body is kept, which can be sent again, and no long one', async () => {
    const hook = await webhook(await quick(), { filter: [{ path: 'action', is: 'equal', value: 'labeled' }] });
    for (const [key, length] of [
      ['short', 1_000],
      ['long', 100_000],
    ] as const)
      expect((await send(hook, { action: 'opened', text: 'x'.repeat(length) }, { key })).body.outcome).toBe('filtered');
    const kept = (await details(hook.id)).fires.map(({ key, hasBody }) => [key, hasBody]);
    expect(Object.fromEntries(kept)).toEqual({ 'id:short': true, 'id:long': false });
  });

  test('L1.07 each scheme is taken from its sender, and the name of the event is kept', async () => {
    const team = await quick();
    const body = JSON.stringify(event);
    const hex = (secret: string) => createHmac('sha256', secret).update(body).digest('hex');
    const headersOf = {
      github: (secret: string) => ({
        'x-hub-signature-256': `sha256=${hex(secret)}`,
        'x-github-delivery': 'd1',
        'x-github-event': 'issues',
      }),
      gitea: (secret: string) => ({ 'x-gitea-signature': hex(secret), 'x-gitea-delivery': 'd1', 'x-gitea-event': 'issues' }),
      gitlab: (secret: string) => ({ 'x-gitlab-token': secret, 'idempotency-key': 'd1', 'x-gitlab-event': 'issues' }),
    };
    for (const [scheme, sign] of Object.entries(headersOf)) {
      const hook = await webhook(team, { scheme });
      expect(await post(hook.id, body, sign(hook.secret)), scheme).toMatchObject({ status: 202, body: { outcome: 'started' } });
      expect((await details(hook.id)).fires).toMatchObject([{ key: 'id:d1', about: 'issues' }]);
    }
    const form = await webhook(team, { scheme: 'bearer' });
    const type = { 'content-type': 'application/x-www-form-urlencoded', authorization: `Bearer ${form.secret}` };
    expect(await post(form.id, `payload=${encodeURIComponent(body)}`, type)).toMatchObject({ status: 202 });
  });

  test('L4.09 its runs name it, and lists of runs and results are filtered by it; that of another account has none', async () => {
    const team = await quick();
    const [one, other] = [await webhook(team, {}, { name: 'Tickets' }), await webhook(team)];
    const [first, second] = [await send(one, event), await send(other, event)];
    const { body: project } = await ann.call<{ id: string }[]>('GET', '/project');
    const history = `/ProjectResultHistory/project/${project[0]?.id}`;
    type Shown = { pipelineExecutionId: string; trigger?: { id: string; name: string } };
    const results = async (query: string) => (await ann.call<Shown[]>('GET', `${history}/search?${query}`)).body;
    expect(await results(`triggerId=${one.id}`)).toMatchObject([
      { pipelineExecutionId: first.body.run?.id, trigger: { id: one.id, name: 'Tickets' } },
    ]);
    expect(await results(`triggerId=${one.id}&q=quite-other-words`)).toEqual([]);
    const listed = (await ann.call<Shown[]>('GET', history)).body;
    expect(listed.find(({ pipelineExecutionId }) => pipelineExecutionId === second.body.run?.id)?.trigger?.id).toBe(other.id);
    const runs = async (who: typeof ann, id: string) =>
      (await who.call<Execution[]>('GET', `/PipelineExecution?triggerId=${id}`)).body.map((run) => run.id);
    expect(await runs(ann, one.id)).toEqual([first.body.run?.id]);
    expect(await runs(ann, other.id)).toEqual([second.body.run?.id]);
    expect(await runs(bob, one.id)).toEqual([]);
    expect(await runs(ann, randomUUID())).toEqual([]);
    await ann.call('DELETE', `${triggers}/${one.id}`);
    expect(await results(`triggerId=${one.id}`)).toEqual([]);
    const after = (await ann.call<Shown[]>('GET', history)).body.find(
      ({ pipelineExecutionId }) => pipelineExecutionId === first.body.run?.id,
    );
    expect(after).toBeDefined();
    expect(after).not.toHaveProperty('trigger');
  });

  test('L1.08 a delivery is sent again under another key, as long as its body is kept', async () => {
    const hook = await webhook(await quick());
    await send(hook, event, { key: 'first' });
    await ann.until((await runsOf(hook))[0]?.id, (run) => run.status === 'completed');
    const { status, body } = await ann.call<Fire>('POST', `${triggers}/${hook.id}/fires/id%3Afirst/again`);
    expect([status, body]).toMatchObject([202, { outcome: 'started', again: true }]);
    expect(await runsOf(hook)).toHaveLength(2);
    await database.pool.query('UPDATE fires SET body = NULL WHERE trigger_id = $1', [hook.id]);
    expect((await ann.call('POST', `${triggers}/${hook.id}/fires/id%3Afirst/again`)).status).toBe(404);
  });

  test('L1.09 while a secret is changed both are valid, and the earlier one ends', async () => {
    const hook = await webhook(await quick());
    const { body: renewed } = await ann.call<{ secret: string }>('POST', `${triggers}/${hook.id}/secret`);
    expect((await send(hook, event)).status).toBe(202);
    // 202 where the server has not looked for a double yet.
    expect([200, 202]).toContain((await send({ id: hook.id, secret: renewed.secret }, event)).status);
    await database.pool.query("UPDATE triggers SET earlier_until = now() - interval '1 s' WHERE id = $1", [hook.id]);
    expect((await send(hook, event)).status).toBe(401);
  });

  test('L1.10 a body is tried without a run: the task that it gives, or the reason why it would start nothing', async () => {
    const hook = await webhook(await quick(), { filter: [{ path: 'action', is: 'different', value: 'closed' }] });
    const tried = async (body: unknown) => (await ann.call('POST', `${triggers}/${hook.id}/trial`, { body: JSON.stringify(body) })).body;
    expect(await tried(event)).toEqual({ passes: true, reason: null, detail: null, task: 'Mend: Dates are wrong' });
    expect(await tried({ ...event, action: 'closed' })).toMatchObject({ passes: false, reason: 'filter', detail: 'action' });
    expect(await tried({})).toMatchObject({ passes: false, reason: 'input', detail: 'title' });
    expect(await runsOf(hook)).toEqual([]);
  });
});

describe('what limits a trigger', () => {
  test('L3.01 while a run is under way, a fire is skipped, waits, or ends the older run, as the trigger says', async () => {
    const team = await waiting();
    const [skip, queue, cancel] = [
      await webhook(team, {}, { overlap: 'skip' }),
      await webhook(team, {}, { overlap: 'queue' }),
      await webhook(team, {}, { overlap: 'cancel_older' }),
    ];
    const firsts = [await send(skip, event), await send(queue, event), await send(cancel, event)];
    expect(firsts.map(({ body }) => body.outcome)).toEqual(['started', 'started', 'started']);
    expect((await send(skip, event)).body).toEqual({ outcome: 'skipped', reason: 'running' });
    expect(await send(queue, event)).toMatchObject({ status: 202, body: { outcome: 'waiting' } });
    const second = await send(cancel, event);
    await ann.until(firsts[2]?.body.run?.id ?? '', ({ status }) => status === 'cancelled');
    expect((await runOf(second.body.run?.id ?? '')).status).not.toBe('cancelled');
    await ann.call('POST', `/PipelineExecution/${firsts[1]?.body.run?.id}/stop`);
    await expect.poll(async () => (await details(queue.id)).fires.map(({ outcome }) => outcome)).toEqual(['started', 'started']);
  });

  test('L3.01 of several events at once that end older runs, one run is left, and the events in its place say so', async () => {
    const hook = await webhook(await waiting({ atOnce: 1 }), {}, { overlap: 'cancel_older' });
    await Promise.all(Array.from({ length: 4 }, () => send(hook, event)));
    const left = async () => (await details(hook.id)).fires.filter(({ run }) => run !== null && run.status !== 'cancelled').length;
    await expect.poll(left).toBe(1);
    const { fires } = await details(hook.id);
    expect(fires.filter(({ outcome, reason }) => outcome === 'started' || (outcome === 'skipped' && reason === 'newer'))).toHaveLength(4);
  });

  test('L3.01 an event that ends the older run starts although that run has the last place of its team', async () => {
    const hook = await webhook(await waiting({ atOnce: 1 }), {}, { overlap: 'cancel_older' });
    const first = await send(hook, event);
    const second = await send(hook, event);
    expect(second).toMatchObject({ status: 202, body: { outcome: 'started' } });
    expect((await runOf(first.body.run?.id ?? '')).status).toBe('cancelled');
    expect((await runOf(second.body.run?.id ?? '')).status).not.toBe('cancelled');
  });

  test('L3.01 an event that a killed process has stored in the place of an older run ends that run and starts', async () => {
    const hook = await webhook(await waiting({ atOnce: 1 }), {}, { overlap: 'cancel_older' });
    const first = await send(hook, event);
    // As a process leaves it that is killed before it stops the older run.
    await database.pool.query(
      `INSERT INTO fires (trigger_id, key, due_at, at, source, body, outcome, reason) VALUES ($1, 'id:new', now(), now(), '{}', $2, 'waiting', 'running')`,
      [hook.id, JSON.stringify(event)],
    );
    await expect.poll(async () => (await details(hook.id)).fires.map(({ outcome }) => outcome)).toEqual(['started', 'started']);
    expect((await runOf(first.body.run?.id ?? '')).status).toBe('cancelled');
  });

  test('L3.02 while other callers have all places of the team, an event and an instant wait', async () => {
    const team = await waiting({ atOnce: 1 });
    const [other, hook] = [await webhook(team), await webhook(team)];
    const first = await send(other, event);
    expect(await send(hook, event)).toMatchObject({ status: 202, body: { outcome: 'waiting', reason: 'busy' } });
    expect((await send(hook, event)).body).toEqual({ outcome: 'skipped', reason: 'running' });
    const settings = { kind: 'schedule' as const, cron: '0 0 1 1 *', zone: 'UTC', input: { title: 'x' } };
    const schedule = await add({ teamId: team.id, settings });
    await database.pool.query("UPDATE triggers SET next_at = date_trunc('minute', now()), job_id = NULL WHERE id = $1", [schedule.id]);
    await expect.poll(async () => (await details(schedule.id)).lastFire).toMatchObject({ outcome: 'waiting', reason: 'busy' });
    await ann.call('DELETE', `${triggers}/${hook.id}`);
    await ann.call('POST', `/PipelineExecution/${first.body.run?.id}/stop`);
    await database.pool.query('UPDATE fires SET not_before = NULL WHERE trigger_id = $1', [schedule.id]);
    await expect.poll(async () => (await details(schedule.id)).lastFire).toMatchObject({ outcome: 'started', reason: null });
  });

  test('L3.02 what the filter drops takes no place among the waiting', async () => {
    const filter = [{ path: 'action', is: 'equal', value: 'labeled' }];
    const hook = await webhook(await waiting(), { filter }, { overlap: 'queue' });
    const sent = async (action: string) => (await send(hook, { ...event, action })).body.outcome;
    const outcomes = [await sent('labeled'), await sent('labeled'), await sent('closed'), await sent('labeled')];
    expect(outcomes).toEqual(['started', 'waiting', 'filtered', 'waiting']);
  });

  test('L3.06 an account that is being deleted starts nothing', async () => {
    const hook = await webhook(await quick());
    await database.pool.query("UPDATE users SET deletion_due_at = now() + interval '1 day' WHERE id = $1", [ann.userId]);
    const { body } = await send(hook, event);
    await database.pool.query('UPDATE users SET deletion_due_at = NULL WHERE id = $1', [ann.userId]);
    expect(body).toEqual({ outcome: 'refused', reason: 'owner' });
  });

  test('L1.09 another scheme needs another trigger: its secret has another form', async () => {
    const hook = await webhook(await quick(), { scheme: 'github' });
    const settings = { kind: 'webhook', scheme: 'standard', fields: { title: 'issue.title' } };
    const { status, body } = await ann.call<{ errors: { path: string }[] }>('PUT', `${triggers}/${hook.id}`, { settings });
    expect([status, body.errors[0]?.path]).toEqual([400, 'settings.scheme']);
  });

  test('L3.02 twenty fires wait; a further one is refused for now, and waits when its sender repeats it', async () => {
    const hook = await webhook(await waiting(), {}, { overlap: 'queue' });
    const outcomes: (string | undefined)[] = [];
    for (let sent = 0; sent < maxWaitingFires + 1; sent += 1) outcomes.push((await send(hook, event)).body.outcome);
    expect(outcomes).toEqual(['started', ...Array(maxWaitingFires).fill('waiting')]);
    const further = () => send(hook, event, { key: 'further' });
    expect(await further()).toMatchObject({ status: 429, retryAfter: '60', body: { outcome: 'refused', reason: 'queue' } });
    expect((await details(hook.id)).fires[0]).toMatchObject({ key: 'id:further', outcome: 'refused', reason: 'queue' });
    await database.pool.query(
      "UPDATE fires SET outcome = 'skipped' WHERE ctid = (SELECT ctid FROM fires WHERE trigger_id = $1 AND outcome = 'waiting' LIMIT 1)",
      [hook.id],
    );
    expect(await further()).toMatchObject({ status: 202, body: { outcome: 'waiting' } });
    expect(await further()).toMatchObject({ status: 200, body: { outcome: 'duplicate' } });
  });

  test('L3.09 while a model server is away an event is repeated before later ones, at most twelve times in an hour, and is no failure of the trigger', async () => {
    const hook = await webhook(await waiting(), {}, { overlap: 'queue' });
    const fail = async (runId: string | undefined) => {
      await database.pool.query("UPDATE executions SET status = 'failed', error = $2, job_id = NULL WHERE id = $1", [
        runId,
        { code: 'model_unavailable' },
      ]);
    };
    const fireOf = async (key: string) => (await details(hook.id)).fires.find((fire) => fire.key === `id:${key}`);
    const first = await send(hook, event, { key: 'first' });
    await send(hook, event, { key: 'later' });
    await fail(first.body.run?.id);
    await expect.poll(() => fireOf('first')).toMatchObject({ outcome: 'waiting', reason: 'model_away' });
    // The end of its pause, before its last try.
    await database.pool.query("UPDATE fires SET not_before = NULL, tries = 11 WHERE trigger_id = $1 AND key = 'id:first'", [hook.id]);
    await expect.poll(() => fireOf('first')).toMatchObject({ outcome: 'started' });
    expect(await fireOf('later')).toMatchObject({ outcome: 'waiting' });
    await fail((await fireOf('first'))?.run?.id);
    await expect.poll(() => fireOf('first')).toMatchObject({ outcome: 'failed', reason: 'model_away' });
    await expect.poll(() => fireOf('later')).toMatchObject({ outcome: 'started' });
    expect((await details(hook.id)).failures).toBe(0);
  });

  test('L3.09 an event whose model server has been away for an hour is not repeated', async () => {
    const hook = await webhook(await waiting());
    const { body } = await send(hook, event);
    await database.pool.query("UPDATE fires SET tries = 1, away_since = now() - interval '1 hour' WHERE trigger_id = $1", [hook.id]);
    await database.pool.query("UPDATE executions SET status = 'failed', error = $2, job_id = NULL WHERE id = $1", [
      body.run?.id,
      { code: 'model_unreachable' },
    ]);
    await expect.poll(async () => (await details(hook.id)).lastFire).toMatchObject({ outcome: 'failed', reason: 'model_away' });
  });

  test('L3.03 no trigger is made without a budget of a day, and once it is used up nothing starts', async () => {
    const team = await quick();
    const settings = { kind: 'webhook', fields: { title: 'issue.title' } };
    const without = await ann.call<{ errors: { path: string }[] }>('POST', triggers, { name: 'In', teamId: team.id, settings });
    expect([without.status, without.body.errors[0]?.path]).toEqual([400, 'budget']);
    const hook = await webhook(team, {}, { budget: { calls: 1 } });
    const first = await send(hook, event);
    await ann.until(first.body.run?.id ?? '', ({ status }) => status === 'completed');
    await expect.poll(async () => (await details(hook.id)).budget).toMatchObject({ span: 'day', used: { calls: 1 } });
    expect((await send(hook, event)).body).toEqual({ outcome: 'refused', reason: 'budget' });
    await ann.call('PUT', `${triggers}/${hook.id}`, { budget: { calls: 5 } });
    expect((await send(hook, event)).body.outcome).toBe('started');
  });

  test('L3.04 the third failed run in a row pauses the trigger and tells its owner; a success between starts the count anew', async () => {
    models.answer({ kind: 'status', status: 400 });
    const hook = await webhook(await quick());
    const failOnce = async () => {
      const { body } = await send(hook, event);
      await ann.until(body.run?.id ?? '', ({ status }) => status === 'failed');
    };
    for (let failed = 1; failed <= 2; failed += 1) {
      await failOnce();
      await expect.poll(async () => (await details(hook.id)).failures).toBe(failed);
    }
    models.answer({ kind: 'text', text: 'Done.' });
    const good = await send(hook, event);
    await ann.until(good.body.run?.id ?? '', ({ status }) => status === 'completed');
    await expect.poll(async () => (await details(hook.id)).failures).toBe(0);
    models.answer({ kind: 'status', status: 400 });
    for (let failed = 1; failed <= 3; failed += 1) {
      await failOnce();
      await expect.poll(async () => (await details(hook.id)).failures).toBe(failed);
    }
    expect(await details(hook.id)).toMatchObject({ pausedReason: 'failures' });
    expect((await send(hook, event)).body).toEqual({ outcome: 'refused', reason: 'paused' });
    models.answer({ kind: 'text', text: 'Done.' });
    await ann.call('PUT', `${triggers}/${hook.id}`, { isOn: true });
    expect(await details(hook.id)).toMatchObject({ pausedReason: null, failures: 0 });
    expect((await send(hook, event)).body.outcome).toBe('started');
  });

  test('L3.05 a withdrawn team pauses its triggers, which say so', async () => {
    const team = await quick();
    const hook = await webhook(team);
    await ann.call('DELETE', `/project/default/released-teams/${team.id}`);
    expect((await send(hook, event)).body).toEqual({ outcome: 'failed', reason: 'team_gone' });
    expect(await details(hook.id)).toMatchObject({ team: null, pausedReason: 'team' });
    const { status, body } = await ann.call<{ errors: { path: string }[] }>('PUT', `${triggers}/${hook.id}`, { isOn: true });
    expect([status, body.errors[0]?.path]).toEqual([400, 'teamId']);
  });

  test('L3.06 a trigger is reached by its owner only, its key stands in no list, and no session of it exists', async () => {
    const hook = await webhook(await quick());
    expect((await bob.call('GET', `/project/${hook.projectId}/triggers/${hook.id}`)).status).toBe(404);
    expect(
      (await bob.call('POST', `/project/${hook.projectId}/triggers`, { name: 'x', teamId: hook.team?.id, budget, settings: hook.settings }))
        .status,
    ).toBe(404);
    expect((await ann.call('GET', '/api-keys')).body).toEqual([]);
    const { rows } = await database.pool.query('SELECT k.id FROM api_keys k JOIN triggers t ON t.key_id = k.id WHERE t.id = $1', [hook.id]);
    expect((await ann.call('DELETE', `/api-keys/${rows[0]?.id}`)).status).toBe(404);
  });

  test.each([
    ['a field that the team does not name', { fields: { title: 'a', other: 'b' } }, 'settings.fields.other'],
    ['no value for a field that it needs', { fields: {} }, 'settings.fields.title'],
    ['a path with an empty name', { fields: { title: 'a..b' } }, 'settings.fields.title'],
  ])('L1.11 %s is refused by name', async (_what, settings, path) => {
    const team = await quick();
    const { status, body } = await ann.call<{ errors?: { path: string }[] }>('POST', triggers, {
      ...{ name: 'In', teamId: team.id, budget },
      settings: { kind: 'webhook', ...settings },
    });
    expect([status, body.errors?.[0]?.path]).toEqual([400, path]);
  });
});

describe('schedules', () => {
  const schedule = (team: ReleasedTeam, more: object = {}, rest: Partial<TriggerCreation> = {}) =>
    add({
      teamId: team.id,
      settings: { kind: 'schedule', cron: '* * * * *', zone: 'UTC', input: { title: 'Each minute' }, ...more },
      ...rest,
    });

  /** Moves the next instant of a trigger into the past, as if the server had been away: its job is gone too. */
  async function miss(id: string, ago: string): Promise<void> {
    await database.pool.query(
      `UPDATE triggers SET next_at = date_trunc('minute', now()) - interval '${ago}', job_id = NULL WHERE id = $1`,
      [id],
    );
  }

  test('L2.01 an instant starts a run with the values of the schedule, and the next one is set', async () => {
    // One instant a year: none comes by itself while the test runs.
    const trigger = await schedule(await quick(), { cron: '0 0 1 1 *' });
    expect(trigger.nextAt).toMatch(/-01-01T00:00:00\.000Z$/);
    await miss(trigger.id, '30 minutes');
    await expect.poll(async () => (await details(trigger.id)).lastFire?.outcome).toBe('started');
    const { lastFire, nextAt } = await details(trigger.id);
    expect((await runOf(lastFire?.run?.id ?? '')).initialTask).toBe('Mend: Each minute');
    expect(Date.parse(nextAt ?? '')).toBeGreaterThan(Date.now());
    const { rows } = await database.pool.query('SELECT has_outside FROM executions WHERE id = $1', [lastFire?.run?.id]);
    expect(rows).toEqual([{ has_outside: false }]);
  });

  test('L2.05 each instant within the grace is fired once, in order', async () => {
    const trigger = await schedule(await quick(), {}, { overlap: 'cancel_older' });
    await miss(trigger.id, '5 minutes');
    const settled = async () => (await details(trigger.id)).fires.filter(({ outcome }) => outcome !== 'waiting').length;
    await expect.poll(settled).toBeGreaterThanOrEqual(6);
    const { fires } = await details(trigger.id);
    const instants = fires.map(({ key }) => Date.parse(key)).toSorted((one, other) => one - other);
    expect(instants.slice(1).map((at, index) => at - (instants[index] ?? 0))).toEqual(Array(instants.length - 1).fill(60_000));
    expect(fires.every(({ key, dueAt }) => key === dueAt)).toBe(true);
    // A newer instant takes the place of one that has not started yet.
    expect(fires.every(({ outcome, reason }) => outcome === 'started' || outcome === 'waiting' || reason === 'newer')).toBe(true);
  });

  test.each([
    ['once', ['late', 'late', 'started']],
    ['skip', ['late', 'late', 'late']],
  ] as const)('L2.06 instants later than the grace are stored, and %s decides about the newest', async (missed, outcomes) => {
    const hourly = await schedule(await quick(), { cron: '0 */6 * * *' }, { missed, graceSeconds: 60 });
    const past = Math.floor(Date.now() / 21_600_000) * 21_600_000 - 12 * 3_600_000;
    await database.pool.query('UPDATE triggers SET next_at = $2, job_id = NULL WHERE id = $1', [hourly.id, new Date(past)]);
    await expect.poll(async () => (await details(hourly.id)).fires.length).toBe(3);
    const { fires } = await details(hourly.id);
    expect(fires.toSorted((one, other) => (one.dueAt < other.dueAt ? -1 : 1)).map(({ outcome }) => outcome)).toEqual(outcomes);
  });

  test('L2.07 an edit counts anew from now, and a pause stops the clock', async () => {
    const trigger = await schedule(await quick(), { cron: '0 0 1 1 *' });
    const { body } = await ann.call<Trigger>('PUT', `${triggers}/${trigger.id}`, {
      settings: { kind: 'schedule', cron: '0 0 2 1 *', zone: 'UTC', input: { title: 'x' } },
    });
    expect(body.nextAt).toMatch(/-01-02T00:00:00\.000Z$/);
    const { body: off } = await ann.call<Trigger>('PUT', `${triggers}/${trigger.id}`, { isOn: false });
    expect(off).toMatchObject({ nextAt: null, pausedReason: 'owner' });
    const { body: on } = await ann.call<Trigger>('PUT', `${triggers}/${trigger.id}`, { isOn: true });
    expect(on).toMatchObject({ nextAt: body.nextAt, pausedAt: null });
    expect((await details(trigger.id)).fires).toEqual([]);
  });

  test('L2.02 seconds, nonsense, a day that never comes and an unknown zone are refused by name; a good one is shown before', async () => {
    const preview = async (cron: string, zone = 'Europe/Moscow') =>
      ann.call<SchedulePreview & { errors?: { path: string }[] }>('GET', `/schedule-preview?${new URLSearchParams({ cron, zone })}`);
    for (const cron of ['* * * * * *', '@reboot', '0 0 31 2 *', '61 * * * *', 'H 9 * * *', '0 H/3 * * *'])
      expect((await preview(cron)).body.errors?.[0]?.path, cron).toBe('cron');
    expect((await preview('0 9 * * *', 'Nowhere/Land')).body.errors?.[0]?.path).toBe('zone');
    const { status, body } = await preview('0 9 * * 1-5');
    expect([status, body.next.length]).toEqual([200, 5]);
  });

  test('L2.01 a short name and fields between tabs are the five fields that they stand for', async () => {
    const { settings } = await schedule(await quick(), { cron: '@Monthly' });
    expect(settings).toMatchObject({ cron: '0 0 1 * *' });
    const tabs = await ann.call<SchedulePreview>('GET', `/schedule-preview?${new URLSearchParams({ cron: '0\t9\t*\t*\t*', zone: 'UTC' })}`);
    expect(tabs.body).toMatchObject({ firesADay: 1 });
  });

  test('L2.09 a schedule that cannot be computed fires what is due, is paused with a note, and holds back no other', async () => {
    const team = await quick();
    const [wrong, right] = [await schedule(team, { cron: '0 0 1 1 *' }), await schedule(team, { cron: '0 0 2 1 *' })];
    // As a release that reads other fields has stored it.
    const setCron = `UPDATE triggers SET settings = jsonb_set(settings, '{cron}', '"0 0 31 2 *"') WHERE id = $1`;
    await database.pool.query(setCron, [wrong.id]);
    for (const { id } of [wrong, right]) await miss(id, '2 hours');
    await expect.poll(async () => (await details(right.id)).lastFire?.outcome).toBe('started');
    await expect.poll(async () => (await details(wrong.id)).pausedReason).toBe('schedule');
    const { fires, nextAt } = await details(wrong.id);
    expect(nextAt).toBeNull();
    expect(fires.map(({ outcome, reason, detail }) => [outcome, reason, detail])).toContainEqual(['failed', 'schedule', '0 0 31 2 * UTC']);
    expect(fires.filter(({ outcome }) => outcome === 'started')).toHaveLength(1);
    const change = (given: object) => ann.call<{ errors?: { path: string }[] }>('PUT', `${triggers}/${wrong.id}`, given);
    expect((await change({ name: 'Another name' })).status).toBe(200);
    expect(await change({ isOn: true })).toMatchObject({ status: 400, body: { errors: [{ path: 'cron' }] } });
    const settings = { kind: 'schedule', cron: '0 0 3 1 *', zone: 'UTC', input: { title: 'x' } };
    expect(await change({ settings, isOn: true })).toMatchObject({ status: 200, body: { pausedAt: null } });
  });
});

test('L3.07 the owner of a paused trigger gets one email, once the address is verified', async () => {
  const hook = await webhook(await quick());
  await database.pool.query('UPDATE users SET email_verified_at = now() WHERE id = $1', [ann.userId]);
  await database.pool.query("UPDATE triggers SET paused_at = now(), paused_reason = 'failures', email_due_at = now() WHERE id = $1", [
    hook.id,
  ]);
  // The first letter verifies the address.
  const letters = (await lettersTo(server.dataDir, ann.email, 2)).filter(({ subject }) => /In\b/.test(subject));
  expect(letters).toMatchObject([{ text: expect.stringContaining(hook.projectId) }]);
});

test('L3.06 a renamed trigger calls its team by its new name', async () => {
  const hook = await webhook(await quick());
  await ann.call('PUT', `${triggers}/${hook.id}`, { name: 'Tickets' });
  const { body } = await send(hook, event);
  const { rows } = await database.pool.query(
    'SELECT k.name, r.called_by FROM executions e JOIN api_keys k ON k.id = e.key_id JOIN team_runs r ON r.execution_id = e.id WHERE e.id = $1',
    [body.run?.id],
  );
  expect(rows).toEqual([{ name: 'Tickets', called_by: 'Tickets' }]);
});

test('L3.08 the removal of a trigger leaves its run within its budget', async () => {
  const hook = await webhook(await waiting());
  const { body } = await send(hook, event);
  expect((await ann.call('DELETE', `${triggers}/${hook.id}`)).status).toBe(204);
  expect((await ann.call<Execution>('GET', `/PipelineExecution/${body.run?.id}`)).status).toBe(200);
  expect((await send(hook, event)).status).toBe(404);
});
