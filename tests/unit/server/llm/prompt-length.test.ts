import { expect, test } from 'vitest';
import type { ModelRequest } from '../../../../server/platform/llm/language-model.ts';
import { conversationOf } from '../../../../server/platform/llm/prompt.ts';
import { lengthOfConversation, lengthOfRequest, maxPromptLength } from '../../../../server/platform/llm/prompt-length.ts';

const mebibyte = 1024 * 1024;

const asked = (lengths: readonly number[], more: Partial<ModelRequest> = {}): ModelRequest => ({
  ...{ role: 'qa', agentTitle: 'QA', systemPrompt: 'Test it.', task: 'A bakery', contexts: [], language: 'en', temperature: 0 },
  ...{ maxTokens: 100, idempotencyKey: 'one' },
  earlier: lengths.map((length, at) => ({ title: `Agent ${at}`, role: 'developer', text: `${at}`.repeat(length).slice(0, length) })),
  ...more,
});
const promptOf = (request: ModelRequest) => conversationOf(request).messages.at(-1)?.content ?? '';

test('R41.01 results that fit into a prompt are handed on in full', () => {
  const request = asked([mebibyte, mebibyte, mebibyte, 900_000]);
  const prompt = promptOf(request);
  for (const { text } of request.earlier) expect(prompt.includes(text)).toBe(true);
});

test.each(['en', 'ru'] as const)(
  'R41.01 the longest of results that are too long together are cut to one length, with a note (%s)',
  (language) => {
    const request = asked([10, mebibyte, 2 * mebibyte, 500_000, 3 * mebibyte], { language });
    const prompt = promptOf(request);
    expect(prompt.length).toBeLessThanOrEqual(maxPromptLength);
    expect(prompt.length).toBeGreaterThan(0.99 * maxPromptLength);
    const kept = ['0', '1', '2', '3', '4'].map((digit) =>
      Math.max(...(prompt.match(new RegExp(`${digit}+`, 'g')) ?? []).map(({ length }) => length)),
    );
    expect(kept.slice(0, 2)).toEqual([10, mebibyte]);
    expect(kept[3]).toBe(500_000);
    expect(kept[2]).toBe(kept[4]);
    for (const length of [2 * mebibyte, 3 * mebibyte]) expect(prompt).toContain(`${length} `);
    expect(prompt).not.toContain(`${mebibyte} `);
  },
);

test('R41.01 a cut result has no half of a character', () => {
  const text = '😀'.repeat(mebibyte);
  const prompt = promptOf(asked([], { earlier: ['a', 'bb'].map((title) => ({ title, role: 'qa', text: `${title}${text}${text}` })) }));
  expect(prompt.isWellFormed()).toBe(true);
});

test('R23.01 the length of a request is known before its prompt is built', () => {
  const requests = [
    asked([]),
    asked([10, 5_000], { contexts: ['More'.repeat(500)], language: 'ru' }),
    asked(Array.from({ length: 5_000 }, () => 3)),
    asked([5], {
      inGraph: {
        ...{ choices: [{ label: 'yes', leadsBack: false }], hasOtherwise: false, isList: true, round: 0, notAccepted: [] },
        ...{ item: { text: 'An item'.repeat(999), number: 1, of: 2 }, revision: { draft: 'A draft'.repeat(999), note: 'Better' } },
      },
      tools: [{ name: 'read', description: 'Reads', parameters: {} }],
      turns: [{ text: 'Let me see', calls: [{ id: '1', name: 'read', arguments: '{}', result: 'Much'.repeat(999), isError: false }] }],
      inputs: { files: [], count: 1, git: null, texts: [{ path: 'a.md', sha256: '', text: 'Text'.repeat(999) }] },
    }),
  ];
  for (const request of requests) {
    const { messages, turns = [] } = conversationOf(request);
    const said = [...messages.map(({ content }) => content), ...turns.flatMap(({ calls }) => calls.map(({ result }) => result))];
    const length = said.reduce((sum, text) => sum + text.length, 0);
    expect(lengthOfRequest(request)).toBeGreaterThanOrEqual(length);
    expect(lengthOfConversation(conversationOf(request))).toBeGreaterThanOrEqual(length);
  }
});
