import { useState } from 'react';
import type { RouteName } from '../../../contract/routes.ts';
import type { Answered, Call } from '../../model/call.ts';
import type { Load } from './server-data.ts';
import { type ReadOptions, useLoad } from './use-read.ts';

type Paging<T, P, At> = ReadOptions<T> & {
  /** Reads the page at a place; the first one at null. */
  page: (call: Call, at: At | null) => Promise<Answered<P>>;
  /** What is known with a page: others may have been added since it was asked for. */
  join: (known: T | null, page: P, at: At | null) => T;
};

/** Returns a list that grows by pages: `more` adds the one at a place, which is `adding` meanwhile. */
export function usePages<T, P, At>(route: RouteName, input: unknown, { page, join, ...options }: Paging<T, P, At>) {
  const [adding, setAdding] = useState<At | null>(null);
  const loadAt =
    (at: At | null): Load<T> =>
    async (call, known) => {
      if (at !== null) setAdding(at);
      const answer = await page(call, at);
      setAdding((now) => (now === at ? null : now));
      return answer.ok ? { ok: true, value: join(known(), answer.value, at) } : answer;
    };
  const { add, ...remote } = useLoad(route, input, loadAt(null), options);
  return { ...remote, adding, more: (at: At) => void add(loadAt(at)) };
}

type Page = { items: readonly unknown[]; next: number | null };

/** Joins the pages of a list, each of which says where the next one is. What else they say is that of the first one. */
export function joinPages<P extends Page>(known: P | null, page: P, at: number | null): P {
  if (known === null || at === null) return page;
  return known.next === at ? { ...known, items: [...known.items, ...page.items], next: page.next } : known;
}
