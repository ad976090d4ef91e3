import { useState } from 'react';
import type { Command, CommandResult } from '../../model/commands.ts';
import type { Problem } from '../../model/problem.ts';
import { useIsMounted } from '../../ui/use-is-mounted.ts';
import { useDispatch } from '../../workers/bridge/use-workspace.ts';

/**
 * Sends one command at a time, and keeps the problem of the last one. `send` returns null after a failure, and when the part was closed
 * meanwhile; `onSent` is called then too, if the command succeeded.
 */
export function useSend(onSent?: (value: CommandResult) => void) {
  const dispatch = useDispatch();
  const isMounted = useIsMounted();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const send = async (command: Command) => {
    if (isBusy) return null;
    setBusy(true);
    setProblem(null);
    const answer = await dispatch(command);
    setBusy(false);
    if (!answer.ok) setProblem(answer.error);
    else onSent?.(answer.value);
    return answer.ok && isMounted.current ? { value: answer.value } : null;
  };
  return { send, isBusy, problem, clear: () => setProblem(null) };
}
