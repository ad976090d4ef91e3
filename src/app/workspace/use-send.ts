import { useState } from 'react';
import type { ResponseTo, Sending } from '../../../contract/call.ts';
import type { RouteName } from '../../../contract/routes.ts';
import type { Command, CommandResult } from '../../model/commands.ts';
import type { Outcome, Problem } from '../../model/problem.ts';
import { useIsMounted } from '../../ui/use-is-mounted.ts';
import { useChange, useDispatch } from '../../workers/bridge/use-workspace.ts';

/**
 * Sends one command at a time, or makes one call that changes something, and keeps the problem of the last one. Both return null after a failure,
 * and when the part was closed meanwhile; `onSent` is called then too, if they succeeded, with what a command has made.
 */
export function useSend(onSent?: (value: CommandResult) => void) {
  const dispatch = useDispatch();
  const change = useChange();
  const isMounted = useIsMounted();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const act = async <T>(begin: () => Promise<Outcome<T>>, sent: (value: T) => void): Promise<{ value: T } | null> => {
    if (isBusy) return null;
    setBusy(true);
    setProblem(null);
    const answer = await begin();
    setBusy(false);
    if (!answer.ok) setProblem(answer.error);
    else sent(answer.value);
    return answer.ok && isMounted.current ? { value: answer.value } : null;
  };
  const send = (command: Command) =>
    act(
      () => dispatch(command),
      (made) => onSent?.(made),
    );
  const call = <R extends RouteName>(route: R, ...sent: Sending<R>) =>
    act<ResponseTo<R>>(
      () => change(route, ...sent),
      () => onSent?.(undefined),
    );
  return { send, call, isBusy, problem, clear: () => setProblem(null) };
}
