import { useSend } from '../use-send.ts';
import { invalidateConnections } from './connections-version.ts';

/** Makes calls that change connections, one at a time. All lists of connections on the page are read again after each. */
export function useSendChange() {
  const { send: _, call, ...sending } = useSend();
  const change: typeof call = async (route, ...sent) => {
    const answer = await call(route, ...sent);
    invalidateConnections();
    return answer;
  };
  return { ...sending, call: change };
}
