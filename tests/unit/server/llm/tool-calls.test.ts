import fc from 'fast-check';
import { expect, test } from 'vitest';
import { modelCallsTools } from '../../../../contract/agent.ts';
import type { Conversation, ModelAdapter } from '../../../../server/platform/llm/language-model.ts';
import { toLanguageModel } from '../../../../server/platform/llm/to-language-model.ts';
import {
  createToolCalls,
  leftOutArguments,
  leftOutTogether,
  maxArgumentBytes,
  maxCallsOfTurn,
  maxReadBytes,
  withUniqueIds,
} from '../../../../server/platform/llm/tool-calls.ts';

test('G3.01 pieces of several calls, in any order among each other, give the calls as written', () => {
  const written = fc.array(fc.string({ maxLength: 40 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(written, fc.integer({ min: 1, max: 9 }), (texts, size) => {
      const collected = createToolCalls();
      const pieces = texts.map((text) => text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? []);
      for (const index of texts.keys()) collected.add({ index, id: `id${index}`, name: 'tool' });
      for (let at = 0; pieces.some((ofCall) => ofCall.length > at); at += 1)
        for (const [index, ofCall] of pieces.entries()) if (ofCall[at] !== undefined) collected.add({ index, arguments: ofCall[at] });
      expect(collected.finish()).toEqual(
        texts.map((text, index) => ({ id: `id${index}`, name: 'tool', arguments: text.trim() === '' ? '{}' : text })),
      );
    }),
  );
});

test('G3.01 a call without an id, or with the id of another call, gets a unique id in its turn', () => {
  const collected = createToolCalls();
  collected.add({ index: 0, name: 'a' });
  collected.add({ index: 1, id: 'x', name: 'b' });
  // Whole calls of a server that counts none of them.
  collected.add({ index: 1, id: 'y', name: 'c', arguments: { deep: [1] } });
  collected.add({ index: 2, id: 'x', name: 'd' });
  expect(collected.finish()).toEqual([
    { id: 'call_1', name: 'a', arguments: '{}' },
    { id: 'x', name: 'b', arguments: '{}' },
    { id: 'y', name: 'c', arguments: '{"deep":[1]}' },
    { id: 'x_4', name: 'd', arguments: '{}' },
  ]);
});

test('G3.01 the id of a call is unique beside ids that look like made ones, and beside ids that only differ in what cannot be stored', async () => {
  const called = (ids: readonly string[]) => ids.map((id) => ({ id, name: 'a', arguments: '{}' }));
  expect(withUniqueIds(called(['x_3', 'x', 'x', '', 'call_4'])).map(({ id }) => id)).toEqual(['x_3', 'x', 'x_4', 'call_4', 'call_4_5']);
  const usage = null;
  const answer = { text: '', thoughts: null, usage, calls: called(['x', 'x\0']) };
  const adapter = { converse: async () => ({ ok: true, value: answer }) } as unknown as ModelAdapter;
  const asked = { messages: [] } as unknown as Conversation;
  const outcome = await toLanguageModel(adapter).converse(asked, new AbortController().signal, () => {});
  expect(outcome).toMatchObject({ value: { calls: [{ id: 'x' }, { id: 'x_2' }] } });
});

test('G3.01 calls, arguments, names and ids have limits', () => {
  const many = createToolCalls();
  for (let index = 0; index < maxCallsOfTurn; index += 1) many.add({ index, name: 'a' });
  expect(() => many.add({ index: maxCallsOfTurn, name: 'a' })).toThrow();
  const long = createToolCalls();
  long.add({ index: 0, name: 'a', arguments: 'x'.repeat(maxArgumentBytes) });
  expect(long.finish()[0]?.arguments).toHaveLength(maxArgumentBytes);
  for (const piece of ['x', 'y']) long.add({ index: 0, arguments: piece });
  expect(long.finish()).toEqual([{ id: 'call_1', name: 'a', arguments: leftOutArguments }]);
  expect(() => long.add({ index: 0, arguments: 'x'.repeat(maxReadBytes) })).toThrow();
  const together = createToolCalls();
  for (let index = 0; index < 4; index += 1) together.add({ index, name: 'a', arguments: 'x'.repeat(maxArgumentBytes) });
  together.add({ index: 4, name: 'a', arguments: 'x' });
  expect(together.finish().map(({ arguments: { length } }) => length)).toEqual([
    ...Array(4).fill(maxArgumentBytes),
    leftOutTogether.length,
  ]);
  expect(() => createToolCalls().add({ index: 0, name: 'n'.repeat(201) })).toThrow();
  expect(() => createToolCalls().add({ index: 0, id: 'n'.repeat(201) })).toThrow();
});

test('C3.06 arguments of more than a mebibyte are left out and take no room of other calls, and what was read counts for the account', () => {
  let held = 0;
  const collected = createToolCalls((length) => {
    held += length;
  });
  collected.add({ index: 0, id: 'a', name: 'edit_file' });
  for (let at = 0; at < 40; at += 1) collected.add({ index: 0, arguments: 'x'.repeat(maxArgumentBytes / 8) });
  collected.add({ index: 1, id: 'b', name: 'read_file', arguments: '{"path":"a.ts"}' });
  expect(collected.finish()).toEqual([
    { id: 'a', name: 'edit_file', arguments: leftOutArguments },
    { id: 'b', name: 'read_file', arguments: '{"path":"a.ts"}' },
  ]);
  expect([collected.kept(0, 'whole'), collected.kept(1, 'whole')]).toEqual([leftOutArguments, 'whole']);
  expect(held).toBe(5 * maxArgumentBytes + '{"path":"a.ts"}'.length);
});

test('G3.02 models that are known not to call tools are named', () => {
  expect(modelCallsTools('openai', 'gpt-4')).toBe(true);
  expect(modelCallsTools('openai', 'o1-mini')).toBe(false);
  expect(modelCallsTools('anthropic', 'claude-2.1')).toBe(false);
  expect(modelCallsTools('anthropic', 'claude-haiku-4-5')).toBe(true);
  expect(modelCallsTools('gigachat', 'GigaChat-2')).toBe(true);
  expect(modelCallsTools('yandexgpt', 'gpt://folder/yandexgpt-lite/latest')).toBe(true);
  expect(modelCallsTools('yandexgpt', 'gpt://folder/summarization/latest')).toBe(false);
});
