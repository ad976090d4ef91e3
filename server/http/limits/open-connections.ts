import { ApiError } from '../api-error.ts';

/** A connection that stays open for a session: a socket, or a stream of events. */
export type OpenConnection = {
  userId: string;
  sessionId: string;
  /** When its access token runs out (ms since the epoch). */
  goodUntil: number;
  /** About every ten seconds: time to ask the other side for a sign of life, or to give it up. */
  heartbeat: () => void;
  /** Its session has ended, or its token has run out. */
  end: () => void;
  /** The server is going away. Sockets are told by who holds them. */
  leave?: () => void;
};

export type OpenConnectionsDeps = {
  /** Connections that one account may hold open on this server. */
  maxPerAccount: number;
  /** Those of these sessions that have not ended. While it fails nobody knows, and connections stay. */
  openSessions: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Milliseconds since the epoch. */
  now: () => number;
};

/** Each connection is looked at once in so many turns, and a turn comes every second: five thousand are never asked at one instant. */
const turns = 10;
const turnMs = 1_000;

/**
 * What is open on this server, with one clock for all. A connection ends with its session: at once when the end is told here, and at its
 * next turn when nobody told.
 */
export function createOpenConnections({ maxPerAccount, openSessions, now }: OpenConnectionsDeps) {
  const byTurn = Array.from({ length: turns }, () => new Set<OpenConnection>());
  const bySession = new Map<string, Set<OpenConnection>>();
  const byUser = new Map<string, number>();
  let added = 0;
  let turn = 0;

  const register = (connection: OpenConnection) => {
    bySession.set(connection.sessionId, (bySession.get(connection.sessionId) ?? new Set()).add(connection));
  };
  const unregister = (connection: OpenConnection) => {
    const known = bySession.get(connection.sessionId);
    known?.delete(connection);
    if (known?.size === 0) bySession.delete(connection.sessionId);
  };

  const look = async () => {
    turn = (turn + 1) % turns;
    const those = byTurn[turn] ?? [];
    const sessions = new Set<string>();
    for (const connection of those) {
      if (connection.goodUntil <= now()) connection.end();
      else {
        sessions.add(connection.sessionId);
        connection.heartbeat();
      }
    }
    if (sessions.size === 0) return;
    const open = await openSessions([...sessions]);
    for (const id of sessions) if (!open.has(id)) endSession(id);
  };

  const endSession = (sessionId: string) => {
    for (const connection of bySession.get(sessionId) ?? []) connection.end();
  };

  const clock = setInterval(() => void look().catch(() => {}), turnMs);
  clock.unref();

  const count = (userId: string, more: number) => {
    const open = (byUser.get(userId) ?? 0) + more;
    if (open > 0) byUser.set(userId, open);
    else byUser.delete(userId);
  };

  return {
    /** Throws `too_many_requests` when the account holds as many connections as it may. */
    checkRoom(userId: string) {
      if ((byUser.get(userId) ?? 0) >= maxPerAccount) throw new ApiError('too_many_requests', { retryAfterSeconds: turns });
    },
    /** Looks after a connection until the returned function is called. */
    add(connection: OpenConnection): () => void {
      added += 1;
      const mine = byTurn[added % turns];
      mine?.add(connection);
      register(connection);
      count(connection.userId, 1);
      return () => {
        if (!mine?.delete(connection)) return;
        unregister(connection);
        count(connection.userId, -1);
      };
    },
    /** An open connection goes on under a newer token, which may be another session's of the same user. */
    renew(connection: OpenConnection, { sessionId, goodUntil }: { sessionId: string; goodUntil: number }) {
      if (!bySession.get(connection.sessionId)?.has(connection)) return;
      unregister(connection);
      connection.sessionId = sessionId;
      connection.goodUntil = goodUntil;
      register(connection);
    },
    endSession,
    close() {
      clearInterval(clock);
      for (const those of byTurn) for (const connection of those) connection.leave?.();
    },
  };
}

export type OpenConnections = ReturnType<typeof createOpenConnections>;
