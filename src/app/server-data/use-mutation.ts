import { useRef, useState } from 'react';
import type { CallInput, ResponseTo, Sending } from '../../../contract/call.ts';
import type { RouteName } from '../../../contract/routes.ts';
import type { Outcome, Problem } from '../../model/problem.ts';
import { useIsMounted } from '../../ui/use-is-mounted.ts';
import { useServerData } from './server-data-provider.tsx';

type MutationOptions = {
  /** The routes that are read again after a call, also after one whose answer was lost or that was refused. */
  invalidates?: readonly RouteName[];
  /** A call waits for those before it; without it, one that is made meanwhile is left out. */
  inTurn?: boolean;
  /** What the calls are about: a problem is shown while they are about the same. */
  about?: string | null;
  /** Called after each success, also when the part was closed meanwhile. */
  onDone?: () => void;
};

/**
 * Makes one call at a time that changes something, and keeps the problem of the last one. A call returns null after a failure, and when the part was
 * closed meanwhile. A success returns after what it invalidates was read again: a change is shown only after the server has made it.
 */
export function useMutation({ invalidates = [], inTurn = false, about = null, onDone }: MutationOptions = {}) {
  const data = useServerData();
  const isMounted = useIsMounted();
  const isRunning = useRef(false);
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<{ problem: Problem; about: string | null } | null>(null);

  const act = <T>(
    begin: () => Promise<Outcome<T>>,
    done: (value: T) => void = () => onDone?.(),
    rereads = invalidates,
  ): Promise<{ value: T } | null> => {
    const make = () => makeCall(begin, done, rereads);
    if (!inTurn) return isRunning.current ? Promise.resolve(null) : make();
    const next = last.current.then(make, make);
    last.current = next;
    return next;
  };

  const makeCall = async <T>(
    begin: () => Promise<Outcome<T>>,
    done: (value: T) => void,
    rereads: readonly RouteName[],
  ): Promise<{ value: T } | null> => {
    isRunning.current = true;
    setBusy(true);
    setFailure(null);
    try {
      const answer = await begin();
      if (answer.ok) done(answer.value);
      else setFailure({ problem: answer.error, about });
      const isShown = isMounted.current;
      // The problem of a refused or lost call stands alone.
      const isRead = data.invalidate(rereads, !answer.ok);
      if (answer.ok) await isRead;
      return answer.ok && isShown ? { value: answer.value } : null;
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };

  const change = <R extends RouteName>(route: R, input: CallInput<R>) => data.change(route, ...([input] as unknown as Sending<R>));

  /** `input` may be made when it is the turn of the call. `done` is called with the answer before what it invalidates is read again. */
  const call = <R extends RouteName>(route: R, input: CallInput<R> | (() => CallInput<R>), done?: (value: ResponseTo<R>) => void) =>
    act<ResponseTo<R>>(() => change(route, typeof input === 'function' ? input() : input), done);

  /** Like `call`, for one that changes nothing: nothing is read again after it. */
  const ask = <R extends RouteName>(route: R, input: CallInput<R>, done: (value: ResponseTo<R>) => void) =>
    act<ResponseTo<R>>(() => change(route, input), done, []);

  /** Removes something. What is gone already is no failure. */
  const remove = async <R extends RouteName>(route: R, input: CallInput<R>, gone?: () => void) => {
    const removal = async (): Promise<Outcome<unknown>> => {
      const answer = await change(route, input);
      return answer.ok || answer.error.code === 'not_found' ? { ok: true, value: null } : answer;
    };
    return (await act(removal, gone)) !== null;
  };

  const problem = failure !== null && failure.about === about ? failure.problem : null;
  return { act, call, ask, remove, isBusy, problem, clear: () => setFailure(null) };
}
