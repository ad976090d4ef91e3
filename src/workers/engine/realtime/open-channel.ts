import type { ServerMessage } from '../../../../contract/realtime.ts';
import type { EngineSession } from '../../protocol.ts';
import type { Environment } from '../environment.ts';
import type { Console } from '../store/console.ts';
import type { Store } from '../store/store.ts';
import { RealtimeChannel, realtimeUrl } from './realtime-channel.ts';

export type ChannelParts = {
  store: Store;
  environment: Environment;
  console: Console;
  session: () => EngineSession | null;
  since: () => Record<string, number>;
  onMessage: (message: ServerMessage) => void;
  /** What happened while there was no connection may have gone unheard. */
  onConnected: () => void;
};

/** Opens a workspace's channel in a moment, and shows in its state and console how that goes. */
export function openChannel({ store, environment, console, session, since, onMessage, onConnected }: ChannelParts): RealtimeChannel {
  const channel = new RealtimeChannel({
    environment,
    url: () => {
      const current = session();
      return current && realtimeUrl(current.apiBase, current.accessToken, environment.pageUrl);
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
