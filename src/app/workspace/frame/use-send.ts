import type { Command, CommandResult } from '../../../model/commands.ts';
import { useDispatch } from '../../../workers/bridge/use-workspace.ts';
import { useMutation } from '../../server-data/use-mutation.ts';

/**
 * Sends one command at a time, and keeps the problem of the last one. Returns null after a failure, and when the part was closed meanwhile; `onSent` is
 * called then too, if it succeeded, with what the command has made.
 */
export function useSend(onSent?: (value: CommandResult) => void) {
  const dispatch = useDispatch();
  const { act, isBusy, problem } = useMutation();
  return { send: (command: Command) => act(() => dispatch(command), onSent), isBusy, problem };
}
