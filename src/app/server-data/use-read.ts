import { useEffect, useMemo, useRef } from 'react';
import type { CallInput, ResponseTo, Sending } from '../../../contract/call.ts';
import type { RouteName } from '../../../contract/routes.ts';
import { useObserved } from '../../state/use-observed.ts';
import { whileVisible } from '../../ui/while-visible.ts';
import type { Load, Remote } from './server-data.ts';
import { useServerData } from './server-data-provider.tsx';

export type RemoteData<T> = Remote<T> & { again: () => void };

export type ReadOptions<T> = {
  /** Another value of it reads again. */
  when?: unknown;
  /** What the answer is about. The answer to another input is shown meanwhile if it is about the same; null for none. */
  about?: string | null;
  /** Why a read has failed stays until the answer to the next one. */
  keepsProblem?: boolean;
  /** The pause before it is read again without a sign of it (ms); null where it rests. `value` is null after a failed first read. A hidden page does not read. */
  pauseMs?: (value: T | null) => number | null;
};

const nothing: Remote<never> = { value: null, problem: null, loading: false };
const rest = async () => {};
const noEntry = { get: () => nothing, subscribe: () => () => {}, read: rest, refresh: rest, again: rest, add: rest };

/** Returns the answer to a call that reads. Nothing is read without an input. */
export function useRead<R extends RouteName>(
  route: R,
  input: CallInput<R> | null,
  options?: ReadOptions<ResponseTo<R>>,
): RemoteData<ResponseTo<R>> {
  return useLoad(route, input, (call) => call(route, ...([input] as unknown as Sending<R>)), options);
}

/** The same for an answer of several calls. `input` is all that they depend on. */
export function useLoad<T>(
  route: RouteName,
  input: unknown,
  load: Load<T>,
  { when, about = null, keepsProblem = false, pauseMs }: ReadOptions<T> = {},
): RemoteData<T> & { add: (load: Load<T>) => Promise<void> } {
  const data = useServerData();
  const key = input === null ? null : JSON.stringify(input);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is the input, and the input says what is loaded
  const entry = useMemo(() => (key === null ? noEntry : data.entry(route, input, load)), [data, route, key]);
  const state: Remote<T> = useObserved(entry, entry.get as () => Remote<T>);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another value reads again
  useEffect(() => void entry.read(), [entry, when]);
  const ms = state.loading ? null : (pauseMs?.(state.value) ?? null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each read that has ended begins a pause
  useEffect(() => {
    if (ms === null) return;
    return whileVisible(() => {
      const timer = setTimeout(() => void entry.refresh(), ms);
      return () => clearTimeout(timer);
    });
  }, [entry, state, ms]);
  const last = useRef<{ about: string | null; value: T | null }>({ about: null, value: null });
  const lastProblem = useRef(state.problem);
  if (state.value !== null) last.current = { about, value: state.value };
  if (!state.loading || !keepsProblem) lastProblem.current = state.problem;
  const problem = lastProblem.current;
  const value = state.value ?? (about !== null && last.current.about === about ? last.current.value : null);
  return useMemo(
    () => ({ ...state, value, problem, again: () => void entry.again(), add: (load: Load<T>) => entry.add(load) }),
    [state, value, problem, entry],
  );
}
