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

test('W8.04 each piece is handed on, and an empty one is none', () => {
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

test('W8.04 usage can be stored, however large a server says that it is', () => {
  const largest = 2_147_483_647;
  expect(toTokenUsage(3 * largest, largest)).toEqual({ promptTokens: largest, completionTokens: largest, totalTokens: largest });
});
