import fc from 'fast-check';
import { enablePatches, produceWithPatches } from 'immer';
import { expect, test } from 'vitest';
import { blankLine } from '../../../src/model/console/console-lines.ts';
import { appendMessages, consoleMessages, emptyConsole } from '../../../src/model/console/console-pages.ts';

enablePatches();

const message = (number: number) => ({ ...blankLine, id: `m${number}`, timestamp: '2026-11-20T12:00:00.000Z' });
/** The characters of the text of each message. */
const textsOf = (messages: readonly { text: string }[]) => messages.reduce((sum, { text }) => sum + text.length, 0);
const many = (from: number, count: number) => Array.from({ length: count }, (_, index) => message(from + index));

test('W2.13 the console keeps the newest messages in order, however they come, and each change costs what it adds', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 2_500 }), { minLength: 1, maxLength: 8 }), (bursts) => {
      let console = emptyConsole;
      let sent = 0;
      let gone = 0;
      for (const burst of bursts) {
        const [next, patches] = produceWithPatches(console, (draft) => {
          gone += appendMessages(draft, many(sent, burst)).length;
        });
        sent += burst;
        console = next;
        // One patch for each message on an existing page, for each new page and for each removed page, and two counts.
        expect(patches.length).toBeLessThanOrEqual(100 + 4 * Math.ceil(burst / 100) + 4);
      }
      const kept = consoleMessages(console);
      expect(kept.map(({ id }) => id)).toEqual(many(sent - kept.length, kept.length).map(({ id }) => id));
      expect([console.count, gone]).toEqual([kept.length, sent - kept.length]);
      expect(kept.length).toBeGreaterThan(Math.min(sent, 9_900) - 1);
      expect(kept.length).toBeLessThanOrEqual(10_000);
      expect(consoleMessages(console)).toBe(kept);
    }),
    { numRuns: 20 },
  );
});

test('W2.13 long messages are kept up to 16 million characters, and one that is longer is kept alone', () => {
  const long = (number: number, length: number) => ({ ...message(number), text: 'a'.repeat(length) });
  const console = structuredClone(emptyConsole);
  const gone: string[] = [];
  for (let number = 0; number < 60; number += 1) gone.push(...appendMessages(console, [long(number, 500_000)]).map(({ id }) => id));
  const kept = consoleMessages({ ...console });
  expect(textsOf(kept)).toBeLessThanOrEqual(16_000_000);
  expect(textsOf(kept)).toBeGreaterThan(15_000_000);
  expect(kept.at(-1)?.id).toBe('m59');
  expect([...gone, ...kept.map(({ id }) => id)]).toEqual(many(0, 60).map(({ id }) => id));

  appendMessages(console, [{ ...message(60), event: { code: 'console.failed', params: { error: 'b'.repeat(17_000_000) } } }]);
  expect([consoleMessages({ ...console }).map(({ id }) => id), console.count]).toEqual([['m60'], 1]);
});
