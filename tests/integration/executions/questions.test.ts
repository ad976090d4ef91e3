import { describe, expect, test } from 'vitest';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import type { LinkedQuestion, Question } from '../../../contract/executions/question.ts';
import { setUpPeopleRuns, statuses } from '../../support/people-runs.ts';
import { signUp } from '../../support/run-account.ts';
import type { Reply } from '../../support/services/model-server.ts';

const { models, server, ann, nameOf, callsOf, pipeline, asked, answer, ended } = setUpPeopleRuns();

describe('a question', () => {
  const card = () => pipeline({ qa: { person: {} }, developer: {} }, [{ from: 'qa', to: 'developer' }]);

  test('G2.06 a question is answered once: of a hundred answers at the same time one wins, and the others get the winning answer', async () => {
    const { id } = await ann.start(await card(), 'Plan a bakery');
    const [question] = await asked(id);
    // A server of a busy machine may have no turn for one of them: it is sent again, as a page does.
    const send = async (text: string) => {
      for (;;) {
        const sent = await ann.call('POST', `/question/${question?.id}/answer`, { action: 'answer', text });
        if (sent.status !== 503) return sent;
      }
    };
    const all = await Promise.all(Array.from({ length: 100 }, (_, at) => send(`Answer ${at}`)));
    const won = all.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    const first = (won[0] as { body: Question }).body.answer;
    for (const { status, body } of all)
      if (status !== 200) expect([status, body]).toEqual([409, expect.objectContaining({ code: 'question_answered' })]);
    const lost = all.find(({ status }) => status === 409)?.body as { details: { question: Question } };
    expect(lost.details.question.answer).toEqual(first);
    expect((await ended(id)).steps[0]?.result).toBe(first?.text);
    expect(callsOf('developer')).toBe(1);
  });

  test('G2.06 a question is withdrawn by the end of its run, and a repeated answer with the same key gets the same response', async () => {
    const made = await card();
    const stopped = await ann.start(made, 'Plan a bakery');
    const [question] = await asked(stopped.id);
    expect((await ann.act(stopped.id, 'stop')).status).toBe(200);
    expect(await answer(question, { action: 'answer' })).toMatchObject({ status: 409, body: { code: 'question_withdrawn' } });
    expect(statuses(await ann.details(stopped.id))).toEqual(['cancelled', 'pending']);

    const other = await ann.start(made, 'Plan a bakery');
    const [next] = await asked(other.id);
    const key = { 'idempotency-key': 'a-key-of-mine' };
    const calls = [1, 2].map(() => ann.call('POST', `/question/${next?.id}/answer`, { action: 'answer', text: 'Once' }, key));
    const both = await Promise.all(calls);
    expect(both.map(({ status }) => status).toSorted()).not.toContain(500);
    const repeated = await ann.call<Question>('POST', `/question/${next?.id}/answer`, { action: 'answer', text: 'Once' }, key);
    expect(repeated).toMatchObject({ status: 200, body: { answer: { text: 'Once' } } });
  });

  test('G2.06 a question of another account does not exist', async () => {
    const { id } = await ann.start(await card(), 'Plan a bakery');
    const [question] = await asked(id);
    const mallory = await signUp(server.url);
    for (const [method, path] of [
      ['GET', `/question/${question?.id}`],
      ['POST', `/question/${question?.id}/answer`],
      ['POST', `/question/${question?.id}/link`],
      ['GET', `/PipelineExecution/${id}/questions`],
      ['PUT', `/PipelineExecution/${id}/holds`],
    ] as const)
      expect([path, (await mallory.call(method, path, method === 'GET' ? undefined : { action: 'answer' })).status]).toEqual([path, 404]);
    expect((await mallory.call<Question[]>('GET', '/question')).body).toEqual([]);
    await ann.act(id, 'stop');
  });

  test('G2.03 a question is in the list over all projects, with its count', async () => {
    const bob = await signUp(server.url);
    const made = await bob.call<Pipeline>('POST', '/Pipeline', {
      ...{ name: 'Ask', projectId: 'default', links: [] },
      steps: [{ name: 'Ask', agentId: bob.agent('qa').id, nodeId: 'ask', settings: { person: { question: 'Which?' } } }],
    });
    const runs = await Promise.all([1, 2, 3].map(() => bob.start(made.body, 'Plan a bakery')));
    for (const { id } of runs) await bob.until(id, ({ openQuestions }) => openQuestions === 1);
    const open = await bob.call<Question[]>('GET', '/question?state=open&limit=2');
    expect([open.body.length, open.headers.get('x-total-count')]).toEqual([2, '3']);
    await bob.call('POST', `/question/${open.body[0]?.id}/answer`, { action: 'answer', text: 'This one' });
    expect((await bob.call('GET', '/question?state=open')).headers.get('x-total-count')).toBe('2');
    expect((await bob.call('GET', '/question?state=answered')).headers.get('x-total-count')).toBe('1');
  });

  test('G2.04 a question is answered by a signed link, once, without an account', async () => {
    const { id } = await ann.start(await card(), 'Plan a bakery');
    const [question] = await asked(id);
    const made = await ann.call<{ token: string; path: string }>('POST', `/question/${question?.id}/link`);
    expect(made).toMatchObject({ status: 201, body: { path: `/q/${made.body.token}` } });
    const at = (path: string, body?: unknown) =>
      fetch(`${server.url}/api${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: body === undefined ? {} : { 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    const shown = (await (await at(made.body.path)).json()) as LinkedQuestion;
    expect(shown).toMatchObject({ state: 'open', title: 'qa', answer: null });
    const { name } = (await ann.call<{ name: string }>('GET', '/project/default')).body;
    expect(shown.from).toEqual({ account: 'Ann', project: name, task: 'Plan a bakery' });
    for (const hidden of ['executionId', 'projectId', 'task']) expect(shown).not.toHaveProperty(hidden);
    expect((await at(`/q/${'x'.repeat(43)}`)).status).toBe(404);
    expect((await at('/q/short')).status).toBe(400);
    expect((await at(made.body.path, { action: 'stop' })).status).toBe(400);
    const both = await Promise.all(['One', 'Two'].map((text) => at(made.body.path, { action: 'answer', text })));
    expect(both.map(({ status }) => status).toSorted()).toEqual([204, 409]);
    const refusal = await both.find(({ status }) => status === 409)?.json();
    expect(refusal).toMatchObject({ code: 'question_answered' });
    expect(refusal).not.toHaveProperty('details');
    expect((await ended(id)).status).toBe('completed');
    const answered = (await (await at(made.body.path)).json()) as LinkedQuestion;
    expect(answered).toMatchObject({ state: 'answered', before: [], draft: null, text: '' });
    expect(['One', 'Two']).toContain(answered.answer?.text);
  });

  test('G2.04 the holder of a link sees no answer that was given elsewhere, but which buttons send back, and whether the run is simulated', async () => {
    const made = await pipeline({ assistant: {}, qa: { person: { question: 'Ship?' } }, developer: {} }, [
      { from: 'assistant', to: 'qa' },
      { from: 'qa', to: 'developer', label: 'Ship' },
      { from: 'qa', to: 'assistant', label: 'Change', maxRounds: 2 },
    ]);
    const { id } = await ann.start(made, 'Plan a bakery');
    const [question] = await asked(id);
    const { path } = (await ann.call<{ path: string }>('POST', `/question/${question?.id}/link`)).body;
    const read = async () => (await (await fetch(`${server.url}/api${path}`)).json()) as LinkedQuestion;
    expect(await read()).toMatchObject({ buttons: ['Ship', 'Change'], backButtons: ['Change'], simulated: false });
    await answer(question, { action: 'answer', label: 'Ship', text: 'By the account' });
    expect((await ended(id)).status).toBe('completed');
    expect(await read()).toMatchObject({ state: 'answered', answer: null, inputs: [], buttons: [] });
  });

  test('G2.01 G2.04 two fields with a file of the same path are refused, also by a signed link, and the question stays open', async () => {
    const inputs = [
      { id: 'plan', label: 'Plan', type: 'file' },
      { id: 'draft', label: 'Draft', type: 'file' },
    ];
    const made = await pipeline({ qa: { person: { question: 'Plan?', inputs } } }, []);
    const { id } = await ann.start(made, 'Plan a bakery');
    const [question] = await asked(id);
    const link = await ann.call<{ path: string }>('POST', `/question/${question?.id}/link`);
    const file = (name: string) => ({ name, content: `# ${name}` });
    const byLink = (values: object) =>
      fetch(`${server.url}/api${link.body.path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'accept-language': 'en' },
        body: JSON.stringify({ action: 'answer', values }),
      });
    const doubles = [
      { plan: file('plan.md'), draft: file('plan.md') },
      { plan: file('plan.md'), draft: file('./plan.md') },
      { plan: file('caf\u00e9.md'), draft: file('cafe\u0301.md') },
    ];
    for (const values of doubles) {
      const refused = { status: 400, body: { errors: [{ path: 'values.draft', message: expect.stringContaining('“Plan”') }] } };
      expect(await answer(question, { action: 'answer', values })).toMatchObject(refused);
      const response = await byLink(values);
      expect({ status: response.status, body: await response.json() }).toMatchObject(refused);
    }
    expect((await byLink({ plan: file('plan.md'), draft: file('draft.md') })).status).toBe(204);
    expect((await ended(id)).status).toBe('completed');
  });

  test('G1.02 G2.01 a test for a file sees one of the answer itself, and one of an earlier step', async () => {
    models.answer((call): Reply => ({ kind: 'text', text: nameOf(call) === 'assistant' ? '```md path=menu.md\n# Menu\n```' : 'Fine.' }));
    const isThere = (value: string) => ({ test: { is: 'fileExists' as const, value } });
    const inputs = [{ id: 'plan', label: 'Plan', type: 'file' }];
    for (const path of ['menu.md', 'plan.md', 'none.md']) {
      const made = await pipeline({ assistant: {}, qa: { person: { question: 'Plan?', inputs } }, developer: {}, analyst: {} }, [
        { from: 'assistant', to: 'qa' },
        { from: 'qa', to: 'developer', ...isThere(path) },
        { from: 'qa', to: 'analyst' },
      ]);
      const { id } = await ann.start(made, 'Plan a bakery');
      const [question] = await asked(id);
      const values = { plan: { name: 'plan.md', content: '# Plan' } };
      expect((await answer(question, { action: 'answer', values })).status).toBe(200);
      const last = path === 'none.md' ? ['skipped', 'completed'] : ['completed', 'skipped'];
      expect([path, ...statuses(await ended(id))]).toEqual([path, 'completed', 'completed', ...last]);
    }
  });

  test('G1.02 a test for a file sees one that the user gave to the run', async () => {
    models.answer({ kind: 'text', text: 'Fine.' });
    const inputSetId = await ann.giveFile('menu.md', '# Menu');
    const made = await pipeline({ assistant: {}, developer: {}, analyst: {} }, [
      { from: 'assistant', to: 'developer', test: { is: 'fileExists', value: 'menu.md' } },
      { from: 'assistant', to: 'analyst' },
    ]);
    const { id } = await ann.start(made, 'Plan a bakery', { inputSetId });
    expect(statuses(await ended(id))).toEqual(['completed', 'completed', 'skipped']);
  });

  test('G2.07 a question waits without a job: a pause ends at once, a stopped pause continues, and the account may start other runs', async () => {
    const { id } = await ann.start(await card(), 'Plan a bakery');
    const [question] = await asked(id);
    expect((await ann.act(id, 'pause')).body).toMatchObject({ status: 'paused', openQuestions: 1 });
    await answer(question, { action: 'answer', text: 'Yes' });
    expect(statuses(await ann.details(id))).toEqual(['completed', 'pending']);
    await ann.act(id, 'resume');
    expect((await ended(id)).status).toBe('completed');
  });
});
