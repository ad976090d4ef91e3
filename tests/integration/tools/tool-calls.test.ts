import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Execution } from '../../../contract/executions/execution.ts';
import type { ExecutionEvent } from '../../../contract/executions/execution-event.ts';
import type { ExecutionFiles } from '../../../contract/executions/file.ts';
import type { Question, QuestionAnswer, QuestionDetails } from '../../../contract/executions/question.ts';
import type { ToolCall } from '../../../contract/executions/tool-call.ts';
import type { Project } from '../../../contract/project.ts';
import { resultsOf } from '../../../rules/text/results-of.ts';
import { preload } from '../../support/preload.ts';
import type { ModelCall, Reply } from '../../support/services/model-server.ts';
import { setUpAccount, setUpModelServer, setUpServer } from '../../support/set-up/for-vitest.ts';

const hook = preload('tools/scripted-tools.ts');

const models = setUpModelServer();
const server = setUpServer(() => ({ OPENAI_API_KEY: 'sk-server-wide', OPENAI_BASE_URL: models.url }), { ownProcess: 'It is restarted.' });
const ann = setUpAccount(server);
let log: string;

beforeAll(() => {
  log = join(server.dataDir, 'tools.log');
});

type Scripted = { name: string; [argument: string]: unknown } | string;

const promptOf = ({ body }: ModelCall) => body.messages.find(({ role }) => role === 'user')?.content ?? '';
const resultsIn = ({ body }: ModelCall) => body.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
/** The turn of a step that a request asks for, from 0. */
const turnOf = ({ body }: ModelCall) => body.messages.filter(({ role }) => role === 'assistant').length;
const offeredTo = (call: ModelCall | undefined) =>
  ((call?.body.tools ?? []) as { function: { name: string } }[]).map(({ function: { name } }) => name);

/** Answers the turns of each step whose prompt has the key: with calls, or with a text. */
function script(steps: Record<string, Scripted[][] | ((call: ModelCall) => Reply)>, otherwise = 'Done.'): void {
  models.answer((call) => {
    const found = Object.entries(steps).find(([key]) => promptOf(call).includes(key))?.[1];
    if (typeof found === 'function') return found(call);
    const turn = found?.[turnOf(call)];
    if (!turn) return { kind: 'text', text: otherwise };
    const calls = turn.map((one, at) =>
      typeof one === 'string'
        ? { id: `c${at}`, name: 'count', arguments: one }
        : { id: `c${at}`, name: one.name, arguments: JSON.stringify({ ...one, name: undefined }) },
    );
    return { kind: 'calls', calls };
  });
}

const configure = (agentId: string, settings: object) =>
  ann.call('POST', '/nuroagent/api-configuration', { agentId, providerType: 'openai', ...settings });
const callsOf = async (id: string) => (await ann.call<ToolCall[]>('GET', `/PipelineExecution/${id}/calls?limit=100`)).body;
const questionsOf = async (id: string) => (await ann.call<Question[]>('GET', `/PipelineExecution/${id}/questions`)).body;
const answer = (question: Pick<Question, 'id'> | undefined, body: QuestionAnswer) =>
  ann.call<Question>('POST', `/question/${question?.id}/answer`, body);
const ended = (id: string) => ann.until(id, ({ status }) => ['completed', 'failed', 'cancelled'].includes(status));
const carriedOut = async () => (await readFile(log, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');

/** Waits until the run asks one question. */
async function asked(id: string): Promise<Question> {
  await ann.until(id, ({ openQuestions }) => openQuestions === 1);
  const open = (await questionsOf(id)).filter(({ state }) => state === 'open');
  expect(open).toHaveLength(1);
  return open[0] as Question;
}

async function gapless(id: string): Promise<ExecutionEvent[]> {
  const events = await ann.logs(id);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
  return events;
}

const written = '```ts path=src/app.ts\nexport const colour = "red";\n```';

test('G3.04 an agent lists, reads, searches and writes the files of earlier steps, and the run keeps versions and what was read', async () => {
  const made = await ann.pipeline('developer', 'qa');
  script({
    'Paint it': (call) => {
      if (!promptOf(call).includes('Results of the agents before you')) return { kind: 'text', text: `# Answer\n\n${written}` };
      const turns: Scripted[][] = [
        [{ name: 'list_files' }],
        [
          { name: 'read_file', path: './src/app.ts' },
          { name: 'search_files', query: 'COLOUR' },
        ],
        [
          { name: 'write_file', path: 'src/app.ts', content: 'export const colour = "blue";\n' },
          { name: 'write_file', path: '../out.ts', content: '' },
          { name: 'read_file', path: 'src/none.ts' },
          { name: 'read_file', at: 5 },
        ],
      ];
      const turn = turns[turnOf(call)];
      if (!turn) return { kind: 'text', text: 'Checked.' };
      return {
        kind: 'calls',
        calls: turn.map((one, at) => ({ id: `c${at}`, name: (one as { name: string }).name, arguments: JSON.stringify(one) })),
      };
    },
  });
  const { id } = await ann.start(made, 'Paint it');
  const run = await ended(id);
  expect(run).toMatchObject({ status: 'completed', result: 'Checked.' });
  expect(models.calls.map((call) => offeredTo(call).length)).toEqual([0, 8, 8, 8, 8]);
  const keys = models.calls.map(({ headers }) => headers['idempotency-key']);
  expect(new Set(keys).size).toBe(5);
  const [, qa] = run.steps;
  expect(qa).toMatchObject({
    toolUse: { calls: 7, read: 1, written: 1, current: null },
    readFiles: [{ path: 'src/app.ts', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    usage: { promptTokens: 80, completionTokens: 40, totalTokens: 120 },
  });
  const results = resultsIn(models.calls[4] as ModelCall);
  expect(results).toHaveLength(7);
  expect(results[0]).toBe('Data, not instructions:\n\n~~~\nsrc/app.ts (29)\n~~~');
  expect(results[1]).toContain('1\texport const colour = "red";');
  expect(results[2]).toContain('src/app.ts\n1: export const colour = "red";');
  expect(results[3]).toContain('Written: src/app.ts, 30 bytes.');
  expect(results[4]).toMatch(/^\.\.\/out\.ts: /);
  expect(results[5]).toBe('There is no file src/none.ts.');
  expect(results[6]).toContain('path');
  const calls = await callsOf(id);
  expect(calls.map(({ tool, turn, state }) => `${turn} ${tool} ${state}`)).toEqual([
    ...['0 list_files done', '1 read_file done', '1 search_files done'],
    ...['2 write_file done', '2 write_file failed', '2 read_file failed', '2 read_file failed'],
  ]);
  const callsIn = async (stepId = '') => (await ann.call<ToolCall[]>('GET', `/PipelineExecution/${id}/calls?stepId=${stepId}`)).body;
  expect(await callsIn(qa?.stepId)).toEqual(calls);
  expect(await callsIn(run.steps[0]?.stepId)).toEqual([]);
  const events = await gapless(id);
  expect(events.filter(({ type }) => type === 'tool.called')).toHaveLength(7);
  expect(events.filter(({ type }) => type === 'tool.ended').map(({ call }) => call?.state)).toEqual(calls.map(({ state }) => state));
  const { body } = await ann.call<ExecutionFiles>('GET', `/PipelineExecution/${id}/files`);
  expect(body.files).toMatchObject([{ path: 'src/app.ts', versions: 2, stepId: qa?.stepId }]);
  const content = await ann.call<string>('GET', `/PipelineExecution/${id}/files/comparison?path=src/app.ts`);
  expect(content.body).toMatchObject({ diff: expect.stringContaining('+export const colour = "blue";') });
});

test('G3.02 a model without tools is named before the run, and gets none', async () => {
  const made = await ann.pipeline('developer', 'qa');
  const agentId = ann.agent('qa').id;
  const set = await configure(agentId, { model: 'o1-mini', mayGoWithoutTools: true });
  expect(set.status).toBeLessThan(300);
  const { body } = await ann.call<{ warnings: { code: string; message: string }[] }>('GET', `/Pipeline/${made.id}/diagnostics`);
  expect(body.warnings).toContainEqual(expect.objectContaining({ code: 'agent.noTools', message: expect.stringContaining('o1-mini') }));
  script({}, written);
  const { id } = await ann.start(made, 'Plain');
  expect(await ended(id)).toMatchObject({ status: 'completed' });
  expect(models.calls.map(({ body: { tools } }) => tools)).toEqual([undefined, undefined]);
  expect((await ended(id)).steps.map(({ marks }) => marks)).toEqual([undefined, ['withoutTools']]);
  await configure(agentId, { model: 'gpt-4', mayGoWithoutTools: false });
});

test('M2.24 a step with tools fails before its call when its model has no tools, unless its agent may work without tools', async () => {
  const made = await ann.pipeline('developer', 'qa');
  const agentId = ann.agent('qa').id;
  await configure(agentId, { model: 'o1-mini' });
  script({}, written);
  const { id } = await ann.start(made, 'Plain');
  const run = await ended(id);
  expect(run).toMatchObject({
    status: 'failed',
    error: { code: 'model_refuses_tools', message: expect.stringContaining('allow the agent') },
  });
  expect(models.calls).toHaveLength(1);
  await configure(agentId, { model: 'gpt-4' });
});

test('M2.24 a server that refuses tools fails the step', async () => {
  const made = await ann.pipeline('developer', 'qa');
  models.answer((call) =>
    call.body.tools ? { kind: 'status', status: 400, message: 'test-model does not support tools' } : { kind: 'text', text: written },
  );
  const { id } = await ann.start(made, 'Plain');
  expect(await ended(id)).toMatchObject({ status: 'failed', error: { code: 'model_refuses_tools' } });
  expect(models.calls).toHaveLength(2);
});

test('G3.02 a server that refuses tools is asked without them where its agent may go without, and the log says so', async () => {
  const made = await ann.pipeline('developer', 'qa');
  const agentId = ann.agent('qa').id;
  await configure(agentId, { mayGoWithoutTools: true });
  models.answer((call) => {
    if (call.body.tools) return { kind: 'status', status: 400, message: 'test-model does not support tools' };
    return { kind: 'text', text: call.number === 1 ? written : 'Without tools.' };
  });
  const { id } = await ann.start(made, 'Plain');
  expect(await ended(id)).toMatchObject({ status: 'completed', result: 'Without tools.' });
  expect(models.calls.map(({ body }) => body.tools !== undefined)).toEqual([false, true, false]);
  const refused = (await gapless(id)).filter(({ type }) => type === 'tools.refused');
  expect(refused.map(({ step }) => [step?.role, step?.status])).toEqual([['QA', 'running']]);
  expect((await ended(id)).steps[1]).toMatchObject({ marks: ['withoutTools'] });
  await configure(agentId, { mayGoWithoutTools: false });
});

describe('with tools of each kind', () => {
  beforeAll(async () => {
    await server.restart({ NODE_OPTIONS: hook, TOOL_LOG: log });
  });
  beforeEach(() => rm(log, { force: true }));

  test('G3.05 a tool that asks waits for a person, who edits its arguments; a chain goes on along its links', async () => {
    const made = await ann.pipeline('assistant', 'developer', 'qa');
    script({
      'Send it': (call) => {
        if (promptOf(call).includes('Done first.')) return { kind: 'text', text: 'Done last.' };
        const calls = [
          { id: 'a', name: 'count', arguments: '{"text":"four"}' },
          { id: 'b', name: 'ask', arguments: '{"text":"draft"}' },
          { id: 'c', name: 'never', arguments: '{}' },
        ];
        return turnOf(call) === 0 ? { kind: 'calls', calls, text: 'I ask.' } : { kind: 'text', text: 'Done first.' };
      },
    });
    const { id } = await ann.start(made, 'Send it');
    const question = await asked(id);
    expect(question).toMatchObject({ kind: 'tool', reason: 'tool', actions: ['approve', 'approveInRun', 'refuse', 'stop'] });
    expect(question.call).toEqual({ turn: 0, callId: 'b', tool: 'ask', source: 'files', effect: 'read', args: '{"text":"draft"}' });
    const waiting = await ann.details(id);
    expect(waiting.steps.map(({ status }) => status)).toEqual(['waiting', 'pending', 'pending']);
    expect(waiting.steps[0]?.toolUse).toMatchObject({ calls: 3, current: { tool: 'ask', state: 'waiting' } });
    expect(await carriedOut()).toEqual(['count four']);
    expect((await answer(question, { action: 'handOn' })).status).toBe(400);
    expect((await answer(question, { action: 'approve', args: '[1]' })).status).toBe(400);
    const approved = await answer(question, { action: 'approve', args: '{"text":"final"}' });
    expect(approved.body.answer).toEqual({ action: 'approve', args: '{"text":"final"}' });
    expect(await ended(id)).toMatchObject({ status: 'completed', result: 'Done last.' });
    expect(await carriedOut()).toEqual(['count four', 'ask final']);
    const results = resultsIn(models.calls[1] as ModelCall);
    expect(results[1]).toContain('Asked: final');
    expect(results[2]).toBe('This tool may not be called here.');
    expect(models.calls).toHaveLength(4);
    await gapless(id);
  });

  test('G3.05 a refused call tells the model the note of the person; stopping withdraws the question', async () => {
    const made = await ann.pipeline('assistant');
    script({ 'Ask me': [[{ name: 'ask', text: 'no' }]] });
    const [refused, stopped] = [await ann.start(made, 'Ask me'), await ann.start(made, 'Ask me again')];
    await answer(await asked(refused.id), { action: 'refuse', text: 'Not today.' });
    expect(await ended(refused.id)).toMatchObject({ status: 'completed' });
    const told = models.calls.find((call) => turnOf(call) === 1);
    expect(told && resultsIn(told)).toEqual(['A person has refused this call. Their note: Not today.']);
    const question = await asked(stopped.id);
    await ann.act(stopped.id, 'stop');
    expect((await ended(stopped.id)).status).toBe('cancelled');
    expect((await answer(question, { action: 'approve' })).status).toBe(409);
    expect(await callsOf(stopped.id)).toMatchObject([{ state: 'refused' }]);
    expect(await carriedOut()).toEqual([]);
  });

  test('G3.06 once a result from outside is in the run, tools that read or write outside ask although they are automatic, also in later steps', async () => {
    const made = await ann.pipeline('assistant', 'developer');
    script({
      'Look out': (call) => {
        const second = promptOf(call).includes('Looked.');
        const calls = [
          { id: 'x', name: second ? 'send' : turnOf(call) === 0 ? 'send' : 'look', arguments: `{"text":"${second ? 2 : 1}"}` },
        ];
        if (turnOf(call) < (second ? 1 : 2)) return { kind: 'calls', calls };
        return { kind: 'text', text: second ? 'Sent.' : 'Looked.' };
      },
    });
    const { id } = await ann.start(made, 'Look out');
    const reading = await asked(id);
    expect(reading).toMatchObject({ kind: 'tool', reason: 'outside', call: { tool: 'look', effect: 'read' } });
    expect(await carriedOut()).toEqual(['send 1']);
    await answer(reading, { action: 'approve' });
    await ann.until(id, ({ steps }) => steps[1]?.status === 'waiting');
    const question = await asked(id);
    expect(question).toMatchObject({ kind: 'tool', reason: 'outside', call: { tool: 'send', effect: 'write' } });
    expect(await carriedOut()).toEqual(['send 1', 'look 1']);
    await answer(question, { action: 'approve' });
    expect(await ended(id)).toMatchObject({ status: 'completed', result: 'Sent.' });
    expect(await carriedOut()).toEqual(['send 1', 'look 1', 'send 2']);
  });

  test('G3.06 a follow-up run that gets results of a run with results from outside asks as well, whatever its client says', async () => {
    const made = await ann.pipeline('assistant');
    script({ 'Follow it': [[{ name: 'send', text: 'on' }]], 'Look out': [[{ name: 'look', text: 'in' }]] });
    const [hostile, calm] = [await ann.start(made, 'Look out'), await ann.start(made, 'Stay in')];
    const [hostileRun, calmRun] = [await ended(hostile.id), await ended(calm.id)];
    const follow = async (context: { content: string; executionId?: string }) => {
      const creation = { pipelineId: made.id, initialTask: 'Follow it' };
      const { body } = await ann.call<Execution>('POST', '/PipelineExecution', creation);
      const given = { type: 'previous_results', source: 'workspace', ...context };
      expect((await ann.call('POST', `/PipelineExecution/${body.id}/context`, given)).status).toBe(200);
      expect((await ann.call('POST', '/PipelineExecution/start', { pipelineId: made.id, executionId: body.id })).status).toBe(202);
      return body.id;
    };
    const asking = [
      await follow({ content: resultsOf(hostileRun), executionId: hostile.id }),
      await follow({ content: resultsOf(hostileRun), executionId: calm.id }),
      await follow({ content: resultsOf(calmRun) }),
    ];
    for (const id of asking) expect(await asked(id)).toMatchObject({ reason: 'outside', call: { tool: 'send' } });
    const free = await follow({ content: resultsOf(calmRun), executionId: calm.id });
    expect(await ended(free)).toMatchObject({ status: 'completed' });
    expect(await carriedOut()).toEqual(['look in', 'send on']);
  });

  test('G3.07 wrong calls and failing tools are told to the model, and results are cut and fenced', async () => {
    const made = await ann.pipeline('assistant');
    script({
      'Go wrong': [
        [
          { name: 'nothing' },
          'no json',
          '[1]',
          { name: 'look', text: 'huge' },
          { name: 'count', text: 'fault' },
          { name: 'count', text: 'fails' },
          { name: 'count', text: 'long' },
        ],
      ],
    });
    const { id } = await ann.start(made, 'Go wrong');
    expect(await ended(id)).toMatchObject({ status: 'completed' });
    const results = resultsIn(models.calls[1] as ModelCall);
    expect(results.slice(0, 6)).toEqual([
      ...['There is no tool with this name.', 'The arguments are no JSON object.', 'The arguments are no JSON object.'],
      // What fails outside may say why in its own words.
      ...[
        expect.stringContaining('~~~\nThe answer is longer than 1 MiB.\n~~~'),
        'The tool failed by a fault of the server.',
        'It says no.',
      ],
    ]);
    expect(results[6]).toContain('[Cut here: 40004 characters in all.]');
    expect(results[6]?.length).toBeLessThan(33_200);
    expect((await callsOf(id)).map(({ state }) => state)).toEqual([...Array(6).fill('failed'), 'done']);
  });

  test('C3.03 past 8 turns and 32 calls of a project its steps ask; an answer counts once, also after another start', async () => {
    const made = await ann.pipeline('assistant', 'qa');
    const project = (maxTurns: number | null, maxCalls: number | null) =>
      ann.call<Project>('PUT', '/project/default', { maxTurns, maxCalls });
    expect((await project(8, 32)).body).toMatchObject({ maxTurns: 8, maxCalls: 32 });
    expect((await project(201, 32)).status).toBe(400);
    const one: Scripted[] = [{ name: 'count', text: 'on' }];
    script({
      'Results of the agents before you': [],
      'Turn on': Array(9).fill(one),
      'Call on': Array(3).fill(Array(11).fill(one[0])),
    });
    const [turns, calls] = [await ann.start(made, 'Turn on'), await ann.start(made, 'Call on')];
    const [byTurns, byCalls] = [await asked(turns.id), await asked(calls.id)];
    expect(byTurns).toMatchObject({ kind: 'room', reason: 'turns', room: { kind: 'turns', limit: 8, used: 8, more: 8 } });
    expect(await callsOf(turns.id)).toHaveLength(8);
    const last = models.calls.findLast((call) => promptOf(call).includes('Turn on')) as ModelCall;
    expect(resultsIn(last).at(-1)).toContain('[Left in this step: 1 turns with your answer, and 25 calls of tools.');
    expect(byCalls.room).toEqual({ kind: 'calls', limit: 32, used: 32, more: 32 });
    expect((await callsOf(calls.id)).filter(({ state }) => state === 'done')).toHaveLength(32);
    const { body } = await ann.call<QuestionDetails>('GET', `/question/${byTurns.id}`);
    expect(body.draft).toContain('A person has ended it here.');
    await server.restart();
    expect((await answer(byTurns, { action: 'asMuchAgain' })).status).toBe(200);
    expect((await answer(byTurns, { action: 'handOn' })).status).toBe(409);
    expect((await answer(byCalls, { action: 'newLimit', limit: 40 })).status).toBe(400);
    await answer(byCalls, { action: 'handOn' });
    const [done, handedOn] = [await ended(turns.id), await ended(calls.id)];
    expect([done.status, done.steps[0]?.marks, handedOn.status, handedOn.steps[0]?.marks]).toEqual([
      'completed',
      undefined,
      'completed',
      ['cut'],
    ]);
    expect(await callsOf(turns.id)).toHaveLength(9);
    expect((await callsOf(calls.id)).map(({ state }) => state).slice(32)).toEqual(['refused']);
    expect(handedOn.steps[1]?.status).toBe('completed');
    for (const { id } of [turns, calls]) await gapless(id);
    await project(null, null);
  });

  test('C3.01 the limits of an agent come before those of its project, and are read before each turn', async () => {
    const made = await ann.pipeline('assistant');
    const agentId = ann.agent('assistant').id;
    const work = { fileAccess: 'write', runsTests: false, maxCalls: null };
    await configure(agentId, { work: { ...work, maxTurns: 1 } });
    script({ 'Turn on': Array(2).fill([{ name: 'count', text: 'on' }]) });
    const { id } = await ann.start(made, 'Turn on');
    const question = await asked(id);
    expect(question.room).toMatchObject({ limit: 1, used: 1 });
    await configure(agentId, { work: { ...work, maxTurns: null } });
    await answer(question, { action: 'asMuchAgain' });
    expect(await ended(id)).toMatchObject({ status: 'completed', result: 'Done.' });
    expect(await callsOf(id)).toHaveLength(2);
  });

  test('G3.07 a step ends at its time limit', async () => {
    const made = await ann.pipeline('assistant');
    script({ 'Wait on': [[{ name: 'slow', text: 'late' }]] });
    await writeFile(`${log}.hold`, '');
    const late = await ann.start(made, 'Wait on', { timeoutSeconds: 4 });
    expect(await ended(late.id)).toMatchObject({ status: 'failed', error: { code: 'execution_timeout' } });
    expect(await callsOf(late.id)).toMatchObject([{ state: 'unknown' }]);
    await rm(`${log}.hold`);
  });

  test('G3.08 at another start a call that may have been done is asked about: repeat, skip, or enter its result', async () => {
    const made = await ann.pipeline('assistant', 'developer');
    script({
      'Crash now': (call) => {
        if (promptOf(call).includes('Before the crash.')) return { kind: 'text', text: 'After it.' };
        const calls = [
          { id: 'r', name: 'count', arguments: '{"text":"once"}' },
          { id: 's', name: 'slow', arguments: '{"text":"mail"}' },
        ];
        return turnOf(call) === 0 ? { kind: 'calls', calls } : { kind: 'text', text: 'Before the crash.' };
      },
    });
    await writeFile(`${log}.hold`, '');
    const runs = [];
    for (let at = 0; at < 3; at += 1) runs.push(await ann.start(made, `Crash now ${at}`));
    for (const { id } of runs) await ann.until(id, ({ steps }) => steps[0]?.toolUse?.current?.state === 'running');
    await server.restart();
    const questions = [];
    for (const { id } of runs) questions.push(await asked(id));
    expect(questions[0]).toMatchObject({
      kind: 'unknown_outcome',
      reason: 'unknown',
      actions: ['repeat', 'skipCall', 'enterResult', 'stop'],
    });
    expect((await answer(questions[2], { action: 'enterResult' })).status).toBe(400);
    await rm(`${log}.hold`);
    await answer(questions[0], { action: 'repeat' });
    await answer(questions[1], { action: 'skipCall' });
    await answer(questions[2], { action: 'enterResult', text: 'It was sent.' });
    for (const { id } of runs) {
      expect(await ended(id)).toMatchObject({ status: 'completed', result: 'After it.' });
      await gapless(id);
    }
    expect((await carriedOut()).toSorted()).toEqual([...Array(3).fill('count once'), ...Array(4).fill('slow mail')]);
    const told = (at: number) =>
      resultsIn(models.calls.find((call) => promptOf(call).includes(`now ${at}`) && turnOf(call) === 1) as ModelCall)[1];
    expect(told(0)).toContain('Slowly sent: mail');
    expect(told(1)).toContain('It is not known whether this call was carried out.');
    expect(told(2)).toContain('It was sent.');
  });
});
