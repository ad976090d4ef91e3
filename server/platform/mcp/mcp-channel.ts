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
