import { toolServerLimits } from '../../../contract/tool-server.ts';
import type { McpSession } from '../../platform/mcp/mcp-session.ts';
import type { ConnectServer } from './connect-servers.ts';
import { hashOfDefinition, readDefinitions } from './definitions.ts';
import type { ToolServerRow } from './repository.ts';
import { maxListed } from './service.ts';
import type { ToolList } from './store-tool-list.ts';

/** A session of a step, with the hashes of the tools that the server listed at its beginning, by name. */
type StepSession = { session: McpSession; hashes: ReadonlyMap<string, string> };

type ToolSessionsDeps = {
  connect: ConnectServer;
  /** Stores what a server has listed. */
  onListed: (server: ToolServerRow, list: ToolList) => Promise<void>;
};

/**
 * Keeps the sessions of steps: one for each server, from its first call to the end of the step's signal. Each begins with a list of the
 * server's tools, so that no call reaches a tool that is described otherwise than a person has seen it.
 */
export function createToolSessions({ connect, onListed }: ToolSessionsDeps) {
  const bySignal = new WeakMap<AbortSignal, Map<string, Promise<StepSession>>>();

  const open = async (server: ToolServerRow, signal: AbortSignal): Promise<StepSession> => {
    const session = await connect(server, signal);
    try {
      const raw = await session.listTools(maxListed, signal);
      await onListed(server, { about: session.about, raw });
      const { tools } = readDefinitions(raw, toolServerLimits.tools);
      return { session, hashes: new Map(tools.map(({ name, definition }) => [name, hashOfDefinition(name, definition)])) };
    } catch (error) {
      void session.close();
      throw error;
    }
  };

  const sessionsOf = (signal: AbortSignal): Map<string, Promise<StepSession>> => {
    const known = bySignal.get(signal);
    if (known) return known;
    const sessions = new Map<string, Promise<StepSession>>();
    bySignal.set(signal, sessions);
    signal.addEventListener('abort', () => closeAll(sessions), { once: true });
    return sessions;
  };

  return {
    /** Returns the session of a server in a step. Throws `McpFailed`, or the signal's reason. */
    async of(server: ToolServerRow, signal: AbortSignal): Promise<StepSession> {
      signal.throwIfAborted();
      const sessions = sessionsOf(signal);
      const known = sessions.get(server.id);
      if (known) return known;
      const opened = open(server, signal);
      sessions.set(server.id, opened);
      opened.catch(() => sessions.delete(server.id));
      const session = await opened;
      if (signal.aborted) closeAll(sessions);
      signal.throwIfAborted();
      return session;
    },

    /** Ends the session of a server: the next call opens another one. */
    drop({ id }: ToolServerRow, signal: AbortSignal): void {
      const sessions = sessionsOf(signal);
      const known = sessions.get(id);
      sessions.delete(id);
      known?.then(({ session }) => session.close()).catch(() => {});
    },
  };
}

function closeAll(sessions: Map<string, Promise<StepSession>>): void {
  for (const opened of sessions.values()) opened.then(({ session }) => session.close()).catch(() => {});
  sessions.clear();
}
