import type { Transport } from '@modelcontextprotocol/client';

/** A way to a tool server, before the protocol begins. */
export type McpChannel = {
  transport: Transport;
  /** Whether the newest protocol is tried before the one with a handshake. */
  negotiates: boolean;
  /** Calls `onFailure` when the channel can carry no answer any more, at most once for each request. */
  watch: (onFailure: (error: unknown) => void) => void;
  /** Ends the channel and what belongs to it. Never rejects. */
  close: () => Promise<void>;
};

/** The longest answer of a tool server (bytes). */
export const maxAnswerBytes = 1024 * 1024;

/** The parts of an answer that the library hands on unchecked. What it checks may be this long (characters of JSON). */
const unchecked = new Set(['tools', 'content', 'structuredContent']);
const maxChecked = 64 * 1024;

/**
 * Whether a message answers a request, and is quickly checked by the library. Notes and requests of a server need no answer here: nothing was
 * offered to it, and the library would take a millisecond for each.
 */
export function isAnswer(message: unknown): message is object {
  if (typeof message !== 'object' || message === null || Array.isArray(message) || 'method' in message) return false;
  const { result } = message as { result?: unknown };
  const parts = typeof result === 'object' && result !== null ? Object.entries(result).filter(([key]) => !unchecked.has(key)) : [];
  return JSON.stringify({ ...message, result: parts }).length <= maxChecked;
}
