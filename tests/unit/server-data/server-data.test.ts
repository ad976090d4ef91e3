import { expect, test } from 'vitest';
import { useMutation } from '../../../src/app/server-data/use-mutation.ts';
import { useOpenItem } from '../../../src/app/server-data/use-open-item.ts';
import { useRead } from '../../../src/app/server-data/use-read.ts';
import { hookOn, refuse } from '../../support/played-data.ts';

const params = { id: 'p' };

test('two parts that show the same answer make one call and have the same answer, and an answer that is shown nowhere is forgotten', async () => {
  let count = 0;
  const part = hookOn({ 'hook.list': () => [{ id: `${++count}` }] }, () => [
    useRead('hook.list', { params }),
    useRead('hook.list', { params: { id: 'p' } }),
    useRead('hook.list', null),
  ]);
  expect(part.get().map(({ value, loading }) => [value, loading])).toEqual([
    [null, true],
    [null, true],
    [null, false],
  ]);
  await expect.poll(() => part.get()[0]?.value).toEqual([{ id: '1' }]);
  expect(part.get()[1]?.value).toBe(part.get()[0]?.value);
  expect(part.calls).toEqual(['hook.list']);
  expect(part.data.value('hook.list', { params })).toEqual([{ id: '1' }]);
  part.close();
  expect(part.data.value('hook.list', { params })).toBeNull();
});

test('a failed first read is shown until it is asked for again, and a failed later one stands beside what was read before', async () => {
  let read: () => unknown = refuse('network');
  const part = hookOn({ 'hook.list': () => read() }, () => useRead('hook.list', { params }));
  await expect.poll(() => part.get()).toMatchObject({ value: null, problem: { code: 'network' }, loading: false });
  read = () => [];
  part.get().again();
  expect(part.get()).toMatchObject({ problem: null, loading: true });
  await expect.poll(() => part.get()).toMatchObject({ value: [], problem: null, loading: false });
  read = refuse('network');
  part.get().again();
  await expect.poll(() => part.get()).toMatchObject({ value: [], problem: { code: 'network' }, loading: false });
});

test('the answer to the read that began last is shown, whichever comes last', async () => {
  const reads: ((list: unknown) => void)[] = [];
  const part = hookOn({ 'hook.list': () => new Promise((resolve) => reads.push(resolve)) }, () => useRead('hook.list', { params }));
  await expect.poll(() => reads.length).toBe(1);
  part.get().again();
  await expect.poll(() => reads.length).toBe(2);
  reads[1]?.([{ id: 'late' }]);
  await expect.poll(() => part.get().value).toEqual([{ id: 'late' }]);
  reads[0]?.([{ id: 'early' }]);
  await part.data.invalidate([]);
  expect(part.get().value).toEqual([{ id: 'late' }]);
});

test('another `when` reads again, and another input shows the answer before it only if both are about the same', async () => {
  let shown = { id: 'a', about: 'x', when: 0 };
  const answer = Promise.withResolvers<unknown>();
  const part = hookOn({ 'hook.list': (sent) => (sent.params?.id === 'c' ? answer.promise : [{ id: sent.params?.id }]) }, () =>
    useRead('hook.list', { params: { id: shown.id } }, { about: shown.about, when: shown.when }),
  );
  await expect.poll(() => part.get().value).toEqual([{ id: 'a' }]);
  shown = { ...shown, when: 1 };
  part.again();
  await expect.poll(() => part.calls.length).toBe(2);
  shown = { ...shown, id: 'c' };
  part.again();
  expect(part.get()).toMatchObject({ value: [{ id: 'a' }], loading: true });
  shown = { ...shown, about: 'y' };
  part.again();
  expect(part.get()).toMatchObject({ value: null, loading: true });
  answer.resolve([{ id: 'c' }]);
  await expect.poll(() => part.get().value).toEqual([{ id: 'c' }]);
});

/** A list, and what changes it. */
const useList = () => ({
  list: useRead('hook.list', { params }),
  keys: useRead('apiKey.list', {}),
  ...useMutation({ invalidates: ['hook.list'] }),
});
const removal = { params: { id: 'p', hookId: 'h' } };

test('a change is done when what it invalidates is read again, and nothing else is', async () => {
  let listed = [{ id: 'h' }];
  const part = hookOn({ 'hook.list': () => listed, 'apiKey.list': () => [], 'hook.remove': () => undefined }, useList);
  await expect.poll(() => part.get().list.value).toEqual(listed);
  listed = [];
  const removed = part.get().remove('hook.remove', removal, () => expect(part.calls.at(-1)).toBe('hook.remove'));
  expect(part.get().isBusy).toBe(true);
  expect(await removed).toBe(true);
  expect(part.calls).toEqual(['hook.list', 'apiKey.list', 'hook.remove', 'hook.list']);
  expect(part.get()).toMatchObject({ isBusy: false, problem: null, list: { value: [] } });
});

test('a question that changes nothing has nothing read again, and its refusal takes the place of the problem before it', async () => {
  const part = hookOn({ 'hook.list': () => [], 'hook.remove': refuse('network'), 'hook.test': refuse('unavailable') }, useList);
  expect(await part.get().remove('hook.remove', removal)).toBe(false);
  await expect.poll(() => part.calls.filter((name) => name === 'hook.list')).toHaveLength(2);
  expect(await part.get().ask('hook.test', removal, () => expect.unreachable())).toBeNull();
  expect(part.get().problem).toEqual({ code: 'unavailable' });
  expect(part.calls.at(-1)).toBe('hook.test');
});

test('after a lost answer the list is read again beside the problem, and a second try need not wait for that', async () => {
  const reads: ((list: unknown) => void)[] = [];
  let create: () => unknown = refuse('network');
  const part = hookOn({ 'hook.list': () => new Promise((resolve) => reads.push(resolve)), 'hook.create': () => create() }, useList);
  await expect.poll(() => reads.length).toBe(1);
  const body = { url: 'https://x', events: ['run.ended' as const] };
  expect(await part.get().call('hook.create', { params, body })).toBeNull();
  expect(part.get()).toMatchObject({ isBusy: false, problem: { code: 'network' } });
  await expect.poll(() => reads.length).toBe(2);
  create = () => ({ id: 'h' });
  const second = part.get().call('hook.create', { params, body });
  await expect.poll(() => reads.length).toBe(3);
  // What was read before the second try is out of date.
  reads[1]?.([]);
  reads[2]?.([{ id: 'h' }]);
  expect(await second).toEqual({ value: { id: 'h' } });
  expect(part.get()).toMatchObject({ problem: null, list: { value: [{ id: 'h' }] } });
});

test('what is gone already counts as removed, another refusal does not, and a second press makes no second call', async () => {
  let refusal = 'not_found';
  const part = hookOn({ 'hook.list': () => [], 'hook.remove': () => refuse(refusal)() }, useList);
  expect(await part.get().remove('hook.remove', removal)).toBe(true);
  refusal = 'unavailable';
  const both = [part.get().remove('hook.remove', removal), part.get().remove('hook.remove', removal)];
  expect(await Promise.all(both)).toEqual([false, false]);
  expect(part.calls.filter((name) => name === 'hook.remove')).toHaveLength(2);
  expect(part.get().problem).toEqual({ code: 'unavailable' });
});

test('a call that ends after its part has closed returns nothing, and is done', async () => {
  const answer = Promise.withResolvers<unknown>();
  let done = 0;
  const part = hookOn({ 'hook.remove': () => answer.promise }, () => useMutation({ onDone: () => (done += 1) }));
  const removed = part.get().remove('hook.remove', removal);
  part.close();
  answer.resolve(undefined);
  expect([await removed, done]).toEqual([false, 1]);
});

test('an item whose details cannot be read is not open, and a second press reads them again', async () => {
  let read: () => unknown = refuse('network');
  const part = hookOn({ 'apiKey.runs': () => read() }, () => useOpenItem('apiKey.runs', (id) => ({ params: { id } })));
  part.get().open('k');
  await expect.poll(() => part.get()).toMatchObject({ openId: null, problem: { code: 'network' } });
  read = () => [];
  part.get().open('k');
  await expect.poll(() => part.get()).toMatchObject({ openId: 'k', value: [], problem: null });
  part.get().open(null);
  await expect.poll(() => part.get()).toMatchObject({ openId: null, value: null });
});

test('changes in turn wait for those before them, and what is sent is made when it is their turn', async () => {
  const answers: ((value: unknown) => void)[] = [];
  const bodies: unknown[] = [];
  let url = 'https://first';
  const update = (sent: { body?: unknown }) => {
    bodies.push(sent.body);
    return new Promise((resolve) => answers.push(resolve));
  };
  const part = hookOn({ 'hook.update': update }, () => useMutation({ inTurn: true }));
  const change = () => part.get().call('hook.update', () => ({ ...removal, body: { url } }));
  const both = [change(), change()];
  await expect.poll(() => answers.length).toBe(1);
  url = 'https://second';
  // A part that has closed meanwhile sends what was pressed before.
  part.close();
  answers[0]?.({});
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.({});
  await Promise.all(both);
  expect(bodies).toEqual([{ url: 'https://first' }, { url: 'https://second' }]);
});

test('a problem is shown while the part is about what it came from', async () => {
  let about: string | null = 'a';
  const part = hookOn({ 'hook.remove': refuse('unavailable') }, () => useMutation({ about }));
  await part.get().remove('hook.remove', removal);
  expect(part.get().problem).toEqual({ code: 'unavailable' });
  about = 'b';
  part.again();
  expect(part.get().problem).toBeNull();
});

test('a call that throws leaves its part ready for the next one', async () => {
  const part = hookOn({}, () => useMutation());
  const thrown = part.get().act(() => Promise.reject(new Error('The browser refuses.')));
  await expect(thrown).rejects.toThrow('refuses');
  expect(part.get().isBusy).toBe(false);
  expect(await part.get().act(async () => ({ ok: true, value: 1 }))).toEqual({ value: 1 });
});
