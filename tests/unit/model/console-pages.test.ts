import fc from 'fast-check';
import { enablePatches, produceWithPatches } from 'immer';
import { expect, test } from 'vitest';
import { blankLine } from '../../../src/model/console/console-lines.ts';
import { appendMessages, consoleMessages, emptyConsole } from '../../../src/model/console/console-pages.ts';

enablePatches();

const message = (number: number) => ({ ...blankLine, id: `m${number}`, timestamp: '2026-11-20T12:00:00.000Z' });
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
        expect(patches.length).toBeLessThanOrEqual(100 + 2 * Math.ceil(burst / 100) + 3);
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
