/** The limits of one socket, and of all sockets of one account or one address on a node. A socket that exceeds them is closed with 1008. */
export const socketLimits = {
  /** Messages, pings and pongs of one socket. A long message counts as several. */
  socket: { perSecond: 50, burst: 200 },
  /** The same for all sockets of an account on one node. */
  account: { perSecond: 200, burst: 2_000 },
  /** The same for all sockets of an address on one node: an office of twenty busy accounts. */
  address: { perSecond: 4_000, burst: 20_000 },
  /** A message counts once for each of these bytes, since parsing takes time. */
  bytesOfMessage: 384,
  /** The maximum length of a message (bytes); a longer one closes with 1009. */
  maxMessageBytes: 64 * 1024,
  /** The limits of a message's JSON: the last events of 1,000 executions, and little else. */
  json: { values: 2_000, depth: 4 },
  /**
   * Answers to pings that wait to be written; the library cuts the connection at one more. Above `burst`, so that pings that arrive in one
   * piece are counted first and close with 1008; a client that reads no answers is cut.
   */
  maxPendingAutoPongs: 400,
  /** Frames of one message; more close with 1008. */
  maxFragments: 1_024,
  /** The time limit of one message (ms). The socket is closed after one to two times this. */
  unfinishedMs: 10_000,
  /** Open sockets and event streams of one account on one node. The benchmark shows that a node serves as many. */
  connectionsPerAccount: 1_000,
  /** Open event streams and waiting calls of one API key on one node. */
  connectionsPerKey: 100,
  /** The time limit for a request's headers (ms), an upgrade's too. */
  headersMs: 20_000,
  /** How long a closed client may take to answer before its connection is cut (ms). */
  goodbyeMs: 1_000,
  /** The time from the close frame to the cut for a client that exceeds its limits (ms): a busy client can still read the reason. */
  abuseGoodbyeMs: 5_000,
} as const;
