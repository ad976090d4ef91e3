import { expect, test } from 'vitest';
import { replayKey } from '../../../../src/app/workspace/replay/replay-keys.ts';

const key = (code: string, more: Partial<KeyboardEvent> = {}) => {
  return { code, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...more };
};

test('G7.02 L plays, J plays backwards, K pauses', () => {
  expect(replayKey(key('KeyL'), 10, false)).toEqual({ type: 'replay.play', direction: 1 });
  expect(replayKey(key('KeyJ'), 10, false)).toEqual({ type: 'replay.play', direction: -1 });
  expect(replayKey(key('KeyK'), 10, false)).toEqual({ type: 'replay.pause' });
});

test('G7.02 arrows go from event to event, with Shift from mark to mark, Home and End to the ends', () => {
  expect(replayKey(key('ArrowLeft'), 10, false)).toEqual({ type: 'replay.seek', to: { events: -1 } });
  expect(replayKey(key('ArrowRight', { shiftKey: true }), 10, false)).toEqual({ type: 'replay.seek', to: { marks: 1 } });
  expect(replayKey(key('Home'), 10, false)).toEqual({ type: 'replay.seek', to: { event: 0 } });
  expect(replayKey(key('End'), 10, false)).toEqual({ type: 'replay.seek', to: { event: 10 } });
});

test('G7.02 with reduced motion J and L step, and nothing plays automatically', () => {
  expect(replayKey(key('KeyJ'), 10, true)).toEqual({ type: 'replay.seek', to: { events: -1 } });
  expect(replayKey(key('KeyL'), 10, true)).toEqual({ type: 'replay.seek', to: { events: 1 } });
});

test('G7.02 other keys, and keys of the browser, are left alone', () => {
  expect(replayKey(key('KeyM'), 10, false)).toBeNull();
  expect(replayKey(key('KeyL', { ctrlKey: true }), 10, false)).toBeNull();
  expect(replayKey(key('KeyJ', { metaKey: true }), 10, false)).toBeNull();
  expect(replayKey(key('ArrowLeft', { altKey: true }), 10, false)).toBeNull();
});
