import { describe, expect, test } from 'vitest';
import type { ExecutionLink } from '../../../contract/executions/execution.ts';
import { parallelByBranches } from '../../../contract/executions/parallel-steps.ts';
import type { Pipeline, PipelineCreation, PipelineLink } from '../../../contract/executions/pipeline.ts';
import type { ModelCall, Reply } from '../../support/services/model-server.ts';
import { setUpAccount, setUpModelServer, setUpServer } from '../../support/set-up/for-vitest.ts';

const models = setUpModelServer();
const server = setUpServer(() => ({ OPENAI_API_KEY: 'sk-server-wide', OPENAI_BASE_URL: models.url }));
const ann = setUpAccount(server);

type Link = Omit<PipelineLink, 'id'>;

const names = ['assistant', 'prod-mgr', 'team-lead', 'developer', 'qa', 'analyst'] as const;
type Name = (typeof names)[number];

const nameOf = (call: ModelCall): Name => {
  const prompt = call.body.messages[0]?.content ?? '';
  const found = names.find((name) => ann.agent(name).configuration.systemPrompt === prompt);
  if (!found) throw new Error(`No agent has this prompt: ${prompt}`);
  return found;
};

/** Creates a pipeline whose links are `a>b`, with settings. */
async function graph(steps: Name[], links: Link[], more: Partial<PipelineCreation> = {}, settings: Partial<Record<Name, object>> = {}) {
  return ann.call<Pipeline>('POST', '/Pipeline', {
    name: 'Graph',
    projectId: 'default',
    steps: steps.map((name) => ({ name, agentId: ann.agent(name).id, nodeId: name, ...settings[name] })),
    links: links.map((link) => ({ id: `${link.from}-${link.to}`, ...link })),
    maxParallel: 4,
    ...more,
  });
}

async function run(pipeline: Pipeline, status = 'completed', task = 'Plan a bakery') {
  const started = await ann.start(pipeline, task);
  return ann.until(started.id, (now) => now.status === status);
}

const answers = (script: Partial<Record<Name, string | ((round: number) => string)>>) => {
  const rounds = new Map<Name, number>();
  models.answer((call): Reply => {
    const name = nameOf(call);
    const round = rounds.get(name) ?? 0;
    rounds.set(name, round + 1);
    const said = script[name] ?? `From ${name}.`;
    return { kind: 'text', text: typeof said === 'string' ? said : said(round) };
  });
};
const promptOf = (name: Name, at = 0) => models.calls.filter((call) => nameOf(call) === name)[at]?.body.messages[1]?.content ?? '';
const callsOf = (name: Name) => models.calls.filter((call) => nameOf(call) === name).length;

const isGraph = JSON.stringify({ flowType: 'graph' });

describe('a run that is a graph', () => {
  test('G1.01 a graph runs branches at the same time, and a join waits for all and gets their results in the order of the links', async () => {
    models.answer((call): Reply => (nameOf(call) === 'assistant' ? { kind: 'text', text: 'From assistant.' } : { kind: 'hang' }));
    const made = await graph(
      ['assistant', 'developer', 'analyst', 'qa'],
      [
        { from: 'assistant', to: 'developer' },
        { from: 'assistant', to: 'analyst' },
        { from: 'analyst', to: 'qa' },
        { from: 'developer', to: 'qa' },
      ],
    );
    expect(made.status).toBe(201);
    const started = await ann.start(made.body, 'Plan a bakery');
    await models.call(3);
    const midway = await ann.details(started.id);
    expect(midway.steps.map(({ status }) => status)).toEqual(['completed', 'running', 'running', 'pending']);
    answers({ qa: 'Joined.' });
    models.release('A branch.');
    const done = await ann.until(started.id, ({ status }) => status === 'completed');
    expect(done).toMatchObject({ result: 'Joined.', progress: 100 });
    expect(callsOf('qa')).toBe(1);
    const joined = promptOf('qa');
    expect(joined.indexOf(ann.agent('analyst').title)).toBeLessThan(joined.indexOf(ann.agent('developer').title));
    const log = await ann.logs(started.id);
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, at) => at + 1));
  });

  test('G1.01 a graph gives a branch only the results that led to that branch', async () => {
    answers({});
    const made = await graph(
      ['assistant', 'developer', 'analyst'],
      [
        { from: 'assistant', to: 'developer' },
        { from: 'assistant', to: 'analyst' },
      ],
      { maxParallel: 1 },
      { analyst: { settings: { onFailure: 'goOn' } } },
    );
    await run(made.body);
    expect(promptOf('analyst')).toContain('From assistant.');
    expect(promptOf('analyst')).not.toContain('From developer.');
  });

  test('G1.02 a graph follows the label that the agent chose, asks once more when the choice is missing, and skips the other side', async () => {
    let asked = 0;
    answers({ qa: () => (asked++ === 0 ? 'I cannot say.' : 'Good work.\n\n**Choice: Accepted**') });
    const links: Link[] = [
      { from: 'assistant', to: 'qa' },
      { from: 'qa', to: 'developer', label: 'accepted' },
      { from: 'qa', to: 'analyst', label: 'rejected' },
    ];
    const done = await run((await graph(['assistant', 'qa', 'developer', 'analyst'], links)).body);
    expect(done.steps.map(({ status, choice }) => [status, choice])).toEqual([
      ['completed', undefined],
      ['completed', 'accepted'],
      ['completed', undefined],
      ['skipped', undefined],
    ]);
    expect(callsOf('qa')).toBe(2);
    expect(callsOf('analyst')).toBe(0);
    const followed = await ann.call<ExecutionLink[]>('GET', `/PipelineExecution/${done.id}/links`);
    expect(followed.body.map(({ id, state }) => [id, state])).toEqual([
      ['assistant-qa', 'taken'],
      ['qa-developer', 'taken'],
      ['qa-analyst', 'dead'],
    ]);
    expect(followed.body[1]).toMatchObject({ from: done.steps[1]?.stepId, to: done.steps[2]?.stepId });

    answers({ qa: 'No word of it.' });
    const undecided = await ann.start((await graph(['assistant', 'qa', 'developer', 'analyst'], links)).body, 'Plan a bakery');
    const asking = await ann.until(undecided.id, ({ openQuestions }) => openQuestions === 1);
    expect(asking.steps[1]).toMatchObject({ status: 'waiting', result: 'No word of it.' });

    const otherwise = [...links.slice(0, 2), { from: 'qa', to: 'analyst' }];
    const other = await run((await graph(['assistant', 'qa', 'developer', 'analyst'], otherwise)).body);
    expect(other.steps.map(({ status }) => status)).toEqual(['completed', 'completed', 'skipped', 'completed']);
  });

  test('G1.02 a graph chooses links by tests of data', async () => {
    answers({ assistant: '```json\n{ "review": { "score": 7 } }\n```' });
    const test = { field: 'review.score', is: 'greater', value: '5' } as const;
    const made = await graph(
      ['assistant', 'developer', 'analyst'],
      [
        { from: 'assistant', to: 'developer', test },
        { from: 'assistant', to: 'analyst' },
      ],
    );
    expect((await run(made.body)).steps.map(({ status }) => status)).toEqual(['completed', 'completed', 'skipped']);
    answers({ assistant: '{ "review": { "score": 3 } }' });
    expect((await run(made.body)).steps.map(({ status }) => status)).toEqual(['completed', 'skipped', 'completed']);
  });

  test('G1.03 a graph repeats a review loop until the reviewer accepts, and keeps the results of all rounds', async () => {
    answers({
      developer: (round) => `Draft ${round + 1}.`,
      qa: (round) => `Remark ${round + 1}.\n\nChoice: ${round === 0 ? 'rejected' : 'accepted'}`,
    });
    const made = await graph(
      ['developer', 'qa', 'analyst'],
      [
        { from: 'developer', to: 'qa' },
        { from: 'qa', to: 'developer', label: 'rejected', maxRounds: 3 },
        { from: 'qa', to: 'analyst', label: 'accepted' },
      ],
    );
    const done = await run(made.body);
    expect(done.steps.map(({ name, round, status }) => [name, round ?? 0, status])).toEqual([
      ['developer', 0, 'completed'],
      ['developer', 1, 'completed'],
      ['qa', 0, 'completed'],
      ['qa', 1, 'completed'],
      ['analyst', 0, 'completed'],
    ]);
    expect(promptOf('developer', 1)).toContain('Draft 1.');
    expect(promptOf('developer', 1)).toContain('Remark 1.');
    expect(promptOf('analyst')).toContain('Draft 2.');
    expect(promptOf('analyst')).not.toContain('Draft 1.');
    expect(callsOf('analyst')).toBe(1);
    expect(done.result).toBe('From analyst.');
  });

  test('G1.03 a graph hands a result on as not accepted when the rounds are used up, or fails', async () => {
    const links = (atLimit?: 'fail'): Link[] => [
      { from: 'developer', to: 'qa' },
      { from: 'qa', to: 'developer', label: 'rejected', maxRounds: 2, ...(atLimit && { atLimit }) },
      { from: 'qa', to: 'analyst', label: 'accepted' },
    ];
    answers({ qa: 'Bad.\n\nChoice: rejected' });
    await run((await graph(['developer', 'qa', 'analyst'], links())).body);
    expect(callsOf('qa')).toBe(2);
    expect(promptOf('analyst')).toContain('was not accepted after 2 rounds');
    const failed = await run((await graph(['developer', 'qa', 'analyst'], links('fail'))).body, 'failed');
    expect(failed.error?.code).toBe('loop_limit');
  });

  test('G1.04 a graph runs a group once for each item of a list, and hands on all results in order', async () => {
    answers({ assistant: 'The list:\n\n1. Rye\n2. Wheat\n3. Oats', developer: (round) => `Baked ${round}.` });
    const made = await graph(
      ['assistant', 'developer', 'qa'],
      [
        { from: 'assistant', to: 'developer' },
        { from: 'developer', to: 'qa' },
      ],
      { groups: [{ id: 'each', onFailure: 'stop' }] },
      { developer: { groupId: 'each' } },
    );
    const done = await run(made.body);
    expect(done.steps.map(({ name, item, status }) => [name, item ?? 0, status])).toEqual([
      ['assistant', 0, 'completed'],
      ['developer', 1, 'completed'],
      ['developer', 2, 'completed'],
      ['developer', 3, 'completed'],
      ['qa', 0, 'completed'],
    ]);
    // Items that begin as soon as they are known keep when they began and how often they were tried.
    expect(done.steps.map(({ startedAt, attempts }) => [startedAt !== null, attempts])).toEqual(Array(5).fill([true, 1]));
    const items = models.calls.filter((call) => nameOf(call) === 'developer').map((call) => call.body.messages[1]?.content ?? '');
    for (const item of ['Rye', 'Wheat', 'Oats']) expect(items.filter((prompt) => prompt.includes(`only:\n\n${item}`))).toHaveLength(1);
    expect(promptOf('qa')).toMatch(/1\. Baked [\s\S]*2\. Baked [\s\S]*3\. Baked/);

    models.answer((call): Reply => {
      if (nameOf(call) === 'assistant') return { kind: 'text', text: '1. Rye\n2. Wheat' };
      const refuses = nameOf(call) === 'developer' && (call.body.messages[1]?.content ?? '').includes('only:\n\nRye');
      return refuses ? { kind: 'status', status: 400, message: 'No rye.' } : { kind: 'text', text: 'Baked.' };
    });
    for (const [onFailure, shown] of [
      ['goOn', true],
      ['skip', false],
    ] as const) {
      models.calls.length = 0;
      const links = [
        { from: 'assistant', to: 'developer' },
        { from: 'developer', to: 'qa' },
      ] satisfies Link[];
      const parts = { groups: [{ id: 'each', onFailure }] };
      await run((await graph(['assistant', 'developer', 'qa'], links, parts, { developer: { groupId: 'each' } })).body);
      expect(promptOf('qa')).toContain('2. Baked.');
      expect(promptOf('qa').includes('No rye.')).toBe(shown);
    }

    answers({ assistant: 'No list at all.' });
    expect((await run(made.body, 'failed')).error?.code).toBe('list_missing');
  });

  test('D4.11 a graph runs a group without incoming links once for each item of the task, also in the next round of a loop', async () => {
    answers({ developer: (round) => `Baked ${round}.`, qa: (round) => (round === 0 ? 'Choice: again' : 'Choice: good') });
    const links: Link[] = [
      { from: 'developer', to: 'qa' },
      { from: 'qa', to: 'developer', label: 'again', maxRounds: 3 },
      { from: 'qa', to: 'analyst', label: 'good' },
    ];
    const parts = { groups: [{ id: 'each', onFailure: 'stop' as const }] };
    const made = await graph(['developer', 'qa', 'analyst'], links, parts, { developer: { groupId: 'each' } });
    const done = await run(made.body, 'completed', 'Bake:\n- Rye\n- Oats');
    expect(done.steps.map(({ name, round = 0, item = 0, status }) => [name, round, item, status]).sort()).toEqual([
      ['analyst', 0, 0, 'completed'],
      ['developer', 0, 1, 'completed'],
      ['developer', 0, 2, 'completed'],
      ['developer', 1, 1, 'completed'],
      ['developer', 1, 2, 'completed'],
      ['qa', 0, 0, 'completed'],
      ['qa', 1, 0, 'completed'],
    ]);
    const items = models.calls.filter((call) => nameOf(call) === 'developer').map((call) => call.body.messages[1]?.content ?? '');
    for (const item of ['Rye', 'Oats']) expect(items.filter((prompt) => prompt.includes(`only:\n\n${item}`))).toHaveLength(2);

    const alone = await graph(['developer'], [], { ...parts, configuration: isGraph }, { developer: { groupId: 'each' } });
    const each = await run(alone.body, 'completed', '1. Rye\n2. Oats\n3. Wheat');
    expect(each.steps.map(({ item }) => item)).toEqual([1, 2, 3]);
  });

  test('G1.05 a graph takes the link for failures, continues without a failed step, and a join can begin with the first result', async () => {
    const fails = (name: Name) =>
      models.answer(
        (call): Reply =>
          nameOf(call) === name ? { kind: 'status', status: 400, message: 'No.' } : { kind: 'text', text: `From ${nameOf(call)}.` },
      );
    fails('developer');
    const onFailure = await run(
      (
        await graph(
          ['developer', 'qa', 'analyst'],
          [
            { from: 'developer', to: 'qa' },
            { from: 'developer', to: 'analyst', onFailure: true },
          ],
        )
      ).body,
    );
    expect(onFailure.steps.map(({ status }) => status)).toEqual(['failed', 'skipped', 'completed']);

    const without = await run(
      (
        await graph(
          ['assistant', 'developer', 'qa'],
          [
            { from: 'assistant', to: 'developer' },
            { from: 'developer', to: 'qa' },
          ],
          {},
          { developer: { settings: { onFailure: 'goOn' } } },
        )
      ).body,
    );
    expect(without.steps.map(({ status }) => status)).toEqual(['completed', 'failed', 'completed']);

    models.calls.length = 0;
    const isBranch = (call: ModelCall) => ['developer', 'analyst'].includes(nameOf(call));
    models.answer((call): Reply => (isBranch(call) ? { kind: 'hang' } : { kind: 'text', text: `From ${nameOf(call)}.` }));
    const { id } = await ann.start(
      (
        await graph(
          ['assistant', 'developer', 'analyst', 'qa'],
          [
            { from: 'assistant', to: 'developer' },
            { from: 'assistant', to: 'analyst' },
            { from: 'developer', to: 'qa' },
            { from: 'analyst', to: 'qa' },
          ],
          {},
          { qa: { settings: { firstWins: true } } },
        )
      ).body,
      'Plan a bakery',
    );
    await models.call(3);
    models.release('From analyst.', (call) => nameOf(call) === 'analyst');
    const first = await ann.until(id, ({ status }) => status === 'completed');
    expect(first.steps.map(({ status }) => status)).toEqual(['completed', 'cancelled', 'completed', 'completed']);
    await models.aborted(models.calls.findLastIndex((call) => nameOf(call) === 'developer') + 1);
  });

  test('G1.05 a failure ends the run and cuts off the other branches', async () => {
    models.answer((call): Reply => (nameOf(call) === 'developer' ? { kind: 'hang' } : { kind: 'status', status: 400, message: 'No.' }));
    const made = await graph(
      ['developer', 'qa', 'analyst'],
      [
        { from: 'developer', to: 'analyst' },
        { from: 'qa', to: 'analyst' },
      ],
    );
    const done = await run(made.body, 'failed');
    expect(done.steps.map(({ status }) => status)).toEqual(['cancelled', 'failed', 'pending']);
  });

  test('G1.06 a graph that cannot run is refused with the names of its steps', async () => {
    answers({});
    const cycle = await graph(
      ['developer', 'qa'],
      [
        { from: 'developer', to: 'qa' },
        { from: 'qa', to: 'developer' },
      ],
    );
    expect(cycle.status).toBe(400);
    expect(cycle.body).toMatchObject({ errors: [{ path: 'links', message: expect.stringContaining('developer, qa') }] });
    const twoEntries = await graph(
      ['assistant', 'developer', 'qa'],
      [
        { from: 'assistant', to: 'developer' },
        { from: 'assistant', to: 'qa' },
        { from: 'developer', to: 'qa' },
        { from: 'qa', to: 'developer', maxRounds: 3 },
      ],
    );
    expect(twoEntries.body).toMatchObject({ errors: [{ message: expect.stringContaining('one card only') }] });
    expect(twoEntries.body).toMatchObject({ errors: [{ message: expect.stringContaining('assistant → developer, assistant → qa') }] });
    expect((await graph(['developer'], [{ from: 'developer', to: 'nowhere' }])).status).toBe(400);
  });

  test('G1.06 a graph of 10,001 steps is refused in the language of the caller, and a graph of 10,000 steps is accepted', async () => {
    const create = (many: number, language: string) => {
      const step = { name: 'a', agentId: ann.agent('qa').id };
      const body = { name: 'Long', projectId: 'default', steps: Array.from({ length: many }, () => step) };
      return ann.call('POST', '/Pipeline', body, { 'accept-language': language });
    };
    expect((await create(10_000, 'en')).status).toBe(201);
    const [english, russian] = await Promise.all([create(10_001, 'en'), create(10_001, 'ru')]);
    expect(english).toMatchObject({ status: 400, body: { errors: [{ path: 'steps', message: expect.stringContaining('10000') }] } });
    expect(russian).toMatchObject({ status: 400, body: { errors: [{ path: 'steps', message: expect.stringMatching(/[а-я]/) }] } });
  });

  /** One step and twenty branches after it. */
  const fan = (more: Partial<PipelineCreation>, language = 'en') => {
    const branches = Array.from({ length: 20 }, (_, at) => `branch-${at}`);
    const steps = ['assistant', ...branches].map((nodeId, at) => {
      return { name: nodeId, agentId: ann.agent(at === 0 ? 'assistant' : 'developer').id, nodeId };
    });
    const links = branches.map((to) => ({ id: to, from: 'assistant', to }));
    return ann.call<Pipeline>(
      'POST',
      '/Pipeline',
      { name: 'Fan', projectId: 'default', steps, links, ...more },
      { 'accept-language': language },
    );
  };

  test.each([[4], [16]])('G1.01 a graph of twenty branches runs at most %i at the same time', async (maxParallel) => {
    models.answer((call): Reply => (nameOf(call) === 'assistant' ? { kind: 'text', text: 'Go.' } : { kind: 'hang' }));
    const started = await ann.start((await fan({ maxParallel })).body, 'Plan a bakery');
    await models.call(1 + maxParallel);
    // Steps are taken in one statement: another one at work would be seen with the last of these.
    const { steps } = await ann.details(started.id);
    expect(steps.filter(({ status }) => status === 'running')).toHaveLength(maxParallel);
    expect(steps.filter(({ status }) => status === 'pending')).toHaveLength(20 - maxParallel);
    await ann.act(started.id, 'stop');
    await ann.until(started.id, ({ status }) => status === 'cancelled');
    expect(callsOf('developer')).toBe(maxParallel);
  });

  test('G1.01 a pipeline of more than sixteen steps at the same time is refused, in the language of the caller', async () => {
    const [english, russian] = await Promise.all([fan({ maxParallel: 17 }), fan({ maxParallel: 17 }, 'ru')]);
    expect(english).toMatchObject({ status: 400, body: { errors: [{ path: 'maxParallel', message: expect.stringContaining('16') }] } });
    expect(russian).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'maxParallel', message: expect.stringMatching(/[а-я].*16/) }] },
    });
  });

  test('G1.07 a graph pauses when the running steps have ended, continues, and does one step at a time', async () => {
    models.answer({ kind: 'hang' });
    const made = await graph(
      ['assistant', 'developer', 'qa', 'analyst'],
      [
        { from: 'assistant', to: 'qa' },
        { from: 'developer', to: 'qa' },
        { from: 'qa', to: 'analyst' },
      ],
    );
    const { id } = await ann.start(made.body, 'Plan a bakery');
    await models.call(2);
    expect((await ann.act(id, 'pause')).body).toMatchObject({ status: 'running', pauseRequested: true });
    answers({});
    models.release('Done.');
    const paused = await ann.until(id, ({ status }) => status === 'paused');
    expect(paused.steps.map(({ status }) => status)).toEqual(['completed', 'completed', 'pending', 'pending']);
    await ann.act(id, 'next-step');
    const again = await ann.until(id, ({ status }) => status === 'paused');
    expect(again.steps.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed', 'pending']);
    await ann.act(id, 'resume');
    expect((await ann.until(id, ({ status }) => status === 'completed')).result).toBe('From analyst.');
  });

  test('D4.01 steps of a graph without links run at the same time, up to the graph’s limit, and get only the task', async () => {
    models.answer({ kind: 'hang' });
    const more = { maxParallel: 2, configuration: isGraph };
    const { id } = await ann.start((await graph(['assistant', 'developer', 'qa'], [], more)).body, 'Plan a bakery');
    await models.call(2);
    expect((await ann.details(id)).steps.map(({ status }) => status)).toEqual(['running', 'running', 'pending']);
    answers({});
    models.release('Done.');
    await ann.until(id, ({ status }) => status === 'completed');
    expect(promptOf('qa')).not.toContain('Done.');
  });

  test('D4.01 a pipeline without links and without the graph setting stays a chain, as stored and as earlier clients mean it', async () => {
    answers({});
    const parts = { maxParallel: 4, groups: [{ id: 'each', onFailure: 'stop' as const }] };
    const done = await run((await graph(['assistant', 'developer', 'qa'], [], parts, { qa: { groupId: 'each' } })).body);
    expect(done.steps.map(({ status, item = 0 }) => [status, item])).toEqual([1, 2, 3].map(() => ['completed', 0]));
    expect(promptOf('qa')).toContain('From developer.');
  });

  test('G1.07 stopping a graph stops all branches at once', async () => {
    models.answer({ kind: 'hang' });
    const made = await graph(
      ['assistant', 'developer', 'qa'],
      [
        { from: 'assistant', to: 'qa' },
        { from: 'developer', to: 'qa' },
      ],
    );
    const { id } = await ann.start(made.body, 'Plan a bakery');
    await models.call(2);
    await ann.act(id, 'stop');
    await Promise.all([models.aborted(1), models.aborted(2)]);
    expect((await ann.details(id)).steps.map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'pending']);
  });

  test('G1.01 a project keeps how many steps of its runs work at the same time', async () => {
    const [project] = (await ann.call<{ id: string; parallelSteps?: number; branchesTogether?: true }[]>('GET', '/project')).body;
    // A page of an earlier build reads the number, and refuses one below 1.
    expect(project).toMatchObject({ parallelSteps: 4, branchesTogether: true });
    const change = (parallelSteps: number) => ann.call('PUT', `/project/${project?.id}`, { parallelSteps });
    expect((await change(4)).body).toMatchObject({ parallelSteps: 4 });
    expect((await change(4)).body).not.toHaveProperty('branchesTogether');
    expect((await ann.call('GET', `/project/${project?.id}`)).body).toMatchObject({ parallelSteps: 4 });
    expect((await change(parallelByBranches)).body).toMatchObject({ parallelSteps: 4, branchesTogether: true });
    for (const wrong of [-1, 17, 1.5]) expect((await change(wrong)).status).toBe(400);
  });
});
