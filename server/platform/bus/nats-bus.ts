import { connect, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import { type Bus, type BusMessage, subjectOf } from './bus.ts';
import { createEventListeners } from './event-listeners.ts';
import { createInProcessBus } from './in-process-bus.ts';

/** How long the start waits for NATS (ms). Later connections are made in the background. */
const firstWaitMs = 2_000;
/** The pause between two first connection attempts, and between two log lines about them (ms). */
const tryEveryMs = 500;
const logIntervalMs = 60_000;

/**
 * The bus of servers that share one NATS: one subject for each user, plain fan-out. A server subscribes to the users of its own
 * listeners. While NATS is away, also at the start, messages reach this server's own listeners only, and other servers read the
 * database. `note` receives messages for the operator.
 */
export async function connectNatsBus(url: string, note: (line: string) => void): Promise<Bus> {
  const { bus, connected } = createNatsBus(url, note);
  let limit: NodeJS.Timeout | undefined;
  await Promise.race([connected, new Promise((resolve) => (limit = setTimeout(resolve, firstWaitMs)))]);
  clearTimeout(limit);
  return bus;
}

type Watched = { subscription: Subscription | null; listeners: number };

function createNatsBus(url: string, note: (line: string) => void): { bus: Bus; connected: Promise<void> } {
  const local = createInProcessBus();
  const { onEvent, tell } = createEventListeners();
  const watched = new Map<string, Watched>();
  let connection: NatsConnection | null = null;
  let isConnected = false;
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;

  const subscribeTo = (userId: string): Subscription | null =>
    connection?.subscribe(subjectOf(userId), {
      callback: (error, message) => {
        if (!error) local.publish(userId, message.json<BusMessage>());
      },
    }) ?? null;

  const use = async (opened: NatsConnection): Promise<void> => {
    if (isClosed) return opened.close();
    connection = opened;
    isConnected = true;
    for (const [userId, entry] of watched) entry.subscription = subscribeTo(userId);
    void followStatus(opened);
  };

  const followStatus = async (opened: NatsConnection): Promise<void> => {
    for await (const status of opened.status()) {
      if (status.type === 'disconnect') isConnected = false;
      if (status.type === 'reconnect') isConnected = true;
    }
  };

  const reach = async (): Promise<void> => {
    for (let noteAt = 0; !isClosed; ) {
      const opened = await connect({
        servers: url.split(',').map((server) => server.trim()),
        name: 'artel',
        maxReconnectAttempts: -1,
        reconnectTimeWait: 500,
        ignoreClusterUpdates: true,
      }).catch((error: unknown) => {
        if (performance.now() < noteAt) return null;
        noteAt = performance.now() + logIntervalMs;
        const reason = error instanceof Error ? error.message : String(error);
        note(`Waiting for the NATS of NATS_URL; live events stay on this server until then: ${reason}.`);
        return null;
      });
      if (opened) return use(opened);
      await new Promise((resolve) => {
        retry = setTimeout(resolve, tryEveryMs);
      });
    }
  };

  const watch = (userId: string): Watched => {
    const known = watched.get(userId);
    if (known) return known;
    const entry = { subscription: subscribeTo(userId), listeners: 0 };
    watched.set(userId, entry);
    return entry;
  };

  const bus: Bus = {
    publish(userId, message) {
      tell(message);
      if (!isConnected || connection === null || connection.isClosed()) return local.publish(userId, message);
      try {
        connection.publish(subjectOf(userId), JSON.stringify(message));
      } catch {
        // Larger than NATS accepts: other servers read the database.
        local.publish(userId, message);
      }
    },
    subscribe(userId, listener) {
      const entry = watch(userId);
      entry.listeners += 1;
      const stop = local.subscribe(userId, listener);
      let stopped = false;
      return () => {
        if (stopped) return;
        stopped = true;
        stop();
        entry.listeners -= 1;
        if (entry.listeners > 0) return;
        entry.subscription?.unsubscribe();
        watched.delete(userId);
      };
    },
    onEvent,
    state: () => ({ mode: 'nats', connected: isConnected }),
    async close() {
      isClosed = true;
      clearTimeout(retry);
      const opened = connection;
      await opened?.drain().catch(() => opened.close());
    },
  };
  return { bus, connected: reach() };
}
