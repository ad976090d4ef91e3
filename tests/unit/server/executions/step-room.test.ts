import { expect, test } from 'vitest';
import { maxTurnsLength, roomOf } from '../../../../server/modules/executions/tools/step-room.ts';
import type { StoredTurn } from '../../../../server/modules/executions/tools/stored-turns.ts';
import type { RunTool } from '../../../../server/modules/tools/index.ts';
import type { ModelAnswer, ModelOutcome, ModelRequest } from '../../../../server/platform/llm/language-model.ts';
import { tryFakeStep } from '../../../support/run-graph/fake-step.ts';

const usage = { promptTokens: 1, completionTokens: 777, totalTokens: 778 };
const said = (text: string, more: Partial<ModelAnswer> = {}): ModelOutcome => ({
  ok: true,
  value: { text, thoughts: null, finish: 'stop', usage, ...more },
});
const calling = (count: number, text = '') =>
  said(text, { calls: Array.from({ length: count }, (_, at) => ({ id: `c${at}`, name: 'look', arguments: '{}' })) });

const look: RunTool = {
  ...{ name: 'look', key: 'l', description: '', parameters: {}, effect: 'read', source: 'files', policy: 'auto' },
  carryOut: async () => ({ ok: true, text: 'Seen.' }),
};
const tools = [look];
const room = (turns: number, calls: number) => () => ({ turns, calls });
const resultsOf = (request: ModelRequest | undefined) => (request?.turns ?? []).map(({ calls }) => calls.at(-1)?.result ?? '');
const toldIn = (request: ModelRequest | undefined) =>
  resultsOf(request).flatMap((text, at) => (text.includes('Left in this step') ? [at] : []));

test('C3.01 a step has the turns and calls of its agent, else those of its project, else 40 and 200', () => {
  const unset = { maxTurns: null, maxCalls: null };
  expect(roomOf({ maxTurns: 3, maxCalls: null }, { maxTurns: 9, maxCalls: 90 })).toEqual({ turns: 3, calls: 90 });
  expect([roomOf(unset, unset), roomOf(null, { maxTurns: 9, maxCalls: null })]).toEqual([
    { turns: 40, calls: 200 },
    { turns: 9, calls: 200 },
  ]);
});

test('C3.01 the limits are read before each turn', async () => {
  let turn = 0;
  const step = await tryFakeStep({
    ...{ tools, answers: [calling(1), calling(1), calling(1)] },
    room: () => {
      turn += 1;
      return { turns: turn < 3 ? 40 : 2, calls: 200 };
    },
  });
  expect([step.kind, step.requests.length]).toEqual(['left', 2]);
});

test('C3.02 at 80 % of its turns or calls the model reads once how many are left, in a note at the last result that stays there', async () => {
  const byTurns = await tryFakeStep({
    tools,
    room: room(5, 200),
    answers: [calling(1), calling(1), calling(1), calling(1), said('Done.')],
  });
  expect(byTurns.requests.map(toldIn)).toEqual([[], [], [], [], [3]]);
  expect(resultsOf(byTurns.requests[4])[3]).toContain('[Left in this step: 1 turns with your answer, and 196 calls of tools.');
  const byCalls = await tryFakeStep({ tools, room: room(40, 10), answers: [calling(8), calling(1), said('Done.')] });
  expect(byCalls.requests.map(toldIn)).toEqual([[], [0], [0]]);
  expect(byCalls.requests[2]?.turns?.[0]).toEqual(byCalls.requests[1]?.turns?.[0]);
});

test('C3.03 before the turn beyond the limit a person is asked whether the step gets as much again, hands on or stops', async () => {
  const step = await tryFakeStep({ tools, room: room(2, 200), answers: [calling(1), calling(1)] });
  expect(step).toMatchObject({ kind: 'left', step: { status: 'waiting' } });
  expect(step.questions).toMatchObject([{ kind: 'room', reason: 'turns', actions: ['asMuchAgain', 'handOn', 'stop'], whenDue: 'handOn' }]);
  expect(step.questions[0]?.room).toEqual({ kind: 'turns', limit: 2, used: 2, more: 2 });
  expect(step.turns.flatMap(({ calls }) => calls.map(({ state }) => state))).toEqual(['done', 'done']);
});

test('C3.03 calls are carried out up to their limit, and the next one asks', async () => {
  const step = await tryFakeStep({ tools, room: room(40, 3), answers: [calling(2), calling(4)] });
  expect(step.questions[0]?.room).toEqual({ kind: 'calls', limit: 3, used: 3, more: 3 });
  expect(step.turns.flatMap(({ calls }) => calls.map(({ state }) => state))).toEqual([
    'done',
    'done',
    'done',
    'pending',
    'pending',
    'pending',
  ]);
});

test('C3.03 a step that got more turns continues from its last turn, and tells the model the new limits', async () => {
  const asked = await tryFakeStep({ tools, room: room(2, 200), answers: [calling(1), calling(1)] });
  const stored = { ...asked.step.room, from: 0, turns: 2, calls: 0, told: asked.step.room?.told ?? [], isTold: false };
  const step = await tryFakeStep({ tools, room: room(2, 200), turns: asked.turns, stored, answers: [said('Done.')] });
  expect(step).toMatchObject({ kind: 'answered', outcome: { value: { text: 'Done.' } } });
  expect(toldIn(step.requests[0])).toEqual([0, 1]);
  expect(resultsOf(step.requests[0])[1]).toContain('[Left in this step: 2 turns');
});

test('C3.03 a step that a person ends asks no model, and hands on what it has written so far, marked as cut', async () => {
  const asked = await tryFakeStep({ tools, room: room(2, 200), answers: [calling(1, 'I look.'), calling(1, '# Answer\n\nHalf of it.')] });
  const stored = { from: 0, turns: 0, calls: 0, told: [], isTold: true, handsOn: true as const };
  const step = await tryFakeStep({ tools, turns: asked.turns, stored, answers: [] });
  expect(step).toMatchObject({
    outcome: { value: { text: 'I look.\n\nHalf of it.', usage: { totalTokens: 1_556 } } },
    about: { marks: ['cut'] },
  });
  const edited = await tryFakeStep({ tools, turns: asked.turns, stored: { ...stored, text: 'Mine.' }, answers: [] });
  expect(edited).toMatchObject({ outcome: { value: { text: 'Mine.' } } });
  const silent = await tryFakeStep({ tools, turns: asked.turns.map((turn) => ({ ...turn, text: '' })), stored, answers: [] });
  expect(silent).toMatchObject({ outcome: { value: { text: expect.stringContaining('A person has ended it here.') } } });
});

test('C3.04 turns that are too long together ask a person as well, who can hand on or stop but give no more turns', async () => {
  const text = 'x'.repeat(maxTurnsLength / 16);
  const turns = Array.from({ length: 17 }, (_, turn) => ({
    turn,
    text,
    opaque: null,
    summary: null,
    usage: null,
    calls: [],
  })) as unknown as StoredTurn[];
  const step = await tryFakeStep({ tools, turns, answers: [] });
  expect(step.questions).toMatchObject([{ reason: 'length', actions: ['handOn', 'stop'] }]);
});

test('C3.05 calls of one turn that only read are carried out together, and their results stay in order', async () => {
  let underWay = 0;
  let most = 0;
  const ends: (() => void)[] = [];
  const read: RunTool = {
    ...look,
    carryOut: async (args) => {
      underWay += 1;
      most = Math.max(most, underWay);
      // The last one ends first: each waits until all of them are under way.
      await new Promise<void>((resolve) => {
        ends.unshift(resolve);
        if (ends.length === 3) for (const end of ends) end();
      });
      underWay -= 1;
      return { ok: true, text: `Result ${(args as { at: number }).at}.` };
    },
  };
  const calls = [0, 1, 2].map((at) => ({ id: `c${at}`, name: 'look', arguments: JSON.stringify({ at }) }));
  const step = await tryFakeStep({ tools: [read], answers: [said('', { calls }), said('Done.')] });
  expect(most).toBe(3);
  expect(step.requests[1]?.turns?.[0]?.calls.map(({ id, result }) => [id, /Result (\d)/.exec(result)?.[1]])).toEqual([
    ['c0', '0'],
    ['c1', '1'],
    ['c2', '2'],
  ]);
});

test('C3.05 a call that writes or asks is carried out alone, and in its order among the other calls', async () => {
  const order: string[] = [];
  const named = (name: string, more: Partial<RunTool> = {}): RunTool => ({
    ...{ ...look, name, ...more },
    carryOut: async () => {
      order.push(`${name} begins`);
      await Promise.resolve();
      order.push(`${name} ends`);
      return { ok: true, text: '' };
    },
  });
  const given = [named('a'), named('b'), named('write', { effect: 'idempotent' }), named('c'), named('ask', { policy: 'ask' })];
  const calls = ['a', 'b', 'write', 'c', 'ask'].map((name) => ({ id: name, name, arguments: '{}' }));
  const step = await tryFakeStep({ tools: given, answers: [said('', { calls })] });
  expect(order.slice(0, 2).toSorted()).toEqual(['a begins', 'b begins']);
  expect(order.slice(4)).toEqual(['write begins', 'write ends', 'c begins', 'c ends']);
  expect(step.questions).toMatchObject([{ kind: 'tool', call: { tool: 'ask' } }]);
});

test('C3.05 calls that a result from outside could turn into questions are not carried out together, unless a person has approved them', async () => {
  let most = 0;
  let underWay = 0;
  const page: RunTool = {
    ...look,
    ...{ name: 'page', key: 'p', source: 'fetch' },
    carryOut: async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await Promise.resolve();
      underWay -= 1;
      return { ok: true, text: '' };
    },
  };
  const calls = ['a', 'b'].map((id) => ({ id, name: 'page', arguments: '{}' }));
  const alone = await tryFakeStep({ tools: [page], answers: [said('', { calls })] });
  expect([most, alone.questions]).toMatchObject([1, [{ reason: 'outside', call: { callId: 'b' } }]]);
  await tryFakeStep({ tools: [page], run: { approvedTools: ['p'] }, answers: [said('', { calls }), said('Done.')] });
  expect(most).toBe(2);
});

test('C3.05 after a crash only those reads are repeated that had not ended', async () => {
  const seen: unknown[] = [];
  const read: RunTool = {
    ...look,
    carryOut: async (args) => {
      seen.push((args as { at: number }).at);
      return { ok: true, text: '' };
    },
  };
  const calls = [0, 1, 2, 3].map((at) => ({ id: `c${at}`, name: 'look', arguments: JSON.stringify({ at }) }));
  const before = await tryFakeStep({ tools: [read], answers: [said('', { calls }), said('Done.')] });
  const [turn] = before.turns;
  const turns = [
    { ...turn, calls: turn?.calls.map((call, at) => (at === 1 ? call : { ...call, state: 'pending', endedAt: null })) },
  ] as StoredTurn[];
  seen.length = 0;
  await tryFakeStep({ tools: [read], turns, answers: [said('Done.')] });
  expect(seen.toSorted()).toEqual([0, 2, 3]);
});

test('C3.06 a model whose call was cut off reads how many tokens one answer has room for', async () => {
  const cut = (usage: ModelAnswer['usage']) => [
    said('', { finish: 'length', usage, calls: [{ id: 'c', name: 'look', arguments: '{"path":"a","con' }] }),
    said('Done.'),
  ];
  const resultOf = async (usage: ModelAnswer['usage'], maxTokens?: number) =>
    resultsOf((await tryFakeStep({ tools, answers: cut(usage), ...(maxTokens !== undefined && { maxTokens }) })).requests[1])[0];
  expect(await resultOf(usage, 4_000)).toContain('one answer has room for 777 tokens');
  expect(await resultOf(null, 4_000)).toContain('one answer has room for 4000 tokens');
  expect(await resultOf(null)).toContain('The limit of tokens cut this call off');
});
