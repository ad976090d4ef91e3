import { expect, test } from 'vitest';
import { joinPages, usePages } from '../../../src/app/server-data/use-pages.ts';
import { useRead } from '../../../src/app/server-data/use-read.ts';
import type { Answered, Call } from '../../../src/model/call.ts';
import { hookOn, type PlayedAnswers, refuse } from '../../support/played-data.ts';

type Page = { items: readonly number[]; next: number | null; size: number };

/** A list of numbers that falls by pages of two, as a server with this answer has it. */
function listOn(answer: PlayedAnswers[string], options: { search?: string; about?: string; keepsProblem?: boolean } = {}) {
  let search = options.search ?? '';
  const part = hookOn({ 'agent.changes': answer }, () =>
    usePages('agent.changes', search, {
      page: (call: Call, before: number | null) =>
        call('agent.changes', { params: { id: 'a' }, query: before === null ? {} : { before } }) as unknown as Promise<Answered<Page>>,
      join: joinPages<Page>,
      ...options,
    }),
  );
  const searchFor = (text: string) => {
    search = text;
    part.again();
  };
  return { ...part, searchFor };
}

const pageBefore = (before: number): Page => ({ items: [before - 1, before - 2], next: before > 3 ? before - 2 : null, size: before });
const byNumber: PlayedAnswers[string] = ({ query }) => pageBefore((query?.before as number | undefined) ?? 7);

test('a list grows by the page that is asked for, and keeps what its first page says', async () => {
  const part = listOn(byNumber);
  expect(part.get()).toMatchObject({ value: null, loading: true, adding: null });
  await expect.poll(() => part.get().value).toEqual({ items: [6, 5], next: 5, size: 7 });
  part.get().more(5);
  expect(part.get()).toMatchObject({ loading: false, adding: 5 });
  await expect.poll(() => part.get().value).toEqual({ items: [6, 5, 4, 3], next: 3, size: 7 });
  expect(part.get().adding).toBeNull();
  part.get().more(3);
  await expect.poll(() => part.get().value).toEqual({ items: [6, 5, 4, 3, 2, 1], next: null, size: 7 });
});

test('a page that cannot be read leaves those before it, and is read again where it was', async () => {
  let answer = byNumber;
  const part = listOn((sent) => answer(sent));
  await expect.poll(() => part.get().value?.next).toBe(5);
  answer = refuse('network');
  part.get().more(5);
  await expect.poll(() => part.get()).toMatchObject({ value: { items: [6, 5] }, problem: { code: 'network' }, adding: null });
  answer = byNumber;
  part.get().again();
  await expect.poll(() => part.get()).toMatchObject({ value: { items: [6, 5, 4, 3] }, problem: null });
  part.get().again();
  await expect.poll(() => part.get().value?.items).toEqual([6, 5]);
});

test('a page that was asked for twice, or before the list was read anew, is joined only where it belongs', async () => {
  const pages: ((page: Page) => void)[] = [];
  const part = listOn(({ query }) => (query?.before === undefined ? pageBefore(7) : new Promise((resolve) => pages.push(resolve))));
  await expect.poll(() => part.get().value?.next).toBe(5);
  part.get().more(5);
  part.get().more(5);
  await expect.poll(() => pages.length).toBe(2);
  for (const resolve of pages) resolve(pageBefore(5));
  await expect.poll(() => part.get().value?.items).toEqual([6, 5, 4, 3]);
  part.get().more(3);
  part.get().again();
  await expect.poll(() => part.get().value?.items).toEqual([6, 5]);
  pages[2]?.(pageBefore(3));
  await expect.poll(() => part.get().adding).toBeNull();
  expect(part.get().value?.items).toEqual([6, 5]);
});

test('a page of an older input is not added to the list of a newer one, and nothing is added to what is not read yet', async () => {
  const pages: ((page: Page) => void)[] = [];
  const firsts: ((page: Page) => void)[] = [];
  const part = listOn(({ query }) => new Promise((resolve) => (query?.before === undefined ? firsts : pages).push(resolve)), {
    search: 'a',
    about: 'list',
  });
  await expect.poll(() => part.calls.length).toBe(1);
  firsts[0]?.(pageBefore(7));
  await expect.poll(() => part.get().value?.next).toBe(5);
  part.get().more(5);
  await expect.poll(() => pages.length).toBe(1);
  part.searchFor('b');
  await expect.poll(() => part.calls.length).toBe(3);
  expect(part.get()).toMatchObject({ value: { items: [6, 5] }, loading: true });
  part.get().more(5);
  firsts[1]?.(pageBefore(5));
  await expect.poll(() => part.get().value?.items).toEqual([4, 3]);
  pages[0]?.(pageBefore(5));
  await expect.poll(() => part.get().adding).toBeNull();
  expect(part.get().value?.items).toEqual([4, 3]);
  expect(part.calls).toHaveLength(3);
});

test('why a read has failed stays until the next answer where it is asked to', async () => {
  const answer: PromiseWithResolvers<unknown> = Promise.withResolvers();
  let read: () => unknown = refuse('network');
  const part = hookOn({ 'hook.list': () => read() }, () => useRead('hook.list', { params: { id: 'p' } }, { keepsProblem: true }));
  await expect.poll(() => part.get().problem).toEqual({ code: 'network' });
  read = () => answer.promise;
  part.get().again();
  expect(part.get()).toMatchObject({ problem: { code: 'network' }, loading: true });
  answer.resolve([]);
  await expect.poll(() => part.get()).toMatchObject({ value: [], problem: null, loading: false });
});
