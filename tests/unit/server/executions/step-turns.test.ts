import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RunTool } from '../../../../server/modules/tools/index.ts';
import { countPrompt } from '../../../../server/platform/llm/fit/count-prompt.ts';
import type { ModelAnswer, ModelFailure, ModelOutcome } from '../../../../server/platform/llm/language-model.ts';
import { runFakeStep } from '../../../support/run-graph/fake-step.ts';

const usage = { promptTokens: 1, completionTokens: 1, totalTokens: 2 };
const said = (text: string, finish: ModelAnswer['finish'] = 'stop', more: Partial<ModelAnswer> = {}): ModelOutcome => ({
  ok: true,
  value: { text, thoughts: null, finish, usage, ...more },
});
const cut = (text: string) => said(text, 'length');
const failed = (code: ModelFailure['code']): ModelOutcome => ({ ok: false, error: { code, transient: false } });
const calls = (finish: ModelAnswer['finish'], ...args: string[]) =>
  said('', finish, { calls: args.map((one, at) => ({ id: `c${at}`, name: 'write_file', arguments: one })) });
const textOf = ({ outcome }: { outcome: ModelOutcome }) => (outcome.ok ? outcome.value.text : outcome.error.code);

const carriedOut: unknown[] = [];
const writeFile: RunTool = {
  ...{ name: 'write_file', key: 'w', description: '', parameters: {}, effect: 'idempotent', source: 'files', policy: 'auto' },
  carryOut: async (args) => {
    carriedOut.push(args);
    return (args as { path: string }).path === 'no'
      ? { ok: false, failure: { code: 'tool_failed', message: 'No.' } }
      : { ok: true, text: 'Written.' };
  },
};

test('M2.20 an answer that a limit has cut is continued without a question, and its parts are joined unchanged', async () => {
  const step = await runFakeStep({ answers: [cut('# Answer\n\nOne tw'), said('o th', 'pause'), said('ree ')] });
  expect(textOf(step)).toBe('One two three');
  expect(step.about.marks).toEqual([]);
  expect(step.events).toEqual(['step.continued', 'step.continued']);
  expect(step.requests.map(({ turns }) => turns?.map(({ text, calls: all }) => [text, all.length]))).toEqual([
    undefined,
    [['# Answer\n\nOne tw', 0]],
    [
      ['# Answer\n\nOne tw', 0],
      ['o th', 0],
    ],
  ]);
  expect(new Set(step.requests.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3);
  expect(step.outcome).toMatchObject({ value: { usage: { totalTokens: 6 } } });
});

test('M2.20 no character is doubled or lost where an answer was cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ minLength: 1, unit: 'binary' }), fc.array(fc.nat(), { maxLength: 5 }), async (text, places) => {
      const body = `a${text}z`;
      const cuts = [...new Set(places.map((place) => 1 + (place % (body.length - 1))))].sort((a, b) => a - b);
      const parts = [0, ...cuts].map((from, at) => body.slice(from, cuts[at] ?? body.length));
      fc.pre(parts.every((part) => part.trim() !== '') && !/[#*_<]/.test(body));
      const answers = parts.map((part, at) => (at < parts.length - 1 ? cut(part) : said(part)));
      expect(textOf(await runFakeStep({ answers }))).toBe(body);
    }),
  );
});

test('M2.21 a step that cannot continue its answer completes with the parts that it has, and is marked as cut', async () => {
  const room = () => ({ turns: 8, calls: 32 });
  const atLimit = await runFakeStep({ room, answers: Array.from({ length: 8 }, (_, at) => cut(`${at}`)) });
  expect([textOf(atLimit), atLimit.about.marks]).toEqual(['01234567', ['cut']]);
  const addsNothing = await runFakeStep({ answers: [cut('Half'), cut(' ')] });
  expect([textOf(addsNothing), addsNothing.about.marks]).toEqual(['Half ', ['cut']]);
  const tooLong = await runFakeStep({ answers: [cut('x'.repeat(1024 * 1024))] });
  expect(tooLong.about.marks).toEqual(['cut']);
});

test('M2.25 a cut answer is continued a few times, and not where it repeats itself or the window is full', async () => {
  const endless = await runFakeStep({ answers: Array.from({ length: 9 }, (_, at) => cut(`Part ${at}. `)) });
  expect(endless.requests).toHaveLength(8);
  expect(endless.about.marks).toEqual(['cut']);
  const line = 'The same line again and again, without an end. ';
  const repeated = await runFakeStep({ answers: [cut(line), cut(line), said('Never asked.')] });
  expect([repeated.requests.length, repeated.about.marks, textOf(repeated)]).toEqual([2, ['cut'], `${line}${line}`]);
  const usage = { promptTokens: 3_000, completionTokens: 1_090, totalTokens: 4_090 };
  const full = await runFakeStep({ model: { contextWindow: 4_096 }, answers: [said('Half', 'length', { usage })] });
  expect([full.requests.length, full.about.marks]).toEqual([1, ['cut']]);
});

test('M2.30 M4.16 a step is marked if its effort was refused, or if the model read far fewer tokens than its prompt is estimated at', async () => {
  const request = { task: 'Compare these two words with each other. '.repeat(2_000) };
  const marked = async (promptTokens: number, more: Partial<ModelAnswer> = {}) => {
    const used = { promptTokens, completionTokens: 1, totalTokens: promptTokens + 1 };
    return (await runFakeStep({ request, answers: [said('Done.', 'stop', { usage: used, ...more })] })).about.marks;
  };
  expect(await marked(4_095)).toEqual(['partlyRead']);
  expect(await marked(17_000)).toEqual([]);
  expect(await marked(10)).toEqual([]);
  expect(await marked(17_000, { isWithoutEffort: true })).toEqual(['withoutEffort']);
});

test('M4.16 a prompt that is refused without numbers is shortened three times at most, and fails with the words of its server', async () => {
  const refused: ModelOutcome = { ok: false, error: { code: 'prompt_over_window', transient: false, status: 422, detail: 'Too long.' } };
  const text = 'One of the many lines of an earlier result, which may be left out. '.repeat(3_000);
  const request = { earlier: [{ title: 'QA', role: 'qa', text }] };
  const taken = await runFakeStep({ request, answers: [refused, refused, said('Done.')] });
  expect(textOf(taken)).toBe('Done.');
  const lengths = taken.requests.map((one) => countPrompt(one));
  expect(lengths[1]).toBeLessThan((lengths[0] ?? 0) * 0.8);
  expect(lengths[2]).toBeLessThan((lengths[1] ?? 0) * 0.8);
  const never = await runFakeStep({ request, answers: [refused, refused, refused, refused] });
  expect(never.requests).toHaveLength(4);
  expect(never.outcome).toMatchObject({ ok: false, error: { detail: 'Too long.' } });
  const hopeless = await runFakeStep({ request: { task: text }, answers: [refused] });
  expect(hopeless.outcome).toMatchObject({ ok: false, error: { detail: 'Too long.' } });
});

test('M4.17 the window that a model was loaded with is the limit, and the failure says that a larger one can be loaded', async () => {
  const model = { contextWindow: 131_072, readWindow: async () => 4_096 };
  const step = await runFakeStep({ model, request: { task: 'Word. '.repeat(16_000) }, answers: [] });
  expect(step.outcome).toMatchObject({ error: { code: 'prompt_over_window', tokens: { window: 4_096, isLoaded: true } } });
});

test('M2.21 a failure after a part of an answer keeps that part, and a failure without one keeps none', async () => {
  const broken = await runFakeStep({ answers: [cut('# Answer\n\nHalf'), failed('budget_reached')] });
  expect(textOf(broken)).toBe('budget_reached');
  expect(broken.about.unfinished).toMatchObject({ text: 'Half', usage });
  expect((await runFakeStep({ answers: [failed('model_unavailable')] })).about.unfinished).toBeNull();
});

test('M2.22 in a cut turn the calls with whole arguments are carried out; the other calls get the error that the limit cut them off', async () => {
  carriedOut.length = 0;
  const step = await runFakeStep({ tools: [writeFile], answers: [calls('length', '{"path":"a"}', '{"path":"b","con'), said('Done.')] });
  expect(carriedOut).toEqual([{ path: 'a' }]);
  expect(step.requests[1]?.turns?.[0]?.calls.map(({ isError, result }) => [isError, /limit of tokens cut/.test(result)])).toEqual([
    [false, false],
    [true, true],
  ]);
  expect(step.about.lastWrite).toBe('failed');
  expect(textOf(step)).toBe('Done.');
});

test('M2.22 a call that was cut off before its arguments is not carried out with empty ones', async () => {
  carriedOut.length = 0;
  await runFakeStep({ tools: [writeFile], answers: [calls('length', '{}'), said('Done.')] });
  expect(carriedOut).toEqual([]);
});

test('M2.22 a model whose uncut answer holds a broken call reads that its arguments are no JSON object', async () => {
  const step = await runFakeStep({ tools: [writeFile], answers: [calls('stop', '{"path'), said('Done.')] });
  expect(step.requests[1]?.turns?.[0]?.calls[0]?.result).toBe('The arguments are no JSON object.');
});

test.each([
  ['known beforehand', { callsTools: false }, []],
  ['by its answer', {}, [failed('model_refuses_tools')]],
])('M2.24 a step with tools whose model refuses them fails, unless its agent may go without (%s)', async (_, model, answers) => {
  expect(textOf(await runFakeStep({ tools: [writeFile], model, answers }))).toBe('model_refuses_tools');
  const without = await runFakeStep({ tools: [writeFile], model, answers: [...answers, said('Alone.')], mayGoWithoutTools: true });
  expect([textOf(without), without.about.marks, without.events]).toEqual(['Alone.', ['withoutTools'], ['tools.refused']]);
  expect(without.requests.at(-1)).not.toHaveProperty('tools');
});

test('M2.24 a model that cannot call tools is asked as usual for a step that has none', async () => {
  const step = await runFakeStep({ model: { callsTools: false }, answers: [said('Alone.')] });
  expect([textOf(step), step.about.marks, step.events]).toEqual(['Alone.', [], []]);
});

test('M2.23 a turn goes back to its model with its text and in the provider’s own form', async () => {
  const opaque = '{"from":[]}';
  const step = await runFakeStep({
    tools: [writeFile],
    answers: [said('Before', 'stop', { opaque, calls: [{ id: 'c', name: 'write_file', arguments: '{"path":"a"}' }] }), said('Done.')],
  });
  expect(step.requests[1]?.turns?.[0]).toMatchObject({ text: 'Before', opaque });
});

test('M5.02 a second model gets its own turns back unchanged, and the turns of the first model as text and calls', async () => {
  const call = (id: string) => ({ id, name: 'write_file', arguments: '{"path":"a"}' });
  const begun = await runFakeStep({
    tools: [writeFile],
    answers: [said('', 'stop', { opaque: 'of the first', calls: [call('a')] }), failed('model_unavailable')],
  });
  const step = await runFakeStep({
    ...{ tools: [writeFile], turns: begun.turns, opaqueFrom: 1 },
    answers: [said('', 'stop', { opaque: 'of the second', calls: [call('b')] }), said('Done.')],
  });
  expect(step.requests[1]?.turns?.map(({ opaque }) => opaque)).toEqual([undefined, 'of the second']);
});

test('M5.02 only a call that may have changed something outside counts as a call with an effect', async () => {
  const outside: RunTool = { ...writeFile, source: 'server', effect: 'write', policy: 'always' };
  const effectOf = async (tool: RunTool) =>
    (await runFakeStep({ tools: [tool], answers: [calls('stop', '{"path":"no"}'), failed('model_unavailable')] })).about.hasEffect;
  expect(await effectOf(outside)).toBe(true);
  expect(await effectOf({ ...outside, effect: 'read' })).toBe(false);
  expect(await effectOf({ ...outside, policy: 'never' })).toBe(false);
  expect(await effectOf(writeFile)).toBe(false);
});

test('M4.09 a step whose prompt was shortened is marked, reads a result again, and its prompts are never longer than the window', async () => {
  const readFile: RunTool = {
    ...{ name: 'read_file', key: 'r', description: '', parameters: {}, effect: 'read', source: 'files', policy: 'auto' },
    carryOut: async () => ({ ok: true, text: 'line '.repeat(1_000) }),
  };
  const call = (name: string, args: object) => said('', 'stop', { calls: [{ id: name, name, arguments: JSON.stringify(args) }] });
  const step = await runFakeStep({
    ...{ tools: [readFile], model: { contextWindow: 3_000 } },
    answers: [call('read_file', {}), call('read_file', {}), call('read_earlier_result', { result: 1, length: 9 }), said('Done.')],
  });
  expect(step.about.marks).toEqual(['shortened']);
  expect(step.events.filter((type) => type === 'prompt.shortened')).toHaveLength(1);
  expect(step.requests.map(({ tools = [] }) => tools.map(({ name }) => name).includes('read_earlier_result'))).toEqual([
    false,
    false,
    true,
    true,
  ]);
  expect(step.requests[3]?.turns?.[0]?.calls[0]?.result).toContain('{"result": 1}');
  expect(step.requests[3]?.turns?.[2]?.calls[0]?.result).toContain('line line\n\n[Characters up to 9 of 5000.');
  for (const request of step.requests) expect(countPrompt(request)).toBeLessThanOrEqual(3_000 - 750);
});

test('M4.14 a prompt that the server refuses by its window is shortened and sent again, once', async () => {
  const task = 'Plan the prices of a bakery. '.repeat(4);
  const readFile: RunTool = {
    ...{ name: 'read_file', key: 'r', description: '', parameters: {}, effect: 'read', source: 'files', policy: 'auto' },
    carryOut: async () => ({ ok: true, text: task.repeat(60) }),
  };
  const read = said('', 'stop', { calls: [{ id: 'a', name: 'read_file', arguments: '{}' }] });
  const refused: ModelOutcome = {
    ok: false,
    error: { code: 'prompt_over_window', transient: false, tokens: { needed: 2_600, window: 2_000 } },
  };
  const step = await runFakeStep({ tools: [readFile], answers: [read, refused, said('Done.')] });
  expect([textOf(step), step.about.marks]).toEqual(['Done.', ['shortened']]);
  expect(step.requests[2]?.turns?.[0]?.calls[0]?.result).toContain('read_earlier_result');
  const again = await runFakeStep({ tools: [readFile], answers: [read, refused, refused] });
  expect(textOf(again)).toBe('prompt_over_window');
});
