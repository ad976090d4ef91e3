import type { Command } from '../../../model/commands.ts';
import { done } from '../../../model/problem.ts';
import type { EngineSession } from '../../protocol.ts';
import type { BackendError } from '../backends/port.ts';
import type { EngineContext } from '../engine-context.ts';
import type { EngineModule } from '../engine-module.ts';
import type { Environment } from '../environment/environment.ts';
import { RealtimeChannel, realtimeUrl } from './realtime-channel.ts';

type ConnectionType = Extract<Command['type'], `realtime.${string}`>;

export type ConnectionModule = EngineModule<ConnectionType> & {
  /** Replaces a socket that seems open and delivers nothing. */
  refreshChannel(): void;
  /** Requests the streamed texts from their beginning, after a part of one was missed. */
  requestTexts(): void;
  /** Called after the session was refreshed or ended. */
  sessionChanged(): void;
};

type ConnectionOptions = {
  /** The newest known event of each followed execution. */
  since: () => Record<string, number>;
  /** Retries the opening of a workspace that could not be opened. */
  reopen: () => void;
};

/**
 * The connection to the server: network, session, sleep of the machine, and the real-time channel. A workspace without a server has none.
 */
export function createConnectionModule(context: EngineContext, { since, reopen }: ConnectionOptions): ConnectionModule {
  const { source, store, environment, session, notify } = context;
  const hasServer = source.kind === 'server';
  let channel: RealtimeChannel | null = null;
  const stops = hasServer ? [environment.onOnline(wake), watchForWaking(environment, wake)] : [];

  /** The network was lost or the machine slept: a socket that seems open may be dead. */
  function wake(): void {
    if (store.state.status === 'failed') reopen();
    channel?.refresh();
    notify('onOnline');
  }

  /** Updates the state with a call's result: whether the server is reachable and accepts the token. */
  function showAnswer(fault: BackendError | null): void {
    const online = !fault || fault.status > 0 || fault.kind === 'refused';
    const refused = fault?.kind === 'unauthenticated';
    const { connection } = store.state;
    if (connection.online === online && !(refused && connection.authenticated)) return;
    if (online && !connection.online) channel?.serverAnswers();
    store.update((draft) => {
      draft.connection.online = online;
      if (refused) draft.connection.authenticated = false;
    });
  }

  return {
    handlers: {
      'realtime.connect': () => {
        channel?.connect();
        return done;
      },
      'realtime.disconnect': () => {
        channel?.disconnect();
        return done;
      },
    },
    refreshChannel: () => channel?.refresh(),
    requestTexts: () => channel?.requestTexts(),
    sessionChanged() {
      if (!hasServer) return;
      const current = session();
      store.update(({ connection }) => {
        connection.authenticated = current !== null;
      });
      if (!current) {
        channel?.rest();
        return;
      }
      if (store.state.status !== 'ready') reopen();
      notify('onOnline');
      channel?.sendToken(current.accessToken);
    },
    onAnswer: (fault) => hasServer && showAnswer(fault),
    onProjectOpened() {
      if (source.kind === 'server' && source.realtime === 'auto') channel ??= openChannel(context, since);
      else
        store.update(({ connection }) => {
          connection.realtime = 'off';
        });
    },
    close() {
      for (const stop of stops) stop();
      channel?.close();
    },
  };
}

/** Opens the workspace's channel one second later, and shows its state in the interface and the console. */
function openChannel(context: EngineContext, since: ConnectionOptions['since']): RealtimeChannel {
  const { store, environment, console, session, backend, notify } = context;
  const channel = new RealtimeChannel({
    environment,
    url: async () => {
      const asking = session();
      if (!asking) return null;
      const answer = await backend.call('auth.socketTicket');
      const opener = answer.ok ? { ticket: answer.value.ticket } : openerWithoutTicket(answer.fault, asking);
      return realtimeUrl(asking.apiBase, opener, environment.pageUrl);
    },
    since,
    onMessage: (message) => notify('onMessage', message),
    onState: (state) => {
      store.update(({ connection }) => {
        connection.realtime = state;
      });
      if (state === 'connected') notify('onOnline');
    },
    onBadMessage: () => console.addEvent({ code: 'realtime.badMessage' }, 'warning'),
    onGaveUp: () => console.addEvent({ code: 'realtime.gaveUp' }, 'warning'),
  });
  channel.start();
  return channel;
}

/** A server that implements only the specification has no tickets and takes the access token. Throws after any other refusal. */
function openerWithoutTicket({ status, problem }: BackendError, { accessToken }: EngineSession): { token: string } {
  if (status === 404 || status === 405) return { token: accessToken };
  throw new Error(`There is no ticket for the socket: ${problem.code}`);
}

/** The interval at which the clock is read, and the delay that means that the machine slept (ms). */
const checkEveryMs = 15_000;
const sleepMs = 30_000;

/** Calls back each time the machine wakes up. Returns the function that ends this. */
function watchForWaking({ now, later }: Pick<Environment, 'now' | 'later'>, onWake: () => void): () => void {
  let last = now();
  let cancel = later(checkEveryMs, look);
  function look(): void {
    const slept = now() - last > checkEveryMs + sleepMs;
    last = now();
    cancel = later(checkEveryMs, look);
    if (slept) onWake();
  }
  return () => cancel();
}
