import { useEffect, useMemo, useRef, useState } from 'react';
import { type Throttled, throttle } from '../../../../async/throttle.ts';
import type { CostRange, Fork, ForkRequest } from '../../../../contract/executions/fork.ts';
import { maxTriedModels } from '../../../../contract/executions/fork.ts';
import type { Problem } from '../../../model/problem.ts';
import { pageClock } from '../../../ui/page-clock.ts';
import { type RemoteData, useRead } from '../../server-data/use-read.ts';

/** While a result is edited the preview is asked for at most so often (ms). */
const askEveryMs = 600;

type Preview = { fork: Fork | null; problem: Problem | null; loading: boolean };

/**
 * What forks with these requests would do, at most one for each model that is tried. Requests that change in quick succession, as those of
 * a result that is edited, are sent together. None: nothing is asked.
 */
export function usePreview(executionId: string, requests: readonly ForkRequest[]): Preview {
  const wanted = JSON.stringify(requests);
  const asked = useThrottled(wanted);
  const sent = useMemo(() => JSON.parse(asked) as ForkRequest[], [asked]);
  // One of the few requests for each place: hooks are called in the same order each time.
  const all = Array.from({ length: maxTriedModels }, (_, at): RemoteData<Fork> => {
    const request = sent[at];
    // biome-ignore lint/correctness/useHookAtTopLevel: the number of calls is constant
    return useRead('execution.fork', request === undefined ? null : { params: { id: executionId }, body: { ...request, dryRun: true } }, {
      about: executionId,
    });
  }).slice(0, sent.length);
  const problem = all.find((one) => one.problem !== null)?.problem ?? null;
  const loading = wanted !== asked || all.some((one) => one.loading);
  const forks = all.flatMap(({ value }) => value ?? []);
  const known = useRef<{ forks: readonly Fork[]; sum: Fork | null }>({ forks: [], sum: null });
  if (forks.length !== known.current.forks.length || forks.some((fork, at) => fork !== known.current.forks[at]))
    known.current = { forks, sum: sumOf(forks) };
  return { fork: problem === null && forks.length === sent.length ? known.current.sum : null, problem, loading };
}

/** Adds up what several forks of the same run need. Their steps are those of the first one. */
function sumOf(forks: readonly Fork[]): Fork | null {
  const [first] = forks;
  if (!first) return null;
  const cost = new Map<string, CostRange>();
  for (const { currency, min, max } of forks.flatMap((fork) => fork.cost)) {
    const sum = cost.get(currency) ?? { currency, min: 0, max: 0 };
    cost.set(currency, { currency, min: sum.min + min, max: sum.max + max });
  }
  const total = (side: 'min' | 'max') => forks.reduce((sum, { tokens }) => sum + tokens[side], 0);
  const isCostUnknown = forks.some((fork) => fork.isCostUnknown);
  const { isCostUnknown: _first, ...rest } = first;
  return { ...rest, tokens: { min: total('min'), max: total('max') }, cost: [...cost.values()], ...(isCostUnknown && { isCostUnknown }) };
}

/** The newest value, after at most one change in a while. */
function useThrottled(value: string): string {
  const [shown, setShown] = useState(value);
  const newest = useRef(value);
  const showSoon = useRef<Throttled | null>(null);
  useEffect(() => {
    newest.current = value;
    showSoon.current ??= throttle(() => setShown(newest.current), { ms: askEveryMs, later: pageClock.later });
    showSoon.current();
  }, [value]);
  useEffect(
    () => () => {
      showSoon.current?.cancel();
      showSoon.current = null;
    },
    [],
  );
  return shown;
}
