import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followIdle, lostPressMs, quietMs } from '../../../src/ui/use-is-idle.ts';

let page: EventTarget;
let told: boolean[];
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  page = new EventTarget();
  told = [];
  stop = followIdle(page, (isIdle) => told.push(isIdle));
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

const send = (name: string, fields: { pointerId?: number; buttons?: number } = {}) =>
  page.dispatchEvent(Object.assign(new Event(name), { pointerId: 1, buttons: 0, ...fields }));
const wait = (ms: number) => vi.advanceTimersByTime(ms);

test('R31.01 a person who does nothing is idle after a while, once', () => {
  wait(quietMs - 1);
  expect(told).toEqual([]);
  wait(1 + 10 * quietMs);
  expect(told).toEqual([true]);
});

test.each(['keydown', 'input', 'wheel', 'dragover'])('R31.01 a person is not idle between two events %s', (name) => {
  for (let count = 0; count < 10; count += 1) {
    wait(quietMs - 1);
    send(name);
  }
  expect(told).toEqual([]);
  wait(quietMs);
  expect(told).toEqual([true]);
  send(name);
  expect(told).toEqual([true, false]);
});

test('R31.01 a person who holds the pointer down is not idle, moving or still', () => {
  send('pointerdown', { buttons: 1 });
  wait(lostPressMs - 1);
  send('pointermove', { buttons: 1 });
  wait(lostPressMs - 1);
  expect(told).toEqual([]);
  send('pointerup');
  wait(quietMs);
  expect(told).toEqual([true]);
});

test('R31.01 a person is not idle before every pointer is up', () => {
  send('pointerdown', { pointerId: 1, buttons: 1 });
  send('pointerdown', { pointerId: 2, buttons: 1 });
  send('pointerup', { pointerId: 1 });
  wait(2 * quietMs);
  expect(told).toEqual([]);
  send('pointerup', { pointerId: 2 });
  wait(quietMs);
  expect(told).toEqual([true]);
});

test('R31.01 a press that gives the focus to another element is still held', () => {
  send('pointerdown', { buttons: 1 });
  page.dispatchEvent(Object.defineProperty(new Event('blur'), 'target', { value: new EventTarget() }));
  wait(2 * quietMs);
  expect(told).toEqual([]);
});

test.each(['pointercancel', 'lostpointercapture', 'blur', 'pointermove'])('R31.01 a press whose end is only seen by %s ends', (name) => {
  send('pointerdown', { buttons: 1 });
  wait(quietMs);
  send(name);
  expect(told).toEqual([]);
  wait(quietMs);
  expect(told).toEqual([true]);
});

test('R31.01 a press without an end event ends after a time limit, and the next press counts again', () => {
  send('pointerdown', { buttons: 1 });
  wait(lostPressMs);
  expect(told).toEqual([true]);
  send('pointerdown', { buttons: 1 });
  wait(2 * quietMs);
  expect(told).toEqual([true, false]);
});

test('R31.01 a pointer that moves without a button does not keep a person active', () => {
  for (let count = 0; count < 10; count += 1) {
    wait(quietMs / 5);
    send('pointermove');
  }
  expect(told).toEqual([true]);
});

test('R31.01 nothing is reported after the end', () => {
  stop();
  send('keydown');
  wait(2 * quietMs);
  expect(told).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});
