import { describe, expect, test, vi } from 'vitest';
import type { ErrorBody } from '../../../contract/errors.ts';
import type { Execution, ExecutionDetails } from '../../../contract/executions/execution.ts';
import type { ExecutionFiles } from '../../../contract/executions/file.ts';
import type { Pipeline, PipelineCreation, PipelineLink } from '../../../contract/executions/pipeline.ts';
import type { LinkedQuestion, Question, QuestionAnswer, QuestionDetails } from '../../../contract/executions/question.ts';
import type { Project } from '../../../contract/project.ts';
import { signUp } from '../../support/run-account.ts';
import type { ModelCall, Reply } from '../../support/services/model-server.ts';
import { setUpAccount, setUpModelServer, setUpServer } from '../../support/set-up/for-vitest.ts';

const models = setUpModelServer((call) => ({ kind: 'text', text: `From ${nameOf(call)}.` }));
const server = setUpServer(() => ({ OPENAI_API_KEY: 'sk-server-wide', OPENAI_BASE_URL: models.url }));
const ann = setUpAccount(server);

type Name = 'assistant' | 'developer' | 'qa' | 'analyst';
type Link = Omit<PipelineLink, 'id'>;

const names: Name[] = ['assistant', 'developer', 'qa', 'analyst'];
const nameOf = (call: ModelCall): Name => {
  const prompt = call.body.messages[0]?.content ?? '';
  const found = names.find((name) => ann.agent(name).configuration.systemPrompt === prompt);
  if (!found) throw new Error(`No agent has this prompt: ${prompt}`);
  return found;
};
const promptOf = (name: Name, at = 0) => models.calls.filter((call) => nameOf(call) === name)[at]?.body.messages[1]?.content ?? '';
const callsOf = (name: Name) => models.calls.filter((call) => nameOf(call) === name).length;

/** Creates a pipeline whose links are `a>b`. A step with `person` settings is that of a person. */
async function pipeline(steps: Partial<Record<Name, object>>, links: Link[], more: Partial<PipelineCreation> = {}): Promise<Pipeline> {
  const made = await ann.call<Pipeline>('POST', '/Pipeline', {
    name: 'People',
    projectId: 'default',
    steps: Object.entries(steps).map(([name, settings]) => ({ name, agentId: ann.agent(name).id, nodeId: name, settings })),
    links: links.map((link) => ({ id: `${link.from}>${link.to}`, ...link })),
    maxParallel: 4,
    ...more,
  });
  expect([made.status, made.body]).toEqual([201, expect.anything()]);
  return made.body;
}

const questionsOf = async (id: string) => (await ann.call<Question[]>('GET', `/PipelineExecution/${id}/questions`)).body;

/** Waits until the run has this many open questions. */
async function asked(id: string, many = 1): Promise<Question[]> {
  await ann.until(id, ({ openQuestions = 0 }) => openQuestions === many);
  const open = (await questionsOf(id)).filter(({ state }) => state === 'open');
  expect(open).toHaveLength(many);
  return open;
}

const answer = (question: Pick<Question, 'id'> | undefined, body: QuestionAnswer) =>
  ann.call<Question>('POST', `/question/${question?.id}/answer`, body);

const ended = (id: string) => ann.until(id, ({ status }) => ['completed', 'failed', 'cancelled'].includes(status));
const statuses = ({ steps }: ExecutionDetails) => steps.map(({ status }) => status);

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
    await answer(first, { action: 'answer', label: 'Change', text: 'Shorter.' });
    const second = await vi.waitFor(async () => {
      const [next] = await asked(id);
      expect(next?.id).not.toBe(first?.id);
      return next;
    });
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

describe('a hand-off that waits', () => {
  const chain = { assistant: {}, developer: {}, analyst: {} };
  const held: Link[] = [
    { from: 'assistant', to: 'developer', hold: 'always' },
    { from: 'assistant', to: 'analyst' },
  ];

  test('G2.02 a held hand-off holds one link and nothing else: the edited draft is handed on, and both texts are kept', async () => {
    const { id } = await ann.start(await pipeline(chain, held), 'Plan a bakery');
    const [question] = await asked(id);
    expect(question).toMatchObject({ kind: 'hand_off', reason: 'hold', linkIds: ['assistant>developer'], attempts: 1 });
    expect(question?.actions).toEqual(['handOn', 'skip', 'stop']);
    const midway = await ann.until(id, ({ steps }) => steps[2]?.status === 'completed');
    expect(statuses(midway)).toEqual(['completed', 'pending', 'completed']);
    expect(midway.steps[0]?.handOff).toEqual({ state: 'open', linkIds: ['assistant>developer'] });
    await answer(question, { action: 'handOn', text: 'Another text.' });
    const done = await ended(id);
    expect(done.steps[0]).toMatchObject({ result: 'Another text.', isEdited: true, handOff: { state: 'sent' } });
    expect(promptOf('developer')).toContain('Another text.');
    expect((await ann.call<QuestionDetails>('GET', `/question/${question?.id}`)).body.draft).toBe('From assistant.');
  });

  test('C1.06 an edited answer overwrites nothing unseen: it names the file and the step, and goes when the person sends it again', async () => {
    const block = (path: string, text: string) => `\`\`\`text path=${path}\n${text}\n\`\`\`\n`;
    const own = `${block('plan.md', 'draft')}${block('only.md', 'only')}`;
    models.answer((call) => ({ kind: 'text', text: nameOf(call) === 'assistant' ? own : block('plan.md', `of ${nameOf(call)}`) }));
    const links: Link[] = [
      { from: 'assistant', to: 'developer', hold: 'always' },
      { from: 'assistant', to: 'analyst' },
      { from: 'analyst', to: 'qa', hold: 'always' },
    ];
    const { id } = await ann.start(await pipeline({ ...chain, qa: {} }, links), 'Plan a bakery');
    const open = await asked(id, 2);
    const question = open.find(({ linkIds }) => linkIds.includes('assistant>developer'));
    const contents = async () => {
      const rows = await ann.call<ExecutionFiles>('GET', `/PipelineExecution/${id}/files`);
      return rows.body.files.map(({ path, stepName, size }) => `${path} ${stepName} ${size}`);
    };
    const before = await contents();
    expect(before).toEqual(['only.md assistant 5', 'plan.md analyst 11']);
    const edited = own.replace('draft', 'edited by a person');
    const refused = await ann.call<ErrorBody>('POST', `/question/${question?.id}/answer`, { action: 'handOn', text: edited });
    expect(refused.status).toBe(400);
    expect(refused.body.message).toContain('plan.md (by the step “analyst”)');
    expect(refused.body.errors).toEqual([
      { path: expect.stringMatching(/^overwrites\.[0-9a-f]{64}$/), message: expect.stringContaining('plan.md') },
    ]);
    expect(await contents()).toEqual(before);
    const overwrites = refused.body.errors?.map(({ path }) => path.slice('overwrites.'.length));
    const other = { action: 'handOn' as const, text: edited, overwrites: ['0'.repeat(64)] };
    expect((await answer(question, other)).status).toBe(400);
    expect((await answer(question, { action: 'handOn', text: edited, overwrites })).status).toBe(200);
    expect(await contents()).toEqual(['only.md assistant 5', 'plan.md assistant 19']);

    // A text beside a file does not make the file newer than what others have written since.
    const analyst = open.find(({ id: one }) => one !== question?.id);
    expect((await answer(analyst, { action: 'handOn', text: `Read this.\n\n${block('plan.md', 'of analyst')}` })).status).toBe(200);
    await ann.until(id, ({ steps }) => steps.every(({ status }) => status === 'completed'));
    expect((await contents()).some((line) => line.startsWith('plan.md analyst'))).toBe(false);
  });

  test('G2.02 a person asks the agent of a held hand-off again with a note, and then releases the hand-off', async () => {
    const { id } = await ann.start(await pipeline(chain, [held[0] as Link, { from: 'developer', to: 'analyst' }]), 'Plan a bakery');
    const [question] = await asked(id);
    expect(question?.actions).toContain('askAgain');
    models.answer({ kind: 'text', text: 'A better one.' });
    await answer(question, { action: 'askAgain', text: 'Shorter, please.' });
    await ann.until(id, ({ steps }) => steps[0]?.result === 'A better one.');
    const [again] = await asked(id);
    expect(again).toMatchObject({ attempts: 2 });
    for (const part of ['Shorter, please.', 'From assistant.']) expect(promptOf('assistant', 1)).toContain(part);
    await answer(again, { action: 'handOn' });
    expect((await ended(id)).status).toBe('completed');
  });

  test('G2.02 skipping a hand-off closes its link', async () => {
    const { id } = await ann.start(await pipeline(chain, held), 'Plan a bakery');
    await answer((await asked(id))[0], { action: 'skip' });
    expect(statuses(await ended(id))).toEqual(['completed', 'skipped', 'completed']);
  });

  test('G2.02 a project setting holds every hand-off from the start of a run', async () => {
    const [project] = (await ann.call<Project[]>('GET', '/project')).body;
    const change = async (holdHandOffs: boolean) => (await ann.call<Project>('PUT', `/project/${project?.id}`, { holdHandOffs })).body;
    expect((await change(true)).holdHandOffs).toBe(true);
    expect((await change(false)).holdHandOffs).toBeUndefined();
    const made = await ann.pipeline('assistant', 'developer');
    const start = (holds: object) =>
      ann.call<Execution>('POST', '/PipelineExecution/start', { pipelineId: made.id, initialTask: 'Plan', holds });
    const { status, body } = await start({ all: true });
    expect([status, body.holds]).toEqual([202, { all: true, links: {} }]);
    const [question] = await asked(body.id);
    expect(question).toMatchObject({ kind: 'hand_off', reason: 'hold' });
    await answer(question, { action: 'handOn' });
    expect((await ended(body.id)).status).toBe('completed');
    const links = Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`link-${at}`, 'always']));
    expect(await start({ links })).toMatchObject({ status: 400, body: { errors: [{ path: 'holds.links' }] } });
    expect((await start({ links: { one: 'sometimes' } })).status).toBe(400);
  });

  test('G2.02 a person holds every hand-off of a running run, also of a run whose steps run one after another', async () => {
    models.answer((call): Reply => (nameOf(call) === 'assistant' ? { kind: 'hang' } : { kind: 'text', text: `From ${nameOf(call)}.` }));
    const { id } = await ann.start(await ann.pipeline('assistant', 'developer', 'analyst'), 'Plan a bakery');
    await models.call(1);
    const set = await ann.call('PUT', `/PipelineExecution/${id}/holds`, { all: true });
    expect(set).toMatchObject({ status: 200, body: { holds: { all: true } } });
    models.release('Held.');
    for (const draft of ['Held.', 'From developer.']) {
      const [question] = await asked(id);
      expect((await ann.call<QuestionDetails>('GET', `/question/${question?.id}`)).body.draft).toBe(draft);
      expect((await answer(question, { action: 'handOn' })).status).toBe(200);
    }
    expect(await ended(id)).toMatchObject({ status: 'completed', result: 'From analyst.' });
    expect(models.calls).toHaveLength(3);
  });
});

describe('a question', () => {
  const card = () => pipeline({ qa: { person: {} }, developer: {} }, [{ from: 'qa', to: 'developer' }]);

  test('G2.06 a question is answered once: of a hundred answers at the same time one wins, and the others get the winning answer', async () => {
    const { id } = await ann.start(await card(), 'Plan a bakery');
    const [question] = await asked(id);
    const all = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        ann.call('POST', `/question/${question?.id}/answer`, { action: 'answer', text: `Answer ${at}` }),
      ),
    );
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
    expect(shown).toMatchObject({ state: 'open', title: 'qa' });
    for (const hidden of ['executionId', 'projectId', 'task', 'answer']) expect(shown).not.toHaveProperty(hidden);
    expect((await at(`/q/${'x'.repeat(43)}`)).status).toBe(404);
    expect((await at('/q/short')).status).toBe(400);
    expect((await at(made.body.path, { action: 'stop' })).status).toBe(400);
    const both = await Promise.all(['One', 'Two'].map((text) => at(made.body.path, { action: 'answer', text })));
    expect(both.map(({ status }) => status).toSorted()).toEqual([204, 409]);
    const refusal = await both.find(({ status }) => status === 409)?.json();
    expect(refusal).toMatchObject({ code: 'question_answered' });
    expect(refusal).not.toHaveProperty('details');
    expect((await ended(id)).status).toBe('completed');
    expect(await (await at(made.body.path)).json()).toMatchObject({ state: 'answered', before: [], draft: null, text: '' });
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
