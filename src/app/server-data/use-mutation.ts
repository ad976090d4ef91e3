import { useRef, useState } from 'react';
import type { CallInput, ResponseTo, Sending } from '../../../contract/call.ts';
import type { RouteName } from '../../../contract/routes.ts';
import type { Outcome, Problem } from '../../model/problem.ts';
import { useIsMounted } from '../../ui/use-is-mounted.ts';
import { useServerData } from './server-data-provider.tsx';

type MutationOptions = {
  /** The routes that are read again after a call, also after one whose answer was lost or that was refused. */
  invalidates?: readonly RouteName[];
  /** Called after each success, also when the part was closed meanwhile. */
  onDone?: () => void;
};

/**
 * Makes one call at a time that changes something, and keeps the problem of the last one. A call returns null after a failure, and when the part was
 * closed meanwhile. A success returns after what it invalidates was read again: a change is shown only after the server has made it.
 */
export function useMutation({ invalidates = [], onDone }: MutationOptions = {}) {
  const data = useServerData();
  const isMounted = useIsMounted();
  const isRunning = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  const act = async <T>(begin: () => Promise<Outcome<T>>, done: (value: T) => void = () => onDone?.()): Promise<{ value: T } | null> => {
    if (isRunning.current) return null;
    isRunning.current = true;
    setBusy(true);
    setProblem(null);
    const answer = await begin();
    if (answer.ok) done(answer.value);
    else setProblem(answer.error);
    const isShown = isMounted.current;
    // The problem of a refused or lost call stands alone.
    const isRead = data.invalidate(invalidates, !answer.ok);
    if (answer.ok) await isRead;
    isRunning.current = false;
    setBusy(false);
    return answer.ok && isShown ? { value: answer.value } : null;
  };

  const change = <R extends RouteName>(route: R, input: CallInput<R>) => data.change(route, ...([input] as unknown as Sending<R>));

  /** `done` is called with the answer before what it invalidates is read again. */
  const call = <R extends RouteName>(route: R, input: CallInput<R>, done?: (value: ResponseTo<R>) => void) =>
    act<ResponseTo<R>>(() => change(route, input), done);

  /** Removes something. What is gone already is no failure. */
  const remove = async <R extends RouteName>(route: R, input: CallInput<R>, gone?: () => void) => {
    const removal = async (): Promise<Outcome<unknown>> => {
      const answer = await change(route, input);
      return answer.ok || answer.error.code === 'not_found' ? { ok: true, value: null } : answer;
    };
    return (await act(removal, gone)) !== null;
  };

  return { act, call, remove, isBusy, problem, clear: () => setProblem(null) };
}

export type Mutation = ReturnType<typeof useMutation>;
