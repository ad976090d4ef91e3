import type { Transport } from '@modelcontextprotocol/client';

/** A way to a tool server, before the protocol begins. */
export type McpChannel = {
  transport: Transport;
  /** Whether the newest protocol is tried before the one with a handshake. */
  negotiates: boolean;
  /** Whom the channel tells what the library does not hear. */
  watch(watcher: McpWatcher): void;
  /** Ends the channel and what belongs to it. Never rejects. */
  close(): Promise<void>;
};

export type McpWatcher = {
  /** Called when the channel can carry no answer any more, at most once for each request. */
  onFailure: (error: unknown) => void;
  /** Called when the server says that it goes on with the request under way. */
  onProgress: () => void;
};

export const unwatched: McpWatcher = { onFailure: () => {}, onProgress: () => {} };

/** The longest answer of a tool server (bytes). */
export const maxAnswerBytes = 1024 * 1024;

/** The parts of an answer that the library hands on unchecked. What it checks may be this long (characters of JSON). */
const unchecked = new Set(['tools', 'content', 'structuredContent']);
const maxChecked = 64 * 1024;

/** The most requests of a server in one session that are answered, such as pings. */
const maxQuestions = 100;
const maxMethodLength = 200;

/**
 * Returns a function that sorts the messages of one session's server: those for the library, progress of the request under way, and others,
 * which need no answer. A request of the server goes to the library without its parameters. It answers a ping, and says of all others that
 * they are not known: nothing was offered to the server. Each is answered once.
 */
export function createMessageSorter(): (message: unknown) => { for: 'library'; message: object } | { for: 'progress' | 'none' } {
  const answered = new Set<string | number>();
  return (message) => {
    if (isAnswer(message)) return { for: 'library', message };
    const { method, id } = (typeof message === 'object' && message !== null ? message : {}) as { method?: unknown; id?: unknown };
    if (method === 'notifications/progress') return { for: 'progress' };
    if (typeof method !== 'string' || (typeof id !== 'number' && typeof id !== 'string')) return { for: 'none' };
    if (answered.has(id) || answered.size >= maxQuestions || String(id).length > maxMethodLength) return { for: 'none' };
    answered.add(id);
    return { for: 'library', message: { jsonrpc: '2.0', id, method: method.slice(0, maxMethodLength) } };
  };
}

/** Whether a message answers a request, and is quickly checked by the library. */
export function isAnswer(message: unknown): message is object {
  if (typeof message !== 'object' || message === null || Array.isArray(message) || 'method' in message) return false;
  const { result } = message as { result?: unknown };
  const parts = typeof result === 'object' && result !== null ? Object.entries(result).filter(([key]) => !unchecked.has(key)) : [];
  return JSON.stringify({ ...message, result: parts }).length <= maxChecked;
}
