import type { Command } from '../../../model/commands.ts';
import { useSend } from '../use-send.ts';
import { invalidateConnections } from './connections-version.ts';

/** Sends commands that change connections, one at a time. All lists of connections on the page are read again after each. */
export function useSendChange() {
  const { send, ...sending } = useSend();
  const sendChange = async (command: Command) => {
    const answer = await send(command);
    invalidateConnections();
    return answer;
  };
  return { ...sending, send: sendChange };
}
