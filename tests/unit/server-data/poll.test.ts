import { expect, test, vi } from 'vitest';
import { useRead } from '../../../src/app/server-data/use-read.ts';
import { hookOn, refuse } from '../../support/played-data.ts';

const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
vi.stubGlobal('document', page);
/** The pauses of a second that are under way. */
const pauses = new Set<unknown>();
const { setTimeout: begin, clearTimeout: end } = globalThis;
vi.stubGlobal('setTimeout', (done: () => void, ms: number) => {
  const timer = begin(done, ms);
  if (ms === 1_000) pauses.add(timer);
  return timer;
});
vi.stubGlobal('clearTimeout', (timer: ReturnType<typeof begin>) => {
  pauses.delete(timer);
  end(timer);
});

test('while an answer asks for it, it is read again without a sign, also after a read that failed', async () => {
  let read: () => unknown = () => [{ id: 'under way' }];
  const part = hookOn({ 'hook.list': () => read() }, () =>
    useRead('hook.list', { params: { id: 'p' } }, { pauseMs: (list) => (list?.[0]?.id === 'done' ? null : 1) }),
  );
  const problems = new Set<unknown>();
  await expect.poll(() => part.calls.length).toBeGreaterThan(1);
  read = () => {
    problems.add(part.get().problem).add(part.get().loading);
    return refuse('network')();
  };
  const before = part.calls.length;
  await expect.poll(() => part.calls.length).toBeGreaterThan(before + 2);
  expect(problems).toEqual(new Set([null, false]));
  expect(part.get()).toMatchObject({ value: [{ id: 'under way' }], problem: null });
  read = () => [{ id: 'done' }];
  await expect.poll(() => part.get().value).toEqual([{ id: 'done' }]);
});

test('a part that has closed leaves no pause behind, and a hidden page rests', async () => {
  const part = hookOn({ 'hook.list': () => [] }, () => useRead('hook.list', { params: { id: 'p' } }, { pauseMs: () => 1_000 }));
  await expect.poll(() => part.get().value).toEqual([]);
  expect(pauses.size).toBe(1);
  page.visibilityState = 'hidden';
  page.dispatchEvent(new Event('visibilitychange'));
  expect(pauses.size).toBe(0);
  page.visibilityState = 'visible';
  page.dispatchEvent(new Event('visibilitychange'));
  expect(pauses.size).toBe(1);
  part.close();
  expect(pauses.size).toBe(0);
});
