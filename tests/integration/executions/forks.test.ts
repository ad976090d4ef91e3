import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Budgets } from '../../../contract/budget.ts';
import type { ErrorBody } from '../../../contract/errors.ts';
import type { Comparison } from '../../../contract/executions/compare.ts';
import type { Execution, ExecutionDetails, StepRun } from '../../../contract/executions/execution.ts';
import type { ExecutionFiles } from '../../../contract/executions/file.ts';
import type { Fork, ForkRequest } from '../../../contract/executions/fork.ts';
import type { Pipeline, PipelineCreation, PipelineLink } from '../../../contract/executions/pipeline.ts';
import type { Question } from '../../../contract/executions/question.ts';
import { Recording } from '../../../src/workers/engine/replay/recording.ts';
import type { ModelCall, Reply } from '../../support/services/model-server.ts';
import { setUpAccount, setUpModelServer, setUpServer } from '../../support/set-up/for-vitest.ts';

const models = setUpModelServer();
const server = setUpServer(() => ({ OPENAI_API_KEY: 'sk-server-wide', OPENAI_BASE_URL: models.url }));
const ann = setUpAccount(server);

beforeAll(() => {
  for (const name of names) prompts.set(ann.agent(name).configuration.systemPrompt, name);
});
beforeEach(() => answers({}));

type Name = 'assistant' | 'prod-mgr' | 'developer' | 'qa' | 'analyst';
const names: Name[] = ['assistant', 'prod-mgr', 'developer', 'qa', 'analyst'];
/** The prompts as the tests have set them. */
const prompts = new Map<string, Name>();

const nameOf = (call: ModelCall): Name => {
  const found = prompts.get(call.body.messages[0]?.content ?? '');
  if (!found) throw new Error('No agent has this prompt.');
  return found;
};
const called = () => models.calls.map(nameOf);
const answers = (script: Partial<Record<Name, string | ((call: ModelCall) => string)>>) =>
  models.answer((call): Reply => {
    const said = script[nameOf(call)] ?? `From ${nameOf(call)}, call ${call.number}.`;
    return { kind: 'text', text: typeof said === 'string' ? said : said(call) };
  });

const setPrompt = async (name: Name, systemPrompt: string) => {
  prompts.set(systemPrompt, name);
  const answer = await ann.call('PUT', `/nuroagent/${ann.agent(name).id}`, { configuration: { systemPrompt } });
  expect(answer.status).toBe(200);
};

type Link = Omit<PipelineLink, 'id'>;
const person = (question: string) => ({ settings: { person: { question, inputs: [] } } });

async function graph(steps: Partial<Record<Name, object>>, links: Link[], more: Partial<PipelineCreation> = {}): Promise<Pipeline> {
  const made = await ann.call<Pipeline>('POST', '/Pipeline', {
    ...{ name: 'Graph', projectId: 'default', maxParallel: 4 },
    steps: Object.entries(steps).map(([name, settings]) => ({ name, agentId: ann.agent(name).id, nodeId: name, ...settings })),
    links: links.map((link) => ({ id: `${link.from}>${link.to}`, ...link })),
    ...more,
  });
  expect([made.status, made.body]).toEqual([201, expect.anything()]);
  return made.body;
}

const ended = (id: string) => ann.until(id, ({ status }) => ['completed', 'failed', 'cancelled'].includes(status));
const run = async (pipeline: Pipeline, task = 'Plan a bakery') => ended((await ann.start(pipeline, task)).id);
const ask = (id: string, body: ForkRequest, headers: Record<string, string> = {}) =>
  ann.call<Fork & ErrorBody>('POST', `/PipelineExecution/${id}/fork`, body, headers);
const preview = async (id: string, body: ForkRequest) => (await ask(id, { ...body, dryRun: true })).body;
const fork = async (id: string, body: ForkRequest): Promise<ExecutionDetails> => {
  const answer = await ask(id, body);
  expect([answer.status, answer.body]).toEqual([202, expect.objectContaining({ execution: expect.anything() })]);
  return ended(answer.body.execution?.id ?? '');
};
const stepOf = ({ steps }: ExecutionDetails, nodeId: string, round = 0, item = 0): StepRun => {
  const found = steps.find((step) => step.nodeId === nodeId && (step.round ?? 0) === round && (step.item ?? 0) === item);
  if (!found)
    throw new Error(`There is no step ${nodeId} ${round} ${item}: ${JSON.stringify(steps.map((s) => [s.nodeId, s.round, s.item]))}`);
  return found;
};
const placeOf = (details: ExecutionDetails, nodeId: string, round = 0, item = 0) => ({
  stepId: stepOf(details, nodeId, round, item).stepId,
  round,
  item,
});
const states = ({ steps }: Fork) => Object.fromEntries(steps.map(({ name, state, reason }) => [name, `${state} ${reason}`]));
const statuses = ({ steps }: ExecutionDetails) => steps.map(({ status }) => status);

const chain = () => ann.pipeline('assistant', 'prod-mgr', 'developer', 'qa');

test('G5.01 a chain runs again from a step: earlier results are kept at no cost, and the original stays as it was', async () => {
  const first = await run(await chain());
  const from = placeOf(first, 'node-developer');
  models.calls.length = 0;
  const planned = await preview(first.id, { from });
  expect(planned.execution).toBeNull();
  expect(Object.values(states(planned))).toEqual(['reused same', 'reused same', 'rerun chosen', 'rerun follows']);
  const tokens = (step: StepRun) => step.usage?.totalTokens ?? 0;
  expect(planned.tokens.max).toBeGreaterThanOrEqual(tokens(stepOf(first, 'node-developer')) + tokens(stepOf(first, 'node-qa')));
  expect(models.calls).toHaveLength(0);

  const second = await fork(first.id, { from });
  expect(called()).toEqual(['developer', 'qa']);
  expect(statuses(second)).toEqual(['reused', 'reused', 'completed', 'completed']);
  expect(second).toMatchObject({ parentId: first.id, status: 'completed', progress: 100 });
  const kept = stepOf(second, 'node-prod-mgr');
  expect(kept).toMatchObject({ result: stepOf(first, 'node-prod-mgr').result, usage: null, attempts: 0, durationMs: null });
  expect(kept.reusedFrom).toEqual({ executionId: first.id, stepId: stepOf(first, 'node-prod-mgr').stepId });
  const log = await ann.logs(second.id);
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, at) => at + 1));
  expect(log[0]).toMatchObject({ type: 'step.reused', changedSteps: [{ status: 'reused' }, { status: 'reused' }] });
  expect(await ann.details(first.id)).toEqual(first);
  // A replay shows what was kept from its first event on.
  const replayed = new Recording(second, null, log).runAt(1).steps;
  for (const at of [0, 1]) {
    const { result, model, reusedFrom } = second.steps[at] as StepRun;
    expect(replayed[at]).toMatchObject({ result, model, reusedFrom });
  }
  expect(replayed.map(({ status }) => status)).toEqual(['reused', 'reused', 'pending', 'pending']);
  const item = (await ann.history()).find(({ pipelineExecutionId }) => pipelineExecutionId === second.id);
  expect(item).toMatchObject({ parentExecutionId: first.id, status: 2, agentsCount: 4 });
});

test('G5.02 a fork with one changed prompt runs that step and the steps that follow; a fork of the unchanged graph runs nothing', async () => {
  const pipeline = await graph({ assistant: {}, developer: {}, analyst: {}, qa: {} }, [
    { from: 'assistant', to: 'developer' },
    { from: 'assistant', to: 'analyst' },
    { from: 'developer', to: 'qa' },
    { from: 'analyst', to: 'qa' },
  ]);
  const first = await run(pipeline);
  await setPrompt('analyst', 'You analyse with other words.');
  expect((await ask(first.id, { graph: 'then' })).body).toMatchObject({ code: 'fork_refused', details: { reason: 'nothing_to_run' } });
  expect(states(await preview(first.id, { graph: 'now' }))).toEqual({
    ...{ assistant: 'reused same', developer: 'reused same', analyst: 'rerun prompt', qa: 'rerun follows' },
  });
  models.calls.length = 0;
  const second = await fork(first.id, { graph: 'now' });
  expect(called()).toEqual(['analyst', 'qa']);
  expect(stepOf(second, 'qa').result).toBe(second.result);
  // The task with the settings of another model: everything is asked anew.
  const model = { providerType: 'openai', model: 'GPT-4o', temperature: 0.1, maxTokens: 500 };
  const changed = await ann.call('PUT', `/nuroagent/${ann.agent('assistant').id}/api-configuration`, model);
  expect(changed.status).toBe(200);
  expect(states(await preview(second.id, { graph: 'now' }))).toMatchObject({ assistant: 'rerun settings', qa: 'rerun follows' });
});

test('G5.02 another pipeline of the project is compared by its nodes: added steps are new, removed ones gone', async () => {
  const first = await run(
    await graph({ assistant: {}, developer: {}, qa: {} }, [
      { from: 'assistant', to: 'developer' },
      { from: 'developer', to: 'qa' },
    ]),
  );
  const other = await graph({ assistant: {}, developer: {}, analyst: {} }, [
    { from: 'assistant', to: 'developer' },
    { from: 'developer', to: 'analyst' },
  ]);
  const request = { graph: 'now', pipelineId: other.id } as const;
  expect(states(await preview(first.id, request))).toEqual({
    ...{ assistant: 'reused same', developer: 'reused same', analyst: 'new added', qa: 'gone removed' },
  });
  models.calls.length = 0;
  const second = await fork(first.id, request);
  expect(called()).toEqual(['analyst']);
  expect(second.pipelineId).toBe(other.id);
});

test('G5.03 a fork begins in the second round of a review loop, and with one item of a list', async () => {
  answers({ qa: (call) => (call.body.messages[1]?.content.includes('Result: no') ? 'Result: yes' : 'Result: no') });
  const looped = await graph({ developer: {}, qa: {}, analyst: {} }, [
    { from: 'developer', to: 'qa' },
    { from: 'qa', to: 'developer', label: 'no', maxRounds: 3 },
    { from: 'qa', to: 'analyst', label: 'yes' },
  ]);
  const first = await run(looped);
  models.calls.length = 0;
  const second = await fork(first.id, { from: placeOf(first, 'developer', 1) });
  expect(called()).toEqual(['developer', 'qa', 'analyst']);
  expect([stepOf(second, 'developer').status, stepOf(second, 'qa').status]).toEqual(['reused', 'reused']);
  expect(stepOf(second, 'developer', 1)).toMatchObject({ status: 'completed', attempts: 1 });
  expect(stepOf(second, 'developer', 1).stepId).not.toBe(stepOf(first, 'developer', 1).stepId);

  answers({ assistant: '1. one\n2. two\n3. three' });
  const listed = await graph(
    { assistant: {}, developer: { groupId: 'g' }, qa: {} },
    [
      { from: 'assistant', to: 'developer' },
      { from: 'developer', to: 'qa' },
    ],
    { groups: [{ id: 'g', onFailure: 'stop' }] },
  );
  const third = await run(listed);
  models.calls.length = 0;
  const fourth = await fork(third.id, { from: placeOf(third, 'developer', 0, 2) });
  expect(called()).toEqual(['developer', 'qa']);
  expect([1, 2, 3].map((item) => stepOf(fourth, 'developer', 0, item).status)).toEqual(['reused', 'completed', 'reused']);
  expect(stepOf(fourth, 'developer', 0, 3).result).toBe(stepOf(third, 'developer', 0, 3).result);
});

test('G5.04 an edited result takes the place of the stored one, chooses its case, writes its files, and what follows runs', async () => {
  answers({ assistant: 'Plan\n\n```ts path=a.ts\nold\n```\n\n```ts path=gone.ts\nold\n```\nno' });
  const pipeline = await graph({ assistant: {}, developer: {}, analyst: {} }, [
    { from: 'assistant', to: 'developer', label: 'no' },
    { from: 'assistant', to: 'analyst', label: 'yes' },
  ]);
  const first = await run(pipeline);
  models.calls.length = 0;
  const result = 'Better plan\n\n```ts path=a.ts\nnew\n```\nyes';
  const second = await fork(first.id, { edits: [{ ...placeOf(first, 'assistant'), result }] });
  expect(called()).toEqual(['analyst']);
  expect(models.calls[0]?.body.messages[1]?.content).toContain('Better plan');
  expect(stepOf(second, 'assistant')).toMatchObject({ status: 'reused', result, choice: 'yes', isEdited: true });
  expect(stepOf(second, 'developer').status).toBe('skipped');
  const files = await ann.call<{ files: { path: string }[] }>('GET', `/PipelineExecution/${second.id}/files`);
  expect(files.body.files.map(({ path }) => path)).toEqual(['a.ts']);
  const content = await ann.call('GET', `/PipelineExecution/${second.id}/files`);
  expect(content.status).toBe(200);
  expect(stepOf(await ann.details(first.id), 'assistant').result).toBe(stepOf(first, 'assistant').result);

  const long = await ask(first.id, { edits: [{ ...placeOf(first, 'assistant'), result: 'x'.repeat(100_001) }] });
  expect([long.status, long.body.errors?.[0]?.path]).toEqual([400, 'edits.0.result']);
});

test('G5.04 a step that runs again replaces a file that a kept step has written, however late its original wrote it', async () => {
  answers({ developer: 'Done.\n\n```ts path=a.ts\nold\n```', qa: 'Tested.\n\n```ts path=a.ts\nchecked\n```' });
  const order: Name[] = ['assistant', 'prod-mgr', 'analyst', 'developer', 'qa'];
  const links = order.slice(1).map((to, at) => ({ from: order[at] as string, to }));
  const first = await run(await graph(Object.fromEntries(order.map((name) => [name, {}])), links));
  answers({ qa: 'Tested.\n\n```ts path=a.ts\nchecked again\n```' });
  const second = await fork(first.id, { from: placeOf(first, 'qa') });
  const { body } = await ann.call<ExecutionFiles>('GET', `/PipelineExecution/${second.id}/files`);
  expect(body.files).toMatchObject([{ path: 'a.ts', versions: 2, stepId: stepOf(second, 'qa').stepId }]);
});

test('G5.12 a case that tests for a file sees the files of its moment, not those of later rounds: when kept, and when edited', async () => {
  const drafts = { number: 0 };
  answers({
    developer: () => (++drafts.number === 1 ? 'A draft.' : 'Done.\n\n```md path=done.md\nDone\n```'),
    qa: 'Checked.',
    analyst: 'Sum.',
  });
  const exists = (value: string) => ({ test: { is: 'fileExists' as const, value } });
  const looped = await graph({ developer: {}, qa: {}, analyst: {}, 'prod-mgr': {} }, [
    { from: 'developer', to: 'qa' },
    { from: 'qa', to: 'prod-mgr' },
    { from: 'qa', to: 'analyst', ...exists('done.md') },
    { from: 'qa', to: 'developer', maxRounds: 3, test: { is: 'contains', value: 'checked' } },
  ]);
  const first = await run(looped);
  expect([0, 1].map((round) => stepOf(first, 'qa', round).status)).toEqual(['completed', 'completed']);
  await setPrompt('analyst', 'You sum up in other words.');
  models.calls.length = 0;
  const second = await fork(first.id, { graph: 'now' });
  expect(called()).toEqual(['analyst']);
  expect([0, 1].map((round) => stepOf(second, 'qa', round).status)).toEqual(['reused', 'reused']);

  models.calls.length = 0;
  const edited = await fork(first.id, { edits: [{ ...placeOf(first, 'qa'), result: 'Checked again.' }] });
  expect(called()).toEqual(['developer', 'qa', 'analyst']);
  expect(stepOf(edited, 'qa')).toMatchObject({ status: 'reused', isEdited: true });
  models.calls.length = 0;
  const result = 'Written here.\n\n```md path=done.md\nDone\n```';
  await fork(first.id, { edits: [{ ...placeOf(first, 'qa'), result }] });
  expect(called()).toEqual(['analyst']);
});

test('G5.12 the files that a user gave to a run are available to its fork: a test of files finds them, and a step that read them is kept', async () => {
  const inputSetId = await ann.giveFile('menu.md', '# Menu');
  const chosen = await graph({ assistant: {}, developer: {}, analyst: {} }, [
    { from: 'assistant', to: 'developer', test: { is: 'fileExists', value: 'menu.md' } },
    { from: 'assistant', to: 'analyst' },
  ]);
  const first = await ended((await ann.start(chosen, 'Plan a bakery', { inputSetId })).id);
  expect(stepOf(first, 'assistant').readFiles).toMatchObject([{ path: 'menu.md' }]);
  await setPrompt('developer', 'You develop in other words.');
  models.calls.length = 0;
  const second = await fork(first.id, { graph: 'now' });
  expect(called()).toEqual(['developer']);
  expect([stepOf(second, 'assistant').status, stepOf(second, 'analyst').status]).toEqual(['reused', 'skipped']);
});

test('G5.05 answers of people in the kept part stay, and a question in the repeated part is asked again', async () => {
  const pipeline = await graph({ assistant: {}, qa: person('Which city?'), developer: {}, analyst: {} }, [
    { from: 'assistant', to: 'qa' },
    { from: 'qa', to: 'developer' },
    { from: 'developer', to: 'analyst', hold: 'always' },
  ]);
  const answer = async (id: string, text: string) => {
    await ann.until(id, ({ openQuestions }) => openQuestions === 1);
    const { body } = await ann.call<Question[]>('GET', `/PipelineExecution/${id}/questions`);
    const open = body.find(({ state }) => state === 'open');
    const action = open?.kind === 'hand_off' ? 'handOn' : 'answer';
    const given = await ann.call('POST', `/question/${open?.id}/answer`, { action, text });
    expect([given.status, given.body]).toEqual([200, expect.anything()]);
  };
  const started = await ann.start(pipeline, 'Plan a bakery');
  await answer(started.id, 'In Kazan.');
  await answer(started.id, 'Edited by Ann.');
  const first = await ended(started.id);
  expect(states(await preview(first.id, { from: placeOf(first, 'analyst') }))).toMatchObject({
    qa: 'reused same',
    developer: 'reused same',
  });
  models.calls.length = 0;
  const second = await fork(first.id, { from: placeOf(first, 'analyst') });
  expect(called()).toEqual(['analyst']);
  expect(stepOf(second, 'developer')).toMatchObject({ result: 'Edited by Ann.', isEdited: true });
  const kept = (await ann.call<Question[]>('GET', `/PipelineExecution/${second.id}/questions`)).body;
  expect(kept.map(({ state, kind }) => [kind, state])).toEqual([
    ['hand_off', 'answered'],
    ['person', 'answered'],
  ]);

  const asked = await ask(second.id, { from: placeOf(second, 'qa') });
  const id = asked.body.execution?.id ?? '';
  await answer(id, 'In Perm.');
  await ann.until(id, ({ openQuestions }) => openQuestions === 1);
  expect(models.calls.at(-1)?.body.messages[1]?.content).toContain('In Perm.');
  await ann.act(id, 'stop');
});

test('G5.06 a failed run goes on from its failure, and a fork of a fork of a fork links to where the work was done', async () => {
  let broken = true;
  models.answer(
    (call): Reply =>
      nameOf(call) === 'developer' && broken ? { kind: 'status', status: 400 } : { kind: 'text', text: `From ${nameOf(call)}.` },
  );
  const first = await run(await chain());
  expect(first.status).toBe('failed');
  broken = false;
  models.calls.length = 0;
  let last = await fork(first.id, {});
  expect(called()).toEqual(['developer', 'qa']);
  for (const _ of [2, 3]) last = await fork(last.id, { from: placeOf(last, 'node-qa') });
  expect(called()).toEqual(['developer', 'qa', 'qa', 'qa']);
  expect(statuses(last)).toEqual(['reused', 'reused', 'reused', 'completed']);
  expect(stepOf(last, 'node-assistant').reusedFrom?.executionId).toBe(first.id);

  // The removal of the original leaves its forks whole.
  expect((await ann.call('DELETE', `/PipelineExecution/${first.id}`)).status).toBe(204);
  const after = await fork(last.id, { from: placeOf(last, 'node-developer') });
  expect(statuses(after)).toEqual(['reused', 'reused', 'completed', 'completed']);
  expect(stepOf(after, 'node-assistant').reusedFrom?.executionId).toBe(first.id);
  const { body: child } = await ann.call<Execution>('GET', `/PipelineExecution/${last.id}`);
  expect((await ann.call('DELETE', `/PipelineExecution/${child.parentId}`)).status).toBe(204);
  const orphan = (await ann.call<Execution>('GET', `/PipelineExecution/${last.id}`)).body;
  expect([orphan.parentId, typeof orphan.forkedAt]).toEqual([undefined, 'string']);
});

test('G5.07 a step is tried with another model: the fork pauses after it, and goes on when asked', async () => {
  const first = await run(await chain());
  models.calls.length = 0;
  const asked = await ask(first.id, {
    ...{ from: placeOf(first, 'node-developer'), onlyStep: true },
    model: { providerType: 'openai', model: 'another-model' },
  });
  expect(asked.status).toBe(202);
  const id = asked.body.execution?.id ?? '';
  const paused = await ann.until(id, ({ status }) => status === 'paused');
  expect(models.calls.map(({ body }) => body.model)).toEqual(['another-model']);
  expect(statuses(paused)).toEqual(['reused', 'reused', 'completed', 'pending']);
  const { body } = await ann.call<Comparison>('GET', `/PipelineExecution/compare?left=${first.id}&right=${id}`);
  expect(body.steps.map(({ state }) => state)).toEqual(['same', 'same', 'changed', 'changed']);
  expect(body.steps[2]).toMatchObject({ left: { status: 'completed' }, right: { model: 'another-model', status: 'completed' } });
  expect(body.totals.right.tokens).toBeLessThan(body.totals.left.tokens);
  const side = body.steps[2]?.right;
  const step = await ann.call<StepRun>('GET', `/PipelineExecution/${id}/steps/${side?.stepId}`);
  expect(step.body.result).toBe(stepOf(paused, 'node-developer').result);
  await ann.act(id, 'resume');
  const done = await ended(id);
  expect(called()).toEqual(['developer', 'qa']);
  // The model belongs to this step alone.
  expect(models.calls.map((call) => call.body.model === 'another-model')).toEqual([true, false]);
  expect(done.status).toBe('completed');
});

test('G5.08 a fork that cannot be made is refused with the reason, and nothing is stored', async () => {
  const first = await run(await chain());
  const developer = placeOf(first, 'node-developer');
  const before = await ann.history();
  const refusals: [ForkRequest, number, string][] = [
    [{ from: { ...developer, round: 7 } }, 400, 'The run has no such step, round and item.'],
    [{ from: { stepId: randomUUID() } }, 400, 'The run has no such step, round and item.'],
    [{ edits: [{ stepId: randomUUID(), result: 'x' }] }, 400, 'The run has no such step, round and item.'],
    [{ from: { ...developer, item: 3 } }, 400, 'The run has no such step, round and item.'],
    [{ onlyStep: true }, 409, 'Nothing would run again: no step has changed. Choose a step, or edit a result.'],
  ];
  for (const [request, status, sentence] of refusals) {
    const answer = await ask(first.id, request);
    expect([answer.status, answer.body.errors?.[0]?.message ?? answer.body.message]).toEqual([status, sentence]);
  }
  models.answer({ kind: 'hang' });
  const running = await ann.start(await chain(), 'Wait');
  expect([(await ask(running.id, {})).status, (await ask(running.id, {})).body.code]).toEqual([409, 'illegal_state']);
  await ann.act(running.id, 'stop');
  expect(await ann.history()).toHaveLength(before.length + 1);

  // An agent that was removed meanwhile: its result is kept where it need not work again.
  answers({});
  const made = await ann.call<{ id: string }>('POST', '/nuroagent', {
    name: 'temp',
    title: 'Temp',
    role: 'Developer',
    configuration: { systemPrompt: 'You stay for a day.' },
  });
  const steps = [
    { name: 'Temp', agentId: made.body.id, nodeId: 'temp' },
    { name: 'QA', agentId: ann.agent('qa').id, nodeId: 'qa' },
  ];
  prompts.set('You stay for a day.', 'developer');
  const pipeline = await ann.call<Pipeline>('POST', '/Pipeline', { name: 'Temp', projectId: 'default', steps });
  const second = await run(pipeline.body);
  expect((await ann.call('DELETE', `/nuroagent/${made.body.id}`)).status).toBe(204);
  expect(states(await preview(second.id, { from: placeOf(second, 'temp') }))).toEqual({ Temp: 'gone agentRemoved', QA: 'rerun follows' });
  const gone = await ask(second.id, { from: placeOf(second, 'temp') });
  expect([gone.status, gone.body.code, gone.body.details]).toEqual([409, 'fork_refused', { reason: 'agent_removed' }]);
  const kept = await fork(second.id, { from: placeOf(second, 'qa') });
  expect(statuses(kept)).toEqual(['reused', 'completed']);
});

test('G5.11 a fork has the limits of its original, counted anew and without later additions, or the limits of its start', async () => {
  const budgetsOf = async (id: string) => (await ann.call<Budgets>('GET', `/budget?executionId=${id}`)).body.budgets;
  const questionOf = async (id: string) => {
    await ann.until(id, ({ openQuestions }) => openQuestions === 1);
    return (await ann.call<Question[]>('GET', `/PipelineExecution/${id}/questions`)).body.find(({ state }) => state === 'open');
  };
  const limits = { calls: 1, tokens: 900_000, warnAt: 70 };
  const started = await ann.start(await ann.pipeline('assistant', 'qa'), 'Plan a bakery', { budget: limits });
  const question = await questionOf(started.id);
  expect((await ann.call('POST', `/question/${question?.id}/answer`, { action: 'newLimit', limit: 5 })).status).toBe(200);
  const first = await ended(started.id);
  const [before] = await budgetsOf(first.id);

  const second = await fork(first.id, { from: placeOf(first, 'node-qa') });
  const [budget, ...others] = await budgetsOf(second.id);
  expect(others).toEqual([]);
  expect(budget).toMatchObject({ ...limits, scope: 'run', extra: { calls: 0 }, used: { calls: 1 } });
  expect(budget?.id).not.toBe(before?.id);
  expect(await budgetsOf(first.id)).toEqual([before]);

  // From its first step the fork needs two calls, and asks before the second one.
  const whole = (await ask(second.id, { from: placeOf(second, 'node-assistant') })).body.execution?.id ?? '';
  expect((await questionOf(whole))?.budget).toMatchObject({ scope: 'run', kind: 'calls', limit: 1, used: 1 });
  await ann.act(whole, 'stop');

  const third = await fork(first.id, { from: placeOf(first, 'node-assistant'), budget: { calls: 2, atLimit: 'stop' } });
  expect(statuses(third)).toEqual(['completed', 'completed']);
  const [own] = await budgetsOf(third.id);
  expect(own).toMatchObject({ calls: 2, atLimit: 'stop', warnAt: 80, used: { calls: 2 } });
  expect(own?.tokens).toBeUndefined();

  for (const dryRun of [true, false]) {
    const request = { from: placeOf(first, 'node-qa'), dryRun };
    const foreign = await ask(first.id, { ...request, budget: { money: { currency: 'XTS', micros: 5 } } });
    expect([foreign.status, foreign.body.errors?.[0]?.path]).toEqual([400, 'budget.money.currency']);
    expect((await ask(first.id, { ...request, budget: { calls: 0 } })).status).toBe(400);
  }
});

test('G5.08 two clicks on one button make one fork', async () => {
  const first = await run(await chain());
  const request = { from: placeOf(first, 'node-qa') };
  const headers = { 'idempotency-key': randomUUID() };
  const [one, other] = await Promise.all([ask(first.id, request, headers), ask(first.id, request, headers)]);
  const done = [one, other].filter(({ status }) => status === 202);
  expect(done.length).toBeGreaterThan(0);
  const again = await ask(first.id, request, headers);
  expect(again.body.execution?.id).toBe(done[0]?.body.execution?.id);
  await ended(again.body.execution?.id ?? '');
  const forks = (await ann.history()).filter(({ parentExecutionId }) => parentExecutionId === first.id);
  expect(forks).toHaveLength(1);
});

test('D4.28 a step runs again with the steps that follow, and all other steps keep their results, also where their prompts have changed', async () => {
  const first = await run(await chain());
  await setPrompt('prod-mgr', `You have changed ${randomUUID()}`);
  models.calls.length = 0;
  const from = placeOf(first, 'node-developer');
  expect(Object.values(states(await preview(first.id, { from, graph: 'now' })))).toContain('rerun prompt');
  const second = await fork(first.id, { from, graph: 'now', keepsResults: true });
  expect(called()).toEqual(['developer', 'qa']);
  expect(statuses(second)).toEqual(['reused', 'reused', 'completed', 'completed']);
});

test('D4.27 a step runs alone with the last results: what follows is not reached, and the run ends', async () => {
  const first = await run(await chain());
  models.calls.length = 0;
  const request: ForkRequest = { from: placeOf(first, 'node-developer'), graph: 'now', keepsResults: true, endsThere: true };
  const second = await fork(first.id, request);
  expect(called()).toEqual(['developer']);
  expect([second.status, ...statuses(second)]).toEqual(['completed', 'reused', 'reused', 'completed', 'skipped']);
  const edits = [{ ...placeOf(first, 'node-assistant'), result: 'Another result' }];
  const without = await ask(first.id, { endsThere: true, edits });
  expect([without.status, without.body.errors?.map(({ path }) => path)]).toEqual([400, ['endsThere']]);
});

test('D4.28 a run keeps the settings of its start, and a fork has the same settings unless its start names others', async () => {
  const pipeline = await chain();
  const begin = (begunWith: unknown) =>
    ann.call<Execution & ErrorBody>('POST', '/PipelineExecution/start', {
      ...{ pipelineId: pipeline.id, initialTask: 'Plan a bakery', inputData: { begunWith } },
    });
  const first = await ended((await begin({ nodeIds: ['node-qa'], alone: true })).body.id);
  expect(first.begunWith).toEqual({ nodeIds: ['node-qa'], alone: true });
  const from = placeOf(first, 'node-qa');
  expect((await fork(first.id, { from })).begunWith).toEqual(first.begunWith);
  const begunWith = { nodeIds: ['node-developer'] };
  const other = await fork(first.id, { from, graph: 'now', begunWith });
  expect([other.begunWith, (await fork(other.id, { from: placeOf(other, 'node-qa') })).begunWith]).toEqual([begunWith, begunWith]);
  expect((await run(pipeline)).begunWith).toBeUndefined();
  expect((await begin({ nodeIds: 'all' })).status).toBe(400);
});

test('D4.28 a step runs with the newest result of each other step, wherever it ran last, and with the files of those results', async () => {
  const links: Link[] = [
    { from: 'assistant', to: 'developer' },
    { from: 'assistant', to: 'analyst' },
    { from: 'developer', to: 'qa' },
    { from: 'analyst', to: 'qa' },
  ];
  const withFile = (words: string) => `${words}\n\n\`\`\`md path=code.md\n${words}\n\`\`\``;
  answers({ developer: withFile('First code.'), analyst: 'First notes.' });
  const pipeline = await graph({ assistant: {}, developer: {}, analyst: {}, qa: {} }, links);
  const first = await run(pipeline);
  const alone = (name: Name): ForkRequest => ({ from: placeOf(first, name), graph: 'now', keepsResults: true, endsThere: true });
  answers({ developer: withFile('Second code.') });
  const second = await fork(first.id, alone('developer'));
  expect([stepOf(second, 'analyst').status, stepOf(second, 'qa').status]).toEqual(['reused', 'skipped']);
  answers({ analyst: 'Third notes.' });
  const third = await fork(first.id, alone('analyst'));

  // Of a run that is gone there is nothing to take.
  const request: ForkRequest = { ...alone('qa'), endsThere: false, resultsFrom: [second.id, third.id, randomUUID()] };
  models.calls.length = 0;
  const last = await fork(first.id, request);
  expect(called()).toEqual(['qa']);
  const given = JSON.stringify(models.calls[0]?.body.messages);
  for (const words of ['Second code.', 'Third notes.']) expect(given).toContain(words);
  for (const words of ['First code.', 'First notes.']) expect(given).not.toContain(words);
  const from = (name: Name) => stepOf(last, name).reusedFrom?.executionId;
  expect([from('assistant'), from('developer'), from('analyst')]).toEqual([first.id, second.id, third.id]);
  const files = await ann.call<ExecutionFiles>('GET', `/PipelineExecution/${last.id}/files`);
  expect(files.body.files).toMatchObject([{ path: 'code.md', versions: 1, stepId: stepOf(last, 'developer').stepId }]);
  expect(await ann.details(first.id)).toEqual(first);
});

test('D4.27 the end of a review loop runs alone in its last round, and begins no further one', async () => {
  const links: Link[] = [
    { from: 'assistant', to: 'developer' },
    { from: 'developer', to: 'qa' },
    { from: 'qa', to: 'developer', label: 'again', maxRounds: 3 },
    { from: 'qa', to: 'analyst', label: 'accepted' },
  ];
  answers({ qa: ({ number }) => (number < 5 ? 'again' : 'accepted') });
  const first = await run(await graph({ assistant: {}, developer: {}, qa: {}, analyst: {} }, links));
  expect(stepOf(first, 'qa', 1).status).toBe('completed');
  answers({ qa: 'again' });
  models.calls.length = 0;
  const request: ForkRequest = { from: placeOf(first, 'qa', 1), graph: 'now', keepsResults: true, endsThere: true };
  const second = await fork(first.id, request);
  expect(called()).toEqual(['qa']);
  expect([second.status, stepOf(second, 'qa', 1).status, stepOf(second, 'analyst').status]).toEqual(['completed', 'completed', 'skipped']);
  expect(second.steps.filter(({ round = 0 }) => round > 1)).toEqual([]);

  // A fork of that run goes on with what follows, in as many rounds as the link has.
  models.calls.length = 0;
  const third = await fork(second.id, { from: placeOf(second, 'qa', 1) });
  expect(called()).toEqual(['qa', 'developer', 'qa', 'analyst']);
  expect([third.status, stepOf(third, 'qa', 2).status, stepOf(third, 'analyst').status]).toEqual(['completed', 'completed', 'completed']);
  const fourth = await fork(third.id, { ...request, from: placeOf(third, 'qa', 1), graph: 'then', keepsResults: false });
  expect((await fork(fourth.id, { from: placeOf(fourth, 'qa', 1) })).steps.map(({ round = 0 }) => round)).toContain(2);
});

test('D4.27 a step that the run never had runs alone with the results of those before it', async () => {
  const first = await run(await graph({ assistant: {}, developer: {} }, [{ from: 'assistant', to: 'developer' }]));
  const now = await graph({ assistant: {}, developer: {}, qa: {} }, [
    { from: 'assistant', to: 'developer' },
    { from: 'developer', to: 'qa' },
  ]);
  models.calls.length = 0;
  const added = now.steps.find(({ nodeId }) => nodeId === 'qa')?.id ?? '';
  const base: ForkRequest = { graph: 'now', pipelineId: now.id, keepsResults: true, endsThere: true };
  const second = await fork(first.id, { ...base, from: { stepId: added } });
  expect(called()).toEqual(['qa']);
  expect(statuses(second)).toEqual(['reused', 'reused', 'completed']);
  expect(JSON.stringify(models.calls[0]?.body.messages)).toContain(stepOf(first, 'developer').result ?? 'no result');
});
