import { useEffect, useState } from 'react';
import { throttle } from '../../../async/throttle.ts';
import { type CardView, cardViews } from '../../model/card-view.ts';
import type { RunState } from '../../model/workspace-state.ts';
import type { WorkspaceStore } from '../../model/workspace-store.ts';
import { pageClock } from '../../ui/page-clock.ts';

export type ThrottledRun = { run: RunState; cards: Readonly<Record<string, CardView>> };

/** A run of more steps is shown anew at most this often (ms): a hundred lines are compared at each change. */
const longRun = { steps: 200, ms: 500 };

/** Returns the run with its cards, for the list. Steps of a long run follow at most once in 500 ms. */
export function useThrottledRun(store: WorkspaceStore): ThrottledRun {
  const [throttled, setThrottled] = useState(() => throttledRunOf(store));
  useEffect(() => {
    let shown: RunState | null = null;
    const show = () => {
      shown = store.getState().run;
      const next = throttledRunOf(store);
      setThrottled((before) => (before.run === next.run ? before : next));
    };
    const showSoon = throttle(show, { ms: longRun.ms, ...pageClock });
    show();
    const stop = store.subscribe(({ run }) => {
      if (run === shown) return;
      const goesOn = run.execution?.id === shown?.execution?.id && run.phase === shown?.phase;
      if (goesOn && run.steps.length > longRun.steps) showSoon();
      else show();
    });
    return () => {
      stop();
      showSoon.cancel();
    };
  }, [store]);
  return throttled;
}

function throttledRunOf(store: WorkspaceStore): ThrottledRun {
  const { run } = store.getState();
  return { run, cards: cardViews(run) };
}
