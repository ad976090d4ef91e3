import { expect, test, vi } from 'vitest';
import { useRead } from '../../../src/app/server-data/use-read.ts';
import { hookOn, refuse } from '../../support/played-data.ts';

vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));

test('while an answer asks for it, it is read again without a sign, also after a read that failed; nothing is read after the part has closed', async () => {
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
  const rested = part.calls.length;
  read = () => [{ id: 'under way' }];
  part.get().again();
  await expect.poll(() => part.get().value).toEqual([{ id: 'under way' }]);
  part.close();
  expect(part.calls.length).toBeGreaterThan(rested);
});
