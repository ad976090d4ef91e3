import type { ServerMessage } from '../../../../contract/realtime.ts';
import type { EngineSession } from '../../protocol.ts';
import type { Answer, BackendFault } from '../backends/port.ts';
import type { Environment } from '../environment.ts';
import type { Console } from '../store/console.ts';
import type { Store } from '../store/store.ts';
import { RealtimeChannel, realtimeUrl } from './realtime-channel.ts';

export type ChannelParts = {
  store: Store;
  environment: Environment;
  console: Console;
  session: () => EngineSession | null;
  /** Asks the server for a ticket that opens one socket. */
  issueTicket: () => Promise<Answer<{ ticket: string }>>;
  since: () => Record<string, number>;
  onMessage: (message: ServerMessage) => void;
  /** What happened while there was no connection may have gone unheard. */
  onConnected: () => void;
};

/** Opens a workspace's channel in a moment, and shows in its state and console how that goes. */
export function openChannel({
  store,
  environment,
  console,
  session,
  issueTicket,
  since,
  onMessage,
  onConnected,
}: ChannelParts): RealtimeChannel {
  const channel = new RealtimeChannel({
    environment,
    url: async () => {
      const asking = session();
      if (!asking) return null;
      const answer = await issueTicket();
      const opener = answer.ok ? { ticket: answer.value.ticket } : openerWithout(answer.fault, asking);
      return realtimeUrl(asking.apiBase, opener, environment.pageUrl);
    },
    since,
    onMessage,
    onState: (state) => {
      store.update(({ connection }) => {
        connection.realtime = state;
      });
      if (state === 'connected') onConnected();
    },
    onBadMessage: () => console.says({ code: 'realtime.badMessage' }, 'warning'),
    onGaveUp: () => console.says({ code: 'realtime.gaveUp' }, 'warning'),
  });
  channel.start();
  return channel;
}

/** A server that speaks the calls of the specification alone has no tickets, and takes the access token. Throws after any other refusal. */
function openerWithout({ status, problem }: BackendFault, { accessToken }: EngineSession): { token: string } {
  if (status === 404 || status === 405) return { token: accessToken };
  throw new Error(`There is no ticket for the socket: ${problem.code}`);
}
