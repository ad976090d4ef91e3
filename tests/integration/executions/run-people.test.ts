import { describe, expect, test, vi } from 'vitest';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import type { QuestionAnswer, QuestionDetails } from '../../../contract/executions/question.ts';
import { type Link, setUpPeopleRuns, statuses } from '../../support/people-runs.ts';
import type { Reply } from '../../support/services/model-server.ts';

const { models, ann, nameOf, promptOf, callsOf, pipeline, asked, answer, ended } = setUpPeopleRuns();

describe('a person in a run', () => {
  const inputs = [
    { id: 'budget', label: 'Budget', type: 'number', isRequired: true },
    { id: 'plan', label: 'Plan', type: 'file' },
    { id: 'size', label: 'Size', type: 'choice', options: ['small', 'large'] },
  ];
  const approval = { person: { question: 'May we **go on**?', inputs } };
  const links: Link[] = [
    { from: 'assistant', to: 'qa' },
    { from: 'qa', to: 'developer', label: 'Go' },
    { from: 'qa', to: 'analyst', label: 'Stop here' },
  ];

  test('G2.01 a person answers a user card: no model is called, the pressed button chooses the link, and later steps read the answer', async () => {
    const made = await pipeline({ assistant: {}, qa: approval, developer: {}, analyst: {} }, links);
    const { id } = await ann.start(made, 'Plan a bakery');
    const [question] = await asked(id);
    expect(question).toMatchObject({ kind: 'person', reason: 'card', text: 'May we **go on**?', buttons: ['Go', 'Stop here'], inputs });
    expect(question?.actions).toEqual(['answer', 'skip', 'stop']);
    const details = (await ann.call<QuestionDetails>('GET', `/question/${question?.id}`)).body;
    expect(details.before).toMatchObject([{ text: 'From assistant.' }]);

    const refused = await answer(question, {
      action: 'answer',
      label: 'Perhaps',
      values: { plan: { name: '../x', content: '' }, other: 1 },
    });
    expect(refused.status).toBe(400);
    expect((refused.body as unknown as { errors: { path: string }[] }).errors.map(({ path }) => path)).toEqual([
      ...['label', 'values.other', 'values.budget', 'values.plan'],
    ]);

    const values = { budget: 500, size: 'large', plan: { name: 'plan.md', content: '# Ovens' } };
    const given = await answer(question, { action: 'answer', label: 'Go', values, text: 'Mind the flour.' });
    expect(given.body).toMatchObject({ state: 'answered', answeredBy: 'Ann', answer: { values: { plan: { name: 'plan.md' } } } });
    const done = await ended(id);
    expect(statuses(done)).toEqual(['completed', 'completed', 'completed', 'skipped']);
    expect(done.steps[1]).toMatchObject({ kind: 'person', choice: 'Go', provider: null, usage: null });
    expect(done.result).toBe('From developer.');
    expect(callsOf('qa')).toBe(0);
    for (const part of ['From assistant.', 'Go', 'Budget: 500', 'Size: large', 'plan.md', 'Mind the flour.'])
      expect(promptOf('developer')).toContain(part);
    const files = await ann.call<{ files: { path: string }[] }>('GET', `/PipelineExecution/${id}/files`);
    expect(files.body.files.map(({ path }) => path)).toEqual(['plan.md']);
    const log = await ann.logs(id);
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, at) => at + 1));
    expect(log.filter(({ type }) => type.startsWith('question.')).map(({ type, question }) => [type, question?.state])).toEqual([
      ['question.opened', 'open'],
      ['question.answered', 'answered'],
    ]);
  });

  test('D1.06 the last card of a run approves with a button of its own, and sends the result back with that of its link', async () => {
    const person = { question: 'May this go out?', inputs: [], buttons: ['Approve'] };
    const back: Link = { from: 'qa', to: 'assistant', label: 'Change', maxRounds: 3 };
    const { id } = await ann.start(
      await pipeline({ assistant: {}, qa: { person } }, [{ from: 'assistant', to: 'qa' }, back]),
      'Plan a bakery',
    );
    const [first] = await asked(id);
    expect(first?.buttons).toEqual(['Approve', 'Change']);
    const { body: details } = await ann.call<QuestionDetails>('GET', `/question/${first?.id}`);
    expect(details.backButtons).toEqual(['Change']);
    await answer(first, { action: 'answer', label: 'Change', text: 'Shorter.' });
    const second = await vi.waitFor(async () => {
      const [next] = await asked(id);
      expect(next?.id).not.toBe(first?.id);
      return next;
    }, 60_000);
    await answer(second, { action: 'answer', label: 'Approve' });
    const done = await ended(id);
    expect(done.status).toBe('completed');
    expect(statuses(done)).toEqual(['completed', 'completed', 'completed', 'completed']);
    expect(callsOf('assistant')).toBe(2);
  });

  test('G2.01 a card has eight inputs of all kinds, and every value arrives in the run; a ninth input is refused', async () => {
    const kinds = ['text', 'choice', 'number', 'file'] as const;
    const inputOf = (at: number) => {
      const type = kinds[at % 4] ?? 'text';
      return {
        id: `input${at}`,
        label: `Field ${at}`,
        type,
        ...(type === 'choice' && { options: ['one', 'two'] }),
        ...(at < 4 && { isRequired: true }),
      };
    };
    const card = (many: number) => ({ person: { question: 'All', inputs: Array.from({ length: many }, (_, at) => inputOf(at)) } });
    const made = await pipeline({ qa: card(8), developer: {} }, [{ from: 'qa', to: 'developer' }]);
    const { id } = await ann.start(made, 'Plan a bakery');
    const [question] = await asked(id);
    const empty = await answer(question, { action: 'answer' });
    expect((empty.body as unknown as { errors: { path: string }[] }).errors.map(({ path }) => path)).toEqual([
      ...['values.input0', 'values.input1', 'values.input2', 'values.input3'],
    ]);
    const wrong = { input0: 5, input1: 'three', input2: 'many', input3: 'text' } as unknown as NonNullable<QuestionAnswer['values']>;
    expect((await answer(question, { action: 'answer', values: wrong })).status).toBe(400);
    const large = { name: 'a.md', content: 'x'.repeat(256 * 1024 + 1) };
    expect((await answer(question, { action: 'answer', values: { input3: large } })).status).toBe(400);
    const values = {
      ...{ input0: 'Rye & wheat', input1: 'two', input2: -0.5, input3: { name: 'first.md', content: '# First' } },
      ...{ input4: 'Two\nlines', input5: 'one', input6: 12, input7: { name: 'second.csv', content: 'a,b' } },
    };
    expect((await answer(question, { action: 'answer', values })).status).toBe(200);
    await ended(id);
    for (const part of ['Field 0: Rye & wheat', 'Field 1: two', 'Field 2: -0.5', 'first.md', 'Two\nlines', 'Field 5: one', 'Field 6: 12'])
      expect(promptOf('developer')).toContain(part);
    const files = await ann.call<{ files: { path: string }[] }>('GET', `/PipelineExecution/${id}/files`);
    expect(files.body.files.map(({ path }) => path).toSorted()).toEqual(['first.md', 'second.csv']);

    const nine = { name: 'qa', agentId: ann.agent('qa').id, nodeId: 'qa', settings: card(9) };
    const create = (language: string) =>
      ann.call('POST', '/Pipeline', { name: 'People', projectId: 'default', steps: [nine] }, { 'accept-language': language });
    const refused = (message: unknown) => ({ status: 400, body: { errors: [{ path: 'steps.0.settings.person.inputs', message }] } });
    expect(await create('en')).toMatchObject(refused(expect.stringContaining('8')));
    expect(await create('ru')).toMatchObject(refused(expect.stringMatching(/[а-я].*8/)));
  });

  test('G2.01 G1.06 a card has four buttons, the one without a label among them; a fifth is refused with the reason', async () => {
    const create = (labels: readonly (string | undefined)[], language = 'en') => {
      const ends = labels.map((label, at) => ({ nodeId: `end-${at}`, label }));
      const steps = [
        { name: 'Anna', agentId: ann.agent('qa').id, nodeId: 'qa', settings: { person: { question: 'Which?' } } },
        ...ends.map(({ nodeId }) => ({ name: nodeId, agentId: ann.agent('developer').id, nodeId })),
      ];
      const links = ends.map(({ nodeId, label }) => ({ id: nodeId, from: 'qa', to: nodeId, ...(label !== undefined && { label }) }));
      return ann.call<Pipeline>(
        'POST',
        '/Pipeline',
        { name: 'People', projectId: 'default', steps, links },
        { 'accept-language': language },
      );
    };
    const four = await create(['A', 'B', 'C', undefined]);
    expect(four.status).toBe(201);
    const { id } = await ann.start(four.body, 'Plan a bakery');
    expect((await asked(id))[0]?.buttons).toEqual(['A', 'B', 'C', null]);
    await ann.act(id, 'stop');
    const five = ['A', 'B', 'C', 'D', undefined];
    expect(await create(five)).toMatchObject({ status: 400, body: { errors: [{ path: 'links', message: expect.stringContaining('4') }] } });
    expect(await create(five, 'ru')).toMatchObject({ status: 400, body: { errors: [{ message: expect.stringMatching(/[а-я].*4/) }] } });
  });

  test('G2.01 a person skips a user card, and the steps that only this card leads to are skipped too', async () => {
    const made = await pipeline({ assistant: {}, qa: approval, developer: {} }, [links[0] as Link, { from: 'qa', to: 'developer' }]);
    const { id } = await ann.start(made, 'Plan a bakery');
    await answer((await asked(id))[0], { action: 'skip' });
    const done = await ended(id);
    expect([done.status, done.result, ...statuses(done)]).toEqual(['completed', 'From assistant.', 'completed', 'skipped', 'skipped']);
  });

  test('G2.01 two cards in parallel wait at the same time and are answered in any order, while an agent works beside them', async () => {
    models.answer((call): Reply => (nameOf(call) === 'developer' ? { kind: 'hang' } : { kind: 'text', text: `From ${nameOf(call)}.` }));
    const made = await pipeline({ assistant: { person: {} }, qa: { person: {} }, developer: {}, analyst: {} }, [
      { from: 'assistant', to: 'analyst' },
      { from: 'qa', to: 'analyst' },
      { from: 'developer', to: 'analyst' },
    ]);
    const { id } = await ann.start(made, 'Plan a bakery');
    const [one, two] = await asked(id, 2);
    await models.call(1);
    await answer(two, { action: 'answer', text: 'Second' });
    await answer(one, { action: 'answer', text: 'First' });
    expect(statuses(await ann.details(id))).toEqual(['completed', 'completed', 'running', 'pending']);
    models.answer({ kind: 'text', text: 'Joined.' });
    models.release('Code.');
    expect(await ended(id)).toMatchObject({ status: 'completed', result: 'Joined.' });
    for (const part of ['First', 'Second', 'Code.']) expect(promptOf('analyst')).toContain(part);
  });

  test('G2.01 an answer is noticed by an attempt at work: its step begins beside the others', async () => {
    models.answer((call): Reply => (nameOf(call) === 'developer' ? { kind: 'hang' } : { kind: 'text', text: `From ${nameOf(call)}.` }));
    const made = await pipeline({ assistant: { person: {} }, developer: {}, analyst: {} }, [{ from: 'assistant', to: 'analyst' }]);
    const { id } = await ann.start(made, 'Plan a bakery');
    await answer((await asked(id))[0], { action: 'answer', text: 'Yes' });
    await ann.until(id, ({ steps }) => steps[2]?.status === 'completed');
    expect(statuses(await ann.details(id))).toEqual(['completed', 'running', 'completed']);
    await models.call(2);
    models.release('Code.');
    expect((await ended(id)).status).toBe('completed');
  });

  test('G2.01 a review loop leads back through a person: every round asks again', async () => {
    const made = await pipeline({ developer: {}, qa: { person: {} }, analyst: {} }, [
      { from: 'developer', to: 'qa' },
      { from: 'qa', to: 'analyst', label: 'Accept' },
      { from: 'qa', to: 'developer', label: 'Change', maxRounds: 3 },
    ]);
    const { id } = await ann.start(made, 'Plan a bakery');
    for (const [label, text] of [
      ['Change', 'Bigger ovens.'],
      ['Accept', ''],
    ] as const) {
      const [question] = await asked(id);
      expect(question?.buttons).toEqual(['Accept', 'Change']);
      const { before } = (await ann.call<QuestionDetails>('GET', `/question/${question?.id}`)).body;
      expect(before.map(({ round }) => round)).toEqual(label === 'Change' ? [1] : [1, 1, 2]);
      await answer(question, { action: 'answer', label, text });
    }
    expect((await ended(id)).status).toBe('completed');
    expect(callsOf('developer')).toBe(2);
    expect(promptOf('developer', 1)).toContain('Bigger ovens.');
  });

  test('G2.01 an approval inside a branch is never passed by: the join waits for it while the other branch ends', async () => {
    const made = await pipeline({ assistant: {}, developer: {}, qa: { person: { question: 'Approve?' } }, analyst: {} }, [
      { from: 'assistant', to: 'developer' },
      { from: 'assistant', to: 'qa' },
      { from: 'developer', to: 'analyst' },
      { from: 'qa', to: 'analyst' },
    ]);
    const { id } = await ann.start(made, 'Plan a bakery');
    const [question] = await asked(id);
    await ann.until(id, ({ steps }) => steps[1]?.status === 'completed');
    expect(statuses(await ann.details(id))).toEqual(['completed', 'completed', 'waiting', 'pending']);
    expect(callsOf('analyst')).toBe(0);
    await answer(question, { action: 'answer', text: 'Approved.' });
    const done = await ended(id);
    expect([done.status, done.result, callsOf('analyst')]).toEqual(['completed', 'From analyst.', 1]);
    expect(promptOf('analyst')).toContain('Approved.');
  });

  test('G2.07 while a run waits, the agent of the waiting card may be removed, and the agents of later steps may not', async () => {
    const { id: developer, ...stored } = ann.agent('developer');
    const card = (await ann.call<{ id: string }>('POST', '/nuroagent', { ...stored, name: 'card', title: 'Card' })).body.id;
    const made = await pipeline({}, [{ from: 'card', to: 'developer' }], {
      steps: [
        { name: 'card', agentId: card, nodeId: 'card', settings: { person: { question: 'Go on?', inputs: [], whenDue: 'fail' } } },
        { name: 'developer', agentId: developer, nodeId: 'developer' },
      ],
    });
    const { id } = await ann.start(made, 'Plan a bakery');
    const [question] = await asked(id);
    expect(await ann.call('DELETE', `/nuroagent/${developer}`)).toMatchObject({ status: 409, body: { code: 'illegal_state' } });
    expect((await ann.call('DELETE', `/nuroagent/${card}`)).status).toBe(204);
    expect((await answer(question, { action: 'answer', text: 'Yes' })).status).toBe(200);
    expect(await ended(id)).toMatchObject({ status: 'completed', result: 'From developer.' });
  });

  test('G2.01 a run asks a person for the case of an unclear answer, and what to do at the limit of a loop', async () => {
    models.answer((call): Reply => ({ kind: 'text', text: nameOf(call) === 'qa' ? 'I cannot say.' : `From ${nameOf(call)}.` }));
    const made = await pipeline({ developer: {}, qa: {}, analyst: {} }, [
      { from: 'developer', to: 'qa' },
      { from: 'qa', to: 'analyst', label: 'accepted' },
      { from: 'qa', to: 'developer', label: 'rejected', maxRounds: 1, atLimit: 'ask' },
    ]);
    const { id } = await ann.start(made, 'Plan a bakery');
    const [choice] = await asked(id);
    expect(choice).toMatchObject({ kind: 'person', reason: 'choice', buttons: ['accepted', 'rejected'], nodeId: 'qa' });
    expect((await ann.call<QuestionDetails>('GET', `/question/${choice?.id}`)).body.draft).toBe('I cannot say.');
    models.answer((call): Reply => ({ kind: 'text', text: nameOf(call) === 'qa' ? 'Choice: rejected' : `From ${nameOf(call)}.` }));
    await answer(choice, { action: 'answer', label: 'accepted' });
    expect((await ended(id)).status).toBe('completed');

    const other = await ann.start(made, 'Plan a bakery');
    const [limit] = await asked(other.id);
    expect(limit).toMatchObject({ kind: 'hand_off', reason: 'limit', actions: ['handOn', 'anotherRound', 'stop'] });
    await answer(limit, { action: 'anotherRound' });
    await ann.until(other.id, ({ steps }) => steps.length > 3);
    const [again] = await asked(other.id);
    await answer(again, { action: 'handOn' });
    const done = await ended(other.id);
    expect([done.status, callsOf('analyst')]).toEqual(['completed', 2]);
  });
});
