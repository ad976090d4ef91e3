import fc from 'fast-check';
import { expect, test } from 'vitest';
import { beginningOfTokens, countTokens } from '../../../../../server/platform/llm/fit/count-tokens.ts';

/** Texts with their tokens by `cl100k_base` of gpt-tokenizer 4.0.0. */
const measured: readonly (readonly [kind: string, text: string, tokens: number])[] = [
  [
    'English prose',
    'The server counts a prompt before it is sent. When the window of the model is too small, the oldest results of tools are left out, and each of them is replaced by one line that says how to read it again.',
    46,
  ],
  [
    'Russian prose',
    'Сервер считает запрос до отправки. Если окно модели слишком мало, первыми опускаются самые старые результаты инструментов, и каждый из них заменяется одной строкой, которая говорит, как прочитать его снова.',
    79,
  ],
  [
    'code',
    'export function totalOf(prices: readonly Price[], { currency, isGross }: TotalOptions): number {\n  const sum = prices.reduce((total, price) => total + (isGross ? price.gross : price.net), 0);\n  return Math.round(sum * 100) / 100;\n}\n',
    65,
  ],
  [
    'JSON',
    '{"items":[{"id":"7f3a9c","name":"Bread","price":3.2,"tags":["new","daily"]},{"id":"81bd02","name":"Cake","price":18.75,"tags":[]}],"total":2}',
    54,
  ],
  ['Chinese', '服务器在发送之前计算提示的长度。如果模型的窗口太小,最旧的工具结果会先被省略。', 37],
  ['Korean', '서버는 프롬프트를 보내기 전에 길이를 계산합니다. 모델의 창이 너무 작으면 가장 오래된 도구 결과가 먼저 생략됩니다.', 57],
  ['Hindi', 'सर्वर भेजने से पहले संकेत की लंबाई गिनता है।', 42],
  ['base64', 'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==', 67],
  ['numbers', '12.50;3.14;-1.5;0.75;1999;42;7.25;100000;0.001;65536;3.33;19', 40],
  ['emoji', '🚀🎉👍🏽✨😀🔥', 19],
];

test.each(measured)('M4.07 the estimate is not far below the tokenizer of a model, and not far above: %s', (_kind, text, tokens) => {
  expect(countTokens(text)).toBeGreaterThanOrEqual(0.9 * tokens);
  expect(countTokens(text)).toBeLessThanOrEqual(1.8 * tokens);
});

test('M4.07 a beginning of so many tokens has no more of them, and is the whole text where it fits', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.integer({ min: 0, max: 200 }), (text, max) => {
      const begin = beginningOfTokens(text, max);
      if (countTokens(text) <= max) expect(begin).toBe(text);
      else expect(countTokens(begin)).toBeLessThanOrEqual(max + 2);
    }),
  );
});
