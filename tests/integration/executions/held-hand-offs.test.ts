import { describe, expect, test } from 'vitest';
import type { ErrorBody } from '../../../contract/errors.ts';
import type { Execution } from '../../../contract/executions/execution.ts';
import type { ExecutionFiles } from '../../../contract/executions/file.ts';
import type { QuestionDetails } from '../../../contract/executions/question.ts';
import type { Project } from '../../../contract/project.ts';
import { type Link, setUpPeopleRuns, statuses } from '../../support/people-runs.ts';
import type { Reply } from '../../support/services/model-server.ts';

const { models, ann, nameOf, promptOf, pipeline, asked, answer, ended } = setUpPeopleRuns();

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
