import { ApiError } from '../api-error.ts';
import type { SignedIn } from '../call.ts';

/** What stays open for a session or an API key: a socket, a stream of events, or a call that waits. */
export type OpenConnection = {
  userId: string;
  /** The session, or the API key. */
  sessionId: string;
  /** When its access token runs out (ms since the epoch). */
  goodUntil: number;
  /** Called about every ten seconds: sends a ping, or closes a connection whose last ping was not answered. */
  heartbeat: () => void;
  /** Called when the session has ended, or the token has expired. */
  end: () => void;
  /** Called when the server shuts down. Sockets are closed by their own module. */
  leave?: () => void;
};

type OpenConnectionsDeps = {
  /** Connections that one account may keep open on this server. */
  maxPerAccount: number;
  /** Those of one API key, so that a program leaves connections to its owner. */
  maxPerKey: number;
  /** Returns the sessions that are still valid. While it fails, connections stay open. */
  openSessions: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Milliseconds since the epoch. */
  now: () => number;
};

/** One session of this many is looked up in a turn, and a turn comes every second: the checks of 5,000 connections are spread. */
const turns = 10;
const turnMs = 1_000;

/**
 * The open connections of this server, checked by one timer. A connection closes with its session: at once when the end is announced, and
 * at its next check otherwise. It closes within a second after its token has expired.
 */
export function createOpenConnections({ maxPerAccount, maxPerKey, openSessions, now }: OpenConnectionsDeps) {
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
    const at = now();
    for (const those of byTurn) for (const connection of those) if (connection.goodUntil <= at) connection.end();
    const sessions = new Set<string>();
    for (const connection of byTurn[turn] ?? []) {
      if (connection.goodUntil <= at) continue;
      sessions.add(connection.sessionId);
      connection.heartbeat();
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
    /** Throws `too_many_requests` when the account, or the API key that calls, has the maximum of open connections. */
    checkLimits({ id, sessionId, key }: Pick<SignedIn, 'id' | 'sessionId' | 'key'>) {
      const isFull = (byUser.get(id) ?? 0) >= maxPerAccount || (key && (bySession.get(sessionId)?.size ?? 0) >= maxPerKey);
      if (isFull) throw new ApiError('too_many_requests', { retryAfterSeconds: turns });
    },
    /** Watches a connection until the returned function is called. */
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
    /** Keeps an open connection under a newer token, which may belong to another session of the same user. */
    replaceToken(connection: OpenConnection, { sessionId, goodUntil }: { sessionId: string; goodUntil: number }) {
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
