import { connect, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import { type Bus, type BusMessage, subjectOf } from './bus.ts';
import { createInProcessBus } from './in-process-bus.ts';

/**
 * The bus of servers that share one NATS: a subject a user, plain fan-out. A server subscribes to the users it has
 * listeners for. While NATS is away, messages reach this server's own listeners only, and the others read the database.
 * Rejects when NATS cannot be reached at the start.
 */
export async function connectNatsBus(url: string): Promise<Bus> {
  const connection = await connect({
    servers: url,
    name: 'artel',
    maxReconnectAttempts: -1,
    reconnectTimeWait: 500,
    ignoreClusterUpdates: true,
  });
  return natsBus(connection);
}

function natsBus(connection: NatsConnection): Bus {
  const local = createInProcessBus();
  const watched = new Map<string, { subscription: Subscription; listeners: number }>();
  let connected = true;
  void (async () => {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') connected = false;
      if (status.type === 'reconnect') connected = true;
    }
  })();

  const watch = (userId: string) => {
    const known = watched.get(userId);
    if (known) return known;
    const subscription = connection.subscribe(subjectOf(userId), {
      callback: (error, message) => {
        if (!error) local.publish(userId, message.json<BusMessage>());
      },
    });
    const entry = { subscription, listeners: 0 };
    watched.set(userId, entry);
    return entry;
  };

  return {
    publish(userId, message) {
      if (!connected || connection.isClosed()) return local.publish(userId, message);
      try {
        connection.publish(subjectOf(userId), JSON.stringify(message));
      } catch {
        // Larger than NATS takes: the other servers read the database.
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
        entry.subscription.unsubscribe();
        watched.delete(userId);
      };
    },
    state: () => ({ mode: 'nats', connected }),
    async close() {
      await connection.drain().catch(() => connection.close());
    },
  };
}
