import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { applyTextPiece } from '../../../../contract/executions/streamed-text.ts';
import type { BusMessage } from '../../../../server/platform/bus/bus.ts';
import { createInProcessBus } from '../../../../server/platform/bus/in-process-bus.ts';
import { createPendingTexts, isPartialText, type PartialText } from '../../../../server/platform/bus/pending-texts.ts';
import { fullTextIntervalMs, streamText } from '../../../../server/platform/bus/stream-text.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const about = { agentId: 'a', projectId: null, executionId: 'e', stepId: 's' };

/** A streamed text, and the pieces that a subscriber received. */
function stage() {
  const bus = createInProcessBus();
  const pieces: PartialText[] = [];
  bus.subscribe('user', (message: BusMessage) => {
    if (message.type === 'agent_thought' && isPartialText(message)) pieces.push(message);
  });
  return { text: streamText(bus, 'user', about), pieces, ask: () => bus.publish('user', { type: 'texts_wanted' }) };
}

/** A reader that requests the full text at a gap; `text` is what it shows. */
function reader() {
  let text = '';
  let hasGap = false;
  return {
    take({ position = 0, content }: PartialText) {
      const next = applyTextPiece(text, { position, content });
      hasGap = next === null;
      text = next ?? text;
    },
    text: () => text,
    hasGap: () => hasGap,
  };
}

const chunks = fc.array(fc.record({ text: fc.string({ unit: 'binary', maxLength: 20 }), waitMs: fc.integer({ min: 0, max: 250 }) }), {
  minLength: 1,
  maxLength: 60,
});

test('R46.01 however an answer arrives, a reader gets the same text in at most ten messages a second', () => {
  fc.assert(
    fc.property(chunks, (parts) => {
      const { text, pieces } = stage();
      const { take, text: shown, hasGap } = reader();
      let elapsed = 100;
      for (const part of parts) {
        text.add(part.text);
        vi.advanceTimersByTime(part.waitMs);
        elapsed += part.waitMs;
      }
      vi.advanceTimersByTime(100);
      for (const piece of pieces) take(piece);
      text.stop();
      expect(shown()).toBe(parts.map((part) => part.text).join(''));
      expect(hasGap()).toBe(false);
      expect(pieces.length).toBeLessThanOrEqual(1 + elapsed / 100);
    }),
  );
});

test('R46.01 a reader that has missed pieces of a text gets the whole of it once it asks', () => {
  fc.assert(
    fc.property(chunks, fc.infiniteStream(fc.boolean()), (parts, drops) => {
      const { text, pieces, ask } = stage();
      const { take, text: shown, hasGap } = reader();
      for (const part of parts) {
        text.add(part.text);
        vi.advanceTimersByTime(part.waitMs);
        for (const piece of pieces.splice(0)) if (!drops.next().value) take(piece);
      }
      ask();
      vi.advanceTimersByTime(fullTextIntervalMs);
      for (const piece of pieces.splice(0)) take(piece);
      text.stop();
      expect(shown()).toBe(parts.map((part) => part.text).join(''));
      expect(hasGap()).toBe(false);
    }),
  );
});

test('W7.08 pieces that wait for a slow reader and are sent as one give the same text', () => {
  fc.assert(
    fc.property(chunks, fc.infiniteStream(fc.boolean()), (parts, waits) => {
      const { text, pieces } = stage();
      const { take, text: shown, hasGap } = reader();
      const pending = createPendingTexts();
      for (const part of parts) {
        text.add(part.text);
        vi.advanceTimersByTime(part.waitMs);
        for (const piece of pieces.splice(0)) pending.add(piece);
        if (!waits.next().value) pending.take().forEach(take);
      }
      vi.advanceTimersByTime(100);
      for (const piece of pieces.splice(0)) pending.add(piece);
      const last = pending.take();
      expect(last.length).toBeLessThanOrEqual(1);
      last.forEach(take);
      text.stop();
      expect(shown()).toBe(parts.map((part) => part.text).join(''));
      expect(hasGap()).toBe(false);
    }),
  );
});

test('W7.08 too much that waits for a slow reader is dropped, and the reader sees the gap', () => {
  const { text, pieces } = stage();
  const { take, hasGap } = reader();
  const pending = createPendingTexts();
  for (let count = 0; count < 12; count += 1) {
    text.add('x'.repeat(50_000));
    vi.advanceTimersByTime(100);
  }
  for (const piece of pieces) pending.add(piece);
  pending.take().forEach(take);
  text.stop();
  expect(hasGap()).toBe(true);
});

test('R46.01 the second attempt of a model replaces the text of the first one', () => {
  const { text, pieces } = stage();
  const { take, text: shown } = reader();
  text.add('First try');
  vi.advanceTimersByTime(100);
  text.restart();
  text.add('Second');
  vi.advanceTimersByTime(100);
  pieces.forEach(take);
  text.stop();
  expect(shown()).toBe('Second');
});

test('R46.01 the whole text is sent every two seconds at most, however often listeners ask', () => {
  const { text, pieces, ask } = stage();
  text.add('x'.repeat(1_000));
  vi.advanceTimersByTime(100);
  for (let count = 0; count < 100; count += 1) {
    ask();
    vi.advanceTimersByTime(100);
  }
  text.stop();
  expect(pieces.length).toBeLessThanOrEqual(1 + 1 + 10_000 / fullTextIntervalMs);
});

test('R46.01 nothing goes out after the text was stopped', () => {
  const { text, pieces, ask } = stage();
  text.add('a');
  vi.advanceTimersByTime(1);
  text.add('b');
  text.stop();
  ask();
  vi.advanceTimersByTime(10_000);
  expect(pieces.map(({ content }) => content)).toEqual(['a']);
});

test('R46.01 an answer that arrives as a whole is not sent as a streamed text beside its result', () => {
  const { text, pieces, ask } = stage();
  text.add('A short ');
  text.add('answer.');
  text.stop();
  ask();
  vi.advanceTimersByTime(10_000);
  expect(pieces).toEqual([]);
});

test('R46.01 thirty answers of 200 kB cost a few MB on the wire', () => {
  let bytes = 0;
  for (let run = 0; run < 30; run += 1) {
    const { text, pieces } = stage();
    for (let sent = 0; sent < 200_000; sent += 100) {
      text.add('word '.repeat(20));
      vi.advanceTimersByTime(10);
    }
    vi.advanceTimersByTime(100);
    text.stop();
    bytes += pieces.reduce((sum, piece) => sum + JSON.stringify(piece).length, 0);
  }
  expect(bytes).toBeGreaterThan(30 * 200_000);
  expect(bytes).toBeLessThan(10_000_000);
});
