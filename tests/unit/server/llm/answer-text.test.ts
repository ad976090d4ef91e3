import { expect, test } from 'vitest';
import { ResponseTooLong } from '../../../../server/platform/egress/egress.ts';
import { createAnswerText, maxAnswerBytes } from '../../../../server/platform/llm/answer-text.ts';
import { toTokenUsage } from '../../../../server/platform/llm/token-count.ts';

test('W8.04 an answer and its reasoning are 1 MiB together at most, in bytes', () => {
  const written = createAnswerText(() => {});
  written.add('Я'.repeat(maxAnswerBytes / 4), null);
  written.add(null, 'a'.repeat(maxAnswerBytes / 2));
  expect(Buffer.byteLength(written.text + written.reasoning)).toBe(maxAnswerBytes);
  written.add('', undefined);
  expect(() => written.add('', 'a')).toThrow(ResponseTooLong);
});

test('W8.04 each piece of an answer is passed on, and an empty piece is not', () => {
  const told: string[][] = [];
  const written = createAnswerText((text, reasoning) => told.push([text, reasoning]));
  written.add(null, 'Hm');
  written.add('A', undefined);
  written.add('', '');
  written.add('B', '.');
  expect(told).toEqual([
    ['', 'Hm'],
    ['A', ''],
    ['B', '.'],
  ]);
});

test('W8.04 token counts that are too large to be stored become the largest number that can be', () => {
  const largest = 2_147_483_647;
  expect(toTokenUsage(3 * largest, largest)).toEqual({ promptTokens: largest, completionTokens: largest, totalTokens: largest });
});

test.each([1, 2, 5, 100])('M2.01 thoughts at the beginning of an answer are separated from it, in pieces of %i characters', (size) => {
  const split = (whole: string) => {
    const told = { text: '', reasoning: '' };
    const written = createAnswerText((text, reasoning) => {
      told.text += text;
      told.reasoning += reasoning;
    });
    for (let at = 0; at < whole.length; at += size) written.add(whole.slice(at, at + size), null);
    written.end(true);
    return { told, kept: [written.text, written.reasoning] };
  };
  expect(split('\n<think>\nI should say hi</think>\n\nHello there')).toEqual({
    told: { text: 'Hello there', reasoning: '\nI should say hi' },
    kept: ['Hello there', '\nI should say hi'],
  });
  expect(split('<think>Only this').kept).toEqual(['', 'Only this']);
  expect(split('<thinner> is a tag').kept).toEqual(['<thinner> is a tag', '']);
  expect(split('<thi').kept).toEqual(['<thi', '']);
  expect(split('I weigh it.\n</think>\n\nHello').kept).toEqual(['Hello', 'I weigh it.\n']);
  expect(split('Write `</think>` at its end.').kept).toEqual(['Write `</think>` at its end.', '']);
});

test('M2.01 R46.01 a block of thoughts that a model leaves open, although no limit has cut it off, is the answer', () => {
  const written = createAnswerText(() => {});
  written.add('<think>All of ', null);
  written.add('it', null);
  written.end(false);
  expect([written.text, written.reasoning]).toEqual(['All of it', '']);
});
